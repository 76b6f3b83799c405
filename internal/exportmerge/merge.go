// This file decides what is changed in the code.

package exportmerge

import (
	"maps"
	"slices"
	"strings"
)

// Merge merges a new export into the code.
func Merge(code *Code, in Input) (*Result, error) {
	fresh, err := Parse(in.Fresh)
	if err != nil {
		return nil, err
	}
	m := &merger{Input: in, code: code, fresh: fresh, Result: Result{Files: map[string][]byte{}, Unmerged: map[string][]string{}, Kept: map[string]bool{}}}
	for _, c := range []*Code{code, fresh} {
		for _, f := range c.files {
			f.recorded = in.Moved
		}
	}
	for _, step := range []func() error{m.mergeBlocks, m.mergeFiles, m.mergeTables, m.removeGone, m.deleteFiles} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	for _, name := range code.Unread {
		m.Left = append(m.Left, Finding{At: name, What: "It is left alone: an export reads neither files in JSON nor those that override others."})
	}
	m.settle(m.Left)
	m.settle(m.Ahead)
	for name, f := range code.files {
		content := f.content()
		if !slices.Equal(content, f.was) && !(content == nil && f.was == nil) {
			m.Files[name] = content
		}
	}
	return &m.Result, nil
}

// mergeBlocks merges the blocks of the new export, in its order.
func (m *merger) mergeBlocks() error {
	var previous place
	for _, p := range m.fresh.blocks() {
		if previous.file != p.file {
			previous = place{}
		}
		at, is := m.counterpart(p)
		switch {
		case !is && !m.isNew(p):
			continue
		case !is:
			if err := m.add(p, previous); err != nil {
				return err
			}
		case p.block.Type == "resource" && !at.isLike(p):
			m.compareForeign(p, at)
		default:
			if err := m.mergeBlock(p, at); err != nil {
				return err
			}
		}
		previous = p
	}
	return nil
}

// isLike reports whether two blocks have the same meta-arguments. Others are people's: what they
// make of an object cannot be told from the block alone.
func (p place) isLike(fresh place) bool {
	for _, name := range metaArguments {
		if (p.attribute(name) == nil) != (fresh.attribute(name) == nil) {
			return false
		}
	}
	return true
}

// isNew reports whether a block of the new export is to be added: the last export did not write it.
func (m *merger) isNew(p place) bool {
	if m.Record != nil && m.Record[m.recordedID(p)] != nil {
		return false
	}
	if p.block.Type != "terraform" && p.block.Type != "provider" {
		return true
	}
	for _, have := range m.code.blocks() {
		if have.block.Type == p.block.Type && module(have.file.name) == module(p.file.name) && (p.block.Type == "terraform" || slices.Equal(have.block.Labels, p.block.Labels)) {
			return false
		}
	}
	return true
}

// add adds a block of the new export: after the block that it follows there, or at the end of the
// file.
func (m *merger) add(p, previous place) error {
	text := p.text()
	if removed, is := m.code.find("removed " + p.address()); is { // the address is used again
		if err := removed.deleteBlock(); err != nil {
			return err
		}
	}
	if previous.block != nil && p.block.Type == "resource" {
		if at, is := m.counterpart(previous); is {
			m.changed(at.file.name, p, "is new")
			return at.insertAfter(text)
		}
	}
	m.changed(p.file.name, p, "is new")
	return m.code.file(p.file.name).appendBlock(text)
}

// compareForeign reports what the server has changed in an object whose block is left alone.
func (m *merger) compareForeign(p, at place) {
	if at.attribute("provider") != nil || m.Record == nil {
		return
	}
	id := m.recordedID(p)
	now := map[string]string{}
	p.file.record(id, "", p.block.Body, now)
	for _, path := range slices.Sorted(maps.Keys(now)) {
		if before := m.Record[id]; before != nil && before[path] != now[path] {
			way := steps(strings.Split(path, "."))
			m.leave(p, at, way, m.shown(p, way), "the block has count, for_each or another provider")
		}
	}
}
