// This file exports servers again into code whose devices and links are CSV files.

package export_test

import (
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// What is changed on the server is changed in the CSV files: cells, rows and columns. People
// have edited a file as well: the order of its rows, their quotes and a spreadsheet's byte order mark stay.
func TestExport_backIntoTables(t *testing.T) {
	t.Parallel()
	s, exported := exportedSmall(t, "-inventory", "csv")
	edit(t, exported.Dir, "devices.csv", "Boston,10.0.0.2,Boston,N9K,Cisco\n", "")
	edit(t, exported.Dir, "devices.csv", "Dallas,10.0.0.4,Dallas,N9K,Cisco\n", "\"Dallas\",10.0.0.4,Dallas,N9K,\"Cisco\"\nBoston,10.0.0.2,Boston,N9K,Cisco\n")
	exported.PlanNothing()
	play(s, exported, []string{"-inventory", "csv"}, []backStep{
		{
			name: "cells of two devices, one of them empty",
			edit: func(put func(string, enms.Object), _ func(string, string)) {
				put("device", enms.Object{"name": "Austin", "location": "Houston, Texas"})
				put("device", enms.Object{"name": "Dallas", "model": ""})
			},
			difference: `devices.csv
-Austin,10.0.0.1,Austin,N9K,Cisco
+Austin,10.0.0.1,"Houston, Texas",N9K,Cisco
-"Dallas",10.0.0.4,Dallas,N9K,"Cisco"
+Dallas,10.0.0.4,Dallas,,Cisco
`,
		},
		{
			name:  "a field that has no column yet, and that is a number",
			table: true,
			edit: func(put func(string, enms.Object), _ func(string, string)) {
				put("device", enms.Object{"name": "Chicago", "port": 2222})
			},
			difference: `devices.csv
-name,ip_address,location,model,vendor
-Austin,10.0.0.1,"Houston, Texas",N9K,Cisco
-Chicago,10.0.0.3,Chicago,N9K,Cisco
-Dallas,10.0.0.4,Dallas,,Cisco
-Boston,10.0.0.2,Boston,N9K,Cisco
+name,ip_address,location,model,vendor,port
+Austin,10.0.0.1,"Houston, Texas",N9K,Cisco,
+Chicago,10.0.0.3,Chicago,N9K,Cisco,2222
+Dallas,10.0.0.4,Dallas,,Cisco,
+Boston,10.0.0.2,Boston,N9K,Cisco,
devices.tf
-    for row in csvdecode(trimprefix(file("${path.module}/devices.csv"), "\uFEFF")) : row.name => { for property, text in row : property => text if text != "" && property != "name" }
+    for row in csvdecode(trimprefix(file("${path.module}/devices.csv"), "\uFEFF")) : row.name => merge(
+      { for property, text in row : property => text if text != "" && !contains(["name", "port"], property) },
+      { for property in ["port"] : property => tonumber(row[property]) if row[property] != "" },
+    )
`,
		},
		{
			name:  "a new device and a new link",
			table: true,
			edit: func(put func(string, enms.Object), _ func(string, string)) {
				put("device", enms.Object{"name": "Denver", "ip_address": "10.0.0.9"})
				put("link", enms.Object{"name": "C - D", "source": "Chicago", "destination": "Denver"})
			},
			difference: `devices.csv
+Denver,10.0.0.9,,,,
devices.tf
+  adopt_existing = true
links.csv
+C - D,Denver,Chicago
links.tf
-  depends_on = [enms_instances.devices]
+  adopt_existing = true
+  depends_on     = [enms_instances.devices]
`,
		},
		{
			name:  "a device is renamed",
			table: true,
			edit: func(put func(string, enms.Object), _ func(string, string)) {
				put("device", enms.Object{"name": "Boston", "new_name": "BOS"})
			},
			difference: `devices.csv
-Boston,10.0.0.2,Boston,N9K,Cisco,
+BOS,10.0.0.2,Boston,N9K,Cisco,
links.csv
-A - B,Boston,Austin
+A - B,BOS,Austin
pools.tf
-  devices    = ["Austin", "Boston"]
+  devices    = ["Austin", "BOS"]
`,
		},
	})
}
