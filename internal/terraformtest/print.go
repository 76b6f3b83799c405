// Errors as Terraform prints them.

package terraformtest

import (
	"bytes"
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
	typ, name, _ := strings.Cut(strings.TrimPrefix(b.address, "data."), ".")
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
