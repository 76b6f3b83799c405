// This file declares the rules of a kind: what its instances need beyond what follows from its rows.

package kind

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

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
	// AfterWrite checks the values in eNMS after a write. May be nil.
	AfterWrite *AfterWrite
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
	// Problem says, in a sentence, that a member is missing and what the consequence is.
	Problem func(container, member string) string
	// Search are the criteria that find all members whose names do not show it.
	Search map[string]any
}

// AfterWrite checks the values in eNMS after a write.
type AfterWrite struct {
	// Undecided reports whether a response is too early to be checked: eNMS is asked again in a moment.
	Undecided func(answer value.Object) bool
	// Check checks the last response, which also contains the fields of rows with DataOnly.
	Check func(planned Values, answer value.Object, now time.Time) diag.Diagnostics
}

// Recompute is a computation that eNMS makes only on demand (enms-rest.md 2.4).
type Recompute struct {
	Endpoint   string   // the last part of its path
	Computed   string   // what is computed, in a word
	Hint       string   // what to look for if it fails, in a sentence
	Attributes []string // the attributes whose change requires it
	Setting    string   // the attribute that disables it with false
}
