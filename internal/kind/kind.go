// This file declares the kind: its table and, beside it, its rules.

package kind

import (
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Cascade is a relation of the dependents: the instances that eNMS deletes together with the instance that they
// refer to (enms-rest.md 3).
type Cascade struct {
	Of        string // only deletions of this subtype cascade; empty for all
	Type      string // the type of the dependents
	Column    string // for a relation to one: the dependents' column with the id of the instance
	Property  string // for a relation to many: the dependents' relation that contains the instance
	Except    string // eNMS does not delete dependents whose names have this prefix; may be empty
	Recursive bool   // the dependents are of the same kind, and have dependents of their own
	Allowed   bool   // the dependents are useless without the instance, and never prevent its deletion
	Inverse   string // for Allowed: the instance's field that lists the dependents in the answer to its deletion
}

// Kind declares an instance type.
type Kind struct {
	// Name is the instance type in paths: "device" is the resource and the data source enms_device.
	Name string

	Namespace   string      // the type within which names are unique (enms-rest.md 0.3)
	Summary     string      // what an instance of the kind is, in a sentence
	ExampleName string      // an example of names that have a form of their own; "" if any string is one
	Attributes  []Attribute // the kind's own rows, without those that every kind has
	Line        int         // the only line of eNMS that has the type, 4 or 5; 0 for both

	// NoTimestamps: eNMS has no last_modified for the kind, or never sets it (enms-rest.md 1.3).
	NoTimestamps bool
	// Properties are the fields that have no attribute of their own and that instances of every subtype
	// have: configurations write them in properties. Subtypes are those of each known subtype; a site may
	// have other subtypes.
	Properties []Attribute
	Subtypes   []SubtypeTable
	// Relations are the properties without a row that are relations: their order is ignored,
	// and searches do not return them (enms-rest.md 2.1).
	Relations []string
	// ListedBy are relations without a row by which lists can be searched, because the type at the other end is known.
	ListedBy []Attribute
	// Unwatched are fields that change by themselves, or must never be sent. Imports omit them from the properties.
	Unwatched []string
	// NeverSent are fields that eNMS refuses, or with which it would change or delete other
	// instances. They are not allowed in the properties (enms-rest.md 1.1, 2.2).
	NeverSent []string

	Secrets  []string  // properties that eNMS stores and never returns (enms-rest.md 1.2)
	Cascades []Cascade // the relations of dependents

	// Off are the fields that switch an instance off, for the deletion policy "disable"; nil
	// if that is not possible.
	Off value.Object
	// AnyType is set for the kind that stands for every type of eNMS.
	AnyType *AnyType
	// BuiltIn are the instances that every eNMS of their lines creates at its first start (enms-rest.md 0.4). Lists
	// omit them by default.
	BuiltIn []BuiltIn
	// Scope says which prefix the names have. Nil for names without one.
	Scope *Scope

	Rules

	once     sync.Once // guards selected
	selected *Rows
	types    sync.Map // of a kind with AnyType: the kinds of its types
	resource string   // the end of the Terraform type, if it is not Name
}

// AnyType is what the kind has that stands for every type of eNMS. Its subtype, which is Required, is the type. Any field
// without a row may be a relation: lists of strings have no order, imports omit them, and lists have an argument for
// relations of any name.
type AnyType struct {
	Common []string // the types that every eNMS has
	// Like returns the kind whose Namespace, Line, BuiltIn and Scope a type has, or nil. May be nil.
	Like func(typ string) *Kind
}

// BuiltIn is an instance that eNMS creates at its first start.
type BuiltIn struct {
	Name string
	Line int // the only line of eNMS that does so, 4 or 5; 0 for both
}

// Scope describes names that begin with the name of another instance. When eNMS renames that instance, it renames these
// too (enms-rest.md 1.5).
type Scope struct {
	Attribute string // the relation to the other instance
	Type      string // the type of the other instance
	// Split splits a name; scope is empty if the name does not begin with that of another
	// instance. Join is the inverse.
	Split func(name string) (scope, own string)
	Join  func(scope, own string) string
}

// Rules is what a kind does beyond its rows, in the order of an instance's life. Its zero value is no rules.
type Rules struct {
	// Check checks the attributes together at plan time, and may plan values of its own. May be nil.
	Check func(*Plan)
	// MakeName returns the name of an instance that is created without one; known is false if
	// it is unknown until apply. Nil if the configuration must set the name.
	MakeName func(*Plan) (name string, known bool)
	// ChangesOnWrite reports whether this write may change the attributes with Attribute.ChangesOnWrite. Nil if
	// there are none.
	ChangesOnWrite func(*Plan) bool
	// RenameByID: a rename is sent with the id instead of the old name; otherwise eNMS loses
	// what it stores under the name (enms-rest.md 1.16).
	RenameByID bool
	// CommittedOneByOne: eNMS commits the instances of a list one by one, so a list that it
	// answers with 500 may have been written in part (enms-rest.md 0.1).
	CommittedOneByOne bool
	// Place is what tells the instances apart, if it is not their name. May be nil.
	Place *Place
	// DataCheck checks instances by fields that only the data source has. May be nil.
	DataCheck *DataCheck
	// Recompute is what eNMS computes from the attributes only on demand. May be nil.
	Recompute *Recompute
}

// Place says by which attributes, taken together, the instances are told apart, whatever their names. No two instances have
// the same place: eNMS answers a write of the second one with a 500 that gives no reason (enms-rest.md 1.13).
type Place struct {
	Attributes []string // all attributes of the place
	Container  string   // the one of them that refers to the instance with the members
	Ends       []string // those of them that should refer to members of the container, which eNMS does not check
	Of         string   // the type of the members
	Field      string   // the members' relation to the instances that contain them
	// Named reports, from the names alone, whether an instance is a member; known is false if
	// the names do not show it.
	Named func(container, member string) (is, known bool)
	// Outside returns the warning about an end, the value of an attribute, that is not a member of the container.
	Outside func(attribute, container, end string) diag.Diagnostic
	// Search are the criteria that find all members whose names do not show it.
	Search map[string]any
}

// DataCheck checks instances by the fields of rows with DataOnly, which all its answers contain.
type DataCheck struct {
	// OnRead corrects a state that was made of an answer, and warns of what it corrects.
	OnRead func(answer value.Object, state Values, now time.Time) diag.Diagnostics
	// Undecided reports whether an answer after a write is too early to be checked: eNMS is asked again in a moment.
	Undecided func(answer value.Object) bool
	// AfterWrite checks the last answer after a write.
	AfterWrite func(planned Values, answer value.Object, now time.Time) diag.Diagnostics
}

// Recompute is a computation that eNMS makes only on demand (enms-rest.md 2.4).
type Recompute struct {
	Endpoint   string   // the last part of its path
	Computed   string   // what is computed, in a word
	Hint       string   // what to look for if it fails, in a sentence
	Attributes []string // the attributes whose change requires it
	Setting    string   // the attribute that disables it with false
}

// Plan is the plan of an instance. A kind's Check uses its methods, which take the names of
// attributes. Package plans makes it.
type Plan struct {
	Diagnostics diag.Diagnostics // the errors and warnings so far
	Refused     diag.Diagnostics // errors even if nothing is to be written

	Kind     *Kind
	Config   Values
	Prior    Values    // nil if the instance will be created
	Managed  []string  // the managed attributes (plans.Managed)
	Now      time.Time // when the plan is made
	Planned  Values
	Replaced []string // the attributes whose change forces replacement
	// ConfigOnly: only the configuration is known. Then attributes that are not configured are
	// unknown, and the instance may exist.
	ConfigOnly bool
}
