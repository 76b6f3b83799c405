// Package kind is what a kind of eNMS instance is: a table of attributes, and all
// that follows from the table alone. It reads the table four ways: as the schema,
// as the payload that is sent, as the state that is kept, and as the
// documentation. It sends nothing and has no clock of its own.
package kind

import (
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Cascade is a relation from instances of a type, by which eNMS deletes those
// instances along with the one that they refer to (enms-rest.md 3).
type Cascade struct {
	// Of is the subtype whose deletion takes others along; empty for all.
	Of string
	// Type is the type of the instances that would go along.
	Type string
	// Column is their column that holds the id of the instance that is deleted,
	// where their relation is to one; empty otherwise.
	Column string
	// Property is their relation to many that holds the instance; empty when
	// Column is given.
	Property string
	// Except is the prefix of the names that stay all the same; may be empty.
	Except string
	// Recursive: they are of the same kind, so others go along with them.
	Recursive bool
}

// Kind is an instance type, told once.
type Kind struct {
	// Name is the instance type of the paths, and the end of the Terraform
	// type: "device" is the resource and the data source enms_device.
	Name string
	// Namespace is the type within which names are unique (enms-rest.md 0.3).
	Namespace string
	// Summary is what an instance of the kind is, in a sentence.
	Summary string
	// Attributes are the kind's own rows; name, id and the rest of what every
	// kind has are added by Rows.
	Attributes []Attribute
	// Further are the rows of further fields that instances of every subtype have;
	// they are written in `properties`. So are those of Subtypes.
	Further []Attribute
	// Subtypes are the subtypes whose own fields are known. A site may have others.
	Subtypes []SubtypeTable
	// Relations are the further fields without a row that are relations: their
	// order does not count, and searches leave them out (enms-rest.md 2.1).
	Relations []string
	// Unwatched are further fields that change by themselves or must never be
	// sent; an import leaves them out of `properties`.
	Unwatched []string
	// NeverSent are fields that eNMS refuses, or by which it would change or
	// delete other instances, so that properties may not hold them (enms-rest.md
	// 1.1, 2.2).
	NeverSent []string
	// Secrets are further fields that eNMS stores and never answers
	// (enms-rest.md 1.2).
	Secrets []string
	// Cascades are the relations by which other instances are deleted along with
	// one of this kind.
	Cascades []Cascade
	// Off is what switches an instance off, for the deletion policy "disable";
	// nil when the kind has no such thing.
	Off value.Object
	// Check looks at the attributes together, at plan time; it may also plan
	// values of its own. May be nil.
	Check func(*Plan)
	// AfterWrite looks at what eNMS holds of an instance after a write. May be nil.
	AfterWrite *AfterWrite

	once     sync.Once // makes selected
	selected *rows
}

// SubtypeTable is what instances of a subtype have beyond the kind's own rows.
type SubtypeTable struct {
	// Name is the subtype, as the instance type of paths.
	Name string
	// Doc is what instances of the subtype do, in Markdown: whole sentences.
	Doc string
	// Fields are the rows of its further fields.
	Fields []Attribute
}

// AfterWrite is a check of what eNMS holds of an instance after a write.
type AfterWrite struct {
	// Undecided tells that eNMS could not tell yet, so that it is asked again in
	// a moment, a few times at most.
	Undecided func(answer value.Object) bool
	// Check looks at the last answer, which holds the fields of the data source,
	// too.
	Check func(name string, answer value.Object, now time.Time) diag.Diagnostics
}

// Plan is an instance on its way from the configuration to the plan. A kind's
// Check looks at it through its methods, which take the names of attributes.
type Plan struct {
	// Diagnostics are what is wrong with the plan so far.
	Diagnostics diag.Diagnostics

	kind    *Kind
	config  Values
	prior   Values // nil when the instance will be created
	managed []string
	now     time.Time
	planned Values
	replace []string
	refused diag.Diagnostics // errors even when nothing is to be written
}
