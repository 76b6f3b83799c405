// The rule by which searches by relation are worth their cost, in requests.

package enms

import (
	"cmp"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/groups"
)

// mostEach is the most members of an instance that groups are to tell of.
const mostEach = 8

// dueRelation is a relation whose members are to be searched for.
type dueRelation struct {
	Relation
	of   *membership // forgotten by now if something was written meanwhile
	each int         // groups are to tell of instances with so many members; 0 for a search for each member
}

// relationCost is what reading a relation would cost.
type relationCost struct {
	relation Relation
	of       *membership
	members  map[string]bool // that are expected and were not searched for
	readers  int             // that want it and are not covered
	unclear  bool            // all of them are
	learned  bool            // the candidates for all of them are known
	rows     int             // instances of which some may still want it
	each     int             // as in dueRelation
	searches int             // it takes, at least
}

// due applies the rule of cost. To read a relation by searches takes one for the members
// that there are, and one for each member or group of them; otherwise each instance takes
// a Get. How many more will be asked for is not known, so those that were left to a Get
// before count as well (the ski rental problem), and two or three times when there are so
// many instances that most of the cost would come in again: the total stays within about
// four times the better of the two ways. rows is how many instances of the type are known;
// grouped tells whether members may be searched for by groups.
func (m *memberCache) due(typ string, operations []*operation, rows int, grouped bool) (due []dueRelation) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.userAsked && !m.userIsAdministrator {
		return nil
	}
	costs, total := m.costs(typ, operations, rows, grouped), 0
	if !m.userAsked {
		total++ // for the question
	}
	tooDear := func(c *relationCost) bool {
		return c.of.refused || c.searches >= expectedReads(c.readers+c.of.passed, c.searches, c.rows)
	}
	served, passed := 0, 0
	for _, o := range operations {
		if !slices.ContainsFunc(o.relations, func(r Relation) bool { c := costs[r.Name]; return c != nil && tooDear(c) }) {
			served++
		}
	}
	for _, c := range costs {
		if !tooDear(c) {
			total += c.searches
			passed = max(passed, c.of.passed)
			due = append(due, dueRelation{Relation: c.relation, of: c.of, each: c.each})
		}
	}
	if total >= expectedReads(served+passed, total, rows) {
		return nil
	}
	slices.SortFunc(due, func(a, b dueRelation) int { return cmp.Compare(a.Name, b.Name) })
	return due
}

// mostTrust is for how many Gets to come each instance that was asked for stands at most.
const mostTrust = 3

// expectedReads is how many Gets so many that were asked for stand for, when searches
// instead of them cost so much and so many instances are known.
func expectedReads(asked, searches, rows int) int {
	return asked * min(mostTrust, 1+rows/(2*max(1, searches)))
}

// costs are those of the relations that are wanted and not known.
func (m *memberCache) costs(typ string, operations []*operation, rows int, grouped bool) map[string]*relationCost {
	costs := map[string]*relationCost{}
	for w := range m.unknown(typ, operations) {
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
			c.rows = len(c.of.unclear) // Groups have told of all others.
		}
		c.count(grouped && !c.unclear)
	}
	return costs
}

// count chooses between groups, if they may be used, and a search for each member.
// Instances with more members than groups tell take a Get: as large a part of those that
// will be asked for, supposedly half of all, as of those that were.
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

// asked is how many instances were asked for.
func (of *membership) asked() int {
	asked := 0
	for _, count := range of.sizes {
		asked += count
	}
	return asked
}
