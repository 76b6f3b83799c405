// This file merges exports of several files into code that people have edited.

package exportmerge

import (
	"strings"
	"testing"
)

// edges has a block with instances, as several files show it: its import block, and what refers to it.
const edges = `
resource "enms_workflow_edge" "w" {
  for_each = {
    "a" = { label = "A" }
    "b" = { label = "B" }
  }
}
-- imports.tf --
import {
  to = enms_workflow_edge.w["a"]
  id = "e1"
}
`

// calls has a module with a variable, for which the root passes the output of another one. short is without both. pool reads
// the variable.
const calls = `
module "w" {
  source  = "./modules/w"
  service = module.v.service
}

module "v" {
  source = "./modules/v"
}
-- modules/w/main.tf --
` + pool + `-- modules/w/variables.tf --
variable "service" {
  type = string
}
-- modules/v/main.tf --
resource "enms_device" "a" {
  name = "a"
}
-- modules/v/outputs.tf --
output "service" {
  value = enms_device.a.name
}
`

const pool = `resource "enms_pool" "p" {
  name = var.service
}
`

const short = `
module "w" {
  source = "./modules/w"
}

module "v" {
  source = "./modules/v"
}
`

var goneCalls = gone("module.w.enms_pool.p", "module.v.enms_device.a")

// importB is the import block of another instance of edges, and edgeC is an instance.
const (
	importB = "import {\n  to = enms_workflow_edge.w[\"b\"]\n  id = \"e2\"\n}\n"
	edgeB   = "    \"b\" = { label = \"B\" }\n"
	edgeC   = "    \"c\" = { label = \"C\" }\n"
)

func gone(addresses ...string) func(*Input) {
	return func(in *Input) {
		in.Gone = map[string]bool{}
		for _, address := range addresses {
			in.Gone[address] = true
		}
	}
}

func keeping(addresses ...string) func(*Input) {
	return func(in *Input) {
		gone(addresses...)(in)
		in.Keep = true
	}
}

// Blocks are added, merged and removed wherever they are, with what belongs to them in other files.
func TestMerge_files(t *testing.T) {
	t.Parallel()
	const block = "resource \"enms_device\" \"a\" {\n  name = \"a\"\n}"
	const device = block + "\n"
	const tasks = "module \"w\" {\n  source = \"./modules/w\"\n  tasks = {}\n}\n-- modules/w/main.tf --\nresource \"enms_task\" \"t\" {\n  for_each = var.tasks\n}\n"
	const moved = "-- moved.tf --\nmoved {\n  from = module.w.enms_task.t[\"a\"]\n  to   = module.v.enms_task.t[\"a\"]\n}\n"
	const importTask = "-- imports.tf --\nimport {\n  to = module.w.enms_task.t[\"a\"]\n  id = \"a\"\n}\n"
	const theirs, importA = "# the end\n", "-- imports.tf --\nimport {\n  to = enms_device.a\n  id = \"a\"\n}\n"
	other := strings.ReplaceAll(device, `"a"`, `"b"`)
	circle := strings.Replace(device, `= "a"`, "= enms_device.b.name", 1) + "\n" + strings.Replace(other, `= "b"`, "= enms_device.a.name", 1)
	crlf, unrecorded := []string{"one\ntwo\n", "one\r\ntwo\r\n"}, func(in *Input) { in.Record = nil }
	inModule := "-- modules/w/main.tf --\n" + strings.Replace(script, "-- code", "-- modules/w/code", 1)
	removed := "-- removed.tf --\nremoved {\n  from = enms_device.a\n\n  lifecycle {\n    destroy = false\n  }\n}\n"
	runMerges(t, map[string]mergeTest{
		// What is new:
		"a resource comes behind the one before": {
			before: device, exported: []string{device, device + "\n" + other}, code: []string{device, device + theirs}, want: []string{theirs, "\n" + other + theirs},
			says: []string{"change: main.tf: enms_device.b is new"},
		},
		"a resource without one before it in its file": {
			before: device + "-- z.tf --\n", exported: []string{"-- z.tf --\n", "-- z.tf --\n" + other}, code: []string{"-- z.tf --\n", "-- z.tf --\n" + theirs}, want: []string{theirs, theirs + "\n" + other},
		},
		"another block comes at the end": {
			before: "variable \"a\" {}\n", exported: []string{"{}\n", "{}\n\nvariable \"b\" {}\n"}, code: []string{"{}\n", "{}\n" + theirs}, want: []string{theirs, theirs + "\nvariable \"b\" {}\n"},
			says: []string{"change: main.tf: variable b is new"},
		},
		"an import of what people have written": {
			before: device, exported: []string{device, device + "\n" + other + "-- imports.tf --\nimport {\n  to = enms_device.b\n  id = \"b\"\n}\n"},
			code: []string{device, device + strings.ReplaceAll(other, `name = "b"`, "name = \"mine\"")},
		},
		"an import of a block with count": {
			before: device, exported: []string{device, device + "-- imports.tf --\nimport {\n  to = enms_device.a\n  id = \"a\"\n}\n"},
			code: []string{"  name", "  count = 1\n  name"}, says: []string{"unwritten: import enms_device.a"},
		},
		"an import of an instance that people's block does not get": {
			before: edges, exported: []string{edgeB, edgeB + edgeC, "e1\"\n}\n", "e1\"\n}\n\n" + strings.ReplaceAll(importB, `"b"`, `"c"`)},
			code: []string{"  for_each", "  provider = enms.lab\n  for_each"}, says: []string{`unwritten: import enms_workflow_edge.w["c"]`},
		},
		"terraform and a provider, which people have written otherwise": {
			before: device, exported: []string{device, device + "terraform {\n  required_providers {}\n}\nprovider \"enms\" {}\n"},
			code: []string{device, device + "terraform {\n  backend \"s3\" {}\n}\nprovider \"enms\" {\n  alias = \"lab\"\n}\n"},
		},
		"terraform and a provider, which people have of others": {
			before: device, exported: []string{device, device + "provider \"enms\" {}\n-- modules/w/main.tf --\nterraform {\n  required_providers {}\n}\n"},
			code: []string{device, device + "terraform {\n  backend \"s3\" {}\n}\nprovider \"aws\" {}\n"},
			want: []string{"provider \"aws\" {}\n", "provider \"aws\" {}\n\nprovider \"enms\" {}\n-- modules/w/main.tf --\nterraform {\n  required_providers {}\n}\n"},
		},
		"terraform, beside other blocks": {
			before: device, exported: []string{device, device + "terraform {\n  required_providers {}\n}\n"}, code: []string{device, device + "locals {}\n"}, want: []string{"locals {}\n", "locals {}\n\nterraform {\n  required_providers {}\n}\n"},
		},
		"a file that people have written in JSON": {
			before: device, code: []string{device, device + "-- a.tf.json --\n{}\n"}, left: "left: a.tf.json|It is left alone",
		},

		"one that exists again": {
			before: device, exported: []string{device, device + "\n" + other}, code: []string{device, device + removed + "\n" + strings.ReplaceAll(removed[len("-- removed.tf --\n"):], "device.a", "device.b")},
			want: []string{device + "-- ", device + "\n" + other + "-- ", "}\n\n" + strings.ReplaceAll(removed[len("-- removed.tf --\n"):], "device.a", "device.b"), "}\n"},
		},
		"one that exists again where it was before it moved": {
			before: tasks + moved, exported: []string{"{}", "{ a = {} }", moved, importTask}, want: []string{"{}", "{ a = {} }", moved, importTask},
		},
		"an instance whose key another one has now": {
			before: edges, exported: []string{"e1", "e2", `"A"`, `"new"`}, want: []string{"e1", "e2", `"A"`, `"new"`}, in: gone(`enms_workflow_edge.w["a"]`),
		},

		// What is changed:
		"members of a list, and an angle bracket": {
			exported: []string{"enms_device.a.name, ", "\"R4\", ", "Cisco", "A -> B"}, code: []string{"enms_device.b.name]", "enms_device.b.name, var.c]"}, want: []string{"Cisco", "A -> B", "enms_device.a.name, ", "\"R4\", "},
			says: []string{`change: main.tf:4: enms_device.a: vendor = "A -> B", which was "Cisco"`, `change: main.tf:14: enms_pool.p: devices + "R4" - enms_device.a.name`},
		},
		"a block on one line gets another one": {
			before: "resource \"enms_device\" \"a\" { name = \"a\" }\n", exported: []string{"{ name = \"a\" }", "{\n  name = \"a\"\n  port = 1\n}"}, want: []string{"{ name = \"a\" }", "{\n  name = \"a\"\n  port = 1\n}"},
		},
		"a nested block goes": {
			before: strings.Replace(device, "\n}", "\n\n  lifecycle {\n    ignore_changes = [port]\n  }\n}", 1), exported: []string{"\n\n  lifecycle {\n    ignore_changes = [port]\n  }\n}", "\n}"}, want: []string{"\n\n  lifecycle {\n    ignore_changes = [port]\n  }\n}", "\n}"},
		},
		"a value that only people have changed": {
			code: []string{`"10.0.0.1"`, `"10.7.7.7"`, `"Cisco"`, `var.vendor`}, says: []string{`ahead: main.tf enms_device.a ip_address|The server has "10.0.0.1"`, "!ahead: main.tf enms_device.a vendor"},
		},
		"a value that people have changed, and the server no longer has": {
			exported: []string{"  vendor     = \"Cisco\"\n", "", "10.0.0.1", "10.9.9.9"}, code: []string{`"Cisco"`, `"Nokia"`}, want: []string{"10.0.0.1", "10.9.9.9"}, left: "left: main.tf enms_device.a vendor|The server has none",
			says: []string{"unmerged: resource enms_device a vendor"},
		},
		"a list of a block with count": {
			exported: []string{"enms_device.b.name]", "\"c\"]"}, code: []string{"  devices ", "  count = 1\n  devices "}, left: "left: main.tf enms_pool.p devices|the block has count",
		},
		"an argument of a module with for_each": {
			before: calls, exported: []string{"module.v.service", `"t"`}, code: []string{"  service =", "  for_each = local.all\n  service ="}, want: []string{"module.v.service", `"t"`},
		},
		"an object that becomes a value": {
			exported: []string{`{ x = 1, y = "two" }`, `"none"`}, code: []string{`x = 1`, `x = 2`}, left: `left: main.tf enms_pool.p properties|The server has "none"`,
		},
		"an object that is a variable for people": {
			exported: []string{`x = 1`, `x = 2`}, code: []string{`{ x = 1, y = "two" }`, `var.all`}, left: `left: main.tf enms_pool.p properties|The server has { x = 2`,
		},
		"a list that becomes an object": {
			exported: []string{"[enms_device.a.name, enms_device.b.name]", "{ x = 1 }"}, code: []string{"enms_device.b.name]", "\"b\"]"}, left: "left: main.tf enms_pool.p devices|The server has { x = 1 }",
		},
		"a list in JSON that both have changed": {
			before: "resource \"enms_service\" \"s\" {\n  initial_payload = { x = [1, 2] }\n}\n", exported: []string{"[1, 2]", "[2, 1]"}, code: []string{"[1, 2]", "[1, 2, 3]"}, left: "left: main.tf enms_service.s initial_payload.x|The server has [2, 1]",
		},
		"a list in JSON, whose order matters": {
			exported: []string{`x = 1`, `x = [2, 1]`}, code: []string{`x = 1`, `x = [1, 2]`}, left: `left: main.tf enms_pool.p properties.x|The server has [2, 1]`,
			in: func(in *Input) {
				in.Record.Written["resource enms_pool p"]["properties.x"] = "1"
			},
		},
		"people ignore a member's name": {
			exported: []string{`x = 1`, `x = 2`}, code: []string{"  properties", "  lifecycle {\n    ignore_changes = [x]\n  }\n  properties", `"two"`, `"own"`}, want: []string{`x = 1`, `x = 2`},
		},
		"a block with for_each": {
			exported: []string{"10.0.0.1", "10.9.9.9"}, code: []string{"  vendor", "  for_each   = local.all\n  vendor"}, left: "left: main.tf enms_device.a ip_address|the block has count or for_each",
		},
		"the secret of a variable, without a record": {
			before: "resource \"enms_credential\" \"c\" {\n  password_wo = var.a\n  private_key_wo = var.b\n}\n",
			code:   []string{"var.b", "var.c"}, left: "left: main.tf enms_credential.c private_key_wo|It is not changed",
			in: func(in *Input) { in.Record = nil }, says: []string{"!password_wo"},
		},
		"a key that refers to what is gone": {
			before:   device + "resource \"enms_workflow_layout\" \"l\" {\n  positions = {\n    (enms_device.a.name) = { x = 1 }\n    b = 2\n  }\n}\n",
			exported: []string{device, "", "    (enms_device.a.name) = { x = 1 }\n", ""},
			code:     []string{`"enms_device" "a"`, `"enms_device" "core"`, "(enms_device.a.name) = { x = 1 }", "(enms_device.core.name) = { x = 7 }"},
			want:     []string{strings.Replace(device, `"a"`, `"core"`, 1), "", "    (enms_device.core.name) = { x = 7 }\n", ""},
			in: func(in *Input) {
				gone("enms_device.core")(in)
				in.Moved = map[string]string{"enms_device.core": "enms_device.a"}
			},
			says: []string{"change: main.tf:1: enms_device.core is gone"},
		},
		"an argument goes back to the default, and its variable stays": {
			before: calls, exported: []string{"  service = module.v.service\n", ""}, want: []string{"  source  = \"./modules/w\"\n  service = module.v.service\n", "  source = \"./modules/w\"\n"},
		},
		"an argument of a module from elsewhere": {
			before: calls, exported: []string{"  service = module.v.service\n", "", "-- modules/w/variables.tf --\nvariable \"service\" {\n  type = string\n}\n", ""},
			code: []string{"./modules/w", "git::x", "  type = string", "  type = number"}, want: []string{"  source  = \"git::x\"\n  service = module.v.service\n", "  source = \"git::x\"\n"},
		},

		// What is gone:
		"a value of an instance that people have changed": {
			before: edges, exported: []string{`{ label = "B" }`, `{}`}, code: []string{`"B"`, `"own"`}, left: "left: main.tf enms_workflow_edge.w for_each.b.label|The server has none",
		},
		"a value, while what is gone is kept": {
			exported: []string{"  vendor     = \"Cisco\"\n", ""}, want: []string{"  vendor     = \"Cisco\"\n", ""}, in: keeping(),
		},
		"an instance and its import": {
			before: edges, exported: []string{"    \"a\" = { label = \"A\" }\n", ""}, want: []string{"    \"a\" = { label = \"A\" }\n", "", "import {\n  to = enms_workflow_edge.w[\"a\"]\n  id = \"e1\"\n}\n", ""}, in: gone(`enms_workflow_edge.w["a"]`),
		},
		"an instance that is kept, and its import": {
			before: edges, exported: []string{"    \"a\" = { label = \"A\" }\n", "", `"B"`, `"new"`}, want: []string{`"B"`, `"new"`}, in: keeping(`enms_workflow_edge.w["a"]`), left: "-gone keep",
		},
		"an instance that is in another block now": {
			before: edges + "-- moved.tf --\nmoved {\n  from = enms_workflow_edge.v[\"a\"]\n  to   = enms_workflow_edge.w[\"a\"]\n}\nmoved {\n  from = enms_device.x\n  to   = enms_device.y\n}\n",
			code:   []string{"import {\n", "removed {\n  from = enms_workflow_edge.v[\"a\"]\n}\n\nimport {\n"},
			want: []string{"import {\n  to = enms_workflow_edge.w[\"a\"]\n  id = \"e1\"\n}\n", "", "}\n\n-- moved", "}\n-- moved", "moved {\n  from = enms_workflow_edge.v[\"a\"]\n  to   = enms_workflow_edge.w[\"a\"]\n}\n", "", "enms_device.y\n}\n", "enms_device.y\n}\n" +
				"\nmoved {\n  from = enms_workflow_edge.w[\"a\"]\n  to   = enms_workflow_edge.v[\"a\"]\n}\n\nmoved {\n  from = enms_workflow_edge.w[\"b\"]\n  to   = enms_workflow_edge.v[\"b\"]\n}\n"},
			in: func(in *Input) {
				in.Elsewhere = map[string]string{`enms_workflow_edge.w["a"]`: `enms_workflow_edge.v["a"]`, `enms_workflow_edge.w["b"]`: `enms_workflow_edge.v["b"]`}
			},
			says: []string{`change: moved.tf: enms_workflow_edge.w["a"] is enms_workflow_edge.v["a"]`},
		},
		"all instances of a block that people have written anew": {
			before: edges, exported: []string{edges, ""}, code: []string{`"A"`, `"own"`}, want: []string{strings.Replace(edges, `"A"`, `"own"`, 1), ""}, in: gone(`enms_workflow_edge.w["a"]`, `enms_workflow_edge.w["b"]`),
		},
		"one instance of a block that the export does not write": {
			before: edges, exported: []string{edges, ""}, in: gone(`enms_workflow_edge.w["b"]`), left: "because the block has count, for_each", says: []string{`kept: enms_workflow_edge.w["b"] true`},
		},
		"an instance of a module for which people pass another value": {
			before: strings.Replace(tasks, "{}", "{ a = 1 }", 1), exported: []string{"{ a = 1 }", "{}"}, code: []string{"a = 1", "a = 2"}, in: gone(`module.w.enms_task.t["a"]`), left: "left: main.tf module w tasks.a|left: modules/w/main.tf module.w.enms_task.t",
		},
		"an instance of a module": {
			before: strings.Replace(tasks, "{}", "{ a = 1 }", 1), exported: []string{"{ a = 1 }", "{}"}, want: []string{"{ a = 1 }", "{}"}, in: gone(`module.w.enms_task.t["a"]`),
		},
		"a block with keys that cannot be read": {
			before: edges, exported: []string{edges, ""}, code: []string{"for_each = {\n    \"a\" = { label = \"A\" }\n" + edgeB + "  }\n", "for_each = local.all\n"}, in: gone(`enms_workflow_edge.w["b"]`),
			left: `left: main.tf enms_workflow_edge.w["b"]|because the block has count, for_each or another provider`,
		},
		"a block of another provider": {
			before: device, exported: []string{device, ""}, code: []string{"  name", "  provider = enms.lab\n  name"}, in: gone("enms_device.a"), left: "another provider", says: []string{"kept: enms_device.a"},
		},
		"a block with count": {
			before: device, exported: []string{device, ""}, code: []string{"  name", "  count = 2\n  name"}, in: gone("enms_device.a[0]"), left: "has count",
		},
		"one that is to leave the state": {
			before: device + "\n" + other, exported: []string{device, "", other, ""}, want: []string{device + "\n" + other, removed + "\n" + strings.ReplaceAll(removed[len("-- removed.tf --\n"):], "device.a", "device.b")},
			in: func(in *Input) {
				gone("enms_device.a", "enms_device.b")(in)
				in.Removed = true
			},
		},
		"moved blocks refer to it": {
			before:   device + "-- moved.tf --\nmoved {\n  from = enms_device.x\n  to   = enms_device.a\n}\n" + importA,
			exported: []string{device, ""}, code: []string{device, "# head\n\n// of a\n" + device}, want: []string{"\n// of a\n" + device, "", importA, ""}, in: gone("enms_device.a"),
		},
		"the head of a file":                {before: device, exported: []string{device, ""}, code: []string{device, "# head\n" + device}, want: []string{device, ""}, in: gone("enms_device.a")},
		"the head of a file, on two lines":  {before: device, exported: []string{device, ""}, code: []string{device, "# head\n# of it\n" + device}, want: []string{device, ""}, in: gone("enms_device.a")},
		"the head of a file, and a comment": {before: device, exported: []string{device, ""}, code: []string{device, "# head\n\n# of a\n" + device}, want: []string{"\n# of a\n" + device, ""}, in: gone("enms_device.a")},
		"comments on its lines":             {before: device, exported: []string{device, ""}, code: []string{device, "/* before\n*/ " + block + " /* after\nit */\n"}, want: []string{block, ""}, in: gone("enms_device.a")},
		"a comment behind it":               {before: device, exported: []string{device, ""}, code: []string{device, block + " # after\n"}, want: []string{block, ""}, in: gone("enms_device.a")},
		"one that is to be kept, but another has its name": {
			before: device + importA, exported: []string{device + importA, ""}, want: []string{device + importA, ""},
			in: func(in *Input) {
				keeping("enms_device.a")(in)
				in.Renewed = in.Gone
			},
		},
		"what is gone, too, refers to it": {
			before: circle, exported: []string{circle, ""}, want: []string{circle, ""}, in: gone("enms_device.a", "enms_device.b"),
		},

		// Variables and outputs of modules:
		"a variable, the output that it read, and what the output has kept": {
			before: calls, exported: []string{calls, short}, want: []string{calls, short}, in: goneCalls, says: []string{"!kept", "change: main.tf:4: module w: service is gone", "change: modules/w/variables.tf:1: modules/w: variable service is gone"},
		},
		"a variable that people read": {
			before: calls, exported: []string{calls, short}, code: []string{"-- modules/w/main.tf --\n" + pool, "-- modules/w/main.tf --\n" + pool + "-- modules/w/own.tf --\n# var.services\nlocals {\n  own = var.service\n}\n"}, want: []string{pool, ""},
			in: goneCalls, left: "left: modules/v/main.tf module.v.enms_device.a|because modules/v: output service in modules/v/outputs.tf refers to it",
		},
		"a variable that people read in JSON": {
			before: calls, exported: []string{calls, short}, code: []string{"-- modules/w/main.tf --\n" + pool, "-- modules/w/main.tf --\n" + pool + "-- modules/w/own.tf.json --\n{\"locals\": {\"own\": \"${var.service}\"}}\n"}, want: []string{pool, ""},
			in: goneCalls, left: "module.v.enms_device.a|own.tf.json",
		},
		"a variable that people have changed": {
			before: calls, exported: []string{calls, short}, code: []string{"type = string", "type = any"}, want: []string{pool, ""}, in: goneCalls, left: "module.v.enms_device.a",
		},
		"a variable of which others have the name": {
			before: calls, exported: []string{calls, short}, code: []string{"device.a.name\n}\n", "device.a.name\n}\n-- main_too.tf --\nmodule \"x\" {\n  source = \"./modules/x\"\n  service = 1\n}\n-- modules/x/own.tf --\n# var.service\n-- modules/x/own.tf.json --\n{\"locals\": {\"own\": \"${var.service}\"}}\n"},
			want: []string{calls, short}, in: goneCalls, left: "own.tf.json",
		},
		"an argument of a resource with the directory of the module": {
			before: calls, exported: []string{calls, short}, code: []string{"device.a.name\n}\n", "device.a.name\n}\n-- archive.tf --\ndata \"archive_file\" \"w\" {\n  source  = \"./modules/w\"\n  service = 1\n}\n"},
			want: []string{calls, short}, in: goneCalls,
		},
		"a variable of a module of another provider": {
			before: calls, exported: []string{calls, short}, code: []string{"  service = module", "  providers = { enms = enms.lab }\n  service = module"}, in: goneCalls, left: "another provider",
		},
		"a variable that people do not read in JSON": {
			before: calls, exported: []string{calls, short}, code: []string{"device.a.name\n}\n", "device.a.name\n}\n-- modules/w/own.tf.json --\n{}\n"}, want: []string{calls, short}, in: goneCalls, left: "own.tf.json",
		},
		"a variable that nothing reads, of a module of another provider": {
			before: "module \"w\" {}\n-- modules/w/v.tf --\nvariable \"a\" {}\n", exported: []string{"variable \"a\" {}\n", ""}, code: []string{"module \"w\" {}", "module \"w\" {\n  providers = {}\n}"},
		},

		// Texts:
		"a new text": {
			before: script, exported: []string{script, script + scriptB}, want: []string{script, script + scriptB}, says: []string{"change: code/b.py: is new"},
		},
		"a new text that nothing reads": {before: script, exported: []string{script, script + "-- code/b.py --\ntwo\n"}},
		"a text that people have taken out": {
			before: script, exported: []string{"one", "1"}, code: []string{script, theirs}, left: "left: code/a.py|somebody has taken the file out",
		},
		"a text that people have taken out, and that has not changed": {before: script, code: []string{script, theirs}},
		"a text that people do not read":                              {before: script, code: []string{"file(\"${path.module}/code/a.py\")", "\"own\""}},
		"a text that people and the server do not read":               {before: script, exported: []string{script, ""}, code: []string{"file(\"${path.module}/code/a.py\")", "\"own\""}, want: []string{"-- code/a.py --\none\n", ""}},
		"a text that both have changed": {
			before: script, exported: []string{"one", "1"}, code: []string{"one", "eins"}, left: "left: code/a.py|from line 1 on: 1", says: []string{"unmerged: file code/a.py"},
		},
		"a text that both have changed, and that may be a secret": {
			before: script, exported: []string{"one", "password"}, code: []string{"one", "eins"}, left: "left: code/a.py|", says: []string{"!password", "!from line"},
			in: func(in *Input) { in.Secret = func(_, text string) bool { return strings.Contains(text, "password") } },
		},
		"a text of which the server has less": {
			before: script, exported: []string{"one\n", "one"}, code: []string{"one\n", "one\ntwo\n"}, left: "left: code/a.py|The server's text ends after line 1",
		},
		// An editor, or git, may end its lines with CRLF:
		"a text with CRLF":                        {before: twoLines, code: crlf},
		"a text with CRLF, without a record":      {before: twoLines, code: crlf, in: unrecorded},
		"the server changes a text with CRLF":     {before: twoLines, code: crlf, exported: []string{"two", "2"}, want: []string{"two", "2"}},
		"the same, without a record":              {before: twoLines, code: crlf, exported: []string{"two", "2"}, want: []string{"two", "2"}, in: unrecorded},
		"a text with CRLF that nothing reads":     {before: twoLines, code: append(crlf, "# reads code/a.py\n", ""), exported: []string{twoLines, "# nothing\n"}, want: []string{"-- code/a.py --\none\r\ntwo\r\n", ""}},
		"another name, without a record":          {before: script, exported: []string{"a.py", "b.py"}, in: unrecorded},
		"another name in a module":                {before: inModule, exported: []string{"a.py", "b.py"}, in: unrecorded},
		"another text and name, without a record": {before: script, exported: []string{"a.py", "b.py", "one", "two"}, want: []string{"a.py\")", "b.py\")", "-- code/a.py", "-- code/b.py --\ntwo\n-- code/a.py"}, in: unrecorded},
		"another text and name in a module":       {before: inModule, exported: []string{"a.py", "b.py", "one", "two"}, want: []string{"a.py\")", "b.py\")", "-- modules/w/code/a.py", "-- modules/w/code/b.py --\ntwo\n-- modules/w/code/a.py"}, in: unrecorded},
		"a new text of a module": {
			before: theirs + "-- modules/w/main.tf --\n" + theirs, exported: []string{"-- modules/w/main.tf --\n", "-- modules/w/code/a.py --\none\n-- modules/w/main.tf --\n# reads /code/a.py\n"},
			code: []string{"-- modules/w/main.tf --\n", "-- modules/w/main.tf --\n# reads /code/a.py\n"}, want: []string{"-- modules/w/main.tf --\n", "-- modules/w/code/a.py --\none\n-- modules/w/main.tf --\n"},
		},
	})
}

// script is a service with a text in a file, and scriptB is another one.
const (
	script   = "resource \"enms_service\" \"a\" {\n  script = file(\"${path.module}/code/a.py\")\n}\n-- code/a.py --\none\n"
	twoLines = "# reads code/a.py\n-- code/a.py --\none\ntwo\n"
	scriptB  = "-- b.tf --\nresource \"enms_service\" \"b\" {\n  script = file(\"${path.module}/code/b.py\")\n}\n-- code/b.py --\ntwo\n"
)
