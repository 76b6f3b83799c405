// This file merges the attributes of a block. It decides first, and then edits the places one by
// one, because each edit moves the others.

package exportmerge

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// edit changes one place of a block, which it finds anew.
type edit func(p place) error

// comparison compares a block of the new export with that of the code.
type comparison struct {
	*merger
	fresh, code place
	id          string            // in the record
	before      map[string]string // the digests of the last export; nil if it did not write the block
	edits       []edit
}

// mergeBlock merges the attributes of a block that the code has.
func (m *merger) mergeBlock(fresh, code place) error {
	id := m.recordedID(fresh)
	c := &comparison{merger: m, fresh: fresh, code: code, id: id, before: m.Record[id]}
	if m.Record != nil && c.before == nil {
		return nil // people have written it
	}
	c.compareBody(nil, fresh.block.Body, code.block.Body)
	at, tidy := code.id(), formatted([]byte(code.text()))
	for _, e := range c.edits {
		p, is := m.code.find(at)
		if !is {
			return nil
		}
		if err := e(p); err != nil {
			return err
		}
	}
	if len(c.edits) > 0 && tidy {
		return m.code.format(at)
	}
	return nil
}

// leaves returns the digests of an expression.
func (c *comparison) leaves(p place, way steps, expr hclsyntax.Expression) map[string]string {
	values := map[string]string{}
	p.file.recordValue(c.id, way.String(), expr, values)
	return values
}

// recorded returns the digests of the last export at a path.
func (c *comparison) recorded(way steps) map[string]string {
	values, at := map[string]string{}, way.String()
	for written, d := range c.before {
		if written == at || strings.HasPrefix(written, at+".") || strings.HasPrefix(written, at+"/") {
			values[written] = d
		}
	}
	return values
}

// isPeoples reports whether people have changed an expression of the code. If there is no record,
// only what is no plain value is theirs.
func (c *comparison) isPeoples(way steps, expr hclsyntax.Expression) bool {
	if c.Record == nil {
		_, plain := canonical(c.code.file, expr)
		return !plain
	}
	return !maps.Equal(c.leaves(c.code, way, expr), c.recorded(way))
}

// compareBody compares the attributes and nested blocks of a body.
func (c *comparison) compareBody(way steps, fresh, code *hclsyntax.Body) {
	var after []string
	for _, a := range inOrder(fresh.Attributes) {
		have, at := code.Attributes[a.Name], way.and(a.Name)
		switch {
		case have != nil && slices.Contains(ignored(code), a.Name) && !slices.Contains(ignored(fresh), a.Name):
		case have != nil:
			c.compareValue(at, a.Expr, have.Expr)
		case len(c.recorded(at)) == 0:
			c.insertAttribute(at, a, slices.Clone(after))
		case !maps.Equal(c.leaves(c.fresh, at, a.Expr), c.recorded(at)):
			c.leave(c.fresh, c.code, at, c.shownAt(at), "somebody has taken it out of the code")
		}
		after = append([]string{a.Name}, after...)
	}
	for _, a := range inOrder(code.Attributes) {
		if at := way.and(a.Name); fresh.Attributes[a.Name] == nil && len(c.recorded(at)) > 0 {
			c.remove(at, a.Expr, false)
		}
	}
	for _, b := range fresh.Blocks {
		have, at := nested(code, b.Type), way.and(b.Type+"/")
		switch {
		case have != nil:
			c.compareBody(at, b.Body, have.Body)
		case len(c.recorded(at)) == 0:
			c.insertBlock(at, b)
		}
	}
	for _, b := range code.Blocks {
		at := way.and(b.Type + "/")
		if values := map[string]string{}; nested(fresh, b.Type) == nil && len(c.recorded(at)) > 0 {
			c.code.file.record(c.id, at.String(), b.Body, values)
			if maps.Equal(values, c.recorded(at)) {
				c.change(at, "is gone", func(p place) error { return p.file.deleteLines(nested(p.body(way), b.Type).Range()) })
			}
		}
	}
}

// ignored returns the attributes in the ignore_changes of a resource.
func ignored(body *hclsyntax.Body) (names []string) {
	lifecycle := nested(body, "lifecycle")
	if lifecycle == nil || lifecycle.Body.Attributes["ignore_changes"] == nil {
		return nil
	}
	if list, is := lifecycle.Body.Attributes["ignore_changes"].Expr.(*hclsyntax.TupleConsExpr); is {
		for _, e := range list.Exprs {
			names = append(names, hcl.ExprAsKeyword(e))
		}
	}
	return names
}

// inOrder returns attributes in the order of their lines.
func inOrder(attributes hclsyntax.Attributes) []*hclsyntax.Attribute {
	return slices.SortedFunc(maps.Values(attributes), func(x, y *hclsyntax.Attribute) int { return x.NameRange.Start.Byte - y.NameRange.Start.Byte })
}

// body returns the body at a path of nested blocks.
func (p place) body(way steps) *hclsyntax.Body {
	body := p.block.Body
	for _, step := range way {
		if inner := nested(body, strings.TrimSuffix(step, "/")); inner != nil {
			body = inner.Body
		}
	}
	return body
}

// change notes an edit, and what it does.
func (c *comparison) change(way steps, what string, e edit) {
	c.tell(way, what)
	c.edits = append(c.edits, e)
}

// tell notes in words what is changed at a path.
func (c *comparison) tell(way steps, what string) {
	where := position(c.code.block.DefRange())
	if expr := c.code.find(way); expr != nil {
		where = position(expr.Range())
	}
	c.Changes = append(c.Changes, where+": "+c.code.called()+": "+way.String()+" "+what)
}

// compareValue compares an expression.
func (c *comparison) compareValue(way steps, fresh, code hclsyntax.Expression) {
	_, plain := canonical(c.code.file, code)
	freshObject, isObject := fresh.(*hclsyntax.ObjectConsExpr)
	codeObject, both := code.(*hclsyntax.ObjectConsExpr)
	freshList, isList := fresh.(*hclsyntax.TupleConsExpr)
	codeList, bothLists := code.(*hclsyntax.TupleConsExpr)
	switch {
	case maps.Equal(c.leaves(c.fresh, way, fresh), c.leaves(c.code, way, code)), c.readsTheSame(fresh, code):
	case isObject && both && (c.Record == nil || c.isPeoples(way, code) || len(freshObject.Items) > 0 && isLong(code)):
		c.compareMembers(way, freshObject, codeObject)
	case c.Record != nil && maps.Equal(c.leaves(c.fresh, way, fresh), c.recorded(way)):
		if plain {
			c.Ahead = append(c.Ahead, Finding{c.code.called() + " " + way.String(), "The server has " + c.shownAt(way) + ", and has not changed it.", c.code.id(), way})
		}
	case isList && bothLists && c.mergeList(way, freshList, codeList):
	case c.isPeoples(way, code):
		c.leave(c.fresh, c.code, way, c.shownAt(way), map[bool]string{true: "somebody has changed it in the code, too", false: "it is more than a value or a reference"}[c.Record != nil])
	default:
		text := c.fresh.file.source(fresh.Range())
		c.change(way, "= "+c.shownAt(way)+", which was "+c.shown(c.code, way), func(p place) error { return p.file.replace(p.find(way).Range(), text) })
	}
}

// readsTheSame reports whether two expressions read files with the same content: a file keeps its
// name when its object is renamed.
func (c *comparison) readsTheSame(fresh, code hclsyntax.Expression) bool {
	want, is := fileOf(c.fresh.file, fresh)
	have, both := fileOf(c.code.file, code)
	if !is || !both {
		return false
	}
	dir := strings.TrimSuffix(c.code.file.name, path.Base(c.code.file.name))
	content, err := c.merger.code.other(dir + have)
	return err == nil && bytes.Equal(content, c.Fresh[dir+want])
}

// isLong reports whether an expression has lines of its own, which may have comments.
func isLong(expr hclsyntax.Expression) bool {
	return expr.Range().Start.Line != expr.Range().End.Line
}

// shownAt returns the value of the new export at a path, for messages.
func (c *comparison) shownAt(way steps) string { return c.shown(c.fresh, way) }

// compareMembers compares the members of an object.
func (c *comparison) compareMembers(way steps, fresh, code *hclsyntax.ObjectConsExpr) {
	var after []string
	for _, item := range fresh.Items {
		name := key(c.fresh.file, item.KeyExpr)
		at, n := way.and(name), c.code.file.memberOf(code, name)
		switch {
		case n >= 0:
			c.compareValue(at, item.ValueExpr, code.Items[n].ValueExpr)
		case len(c.recorded(at)) == 0:
			c.insertMember(way, item, slices.Clone(after))
		}
		after = append([]string{name}, after...)
	}
	for _, item := range code.Items {
		name := key(c.code.file, item.KeyExpr)
		if at := way.and(name); c.fresh.file.memberOf(fresh, name) < 0 && len(c.recorded(at)) > 0 {
			c.remove(at, item.ValueExpr, slices.Equal(way, steps{"for_each"}) || c.isGoneKey(name))
		}
	}
}

// isGoneKey reports whether a key refers to an object that is gone.
func (c *comparison) isGoneKey(name string) bool {
	for address := range c.Gone {
		if strings.HasPrefix(name, "("+strings.TrimPrefix(address, module(c.code.file.name))+".") {
			return true
		}
	}
	return false
}

// remove removes what the server no longer has. always is for what nobody can keep.
func (c *comparison) remove(way steps, expr hclsyntax.Expression, always bool) {
	switch {
	case always && c.Keep:
		return // removeGone reports it
	case c.isPeoples(way, expr) && !always:
		c.leave(c.fresh, c.code, way, "", "somebody has changed it in the code, too")
		return
	}
	last, within := way[len(way)-1], way[:len(way)-1]
	c.change(way, "is gone, which was "+c.shown(c.code, way), func(p place) error {
		if object, is := p.find(within).(*hclsyntax.ObjectConsExpr); is && len(within) > 0 {
			return p.file.deleteMember(object, p.file.memberOf(object, last))
		}
		return p.file.deleteLines(p.body(within).Attributes[last].Range())
	})
}

// insertAttribute inserts an attribute after the first of some others that the code has.
func (c *comparison) insertAttribute(way steps, a *hclsyntax.Attribute, after []string) {
	text := a.Name + " = " + c.fresh.file.source(a.Expr.Range())
	c.change(way, "= "+c.shownAt(way)+" is new", func(p place) error {
		return p.insertItem(way[:len(way)-1], after, text)
	})
}

// insertBlock inserts a nested block at the end.
func (c *comparison) insertBlock(way steps, b *hclsyntax.Block) {
	text := "\n  " + c.fresh.file.source(b.Range())
	c.change(way, "is new", func(p place) error {
		var last []string
		for _, a := range inOrder(p.body(way[:len(way)-1]).Attributes) {
			last = append([]string{a.Name}, last...)
		}
		return p.insertItem(way[:len(way)-1], last, text)
	})
}

// insertItem writes text into a body, after the first of some attributes that it has.
func (p place) insertItem(way steps, after []string, text string) error {
	body, open, end := p.block.Body, p.block.OpenBraceRange, p.block.CloseBraceRange
	for _, step := range way {
		inner := nested(body, strings.TrimSuffix(step, "/"))
		body, open, end = inner.Body, inner.OpenBraceRange, inner.CloseBraceRange
	}
	for _, name := range after {
		if a := body.Attributes[name]; a != nil {
			return p.file.insertItem(open, a, end.End.Byte, text)
		}
	}
	return p.file.insertItem(open, nil, end.End.Byte, text)
}

// insertMember inserts a member of an object after the first of some others that it has.
func (c *comparison) insertMember(way steps, item hclsyntax.ObjectConsItem, after []string) {
	text := c.fresh.file.source(item.KeyExpr.Range()) + " = " + c.fresh.file.source(item.ValueExpr.Range())
	at := way.and(key(c.fresh.file, item.KeyExpr))
	c.change(at, "= "+c.shownAt(at)+" is new", func(p place) error {
		object, is := p.find(way).(*hclsyntax.ObjectConsExpr)
		if !is {
			return nil
		}
		for _, name := range after {
			if n := p.file.memberOf(object, name); n >= 0 {
				return p.file.insertMember(object, n, text)
			}
		}
		return p.file.insertMember(object, -1, text)
	})
}

// mergeList merges the members of a list: those that the server has added or removed. It returns
// false if only their order has changed, and that is relevant.
func (c *comparison) mergeList(way steps, fresh, code *hclsyntax.TupleConsExpr) bool {
	want, have := c.fresh.file.members(c.id, way.String(), fresh), c.code.file.members(c.id, way.String(), code)
	before := strings.Split(c.before[way.String()], ",")
	if c.Record == nil {
		before = have
	}
	var gone, added []int
	for n, d := range have {
		if !slices.Contains(want, d) && slices.Contains(before, d) {
			gone = append([]int{n}, gone...) // from the last to the first
		}
	}
	for n, d := range want {
		if !slices.Contains(have, d) && !slices.Contains(before, d) {
			added = append(added, n)
		}
	}
	if len(gone)+len(added) == 0 {
		return isSet(way.String())
	}
	var told []string
	for _, n := range gone {
		told = append(told, "- "+c.code.file.source(code.Exprs[n].Range()))
		c.editList(way, func(f *file, list *hclsyntax.TupleConsExpr) error { return f.deleteElement(list, n) })
	}
	for _, n := range added {
		text := c.fresh.file.source(fresh.Exprs[n].Range())
		told = append(told, "+ "+text)
		c.editList(way, func(f *file, list *hclsyntax.TupleConsExpr) error { return f.insertElement(list, text) })
	}
	c.tell(way, strings.Join(told, " "))
	return true
}

// editList notes an edit of the list at a path.
func (c *comparison) editList(way steps, edit func(*file, *hclsyntax.TupleConsExpr) error) {
	c.edits = append(c.edits, func(p place) error {
		list, is := p.find(way).(*hclsyntax.TupleConsExpr)
		if !is {
			return nil
		}
		return edit(p.file, list)
	})
}
