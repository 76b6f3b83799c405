// Group tests: which of many members an instance has is told by fewer searches than there
// are members, as long as it has few of them.
//
// Each member has a codeword: the values of a polynomial, whose coefficients are the
// digits of its number (a Reed-Solomon code). A group is the members that have a certain
// symbol at a certain position of it, and a search tells which instances have any of the
// group. Two codewords agree in fewer positions than the polynomial has coefficients. So
// with enough positions, no member that an instance lacks is in nothing but groups of
// those few that it has.

package enms

import "slices"

// mostCandidates is how many instances are listed in order to find related ones among
// them.
const mostCandidates = 10 * pageRows

// groupCode is a code for so many members that instances with few members are told
// exactly.
type groupCode struct {
	symbols      int // a prime number
	positions    int // at most as many as symbols
	coefficients int
}

// groups is how many there are.
func (g groupCode) groups() int { return g.symbols * g.positions }

// each is how many members of an instance the code tells.
func (g groupCode) each() int { return (g.positions - 1) / (g.coefficients - 1) }

// longer is the code with further positions that tells one member more. ok is false when
// there are none.
func (g groupCode) longer() (longer groupCode, ok bool) {
	g.positions += g.coefficients - 1
	return g, g.positions <= g.symbols
}

// groupOf is the number of the group of a member at a position.
func (g groupCode) groupOf(member, position int) int {
	symbol, power := 0, 1
	for range g.coefficients {
		symbol = (symbol + member%g.symbols*power) % g.symbols
		member /= g.symbols
		power = power * position % g.symbols
	}
	return position*g.symbols + symbol
}

// primes are the numbers of symbols to choose from.
var primes = []int{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47}

// codes yields the codes for instances with at most so many members, and for how many
// members in all each is.
func codes(each int, yield func(g groupCode, members int)) {
	for _, symbols := range primes {
		members := symbols
		for coefficients := 2; each*(coefficients-1) < symbols && members < mostCandidates; coefficients++ {
			members *= symbols
			yield(groupCode{symbols: symbols, positions: each*(coefficients-1) + 1, coefficients: coefficients}, members)
		}
	}
}

// codeFor is the code with the fewest groups; ok is false when a search for each member
// takes no more.
func codeFor(members, each int) (best groupCode, ok bool) {
	least := members
	codes(each, func(g groupCode, most int) {
		if most >= members && g.groups() < least {
			best, least, ok = g, g.groups(), true
		}
	})
	return best, ok
}

// groupSearches is how many searches tell of so many members who has which, when
// instances have at most so many each.
func groupSearches(members, each int) int {
	if code, ok := codeFor(members, each); ok {
		return code.groups()
	}
	return members
}

// split makes the groups of the members.
func (g groupCode) split(members []string) [][]string {
	groups := make([][]string, g.groups())
	for i, member := range members {
		for position := range g.positions {
			group := g.groupOf(i, position)
			groups[group] = append(groups[group], member)
		}
	}
	return groups
}

// decode tells who has each member, from those who have any of each group. unclear are
// those who have more members than the code tells, or whom the answers contradict.
func (g groupCode) decode(members []string, holders [][]string) (of map[string][]string, unclear []string) {
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
		for name := range in[g.groupOf(i, 0)] {
			if g.inAll(in, i, name) {
				of[member] = append(of[member], name)
				numbers[name] = append(numbers[name], i)
			}
		}
	}
	for name := range hits {
		if has := numbers[name]; len(has) > g.each() || len(g.groupsOf(has)) != hits[name] {
			unclear = append(unclear, name)
		}
	}
	slices.Sort(unclear)
	return of, unclear
}

// extended is the code that is worth its further searches for the instances that are
// unclear, of which supposedly half would take a Get; ok is false when none is.
func (g groupCode) extended(holders [][]string, unclear []string) (best groupCode, ok bool) {
	least, sizes := len(unclear), g.leastMembers(holders, unclear)
	for longer, more := g.longer(); more; longer, more = longer.longer() {
		cost := 2 * (longer.groups() - g.groups())
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

// leastMembers is how many members each of the named has at least: as many as there are
// groups of a position that it is in.
func (g groupCode) leastMembers(holders [][]string, names []string) map[string]int {
	least := map[string]int{}
	for position := range g.positions {
		at := map[string]int{}
		for _, group := range holders[position*g.symbols : (position+1)*g.symbols] {
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

// groupsOf are the groups that any of the members is in.
func (g groupCode) groupsOf(members []int) map[int]bool {
	groups := map[int]bool{}
	for _, member := range members {
		for position := range g.positions {
			groups[g.groupOf(member, position)] = true
		}
	}
	return groups
}

// inAll tells whether a name is in all groups of a member.
func (g groupCode) inAll(in []map[string]bool, member int, name string) bool {
	for position := range g.positions {
		if !in[g.groupOf(member, position)][name] {
			return false
		}
	}
	return true
}
