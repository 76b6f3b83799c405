// This file finds where people have moved the blocks of the last export.

package exportmerge

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// LocateByAddress returns the address in the code of what had an address at the last export: the
// same, or where `moved` blocks say that it is. It returns "" if it is no longer there.
func (c *Code) LocateByAddress(recorded string) string {
	address := c.moved(recorded)
	p, is := c.resource(address)
	if !is {
		return ""
	}
	if _, key := splitKey(address); key == "" && p.attribute("count") != nil {
		return address + "[0]"
	} else if has, known := p.hasKey(key); has || !known {
		return address
	}
	return ""
}

// FindNew returns the address of the resource of a type that people have written for an object: the
// one with an import block by its id, or whose attribute has its name. It returns "" if there is
// none apart from the addresses in except.
func (c *Code) FindNew(typ, attribute, name, id string, except map[string]bool) string {
	for _, p := range c.blocks() {
		at := p.attribute("id")
		if p.block.Type != "import" || at == nil {
			continue
		}
		if has, known := c.text(p.file, at.Expr, 0); !known || has != id {
			continue
		}
		address := p.imported()
		if _, exists := c.resource(address); exists && !except[address] && strings.HasPrefix(address, typ+".") {
			return address
		}
	}
	for _, p := range c.blocks() {
		if p.address() == "" || p.block.Labels[0] != typ || !p.isOwn() || except[p.address()] {
			continue
		}
		if has, known := c.name(p, attribute, 0); known && has == name {
			return p.address()
		}
	}
	return ""
}

// moved follows the `moved` blocks from an address.
func (c *Code) moved(address string) string {
	to := map[string]string{}
	for _, p := range c.blocks() {
		from, at := p.attribute("from"), p.attribute("to")
		if p.block.Type == "moved" && from != nil && at != nil {
			to[module(p.file.name)+words(p.file, from.Expr.Range())] = module(p.file.name) + words(p.file, at.Expr.Range())
		}
	}
	for range to {
		base, key := splitKey(address)
		if next, is := to[address]; is {
			address = next
		} else if next, is := to[base]; is {
			address = next + key
		} else {
			break
		}
	}
	return address
}

// hasKey reports whether the block has an instance with a key, in brackets. known is false if that
// cannot be read.
func (p place) hasKey(bracketed string) (has, known bool) {
	each := p.attribute("for_each")
	switch {
	case each == nil && p.attribute("count") == nil:
		return bracketed == "", true
	case each == nil:
		return true, false
	}
	members, is := each.Expr.(*hclsyntax.ObjectConsExpr)
	if !is {
		return true, false
	}
	for _, item := range members.Items {
		has = has || "["+Quote(key(p.file, item.KeyExpr))+"]" == bracketed
	}
	return has, true
}

// metaArguments are those with which the objects of a block cannot be told from the block alone.
var metaArguments = []string{"provider", "count", "for_each"}

// isOwn reports whether a resource may be one of the export's: it has no other provider, and
// neither count nor for_each.
func (p place) isOwn() bool {
	for _, name := range metaArguments {
		if p.attribute(name) != nil {
			return false
		}
	}
	return true
}

// deepest is how many references a name may go through.
const deepest = 10

// name returns an attribute of a resource if it consists of text and names of other resources.
func (c *Code) name(p place, attribute string, depth int) (name string, known bool) {
	a := p.attribute(attribute)
	if a == nil || depth > deepest {
		return "", false
	}
	return c.text(p.file, a.Expr, depth)
}

func (c *Code) text(f *file, expr hclsyntax.Expression, depth int) (string, bool) {
	switch expr := expr.(type) {
	case *hclsyntax.TemplateExpr:
		var b strings.Builder
		for _, part := range expr.Parts {
			made, known := c.text(f, part, depth)
			if !known {
				return "", false
			}
			b.WriteString(made)
		}
		return b.String(), true
	case *hclsyntax.LiteralValueExpr:
		if v := expr.Val; v.IsKnown() && !v.IsNull() && v.Type().FriendlyName() == "string" {
			return v.AsString(), true
		}
	case *hclsyntax.ScopeTraversalExpr:
		t := expr.Traversal
		p, is := c.resource(module(f.name) + addressOf(t))
		if is && len(t) == 3 && words(f, t[2].SourceRange()) == ".name" {
			return c.name(p, keyColumn, depth+1)
		}
	}
	return "", false
}

// Rows returns the names in a CSV file of the code.
func (c *Code) Rows(file string) map[string]bool {
	names := map[string]bool{}
	content, err := c.other(file)
	if err != nil {
		return names
	}
	if t := parseTable(file, content); t != nil {
		for _, r := range t.rows[1:] {
			names[t.name(r)] = true
		}
	}
	return names
}
