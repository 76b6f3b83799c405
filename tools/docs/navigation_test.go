// Tests of the groups of pages.

package main

import "testing"

func TestGroupOf(t *testing.T) {
	t.Parallel()
	for page, want := range map[[2]string]string{
		{"resources", "device"}:            inventory,
		{"data-sources", "devices"}:        inventory,
		{"list-resources", "task"}:         automation,
		{"functions", "workflow_problems"}: automation,
		{"guides", "troubleshooting"}:      ungrouped,
		{"guides", "rights"}:               access,
	} {
		if got, err := groupOf(page[0], page[1]); err != nil || got != want {
			t.Errorf("%v: got %q, %v; want %q", page, got, err, want)
		}
	}
	for _, page := range [][2]string{{"resources", "rack"}, {"guides", "device"}} {
		if group, err := groupOf(page[0], page[1]); err == nil {
			t.Errorf("%v: got %q and no error", page, group)
		}
	}
}
