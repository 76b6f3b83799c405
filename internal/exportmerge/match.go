// This file finds the objects of the server in the record and in the code. Objects are renamed,
// versioned and restored from backups, so that neither a name nor an id alone says which is which.

package exportmerge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Matching says where the objects of the server and those that it no longer has are in the code.
// Object.Before and Object.At say the rest.
type Matching struct {
	Moved, Elsewhere map[string]string // see Input
	Gone             map[string]bool   // see Input
	Lost             []*Object         // the entries in the record of what the server no longer has
	// Tables are the addresses and the CSV files of existing blocks with rows, by the type of the rows.
	Tables map[string]Object

	code   *Code
	record *Record
	used   map[string]bool // addresses at which something was found
	taken  map[*Object]bool
}

// Match finds the objects of a server in the record, which is nil if there is none, and in the code.
func Match(code *Code, record *Record, objects []*Object) *Matching {
	m := &Matching{Moved: map[string]string{}, Elsewhere: map[string]string{}, Gone: map[string]bool{}, Tables: map[string]Object{}, code: code, record: record, used: map[string]bool{}, taken: map[*Object]bool{}}
	if record == nil {
		m.record = &Record{}
	}
	m.identify(objects)
	for _, r := range m.record.Objects {
		if !m.taken[r] {
			m.Lost = append(m.Lost, r)
		}
	}
	m.findTables(objects)
	m.noteMovedBlocks()
	m.locate(objects)
	return m
}

// noteMovedBlocks notes to where people have moved the blocks of the record. These may have no
// instances.
func (m *Matching) noteMovedBlocks() {
	for _, p := range m.code.blocks() {
		if from := module(p.file.name) + p.bareText("from"); p.block.Type == "moved" && m.record.Written[blockID(from)] != nil {
			m.noteMove(m.code.moved(from), from)
		}
	}
}

// identify finds the entries of the objects in the record: for each object one with the same name and
// content, else one with the same id and content, else one with the same name. A restore of eNMS gives
// every object another id: if the objects that have kept name and content have not kept their ids, ids
// are not used. Edges and layouts are identified by their ends, whose names may have changed, and then
// by their names.
func (m *Matching) identify(objects []*Object) {
	renamed := map[string]string{} // the new names of objects, by their kind and their name in the record
	same := func(withEnds bool, is func(before, now *Object) bool) {
		byKind := map[string][]*Object{}
		for _, r := range m.record.Objects {
			if !m.taken[r] {
				byKind[r.Kind] = append(byKind[r.Kind], r)
			}
		}
		for _, o := range objects {
			if o.Before != nil || (o.Ends != nil) != withEnds {
				continue
			}
			n := slices.IndexFunc(byKind[o.Kind], func(r *Object) bool { return !m.taken[r] && is(r, o) })
			if n >= 0 {
				o.Before = byKind[o.Kind][n]
				m.taken[o.Before], renamed[o.Kind+" "+o.Before.Name] = true, o.Name
			}
		}
	}
	name := func(before, now *Object) bool { return before.Name == now.Name }
	content := func(before, now *Object) bool { return before.Content == now.Content }
	kept := map[string]int{} // how many have kept their ids, less those that have not, by kind and for all
	id := func(before, now *Object) bool {
		return before.ID == now.ID && before.ID != "" && cmp.Or(kept[now.Kind], kept[""]) >= 0
	}
	same(false, func(before, now *Object) bool { return name(before, now) && content(before, now) })
	for _, o := range objects {
		if o.Before != nil {
			n := map[bool]int{true: 1, false: -1}[o.Before.ID == o.ID]
			kept[o.Kind], kept[""] = kept[o.Kind]+n, kept[""]+n
		}
	}
	same(false, func(before, now *Object) bool { return id(before, now) && content(before, now) })
	same(false, name)
	same(true, func(before, now *Object) bool {
		return slices.EqualFunc(before.Ends, now.Ends, func(was, is string) bool { return cmp.Or(renamed[now.EndsOf+" "+was], was) == is })
	})
	same(true, name)
}

// findTables finds the CSV files of the code.
func (m *Matching) findTables(objects []*Object) {
	there := m.code.Addresses()
	for _, o := range objects {
		at := o
		if o.Before != nil && o.Before.Table != "" {
			at = o.Before
		} else if _, known := m.Tables[o.Rows]; known {
			continue
		}
		if o.Rows != "" && slices.Contains(there, at.Address) {
			m.Tables[o.Rows] = Object{Address: at.Address, Table: at.Table}
		}
	}
}

// locate finds the objects in the code: first the objects of the record, by their addresses and then by
// their names, and then the resources that people have written themselves.
func (m *Matching) locate(objects []*Object) {
	rows := map[string]map[string]bool{}
	for _, t := range m.Tables {
		rows[t.Table] = m.code.rowNames(t.Table)
	}
	for _, o := range objects {
		switch r := o.Before; {
		case r == nil:
		case r.Table == "":
			m.put(o, m.code.locate(r.Address))
		case rows[r.Table][r.Name]:
			o.At = r.Address
			m.Moved[Row(r.Table, r.Name)] = o.Name
		}
	}
	m.locateGone()
	for _, o := range objects {
		if r := o.Before; r != nil && r.Table == "" && o.At == "" {
			m.put(o, m.code.findNew(o, r.Name, m.used))
		}
	}
	for _, o := range objects {
		t, is := m.Tables[o.Rows]
		row := Row(t.Table, o.Name)
		switch {
		case o.Before != nil:
		case is && rows[t.Table][o.Name] && m.Moved[row] == "" && !m.Gone[row]:
			o.At = t.Address
		default:
			m.put(o, m.code.findNew(o, o.Name, m.used))
		}
	}
}

// locateGone finds the objects of the record that the server no longer has, or that are left in another
// block.
func (m *Matching) locateGone() {
	left := m.record.Left
	for _, r := range m.Lost {
		if r.Table != "" {
			m.Gone[Row(r.Table, r.Name)] = true
		} else {
			left = append(left, r.Address)
		}
	}
	for _, recorded := range left {
		if address := m.code.locate(recorded); address != "" && !m.used[address] {
			m.Gone[address], m.used[address] = true, true
			m.noteMove(address, recorded)
		}
	}
}

// put notes the address of an object, unless it is "".
func (m *Matching) put(o *Object, address string) {
	if address == "" {
		return
	}
	o.At, m.used[address] = address, true
	if o.Before != nil {
		m.noteMove(address, o.Before.Address)
	}
}

// noteMove notes where people have moved an instance, and its block.
func (m *Matching) noteMove(address, recorded string) {
	if address == recorded {
		return
	}
	m.Moved[address] = recorded
	base, key := splitKey(address)
	if before, keyBefore := splitKey(recorded); key == keyBefore {
		m.Moved[base] = before
	}
}

// Taken returns the addresses that no new block may have.
func (m *Matching) Taken() map[string]bool {
	taken := map[string]bool{}
	for _, address := range m.code.Addresses() {
		taken[address] = true
	}
	for _, r := range m.record.Objects {
		base, _ := splitKey(r.Address)
		taken[base] = true
	}
	return taken
}

// Label returns the label that people have given to the block of an address since the last export,
// without its module.
func (m *Matching) Label(address string) string {
	address = m.code.moved(address)
	return address[strings.LastIndex(address, ".")+1:]
}

// Variable returns the name of the variable that is the whole value of an attribute in the code, or of a
// member of it, if the last export wrote that. Otherwise it returns "".
func (m *Matching) Variable(address string, attribute ...string) string {
	p, is := m.code.resource(address)
	if !is {
		return ""
	}
	name := ""
	if expr, is := p.find(attribute).(*hclsyntax.ScopeTraversalExpr); is {
		name = strings.TrimPrefix(bareText(p.file, expr.Range()), "var.")
	}
	if m.record.Written[p.file.id("variable "+name)] == nil {
		return ""
	}
	return name
}

// IsTakenOut reports whether somebody has removed an object from the code.
func (o *Object) IsTakenOut() bool { return o.Before != nil && o.At == "" }

// Wrote reports whether the last export wrote an attribute of a resource.
func (m *Matching) Wrote(address, attribute string) bool {
	return m.record.Written[blockID(address)][attribute] != ""
}

// Carry copies to the record of this export what the merge has left alone. It also copies the objects of
// the last record that were not exported this time, and are not gone.
func (m *Matching) Carry(next *Record, merged *Result) {
	for id, paths := range merged.Unmerged {
		before := m.record.Written[m.recordedID(id)]
		for _, at := range paths {
			for path := range next.Written[id] {
				if isWithin(path, at) {
					delete(next.Written[id], path)
				}
			}
			for path, d := range before {
				if isWithin(path, at) {
					next.Written[id][path] = d
				}
			}
		}
	}
	exported := map[*Object]bool{}
	for _, o := range next.Objects {
		exported[o.Before] = true
	}
	left := m.record.Left
	for _, r := range m.record.Objects {
		same := func(o *Object) bool { return o.Kind == r.Kind && o.Name == r.Name }
		if exported[r] && r.Table == "" {
			left = append(left, r.Address)
		}
		if exported[r] || slices.ContainsFunc(next.Objects, same) || slices.Contains(m.Lost, r) && !m.hasLost(r, merged) {
			continue
		}
		next.Objects = append(next.Objects, r)
		base, _ := splitKey(r.Address)
		for _, id := range []string{blockID(base), "import " + r.Address, Row(r.Table, r.Name)} {
			if values := m.record.Written[id]; values != nil && next.Written[id] == nil {
				next.Written[id] = values
			}
		}
	}
	next.Left = slices.DeleteFunc(slices.Clone(left), func(address string) bool { return !m.isKept(address, merged) })
}

// recordedID returns the id in the record of a block of the new export.
func (m *Matching) recordedID(id string) string {
	for now, before := range m.Moved {
		if id == blockID(now) {
			return blockID(before)
		}
	}
	return id
}

// hasLost reports whether the code still has an object that the server no longer has.
func (m *Matching) hasLost(r *Object, merged *Result) bool {
	if r.Table != "" {
		return m.code.rowNames(r.Table)[r.Name] && merged.Files[r.Table] == nil
	}
	return m.isKept(r.Address, merged)
}

// isKept reports whether a merge has left in the code an object that the server no longer has. recorded
// is the object's address in the record.
func (m *Matching) isKept(recorded string, merged *Result) bool {
	for address := range merged.Kept {
		if cmp.Or(m.Moved[address], address) == recorded {
			return true
		}
	}
	return false
}
