// What searches by relation have told, kept until the next write, and the rule by which
// further ones are worth their cost.

package enms

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// manyReaders is how many readers of relations make it worth to fetch a page of their
// type: one search then names the related instances of all of them, and the page answers
// their finds.
const manyReaders = 8

// memberships holds, for each relation of a type, which instances have which members.
// Every write drops all of it, as it drops pages.
type memberships struct {
	mu        sync.Mutex
	relations map[relationKey]*membership

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
	several map[string]bool            // but not for these, which have several members and were searched for by groups
	asked   int                        // instances that callers wanted to know of
	passed  int                        // of these, the ones that were left to a Get
	dearer  int                        // searches that it takes at least
}

// dueRelation is a relation whose members are to be searched for.
type dueRelation struct {
	Relation
	of      *membership // forgotten by now if something was written meanwhile
	readers int         // instances that want it
	groups  bool        // members may be searched for by groups
	most    int         // more members than that are not worth it
	many    bool        // many instances were asked for
}

// invalidate forgets everything.
func (m *memberships) invalidate() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.relations = map[relationKey]*membership{}
}

// administrator tells whether the user is one, if that was asked.
func (m *memberships) administrator() (is, asked bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.userIsAdministrator, m.userAsked
}

// learn notes whether the user is an administrator.
func (m *memberships) learn(is bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.userIsAdministrator, m.userAsked = is, true
}

// compare tells whether an instance has the relations that are expected; known is false
// when not all of them have been searched.
func (m *memberships) compare(typ, name string, expected []Relation) (has, known bool) {
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
	return (of.all || of.covered[name]) && !of.several[name]
}

// of are the members of a relation of an instance, in order, if they are known.
func (m *memberships) of(typ, name, relation string) (members []any, known bool) {
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

// due applies the rule of cost, in requests: to read a relation by searches takes one for
// the members that there are, and one for each member; otherwise each instance takes a
// Get. How many more will be asked for is not known, so those that were left to a Get
// before count (the ski rental problem): the total stays within about twice the better
// of the two ways.
func (m *memberships) due(typ string, operations []*operation) (due []dueRelation) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.userAsked && !m.userIsAdministrator {
		return nil
	}
	costs, cost := m.costs(typ, operations), 0
	if !m.userAsked {
		cost++ // for the question
	}
	served, passed := 0, 0
	for _, o := range operations {
		if !slices.ContainsFunc(o.relations, func(r Relation) bool { c := costs[r.Name]; return c != nil && !c.worthwhile() }) {
			served++
		}
	}
	for _, c := range costs {
		c.of.asked += c.readers
		if c.worthwhile() {
			cost += c.searches()
			passed = max(passed, c.of.passed)
			due = append(due, c.due())
		}
	}
	if cost >= served+passed {
		due = nil
	}
	for _, c := range costs {
		if due == nil || !c.worthwhile() {
			c.of.passed += c.readers
		}
	}
	slices.SortFunc(due, func(a, b dueRelation) int { return strings.Compare(a.Name, b.Name) })
	return due
}

// relationCost is what reading a relation would cost.
type relationCost struct {
	relation Relation
	of       *membership
	readers  int             // instances that want it and are not covered
	members  map[string]bool // that are expected and were not searched for
	groups   bool            // no instance is expected to have several
}

// searches is how many it takes at least.
func (c *relationCost) searches() int {
	members := len(c.members)
	if c.groups {
		members = groupSearches(members)
	}
	return 1 + max(members, c.of.dearer)
}

// budget is how many searches cost less than a Get for each instance.
func (c *relationCost) budget() int { return c.readers + c.of.passed - 1 }

func (c *relationCost) worthwhile() bool { return c.searches() <= c.budget() }

func (c *relationCost) due() dueRelation {
	most := c.budget()
	if c.groups {
		most = mostMembers(most)
	}
	return dueRelation{Relation: c.relation, of: c.of, readers: c.readers, groups: c.groups, most: most, many: c.of.asked >= manyReaders}
}

// costs are those of the relations that are wanted and not known.
func (m *memberships) costs(typ string, operations []*operation) map[string]*relationCost {
	costs := map[string]*relationCost{}
	for _, o := range operations {
		for _, r := range o.relations {
			of := m.relation(relationKey{typ, r.Name})
			if of.covers(o.name) {
				continue
			}
			c := costs[r.Name]
			if c == nil {
				c = &relationCost{relation: r, of: of, members: map[string]bool{}, groups: len(of.several) == 0}
				costs[r.Name] = c
			}
			c.readers++
			c.groups = c.groups && len(r.Members) <= 1
			for _, member := range r.Members {
				if !of.alone[member] {
					c.members[member] = true
				}
			}
		}
	}
	return costs
}

// relation is what is known of a relation.
func (m *memberships) relation(key relationKey) *membership {
	if m.relations[key] == nil {
		m.relations[key] = &membership{holders: map[string]map[string]bool{}, alone: map[string]bool{}, covered: map[string]bool{}, several: map[string]bool{}}
	}
	return m.relations[key]
}

// postpone notes that a relation has more members than was worth it, or cannot be
// searched: twice as many instances as now must be left to a Get before it is tried again.
func (m *memberships) postpone(due dueRelation) {
	m.mu.Lock()
	defer m.mu.Unlock()
	due.of.passed += due.readers
	due.of.dearer = 2 * due.of.passed
}

// searched tells whether the instances that have a member are known.
func (m *memberships) searched(of *membership, member string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return of.alone[member]
}

// add notes the instances that have a member; alone tells that it was searched for by
// itself, so that they are all.
func (m *memberships) add(of *membership, member string, names []string, alone bool) {
	holders := map[string]bool{}
	for _, name := range names {
		holders[name] = true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	of.holders[member] = holders
	of.alone[member] = alone
}

// cover notes that all members of instances, or of every one, have been searched for, but
// for those of several.
func (m *memberships) cover(of *membership, names []string, all bool, several []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	of.all = of.all || all
	for _, name := range names {
		of.covered[name] = true
		delete(of.several, name)
	}
	for _, name := range several {
		of.several[name] = true
	}
}
