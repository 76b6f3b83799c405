// This file declares the attribute: a row of a kind's table.

package kind

import (
	"math"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// ValueType is the type of an attribute's value. It decides the Terraform type, the
// JSON form, and how values are compared.
type ValueType int

// The value types.
const (
	Text       ValueType = iota // a string, kept byte for byte (enms-rest.md 1.1)
	Number                      // a whole number of 32 bits, which is what eNMS's columns hold
	Flag                        // a JSON Boolean: eNMS reads any other value but 0 and "false" as true (enms-rest.md 1.1)
	One                         // the name of another instance; answers omit it if it is unset (enms-rest.md 1.6, 1.8)
	Many                        // names of other instances, or strings if Of is empty, in any order (enms-rest.md 1.1)
	JSON                        // an object of any content, written as an HCL object
	Properties                  // an object of fields without attributes of their own, each sent under its name
	Criteria                    // conditions on properties of others; eNMS keeps each as three fields (enms-rest.md 1.7)

	// Only rows of properties have these types; attributes do not. An attribute that holds a
	// list of strings is a Many without Of.
	Decimal  // a number with a fraction
	List     // a list of any content, whose order matters
	Anything // any JSON value
)

// Role says what the provider uses an attribute for.
type Role int

// The roles.
const (
	Field    Role = iota // an ordinary field of the instance
	Identity             // the server's id: read, never sent (enms-rest.md 0.2)
	Key                  // the name: the key of the upsert
	Subtype              // the path of the request; never sent, as eNMS would change the row (enms-rest.md 0.2)
	Setting              // a setting of the provider: it is never sent

	// Secret is a value that eNMS stores and never returns (enms-rest.md 1.2). In Terraform it is
	// write-only: the row `password` becomes the attribute `password_wo`, which is never stored,
	// and `password_wo_version`, whose change sends the secret again.
	Secret
)

// Attribute is one row of a kind's table.
type Attribute struct {
	// Name is the attribute's name, in Terraform as in eNMS.
	Name string
	// Section begins a section on the resource's page: this row and those that follow, up to
	// the next row with a Section, are listed under this heading.
	Section string
	// ReadFrom is the field of eNMS's responses that holds the value, if it is not Name. Only
	// relations to one instance need it.
	ReadFrom string
	Type     ValueType // the type of the value
	Role     Role      // Field for all rows but identity, key, subtype, settings and secrets
	// Doc is the description in Markdown, in whole sentences. The default and the choices are added from the table.
	Doc string
	// Default is eNMS's default: a string, an int, a bool or nil. A creation plans and sends it if nothing but the
	// configuration can change it (PlannedDefault). An attribute that is removed
	// from the configuration is reset to it; a relation is emptied, an object becomes {}.
	Default any
	// Reset is the value that an attribute is reset to if its Default cannot be sent; null never can.
	Reset any
	// OnCreate is the value that is sent at creation if the attribute is not configured. It
	// replaces a default of eNMS that does not work, or that eNMS's own forms never use.
	OnCreate any

	Required    bool               // the configuration must set the attribute
	Needed      bool               // the configuration must set it, unless an imported instance has no value
	ReadOnly    bool               // eNMS computes the value; it cannot be configured
	DataOnly    bool               // only the data source has the attribute, because it changes by itself
	Derived     bool               // the value follows from others, and is sent with them although it is not configured
	Defaultable bool               // the provider block can set a default
	InName      bool               // the name contains the value, and changes with it
	Recreate    bool               // a change forces replacement
	OneOf       []string           // the values that eNMS knows; a plan with another one warns
	Closed      bool               // with OneOf: another value is an error, because eNMS itself fails with it
	Meant       map[string]string  // with OneOf, for a subtype: the choice that another name means
	Suggest     []string           // usual values, for a row without OneOf; a plan with a value that is similar to one of them warns
	Range       *Range             // the bounds of a Number or a Decimal; nil for all that eNMS's columns hold
	MaxLength   int                // the maximum length of a Text in characters: ShortLength, Unbounded, or 0 for CommonLength
	Checks      []validator.String // further validators of a Text; the plan runs them (checks.Value)
	Of          string             // the type of the related instances of a One or Many
	KeysOf      string             // for a JSON: the type of the instances whose names are its keys
	Inverse     string             // for a Many: the relation on the other side (enms-rest.md 2.1); without it, only a GET returns the members

	// Holds is set for a Flag that says whether a relation without a row contains one member, and
	// names that member. It is nil for all other rows. Inverse is the other side of the relation.
	Holds *Holds

	// Target: the related instances, or those that a property finds, are what a run works on. If eNMS deletes the
	// last one, a task runs on the targets of its service instead (enms-rest.md 3).
	Target bool

	// IDField is, for a One without ReadFrom, the field with the id of the related instance.
	// Searches return it, and null in it means that the relation is not set. A One has either
	// ReadFrom or IDField, unless only a GET returns it.
	IDField string

	// ChangesOnWrite: eNMS may change the value when it writes the instance; the kind's ChangesOnWrite reports when.
	ChangesOnWrite bool

	// OnlyWith is another attribute or field. While that one has its default, this one has no
	// effect, and generated configuration omits it.
	OnlyWith string

	// UsedIf is another attribute and its value with which eNMS uses this one. An export writes no variable for a secret
	// that is not used, and without a Target that its service uses, a task cannot run.
	UsedIf [2]string

	// Doubt returns what is probably wrong with a value that eNMS accepts, and the value that is meant, in whole
	// sentences; "" for nothing. A plan warns. text is the configured string, or "" if a new instance lacks the
	// attribute. other returns the value of another attribute as JSON, and nil while it is unknown. May be nil.
	Doubt func(text string, other func(attribute string) any) string

	// Sample: the field is a custom property of eNMS's sample configuration. A site may define
	// it differently, or not at all, so its values are not checked.
	Sample bool

	// Line is the only line of eNMS that has the field, 4 or 5; 0 for both.
	Line int
	// LineOf returns the only line of eNMS that reads a text, and what is wrong with it on the other; 0 and "" for a
	// text that both read. May be nil.
	LineOf func(text string) (line int, reason string)
	// AfterCreate: eNMS ignores what is sent at creation and sets a value of its own
	// (enms-rest.md 6.3), so the attribute is sent in a second request.
	AfterCreate bool
	// Automatic is set if eNMS fills in the attribute by itself. The state then holds it only while it is
	// configured. The function reports whether the value in a response is eNMS's own; an import omits such a value.
	Automatic func(answer value.Object) bool

	Conditions // for Criteria
	On5        // what eNMS 5 has otherwise
	Membership // for a Many: what eNMS does with its members

	// unordered, whole and texts are, for properties, the Relations, Objects and Texts of PropertyRows.
	unordered, whole, texts []string
	anyOrder                bool // for properties: the order of lists of strings is ignored
	// SentAs is, for the write-only row of a Secret, the field that it is sent as (secretRows).
	SentAs string
	// Instead is set for a row that only refuses its value, which would be stored: the write-only row to use in its place.
	Instead *Attribute
}

// Conditions is what the conditions of an attribute of Criteria are about.
type Conditions struct {
	Prefix     string   // the prefix of their fields, such as "device_"
	Properties []string // the properties that eNMS has without custom properties
	Compares   string   // the type whose properties they compare
	// Portable reports, of conditions that the plan accepts, whether every database that eNMS
	// supports can search by a criterion. Others are tried before they are written.
	Portable func(property string, c Criterion) bool
}

// On5 is what eNMS 5 has otherwise than the fields of the same names without 5 say.
type On5 struct {
	// Name5 is the field's name on eNMS 5, and Inverse5 that of its Inverse, if they differ.
	Name5, Inverse5 string
	// Default5 is the default of eNMS 5, if it has another one.
	Default5 any
	// Text5: eNMS 5 stores the object as a string.
	Text5 bool
}

// Membership is what eNMS does with the members of a Many, beyond storing them.
type Membership struct {
	// ServerAdds: eNMS adds members to a Many (enms-rest.md 6.3). Members that are not
	// configured are not reported as drift.
	ServerAdds bool
	// Forced: the members of a ServerAdds that eNMS adds at each write are the groups with force_read_access.
	Forced bool
	// Mirrored: the attribute is the other side of a Many of this kind or another one. Generated configuration omits
	// it, because it contains the other side: with both, instances would refer to each other in a circle.
	Mirrored bool
	// Refresh: when a Many changes, its previous and its new members are written again,
	// because the change takes effect only then (enms-rest.md 1.10).
	Refresh bool
	// EmptiedWith are fields that eNMS derives from the members of a Many, and does not clear
	// when the last member is removed. They are cleared in the same write (enms-rest.md 1.10).
	EmptiedWith []string
	// EmptyFirst: a Many is emptied before its instance is deleted; otherwise its members would
	// keep what they got from it (enms-rest.md 1.10).
	EmptyFirst bool
}

// Holds describes a Flag that says whether a relation to many contains one particular member. Setting the Flag adds or removes
// only that member.
type Holds struct {
	Subtype  string   // only instances of this subtype have the relation
	Relation string   // the field of eNMS
	Of       string   // the type of its members
	Member   string   // the name of the member
	Initial  []string // the members of a new instance, unless the relation is sent at its creation
}

// Range is an inclusive range of whole numbers.
type Range struct{ Min, Max int64 }

// AnyNumber is the range of what eNMS's columns hold (enms-rest.md 1.1).
var AnyNumber = &Range{Min: math.MinInt32, Max: math.MaxInt32}

// NotNegative is the range from 0: eNMS stores a negative timeout, and fails when it uses it.
var NotNegative = &Range{Max: math.MaxInt32}

// How many characters eNMS's columns for strings hold (enms-rest.md 1.1).
const (
	CommonLength = 255 // the MaxLength of names and of most strings
	ShortLength  = 64  // the MaxLength of words and dates
	Unbounded    = -1  // the MaxLength of strings of any length
)

// Criterion is a condition on a property.
type Criterion struct {
	Value  string // what the property is compared with; "" is no condition, except with MatchEmpty
	Match  string // how the property is compared: one of Matches
	Invert bool   // whether the condition is negated
}

// The members of a criterion in Terraform.
const (
	CriterionValue  = "value"
	CriterionMatch  = "match"
	CriterionInvert = "invert"
)

// CriterionType and CriteriaType are the Terraform types of a criterion and of Criteria.
var (
	CriterionType = tftypes.Object{AttributeTypes: map[string]tftypes.Type{
		CriterionValue: tftypes.String, CriterionMatch: tftypes.String, CriterionInvert: tftypes.Bool}}
	CriteriaType = tftypes.Map{ElementType: CriterionType}
)
