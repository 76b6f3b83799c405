// This file exports servers again whose networks and workflows were drawn anew.

package export_test

import (
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// Nodes that are moved on a map, and labels of maps and workflows, are changed in the layouts.
func TestExport_backIntoLayouts(t *testing.T) {
	t.Parallel()
	s, exported := exportedSmall(t)
	put, dir := putOn(s), exported.Dir
	put("network", enms.Object{"name": "Backbone", "nodes": []string{"Austin", "Boston", "Chicago"}})
	put("device", enms.Object{"name": "Austin", "positions": map[string]any{"Backbone": []any{0, 0}}})
	put("device", enms.Object{"name": "Boston", "positions": map[string]any{"Backbone": []any{100, 0}}})
	put("workflow", enms.Object{"name": "Site check", "scoped_name": "Site check", "labels": map[string]any{
		"title-------------------------------": map[string]any{"content": "Checks a site", "positions": []any{0, -100}, "alignment": "center", "size": "20"}}})
	exports(s, exported, dir)
	exported.Apply(10)
	edit(t, dir, "networks.tf", "    (enms_device.boston.name) = { x = 100, y = 0 }\n", "    # the east coast\n    (enms_device.boston.name) = { x = 100, y = 0 } # New England\n")
	play(s, exported, nil, []backStep{
		{
			name:   "a node is moved, and another one is placed",
			layout: true,
			edit: func(put func(string, enms.Object), _ func(string, string)) {
				put("device", enms.Object{"name": "Boston", "positions": map[string]any{"Backbone": []any{120, -5.5}}})
				put("device", enms.Object{"name": "Chicago", "positions": map[string]any{"Backbone": []any{50, 50}}})
			},
			difference: `networks.tf
-    (enms_device.boston.name) = { x = 100, y = 0 } # New England
+    (enms_device.boston.name)  = { x = 120, y = -5.5 } # New England
+    (enms_device.chicago.name) = { x = 50, y = 50 }
`,
		},
		{
			name:   "labels of the workflow: one is changed, and one is new",
			layout: true,
			edit: func(put func(string, enms.Object), _ func(string, string)) {
				put("workflow", enms.Object{"name": "Site check", "labels": map[string]any{
					"title-------------------------------": map[string]any{"content": "Looks at a site", "positions": []any{0, -120}, "alignment": "center", "size": "20"},
					"0b1c2d3e-4f50-4a1b-8c2d-0123456789ab": map[string]any{"content": "only at night", "positions": []any{10, 200}, "alignment": "left", "size": "14"}}})
			},
			difference: `workflow_site_check.tf
-  labels = { title = { text = "Checks a site", x = 0, y = -100, size = 20 } }
+  labels = {
+    "0b1c2d3e-4f50-4a1b-8c2d-0123456789ab" = { text = "only at night", x = 10, y = 200, alignment = "left" }
+    title                                  = { text = "Looks at a site", x = 0, y = -120, size = 20 }
+  }
`,
		},
		{
			name: "a label is removed, and a node leaves the network",
			edit: func(put func(string, enms.Object), _ func(string, string)) {
				put("workflow", enms.Object{"name": "Site check", "labels": map[string]any{
					"0b1c2d3e-4f50-4a1b-8c2d-0123456789ab": map[string]any{"content": "only at night", "positions": []any{10, 200}, "alignment": "left", "size": "14"}}})
				put("network", enms.Object{"name": "Backbone", "nodes": []string{"Austin", "Boston"}})
				put("device", enms.Object{"name": "Chicago", "positions": map[string]any{}})
			},
			difference: `networks.tf
-  nodes = [enms_device.austin.name, enms_device.boston.name, enms_device.chicago.name]
+  nodes = [enms_device.austin.name, enms_device.boston.name]
-    (enms_device.boston.name)  = { x = 120, y = -5.5 } # New England
-    (enms_device.chicago.name) = { x = 50, y = 50 }
+    (enms_device.boston.name) = { x = 120, y = -5.5 } # New England
workflow_site_check.tf
-    title                                  = { text = "Looks at a site", x = 0, y = -120, size = 20 }
`,
		},
	})
}
