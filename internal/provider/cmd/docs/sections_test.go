// Tests of the sections of the pages.

package main

import (
	"maps"
	"slices"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/schemas"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// Each attribute of a resource stands in one section, and each section has a heading of
// its own; what a configuration needs first stands under none.
func TestSections(t *testing.T) {
	t.Parallel()
	all := sections()
	for _, k := range kinds.All() {
		titles := map[string]bool{}
		var listed []string
		for _, s := range all[k.TypeName()] {
			if titles[s.Title] || len(s.Attributes) == 0 {
				t.Errorf("%s: %q stands twice, or is empty", k.Name, s.Title)
			}
			titles[s.Title] = true
			listed = append(listed, s.Attributes...)
		}
		if !titles[""] || !titles["Creating and deleting"] {
			t.Errorf("%s: %v", k.Name, titles)
		}
		slices.Sort(listed)
		if want := slices.Sorted(maps.Keys(schemas.Resource(k).Attributes)); !slices.Equal(listed, want) {
			t.Errorf("%s: %v, want %v", k.Name, listed, want)
		}
	}
}

// Each setting of the provider stands in one section; the connection comes first.
func TestSectionsOfTheProvider(t *testing.T) {
	t.Parallel()
	all := sections()["provider"]
	if all[0].Title != "Connection" || !slices.Equal(all[0].Attributes, []string{"base_url", "username", "password"}) {
		t.Errorf("the first section is %v", all[0])
	}
	seen := map[string]bool{}
	for _, s := range all {
		for _, name := range append(s.Attributes, s.Title) {
			if seen[name] {
				t.Errorf("%q stands twice", name)
			}
			seen[name] = true
		}
	}
}
