// This file holds which instances have which members, as searches by relation have shown, and the
// rule that decides whether such searches cost fewer requests than GETs.

package knowledge

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/groups"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/instance"
)

// ManyReaders is the number of instances with wanted relations from which a page of their type is
// worth its request: one search then returns the related instances of all of them, and the page
// answers their finds.
const ManyReaders = 8

// Relations holds, for each relation of a type, which instances have which members.
type Relations struct {
	mu    *sync.Mutex
	known map[relationKey]*Relation
	asked map[string]int // by type, how many instances callers have asked for
}

// relationKey names a relation of a type.
type relationKey struct{ typ, relation string }

// Relation is what is known of one relation.
type Relation struct {
	mu *sync.Mutex

	holders map[string]map[string]bool // by member that was searched for: the instances that have it
	alone   map[string]bool            // the members that were searched for by themselves
	covered map[string]bool            // the instances all of whose members were searched for
	all     bool                       // whether covered holds for every instance
	unclear map[string]bool            // the exceptions, which have more members than groups can show
	passed  int                        // instances that were left to a GET
	sizes   map[int]int                // how many instances were asked for, by the number of members that they are expected to have

	candidates []string        // all members that the instances in among have, and possibly others
	among      map[string]bool // nil before candidates are known
	amongAll   bool            // candidates holds the members of every instance
	refused    bool            // searches failed
}

// Wanted is an instance whose relations somebody wants to know, and what is expected of them.
type Wanted struct {
	Name      string
	Relations []instance.Relation
}

// Ask counts instances that callers ask for, and reports whether there have been many so far.
func (m *Relations) Ask(typ string, wanted []Wanted) (many bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked[typ] += len(wanted)
	for w := range m.unknown(typ, wanted) {
		w.of.sizes[len(w.Members)]++
	}
	return m.asked[typ] >= ManyReaders
}

// Pass records that the callers read these instances by a GET.
func (m *Relations) Pass(typ string, wanted []Wanted) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for w := range m.unknown(typ, wanted) {
		w.of.passed++
	}
}

// unknownRelation is a relation that a caller wants to know, of an instance for which it is
// unknown.
type unknownRelation struct {
	instance.Relation
	name string    // of the instance
	of   *Relation // what is known of the relation
}

// unknown yields the wanted relations that are unknown.
func (m *Relations) unknown(typ string, wanted []Wanted) iter.Seq[unknownRelation] {
	return func(yield func(unknownRelation) bool) {
		for _, w := range wanted {
			for _, r := range w.Relations {
				of := m.relation(relationKey{typ, r.Name})
				if !of.covers(w.Name) && !yield(unknownRelation{r, w.Name, of}) {
					return
				}
			}
		}
	}
}

// Compare reports whether an instance has the relations that are expected; known is false
// when not all of them have been searched.
func (m *Relations) Compare(typ, name string, expected []instance.Relation) (has, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	has = true
	for _, r := range expected {
		of := m.known[relationKey{typ, r.Name}]
		if of == nil || !of.covers(name) {
			return false, false
		}
		has = has && of.matches(name, r)
	}
	return has, true
}

// covers reports whether all members of an instance were searched for.
func (of *Relation) covers(name string) bool {
	return (of.all || of.covered[name]) && !of.unclear[name]
}

// members returns the members of a relation of an instance, in order, if they are known.
func (m *Relations) members(typ, name, relation string) (members []any, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	of := m.known[relationKey{typ, relation}]
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
func (of *Relation) matches(name string, r instance.Relation) bool {
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

func (m *Relations) relation(key relationKey) *Relation {
	if m.known[key] == nil {
		m.known[key] = &Relation{mu: m.mu, holders: map[string]map[string]bool{}, alone: map[string]bool{},
			covered: map[string]bool{}, unclear: map[string]bool{}, sizes: map[int]int{}}
	}
	return m.known[key]
}

// Refuse records that the relation cannot be searched.
func (of *Relation) Refuse() {
	of.mu.Lock()
	defer of.mu.Unlock()
	of.refused = true
}

// KnowsCandidates reports whether the candidates include all members of the instances.
func (of *Relation) KnowsCandidates(wanted []Wanted) bool {
	of.mu.Lock()
	defer of.mu.Unlock()
	return !slices.ContainsFunc(wanted, func(w Wanted) bool { return !of.knowsCandidates(w.Name) })
}

func (of *Relation) knowsCandidates(name string) bool { return of.amongAll || of.among[name] }

// Learn sets the candidates: all members that the named instances may have, or every instance if
// names is nil.
func (of *Relation) Learn(candidates, names []string) {
	of.mu.Lock()
	defer of.mu.Unlock()
	of.candidates, of.among, of.amongAll = candidates, map[string]bool{}, names == nil
	for _, name := range names {
		of.among[name] = true
	}
}

// LearnOnly sets the candidates of relations of which only one member matters.
func (m *Relations) LearnOnly(typ string, relations []instance.Relation) {
	for _, r := range relations {
		if r.Only != "" {
			m.mu.Lock()
			of := m.relation(relationKey{typ, r.Name})
			m.mu.Unlock()
			of.Learn([]string{r.Only}, nil)
		}
	}
}

// Unsearched returns the candidates that were not searched for by themselves.
func (of *Relation) Unsearched() []string {
	of.mu.Lock()
	defer of.mu.Unlock()
	return of.unsearched()
}

func (of *Relation) unsearched() (members []string) {
	for _, member := range of.candidates {
		if !of.alone[member] {
			members = append(members, member)
		}
	}
	return members
}

// InQuestion returns those of the names whose members are among the candidates.
func (of *Relation) InQuestion(names []string) []string {
	of.mu.Lock()
	defer of.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !of.knowsCandidates(name) })
}

// Add records instances that have a member. alone means that the member was searched for by
// itself: then names are all instances that have it.
func (of *Relation) Add(member string, names []string, alone bool) {
	holders := map[string]bool{}
	for _, name := range names {
		holders[name] = true
	}
	of.mu.Lock()
	defer of.mu.Unlock()
	of.holders[member] = holders
	of.alone[member] = alone
}

// Cover records that all candidates have been searched for, so that all members are known of the
// instances that the candidates are for. unclear are the instances for which the searches were
// not enough. Instances that were unclear before remain unclear if the candidates are not for
// them.
func (of *Relation) Cover(unclear []string) {
	of.mu.Lock()
	defer of.mu.Unlock()
	of.passed = 0 // Further searches have to be worth their cost for the remaining instances alone.
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

// mostEach is up to how many members of an instance groups are made to show.
const mostEach = 8

// Due is a relation whose members are worth searching for.
type Due struct {
	instance.Relation
	Known *Relation // what is known of it
	Each  int       // search by groups that show up to so many members of an instance; 0 for a search for each member
}

// relationCost is what reading a relation would cost.
type relationCost struct {
	relation instance.Relation
	of       *Relation
	members  map[string]bool // expected members that were not searched for
	readers  int             // how many instances want it that are not covered
	unclear  bool            // whether all readers are unclear
	learned  bool            // whether the candidates are known for all readers
	rows     int             // how many instances may still want it
	each     int             // as in Due
	searches int             // how many searches it takes, at least
}

// Given holds what else the rule of cost depends on.
type Given struct {
	Rows     int  // how many instances of the type are known
	Requests int  // needed before the first search
	Groups   bool // whether members may be searched for by groups
}

// Due applies the rule of cost. Reading a relation by searches takes one search for the
// candidates, and one for each candidate or group of them; without searches, each instance takes
// a GET. How many more reads will follow is unknown, so the GETs made so far stand for those to
// come (the ski rental problem). They count two or three times if there are enough instances for
// the searches to pay off. The total stays within about four times the better of the two ways.
func (m *Relations) Due(typ string, wanted []Wanted, given Given) (due []Due) {
	m.mu.Lock()
	defer m.mu.Unlock()
	rows := given.Rows
	costs, total := m.costs(typ, wanted, rows, given.Groups), given.Requests
	tooDear := func(c *relationCost) bool {
		return c.of.refused || c.searches >= expectedReads(c.readers+c.of.passed, c.searches, c.rows)
	}
	served, passed := 0, 0
	for _, w := range wanted {
		if !slices.ContainsFunc(w.Relations, func(r instance.Relation) bool { c := costs[r.Name]; return c != nil && tooDear(c) }) {
			served++
		}
	}
	for _, c := range costs {
		if !tooDear(c) {
			total += c.searches
			passed = max(passed, c.of.passed)
			due = append(due, Due{Relation: c.relation, Known: c.of, Each: c.each})
		}
	}
	if total >= expectedReads(served+passed, total, rows) {
		return nil
	}
	slices.SortFunc(due, func(a, b Due) int { return cmp.Compare(a.Name, b.Name) })
	return due
}

// mostTrust is for how many expected GETs an instance that was asked for counts, at most.
const mostTrust = 3

// expectedReads returns how many GETs to expect after asked instances were asked for, if searches
// would take their place and rows instances are known.
func expectedReads(asked, searches, rows int) int {
	return asked * min(mostTrust, 1+rows/(2*max(1, searches)))
}

// costs returns the costs of reading the wanted relations that are unknown.
func (m *Relations) costs(typ string, wanted []Wanted, rows int, grouped bool) map[string]*relationCost {
	costs := map[string]*relationCost{}
	for w := range m.unknown(typ, wanted) {
		c := costs[w.Name]
		if c == nil {
			c = &relationCost{relation: w.Relation, of: w.of, members: map[string]bool{}, unclear: true, learned: true}
			costs[w.Name] = c
		}
		c.readers++
		c.unclear = c.unclear && w.of.unclear[w.name]
		c.learned = c.learned && w.of.knowsCandidates(w.name)
		for _, member := range w.Members {
			if !w.of.alone[member] {
				c.members[member] = true
			}
		}
	}
	for _, c := range costs {
		c.rows = rows * c.of.asked() / max(1, m.asked[typ])
		if c.unclear {
			c.rows = len(c.of.unclear) // Groups have shown the members of all others.
		}
		c.count(grouped && !c.unclear)
	}
	return costs
}

// count chooses between groups, if they may be used, and a search for each member. An instance
// with more members than groups show takes a GET. It estimates that half of all instances will be
// asked for, and that the share of large ones is the same as so far.
func (c *relationCost) count(grouped bool) {
	members := len(c.members)
	if c.learned {
		members = len(c.of.unsearched())
	}
	c.searches = members
	asked := c.of.asked()
	least := members
	for each := 1; each <= mostEach && grouped; each++ {
		searches, larger := groups.Searches(members, each), 0
		for size, count := range c.of.sizes {
			if size > each {
				larger += count
			}
		}
		if cost := searches + larger*max(asked, c.rows/2)/asked; cost < least {
			least, c.each, c.searches = cost, each, searches+larger
		}
	}
	if !c.learned {
		c.searches++
	}
}

func (of *Relation) asked() int {
	asked := 0
	for _, count := range of.sizes {
		asked += count
	}
	return asked
}
