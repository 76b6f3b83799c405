// This file declares the input and the result of a merge, and what all of its parts need.

package exportmerge

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Input is what a merge depends on, apart from the code.
type Input struct {
	Fresh  map[string][]byte // the files of a new export, with the addresses of the code
	Record Record            // of the last export; nil if there is none, and then the server is right
	// Moved has the addresses in the record of blocks and instances that people have moved, by
	// their addresses in the code.
	Moved map[string]string
	// Gone are the addresses in the code of objects that the server no longer has.
	Gone map[string]bool
	// Keep keeps the blocks of objects that are gone, and Removed writes `removed` blocks for them.
	Keep, Removed bool
	// Secret reports whether a value must not be shown, by the path of an attribute and by its text.
	Secret func(path, text string) bool
}

// Result is what a merge changes.
type Result struct {
	Files   map[string][]byte // changed files; nil for a file that is deleted
	Changes []string          // what is changed, in words
	Left    []Finding         // what the server has changed, and the code keeps
	Ahead   []Finding         // where only the code has changed
	// Unmerged has the paths, by the ids of blocks, at which the code keeps what the server has
	// changed. Their digests must stay as they were, so that the next export reports it again.
	Unmerged map[string][]string
	// Kept are the addresses of objects that are gone, and are still in the code.
	Kept map[string]bool
}

// Finding is a remark about a place in the code.
type Finding struct {
	At, What string

	block string // the id of the block; the position is found once all edits are made
	way   steps
}

// merger merges fresh into code.
type merger struct {
	Input
	code, fresh *Code
	Result
}

// steps are the way from a block to an expression: nested blocks end in a slash, then the attribute
// and the keys of objects.
type steps []string

func (s steps) and(step string) steps { return append(slices.Clone(s), step) }

// String returns the path as the record and messages have it.
func (s steps) String() string {
	var b strings.Builder
	for n, step := range s {
		if n > 0 && !strings.HasSuffix(s[n-1], "/") {
			b.WriteByte('.')
		}
		b.WriteString(step)
	}
	return b.String()
}

// find returns the expression at a path of the block, or nil.
func (p place) find(way steps) hclsyntax.Expression {
	body := p.block.Body
	for len(way) > 0 && strings.HasSuffix(way[0], "/") {
		inner := nested(body, strings.TrimSuffix(way[0], "/"))
		if inner == nil {
			return nil
		}
		body, way = inner.Body, way[1:]
	}
	if len(way) == 0 || body.Attributes[way[0]] == nil {
		return nil
	}
	expr := body.Attributes[way[0]].Expr
	for _, step := range way[1:] {
		object, is := expr.(*hclsyntax.ObjectConsExpr)
		if !is {
			return nil
		}
		n := p.file.memberOf(object, step)
		if n < 0 {
			return nil
		}
		expr = object.Items[n].ValueExpr
	}
	return expr
}

// memberOf returns the index of the member of an object with a key, or -1.
func (f *file) memberOf(object *hclsyntax.ObjectConsExpr, name string) int {
	return slices.IndexFunc(object.Items, func(i hclsyntax.ObjectConsItem) bool { return key(f, i.KeyExpr) == name })
}

// nested returns the first nested block of a type, or nil.
func nested(body *hclsyntax.Body, typ string) *hclsyntax.Block {
	for _, b := range body.Blocks {
		if b.Type == typ {
			return b
		}
	}
	return nil
}

// recordedID returns the id in the record of a block with an id in the code.
func (m *merger) recordedID(p place) string {
	if before, is := m.Moved[p.address()]; is && p.address() != "" {
		return BlockID(before)
	}
	if to := p.imported(); to != "" {
		base, key := splitKey(to)
		if before, is := m.Moved[to]; is {
			return "import " + before
		} else if before, is := m.Moved[base]; is {
			return "import " + before + key
		}
	}
	return p.id()
}

// BlockID returns the id of the block of a resource.
func BlockID(address string) string {
	dir, parts := "", strings.Split(address, ".")
	if len(parts) == 4 && parts[0] == "module" {
		dir, parts = "modules/"+parts[1]+": ", parts[2:]
	}
	return dir + "resource " + strings.Join(parts, " ")
}

// counterpart returns the block in the code for one of the new export.
func (m *merger) counterpart(p place) (place, bool) {
	if address := p.address(); address != "" {
		return m.code.resource(address)
	}
	return m.code.find(p.id())
}

// changed notes what happens to a whole block.
func (m *merger) changed(at string, p place, what string) {
	m.Changes = append(m.Changes, at+": "+p.called()+" "+what)
}

// called returns what messages call the block.
func (p place) called() string {
	if address := p.address(); address != "" {
		return address
	}
	return p.id()
}

// leave reports a value of the server that the code does not get.
func (m *merger) leave(p, at place, way steps, wanted, why string) {
	if wanted == "" {
		wanted = "none"
	}
	m.Left = append(m.Left, Finding{at.called() + " " + way.String(), "It is not changed, because " + why + ". The server has " + wanted + ".", at.id(), way})
	m.Unmerged[p.id()] = append(m.Unmerged[p.id()], way.String())
}

// settle adds the positions of findings.
func (m *merger) settle(all []Finding) {
	for n, f := range all {
		if p, is := m.code.find(f.block); is && f.block != "" {
			r := p.block.DefRange()
			if expr := p.find(f.way); expr != nil {
				r = expr.Range()
			}
			all[n].At = position(r) + " " + f.At
		}
	}
}

// hidden is what messages show in place of a secret.
const hidden = "(a value that is not shown)"

func (m *merger) isSecret(path, text string) bool { return m.Secret != nil && m.Secret(path, text) }

// longestShown is how many characters of a value are shown.
const longestShown = 80

// shown returns the value of a block at a path, for messages.
func (m *merger) shown(p place, way steps) string {
	expr := p.find(way)
	if expr == nil {
		return "none"
	}
	source, parts := p.file.source(expr.Range()), map[string]string{}
	p.file.recordValue("", way.String(), expr, parts)
	for path := range parts { // of an object, each member
		if m.isSecret(path, source) {
			return hidden
		}
	}
	text := []rune(strings.Join(strings.Fields(source), " "))
	if len(text) > longestShown {
		return string(text[:longestShown]) + "..."
	}
	return string(text)
}
