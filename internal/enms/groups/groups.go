// Package groups finds out which members each of many instances has, in fewer searches than there
// are members.
//
// # The question
//
// A search of eNMS can be made by a relation: "all services that are in workflow A", or "in any
// of A, B and C". Its rows do not tell which of the three it was. To learn the workflows of every
// service, a client could search once for each workflow, or get each service. Groups take fewer
// searches, because most services are in only one workflow.
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
// A service in the two workflows 8 and 21 is found in c3, c1, d4 and d0. So is a service in 13
// and 16. A third direction, which steps two columns to the left with each row, tells the two
// services apart. In direction x, a workflow is on the line number (column + x·row) modulo 5. Two
// workflows are on a common line in at most one direction: if they were in two, the side of the
// square could not be a prime number.
//
// That gives the rule. To learn of services that are in up to n workflows, search in n + 1
// directions. Take a workflow that the service is not in: it is on n + 1 lines, and each
// workflow that the service is in is on at most one of them. At least one line is left on
// which the service is not found. Therefore:
//
//	a service is in exactly those workflows on all lines of which it is found.
//
// A service in more than n workflows is detected: more than n workflows fit, or the lines of
// those that fit are not the lines on which it was found. It is returned as unclear, like a
// service about which the answers contradict each other. The caller reads it by a GET.
//
// # More than a square
//
// The row and the column are the two digits of the workflow's number, in base 5. With three
// digits a, b and c, the line in direction x is (a + b·x + c·x²) modulo 5. Two workflows then
// have a common line in at most two directions, because a polynomial of degree 2 has at most two
// zeros. So 2n + 1 directions are enough: for n = 1, 125 workflows take 15 searches instead of
// 125. [For] chooses the side and the number of digits that take the fewest searches.
//
// # In the code
//
// A [Scheme] has a side, directions and digits; a line of it is a group. [Scheme.Split] makes the
// groups, [Scheme.Decode] reads the answers, and [Scheme.Extended] adds directions if that costs
// less than a GET for each unclear instance.
//
// BenchmarkRelations of package enms counts the requests with groups and without. For 100
// services, each in a workflow of its own, there are 18 requests with groups and 153 without; if
// most services are in two workflows, 28 and 153. Run it with
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
	digits     int // digits of a member's number, in base side
}

// Groups returns the number of groups.
func (s Scheme) Groups() int { return s.side * s.directions }

// each returns up to how many members of an instance the scheme can show.
func (s Scheme) each() int { return (s.directions - 1) / (s.digits - 1) }

// longer returns the scheme with as many further directions as show one more member. ok is false
// if there are not enough directions.
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

// For returns the scheme with the fewest groups for a number of members, of which an instance has
// up to each. ok is false if no scheme has fewer groups than there are members.
func For(members, each int) (best Scheme, ok bool) {
	least := members
	schemes(each, func(s Scheme, most int) {
		if most >= members && s.Groups() < least {
			best, least, ok = s, s.Groups(), true
		}
	})
	return best, ok
}

// Searches returns how many searches show which instances have which of the members, if an
// instance has up to each: one for each group, or one for each member if no scheme is better.
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

// Decode returns the instances that have each member. holders are, for each group, the instances
// that have any of its members. unclear are the instances that have more members than the scheme
// shows, or about which the answers contradict each other.
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

// Extended returns the scheme with further directions that saves most, after a search by this
// scheme has left some instances unclear. It assumes that otherwise half of them take a GET. ok
// is false if no scheme saves requests.
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

// leastMembers returns how many members each named instance has at least: as many as there are
// lines of one direction on which it was found.
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

// inAll reports whether an instance was found in all groups of a member.
func (s Scheme) inAll(in []map[string]bool, member int, name string) bool {
	for direction := range s.directions {
		if !in[s.groupOf(member, direction)][name] {
			return false
		}
	}
	return true
}
