// Tests of groups of members.

package groups

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Whatever the number of members is, the groups tell who has which, and who has too many
// to tell.
func TestDecode(t *testing.T) {
	t.Parallel()
	for _, count := range []int{2, 9, 16, 25, 26, 60, 101, 125, 126, 400} {
		for each := 1; each < 5; each++ {
			testDecode(t, count, each)
		}
	}
}

func testDecode(t *testing.T, count, each int) {
	t.Helper()
	members := make([]string, count)
	for i := range members {
		members[i] = fmt.Sprint("m", i)
	}
	scheme, ok := For(count, each)
	if !ok {
		return
	}
	has := map[string][]int{"none": {}}
	for i := range count {
		for size := 1; size <= each+2; size++ {
			name := fmt.Sprintf("%d from %d", size, i)
			for step := range size {
				has[name] = append(has[name], (i+step*(i%3+1))%count)
			}
			slices.Sort(has[name])
			has[name] = slices.Compact(has[name])
		}
	}
	found := make([][]string, scheme.Groups())
	for name, which := range has {
		for _, i := range which {
			for _, group := range scheme.groupsOf(i) {
				found[group] = append(found[group], name)
			}
		}
	}
	of, unclear := scheme.Decode(members, found)
	told := map[string][]int{}
	for name, members := range of {
		for _, member := range members {
			i, err := strconv.Atoi(strings.TrimPrefix(member, "m"))
			if err != nil {
				t.Fatal(err)
			}
			told[name] = append(told[name], i)
		}
	}
	for name, which := range has {
		if _, is := slices.BinarySearch(unclear, name); is != (len(which) > each) {
			t.Errorf("%d members, %d each: %s has %d, unclear %t", count, each, name, len(which), is)
		} else if !is && !slices.Equal(told[name], which) {
			t.Errorf("%d members, %d each: %s has %v, want %v", count, each, name, told[name], which)
		}
	}
	// An answer that misses rows makes those unclear that it should hold.
	missing := found[scheme.groupsOf(1)[0]]
	found[scheme.groupsOf(1)[0]] = nil
	if _, unclear = scheme.Decode(members, found); len(missing) == 0 || !slices.Contains(unclear, "1 from 1") {
		t.Errorf("%d members, %d each: a missing answer is believed", count, each)
	}
}
