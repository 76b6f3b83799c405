// Group tests: which one of many members an instance has is told by fewer searches than
// there are members.

package enms

import "math/bits"

// groupSearches is how many searches tell of so many members who has which: one for each,
// or, by groups, two for each digit of their binary numbers.
func groupSearches(members int) int {
	if members < 2 {
		return members
	}
	return min(members, 2*bits.Len(uint(members-1)))
}

// mostMembers is of how many members so many searches tell.
func mostMembers(searches int) int {
	return max(searches, 1<<min(max(searches, 0)/2, 20))
}

// groupsOf makes the groups to search for: two for each binary digit, of the members whose
// number has it and of those whose number has it not. There are none where a search for
// each member takes no more.
func groupsOf(members []string) (groups [][]string) {
	if groupSearches(len(members)) == len(members) {
		return nil
	}
	for digit := range bits.Len(uint(len(members) - 1)) {
		var without, with []string
		for i, member := range members {
			if i>>digit&1 == 0 {
				without = append(without, member)
			} else {
				with = append(with, member)
			}
		}
		groups = append(groups, without, with)
	}
	return groups
}

// decodeGroups tells for each member who has it, from those who have any of each group.
// Whoever is in both groups of a digit has several members, which the groups do not tell.
func decodeGroups(members []string, holders [][]string) (of map[string][]string, several []string) {
	number, found := map[string]int{}, map[string]int{}
	for group, names := range holders {
		for _, name := range names {
			number[name] += group & 1 << (group / 2)
			found[name] |= 1 << group
		}
	}
	of = map[string][]string{}
	for _, member := range members {
		of[member] = nil
	}
	for name, groups := range found {
		member := number[name]
		if bits.OnesCount(uint(groups)) != len(holders)/2 || !onePerDigit(groups, len(holders)) || member >= len(members) {
			several = append(several, name)
			continue
		}
		of[members[member]] = append(of[members[member]], name)
	}
	return of, several
}

// onePerDigit tells whether there is one of the two groups of each digit.
func onePerDigit(groups, count int) bool {
	for digit := range count / 2 {
		if pair := groups >> (2 * digit) & 3; pair != 1 && pair != 2 {
			return false
		}
	}
	return true
}
