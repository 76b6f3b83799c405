// This file declares the kind.

package kind

import (
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Cascade is a relation of dependents, which eNMS deletes with the instance that they
// refer to (enms-rest.md 3).
type Cascade struct {
	Of        string // the subtype whose deletion cascades; empty for all
	Type      string // the type of the dependents
	Column    string // their column that holds the id of the instance, for a relation to one
	Property  string // their relation that holds the instance, for a relation to many
	Except    string // the prefix of the names that eNMS does not delete; may be empty
	Recursive bool   // the dependents are of the same kind and have dependents themselves
	Allowed   bool   // the dependents are nothing without the instance: they never stop its deletion
}

// Kind declares an instance type.
type Kind struct {
	// Name is the instance type in paths: "device" is the resource and the data
	// source enms_device.
	Name string

	Namespace  string      // the type within which names are unique (enms-rest.md 0.3)
	Summary    string      // what an instance of the kind is, in a sentence
	Attributes []Attribute // the kind's own rows, without those that every kind has

	// NoTimestamps: eNMS keeps no last_modified of the kind, or never fills it
	// (enms-rest.md 1.3).
	NoTimestamps bool
	// CommittedOneByOne: eNMS commits the instances of a list one by one, so that a
	// list that ends in 500 may have landed in part (enms-rest.md 0.1).
	CommittedOneByOne bool
	// Further are the rows of properties that instances of every subtype have, Subtypes
	// those of the subtypes whose own are known. A site may have others.
	Further  []Attribute
	Subtypes []SubtypeTable
	// Relations are the properties without a row that are relations: their order does
	// not count, and searches leave them out (enms-rest.md 2.1).
	Relations []string
	// ListedBy are relations without a row of which the type on the other side is known,
	// so that lists can be searched by them.
	ListedBy []Attribute
	// Unwatched are fields that change by themselves or must never be sent; an import
	// leaves them out of the properties.
	Unwatched []string
	// NeverSent are fields that eNMS refuses, or by which it would change or delete
	// other instances; the properties may not hold them (enms-rest.md 1.1, 2.2).
	NeverSent []string

	Secrets  []string  // properties that eNMS stores and never answers (enms-rest.md 1.2)
	Cascades []Cascade // the relations of dependents

	// Off switches an instance off, for the deletion policy "disable"; nil when that
	// is not possible.
	Off value.Object
	// AnyType: the kind stands for every type of eNMS; the row of the subtype, which is
	// Required, names it. Which properties are relations is not known then.
	AnyType bool
	// CommonTypes are, of a kind of AnyType, those that every eNMS has.
	CommonTypes []string
	// NamespaceOf returns, for a kind of AnyType, the type within which the names of a type
	// are unique. Nil for the type itself.
	NamespaceOf func(typ string) string
	// BuiltIn are the names of the instances that every eNMS has from its first start
	// (enms-rest.md 0.4). List resources leave them out unless they are told otherwise.
	BuiltIn []string
	// BuiltInOf returns, for a kind of AnyType, the BuiltIn of a type. May be nil.
	BuiltInOf func(typ string) []string
	// Layout is what eNMS keeps elsewhere under the name of an instance. May be nil.
	Layout *Layout
	// MakeName makes the name of an instance that is created without one; known is false
	// when only the apply can tell. Nil when the configuration must hold the name.
	MakeName func(*Plan) (name string, known bool)
	// Unique are attributes of which no two instances have the same values: eNMS answers
	// a second one with a 500 that gives no reason (enms-rest.md 1.13).
	Unique []string
	// Exchange is, of Unique, a text that may hold any word for a moment: by it, instances
	// exchange what no two may share.
	Exchange string
	// RenameByID: a rename is sent with the id instead of the old name, because only then
	// eNMS keeps what it has under the name (enms-rest.md 1.16).
	RenameByID bool
	// Within says what relations should refer to. Nil for all that eNMS has.
	Within *Within
	// Scope says what the names begin with. Nil for names that stand by themselves.
	Scope *Scope
	// Recompute is what eNMS computes of the attributes on demand only. May be nil.
	Recompute *Recompute
	// Check checks the attributes together at plan time, and may plan values of its
	// own. May be nil.
	Check func(*Plan)
	// ChangesOnWrite reports whether eNMS may change the attributes that say so when the
	// instance is written as planned. Nil for a kind without such attributes.
	ChangesOnWrite func(*Plan) bool
	// AfterWrite checks what eNMS holds of an instance after a write. May be nil.
	AfterWrite *AfterWrite

	once     sync.Once // makes selected
	selected *rows
	types    sync.Map // of a kind with AnyType: the kinds of its types
	resource string   // the end of the Terraform type, when it is not Name
}

// Layout tells of fields in which other instances hold something for each instance, by
// its name. eNMS does not take it away when the instance is deleted (enms-rest.md 1.16).
type Layout struct {
	Subtype string         // the subtype that has such
	Holder  string         // the type of the instances that may outlive it
	Prefix  string         // what their names begin with
	Field   string         // their field, an object
	Fresh   map[string]any // what a new instance has there by the name of the holder
	Other   any            // the same for other holders
}

// Within says that what some relations refer to should be among the members of what another
// one refers to, as the ends of an edge among the services of its workflow. eNMS does not care
// (enms-rest.md 1.13).
type Within struct {
	Relation string   // the relation whose instance has the members, such as "workflow"
	Members  []string // the relations that refer to members, such as "source"
	Of       string   // the type of the members
	Field    string   // their relation to the instances that have them, such as "workflows"
	// Named reports whether a name is that of a member; known is false when the names do not
	// tell.
	Named func(container, member string) (is, known bool)
	// Problem says, in a sentence, that a member is missing and what follows from that.
	Problem func(container, member string) string
	// Search are criteria by which all members are found whose names do not tell.
	Search map[string]any
}

// Scope says how the names of instances are made that begin with the name of another
// instance. eNMS renames them when it renames that one (enms-rest.md 1.5).
type Scope struct {
	Attribute string // the relation that holds the other instance
	Type      string // the type of the other instance
	// Split takes a name apart; the name of the other instance is empty when the name does
	// not begin with one. Join is its opposite.
	Split func(name string) (scope, own string)
	Join  func(scope, own string) string
}

// Recompute is a computation that eNMS does on demand only (enms-rest.md 2.4).
type Recompute struct {
	Endpoint   string   // the last part of its path, such as "update_all_pools"
	Computed   string   // what is computed of an instance, in a word
	Hint       string   // what to look for when it fails, in a sentence
	Attributes []string // those whose change needs it
	Setting    string   // the flag that switches it off with false
}

// AfterWrite is a check of what eNMS holds of an instance after a write.
type AfterWrite struct {
	// Undecided tells that eNMS is to be asked again in a moment.
	Undecided func(answer value.Object) bool
	// Check checks the last answer, which holds the fields of the data source, too.
	Check func(name string, answer value.Object, now time.Time) diag.Diagnostics
}

// Plan is the plan of an instance. A kind's Check uses its methods, which take the
// names of attributes.
type Plan struct {
	Diagnostics diag.Diagnostics // what is wrong with the plan so far

	kind    *Kind
	config  Values
	prior   Values // nil when the instance will be created
	managed []string
	now     time.Time
	planned Values
	replace []string
	refused diag.Diagnostics // errors even when nothing is to be written
	// configOnly: nothing is known but the configuration (validate.go).
	configOnly bool
}
