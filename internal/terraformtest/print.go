// Errors as Terraform prints them.

package terraformtest

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Print returns the errors as Terraform prints them without boxes: each with the address, and the
// line of the attribute in the configuration.
func (f Found) Print(c *Config) string {
	var b strings.Builder
	for _, address := range sortedKeys(f.Errors()) {
		for _, d := range f[address].Errors() {
			fmt.Fprintf(&b, "\nError: %s\n\n", d.Summary)
			if address != "terraform" {
				fmt.Fprintf(&b, "  with %s,\n", address)
				for _, line := range c.linesOf(address, d) {
					fmt.Fprintf(&b, "  %s\n", line)
				}
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "%s\n", d.Detail)
		}
	}
	return b.String()
}

// linesOf returns where a diagnostic is in the configuration: the block, and the line of the
// attribute.
func (c *Config) linesOf(address string, d *tfprotov6.Diagnostic) []string {
	b := c.blocks[resourceOf(address)]
	if b == nil {
		return nil
	}
	typ, name := typeAndName(b.address)
	lines := []string{fmt.Sprintf("on main.tf, in resource %q %q:", typ, name)}
	if d.Attribute == nil || len(d.Attribute.Steps()) == 0 {
		return lines
	}
	first, _ := d.Attribute.Steps()[0].(tftypes.AttributeName)
	if a := b.syntax.Attributes[string(first)]; a != nil {
		line := bytes.Split(c.source, []byte("\n"))[a.SrcRange.Start.Line-1]
		lines = append(lines, fmt.Sprintf("%d: %s", a.SrcRange.Start.Line, line))
	}
	return lines
}

// says has what Terraform prints for each action behind the address.
var says = map[Action]string{
	Create: "will be created", Update: "will be updated in-place", Replace: "must be replaced", Delete: "will be destroyed",
	Forget: "will no longer be managed by Terraform, but will not be destroyed",
}

// Summary says what the plan does with each resource, and the number of resources for each action, as Terraform prints
// it.
func (p *Plan) Summary() string {
	var b strings.Builder
	var imported, added, changed, destroyed int
	for _, address := range sortedKeys(p.Changes) {
		ch := p.Changes[address]
		said := says[ch.Action]
		if ch.Importing != "" {
			imported++
			said = cmp.Or(said, "will be imported")
		}
		if ch.Action == Create || ch.Action == Replace {
			added++
		}
		if ch.Action == Update {
			changed++
		}
		if ch.Action.Destroys() {
			destroyed++
		}
		if said != "" {
			fmt.Fprintf(&b, "  # %s %s\n", address, said)
		}
	}
	switch {
	case p.Empty() && imported == 0:
		return "No changes. Your infrastructure matches the configuration.\n"
	case imported > 0:
		fmt.Fprintf(&b, "\nPlan: %d to import, ", imported)
	default:
		b.WriteString("\nPlan: ")
	}
	fmt.Fprintf(&b, "%d to add, %d to change, %d to destroy.\n", added, changed, destroyed)
	return b.String()
}
