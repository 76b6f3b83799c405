// This file declares the attribute: a row of a kind's table.

package kind

import (
	"cmp"
	"math"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// ValueType is the type of an attribute's value. It decides the Terraform type, the
// JSON form, and how values are compared.
type ValueType int

const (
	// Text is a string, kept byte for byte (enms-rest.md 1.1).
	Text ValueType = iota
	// Number is a whole number of 32 bits, which is what eNMS's columns hold.
	Number
	// Flag is a boolean; it is always sent as a JSON boolean, because eNMS
	// reads every other value but 0 and "false" as true (enms-rest.md 1.1).
	Flag
	// One is the name of one other instance; eNMS leaves it out of its answers
	// when it is unset (enms-rest.md 1.6, 1.8).
	One
	// Many is a list of names of other instances. Its order does not count:
	// eNMS answers it in the order of its database (enms-rest.md 1.1).
	Many
	// JSON is an object of any content, written as an HCL object.
	JSON
	// Fields is the type of `properties`: an object of fields that have no attribute
	// of their own, each sent under its name. Only those that it names are watched.
	Fields
)

// Role tells what an attribute is to the provider.
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
	// Setting is a setting of the provider: it is never sent.
	Setting
)

// Attribute is one row of a kind's table.
type Attribute struct {
	// Name is the attribute's name, in Terraform as in eNMS.
	Name string
	// ReadFrom is the field of answers that holds the value; empty when it is Name.
	// Only relations to one instance need it.
	ReadFrom string
	// Type is the type of the value.
	Type ValueType
	// Role is Field for all but identity, key, subtype and settings.
	Role Role
	// Doc is the description in Markdown: whole sentences, without the default and
	// the choices, which are added from the table.
	Doc string
	// Default is eNMS's default: a string, an int, a bool or nil. An attribute that is
	// taken out of the configuration is reset to it; relations to empty, objects to {}.
	Default any
	// Reset is what the attribute is reset to in place of a Default that cannot be
	// sent, as null never is.
	Reset any
	// OnCreate is sent when an instance is created and the attribute is not
	// configured, because eNMS's own default does not work.
	OnCreate any
	// Required: the configuration must hold the attribute.
	Required bool
	// ReadOnly: eNMS computes the value; it cannot be configured.
	ReadOnly bool
	// DataOnly: only the data source has it, because it changes by itself.
	DataOnly bool
	// ChangesOnWrite: eNMS may change the value whenever the instance is written.
	ChangesOnWrite bool
	// Derived: the value follows from the name, and changes with it.
	Derived bool
	// InName: the name changes with the value.
	InName bool
	// Recreate: another value needs another instance.
	Recreate bool
	// OneOf are the only values that work.
	OneOf []string
	// Range bounds a Number; nil for all that eNMS's columns hold.
	Range *Range
	// MaxLength is how many characters a Text may have: ShortLength, Unbounded,
	// or 0 for CommonLength.
	MaxLength int
	// Of is the type of the related instances of a One or Many.
	Of string
	// IDField is, of a One that is not Required, the field with the id of the related
	// instance: null in it unsets the relation, and says that it is unset.
	IDField string
	// Checks are further validators of a Text.
	Checks []validator.String

	// unordered and whole are, of properties, the kind's Relations and Objects.
	unordered, whole []string
}

// Range is an inclusive range of whole numbers.
type Range struct{ Min, Max int64 }

// NotNegative is the range from 0.
var NotNegative = &Range{Max: math.MaxInt32}

// anyNumber is the range of what eNMS's columns hold (enms-rest.md 1.1).
var anyNumber = &Range{Min: math.MinInt32, Max: math.MaxInt32}

// How many characters eNMS's columns for texts hold (enms-rest.md 1.1).
const (
	// CommonLength is the MaxLength of names and of most texts.
	CommonLength = 255
	// ShortLength is the MaxLength of words and dates.
	ShortLength = 64
	// Unbounded is the MaxLength of texts of any length.
	Unbounded = -1
)

// readFrom is the field of answers that holds the value.
func (a Attribute) readFrom() string { return cmp.Or(a.ReadFrom, a.Name) }

// isRelation tells whether the attribute refers to other instances.
func (a Attribute) isRelation() bool { return a.Type == One || a.Type == Many }

// inSearch tells whether searches answer the attribute: they leave out relations
// (enms-rest.md 5.1, 5.2).
func (a Attribute) inSearch() bool {
	switch a.Type {
	case Many, Fields:
		return false
	case One:
		return a.ReadFrom != ""
	}
	return a.Role != Setting
}
