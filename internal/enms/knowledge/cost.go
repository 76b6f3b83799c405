// The rule by which searches by relation are worth their cost, in requests.

package knowledge

import (
	"cmp"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/groups"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/instance"
)

// mostEach is the most members of an instance that groups are to tell of.
const mostEach = 8

// Due is a relation whose members are worth searching for.
type Due struct {
	instance.Relation
	Known *Relation // what is known of it
	Each  int       // groups are to tell of instances with up to so many members; 0 for a search for each member
}

// relationCost is what reading a relation would cost.
type relationCost struct {
	relation instance.Relation
	of       *Relation
	members  map[string]bool // that are expected and were not searched for
	readers  int             // that want it and are not covered
	unclear  bool            // all of them are
	learned  bool            // the candidates for all of them are known
	rows     int             // instances of which some may still want it
	each     int             // as in Due
	searches int             // it takes, at least
}

// Given is what the rule of cost depends on besides.
type Given struct {
	Rows     int  // how many instances of the type are known
	Requests int  // that any search takes besides
	Groups   bool // members may be searched for by groups
}

// Due applies the rule of cost. Reading a relation by searches takes one search for the
// candidates, and one for each candidate or group of them; without searches, each instance
// takes a GET. How many more reads will follow is unknown, so GETs already made count as well
// (the ski rental problem), two or three times if there are enough instances for the searches
// to pay off. The total stays within about four times the better of the two ways.
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

// mostTrust is for how many GETs to come each instance that was asked for stands at most.
const mostTrust = 3

// expectedReads returns how many GETs so many that were asked for stand for, when searches
// instead of them cost so much and so many instances are known.
func expectedReads(asked, searches, rows int) int {
	return asked * min(mostTrust, 1+rows/(2*max(1, searches)))
}

// costs returns those of the relations that are wanted and not known.
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
			c.rows = len(c.of.unclear) // Groups have told of all others.
		}
		c.count(grouped && !c.unclear)
	}
	return costs
}

// count chooses between groups, if they may be used, and a search for each member.
// Instances with more members than groups tell take a GET: as large a part of those that
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

// asked returns how many instances were asked for.
func (of *Relation) asked() int {
	asked := 0
	for _, count := range of.sizes {
		asked += count
	}
	return asked
}
