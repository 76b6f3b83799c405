// This file merges an export into the code, block by block.

package exportmerge

import (
	"cmp"
	"maps"
	"slices"
)

// Apply merges a new export into the code.
func Apply(code *Code, in Input) (*Result, error) {
	exported, err := parse(in.Exported)
	if err != nil {
		return nil, err
	}
	m := &merger{Input: in, code: code, exported: exported, Result: Result{Files: map[string][]byte{}, Kept: map[string]bool{}}}
	m.secret, m.noRecord = in.Secret, in.Record == nil
	if in.Record != nil {
		m.salt = in.Record.Salt
	}
	for _, c := range []*Code{code, exported} {
		for _, f := range c.files {
			f.recorded, f.digester = in.Moved, m.digester
		}
	}
	if in.Record == nil {
		m.before = m.assumed()
	} else {
		m.before = in.Record.Written
	}
	m.had = map[string]bool{}
	for _, address := range code.Addresses() {
		m.had[address] = true
	}
	if err := m.mergeBlocks(); err != nil {
		return nil, err
	}
	m.mergeTexts()
	m.mergeTables()
	if err := m.remove(); err != nil {
		return nil, err
	}
	if err := m.moveInstances(); err != nil {
		return nil, err
	}
	m.deleteTexts()
	for _, name := range code.Unread {
		m.Left = append(m.Left, Finding{At: name, What: "It is left alone: an export reads neither files in JSON nor those that override others."})
	}
	m.addFiles(m.Left)
	m.addFiles(m.Ahead)
	for name, f := range code.files {
		if content := f.content(); !slices.Equal(content, f.was) {
			m.Files[name] = content
		}
	}
	return &m.Result, nil
}

// assumed returns what takes the place of the record if there is none: the digests of what the code has
// of the blocks, rows and texts that the new export writes. So all of it counts as unchanged by people, except for
// expressions that are more than values and references: while noRecord is set, leaf gives them expressionDigest.
func (m *merger) assumed() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, p := range m.exported.blocks() {
		have, is := m.counterpart(p)
		if !is {
			continue
		}
		wanted, values := p.file.leaves(nil, p.block), map[string]string{}
		for path, d := range have.file.leaves(nil, have.block) {
			if _, is := wanted[path]; is {
				values[path] = d
			}
		}
		all[p.id()] = values
	}
	for name := range m.Exported {
		if content, err := m.code.readFile(name); err == nil {
			m.recordFile(all, name, content)
		}
	}
	return all
}

// mergeBlocks merges the blocks of the new export, in its order, and import blocks last: by then, the code has the
// instances that they import.
func (m *merger) mergeBlocks() error {
	var previous fileBlock // the last one of the same file that the code has by now
	blocks := slices.Clone(m.exported.blocks())
	rank := func(p fileBlock) int { return min(len(p.imported()), 1) }
	slices.SortStableFunc(blocks, func(x, y fileBlock) int { return rank(x) - rank(y) })
	for _, p := range blocks {
		if previous.file != p.file {
			previous = fileBlock{}
		}
		var err error
		if have, is := m.counterpart(p); is {
			err = m.mergeBlock(p, have)
		} else if m.isNew(p) && m.hasImported(p) {
			err = m.add(p, previous)
		} else {
			continue
		}
		if err != nil {
			return err
		}
		previous = p
	}
	return nil
}

// counterpart returns the block in the code for a block of the new export, if there is one.
func (m *merger) counterpart(p fileBlock) (fileBlock, bool) {
	if address := p.address(); address != "" {
		return m.code.resource(address)
	}
	return m.code.find(p.id())
}

// isNew reports whether a block of the new export that the code does not have is to be added: not if people
// have removed it, if it imports a resource that they have written, or if they have a `terraform` or
// `provider` block of another kind in its place.
func (m *merger) isNew(p fileBlock) bool {
	to, _ := splitKey(p.imported())
	importsPeoples := m.had[to] && m.before[blockID(cmp.Or(m.Moved[to], to))] == nil
	switch {
	case m.before[m.recordedID(p)] != nil, importsPeoples:
		return false
	case p.block.Type != "terraform" && p.block.Type != "provider":
		return true
	}
	return !slices.ContainsFunc(m.code.blocks(), func(have fileBlock) bool {
		return have.block.Type == p.block.Type && modulePrefix(have.file.name) == modulePrefix(p.file.name) && slices.Equal(have.block.Labels, p.block.Labels)
	})
}

// hasImported reports whether the code is known to have the instance that an import block imports: people may have
// written for_each anew. If it is not, the record does not get the block, so that a later export adds it.
func (m *merger) hasImported(p fileBlock) bool {
	address := p.imported()
	if have, is := m.code.resource(address); is {
		_, key := splitKey(address)
		has, known := have.hasKey(key)
		if !has || !known {
			m.Unwritten = append(m.Unwritten, p.id())
			return false
		}
	}
	return true
}

// add adds a block of the new export to the code: a resource after previous, the block that it follows in the new export,
// and everything else, or a resource without previous, at the end of the file. It deletes `moved` and `removed` blocks
// that say that the new address is in use no longer.
func (m *merger) add(p, previous fileBlock) error {
	text := p.file.source(p.block.Range())
	leavesAddress := func(have fileBlock) bool { // a `moved` or `removed` block
		return have.attribute("from") != nil && (have.from() == p.address() || have.from() == p.imported())
	}
	if err := m.code.each(leavesAddress, fileBlock.delete); err != nil {
		return err
	}
	if previous.block != nil && p.block.Type == "resource" {
		if above, is := m.counterpart(previous); is {
			m.addChange(above.file.name, p.called()+" is new")
			end := above.file.lineEnd(above.block.CloseBraceRange.End.Byte)
			return above.file.splice(end, end, "\n"+text+"\n")
		}
	}
	m.addChange(p.file.name, p.called()+" is new")
	return m.code.append(p.file.name, text)
}

// moveInstances adds `moved` blocks for instances that are in another block in the new export.
func (m *merger) moveInstances() error {
	for _, from := range slices.Sorted(maps.Keys(m.Elsewhere)) {
		to := m.Elsewhere[from]
		closesCircle := func(p fileBlock) bool { return p.block.Type == "moved" && p.from() == to } // which Terraform refuses
		if err := m.code.each(closesCircle, fileBlock.delete); err != nil {
			return err
		}
		m.addChange(fileMoved, from+" is "+to)
		if err := m.code.append(fileMoved, "moved {\n  from = "+from+"\n  to   = "+to+"\n}"); err != nil {
			return err
		}
	}
	return nil
}

// addFiles puts the file before At of each finding that is about a block. There is no line: the report would change with
// each comment above it.
func (m *merger) addFiles(all []Finding) {
	for n, f := range all {
		if p, found := m.code.find(f.block); found {
			all[n].At = p.file.name + " " + f.At
		}
	}
}
