// This file finds where people have moved the blocks of the last export.

package exportmerge

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// locate returns the address in the code of what had an address at the last export: the same, or
// where `moved` blocks say that it is. It returns "" if it is no longer there.
func (c *Code) locate(recorded string) string {
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

// findNew returns the address of the resource of a type that people have written for an object: the
// one with an import block by its id, or whose attribute has its name. It returns "" if there is
// none apart from the addresses in except.
func (c *Code) findNew(o *Object, name string, except map[string]bool) string {
	for _, p := range c.blocks() {
		address, at := p.imported(), p.attribute("id")
		if at == nil || !strings.HasPrefix(address, o.Type+".") || except[address] {
			continue
		}
		if _, exists := c.resource(address); exists && c.is(p, "id", name) {
			return address
		}
	}
	for _, p := range c.blocks() {
		if p.address() != "" && p.block.Labels[0] == o.Type && p.isOwn() && !except[p.address()] && c.is(p, o.NameIn, name) {
			return p.address()
		}
	}
	return ""
}

// is reports whether an attribute of a block is a text.
func (c *Code) is(p place, attribute, text string) bool {
	a := p.attribute(attribute)
	if a == nil {
		return false
	}
	has, known := c.text(p.file, a.Expr, 0)
	return known && has == text
}

// deepest is how many references a name may go through.
const deepest = 10

// text returns the value of an expression that consists of text and names of other resources.
func (c *Code) text(f *file, expr hclsyntax.Expression, depth int) (made string, known bool) {
	switch expr := expr.(type) {
	case *hclsyntax.TemplateExpr:
		for _, part := range expr.Parts {
			next, known := c.text(f, part, depth)
			if !known {
				return "", false
			}
			made += next
		}
		return made, true
	case *hclsyntax.ScopeTraversalExpr:
		t := expr.Traversal
		p, is := c.resource(module(f.name) + addressOf(t))
		if is && len(t) == 3 && words(f, t[2].SourceRange()) == ".name" && p.attribute(keyColumn) != nil && depth < deepest {
			return c.text(p.file, p.attribute(keyColumn).Expr, depth+1)
		}
		return "", false
	}
	return text(expr)
}

// moved follows the `moved` blocks from an address.
func (c *Code) moved(address string) string {
	to := map[string]string{}
	for _, p := range c.blocks() {
		if p.block.Type == "moved" {
			to[module(p.file.name)+p.words("from")] = module(p.file.name) + p.words("to")
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

// Addresses returns the addresses of all resources, and those that they had before people moved
// them.
func (c *Code) Addresses() (all []string) {
	for _, p := range c.blocks() {
		if address := p.address(); address != "" {
			all = append(all, address)
		} else if p.block.Type == "moved" {
			all = append(all, module(p.file.name)+p.words("from"))
		}
	}
	return all
}

// hasKey reports whether the block has an instance with a key, in brackets. known is false if that
// cannot be read.
func (p place) hasKey(bracketed string) (has, known bool) {
	each := p.attribute("for_each")
	if each == nil {
		return bracketed == "" || p.attribute("count") != nil, p.attribute("count") == nil
	}
	keys, known := p.keys()
	if name, is := strings.CutPrefix(words(p.file, each.Expr.Range()), "var."); is && module(p.file.name) != "" {
		keys, known = p.file.code.passed(p.file, name)
	}
	return !known || slices.Contains(keys, bracketed), known
}

// passed returns the keys, in brackets, of the object that the root passes to a module for a variable.
func (c *Code) passed(to *file, variable string) (keys []string, known bool) {
	if call, is := c.find("module " + strings.Split(module(to.name), ".")[1]); is {
		if argument := call.attribute(variable); argument != nil {
			return keysOf(call.file, argument.Expr)
		}
	}
	return nil, false
}

// keys returns the keys of a block with for_each, in brackets. known is false if they cannot be read.
func (p place) keys() (keys []string, known bool) {
	if each := p.attribute("for_each"); each != nil {
		return keysOf(p.file, each.Expr)
	}
	return nil, false
}

func keysOf(f *file, expr hclsyntax.Expression) (keys []string, known bool) {
	members, known := expr.(*hclsyntax.ObjectConsExpr)
	if known {
		for _, i := range members.Items {
			keys = append(keys, "["+Quote(key(f, i.KeyExpr))+"]")
		}
	}
	return keys, known
}

// metaArguments are those with which the objects of a block cannot be told from the block alone.
var metaArguments = []string{"provider", "count", "for_each"}

// isOwn reports whether a resource may be one of the export's: it has no other provider, and
// neither count nor for_each.
func (p place) isOwn() bool {
	return !p.isForeign() && !slices.ContainsFunc(metaArguments, func(name string) bool { return p.attribute(name) != nil })
}

// isForeign reports whether the block is one of another provider, or in a module that gets one.
func (p place) isForeign() bool {
	return p.attribute("provider") != nil || p.file.code.indexed().providers[module(p.file.name)]
}

// isLike reports whether two blocks have the same meta-arguments. Others are people's: what they
// make of an object cannot be told from the block alone.
func (p place) isLike(fresh place) bool {
	return !p.isForeign() && !slices.ContainsFunc(metaArguments, func(name string) bool {
		return (p.attribute(name) == nil) != (fresh.attribute(name) == nil)
	})
}
