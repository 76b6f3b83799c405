// This file edits files. All bytes outside of the edits remain the same.

package existing

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// Block is a block of configuration.
type Block = hclsyntax.Block

// File is a file of configuration.
type File struct {
	Name string
	Body *hclsyntax.Body

	content   []byte
	formatted bool // as `terraform fmt` leaves it
	edits     []edit
}

// span is a part of a file, in bytes.
type span struct{ start, end int }

// edit replaces the bytes from start to end.
type edit struct {
	start, end int
	text       string
}

// newFile parses a file.
func newFile(name string, content []byte) (*File, error) {
	parsed, diags := hclsyntax.ParseConfig(content, name, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, diags
	}
	body, _ := parsed.Body.(*hclsyntax.Body)
	return &File{Name: name, Body: body, content: content, formatted: bytes.Equal(hclwrite.Format(content), content)}, nil
}

// Text returns the text in a range of the original file.
func (f *File) Text(r hcl.Range) string { return string(f.content[r.Start.Byte:r.End.Byte]) }

// Edited reports whether there are edits.
func (f *File) Edited() bool { return len(f.edits) > 0 }

func (f *File) replace(start, end int, text string) {
	f.edits = append(f.edits, edit{start, end, text})
}

// Replace replaces a range.
func (f *File) Replace(r hcl.Range, text string) { f.replace(r.Start.Byte, r.End.Byte, text) }

// Append adds text to the end of the file, after an empty line.
func (f *File) Append(text string) {
	separator := ""
	switch {
	case len(f.content) == 0 && len(f.edits) == 0:
	case len(f.content) > 0 && !bytes.HasSuffix(f.content, []byte("\n")) && !slices.ContainsFunc(f.edits, func(e edit) bool { return e.start == len(f.content) }):
		separator = "\n\n"
	default:
		separator = "\n"
	}
	f.replace(len(f.content), len(f.content), separator+text)
}

// lineStart returns the offset of the beginning of the line.
func (f *File) lineStart(at int) int { return bytes.LastIndexByte(f.content[:at], '\n') + 1 }

// lineEnd returns the offset of the newline at the end of the line.
func (f *File) lineEnd(at int) int {
	if n := bytes.IndexByte(f.content[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(f.content)
}

// indentation returns the blanks at the beginning of the line with an offset.
func (f *File) indentation(at int) string {
	line := f.content[f.lineStart(at):f.lineEnd(at)]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// beginsLine reports whether there are only blanks before an offset on its line.
func (f *File) beginsLine(at int) bool {
	return len(bytes.TrimLeft(f.content[f.lineStart(at):at], " \t")) == 0
}

// rest returns the rest of the line after an offset.
func (f *File) rest(at int) string { return string(f.content[at:f.lineEnd(at)]) }

// endsLine reports whether only a comma or a comment follows an offset on its line.
func (f *File) endsLine(at int) bool {
	rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(f.rest(at)), ","))
	return rest == "" || strings.HasPrefix(rest, "#") || strings.HasPrefix(rest, "//")
}

// deleteLines deletes whole lines, from the line with one offset to the line with the other.
func (f *File) deleteLines(start, end int) {
	f.replace(f.lineStart(start), min(f.lineEnd(end)+1, len(f.content)), "")
}

// DeleteBlock deletes a block, the comment lines directly above it, and one of the empty lines
// around it.
func (f *File) DeleteBlock(b *hclsyntax.Block) {
	start, end := f.lineStart(b.Range().Start.Byte), f.lineEnd(b.CloseBraceRange.End.Byte)
	for start > 0 {
		above := f.lineStart(start - 1)
		if line := bytes.TrimSpace(f.content[above:start]); !bytes.HasPrefix(line, []byte("#")) && !bytes.HasPrefix(line, []byte("//")) {
			break
		}
		start = above
	}
	end = min(end+1, len(f.content))
	switch {
	case end < len(f.content) && len(bytes.TrimSpace(f.content[end:f.lineEnd(end)])) == 0:
		end = min(f.lineEnd(end)+1, len(f.content))
	case end == len(f.content) && start > 0 && len(bytes.TrimSpace(f.content[f.lineStart(start-1):start])) == 0:
		start = f.lineStart(start - 1)
	}
	f.replace(start, end, "")
}

// InsertAfter inserts text after a block, with an empty line between them.
func (f *File) InsertAfter(b *hclsyntax.Block, text string) {
	end := f.lineEnd(b.CloseBraceRange.End.Byte)
	if end == len(f.content) {
		f.replace(end, end, "\n\n"+strings.TrimSuffix(text, "\n"))
		return
	}
	f.replace(end+1, end+1, "\n"+text)
}

// Bytes returns the file with all edits. If the file was formatted, the result is formatted, too;
// otherwise only those edited blocks that were formatted.
func (f *File) Bytes() ([]byte, error) {
	if len(f.edits) == 0 {
		return f.content, nil
	}
	edits := slices.Clone(f.edits)
	slices.SortStableFunc(edits, func(x, y edit) int { return x.start - y.start })
	at := 0
	for _, e := range edits {
		if e.start < at {
			return nil, fmt.Errorf("%s: edits overlap at byte %d", f.Name, e.start)
		}
		at = e.end
	}
	made := f.splitObjects(f.apply(edits, span{0, len(f.content)}, f.formattedBlocks(edits)))
	if f.formatted {
		made = hclwrite.Format(made)
	}
	if _, diags := hclsyntax.ParseConfig(made, f.Name, hcl.InitialPos); diags.HasErrors() {
		return nil, fmt.Errorf("%s would not be valid any more: %w", f.Name, diags)
	}
	return made, nil
}

// longestLine is how long edits may make a line that is an attribute with an object.
const longestLine = 120

// splitObjects writes objects member by member on lines of their own where edits have made a
// line too long.
func (f *File) splitObjects(made []byte) []byte {
	after, err := newFile(f.Name, made)
	if err != nil {
		return made // which is an error of its own
	}
	for _, b := range after.Body.Blocks {
		for _, a := range b.Body.Attributes {
			whole, is := a.Expr.(*hclsyntax.ObjectConsExpr)
			line := []byte(after.Text(a.SrcRange))
			if !is || a.SrcRange.Start.Line != a.SrcRange.End.Line || len(whole.Items) < 2 || len(line) <= longestLine || bytes.Contains(f.content, line) {
				continue
			}
			indentation := after.indentation(a.SrcRange.Start.Byte)
			text := "{\n"
			for _, item := range whole.Items {
				text += indentation + "  " + after.Text(hcl.RangeBetween(item.KeyExpr.Range(), item.ValueExpr.Range())) + "\n"
			}
			after.Replace(whole.SrcRange, text+indentation+"}")
		}
	}
	slices.SortFunc(after.edits, func(x, y edit) int { return x.start - y.start })
	return after.apply(after.edits, span{0, len(made)}, nil)
}

// formattedBlocks returns the formatted blocks with edits, in a file that is not formatted as a
// whole.
func (f *File) formattedBlocks(edits []edit) (all []span) {
	if f.formatted {
		return nil
	}
	for _, b := range f.Body.Blocks {
		at := span{b.Range().Start.Byte, b.CloseBraceRange.End.Byte}
		inside := func(e edit) bool { return at.start < e.start && e.end < at.end }
		crosses := func(e edit) bool { return !inside(e) && e.start < at.end && e.end > at.start }
		text := f.content[at.start:at.end]
		if slices.ContainsFunc(edits, inside) && !slices.ContainsFunc(edits, crosses) && bytes.Equal(hclwrite.Format(text), text) {
			all = append(all, at)
		}
	}
	return all
}

// apply returns a part of the file with its edits, and formats parts of it.
func (f *File) apply(edits []edit, part span, formatted []span) []byte {
	var b bytes.Buffer
	returns := bytes.Contains(f.content, []byte("\r\n"))
	at := part.start
	for _, e := range edits {
		if e.start < part.start || e.end > part.end || e.start < at {
			continue
		}
		for len(formatted) > 0 && formatted[0].start < e.start {
			b.Write(f.content[at:formatted[0].start])
			b.Write(hclwrite.Format(f.apply(edits, formatted[0], nil)))
			at, formatted = formatted[0].end, formatted[1:]
		}
		if e.start < at {
			continue
		}
		b.Write(f.content[at:e.start])
		if returns {
			e.text = strings.ReplaceAll(strings.ReplaceAll(e.text, "\r\n", "\n"), "\n", "\r\n")
		}
		b.WriteString(e.text)
		at = e.end
	}
	b.Write(f.content[at:part.end])
	return b.Bytes()
}
