// This file merges the attributes of a block.

package exportmerge

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// comparison compares a block of the new export with its counterpart in the code.
type comparison struct {
	*merger
	exported, code fileBlock
	before         map[string]string // the digests of the block at the last export
	frozen         string            // why the block must not be changed, or ""
	changed        bool
}

// mergeBlock merges the attributes of a block that the code has. It leaves a block alone that is not in the record, since
// people have written it, or that belongs to another server.
func (m *merger) mergeBlock(exported, code fileBlock) error {
	c := &comparison{merger: m, exported: exported, code: code, before: m.before[m.recordedID(exported)]}
	if c.before == nil || code.isForeign() {
		return nil
	}
	if exported.block.Type == "resource" && !code.isLike(exported) {
		c.frozen = "It is not changed, because the block has count or for_each."
	}
	text := c.mergeItems(nil, exported.block, code.block)
	if !c.changed {
		return nil
	}
	return code.replace(text)
}

// replace replaces the text of the block. If the text was formatted, the new text is formatted, too.
func (p fileBlock) replace(text string) error {
	r := p.block.Range()
	if was := r.SliceBytes(p.file.text); bytes.Equal(hclwrite.Format(was), was) {
		text = string(hclwrite.Format([]byte(text)))
	}
	return p.file.splice(r.Start.Byte, r.End.Byte, text)
}

// digestsBefore returns the digests of the last export at a path and inside of it, as one text.
func (c *comparison) digestsBefore(at itemPath) string {
	values := map[string]string{}
	for path, d := range c.before {
		if hasPrefix(path, at.String()) {
			values[path] = d
		}
	}
	return joined(values)
}

// digests returns the digests of a node and of what is inside of it, as one text.
func digests(p fileBlock, at itemPath, node hclsyntax.Node) string {
	return joined(p.file.leaves(at, node))
}

// mergeValue returns the text that a value has in the code after the merge. Objects and lists that differ are merged
// item by item, except that a value on one line which only the server has changed is replaced as a whole.
func (c *comparison) mergeValue(at itemPath, exported, code hclsyntax.Node) string {
	now, have, before := digests(c.exported, at, exported), digests(c.code, at, code), c.digestsBefore(at)
	same := now == have
	if now == secretDigest || now == expressionDigest { // which say nothing about the value
		form, _ := canonical(c.exported.file, exported)
		other, _ := canonical(c.code.file, code)
		same = form == other
	}
	result := decide(now, have, before, same)
	_, exportedByItem := c.exported.file.items(at, exported)
	_, codeByItem := c.code.file.items(at, code)
	if exportedByItem && codeByItem && isList(exported) == isList(code) {
		onOneLine := code.Range().Start.Line == code.Range().End.Line
		if result != isTaken || !onOneLine {
			return c.mergeItems(at, exported, code)
		}
	}
	switch result {
	case isPeoples:
		if _, plain := canonical(c.code.file, code); plain {
			c.Ahead = append(c.Ahead, Finding{c.code.called() + " " + at.String(), "The server has " + c.shown(c.exported, at, exported) + ", and has not changed it.", c.code.id()})
		}
	case isContested:
		c.leave(at, exported, cmp.Or(c.frozen, notChanged(before)))
	case isTaken:
		if c.mayChange(at, "= "+c.shown(c.exported, at, exported)+", which was "+c.shown(c.code, at, code), exported) {
			return c.exported.file.source(exported.Range())
		}
	}
	return c.code.file.source(code.Range())
}

// isReplaced reports whether a new item is the name of an object to which the last export wrote a reference here, and whose
// block people have removed from the code since. They have removed the reference as well, so the name must not be added in
// its place.
func (c *comparison) isReplaced(at itemPath, i item) bool {
	name, key := i.key, func(reference string) string { return "(" + reference + ")" }
	if isList(c.exported.find(at)) {
		name, _ = text(i.node.(hclsyntax.Expression))
		key = func(reference string) string { return Digest(c.code.file.salt, at.String(), reference) }
	}
	return slices.ContainsFunc(c.TakenOut[name], func(reference string) bool { return c.digestsBefore(at.and(key(reference))) != "" })
}

// mayChange reports a change that the caller makes, and returns true. If the block must not be changed, it
// reports the value of the server instead, and returns false.
func (c *comparison) mayChange(at itemPath, what string, exported hclsyntax.Node) bool {
	if c.frozen != "" {
		c.leave(at, exported, c.frozen)
		return false
	}
	c.changed = true
	where := c.code.block.DefRange()
	if node := c.code.find(at); node != nil {
		where = node.Range()
	}
	c.addChange(position(where), c.code.called()+": "+at.String()+" "+what)
	return true
}

// leave reports a value of the server that is not written into the code, and why.
func (c *comparison) leave(at itemPath, exported hclsyntax.Node, why string) {
	c.Left = append(c.Left, Finding{c.code.called() + " " + at.String(), why + " The server has " + c.shown(c.exported, at, exported) + ".", c.code.id()})
	c.Unmerged = append(c.Unmerged, Unmerged{c.exported.id(), at.String(), c.before})
}

// mergeItems returns the text of a block, an object or a list of the code after the merge.
func (c *comparison) mergeItems(at itemPath, exported, code hclsyntax.Node) string {
	wanted, _ := c.exported.file.items(at, exported)
	have, _ := c.code.file.items(at, code)
	made := edits{map[int]string{}, map[int][]string{}}
	for n, i := range have {
		made.kept[n] = string(c.code.file.text[i.from:i.to])
	}
	ignored := c.ignored(at)
	listed := c.mergeWanted(at, exported, wanted, have, made, ignored) // the members that a list gains and loses, reported as one change
	for n, i := range have {
		inside := at.and(i.key)
		if indexOf(wanted, i.key) < 0 && !slices.Contains(ignored, i.key) && c.digestsBefore(inside) != "" && c.isRemoved(inside, i.node) {
			if isList(code) {
				listed = append(listed, "- "+c.shown(c.code, inside, i.node))
			}
			delete(made.kept, n)
		}
	}
	if len(listed) > 0 && !c.mayChange(at, strings.Join(listed, " "), exported) {
		return c.code.file.source(code.Range())
	}
	return c.code.file.rewrite(code, have, made)
}

// mergeWanted adds to made the edits for the items of the new export. It reports the changes of items, except those of a
// list: it returns the new members in words, which the caller reports.
func (c *comparison) mergeWanted(at itemPath, exported hclsyntax.Node, wanted, have []item, made edits, ignored []string) (added []string) {
	after := -1 // the index in have of the item that a new one follows
	for _, i := range wanted {
		inside, isIgnored := at.and(i.key), slices.Contains(ignored, i.key)
		if n := indexOf(have, i.key); n >= 0 {
			after = n
			if !isIgnored {
				made.kept[n] = string(c.code.file.text[have[n].from:have[n].node.Range().Start.Byte]) + c.mergeValue(inside, i.node, have[n].node)
			}
			continue
		}
		text, shown := string(c.exported.file.text[i.from:i.to]), c.shown(c.exported, inside, i.node)
		if _, isBlock := i.node.(*hclsyntax.Block); isBlock { // a nested block is added at the end, below an empty line
			text, after = "\n  "+text, len(have)-1
		}
		switch before := c.digestsBefore(inside); {
		case isIgnored:
		case before != "":
			if digests(c.exported, inside, i.node) != before {
				c.leave(inside, i.node, "It is not changed, because somebody has taken it out of the code.")
			}
		case c.isReplaced(at, i): // the code does without it
		case isList(exported):
			added = append(added, "+ "+shown)
			made.added[after] = append(made.added[after], text)
		case c.mayChange(inside, "= "+shown+" is new", i.node):
			made.added[after] = append(made.added[after], text)
		}
	}
	return added
}

// ignored returns the attributes that people have added to ignore_changes, or those of both blocks if the code ignores
// all. Inside of attributes, nothing is ignored.
func (c *comparison) ignored(at itemPath) (names []string) {
	if len(at) > 0 {
		return nil
	}
	ignoredBy := func(p fileBlock) (names []string) {
		switch ignored := p.find(itemPath{"lifecycle/", "ignore_changes"}).(type) {
		case *hclsyntax.TupleConsExpr:
			for _, e := range ignored.Exprs {
				quoted, _ := text(e) // as Terraform 0.11 wrote them
				names = append(names, cmp.Or(hcl.ExprAsKeyword(e), quoted))
			}
		case *hclsyntax.ScopeTraversalExpr: // all
			names = slices.AppendSeq(slices.Collect(maps.Keys(c.exported.block.Body.Attributes)), maps.Keys(p.block.Body.Attributes))
		}
		return names
	}
	exported := ignoredBy(c.exported)
	return slices.DeleteFunc(ignoredBy(c.code), func(name string) bool { return slices.Contains(exported, name) })
}

// isRemoved reports whether an item that the server no longer has is removed from the code, and reports that, or
// why it stays; the caller reports members of lists. An instance in for_each, and an item whose key refers to
// an object that is gone, are removed even if people have changed them.
func (c *comparison) isRemoved(at itemPath, node hclsyntax.Node) bool {
	isOfGone := len(at) == 2 && at[0] == "for_each" || c.refersToGone(at[len(at)-1])
	switch {
	case isOfGone && c.Keep, c.isOfVariable(at): // (*merger).remove decides whether it stays
		return false
	case isList(c.code.find(at[:len(at)-1])):
		return true
	case !isOfGone && digests(c.code, at, node) != c.digestsBefore(at):
		c.leave(at, nil, notChanged(""))
		return false
	}
	return c.mayChange(at, "is gone, which was "+c.shown(c.code, at, node), nil)
}

// refersToGone reports whether the key of a member refers to an object that is gone. Keys have the addresses of the
// record (asRecorded).
func (c *comparison) refersToGone(key string) bool {
	for address := range c.Gone {
		recorded := strings.TrimPrefix(cmp.Or(c.Moved[address], address), modulePrefix(c.code.file.name))
		if strings.HasPrefix(key, "("+recorded+".") {
			return true
		}
	}
	return false
}

// isOfVariable reports whether an item is the argument for a variable that a module in the code still has, and that
// of the new export does not.
func (c *comparison) isOfVariable(at itemPath) bool {
	dir := strings.TrimPrefix(strings.Trim(c.code.bareText("source"), `"`), "./")
	_, is := c.merger.code.find(dir + ": variable " + at[0])
	_, again := c.merger.exported.find(dir + ": variable " + at[0])
	return is && !again
}
