// Tests of groups of members.

package enms

import (
	"fmt"
	"slices"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// Whatever the number of members is, the groups tell who has which one, and who has
// several.
func TestGroups(t *testing.T) {
	t.Parallel()
	for count := range 140 {
		members := make([]string, count)
		for i := range members {
			members[i] = fmt.Sprint("m", i)
		}
		groups := groupsOf(members)
		if cost := groupSearches(count); cost > count || len(groups) > 0 && len(groups) != cost || len(groups) == 0 && cost != count {
			t.Errorf("%d members: %d groups, which cost %d", count, len(groups), cost)
		}
		if most := mostMembers(groupSearches(count)); most < count {
			t.Errorf("%d members: as many searches tell of %d", count, most)
		}
		if len(groups) == 0 {
			continue
		}
		has := map[string][]int{"none": {}, "two": {0, count - 1}, "neighbours": {2, 3}, "all but one": {}}
		for i := range count - 1 {
			has["all but one"] = append(has["all but one"], i)
			has[fmt.Sprint("one", i)] = []int{i}
		}
		holders := make([][]string, len(groups))
		for g, group := range groups {
			for name, which := range has {
				if slices.ContainsFunc(which, func(i int) bool { return slices.Contains(group, members[i]) }) {
					holders[g] = append(holders[g], name)
				}
			}
		}
		of, several := decodeGroups(members, holders)
		slices.Sort(several)
		if want := []string{"all but one", "neighbours", "two"}; !slices.Equal(several, want) {
			t.Errorf("%d members: %q have several", count, several)
		}
		for i, member := range members {
			want := []string{fmt.Sprint("one", i)}
			if i == count-1 {
				want = nil
			}
			if !slices.Equal(of[member], want) {
				t.Errorf("%d members: %q have %s, want %q", count, of[member], member, want)
			}
		}
		holders[0] = nil // an answer that misses rows
		if of, _ := decodeGroups(members, holders); len(of[members[0]]) > 0 {
			t.Errorf("%d members: %q have %s although an answer lacks them", count, of[members[0]], members[0])
		}
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
	// The user, a page, the workflows, and two for each of six binary digits.
	if n := s.count(""); n > 15 {
		t.Errorf("%d requests: %q", n, s.requests())
	}
	if _, known := has("[Shared] s", "w3", "w4"); known {
		t.Error("the groups tell of a service in two workflows")
	}
}
