// Tests of groups of members.

package groups

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// For each number of members there are as few groups as possible, if they are fewer than the members.
func TestFor(t *testing.T) {
	t.Parallel()
	for members, want := range map[int][2]int{ // the groups that show one member, and two
		0: {}, 6: {}, 7: {6}, 9: {6}, 10: {9}, 15: {9}, 16: {9, 15}, 25: {9, 15}, 26: {9, 21}, 27: {9, 21}, 28: {14, 21}, 49: {14, 21}, 50: {15, 25},
		125: {15, 25}, 126: {20, 35}, 343: {20, 35}, 344: {20, 49}, 2401: {25, 49}, 2402: {25, 77}, 3126: {35, 77}, Most: {35, 77},
	} {
		for i, groups := range want {
			if scheme, ok := For(members, i+1); ok != (groups > 0) || scheme.Groups() != groups {
				t.Errorf("%d members, %d shown: %d groups, want %d", members, i+1, scheme.Groups(), groups)
			}
		}
	}
	scheme, _ := For(50, 1)
	if more, ok := scheme.More(); !ok || more.Groups() != 25 {
		t.Errorf("%+v", more)
	} else if _, ok = more.More(); ok {
		t.Error("there are more directions than lines")
	}
}

// The square of the package comment has these columns and diagonals.
func TestSplit(t *testing.T) {
	t.Parallel()
	var members []string
	for i := range 25 {
		members = append(members, strconv.Itoa(i))
	}
	want := "[[0 5 10 15 20] [1 6 11 16 21] [2 7 12 17 22] [3 8 13 18 23] [4 9 14 19 24]" +
		" [0 9 13 17 21] [1 5 14 18 22] [2 6 10 19 23] [3 7 11 15 24] [4 8 12 16 20]]"
	if got := fmt.Sprint(Scheme{side: 5, digits: 2, mostMembers: 1}.Split(members)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Whatever the number of members is, the groups tell who has which, also of some who have more than they surely show, and
// who has too many to tell.
func TestDecode(t *testing.T) {
	t.Parallel()
	more := 0
	for _, count := range []int{2, 9, 16, 25, 26, 60, 101, 125, 126, 400} {
		for each := 1; each < 5; each++ {
			more += testDecode(t, count, each)
		}
	}
	if more < 1000 {
		t.Errorf("of those with more, %d are told", more)
	}
}

// testDecode returns of how many instances with more than each members the groups tell them.
func testDecode(t *testing.T, count, each int) (more int) {
	t.Helper()
	members := make([]string, count)
	for i := range members {
		members[i] = fmt.Sprint("m", i)
	}
	scheme, ok := For(count, each)
	if !ok {
		return 0
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
		switch _, is := slices.BinarySearch(unclear, name); {
		case is && (len(which) <= each || of[name] != nil):
			t.Errorf("%d members, %d each: %s has %d, unclear %t", count, each, name, len(which), is)
		case !is && !slices.Equal(told[name], which):
			t.Errorf("%d members, %d each: %s has %v, want %v", count, each, name, told[name], which)
		case !is && len(which) > each:
			more++
		}
	}
	// An answer that misses rows makes those unclear that it should hold.
	missing := found[scheme.groupsOf(1)[0]]
	found[scheme.groupsOf(1)[0]] = nil
	if _, unclear = scheme.Decode(members, found); len(missing) == 0 || !slices.Contains(unclear, "1 from 1") {
		t.Errorf("%d members, %d each: a missing answer is believed", count, each)
	}
	return more
}
