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

// The value types.
const (
	Text       ValueType = iota // a string, kept byte for byte (enms-rest.md 1.1)
	Number                      // a whole number of 32 bits, which is what eNMS's columns hold
	Flag                        // a JSON boolean: eNMS reads all else but 0 and "false" as true (enms-rest.md 1.1)
	One                         // the name of another instance; not answered when it is unset (enms-rest.md 1.6, 1.8)
	Many                        // names of other instances in any order, as eNMS answers them (enms-rest.md 1.1)
	JSON                        // an object of any content, written as an HCL object
	Properties                  // an object of fields without attributes of their own, each sent under its name
)

// Role tells what an attribute is to the provider.
type Role int

// The roles.
const (
	Field    Role = iota // an ordinary field of the instance
	Identity             // the server's id: read, never sent (enms-rest.md 0.2)
	Key                  // the name: the key of the upsert
	Subtype              // the path of the request; never sent, as eNMS would change the row (enms-rest.md 0.2)
	Setting              // a setting of the provider: it is never sent
)

// Attribute is one row of a kind's table.
type Attribute struct {
	// Name is the attribute's name, in Terraform as in eNMS.
	Name string
	// ReadFrom is the field of answers that holds the value; empty when it is Name.
	// Only relations to one instance need it.
	ReadFrom string
	Type     ValueType // the type of the value
	Role     Role      // Field for all but identity, key, subtype and settings
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

	Required       bool               // the configuration must hold the attribute
	ReadOnly       bool               // eNMS computes the value; it cannot be configured
	DataOnly       bool               // only the data source has it, because it changes by itself
	ChangesOnWrite bool               // eNMS may change the value whenever the instance is written
	Derived        bool               // the value follows from the name, and changes with it
	InName         bool               // the name changes with the value
	Recreate       bool               // another value needs another instance
	OneOf          []string           // the only values that work
	Range          *Range             // bounds of a Number; nil for all that eNMS's columns hold
	MaxLength      int                // of a Text, in characters: ShortLength, Unbounded, or 0 for CommonLength
	Checks         []validator.String // further validators of a Text
	Of             string             // the type of the related instances of a One or Many

	// IDField is, of a One that is not Required, the field with the id of the related
	// instance: null in it unsets the relation, and says that it is unset.
	IDField string

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
	CommonLength = 255 // the MaxLength of names and of most texts
	ShortLength  = 64  // the MaxLength of words and dates
	Unbounded    = -1  // the MaxLength of texts of any length
)

// readFrom is the field of answers that holds the value.
func (a Attribute) readFrom() string { return cmp.Or(a.ReadFrom, a.Name) }

// isRelation tells whether the attribute refers to other instances.
func (a Attribute) isRelation() bool { return a.Type == One || a.Type == Many }

// inSearch tells whether searches answer the attribute: they leave out relations
// (enms-rest.md 5.1, 5.2).
func (a Attribute) inSearch() bool {
	switch a.Type {
	case Many, Properties:
		return false
	case One:
		return a.ReadFrom != ""
	}
	return a.Role != Setting
}
