// This file takes blocks, objects and lists apart, and puts their text together again.

package exportmerge

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// item is an attribute or a block in a block, a member of an object, or one of a list.
type item struct {
	key      string // of nested blocks, it ends in a slash; of a member of a list, it is a digest
	node     hclsyntax.Node
	from, to int // the offsets of its text
}

// itemPath leads from a block to a part of it, by the keys of items.
type itemPath []string

func (p itemPath) and(key string) itemPath { return append(slices.Clone(p), key) }

// String returns the path as the record and messages have it: `lifecycle/ignore_changes`, `properties.commands`.
func (p itemPath) String() string {
	var b strings.Builder
	for n, key := range p {
		if n > 0 && !strings.HasSuffix(p[n-1], "/") {
			b.WriteByte('.')
		}
		b.WriteString(key)
	}
	return b.String()
}

// isSet reports whether the order of the members of a list is irrelevant: all lists of names are
// sets, and only lists in JSON may be others.
func (p itemPath) isSet() bool { return p[0] != "properties" && p[0] != "initial_payload" }

// items returns the items of a node. byItem is false if the node must be merged as a whole: a plain value, a list whose
// order matters, or a list that may contain a secret.
func (f *file) items(at itemPath, node hclsyntax.Node) (all []item, byItem bool) {
	add := func(key string, node hclsyntax.Node, whole hcl.Range) {
		all = append(all, item{key, node, whole.Start.Byte, whole.End.Byte})
	}
	switch node := node.(type) {
	case *hclsyntax.Block:
		for _, a := range node.Body.Attributes {
			add(a.Name, a.Expr, a.SrcRange)
		}
		for _, b := range node.Body.Blocks {
			add(b.Type+"/", b, b.Range())
		}
		slices.SortFunc(all, func(x, y item) int { return cmp.Compare(x.from, y.from) })
		return all, true
	case *hclsyntax.ObjectConsExpr:
		for _, i := range node.Items {
			add(keyForm(f, i.KeyExpr), i.ValueExpr, hcl.RangeBetween(i.KeyExpr.Range(), i.ValueExpr.Range()))
		}
		return all, true
	case *hclsyntax.TupleConsExpr:
		for _, e := range node.Exprs {
			form, _ := canonical(f, e)
			add(Digest(f.salt, at.String(), form), e, e.Range())
		}
		return all, at.isSet() && !f.isSecret(at.String(), f.source(node.Range()))
	}
	return nil, false
}

// isList reports whether a node is a list.
func isList(node hclsyntax.Node) bool {
	_, is := node.(*hclsyntax.TupleConsExpr)
	return is
}

// indexOf returns the index of the item with a key, or -1.
func indexOf(all []item, key string) int {
	return slices.IndexFunc(all, func(i item) bool { return i.key == key })
}

// find returns the part of the block at a path, or nil.
func (p fileBlock) find(to itemPath) hclsyntax.Node {
	var node hclsyntax.Node = p.block
	for n, key := range to {
		all, _ := p.file.items(to[:n], node)
		i := indexOf(all, key)
		if i < 0 {
			return nil
		}
		node = all[i].node
	}
	return node
}

// edits says what becomes of the items of a node.
type edits struct {
	kept  map[int]string   // the texts of the items that stay, by their index
	added map[int][]string // the texts of new items, by the index of the item that they follow, or -1
}

// rewrite returns the text of a node after edits of its items. An item on lines of its own is added and
// removed with these lines, and any other item with the separator before it.
func (f *file) rewrite(node hclsyntax.Node, items []item, made edits) string {
	r := node.Range()
	from, to := r.Start.Byte+1, r.End.Byte-1 // what is between the brackets
	if block, is := node.(*hclsyntax.Block); is {
		from, to = block.OpenBraceRange.End.Byte, block.CloseBraceRange.Start.Byte
	}
	rewritten := f.inline
	if f.hasLines(items, to) {
		rewritten = f.inLines
	}
	return string(f.text[r.Start.Byte:from]) + rewritten(node, items, made, from, to) + string(f.text[to:r.End.Byte])
}

// inLines returns the text between the brackets of a node whose items have lines of their own, after edits.
func (f *file) inLines(node hclsyntax.Node, items []item, made edits, from, to int) string {
	indent, end := f.indent(node.Range().Start.Byte)+"  ", "\n"
	if len(items) > 0 {
		indent = f.indent(items[0].from)
	}
	if isList(node) {
		end = ",\n"
	}
	var b strings.Builder
	cursor := from
	emit := func(until int) { b.Write(f.text[cursor:until]); cursor = until }
	add := func(after int) {
		for _, text := range made.added[after] {
			b.WriteString(indent + text + end)
		}
	}
	emit(f.lineEnd(from))
	add(-1)
	for n, i := range items {
		if text, kept := made.kept[n]; kept {
			emit(i.from)
			b.WriteString(text)
			cursor = i.to
			if isList(node) && len(made.added[n]) > 0 && !bytes.HasPrefix(bytes.TrimLeft(f.text[i.to:], " "), []byte(",")) {
				b.WriteByte(',') // the last item needs none unless another follows
			}
			emit(f.lineEnd(i.to))
		} else {
			emit(f.lineStart(i.from))
			cursor = f.lineEnd(i.to)
		}
		add(n)
	}
	if len(made.kept) < len(items) && f.isBlank(cursor, to) { // without the empty line that was above a removed nested block
		return strings.TrimRight(b.String(), " \n") + "\n" + string(f.text[f.lineStart(to):to])
	}
	emit(to)
	return b.String()
}

// hasLines reports whether each item between the brackets, and the closing one, begins a line.
func (f *file) hasLines(all []item, closing int) bool {
	for _, i := range all {
		if !f.isBlank(f.lineStart(i.from), i.from) {
			return false
		}
	}
	return f.isBlank(f.lineStart(closing), closing)
}

// inline returns the text between the brackets of a node whose items share a line, after edits. A gap is the text before
// an item: separator, blanks, comments. A comment in a gap belongs to the item before the gap, so it stays if the item
// after it is removed.
func (f *file) inline(node hclsyntax.Node, items []item, made edits, from, to int) string {
	_, isBlock := node.(*hclsyntax.Block)
	first, last, separator := " ", " ", ", "
	switch {
	case isBlock && len(made.added) > 0: // a block on one line might not have several attributes
		last = "\n" + f.indent(node.Range().Start.Byte)
		first, separator = last+"  ", last+"  "
	case len(items) > 0:
		first, last = string(f.text[from:items[0].from]), string(f.text[items[len(items)-1].to:to])
	case isList(node):
		first, last = "", ""
	}
	var b strings.Builder
	put := func(gap, text string) {
		if b.Len() == 0 {
			gap = first
		}
		b.WriteString(gap + text)
	}
	add := func(after int) {
		for _, text := range made.added[after] {
			put(separator, text)
		}
	}
	add(-1)
	comments := "" // the gap with a comment before removed items
	for n, i := range items {
		gap := separator
		if n > 0 {
			gap = string(f.text[items[n-1].to:i.from])
		}
		if comments != "" {
			gap = comments + strings.TrimLeft(gap, ", ")
		}
		comments = ""
		if text, kept := made.kept[n]; kept {
			put(gap, text)
		} else if strings.ContainsAny(gap, "#/") {
			comments = gap
		}
		add(n)
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + strings.Replace(comments, ",", "", 1) + last // no separator after the last item
}
