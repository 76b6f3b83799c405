// This file removes the blocks of what is gone, and the variables and outputs that nothing reads any longer.

package exportmerge

import (
	"bytes"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// remove removes what is gone. It repeats both steps until they change nothing, because something of one step may have
// stayed only because of what the other one has removed by now. Only the last round says what is kept.
func (m *merger) remove() error {
	maps.DeleteFunc(m.Gone, func(address string, _ bool) bool { return m.isUsedAgain(address) })
	left := len(m.Left)
	for before := -1; before < len(m.Changes); {
		before, m.Left = len(m.Changes), m.Left[:left]
		clear(m.Kept)
		for _, step := range []func() error{m.removeGone, m.removeUnread} {
			if err := step(); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeUnread removes the variables and outputs of modules that the last export wrote, this one does
// not, and nobody reads or has changed. With a variable, it removes the arguments for it.
func (m *merger) removeUnread() error {
	for _, id := range slices.Sorted(maps.Keys(m.before)) {
		p, is := m.code.find(id)
		_, again := m.exported.find(id)
		if !is || again || p.isForeign() || joined(p.file.leaves(nil, p.block)) != joined(m.before[id]) || !m.isUnread(p) {
			continue
		}
		if p.block.Type == "variable" {
			if err := m.removeArguments(path.Dir(p.file.name), p.block.Labels[0]); err != nil {
				return err
			}
		}
		m.addChange(position(p.block.DefRange()), p.called()+" is gone")
		if err := p.delete(); err != nil {
			return err
		}
	}
	return nil
}

// isUnread reports whether a block is a variable or an output that nothing reads.
func (m *merger) isUnread(p fileBlock) bool {
	if p.block.Type == "variable" {
		return !m.isReadIn(path.Dir(p.file.name), "var."+p.block.Labels[0])
	}
	return p.block.Type == "output" && !m.isReadIn(".", modulePrefix(p.file.name)+p.block.Labels[0])
}

// isReadIn reports whether a file in a directory refers to something, or may do so because it cannot be read.
func (m *merger) isReadIn(dir, reference string) bool {
	pattern := regexp.MustCompile(`\b` + regexp.QuoteMeta(reference) + `\b`)
	for name, f := range m.code.files {
		if path.Dir(name) == dir && pattern.Match(f.text) {
			return true
		}
	}
	return slices.ContainsFunc(m.code.Unread, func(name string) bool {
		content, err := m.code.readFile(name)
		return path.Dir(name) == dir && (err != nil || pattern.Match(content))
	})
}

// removeArguments removes an argument from the blocks that call the module in a directory.
func (m *merger) removeArguments(dir, name string) error {
	hasArgument := func(p fileBlock) bool {
		return p.block.Type == "module" && p.attribute(name) != nil && p.bareText("source") == Quote("./"+dir)
	}
	return m.code.each(hasArgument, func(p fileBlock) error {
		all, _ := p.file.items(nil, p.block)
		made := edits{kept: map[int]string{}}
		for i, item := range all {
			if item.key != name {
				made.kept[i] = string(p.file.text[item.from:item.to])
			}
		}
		m.addChange(position(p.attribute(name).Expr.Range()), p.called()+": "+name+" is gone")
		return p.replace(p.file.rewrite(p.block, all, made))
	})
}

// removable returns the blocks to remove, by address: those of which all objects are gone. It reports those that are kept:
// all with Keep, and those with count, another provider or objects that are left.
func (m *merger) removable() map[string]fileBlock {
	gone := map[string]fileBlock{}
	for _, address := range slices.Sorted(maps.Keys(m.Gone)) {
		p, is := m.code.resource(address)
		if !is {
			continue
		}
		base, key := splitKey(address)
		has, known := p.hasKey(key)
		switch {
		case !has: // the merge of for_each has removed it
		case m.Keep && !m.Renewed[address]:
			m.addKept(p, address, "as -gone keep says")
		case p.isOwn(), known && !p.isForeign() && m.isEmptied(p):
			gone[base] = p
		default:
			m.addKept(p, address, "because the block has count, for_each or another provider")
		}
	}
	return gone
}

// removeGone removes the blocks of objects that are gone, unless a block that stays refers to them.
func (m *merger) removeGone() error {
	gone := m.removable()
	for needed := m.referredTo(gone); len(needed) > 0; needed = m.referredTo(gone) { // what stays may refer to others
		for _, address := range slices.Sorted(maps.Keys(needed)) {
			m.addKept(gone[address], address, "because "+needed[address]+" refers to it")
			delete(gone, address)
		}
	}
	for _, address := range slices.Sorted(maps.Keys(gone)) {
		p, _ := m.code.resource(address)
		m.addChange(position(p.block.DefRange()), address+" is gone")
		err := p.delete()
		if err == nil && m.Removed {
			err = m.code.append(fileRemoved, "removed {\n  from = "+address+"\n\n  lifecycle {\n    destroy = false\n  }\n}")
		}
		if err != nil {
			return err
		}
	}
	return m.deleteImports(gone)
}

// delete deletes a block with the comment directly above it, and the empty line that separated it.
// The comment at the head of the file stays, and so do those on lines of the block.
func (p fileBlock) delete() error {
	f, r := p.file, p.block.Range()
	from, to := f.lineStart(r.Start.Byte), f.lineEnd(r.End.Byte)
	if !f.isBlank(from, r.Start.Byte) { // a comment ends on the first line
		return f.splice(r.Start.Byte, r.End.Byte, "")
	}
	from = f.commentStart(from)
	if !f.isBlank(r.End.Byte, to) { // a comment begins on the last line
		return f.splice(from, r.End.Byte, "")
	}
	for to < len(f.text) && f.text[to] == '\n' {
		to++
	}
	if to == len(f.text) { // the block is the last one: one line end stays, unless the file is empty now
		from = len(bytes.TrimRight(f.text[:from], "\n"))
		return f.splice(from, to, strings.Repeat("\n", min(from, 1)))
	}
	return f.splice(from, to, "")
}

// commentStart returns where the comment lines directly above a line begin: the offset of the line if there are none,
// or if they are the head of the file.
func (f *file) commentStart(line int) int {
	start := line
	for start > 0 {
		above := f.lineStart(start - 1)
		text := bytes.TrimSpace(f.text[above:start])
		if !bytes.HasPrefix(text, []byte("#")) && !bytes.HasPrefix(text, []byte("//")) {
			return start
		}
		start = above
	}
	return line
}

// isUsedAgain reports whether the new export has an instance with an address.
func (m *merger) isUsedAgain(address string) bool {
	p, is := m.exported.resource(address)
	_, key := splitKey(address)
	if !is {
		return false
	}
	has, _ := p.hasKey(key) // an export writes only keys that are known
	return has
}

// isEmptied reports whether all instances of a block with for_each are gone.
func (m *merger) isEmptied(p fileBlock) bool {
	keys, known := keysOf(p.file, p.attribute("for_each").Expr)
	return known && !slices.ContainsFunc(keys, func(key string) bool { return !m.Gone[p.address()+key] })
}

// addKept reports that what is gone stays in the code.
func (m *merger) addKept(p fileBlock, address, why string) {
	m.Left = append(m.Left, Finding{address, "The server no longer has it. It is kept, " + why + ".", p.id()})
	m.Kept[address] = true
}

// referredTo returns those addresses of gone to which a block that is not in gone refers, each with the name of
// that block for messages.
func (m *merger) referredTo(gone map[string]fileBlock) map[string]string {
	needed := map[string]string{}
	for _, p := range m.code.blocks() {
		if _, goes := gone[p.address()]; goes || slices.Contains([]string{"import", "removed", "moved"}, p.block.Type) {
			continue
		}
		_ = hclsyntax.VisitAll(p.block.Body, func(node hclsyntax.Node) hcl.Diagnostics {
			if expr, is := node.(*hclsyntax.ScopeTraversalExpr); is {
				address := modulePrefix(p.file.name) + addressOf(expr.Traversal)
				if _, goes := gone[address]; goes {
					needed[address] = p.called() + " in " + p.file.name
				}
			}
			return nil
		})
	}
	return needed
}

// deleteImports deletes the import blocks of removed blocks, of instances that are in another block now
// (Elsewhere), and, unless Keep is set, of instances that are gone from a block that stays.
func (m *merger) deleteImports(removed map[string]fileBlock) error {
	isObsolete := func(p fileBlock) bool {
		to := p.imported()
		block, _ := splitKey(to)
		_, is := removed[block]
		return is || m.Elsewhere[to] != "" || m.Gone[to] && !m.Keep
	}
	return m.code.each(isObsolete, fileBlock.delete)
}
