// Tests of groups of members.

package enms

import (
	"fmt"
	"slices"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// Whatever the number of members is, the groups tell who has which, and who has too many
// to tell.
func TestGroups(t *testing.T) {
	t.Parallel()
	for _, count := range []int{2, 9, 16, 25, 26, 60, 101, 125, 126, 400} {
		for each := 1; each < 5; each++ {
			testGroups(t, count, each)
		}
	}
}

func testGroups(t *testing.T, count, each int) {
	t.Helper()
	members := make([]string, count)
	for i := range members {
		members[i] = fmt.Sprint("m", i)
	}
	if cost := groupSearches(count, each); cost > count {
		t.Errorf("%d members: %d searches", count, cost)
	}
	code, ok := codeFor(count, each)
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
	holders := make([][]string, code.groups())
	for name, which := range has {
		for _, i := range which {
			for position := range code.positions {
				holders[code.groupOf(i, position)] = append(holders[code.groupOf(i, position)], name)
			}
		}
	}
	of, unclear := code.decode(members, holders)
	told := map[string][]int{}
	for i, member := range members {
		for _, name := range of[member] {
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
	missing := holders[code.groupOf(1, 0)]
	holders[code.groupOf(1, 0)] = nil
	if _, unclear = code.decode(members, holders); len(missing) == 0 || !slices.Contains(unclear, "1 from 1") {
		t.Errorf("%d members, %d each: a missing answer is believed", count, each)
	}
}

func TestRelationsToManyByGroups(t *testing.T) {
	t.Parallel()
	s := newServer(t, simulator.Options{})
	const count = 60
	var workflows, services []Object
	for i := range count {
		workflows = append(workflows, Object{"name": fmt.Sprint("w", i)})
		services = append(services, Object{"name": fmt.Sprintf("[w%d] s", i), "scoped_name": "s", "workflows": []string{fmt.Sprint("w", i)}})
	}
	s.add(t, "workflow", workflows...)
	s.add(t, "python_snippet_service", services...)
	s.add(t, "python_snippet_service", Object{"name": "[Shared] s", "scoped_name": "s", "shared": true, "workflows": []string{"w3", "w4"}})
	s.set(t)
	c := s.client(t)
	has := func(name string, workflows ...string) (has, known bool) {
		return c.HasRelations(t.Context(), "service", name, []Relation{{Name: "workflows", Of: "workflow", Inverse: "services", Members: workflows}}, nil)
	}
	for i, err := range together(count, func(i int) error {
		expected := fmt.Sprint("w", i)
		if i == 7 {
			expected = "w8"
		}
		if has, known := has(fmt.Sprintf("[w%d] s", i), expected); !known || has != (i != 7) {
			return fmt.Errorf("known %t, as expected %t", known, has)
		}
		return nil
	}) {
		if err != nil {
			t.Errorf("service %d: %v", i, err)
		}
	}
	// The user, a page, the workflows, and their groups.
	if n := s.count(""); n > 3+groupSearches(count, 1) {
		t.Errorf("%d requests: %q", n, s.requests())
	}
	if _, known := has("[Shared] s", "w3", "w4"); known {
		t.Error("the groups tell of a service in two workflows")
	}
}
