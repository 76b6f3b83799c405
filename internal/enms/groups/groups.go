// Package groups finds out which members many instances have, in fewer searches than there
// are members.
//
// # The question
//
// A search of eNMS can be made by a relation: "all services that are in workflow A", or
// "in any of A, B and C". Its rows do not tell which of the three it was. To learn the
// workflows of every service, a client searches once for each workflow, or gets each
// service. Groups take fewer searches, because most services are in one workflow only.
//
// # The idea
//
// Write 25 workflows into a square. Search for each column, and for each diagonal, which
// leaves the square on the left and returns on the right:
//
//	    columns               diagonals
//	c0 c1 c2 c3 c4         d0 d1 d2 d3 d4
//	 0  1  2  3  4          0  1  2  3  4     10 searches instead of 25.
//	 5  6  7  8  9          9  5  6  7  8
//	10 11 12 13 14         13 14 10 11 12     A service that is found in c3 and d4, and
//	15 16 17 18 19         17 18 19 15 16     nowhere else, is in workflow 8.
//	20 21 22 23 24         21 22 23 24 20
//
// A service in two workflows, 8 and 21, is found in c3, c1, d4 and d0. So would be one in 13
// and 16. A third direction, which steps two columns to the left with each row, tells them
// apart. In direction x, a workflow is on the line number (column + x·row) modulo 5. Two
// workflows are on a common line in at most one direction: if they were in two, the side of
// the square could not be a prime number.
//
// That gives the rule. To learn of services that are in up to n workflows, search in n + 1
// directions. Take a workflow that the service is not in: it is on n + 1 lines, and each
// workflow that the service is in is on at most one of them. At least one line is left on
// which the service is not found. Therefore:
//
//	a service is in exactly those workflows on all lines of which it is found.
//
// A service in more than n workflows is noticed: more than n workflows fit, or the lines of
// those that fit are not the lines that it was found on. It is returned as unclear, as is
// one about which the answers contradict each other. The caller gets it by itself.
//
// # More than a square
//
// The row and the column are the two digits of the workflow's number, in base 5. With three
// digits a, b and c, the line in direction x is (a + b·x + c·x²) modulo 5. Two workflows then
// have a common line in at most two directions, because a polynomial of degree 2 has at most
// two zeros. So 2n + 1 directions do: 125 workflows take 15 searches instead of 125. [For]
// chooses the side and the number of digits that take the fewest searches.
//
// # In the code
//
// A [Scheme] has a side, directions and digits; a line of it is a group. [Scheme.Split] makes
// the groups, [Scheme.Decode] reads the answers, and [Scheme.Extended] adds directions where
// that costs less than to get what is unclear.
//
// BenchmarkRelations of package enms counts the requests with groups and without. For 100
// services, each in a workflow of its own, they are 18 and 153; if most are in two workflows,
// 28 and 153. Run it with
//
//	go test -run '^$' -bench Relations -benchtime 1x ./internal/enms
package groups

import "slices"

// Most is the largest number of members that a scheme is made for.
const Most = 10_000

// Scheme says which members are in which group. A group is a line of a direction.
type Scheme struct {
	side       int // how many lines a direction has; a prime number
	directions int // at most as many as side
	digits     int // of a member's number in base side
}

// Groups returns the number of groups.
func (s Scheme) Groups() int { return s.side * s.directions }

// each returns the largest number of members that the scheme tells of an instance.
func (s Scheme) each() int { return (s.directions - 1) / (s.digits - 1) }

// longer returns the scheme with the further directions that tell one member more. ok is
// false when there are none.
func (s Scheme) longer() (longer Scheme, ok bool) {
	s.directions += s.digits - 1
	return s, s.directions <= s.side
}

// groupOf returns the group of a member in a direction.
func (s Scheme) groupOf(member, direction int) int {
	line, power := 0, 1
	for range s.digits {
		line = (line + member%s.side*power) % s.side
		member /= s.side
		power = power * direction % s.side
	}
	return direction*s.side + line
}

// primes are the sides to choose from.
var primes = []int{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47}

// schemes yields the schemes for instances that have up to each members, and the number of
// members that each scheme is for.
func schemes(each int, yield func(s Scheme, members int)) {
	for _, side := range primes {
		members := side
		for digits := 2; each*(digits-1) < side && members < Most; digits++ {
			members *= side
			yield(Scheme{side: side, directions: each*(digits-1) + 1, digits: digits}, members)
		}
	}
}

// For returns the scheme with the fewest groups for so many members, of which an instance
// has up to each. ok is false when no scheme has fewer groups than there are members.
func For(members, each int) (best Scheme, ok bool) {
	least := members
	schemes(each, func(s Scheme, most int) {
		if most >= members && s.Groups() < least {
			best, least, ok = s, s.Groups(), true
		}
	})
	return best, ok
}

// Searches returns how many searches tell who has which of so many members, if an instance
// has up to each: one for each group, or for each member where no scheme is better.
func Searches(members, each int) int {
	if scheme, ok := For(members, each); ok {
		return scheme.Groups()
	}
	return members
}

// Split returns the members of each group.
func (s Scheme) Split(members []string) [][]string {
	groups := make([][]string, s.Groups())
	for i, member := range members {
		for direction := range s.directions {
			group := s.groupOf(i, direction)
			groups[group] = append(groups[group], member)
		}
	}
	return groups
}

// Decode returns who has each member. holders are, for each group, those who have any member
// of it. unclear are those who have more members than the scheme tells, or about whom the
// answers contradict each other.
func (s Scheme) Decode(members []string, holders [][]string) (of map[string][]string, unclear []string) {
	in, hits := make([]map[string]bool, len(holders)), map[string]int{}
	for group, names := range holders {
		in[group] = map[string]bool{}
		for _, name := range names {
			if !in[group][name] {
				in[group][name] = true
				hits[name]++
			}
		}
	}
	of, numbers := map[string][]string{}, map[string][]int{}
	for i, member := range members {
		of[member] = nil
		for name := range in[s.groupOf(i, 0)] {
			if s.inAll(in, i, name) {
				of[member] = append(of[member], name)
				numbers[name] = append(numbers[name], i)
			}
		}
	}
	for name := range hits {
		if has := numbers[name]; len(has) > s.each() || len(s.groupsOf(has)) != hits[name] {
			unclear = append(unclear, name)
		}
	}
	slices.Sort(unclear)
	return of, unclear
}

// Extended returns the scheme with further directions that is worth their searches, after
// holders have left some instances unclear. It assumes that a request will be made for half
// of them. ok is false when no scheme is worth it.
func (s Scheme) Extended(holders [][]string, unclear []string) (best Scheme, ok bool) {
	least, sizes := len(unclear), s.leastMembers(holders, unclear)
	for longer, more := s.longer(); more; longer, more = longer.longer() {
		cost := 2 * (longer.Groups() - s.Groups())
		for _, size := range sizes {
			if size > longer.each() {
				cost++
			}
		}
		if cost < least {
			least, best, ok = cost, longer, true
		}
	}
	return best, ok
}

// leastMembers returns how many members each of the named has at least: as many as the lines
// of one direction on which it was found.
func (s Scheme) leastMembers(holders [][]string, names []string) map[string]int {
	least := map[string]int{}
	for direction := range s.directions {
		at := map[string]int{}
		for _, group := range holders[direction*s.side : (direction+1)*s.side] {
			for _, name := range group {
				at[name]++
			}
		}
		for _, name := range names {
			least[name] = max(least[name], at[name])
		}
	}
	return least
}

// groupsOf returns the groups of members.
func (s Scheme) groupsOf(members []int) map[int]bool {
	groups := map[int]bool{}
	for _, member := range members {
		for direction := range s.directions {
			groups[s.groupOf(member, direction)] = true
		}
	}
	return groups
}

// inAll reports whether a name is in all groups of a member.
func (s Scheme) inAll(in []map[string]bool, member int, name string) bool {
	for direction := range s.directions {
		if !in[s.groupOf(member, direction)][name] {
			return false
		}
	}
	return true
}
