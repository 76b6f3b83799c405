// Configurations in HCL.

package lives

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
)

// hcl writes a configuration, with the settings of the provider.
func hcl(settings map[string]any, c *configuration) string {
	var b strings.Builder
	b.WriteString("terraform {\n  required_providers {\n    enms = { source = \"terraform-provider-enms/enms\" }\n  }\n}\n")
	fmt.Fprintf(&b, "provider \"enms\" %s\n", hclSettings(settings))
	for _, address := range c.addresses() {
		block := maps.Clone(c.blocks[address])
		first := block[createBeforeDestroy]
		delete(block, createBeforeDestroy)
		var after []string
		for _, on := range block.dependencies() {
			if typeOf(on) == many {
				after = append(after, on) // "${enms_instances.m.A}" stands for the name A
			}
		}
		typ, label, _ := strings.Cut(address, ".")
		body := strings.TrimSuffix(hclObject(block, "\n"), "}")
		if len(after) > 0 {
			body += "depends_on = [" + strings.Join(after, ", ") + "]\n"
		}
		if first != nil {
			body += fmt.Sprintf("lifecycle {\n  %s = %t\n}\n", createBeforeDestroy, first)
		}
		fmt.Fprintf(&b, "resource %q %q %s}\n", typ, label, body)
	}
	for _, from := range sortedKeys(c.moved) {
		fmt.Fprintf(&b, "moved {\n  from = %s\n  to   = %s\n}\n", from, c.moved[from])
	}
	return b.String()
}

// hclSettings writes the provider block, in which the defaults are a block, and those of each
// type one in it.
func hclSettings(settings map[string]any) string {
	written := maps.Clone(settings)
	delete(written, "defaults")
	body := strings.TrimSuffix(hclObject(written, "\n"), "}")
	if defaults, is := settings["defaults"].(map[string]any); is {
		body += "defaults {\n"
		for _, name := range sortedKeys(defaults) {
			if ofType, is := defaults[name].(map[string]any); is {
				body += fmt.Sprintf("%s %s\n", name, hclObject(ofType, "\n"))
			} else {
				body += fmt.Sprintf("%s = %s\n", name, hclValue(defaults[name]))
			}
		}
		body += "}\n"
	}
	return body + "}"
}

var entryReference = regexp.MustCompile(`\$\{enms_instances\.\w+\.(\w+)\}`)

// hclObject writes the members of an object, or the arguments of a block.
func hclObject(o map[string]any, between string) string {
	var b strings.Builder
	b.WriteString("{\n")
	for _, name := range sortedKeys(o) {
		key := name
		if between != "\n" {
			key = fmt.Sprintf("%q", name)
		}
		fmt.Fprintf(&b, "  %s = %s%s", key, hclValue(o[name]), between)
	}
	b.WriteString("}")
	return b.String()
}

func hclValue(v any) string {
	switch v := v.(type) {
	case string:
		return `"` + entryReference.ReplaceAllString(strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(v), "$1") + `"`
	case []any:
		members := make([]string, len(v))
		for i, member := range v {
			members[i] = hclValue(member)
		}
		return "[" + strings.Join(members, ", ") + "]"
	case map[string]any:
		return hclObject(v, ",\n")
	}
	return fmt.Sprint(v)
}
