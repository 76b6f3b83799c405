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
// In direction x, a workflow is on the line number (column + x·row) modulo 5. Two workflows are on
// a common line in at most one direction, because the side of the square is a prime number. With
// three digits a, b and c of the workflow's number in base 5, the line is (a + b·x + c·x²) modulo
// 5, and two workflows have a common line in at most two directions, because a polynomial of
// degree 2 has at most two zeros. With d digits, it is d - 1.
//
// A workflow fits a service that is found on all of its lines. Those that the service is in fit, and perhaps others. If
// one of its lines has no other workflow that fits, the service is in it. n(d-1) + 1 directions show this of every
// service in up to n workflows, and of many in more: any other workflow has at least one line on which such a service is
// not found, and each of its own has at least one without the others. A service of which a workflow remains doubtful is
// unclear, like one about which the answers contradict each other. The caller reads it by a GET.
package groups

import "slices"

// Most is the largest number of members that a scheme is made for.
const Most = 10_000

// Scheme says which members are in which group: a group has the members on one line of one direction.
type Scheme struct {
	side        int // how many lines a direction has; a prime number
	digits      int // how many digits the number of a member has in base side
	mostMembers int // up to how many members of an instance the scheme surely shows
}

// primes are the sides to choose from. With up to Most members, and one or two of them to show, no scheme with another
// side has fewer groups.
var primes = []int{3, 5, 7, 11}

// For returns the scheme with the fewest groups for a number of members that surely shows up to mostMembers of an
// instance. ok is false if no scheme has fewer groups than there are members.
func For(members, mostMembers int) (best Scheme, ok bool) {
	for _, side := range primes {
		s := Scheme{side: side, digits: 1, mostMembers: mostMembers}
		for numbers := side; numbers < members; numbers *= side {
			s.digits++
		}
		if s.directions() <= side && s.Groups() < members && (!ok || s.Groups() < best.Groups()) {
			best, ok = s, true
		}
	}
	return best, ok
}

// More returns the scheme with as many further groups, after those of s, as show one more member of
// an instance. ok is false if there is none.
func (s Scheme) More() (more Scheme, ok bool) {
	s.mostMembers++
	return s, s.directions() <= s.side
}

// directions returns the number of directions that are needed (package comment). There are only side of them.
func (s Scheme) directions() int { return s.mostMembers*(s.digits-1) + 1 }

// Groups returns the number of groups.
func (s Scheme) Groups() int { return s.side * s.directions() }

// groupsOf returns the groups of the member with a number, one for each direction. In direction x, the line is
// the polynomial of the package comment at x.
func (s Scheme) groupsOf(member int) []int {
	groups := make([]int, s.directions())
	for direction := range groups {
		line, power := 0, 1
		for rest := member; rest > 0; rest /= s.side {
			line = (line + rest%s.side*power) % s.side
			power = power * direction % s.side
		}
		groups[direction] = direction*s.side + line
	}
	return groups
}

// Split returns the members of each group.
func (s Scheme) Split(members []string) [][]string {
	groups := make([][]string, s.Groups())
	for i, member := range members {
		for _, group := range s.groupsOf(i) {
			groups[group] = append(groups[group], member)
		}
	}
	return groups
}

// Decode returns the members of each instance. byGroup are the instances that have any of the members of each
// group, in the order of Split. unclear are the instances that have more members than the groups show, or
// about which the answers contradict each other.
func (s Scheme) Decode(members []string, byGroup [][]string) (of map[string][]string, unclear []string) {
	in := map[string]map[int]bool{} // by instance, the groups in which it was found
	for group, names := range byGroup {
		for _, name := range names {
			if in[name] == nil {
				in[name] = map[int]bool{}
			}
			in[name][group] = true
		}
	}
	groupsOf := make([][]int, len(members))
	for i := range members {
		groupsOf[i] = s.groupsOf(i)
	}
	of = map[string][]string{}
	for name, found := range in {
		var fitting []int
		explained := map[int]int{} // by group, how many members fit
		for i, groups := range groupsOf {
			if slices.ContainsFunc(groups, func(group int) bool { return !found[group] }) {
				continue
			}
			fitting = append(fitting, i)
			for _, group := range groups {
				explained[group]++
			}
		}
		isDoubtful := func(i int) bool {
			return !slices.ContainsFunc(groupsOf[i], func(group int) bool { return explained[group] == 1 })
		}
		foundElsewhere := len(found) > len(explained) // in a group that has none of these members
		if foundElsewhere || slices.ContainsFunc(fitting, isDoubtful) {
			unclear = append(unclear, name)
			continue
		}
		for _, i := range fitting {
			of[name] = append(of[name], members[i])
		}
	}
	slices.Sort(unclear)
	return of, unclear
}
