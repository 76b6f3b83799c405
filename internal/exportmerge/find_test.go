// This file tests how blocks are identified, and found where people have moved them.

package exportmerge

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// A block has an id, an address if it is a resource, and a name for messages. Invalid blocks have no address.
func TestFileBlock(t *testing.T) {
	t.Parallel()
	code := codeOf(t, filesOf(`
resource "enms_device" "a" {} #                 resource enms_device a|enms_device.a||enms_device.a
import { to = enms_device.a } #                 import enms_device.a||enms_device.a|import enms_device.a
import { to = enms_link.l["A"] } #              import enms_link.l["A"]||enms_link.l["A"]|import enms_link.l["A"]
removed { from = enms_device.b } #              removed enms_device.b|||removed enms_device.b
moved { from = enms_device.b } #                moved|||moved
provider "enms" {} #                            provider enms|||provider enms
provider "enms" { alias = "lab" } #             provider enms alias "lab"|||provider enms alias "lab"
terraform {} #                                  terraform without required_providers|||terraform without required_providers
terraform {
  backend "s3" {}
} #                                             terraform without required_providers|||terraform without required_providers
terraform {
  required_providers {}
} #                                             terraform|||terraform
locals { to = enms_device.a } #                 locals|||locals
resource "enms_device" {} #                     resource enms_device|||resource enms_device
data "enms_device" "d" {} #                     data enms_device d|||data enms_device d
module { providers = {} } #                     module|||module
-- modules/w/main.tf --
resource "enms_device" "a" {} #                 modules/w: resource enms_device a|module.w.enms_device.a||module.w.enms_device.a
variable "v" {} #                               modules/w: variable v|||modules/w: variable v
`))
	for _, p := range code.blocks() {
		_, want, _ := strings.Cut(string(p.file.text[p.block.CloseBraceRange.End.Byte:p.file.lineEnd(p.block.CloseBraceRange.End.Byte)-1]), "# ")
		if have := strings.Join([]string{p.id(), p.address(), p.imported(), p.called()}, "|"); have != strings.TrimSpace(want) {
			t.Errorf("it is %s, and not %s", have, strings.TrimSpace(want))
		}
		if address := p.address(); address != "" && blockID(address) != p.id() {
			t.Errorf("the id of %s is %s, and not %s", address, blockID(address), p.id())
		}
	}
	if _, is := code.resource(""); is {
		t.Error("a block without an address is a resource")
	}
	const addresses = "enms_device.a enms_device.b module.w.enms_device.a"
	if have := code.Addresses(); strings.Join(have, " ") != addresses {
		t.Errorf("the addresses are %q", have)
	}
}

// Imports and removals are no lines of configuration.
func TestCode_Lines(t *testing.T) {
	t.Parallel()
	if n := codeOf(t, filesOf("# 1\n# 2\n-- imports.tf --\n# 3\n-- removed.tf --\n# 4\n-- moved.tf --\n# 5\n")).Lines(); n != 3 {
		t.Errorf("it has %d lines, and not 3", n)
	}
}

// The instances of a block are the keys of for_each, also of an object that the root passes to a module, or any with count.
func TestFileBlock_hasKey(t *testing.T) {
	t.Parallel()
	code := codeOf(t, filesOf(`
resource "enms_device" "single" {}
resource "enms_device" "count" { count = 2 }
resource "enms_device" "each" { for_each = { a = 1, "b" = 2 } }
resource "enms_device" "local" { for_each = local.all }
resource "enms_device" "root" { for_each = var.all }
module "w" { all = { a = 1 } }
module "x" {}
-- modules/w/main.tf --
resource "enms_device" "each" { for_each = { c = 1 } }
resource "enms_device" "passed" { for_each = var.all }
resource "enms_device" "not" { for_each = var.other }
-- modules/x/main.tf --
resource "enms_device" "not" { for_each = var.all }
-- modules/y/main.tf --
resource "enms_device" "not" { for_each = var.all }
`))
	for at, want := range map[string]string{
		"enms_device.single": "true true", `enms_device.single["a"]`: "false true",
		"enms_device.count": "true false", `enms_device.count[0]`: "true false",
		"enms_device.each": "false true", `enms_device.each["a"]`: "true true", `enms_device.each["b"]`: "true true", `enms_device.each["c"]`: "false true",
		`enms_device.local["a"]`: "true false", `enms_device.root["a"]`: "true false",
		`module.w.enms_device.each["c"]`: "true true", `module.w.enms_device.passed["a"]`: "true true", `module.w.enms_device.passed["b"]`: "false true",
		`module.w.enms_device.not["a"]`: "true false", `module.x.enms_device.not["a"]`: "true false", `module.y.enms_device.not["a"]`: "true false",
	} {
		p, is := code.resource(at)
		_, key := splitKey(at)
		has, known := p.hasKey(key)
		if have := fmt.Sprint(has, known); !is || have != want {
			t.Errorf("%s: it is %s, and not %s", at, have, want)
		}
	}
}

// People move blocks to other labels and files, delete them, and write new ones. Each object of the table is looked for at
// the address in the record, and then as a new one by its name.
func TestLocate(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	for name, content := range filesOf(`
resource "enms_device" "main" {}
resource "enms_device" "imported" {}
resource "enms_device" "named" { name = "d" }
resource "enms_device" "used" { name = "used" }
resource "enms_pool" "d" { name = "pool" }
-- moved.tf --
moved {
  from = enms_device.a
  to   = enms_device.core
}
moved {
  from = enms_device.core
  to   = enms_device.main
}
moved {
  from = enms_device.f
  to   = enms_device.f["F"]
}
moved {
  from = enms_device.g
  to   = module.own.enms_device.g
}
moved {
  from = enms_device.circle
  to   = enms_device.round
}
moved {
  from = enms_device.round
  to   = enms_device.circle
}
moved {
  from = enms_workflow_edge.v
  to   = enms_workflow_edge.w
}
-- service.tf --
resource "enms_service" "w" { name = "W" }
resource "enms_service" "s" { name = "[${enms_service.w.name}] S" }
resource "enms_pool" "x" { name = "X" }
resource "enms_service" "label" { name = enms_pool.x.label }
resource "enms_service" "whole" { name = enms_pool.x }
resource "enms_service" "none" { name = enms_service.none.name }
resource "enms_service" "nameless" { label = "nameless" }
resource "enms_service" "of_nameless" { name = "a${enms_service.nameless.name}" }
resource "enms_service" "circle" { name = enms_service.circle.name }
-- imports.tf --
import {
  to = enms_device.not_there
  id = "nowhere"
}
import {
  to = enms_pool.d
  id = "c"
}
import {
  to = enms_device.used
  id = "c"
}
import {
  to = enms_device.imported
  id = "c"
}
-- edges.tf --
resource "enms_workflow_edge" "w" { for_each = { "A -> B" = {} } }
-- other.tf --
resource "enms_device" "lab" {
  provider = enms.lab
  name     = "e"
}
resource "enms_device" "many" {
  count = 2
  name  = "many"
}
resource "enms_device" "f" {
  for_each = { F = 1 }
  name     = "each"
}
-- a_override.tf --
resource "enms_device" "hidden" {}
-- override.tf --
resource "enms_device" "hidden" {}
-- b.tf.json --
{}
-- modules/w/c.tf.json --
{}
-- .hidden.tf --
resource "enms_device" "hidden" {}
-- modules/w/main.tf --
resource "enms_service" "inside" {}
-- modules/own/own.tf --
resource "enms_device" "g" { name = "g" }
resource "enms_device" "h" { name = "h" }
-- elsewhere/other.tf --
resource "enms_device" "elsewhere" {}
`) {
		files[name] = &fstest.MapFile{Data: content}
	}
	code, err := Read(files)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(code.Unread, []string{"a_override.tf", "override.tf", "b.tf.json", "modules/w/c.tf.json"}) {
		t.Errorf("these are left alone: %q", code.Unread)
	}
	code.findOwnModules(&Record{Written: map[string]map[string]string{"modules/w: resource enms_service inside": {}, "resource enms_device a": {}}})
	for _, test := range []struct{ recorded, name, want string }{
		{"enms_device.g", "g", ""},
		{"enms_device.new", "h", ""},
		{"enms_device.a", "a", "enms_device.main"},
		{"enms_device.c", "c", "enms_device.imported"},
		{"enms_device.d", "d", "enms_device.named"},
		{"enms_device.d", "pool", ""},
		{"enms_device.other", "used", ""},
		{"enms_device.d", "nowhere", ""},
		{"enms_device.circle", "", ""},
		{"enms_service.old", "[W] S", "enms_service.s"},
		{"enms_service.old", "W", "enms_service.w"},
		{"enms_service.old", "a", ""},
		{"enms_service.old", "X", ""},
		{"enms_service.old", "", ""},
		{`enms_workflow_edge.w["A -> B"]`, "e1", `enms_workflow_edge.w["A -> B"]`},
		{`enms_workflow_edge.v["A -> B"]`, "e1", `enms_workflow_edge.w["A -> B"]`},
		{`enms_workflow_edge.w["A -> C"]`, "e2", ""},
		{"enms_device.e", "e", ""},
		{"enms_device.many", "m", "enms_device.many[0]"},
		{"enms_device.many[1]", "m", "enms_device.many[1]"},
		{"enms_device.not_many", "many", ""},
		{"enms_device.not_each", "each", ""},
		{"enms_device.f", "f", `enms_device.f["F"]`},
		{`enms_device.f["G"]`, "f", ""},
		{"enms_device.hidden", "h", ""},
		{"module.w.enms_service.inside", "[W] T", "module.w.enms_service.inside"},
		{"enms_device.elsewhere", "x", ""},
	} {
		have := code.current(test.recorded)
		if have == "" {
			have = code.findNew(&Object{Type: strings.Split(strings.TrimPrefix(test.recorded, "module.w."), ".")[0], NameIn: "name"}, test.name, map[string]bool{"enms_device.used": true})
		}
		if have != test.want {
			t.Errorf("%s is at %q, and not at %q", test.recorded, have, test.want)
		}
	}
}
