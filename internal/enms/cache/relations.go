// This file holds which instances have which members, as searches by relation have shown, and the
// rule that decides whether such searches cost fewer requests than GETs.

package cache

import (
	"cmp"
	"slices"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/groups"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// ManyReaders is how many instances of a type callers must have asked for until searches are made for their
// relations, or the whole type is queried: below it, each of them takes a GET.
const ManyReaders = 8

// Relations holds, for each relation of a type, which instances have which members.
type Relations struct {
	mu    *sync.Mutex
	known map[relationKey]*Relation
	asked map[string]int // by type, how many instances callers have asked for
	sides map[string]int // by type, for how many relations to it candidates were wanted
}

// relationKey names a relation of a type.
type relationKey struct{ typ, relation string }

// Relation is what searches have shown of one relation.
type Relation struct {
	mu *sync.Mutex

	told    map[string][]string // by instance: all of its members, as a GET has told
	members map[string][]string // by instance: those members that were searched for
	covered map[string]bool     // the instances all of whose members were searched for
	all     bool                // every instance is covered
	unclear map[string]bool     // the instances that are not covered nevertheless: they have more members than groups can show

	candidates map[string]bool // the possible members of the instances in among, and whether each was searched for
	among      map[string]bool
	amongAll   bool // every instance is in among

	passed  int  // instances that were left to a GET
	refused bool // searches failed
}

// Wanted is an instance whose relations somebody wants to know, and what is expected of them.
type Wanted struct {
	Name      string
	Relations []object.Relation
}

// Ask counts instances that callers ask for, and reports whether there have been many so far.
func (m *Relations) Ask(typ string, wanted []Wanted) (many bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked[typ] += len(wanted)
	return m.asked[typ] >= ManyReaders
}

// Pass records that the callers read these instances by a GET: it counts each instance for each of its wanted
// relations that is not known.
func (m *Relations) Pass(typ string, wanted []Wanted) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unknown(typ, wanted, func(_ object.Relation, of *Relation) { of.passed++ })
}

// unknown calls do for each wanted relation of each instance whose members are not known, with what is known of that
// relation so far. It leaves out instances with more members than searches can show (unclear).
func (m *Relations) unknown(typ string, wanted []Wanted, do func(object.Relation, *Relation)) {
	for _, w := range wanted {
		for _, r := range w.Relations {
			if of := m.relation(typ, r.Name); !of.covers(w.Name) && !of.unclear[w.Name] {
				do(r, of)
			}
		}
	}
}

// Compare reports whether an instance has the expected members in all expected relations. known is false if not
// all members of these relations are known.
func (m *Relations) Compare(typ, name string, expected []object.Relation) (has, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	has = true
	for _, r := range expected {
		of := m.relation(typ, r.Name)
		if !of.covers(name) {
			return false, false
		}
		has = has && of.matches(name, r)
	}
	return has, true
}

// Tell adds the answer of a GET: the members that an instance has in each of its relations to many. It tells as much
// about the other sides of these relations (Having).
func (m *Relations) Tell(typ string, instance endpoint.Object) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for field, list := range instance {
		if members, isList := object.Names(list); isList {
			m.relation(typ, field).told[endpoint.String(instance, "name")] = members
		}
	}
}

// Knows reports whether it is known that an instance has a member in a relation: from either side of it.
func (m *Relations) Knows(typ, name string, r object.Relation, member string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Contains(m.relation(typ, r.Name).membersOf(name), member) || slices.Contains(m.relation(r.Of, r.Inverse).membersOf(member), name)
}

// Having returns the instances that have a member in a relation, if a GET of the member has told them.
func (m *Relations) Having(r object.Relation, member string) (names []string, told bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	names, told = m.relation(r.Of, r.Inverse).told[member]
	return names, told
}

// members returns the members of a relation of an instance, in order, if they are known.
func (m *Relations) members(typ, name, relation string) (members []any, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	of := m.relation(typ, relation)
	if !of.covers(name) {
		return nil, false
	}
	members = []any{}
	for _, member := range slices.Sorted(slices.Values(of.membersOf(name))) {
		members = append(members, member)
	}
	return members, true
}

// manyRelations is how many relations to a type must be asked about before that type is listed, to see whether GETs have
// told the members of all its instances.
const manyRelations = 3

// AskTold counts a relation whose candidates are wanted. It reports whether they are worth looking for in what GETs have
// told of the other side: GETs have told something, and candidates were wanted for many relations to the type.
func (m *Relations) AskTold(r object.Relation) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sides[r.Of]++
	return m.sides[r.Of] >= manyRelations && len(m.relation(r.Of, r.Inverse).told) > 0
}

// covers reports whether all members of an instance are known.
func (of *Relation) covers(name string) bool {
	_, told := of.told[name]
	return told || (of.all || of.covered[name]) && !of.unclear[name]
}

// membersOf returns the members of an instance, as far as they are known.
func (of *Relation) membersOf(name string) []string {
	if told, is := of.told[name]; is {
		return told
	}
	return of.members[name]
}

// matches reports whether the members of an instance are those that are expected.
func (of *Relation) matches(name string, expected object.Relation) bool {
	members := of.membersOf(name)
	if expected.Only != "" { // a GET tells others, too
		members = slices.DeleteFunc(slices.Clone(members), func(member string) bool { return member != expected.Only })
	}
	return hasAll(members, expected.Members) && (expected.AtLeast || hasAll(expected.Members, members))
}

// hasAll reports whether a list has all members of another one.
func hasAll(list, wanted []string) bool {
	for _, member := range wanted {
		if !slices.Contains(list, member) {
			return false
		}
	}
	return true
}

// relation returns what is known of a relation of a type; the caller holds the lock.
func (m *Relations) relation(typ, name string) *Relation {
	key := relationKey{typ, name}
	if m.known[key] == nil {
		m.known[key] = &Relation{mu: m.mu, told: map[string][]string{}, members: map[string][]string{}, covered: map[string]bool{}, unclear: map[string]bool{},
			candidates: map[string]bool{}, among: map[string]bool{}}
	}
	return m.known[key]
}

// LearnOnly sets the candidates of relations of which only one member matters (object.Relation.Only), for every
// instance.
func (m *Relations) LearnOnly(typ string, wanted []Wanted) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unknown(typ, wanted, func(r object.Relation, of *Relation) {
		if r.Only != "" {
			of.learn([]string{r.Only}, nil)
		}
	})
}

// Learn adds candidates: all members that the named instances have, or every instance if names is
// nil, and possibly others.
func (of *Relation) Learn(candidates, names []string) {
	of.mu.Lock()
	defer of.mu.Unlock()
	of.learn(candidates, names)
}

// learn is Learn for a caller that holds the lock.
func (of *Relation) learn(candidates, names []string) {
	for _, member := range candidates {
		if _, has := of.candidates[member]; !has {
			of.candidates[member] = false
		}
	}
	for _, name := range names {
		of.among[name] = true
	}
	of.amongAll = of.amongAll || names == nil
}

// knowsCandidates reports whether the candidates include all members of the wanted instances.
func (of *Relation) knowsCandidates(wanted []Wanted) bool {
	return of.amongAll || !slices.ContainsFunc(wanted, func(w Wanted) bool { return !of.among[w.Name] })
}

// Refuse records that the relation cannot be searched. It is not searched any more.
func (of *Relation) Refuse() {
	of.mu.Lock()
	defer of.mu.Unlock()
	of.refused = true
}

// Cover records that some candidates were searched for, and what that has shown: those of them that each instance
// has, and the instances whose members remain unclear. The instances in among are covered then.
func (of *Relation) Cover(searched []string, members map[string][]string, unclear []string) {
	of.mu.Lock()
	defer of.mu.Unlock()
	for _, member := range searched {
		of.candidates[member] = true
	}
	for name, more := range members {
		of.members[name] = slices.Concat(of.members[name], more)
	}
	for _, name := range unclear {
		of.unclear[name] = true
	}
	for name := range of.among {
		of.covered[name] = true
	}
	of.all = of.all || of.amongAll
	of.passed = 0 // further searches have to be worth their cost for the remaining instances alone
}

// maxShown is the largest number of members of an instance that groups are made for, to begin with.
const maxShown = 2

// Due is a relation whose members are worth searching for.
type Due struct {
	object.Relation
	Known       *Relation // what is known of it
	Learned     bool      // the candidates include all members of the wanted instances
	Searches    []string  // the candidates that were not searched for
	MostMembers int       // search by groups that can show so many members of an instance; 0 for a search for each candidate
}

// relationCost is what reading a relation by searches would cost.
type relationCost struct {
	Due
	expected map[string]bool   // the members that callers expect
	readers  int               // how many instances want it
	larger   [maxShown + 1]int // larger[n] is how many readers are expected to have more than n members
	searches int               // how many requests it takes, at least
}

// expectedReads returns how many GETs a number of searches would save. asked instances were asked for so far, and
// rows instances of the type are known. How many more will be asked for is unknown, so each counts up to three
// times: the more often, the fewer searches there are in proportion to the rows.
func expectedReads(asked, searches, rows int) int {
	return asked * min(3, 1+rows/(2*max(1, searches)))
}

// Due returns the wanted relations for which searches cost less than GETs. Reading a relation by searches takes
// one search for the candidates, and one for each candidate or group of them; without searches, each instance
// takes a GET. A relation is left out if it is too dear by itself: the instances that want it are read by GETs
// anyway, which return their other relations, too. The total stays within about four times the better of the two
// ways. grouped is false if members must not be searched for by groups.
func (m *Relations) Due(typ string, wanted []Wanted, rows int, grouped bool) (due []Due) {
	m.mu.Lock()
	defer m.mu.Unlock()
	needsGET := map[string]bool{} // the relations that are too dear
	passed, total := 0, 0
	for name, c := range m.costs(typ, wanted, grouped) {
		if c.Known.refused || c.searches >= expectedReads(c.readers+c.Known.passed, c.searches, rows) {
			needsGET[name] = true
			continue
		}
		total += c.searches
		passed = max(passed, c.Known.passed)
		due = append(due, c.Due)
	}
	saved := 0 // wanted instances that need no GET
	for _, w := range wanted {
		if !slices.ContainsFunc(w.Relations, func(r object.Relation) bool { return needsGET[r.Name] }) {
			saved++
		}
	}
	if saved == 0 || total >= expectedReads(saved+passed, total, rows) {
		return nil
	}
	slices.SortFunc(due, func(a, b Due) int { return cmp.Compare(a.Name, b.Name) })
	return due
}

// costs returns what searches for the wanted relations that are unknown would cost, by relation.
func (m *Relations) costs(typ string, wanted []Wanted, grouped bool) map[string]*relationCost {
	costs := map[string]*relationCost{}
	m.unknown(typ, wanted, func(r object.Relation, of *Relation) {
		c := costs[r.Name]
		if c == nil {
			c = &relationCost{Due: Due{Relation: r, Known: of}, expected: map[string]bool{}}
			costs[r.Name] = c
		}
		c.readers++
		for shown := range c.larger {
			if len(r.Members) > shown {
				c.larger[shown]++
			}
		}
		for _, member := range r.Members {
			c.expected[member] = true
		}
	})
	for _, c := range costs {
		c.count(wanted, grouped)
	}
	return costs
}

// count chooses between groups and a search for each candidate, and counts the requests. An instance with more
// members than groups show takes a GET. While the candidates are unknown, the expected members stand for them.
func (c *relationCost) count(wanted []Wanted, grouped bool) {
	for member, searched := range c.Known.candidates {
		if !searched {
			c.Searches = append(c.Searches, member)
		}
	}
	slices.Sort(c.Searches)
	members := len(c.Searches)
	learn := 0 // the search for the candidates
	if c.Learned = c.Known.knowsCandidates(wanted); !c.Learned {
		members, learn = max(members, len(c.expected)), 1
	}
	c.searches = members
	for shown := 1; shown <= maxShown && grouped; shown++ {
		if scheme, ok := groups.For(members, shown); ok && scheme.Groups()+c.larger[shown] < c.searches {
			c.MostMembers, c.searches = shown, scheme.Groups()+c.larger[shown]
		}
	}
	c.searches += learn
}
