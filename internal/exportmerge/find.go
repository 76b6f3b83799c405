// This file finds where people have moved the blocks of the last export.

package exportmerge

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// current returns the address that an instance has in the code, given the one at the last export: the
// same, or the one to which `moved` blocks have moved it. In a block to which people have added count, it
// is the first instance. It returns "" if the code no longer has the instance.
func (c *Code) current(recorded string) string {
	address := c.moved(recorded)
	p, is := c.resource(address)
	if !is || c.own[modulePrefix(p.file.name)] {
		return ""
	}
	_, key := splitKey(address)
	if key == "" && p.attribute("count") != nil {
		return address + "[0]"
	}
	if has, _ := p.hasKey(key); has {
		return address
	}
	return ""
}

// findNew returns the address of a resource that people have written for o, or "". It is the target of an import block
// whose id is name, or else a block whose attribute o.NameIn has that value. name is the present or the recorded name of
// o. Addresses in except are skipped.
func (c *Code) findNew(o *Object, name string, except map[string]bool) string {
	for _, p := range c.blocks() {
		to := p.imported()
		_, exists := c.resource(to)
		if exists && strings.HasPrefix(to, o.Type+".") && !except[to] && c.hasValue(p, "id", name) {
			return to
		}
	}
	for _, p := range c.blocks() {
		address := p.address()
		if address != "" && p.block.Labels[0] == o.Type && p.isOwn() && !except[address] && c.hasValue(p, o.NameIn, name) {
			return address
		}
	}
	return ""
}

// hasValue reports whether an attribute of a block is known to have a value.
func (c *Code) hasValue(p fileBlock, attribute, text string) bool {
	a := p.attribute(attribute)
	if a == nil {
		return false
	}
	value, known := c.resolved(p.file, a.Expr, 0)
	return known && value == text
}

// deepest is through how many references the name of an object may be followed.
const deepest = 10

// resolved returns the value of an expression that consists of strings and of names of other resources, which it
// looks up. known is false for any other expression. depth is the number of references that led to the expression.
func (c *Code) resolved(f *file, expr hclsyntax.Expression, depth int) (made string, known bool) {
	switch expr := expr.(type) {
	case *hclsyntax.TemplateExpr:
		for _, part := range expr.Parts {
			next, known := c.resolved(f, part, depth)
			if !known {
				return "", false
			}
			made += next
		}
		return made, true
	case *hclsyntax.ScopeTraversalExpr:
		t := expr.Traversal
		p, is := c.resource(modulePrefix(f.name) + addressOf(t))
		if is && len(t) == 3 && bareText(f, t[2].SourceRange()) == ".name" && p.attribute("name") != nil && depth < deepest {
			return c.resolved(p.file, p.attribute("name").Expr, depth+1)
		}
		return "", false
	}
	return text(expr)
}

// moved returns the address to which `moved` blocks lead from an address.
func (c *Code) moved(address string) string {
	to := c.indexed().moved
	for range to { // each leads on at most once, unless they form a circle
		base, key := splitKey(address)
		if next, is := to[address]; is {
			address = next
		} else if next, is := to[base]; is && !strings.Contains(next, "[") { // with a key, it moves only the instance without one
			address = next + key
		} else {
			break
		}
	}
	return address
}

// Addresses returns the addresses of all resources, and those from which `moved` blocks lead.
func (c *Code) Addresses() (all []string) {
	for _, p := range c.blocks() {
		if address := p.address(); address != "" {
			all = append(all, address)
		} else if p.block.Type == "moved" {
			all = append(all, p.from())
		}
	}
	return all
}

// hasKey reports whether the block has an instance with a key, in brackets, or "" for none. If the keys of
// the block cannot be read, known is false, and has is true.
func (p fileBlock) hasKey(bracketed string) (has, known bool) {
	each, hasCount := p.attribute("for_each"), p.attribute("count") != nil
	if each == nil {
		return bracketed == "" || hasCount, !hasCount
	}
	keys, known := keysOf(p.file, each.Expr)
	if variable, is := strings.CutPrefix(p.bareText("for_each"), "var."); is && modulePrefix(p.file.name) != "" {
		keys, known = p.file.code.passed(p.file, variable)
	}
	return !known || slices.Contains(keys, bracketed), known
}

// passed returns the keys, in brackets, of the object that the root passes for a variable to the module with a file.
func (c *Code) passed(to *file, variable string) (keys []string, known bool) {
	label := strings.Split(modulePrefix(to.name), ".")[1] // module.LABEL.
	if call, is := c.find("module " + label); is {
		if argument := call.attribute(variable); argument != nil {
			return keysOf(call.file, argument.Expr)
		}
	}
	return nil, false
}

// keysOf returns the keys of an object, in brackets. known is false for any other expression.
func keysOf(f *file, expr hclsyntax.Expression) (keys []string, known bool) {
	members, known := expr.(*hclsyntax.ObjectConsExpr)
	if known {
		for _, i := range members.Items {
			keys = append(keys, "["+Quote(keyForm(f, i.KeyExpr))+"]")
		}
	}
	return keys, known
}

// isOwn reports whether a resource may be one that an export wrote for a single object: it is not foreign, and has neither
// count nor for_each.
func (p fileBlock) isOwn() bool {
	return !p.isForeign() && p.attribute("count") == nil && p.attribute("for_each") == nil
}

// isForeign reports whether exports leave the block alone: it has an argument provider, or is in a module to which
// providers are passed, both of which mean another server, or it is in a module of people's own.
func (p fileBlock) isForeign() bool {
	prefix := modulePrefix(p.file.name)
	return p.attribute("provider") != nil || p.file.code.indexed().providers[prefix] || p.file.code.own[prefix]
}

// isLike reports whether a block of the code shows its objects by count or for_each, or alone, as one of the new export
// does.
func (p fileBlock) isLike(exported fileBlock) bool {
	differs := func(name string) bool { return (p.attribute(name) == nil) != (exported.attribute(name) == nil) }
	return !differs("count") && !differs("for_each")
}
