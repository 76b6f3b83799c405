// This file edits the text of a file. After each edit the file is parsed again, so that edits never
// overlap.

package exportmerge

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// splice replaces the text between two offsets.
func (f *file) splice(from, to int, with string) error {
	return f.set(slices.Concat(f.text[:from], []byte(with), f.text[to:]))
}

// replace replaces the text of a range.
func (f *file) replace(r hcl.Range, with string) error {
	return f.splice(r.Start.Byte, r.End.Byte, with)
}

// lineStart and lineEnd return the offsets at which the line of an offset begins, and at which the
// next one begins.
func (f *file) lineStart(at int) int { return bytes.LastIndexByte(f.text[:at], '\n') + 1 }

func (f *file) lineEnd(at int) int {
	if n := bytes.IndexByte(f.text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(f.text)
}

// indentation returns the spaces at the beginning of the line of an offset.
func (f *file) indentation(at int) string {
	line := f.text[f.lineStart(at):f.lineEnd(at)]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// deleteLines deletes a range, and its lines if nothing else is on them but a comment about it.
func (f *file) deleteLines(r hcl.Range) error {
	from, to := f.lineStart(r.Start.Byte), f.lineEnd(r.End.Byte)
	before := bytes.TrimSpace(f.text[from:r.Start.Byte])
	after := strings.TrimLeft(strings.TrimSpace(string(f.text[r.End.Byte:to])), ", ")
	if len(before) == 0 && (after == "" || strings.HasPrefix(after, "#") || strings.HasPrefix(after, "//")) {
		return f.splice(from, to, "")
	}
	return f.replace(r, "")
}

// deleteBlock deletes a block with the comment directly above it, and the empty line that separated
// it. The comment at the head of the file stays.
func (p place) deleteBlock() error {
	f, r := p.file, p.block.Range()
	from, to := f.lineStart(r.Start.Byte), f.lineEnd(r.End.Byte)
	if len(bytes.TrimSpace(f.text[from:r.Start.Byte])) > 0 { // a comment ends on the first line
		return f.splice(r.Start.Byte, r.End.Byte, "")
	}
	for above := from; above > 0; {
		above = f.lineStart(above - 1)
		line := bytes.TrimSpace(f.text[above:from])
		if !bytes.HasPrefix(line, []byte("#")) && !bytes.HasPrefix(line, []byte("//")) || above == 0 {
			break
		}
		from = above
	}
	// A comment behind the block begins on its last line.
	if rest := bytes.TrimSpace(f.text[r.End.Byte:to]); len(rest) > 0 {
		return f.splice(from, r.End.Byte, "")
	}
	for to < len(f.text) && f.text[to] == '\n' {
		to++
	}
	if to == len(f.text) {
		for from > 1 && f.text[from-1] == '\n' && f.text[from-2] == '\n' {
			from--
		}
	}
	return f.splice(from, to, "")
}

// appendBlock writes a block at the end of the file.
func (f *file) appendBlock(text string) error {
	separator := "\n"
	if len(f.text) == 0 {
		separator = ""
	}
	return f.splice(len(f.text), len(f.text), separator+strings.TrimRight(text, "\n")+"\n")
}

// insertAfter writes a block after another one.
func (p place) insertAfter(text string) error {
	at := p.file.lineEnd(p.block.CloseBraceRange.End.Byte)
	return p.file.splice(at, at, "\n"+strings.TrimRight(text, "\n")+"\n")
}

// text returns the text of the block.
func (p place) text() string { return p.file.source(p.block.Range()) }

// insertItem writes an attribute or a block into a body: after an attribute, or at the beginning if
// that is nil.
func (f *file) insertItem(open hcl.Range, after *hclsyntax.Attribute, end int, text string) error {
	indent, at := f.indentation(open.Start.Byte)+"  ", f.lineEnd(open.End.Byte)
	if after != nil {
		at = f.lineEnd(after.Expr.Range().End.Byte)
	}
	if at > end { // the block is on one line
		return f.splice(open.End.Byte, open.End.Byte, "\n"+indent+text+"\n")
	}
	return f.splice(at, at, indent+text+"\n")
}

// insertMember writes a member into an object: after another one, or at the beginning.
func (f *file) insertMember(expr *hclsyntax.ObjectConsExpr, after int, text string) error {
	open := expr.OpenRange
	multiline := expr.SrcRange.Start.Line != expr.SrcRange.End.Line
	switch {
	case len(expr.Items) == 0 && !multiline:
		return f.replace(expr.SrcRange, "{ "+text+" }")
	case !multiline && after < 0:
		return f.splice(open.End.Byte, open.End.Byte, " "+text+",")
	case !multiline:
		end := expr.Items[after].ValueExpr.Range().End.Byte
		return f.splice(end, end, ", "+text)
	case after < 0:
		at := f.lineEnd(open.End.Byte)
		return f.splice(at, at, f.indentation(open.Start.Byte)+"  "+text+"\n")
	}
	last := expr.Items[after]
	at := f.lineEnd(last.ValueExpr.Range().End.Byte)
	indent := f.indentation(last.KeyExpr.Range().Start.Byte)
	if at > expr.SrcRange.End.Byte { // the brace closes on the same line
		end := last.ValueExpr.Range().End.Byte
		return f.splice(end, end, ",\n"+indent+text)
	}
	return f.splice(at, at, indent+text+"\n")
}

// deleteMember deletes a member of an object.
func (f *file) deleteMember(expr *hclsyntax.ObjectConsExpr, n int) error {
	item := expr.Items[n]
	r := hcl.RangeBetween(item.KeyExpr.Range(), item.ValueExpr.Range())
	switch {
	case len(expr.Items) == 1 && expr.SrcRange.Start.Line == expr.SrcRange.End.Line:
		return f.replace(expr.SrcRange, "{}")
	case expr.SrcRange.Start.Line != expr.SrcRange.End.Line:
		return f.deleteLines(r)
	}
	return f.deleteItem(r, n, func(i int) hcl.Range {
		return hcl.RangeBetween(expr.Items[i].KeyExpr.Range(), expr.Items[i].ValueExpr.Range())
	})
}

// deleteItem deletes an item of a list on one line with the comma that separates it. at returns the
// range of an item.
func (f *file) deleteItem(r hcl.Range, n int, at func(int) hcl.Range) error {
	if n > 0 {
		return f.splice(at(n-1).End.Byte, r.End.Byte, "")
	}
	to := r.End.Byte
	for to < len(f.text) && strings.ContainsRune(", ", rune(f.text[to])) {
		to++
	}
	return f.splice(r.Start.Byte, to, "")
}

// insertElement writes an element at the end of a list.
func (f *file) insertElement(expr *hclsyntax.TupleConsExpr, text string) error {
	n := len(expr.Exprs)
	if n == 0 {
		return f.replace(expr.SrcRange, "["+text+"]")
	}
	last := expr.Exprs[n-1].Range()
	if expr.SrcRange.Start.Line == expr.SrcRange.End.Line || expr.SrcRange.End.Line == last.End.Line {
		return f.splice(last.End.Byte, last.End.Byte, ", "+text)
	}
	comma := ""
	if !bytes.HasPrefix(bytes.TrimSpace(f.text[last.End.Byte:f.lineEnd(last.End.Byte)]), []byte(",")) {
		comma = ","
	}
	indent := f.indentation(last.Start.Byte)
	if err := f.splice(last.End.Byte, last.End.Byte, comma); err != nil {
		return err
	}
	at := f.lineEnd(last.End.Byte)
	return f.splice(at, at, indent+text+",\n")
}

// deleteElement deletes an element of a list.
func (f *file) deleteElement(expr *hclsyntax.TupleConsExpr, n int) error {
	switch {
	case len(expr.Exprs) == 1:
		return f.replace(expr.SrcRange, "[]")
	case expr.SrcRange.Start.Line != expr.SrcRange.End.Line && n < len(expr.Exprs)-1 && f.lineStart(expr.Exprs[n].Range().Start.Byte) > expr.SrcRange.Start.Byte:
		return f.deleteLines(expr.Exprs[n].Range())
	}
	return f.deleteItem(expr.Exprs[n].Range(), n, func(i int) hcl.Range { return expr.Exprs[i].Range() })
}

// format formats the block with an id.
func (c *Code) format(id string) error {
	p, is := c.find(id)
	if !is {
		return nil
	}
	return p.file.replace(p.block.Range(), string(hclwrite.Format([]byte(p.text()))))
}
