// This file writes README.md: what was exported, and how to use it.

package export

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
)

// readme returns the content of README.md. diagrams are the diagrams of workflows by name.
func (r *report) readme(files []string, diagrams map[string]string) []byte {
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
	say("\n## Manage the server\n")
	say("```sh\nterraform init\nterraform plan   # every object to import, nothing to add, to change or to destroy\nterraform apply\n```\n")
	say("After that, `%s` has done its work and may be deleted.\n", fileImports)
	say("## Build another server\n")
	say("Delete `%s`, set `ENMS_BASE_URL` to the other server, and apply with a state of its own. With `-parallelism=100`, more objects share a request, and so less time passes. A remote state saves time, too: Terraform writes a local one anew after each object:\n", fileImports)
	say("```sh\nterraform init\nterraform apply -parallelism=100\n```")
	if len(r.Secrets) > 0 {
		say("\n## Secrets\n")
		say("These secrets are variables, whose values are not part of the export. Give a value to those that another server needs, and a number to their keys in `%s`. A key that several secrets share sends all of them: give each a value.\n", versionsVariable)
		say("```hcl\n%s = {\n  %s = 1\n}\n```\n", versionsVariable, r.Secrets[0].Key)
		say("Secrets without a value are not sent. Other secrets that eNMS returns, such as the headers of a REST call, are part of the configuration; `%s` lists them under `to_be_checked`.\n", fileReport)
		say("| Variable | Key in `%s` | Secret |\n| --- | --- | --- |", versionsVariable)
		for _, s := range r.Secrets {
			say("| `%s` | `%s` | `%s` of %s |", s.Variable, s.Key, s.Field, markdown(s.Object))
		}
	}
	r.readmeModules(say)
	r.readmeFindings(say)
	if slices.ContainsFunc(files, exportmerge.IsText) {
		say("\n## Code\n")
		say("Strings of %d lines or more are files in `code/`. Their lines end with LF. eNMS's forms store CR LF, which the provider does not report as drift.", longText)
	}
	if len(diagrams) > 0 {
		say("\n## Workflows")
	}
	for _, workflow := range slices.Sorted(maps.Keys(diagrams)) {
		say("\n### %s\n\n```mermaid\n%s```", markdown(workflow), diagrams[workflow])
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
		say("| `modules/%s` | %s | %s |", m.Label, markdown(workflow), strings.Join(needed, ", "))
	}
	say("\nThe other variables are in the `variables.tf` of each module.")
}

// readmeFindings says how many findings are in the report.
func (r *report) readmeFindings(say func(string, ...any)) {
	type count struct {
		n    int
		what string
	}
	counts := slices.DeleteFunc([]count{
		{len(r.LeftOut), "objects that are not exported, because they cannot be read or created (`left_out`)"},
		{len(r.Omitted), "values that are not exported (`values_left_out`)"},
		{len(r.Kept), "things that another server must have, such as types and files (`kept`)"},
		{len(r.Expected), "names of objects that were not exported (`expected_on_the_server`)"},
		{len(r.Circles), "circular references, which are left out: add the names after the first apply (`circles`)"},
		{len(r.Check), "possible secrets, and names of objects in scripts (`to_be_checked`)"},
	}, func(c count) bool { return c.n == 0 })
	if len(counts) > 0 {
		say("\n## To check\n")
		say("See `%s`.\n", fileReport)
		say("| | |\n| ---: | --- |")
	}
	for _, c := range counts {
		say("| %d | %s |", c.n, c.what)
	}
}

// markdown returns a text of the server as Markdown that shows it, in a heading or in a cell of a table: nothing in it is
// a link, an image, HTML or the end of the line.
func markdown(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return markdownSpecial.ReplaceAllStringFunc(text, func(s string) string { return s[:len(s)-1] + `\` + s[len(s)-1:] })
}

// markdownSpecial is what Markdown does not show as it is. The last two begin what GitHub makes a link of.
var markdownSpecial = regexp.MustCompile("[\\\\*_<>\\[\\]`#|&~!]|:/|www\\.")
