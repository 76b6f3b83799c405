// This file writes README.md: what was exported, and how to use it.

package export

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// readme returns the content of README.md. diagrams are the diagrams of workflows by name.
func (r *report) readme(diagrams map[string]string) []byte {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("# Exported from eNMS\n")
	say("Written by `terraform-provider-enms export`. Objects that every eNMS has from its first start are not included.\n")
	if len(r.types) > 0 {
		say("**These types are not part of every eNMS. A server without them refuses the configuration with `Unknown type`:** %s.\n", "`"+strings.Join(slices.Sorted(slices.Values(r.types)), "`, `")+"`")
	}
	say("| Type | Objects |\n| --- | ---: |")
	for _, typ := range slices.Sorted(maps.Keys(r.Objects)) {
		say("| `%s` | %d |", typ, r.Objects[typ])
	}
	say("\n`terraform plan` imports every object, and has nothing to add, to change or to destroy. After the apply, `%s` may be deleted. Without it, and with a state of its own, the configuration builds another server: read `%s` before.", fileImports, fileReport)
	if len(r.Secrets) > 0 {
		say("\n## Secrets\n")
		say("These secrets are variables without values. Give a value to those that another server needs, and name them in `%s`, such as `{ %s = 1 }`.\n", versionsVariable, r.Secrets[0].Variable)
		say("| Variable | Secret |\n| --- | --- |")
		for _, s := range r.Secrets {
			say("| `%s` | `%s` of %s |", s.Variable, s.Field, escapeCell(s.Object))
		}
	}
	r.readmeModules(say)
	if len(diagrams) > 0 {
		say("\n## Workflows")
	}
	for _, workflow := range slices.Sorted(maps.Keys(diagrams)) {
		say("\n### %s\n\n```mermaid\n%s```", headline(workflow), diagrams[workflow])
	}
	return []byte(b.String())
}

// readmeModules says what the modules are, and how another server uses them.
func (r *report) readmeModules(say func(string, ...any)) {
	if len(r.Modules) == 0 {
		return
	}
	say("\n## Modules\n")
	say("`%s` calls each module with the values of the exported server. The configuration of another server calls the same modules with its own values, and has a state of its own.\n", fileMain)
	say("| Module | Workflow | Variables that need a value |\n| --- | --- | --- |")
	for _, m := range r.Modules {
		workflow := m.Workflow
		if workflow == "" {
			workflow = "(shared services)"
		}
		var needed []string
		for _, name := range m.Needed {
			needed = append(needed, "`"+name+"`")
		}
		say("| `modules/%s` | %s | %s |", m.Label, escapeCell(headline(workflow)), strings.Join(needed, ", "))
	}
	say("\nThe other variables are in the `variables.tf` of each module.")
}

// headline escapes a name for Markdown.
func headline(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "`", "\\`", "#", `\#`).Replace(name)
}

// escapeCell escapes a string for a cell of a Markdown table.
func escapeCell(s string) string { return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s) }
