// The cache of members: what searches by relation (members.go) have told, kept until the
// next write. relationcost.go decides when such searches cost less than a GET for each.

package enms

import (
	"iter"
	"maps"
	"slices"
	"sync"
)

// manyReaders is how many readers of relations make it worth to fetch a page of their
// type: one search then names the related instances of all of them, and the page answers
// their finds.
const manyReaders = 8

// memberCache holds, for each relation of a type, which instances have which members.
// Every write drops all of it, as it drops pages.
type memberCache struct {
	mu        sync.Mutex
	relations map[relationKey]*membership
	asked     map[string]int // instances of each type that callers wanted to know of

	userAsked, userIsAdministrator bool // not forgotten
}

// relationKey names a relation of a type.
type relationKey struct{ typ, relation string }

// membership is what is known of one relation.
type membership struct {
	holders map[string]map[string]bool // by each member that was searched for, the instances that have it
	alone   map[string]bool            // the members that were searched for by themselves
	covered map[string]bool            // the instances all of whose members were searched for
	all     bool                       // that is so for every instance
	unclear map[string]bool            // but not for these, which have more members than groups tell
	passed  int                        // instances that were left to a Get
	sizes   map[int]int                // how many instances were asked for, by the members that they are expected to have

	candidates []string        // all members that any of the instances in among has, and maybe others
	among      map[string]bool // nil before candidates are known
	amongAll   bool            // candidates are those of every instance
	refused    bool            // searches failed
}

// invalidate forgets everything.
func (m *memberCache) invalidate() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.relations, m.asked = map[relationKey]*membership{}, map[string]int{}
}

// ask counts instances that are asked for, and tells whether they are many by now.
func (m *memberCache) ask(typ string, operations []*operation) (many bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked[typ] += len(operations)
	for w := range m.unknown(typ, operations) {
		w.of.sizes[len(w.Members)]++
	}
	return m.asked[typ] >= manyReaders
}

// pass notes that instances are left to a Get, for all that is not known of them.
func (m *memberCache) pass(typ string, operations []*operation) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for w := range m.unknown(typ, operations) {
		w.of.passed++
	}
}

// wantedRelation is a relation that an operation wants to know of its instance.
type wantedRelation struct {
	Relation
	name string      // of the instance
	of   *membership // what is known of the relation
}

// unknown are the relations that operations want and that are not known of their
// instances.
func (m *memberCache) unknown(typ string, operations []*operation) iter.Seq[wantedRelation] {
	return func(yield func(wantedRelation) bool) {
		for _, o := range operations {
			for _, r := range o.relations {
				of := m.relation(relationKey{typ, r.Name})
				if !of.covers(o.name) && !yield(wantedRelation{r, o.name, of}) {
					return
				}
			}
		}
	}
}

// administrator tells whether the user is one, if that was asked.
func (m *memberCache) administrator() (is, asked bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.userIsAdministrator, m.userAsked
}

// learnUser notes whether the user is an administrator.
func (m *memberCache) learnUser(is bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.userIsAdministrator, m.userAsked = is, true
}

// compare tells whether an instance has the relations that are expected; known is false
// when not all of them have been searched.
func (m *memberCache) compare(typ, name string, expected []Relation) (has, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	has = true
	for _, r := range expected {
		of := m.relations[relationKey{typ, r.Name}]
		if of == nil || !of.covers(name) {
			return false, false
		}
		has = has && of.matches(name, r)
	}
	return has, true
}

// covers tells whether all members of an instance were searched for.
func (of *membership) covers(name string) bool {
	return (of.all || of.covered[name]) && !of.unclear[name]
}

// of are the members of a relation of an instance, in order, if they are known.
func (m *memberCache) of(typ, name, relation string) (members []any, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	of := m.relations[relationKey{typ, relation}]
	if of == nil || !of.covers(name) {
		return nil, false
	}
	members = []any{}
	for _, member := range slices.Sorted(maps.Keys(of.holders)) {
		if of.holders[member][name] {
			members = append(members, member)
		}
	}
	return members, true
}

// matches compares the members of an instance with those that are expected.
func (of *membership) matches(name string, r Relation) bool {
	for _, member := range r.Members {
		if !of.holders[member][name] {
			return false
		}
	}
	if r.AtLeast {
		return true
	}
	for member, holders := range of.holders {
		if holders[name] && !slices.Contains(r.Members, member) {
			return false
		}
	}
	return true
}

// relation is what is known of a relation.
func (m *memberCache) relation(key relationKey) *membership {
	if m.relations[key] == nil {
		m.relations[key] = &membership{holders: map[string]map[string]bool{}, alone: map[string]bool{}, covered: map[string]bool{}, unclear: map[string]bool{}, sizes: map[int]int{}}
	}
	return m.relations[key]
}

// refuse notes that a relation cannot be searched.
func (m *memberCache) refuse(of *membership) {
	m.mu.Lock()
	defer m.mu.Unlock()
	of.refused = true
}

// knowsCandidates tells whether all members that the instances may have are known.
func (m *memberCache) knowsCandidates(of *membership, operations []*operation) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !slices.ContainsFunc(operations, func(o *operation) bool { return !of.knowsCandidates(o.name) })
}

func (of *membership) knowsCandidates(name string) bool { return of.amongAll || of.among[name] }

// learn notes all members that the named instances may have, or with nil every one.
func (m *memberCache) learn(of *membership, candidates, names []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	of.candidates, of.among, of.amongAll = candidates, map[string]bool{}, names == nil
	for _, name := range names {
		of.among[name] = true
	}
}

// unsearched are the candidates that were not searched for by themselves.
func (m *memberCache) unsearched(of *membership) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return of.unsearched()
}

func (of *membership) unsearched() (members []string) {
	for _, member := range of.candidates {
		if !of.alone[member] {
			members = append(members, member)
		}
	}
	return members
}

// inQuestion are those of the names whose members the candidates are.
func (m *memberCache) inQuestion(of *membership, names []string) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !of.knowsCandidates(name) })
}

// add notes the instances that have a member; alone tells that it was searched for by
// itself, so that they are all.
func (m *memberCache) add(of *membership, member string, names []string, alone bool) {
	holders := map[string]bool{}
	for _, name := range names {
		holders[name] = true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	of.holders[member] = holders
	of.alone[member] = alone
}

// cover notes that all candidates have been searched for, which tells all members of
// those instances whose candidates they are. unclear are all instances of which the
// searches were not enough; what was unclear of others before still is.
func (m *memberCache) cover(of *membership, unclear []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	of.passed = 0 // Those that are left have to pay for further searches by themselves.
	if of.amongAll {
		of.all, of.unclear = true, map[string]bool{}
	}
	for name := range of.among {
		of.covered[name] = true
		delete(of.unclear, name)
	}
	for _, name := range unclear {
		of.unclear[name] = true
	}
}
