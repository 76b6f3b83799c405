// This file holds what is edited on a server, and what that changes in the code.

package export_test

import (
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// backStep is something that somebody does on a server.
type backStep struct {
	name       string
	edit       func(put func(typ string, payload enms.Object), remove func(typ, name string))
	difference string   // of the code
	says       []string // in the output or in report.json
	differs    bool     // the code is not as the server afterwards
	layout     bool     // the plan writes positions that are new to a layout
	table      bool     // the plan takes into the state what is new in a CSV file
	quiet      bool     // the directory does not change
}

func (s backStep) check() int {
	if s.quiet {
		return 0
	}
	return 2
}

// backSteps follow each other on one server and in one directory.
var backSteps = []backStep{
	{
		name: "a field with a comment, and one with another formatting",
		edit: func(put func(string, enms.Object), _ func(string, string)) {
			put("device", enms.Object{"name": "Austin", "location": "Houston", "port": 2222})
			put("device", enms.Object{"name": "Boston", "ip_address": "10.0.0.22"})
		},
		difference: `devices.tf
-  location   = "Austin" # ticket 7
+  location   = "Houston" # ticket 7
+  port       = 2222
-  ip_address="10.0.0.2"
+  ip_address="10.0.0.22"
`,
	},
	{
		name: "a long script, and a field of a service",
		edit: func(put func(string, enms.Object), _ func(string, string)) {
			put("python_snippet_service", enms.Object{"name": "[Site check] Parse", "source_code": strings.ReplaceAll(script, "# 5\n", "# five\r\n")})
			put("netmiko_commands_service", enms.Object{"name": "[Site check] Show version", "commands": "show version\nshow clock", "max_number_of_retries": 7})
		},
		difference: `code/site_check/parse.py
-# 5
+# five
workflow_site_check.tf
+  max_number_of_retries = 7
-    commands = "show version"
+    commands = chomp(<<-EOT
+    show version
+    show clock
+    EOT
+    )
`,
	},
	{
		name: "relations: members of a list on several lines, and of one on one line",
		edit: func(put func(string, enms.Object), _ func(string, string)) {
			put("pool", enms.Object{"name": "by hand", "devices": []string{"Boston", "Dallas", "Chicago"}})
			put("task", enms.Object{"name": "nightly", "devices": []string{"Austin", "Dallas"}})
		},
		difference: `pools.tf
-    enms_device.austin.name, # first
-    enms_device.boston.name
+    enms_device.boston.name,
+    enms_device.chicago.name,
+    enms_device.dallas.name,
tasks.tf
-  devices            = [enms_device.austin.name]
+  devices            = [enms_device.austin.name, enms_device.dallas.name]
`,
	},
	{
		name:   "a device, a step and a workflow are renamed",
		layout: true,
		edit: func(put func(string, enms.Object), _ func(string, string)) {
			put("device", enms.Object{"name": "Dallas", "new_name": "DFW"})
			put("python_snippet_service", enms.Object{"name": "[Site check] Report", "new_name": "[Site check] Summary", "scoped_name": "Summary"})
			put("workflow", enms.Object{"name": "Site check", "new_name": "Site audit", "scoped_name": "Site audit"})
		},
		difference: `devices.tf
-  name       = "Dallas"
+  name       = "DFW"
imports.tf
-import enms_device.dallas "Dallas"
+import enms_device.dallas "DFW"
-import enms_service.site_check "Site check"
-import enms_service.show_version "[Site check] Show version"
-import enms_service.parse "[Site check] Parse"
-import enms_service.report "[Site check] Report"
+import enms_service.site_check "Site audit"
+import enms_service.show_version "[Site audit] Show version"
+import enms_service.parse "[Site audit] Parse"
+import enms_service.report "[Site audit] Summary"
-import enms_workflow_layout.site_check "Site check"
+import enms_workflow_layout.site_check "Site audit"
workflow_site_check.tf
-  name        = "Site check"
+  name        = "Site audit"
-  name      = "[${enms_service.site_check.name}] Report"
+  name      = "[${enms_service.site_check.name}] Summary"
`,
	},
	{
		name:   "a new device, and a new step with its edges",
		layout: true,
		edit: func(put func(string, enms.Object), remove func(string, string)) {
			put("device", enms.Object{"name": "Denver", "ip_address": "10.0.0.9"})
			put("python_snippet_service", enms.Object{"name": "[Site audit] Notify", "scoped_name": "Notify", "workflows": []string{"Site audit"}, "source_code": script, "positions": map[string]any{"Site audit": []any{300, 70}}})
			put("workflow_edge", enms.Object{"name": "e5", "workflow": "Site audit", "source": "[Site audit] Summary", "destination": "[Site audit] Notify", "subtype": "failure"})
			put("workflow_edge", enms.Object{"name": "e6", "workflow": "Site audit", "source": "[Site audit] Notify", "destination": "[Shared] End", "subtype": "success"})
		},
		difference: `code/site_check/notify.py
+script
devices.tf
+
+resource "enms_device" "denver" {
+  name       = "Denver"
+  ip_address = "10.0.0.9"
+}
imports.tf
+import enms_device.denver "Denver"
+import enms_service.notify "[Site audit] Notify"
+import enms_workflow_edge.site_check["Summary -> Notify (failure)"] "e5"
+import enms_workflow_edge.site_check["Notify -> End"] "e6"
workflow_site_check.tf
+resource "enms_service" "notify" {
+  name      = "[${enms_service.site_check.name}] Notify"
+  type      = "python_snippet_service"
+  workflows = [enms_service.site_check.name]
+  properties = {
+    parameterized_form = ""
+    source_code        = file("${path.module}/code/site_check/notify.py")
+  }
+}
+
+    "Summary -> Notify (failure)" = {
+      source      = enms_service.report.name
+      destination = enms_service.notify.name
+      subtype     = "failure"
+    }
+    "Notify -> End" = { source = enms_service.notify.name, destination = "[Shared] End", subtype = "success" }
+    (enms_service.notify.name)       = { x = 300, y = 70 }
`,
	},
	{
		name: "a step and a device are removed",
		edit: func(put func(string, enms.Object), remove func(string, string)) {
			remove("service", "[Site audit] Parse")
			remove("device", "Denver")
			put("workflow_edge", enms.Object{"name": "e7", "workflow": "Site audit", "source": "[Site audit] Show version", "destination": "[Site audit] Summary", "subtype": "success"})
		},
		difference: `code/site_check/parse.py
-all
devices.tf
-
-resource "enms_device" "denver" {
-  name       = "Denver"
-  ip_address = "10.0.0.9"
-}
imports.tf
-import enms_service.parse "[Site audit] Parse"
-import enms_workflow_edge.site_check["Show version -> Parse"] "e2"
-import enms_workflow_edge.site_check["Parse -> Report"] "e3"
-import enms_device.denver "Denver"
+import enms_workflow_edge.site_check["Show version -> Summary"] "e7"
removed.tf
+removed enms_device.denver destroy = false
+removed enms_service.parse destroy = false
workflow_site_check.tf
-resource "enms_service" "parse" {
-  name       = "[${enms_service.site_check.name}] Parse"
-  type       = "python_snippet_service"
-  workflows  = [enms_service.site_check.name]
-  properties = { parameterized_form = "", source_code = file("${path.module}/code/site_check/parse.py") }
-}
-
-    "Show version -> Parse" = {
+    "Show version -> Summary" = {
-      destination = enms_service.parse.name
-      subtype     = "success"
-    }
-    "Parse -> Report" = {
-      source      = enms_service.parse.name
-    (enms_service.parse.name)        = { x = 100, y = 50 }
`,
	},
	{
		name: "an edge is changed",
		edit: func(put func(string, enms.Object), _ func(string, string)) {
			put("workflow_edge", enms.Object{"name": "e7", "color": "blue"})
		},
		difference: `workflow_site_check.tf
+      color       = "blue"
+  color       = try(each.value.color, null)
`,
	},
	{
		name: "what the code cannot be evaluated for, and what somebody has taken out of it",
		edit: func(put func(string, enms.Object), _ func(string, string)) {
			put("device", enms.Object{"name": "Chicago", "model": "MX", "location": "elsewhere"})
			put("device", enms.Object{"name": "DFW", "model": "QFX"})
		},
		says: []string{
			`enms_device.chicago model`, `It is not changed, because somebody has changed it in the code, too. The server has \"QFX\".`,
			`It is not changed, because somebody has changed it in the code, too. The server has \"MX\".`,
		},
		differs: true,
	},
	{
		name: "and back",
		edit: func(put func(string, enms.Object), _ func(string, string)) {
			put("device", enms.Object{"name": "Chicago", "model": "N9K"})
			put("device", enms.Object{"name": "DFW", "model": "N9K"})
		},
	},
	{
		name:  "nothing",
		edit:  func(func(string, enms.Object), func(string, string)) {},
		quiet: true,
	},
}
