// This file declares what callers ask and write together. The function that answers a question, or makes the writes of a
// batch, is in the file of its subject.

package enms

import (
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/cache"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// sharedQuestions are what callers ask together. All questions about a type and all writes of it take turns. Callers that
// write and callers that read back thus become one group again; otherwise, each request would serve half as many
// callers. Reads of other types may run beside writes. What they read goes into the cache that was there when they
// began. A write replaces the cache when it begins and when it ends (package cache), so that nobody who asks after the
// write gets anything that was read before or during it.
type sharedQuestions struct {
	finds                *finds
	confirmations        *confirmations
	searches             *searches
	related, relatedByID *related
	relatedToAny         *relatedToAny
	hasRelations         *hasRelations
	wholeInstances       *wholeInstances
	deletable            *deletable
	marks                *rowsOfMarks
	fates                *fates
}

// find is a question for one instance.
type find struct {
	value   string   // its name, or its id
	columns []string // at least these, and id, type and name
	now     bool     // nothing that was read before counts
}

// finds are questions for instances.
type finds = batch.Questions[findKey, find, Object]

// findKey is what callers must have in common to share a search.
type findKey struct {
	typ       string
	by        findBy
	relations string // for byUnrelated: separated by spaces
}

// findBy says which known rows a find looks in first, and what is kept of those that it reads.
type findBy int

const (
	byName      findBy = iota
	bySpelling         // rows by names, kept beyond writes
	byID               // rows by ids
	byUnrelated        // rows by names, of instances without members in some relations
)

// confirmations are questions for one instance alone (queryOne), after an answer about many did not have it. Callers that
// ask for the same instance at the same time share the query.
type confirmations = batch.Questions[confirmKey, string, Object]

// confirmKey has the type, and which column has the value that is asked for.
type confirmKey struct{ typ, column string }

// searches are questions for what a search finds.
type searches = batch.Questions[searchKey, endpoint.Search, []Object]

// searchKey is the same for equal searches: columnsAndCriteria are JSON.
type searchKey struct{ typ, columnsAndCriteria string }

// related are questions for the instances that are related to a name or to an id.
type related = batch.Questions[relationKey, string, []Object]

// relationKey is what callers must have in common to share a search: the type that is searched, and its relation or column.
type relationKey struct{ typ, relation string }

// nameAndColumns is a question for what is related to a name, with further columns.
type nameAndColumns struct {
	name    string
	columns []string
}

// relatedToAny are questions for the instances that are related to any of several names.
type relatedToAny = batch.Questions[relationKey, nameAndColumns, []Object]

// hasRelations are questions, by types, whether instances have the expected relations.
type hasRelations = batch.Questions[string, cache.Wanted, hasAndKnown]

// hasAndKnown is the answer: whether an instance has the relations, and whether searches could find out.
type hasAndKnown struct{ has, known bool }

// wholeInstances are questions, by types, for whole instances.
type wholeInstances = batch.Questions[string, cache.Wanted, Object]

// deletion is a question, which the cache of deletions answers: whether only an instance with this name and id would be
// deleted, and nothing along with it.
type deletion struct {
	name, id string
	along    []Dependents
}

// deletable are questions, by types, about deletions.
type deletable = batch.Questions[string, deletion, struct{}]

// rowsOfMarks are questions for the rows of the changelog with the ids of marks.
type rowsOfMarks = batch.Questions[string, string, Object]

// fates are questions for the fates of instances.
type fates = batch.Questions[string, Subject, Fate]

// Type is the type of the instances to write, with what eNMS does differently for it.
type Type struct {
	// Name is the type as the paths have it, such as "gateway".
	Name string
	// Namespace is the type within which names are unique, such as "node" for devices (enms-rest.md 0.3).
	Namespace string
	// NoTimestamps is set if eNMS stores no last_modified (enms-rest.md 1.3). A creation then first
	// makes sure that the name is free, to recognize its own instance if the answer is lost.
	NoTimestamps bool
	// CommittedOneByOne is set if eNMS commits each entry of a list by itself: of a list that ends in
	// 500, it keeps the entries before the one at fault (enms-rest.md 0.1).
	CommittedOneByOne bool
}

// action says what a write does.
type action int

const (
	actCreate action = iota
	actUpsert
	actRename
)

// verb returns what a write does, as in RefusedError.
func (a action) verb() string {
	if a == actCreate {
		return "create"
	}
	return "update"
}

// writeKey is what writes must have in common to share a list.
type writeKey struct {
	action action
	typ    Type
}

// write is what one caller writes.
type write struct {
	batch.Result
	name    string            // that of the instance it is about
	newName string            // for a rename
	payload Object            // what is written
	body    []byte            // the payload as JSON
	matches func(Object) bool // for a creation: whether an instance is what it makes

	absentBefore bool      // nothing had the name of the creation before it was first sent
	mayBeOwn     bool      // see ExistsError
	resent       bool      // it was refused alone, without a reason, and sent once more
	lost         int       // how often it was sent and its answer was lost
	sent         time.Time // when it was first sent; zero if it was not sent
}

// laneOfType is the lane of questions whose key is a type.
func laneOfType(typ string) string { return typ }
