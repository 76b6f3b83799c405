// This file merges the texts that configuration reads, and removes blocks and texts of what is
// gone.

package exportmerge

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// mergeFiles merges the texts.
func (m *merger) mergeFiles() error {
	for _, name := range slices.Sorted(maps.Keys(m.Fresh)) {
		if !isText(name) {
			continue
		}
		id, fresh := fileID(name), m.Fresh[name]
		before := m.Record[id][""]
		have, err := m.code.other(name)
		changed := m.Record == nil || before != digest(id, "", string(fresh))
		switch {
		case err != nil && m.isRead(name):
			m.Files[name] = fresh
			m.Changes = append(m.Changes, name+": is new")
		case err != nil && before != "" && changed:
			m.Left = append(m.Left, Finding{At: name, What: "The server has changed this text, and somebody has taken the file out of the code."})
		case err != nil || bytes.Equal(have, fresh) || !changed:
		case m.Record != nil && before != digest(id, "", string(have)):
			m.Left = append(m.Left, Finding{At: name, What: "It is not changed, because somebody has changed it in the code, too."})
			m.Unmerged[id] = []string{""}
		default:
			m.Files[name] = fresh
			m.Changes = append(m.Changes, name+": is changed")
		}
	}
	return nil
}

// isRead reports whether the code has the name of a file.
func (m *merger) isRead(name string) bool {
	if rest, is := strings.CutPrefix(name, "modules/"); is {
		_, name, _ = strings.Cut(rest, "/")
	}
	for _, f := range m.code.files {
		if bytes.Contains(f.text, []byte("/"+name)) {
			return true
		}
	}
	return false
}

// deleteFiles deletes texts that the export wrote and nothing reads any longer.
func (m *merger) deleteFiles() error {
	for id, values := range m.Record {
		name, is := strings.CutPrefix(id, "file ")
		if !is || m.Fresh[name] != nil || m.isRead(name) {
			continue
		}
		if have, err := m.code.other(name); err == nil && digest(id, "", string(have)) == values[""] {
			m.Files[name] = nil
		}
	}
	return nil
}

// removeGone removes the blocks of objects that are gone, unless something else refers to them.
func (m *merger) removeGone() error {
	gone := map[string]bool{}
	for _, address := range slices.Sorted(maps.Keys(m.Gone)) {
		p, is := m.code.resource(address)
		if !is {
			continue
		}
		base, key := splitKey(address)
		has, known := p.hasKey(key)
		switch {
		case !has:
		case m.Keep:
			m.keep(p, address, "as -gone keep says")
		case key == "" && p.isOwn(), key != "" && known && m.isEmptied(p):
			gone[base] = true
		default:
			m.keep(p, address, "because the block has count, for_each or another provider")
		}
	}
	for at := m.referredTo(gone); len(at) > 0; at = m.referredTo(gone) {
		for _, address := range slices.Sorted(maps.Keys(at)) {
			p, _ := m.code.resource(address)
			m.keep(p, address, "because "+at[address]+" refers to it")
			delete(gone, address)
		}
	}
	for _, address := range slices.Sorted(maps.Keys(gone)) {
		p, _ := m.code.resource(address)
		m.changed(position(p.block.DefRange()), p, "is gone")
		if err := p.deleteBlock(); err != nil {
			return err
		}
		if m.Removed {
			if err := m.code.file(fileRemoved).appendBlock("removed {\n  from = " + address + "\n\n  lifecycle {\n    destroy = false\n  }\n}\n"); err != nil {
				return err
			}
		}
	}
	return m.deleteImports(gone)
}

// isEmptied reports whether all instances of an export's block with for_each are gone.
func (m *merger) isEmptied(p place) bool {
	each := p.attribute("for_each")
	if each == nil {
		return false
	}
	members, is := each.Expr.(*hclsyntax.ObjectConsExpr)
	if !is {
		return false
	}
	for _, item := range members.Items {
		if !m.Gone[p.address()+"["+Quote(key(p.file, item.KeyExpr))+"]"] {
			return false
		}
	}
	return true
}

// keep reports that what is gone stays in the code.
func (m *merger) keep(p place, address, why string) {
	m.Left = append(m.Left, Finding{address, "The server no longer has it. It is kept, " + why + ".", p.id(), nil})
	m.Kept[address] = true
}

// referredTo returns the addresses to which other blocks refer, with the block of the reference.
func (m *merger) referredTo(addresses map[string]bool) map[string]string {
	at := map[string]string{}
	for _, p := range m.code.blocks() {
		if slices.Contains([]string{"import", "removed", "moved"}, p.block.Type) || addresses[p.address()] {
			continue
		}
		_ = hclsyntax.VisitAll(p.block.Body, func(node hclsyntax.Node) hcl.Diagnostics {
			if expr, is := node.(*hclsyntax.ScopeTraversalExpr); is {
				if address := module(p.file.name) + addressOf(expr.Traversal); addresses[address] {
					at[address] = p.called() + " in " + p.file.name
				}
			}
			return nil
		})
	}
	return at
}

// deleteImports deletes the import blocks of what is gone.
func (m *merger) deleteImports(gone map[string]bool) error {
	for {
		n := slices.IndexFunc(m.code.blocks(), func(p place) bool {
			address := p.imported()
			base, _ := splitKey(address)
			return gone[base] || m.Gone[address] && !m.Keep
		})
		if n < 0 {
			return nil
		}
		if err := m.code.blocks()[n].deleteBlock(); err != nil {
			return err
		}
	}
}
