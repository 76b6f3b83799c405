// This file adds and removes members of lists, of objects and of blocks.

package existing

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// spans returns the spans of the members of an object, including their keys.
func spans(whole *hclsyntax.ObjectConsExpr) (all []span) {
	for _, item := range whole.Items {
		all = append(all, span{item.KeyExpr.Range().Start.Byte, item.ValueExpr.Range().End.Byte})
	}
	return all
}

// elements returns the spans of the members of a list.
func elements(list *hclsyntax.TupleConsExpr) (all []span) {
	for _, expr := range list.Exprs {
		all = append(all, span{expr.Range().Start.Byte, expr.Range().End.Byte})
	}
	return all
}

// removeItems removes members that are separated by commas or newlines. At least one must remain.
func (f *File) removeItems(items []span, removed func(n int) bool) {
	kept := -1 // the last one that remains
	for n := range items {
		if !removed(n) {
			kept = n
		}
	}
	for n, item := range items {
		switch {
		case !removed(n):
		case f.beginsLine(item.start) && f.endsLine(item.end):
			f.deleteLines(item.start, item.end)
		case n > kept: // the removed ones at the end, with the separator before them
			f.replace(items[kept].end, items[len(items)-1].end, "")
			return
		default:
			f.replace(item.start, items[n+1].start, "")
		}
	}
}

// insertItem inserts a member after another one, or before all others if after is -1.
func (f *File) insertItem(items []span, after int, text string, commas bool) {
	if after < 0 {
		first := items[0].start
		if f.beginsLine(first) && f.endsLine(items[0].end) {
			f.replace(f.lineStart(first), f.lineStart(first), f.indentation(first)+text+f.comma(items[0], commas)+"\n")
			return
		}
		f.replace(first, first, text+", ")
		return
	}
	item := items[after]
	if !f.beginsLine(item.start) || !f.endsLine(item.end) {
		f.replace(item.end, item.end, ", "+text)
		return
	}
	if commas && f.comma(item, false) == "" {
		f.replace(item.end, item.end, ",")
	}
	f.replace(f.lineEnd(item.end), f.lineEnd(item.end), "\n"+f.indentation(item.start)+text+f.comma(item, commas))
}

// comma returns the comma after a member, which it has, or which is needed.
func (f *File) comma(item span, needed bool) string {
	if needed || strings.HasPrefix(strings.TrimSpace(f.rest(item.end)), ",") {
		return ","
	}
	return ""
}

// removeMember removes the member from its object.
func (p Place) removeMember() {
	items := spans(p.whole)
	if len(items) == 1 {
		p.file.Replace(p.whole.SrcRange, "{}")
		return
	}
	p.file.removeItems(items, func(n int) bool { return n == p.item })
}

// RemoveMembers removes members of an object.
func (p Place) RemoveMembers(names map[string]bool) {
	whole, is := p.expr.(*hclsyntax.ObjectConsExpr)
	all, known := p.Members()
	if !is || !known {
		return
	}
	left := 0
	for _, name := range all {
		if !names[name] {
			left++
		}
	}
	if left == 0 {
		p.file.Replace(whole.SrcRange, "{}")
		return
	}
	p.file.removeItems(spans(whole), func(n int) bool { return names[all[n]] })
}

// AddMember adds the member at another place to the object at this place. It inserts it after the
// first of the given members that exists.
func (p Place) AddMember(from Place, after []string) {
	key := from.file.Text(from.whole.Items[from.item].KeyExpr.Range())
	p.addMember(key, from, after)
}

func (p Place) addMember(key string, from Place, after []string) {
	whole, _ := p.expr.(*hclsyntax.ObjectConsExpr)
	items := spans(whole)
	if len(items) == 0 {
		p.file.Replace(whole.SrcRange, "{\n"+p.file.indentation(whole.SrcRange.Start.Byte)+"  "+key+" = "+from.Text()+"\n"+p.file.indentation(whole.SrcRange.Start.Byte)+"}")
		return
	}
	names, _ := p.Members()
	at := -1
	for _, name := range after {
		for n := range names {
			if at < 0 && names[n] == name {
				at = n
			}
		}
	}
	text := from.Text()
	line := at >= 0 && p.file.beginsLine(items[at].start) && p.file.endsLine(items[at].end) || at < 0 && p.file.beginsLine(items[0].start) && p.file.endsLine(items[0].end)
	if isHeredoc(text) && (!line || p.file.comma(items[max(at, 0)], false) != "") {
		text = from.inline()
	}
	p.file.insertItem(items, at, key+" = "+text, false)
}

// isHeredoc reports whether an expression is a heredoc, whose end mark must be followed by a
// newline.
func isHeredoc(text string) bool { return strings.HasPrefix(text, "<<") }

// Remove removes the attribute or the member.
func (p Place) Remove() {
	if p.whole != nil {
		p.removeMember()
		return
	}
	a := p.block.Attributes[p.Name]
	p.file.deleteLines(a.SrcRange.Start.Byte, a.Expr.Range().End.Byte)
}

// Add writes the expression of another place at this place, where there is none: as an attribute
// of a block, or as a member of an object, after the first of the given names that exists.
func (p Place) Add(from Place, after []string) {
	if p.whole != nil {
		parent := p
		parent.expr = p.whole
		parent.addMember(objectKey(p.Name), from, after)
		return
	}
	p.file.addAttribute(p.in.Block, p.Name+" = "+from.Text(), after)
}

// addAttribute inserts an attribute after the first of the given attributes that exists, or else
// at the beginning of the block.
func (f *File) addAttribute(b *hclsyntax.Block, text string, after []string) {
	for _, name := range after {
		if a := b.Body.Attributes[name]; a != nil {
			end := f.lineEnd(a.Expr.Range().End.Byte)
			f.replace(end, end, "\n"+f.indentation(a.SrcRange.Start.Byte)+text)
			return
		}
	}
	indentation := f.indentation(b.Range().Start.Byte)
	for _, a := range b.Body.Attributes {
		if f.beginsLine(a.SrcRange.Start.Byte) {
			indentation = f.indentation(a.SrcRange.Start.Byte)
		}
	}
	open, closing := b.OpenBraceRange.End.Byte, b.CloseBraceRange.Start.Byte
	if !bytes.ContainsRune(f.content[open:closing], '\n') {
		inside := strings.TrimSpace(string(f.content[open:closing]))
		if inside != "" {
			inside = "  " + inside + "\n"
		}
		f.replace(open, closing, "\n  "+text+"\n"+inside)
		return
	}
	if indentation == f.indentation(b.Range().Start.Byte) {
		indentation += "  "
	}
	f.replace(f.lineEnd(open), f.lineEnd(open), "\n"+indentation+text)
}

// AddAttribute inserts an attribute into the block of the resource, after the first of the given
// attributes that exists.
func (r *Resource) AddAttribute(text string, after []string) {
	r.File.addAttribute(r.Block, text, after)
}
