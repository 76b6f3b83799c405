// The scheme: its groups, and what the answers to their searches tell.

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
