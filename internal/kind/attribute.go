// This file declares the attribute: a row of a kind's table.

package kind

import (
	"cmp"
	"math"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
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
	Many                        // names of other instances, or texts without Of, in any order (enms-rest.md 1.1)
	JSON                        // an object of any content, written as an HCL object
	Properties                  // an object of fields without attributes of their own, each sent under its name
	Criteria                    // conditions on properties of others; eNMS keeps each as three fields (enms-rest.md 1.7)

	// Only rows of properties, which are no attributes, are of these types.
	Decimal  // a number with a fraction
	List     // a list of any content, whose order counts
	Anything // any JSON value
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

	// Secret is a value that eNMS stores and never answers (enms-rest.md 1.2). In
	// Terraform it is write-only and kept nowhere: the row `password` is the attribute
	// `password_wo`, and `password_wo_version` beside it, whose change sends it again.
	Secret
)

// Attribute is one row of a kind's table.
type Attribute struct {
	// Name is the attribute's name, in Terraform as in eNMS.
	Name string
	// Section is the heading of the rows from this one on, up to the next that has one, on
	// the page about the resource; those before the first one stand under none.
	Section string
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
	// configured, because eNMS's own default does not work, or its own forms never leave it.
	OnCreate any

	Required  bool               // the configuration must hold the attribute
	Needed    bool               // the same, unless an existing instance has none
	ReadOnly  bool               // eNMS computes the value; it cannot be configured
	DataOnly  bool               // only the data source has it, because it changes by itself
	Derived   bool               // the value follows from others, and is sent with them although it is not configured
	InName    bool               // the name changes with the value
	Recreate  bool               // another value needs another instance
	OneOf     []string           // the values that eNMS knows; of others, the plan warns
	Closed    bool               // of OneOf: others are refused, because eNMS itself fails with them
	Range     *Range             // bounds of a Number; nil for all that eNMS's columns hold
	MaxLength int                // of a Text, in characters: ShortLength, Unbounded, or 0 for CommonLength
	Checks    []validator.String // further validators of a Text, which the plan runs (valuecheck.go)
	Of        string             // the type of the related instances of a One or Many
	KeysOf    string             // of a JSON: the type of the instances whose names are its keys
	Inverse   string             // of a Many, their relation to the instance (enms-rest.md 2.1); without it only a GET tells

	// Target: the related instances are what a run works on. When eNMS deletes the last of
	// them, a task runs on the targets of its service (enms-rest.md 3).
	Target bool

	// IDField is, of a One without ReadFrom, the field with the id of the related
	// instance, which searches answer. Null in it unsets the relation, and says that it
	// is unset. A One has one or the other, unless only a GET can read it.
	IDField string

	// ChangesOnWrite: eNMS may change the value when it writes the instance; the kind's
	// ChangesOnWrite says when.
	ChangesOnWrite bool

	// OnlyWith is another attribute or field: while that is at its default, the value has
	// no effect, so that no generated configuration holds it.
	OnlyWith string

	// Sample: it is a custom property of eNMS's sample configuration. A site may declare
	// it otherwise, or not at all, so that its values are not checked.
	Sample bool

	Prefix     string   // of Criteria: what their fields begin with, such as "device_"
	Properties []string // of Criteria: the properties that eNMS has as it is delivered
	Compares   string   // of Criteria: the type whose properties they are about
	// Portable reports, of Criteria that a plan has let through, whether the database of
	// every eNMS can search by one. Others are tried before they are written.
	Portable func(property string, c Criterion) bool

	// AfterCreate: eNMS sets a value of its own at creation, whatever is sent
	// (enms-rest.md 6.3), so that the attribute is sent in a second request.
	AfterCreate bool
	// Automatic marks an attribute that eNMS fills in by itself: the state holds it only
	// while the configuration does. It tells whether the value in an answer is eNMS's
	// own, so that an import leaves it out. Nil for others.
	Automatic func(answer value.Object) bool
	// ServerAdds: eNMS adds members to a Many (enms-rest.md 6.3), so that more than is
	// configured is no difference.
	ServerAdds bool
	// Mirrored: it is the other side of a Many that others of the kind have. No generated
	// configuration holds it, because theirs do.
	Mirrored bool
	// Refresh: the members of a Many, before and after, are written again when it has
	// changed, because only then they take effect (enms-rest.md 1.10).
	Refresh bool
	// EmptiedWith are fields that follow from the members of a Many, and that eNMS leaves
	// as they were when it has none any more: they are emptied along (enms-rest.md 1.10).
	EmptiedWith []string
	// EmptyFirst: a Many is emptied before its instance is deleted, because its members
	// would keep what they have of it (enms-rest.md 1.10).
	EmptyFirst bool

	// unordered and whole are, of properties, the kind's Relations and Objects.
	unordered, whole []string
	anyOrder         bool // of properties: the order of no list of texts counts
	// secret is the field that a Secret is sent as.
	secret string
}

// Criterion is a condition on a property.
type Criterion struct {
	// Value is what the property is compared with; "" is no condition, but for
	// MatchEmpty.
	Value string
	// Match is how it is compared.
	Match string
	// Invert negates the condition.
	Invert bool
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

// readFrom returns the field of answers that holds the value.
func (a Attribute) readFrom() string { return cmp.Or(a.ReadFrom, a.Name) }

// column returns the field that a search answers for the attribute.
func (a Attribute) column() string {
	if a.Type == One && a.ReadFrom == "" && a.IDField != "" {
		return a.IDField
	}
	return a.readFrom()
}

// isRelation reports whether the attribute refers to other instances.
func (a Attribute) isRelation() bool { return a.Of != "" }

// inSearch reports whether searches answer the attribute: they leave out relations
// (enms-rest.md 5.1, 5.2).
func (a Attribute) inSearch() bool {
	switch a.Type {
	case Properties:
		return false
	case Many:
		return !a.isRelation()
	case One:
		return a.ReadFrom != "" || a.IDField != ""
	}
	return a.Role != Setting && a.Role != Secret
}

// inList reports whether the instances of a list have the attribute: searches answer it, and
// Terraform has a type for it there, which there is none for any object.
func (a Attribute) inList() bool {
	return a.inSearch() && a.Type != JSON && a.Type != Criteria && a.Role != Secret
}
