// This file is what an attribute is: a row of a kind's table.

package kind

import (
	"math"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// ValueType says what the value of an attribute is. It decides the attribute's
// Terraform type, its JSON form, and when two values count as the same.
type ValueType int

const (
	// Text is a string, kept byte for byte (enms-rest.md 1.1).
	Text ValueType = iota
	// Number is a whole number of 32 bits, which is what eNMS's columns hold.
	Number
	// Flag is a boolean; it is always sent as a JSON boolean, because eNMS
	// reads every other value but 0 and "false" as true (enms-rest.md 1.1).
	Flag
	// One is the name of one other instance; eNMS leaves it out of its answer
	// when it is unset (enms-rest.md 1.6, 1.8).
	One
	// Many is a list of names of other instances. Its order does not count:
	// eNMS answers it in the order of its database (enms-rest.md 1.1).
	Many
	// JSON is an object of any content, written as an HCL object.
	JSON
	// Fields is an object of further eNMS fields, each sent under its own
	// name. Only the fields that it names are watched.
	Fields
	// Decimal is a number with a fraction. Only further fields are of this type,
	// and of the two that follow.
	Decimal
	// List is a list of any content, whose order counts.
	List
	// Anything is any JSON value.
	Anything
)

// Role sets the attributes apart that are not simply a field of the instance.
type Role int

const (
	// Field is an ordinary field of the instance.
	Field Role = iota
	// Identity is the server's id: read, never sent (enms-rest.md 0.2).
	Identity
	// Key is the name: the key of the upsert.
	Key
	// Subtype chooses the path of the request; it is never sent, because it
	// is the discriminator of the row (enms-rest.md 0.2).
	Subtype
	// Setting is about the provider's own conduct: eNMS never hears of it.
	Setting
)

// Attribute is one row of a kind's table.
type Attribute struct {
	// Name is the attribute's name, in Terraform as in eNMS.
	Name string
	// ReadFrom is the field that answers hold the value under; empty when it is
	// Name. Only relations to one instance need it.
	ReadFrom string
	// Type says what the value is.
	Type ValueType
	// Role sets identity, key, subtype and settings apart from fields.
	Role Role
	// Doc is what the attribute means, in Markdown: whole sentences, without
	// the default and the choices, which are added from the table.
	Doc string
	// Default is what eNMS gives when nobody sets the attribute, and what it
	// goes back to when it is taken out of the configuration: a string, an
	// int, a bool or nil. Relations go back to empty, objects to {}.
	Default any
	// Reset replaces Default when an attribute goes back and eNMS's own
	// default cannot be sent, as null never is.
	Reset any
	// OnCreate is sent when an instance is created and the attribute is not
	// configured, because eNMS's own default does not work.
	OnCreate any
	// Required: the configuration must hold the attribute.
	Required bool
	// ReadOnly: eNMS computes it; it can not be configured.
	ReadOnly bool
	// DataOnly: only the data source has it, because it changes by itself.
	DataOnly bool
	// ChangesOnWrite: eNMS may change the value whenever the instance is written.
	ChangesOnWrite bool
	// Derived: the value follows from the name, and changes with it.
	Derived bool
	// InName: eNMS makes another name of another value.
	InName bool
	// Recreate: another value means another instance.
	Recreate bool
	// OneOf are the only values that work.
	OneOf []string
	// Range bounds a Number; nil when any that eNMS's columns hold will do.
	Range *Range
	// MaxLength is how many characters a Text may have: ShortLength, Unbounded,
	// or 0 for CommonLength.
	MaxLength int
	// Of is the type of the related instances of a One or Many.
	Of string
	// Checks are further validators of a Text.
	Checks []validator.String
	// Sample: it is a custom property of eNMS's sample configuration. A site may
	// declare it otherwise, or not at all, so that its values are not checked.
	Sample bool

	// unordered are the members of Fields whose order does not count, whole those
	// that hold an object which counts as a whole.
	unordered, whole []string
}

// Range is an inclusive range of whole numbers.
type Range struct{ Min, Max int64 }

// NotNegative is the range of what may be 0 but not less.
var NotNegative = &Range{Max: math.MaxInt32}

// anyNumber is the range of what eNMS's columns hold (enms-rest.md 1.1).
var anyNumber = &Range{Min: math.MinInt32, Max: math.MaxInt32}

// How many characters eNMS's columns for texts hold (enms-rest.md 1.1).
const (
	// CommonLength is that of names and of most texts.
	CommonLength = 255
	// ShortLength is that of words and dates.
	ShortLength = 64
	// Unbounded is the MaxLength of texts of any length.
	Unbounded = -1
)

// readFrom is the field that answers hold the value under.
func (a Attribute) readFrom() string {
	if a.ReadFrom != "" {
		return a.ReadFrom
	}
	return a.Name
}

// bounds are the least and the greatest value of a Number.
func (a Attribute) bounds() *Range {
	if a.Range != nil {
		return a.Range
	}
	return anyNumber
}

// maxLength is how many characters a text may have, Unbounded when there is no
// limit.
func (a Attribute) maxLength() int {
	if a.MaxLength != 0 {
		return a.MaxLength
	}
	return CommonLength
}

// inSearch tells whether searches and queries answer the attribute: they leave
// out relations (enms-rest.md 5.1, 5.2).
func (a Attribute) inSearch() bool {
	switch a.Type {
	case Many, Fields:
		return false
	case One:
		return a.ReadFrom != ""
	}
	return a.Role != Setting
}
