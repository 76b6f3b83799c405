// This file puts each configuration that a page shows together with what it refers to: a
// guide declares one thing in several steps, and refers to what it has declared before.

package docstest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// declaration is a block at the top of a configuration.
type declaration struct {
	block      *hclsyntax.Block
	line       int    // in the page
	text       string // as it is written
	addresses  []string
	references []string
}

// step is what is planned together: a configuration and what it needs.
type step []*declaration

// topLevel are the kinds of blocks that Terraform's *.tf files hold.
var topLevel = []string{"action", "check", "data", "ephemeral", "import", "locals", "module", "moved", "output", "provider",
	"removed", "resource", "terraform", "variable"}

// declarations returns those of a configuration that begins at a line of a file.
func declarations(code, file string, line int) ([]*declaration, error) {
	parsed, diags := hclsyntax.ParseConfig([]byte(code), file, hcl.Pos{Line: line, Column: 1})
	if diags.HasErrors() {
		return nil, diags
	}
	body := parsed.Body.(*hclsyntax.Body)
	for name := range body.Attributes {
		return nil, fmt.Errorf("%s:%d: %s stands outside of every block: a fragment is marked ```hcl", file, line, name)
	}
	var all []*declaration
	for _, b := range body.Blocks {
		if b.Type != "list" && !slices.Contains(topLevel, b.Type) {
			return nil, fmt.Errorf("%s:%d: a block %s is no part of a configuration: mark it ```hcl", file, b.TypeRange.Start.Line, b.Type)
		}
		all = append(all, &declaration{block: b, line: b.TypeRange.Start.Line,
			text:       code[b.TypeRange.Start.Byte:b.CloseBraceRange.End.Byte],
			addresses:  addresses(b),
			references: references(b)})
	}
	return all, nil
}

// addresses returns what others call a block, or what no second block may have.
func addresses(b *hclsyntax.Block) []string {
	switch b.Type {
	case "resource":
		return []string{strings.Join(b.Labels, ".")}
	case "variable":
		return []string{"var." + b.Labels[0]}
	case "locals":
		var all []string
		for name := range b.Body.Attributes {
			all = append(all, "local."+name)
		}
		return all
	case "removed", "moved": // what they name must not be declared, too
		return targets(b, "from")
	case "import":
		return []string{"import " + strings.Join(targets(b, "to"), " ")}
	case "provider":
		address := "provider." + b.Labels[0]
		if alias, is := b.Body.Attributes["alias"]; is {
			if value, diags := alias.Expr.Value(nil); !diags.HasErrors() {
				address += "." + value.AsString()
			}
		}
		return []string{address}
	}
	return []string{strings.Join(append([]string{b.Type}, b.Labels...), ".")}
}

// targets returns the addresses that an attribute of a block names.
func targets(b *hclsyntax.Block, attribute string) []string {
	if a, is := b.Body.Attributes[attribute]; is {
		return addressed(a.Expr)
	}
	return nil
}

// references returns the addresses that a block refers to, each once.
func references(b *hclsyntax.Block) []string {
	var all []string
	for name, a := range b.Body.Attributes {
		if name != "from" {
			all = append(all, addressed(a.Expr)...)
		}
	}
	for _, nested := range b.Body.Blocks {
		all = append(all, references(nested)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// addressed returns the addresses that an expression refers to: of what a configuration
// declares, not of the words that Terraform gives a meaning of their own.
func addressed(expr hclsyntax.Expression) []string {
	var all []string
	for _, traversal := range expr.Variables() {
		parts := []string{traversal.RootName()}
		for _, step := range traversal[1:] {
			name, is := step.(hcl.TraverseAttr)
			if !is {
				break
			}
			parts = append(parts, name.Name)
		}
		length := 2
		switch root := parts[0]; {
		case root == "enms": // an alias of the provider
			parts = append([]string{"provider"}, parts...)
			length = 3
		case slices.Contains([]string{"data", "action", "ephemeral"}, root):
			length = 3
		case slices.Contains([]string{"var", "local", "module"}, root), strings.Contains(root, "_"):
		default:
			continue
		}
		if len(parts) >= length {
			all = append(all, strings.Join(parts[:length], "."))
		}
	}
	return all
}

// shown are the configurations of a page, in their order.
type shown [][]*declaration

// steps returns the configurations, each with what it needs of those before it. No two are
// planned together: what one lacks, another one would hide.
func (s shown) steps() []step {
	all := make([]step, len(s))
	for i := range s {
		all[i] = s.needed(i)
	}
	return all
}

// needed returns the declarations of a configuration and those that they refer to, and so on.
func (s shown) needed(fence int) step {
	all := slices.Clone(step(s[fence]))
	for i := 0; i < len(all); i++ {
		for _, reference := range all[i].references {
			if found := s.find(reference, fence); found != nil && !all.declares(reference) {
				all = append(all, found)
			}
		}
	}
	return all
}

// find looks for what is declared in a configuration of the page, then in those before it,
// from the nearest one on: whoever reads the page from its top has pasted no others.
func (s shown) find(address string, fence int) *declaration {
	for i := fence; i >= 0; i-- {
		for _, d := range s[i] {
			if d.block.Type != "removed" && d.block.Type != "moved" && slices.Contains(d.addresses, address) {
				return d
			}
		}
	}
	return nil
}

func (s step) declares(address string) bool {
	return slices.ContainsFunc(s, func(d *declaration) bool { return slices.Contains(d.addresses, address) })
}

// undeclared returns the references that nothing in the step declares.
func (s step) undeclared() []string {
	var all []string
	for _, d := range s {
		for _, reference := range d.references {
			if !s.declares(reference) && !slices.Contains(all, reference) {
				all = append(all, reference)
			}
		}
	}
	slices.Sort(all)
	return all
}

// has reports whether the step holds a kind of block, at the top or within another one.
func (s step) has(kind string) bool {
	var among func(blocks hclsyntax.Blocks) bool
	among = func(blocks hclsyntax.Blocks) bool {
		return slices.ContainsFunc(blocks, func(b *hclsyntax.Block) bool { return b.Type == kind || among(b.Body.Blocks) })
	}
	return slices.ContainsFunc(s, func(d *declaration) bool { return among(hclsyntax.Blocks{d.block}) })
}

// lines returns the lines of the page, as far as they belong to the step.
func (s step) lines() string {
	var lines []string
	for _, d := range s {
		for i, text := range strings.Split(d.text, "\n") {
			for len(lines) < d.line+i {
				lines = append(lines, "")
			}
			lines[d.line-1+i] = text
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// ownModule is the source of a module of this repository.
var ownModule = regexp.MustCompile(`"github\.com/terraform-provider-enms/terraform-provider-enms//examples/(modules/[a-z_-]+)(\?[^"]*)?"`)
