// This file finds the objects of the server in the record and in the code. Objects are renamed,
// versioned and restored from backups, so that neither a name nor an id alone says which is which.

package export

import (
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/identify"
)

// matching says which object of the server is which of the record, and where it is in the code.
type matching struct {
	found  *inventory
	record *record // nil if there is none
	code   *exportmerge.Code

	before map[*object]*recorded // the entry of an object in the record
	at     map[*object]string    // its address in the code; for a row, that of the block
	moved  map[string]string     // addresses in the record, by those in the code
	gone   map[string]bool       // addresses in the code of objects that the server no longer has
	lost   []recorded            // the entries of these objects
	used   map[string]bool       // addresses at which something was found
	tables map[string]*table     // the CSV files of the code, by the types of their rows
}

// match finds objects in the record and in the code.
func match(code *exportmerge.Code, found *inventory, r *record) *matching {
	m := &matching{
		found: found, record: r, code: code, before: map[*object]*recorded{}, at: map[*object]string{},
		moved: map[string]string{}, gone: map[string]bool{}, used: map[string]bool{},
	}
	if r != nil {
		m.identify()
	}
	m.tables = m.findTables()
	m.locate()
	return m
}

// identify finds the entries of the objects: those with the same name and content, then those with
// the same id and content, then those with the same name. After a restore of eNMS, every id is
// another one. Edges are known by their ends, whose names may have changed.
func (m *matching) identify() {
	taken := map[*recorded]bool{}
	renamed := map[string]string{} // names of services in the record, and now
	same := func(ofEdges bool, is func(*recorded, *object) bool) {
		byKind := map[string][]*recorded{}
		for n := range m.record.Objects {
			if r := &m.record.Objects[n]; !taken[r] {
				byKind[r.Kind] = append(byKind[r.Kind], r)
			}
		}
		for _, o := range m.found.objects {
			if m.before[o] != nil || (o.kind.Within != nil) != ofEdges {
				continue
			}
			for _, r := range byKind[o.kind.Name] {
				if !taken[r] && is(r, o) {
					m.before[o], taken[r] = r, true
					renamed[r.Name] = o.name
					break
				}
			}
		}
	}
	name := func(r *recorded, o *object) bool { return r.Name == o.name }
	content := func(r *recorded, o *object) bool { return r.Content == o.content() }
	id := func(r *recorded, o *object) bool { return r.ID == o.id() && r.ID != "" }
	same(false, func(r *recorded, o *object) bool { return name(r, o) && content(r, o) })
	same(false, func(r *recorded, o *object) bool { return id(r, o) && content(r, o) })
	same(false, name)
	ends := func(r *recorded, o *object) bool {
		now := slices.Clone(r.Ends)
		for n, end := range now {
			if other, is := renamed[end]; is {
				now[n] = other
			}
		}
		return slices.Equal(now, o.ends())
	}
	same(true, ends)
	same(true, func(r *recorded, o *object) bool { return id(r, o) && name(r, o) })
	for n := range m.record.Objects {
		if r := &m.record.Objects[n]; !taken[r] && slices.ContainsFunc(m.found.read, func(k *kind.Kind) bool { return k.Name == r.Kind }) {
			m.lost = append(m.lost, *r)
		}
	}
}

// locate finds the objects in the code: first those of the record, at their addresses and then by
// their names, and then those that people have written themselves.
func (m *matching) locate() {
	rows := map[string]map[string]bool{}
	for _, t := range m.tables {
		rows[t.path()] = m.code.Rows(t.path())
	}
	for _, o := range m.found.objects {
		switch r := m.before[o]; {
		case r == nil:
		case r.Table == "":
			m.put(o, r, m.code.LocateByAddress(r.Address))
		case rows[r.Table][r.Name]:
			m.at[o] = r.Address
			m.moved[exportmerge.Row(r.Table, r.Name)] = o.name
		}
	}
	m.locateLost()
	for _, o := range m.found.objects {
		if r := m.before[o]; r != nil && r.Table == "" && m.at[o] == "" {
			m.put(o, r, m.code.FindNew(o.kind.TypeName(), kind.RowName, r.Name, identify.ImportID(o.kind, r.Name), m.used))
		}
	}
	for _, o := range m.found.objects {
		t := m.tables[o.typ]
		switch {
		case m.before[o] != nil:
		case t != nil && rows[t.path()][o.name] && m.moved[exportmerge.Row(t.path(), o.name)] == "" && !m.gone[exportmerge.Row(t.path(), o.name)]:
			m.at[o] = t.address()
		default:
			m.put(o, nil, m.code.FindNew(o.kind.TypeName(), kind.RowName, o.name, identify.ImportID(o.kind, o.name), m.used))
		}
	}
}

// put notes the address of an object, unless it is "".
func (m *matching) put(o *object, r *recorded, address string) {
	if address == "" {
		return
	}
	m.at[o], m.used[address] = address, true
	if r != nil {
		m.noteMove(address, r.Address)
	}
}

// locateLost finds what the server no longer has in the code, and the layouts.
func (m *matching) locateLost() {
	for _, r := range m.lost {
		if r.Table != "" {
			m.gone[exportmerge.Row(r.Table, r.Name)] = true
		} else if address := m.code.LocateByAddress(r.Address); address != "" && !m.used[address] {
			m.gone[address], m.used[address] = true, true
			m.noteMove(address, r.Address)
		}
	}
	if m.record == nil {
		return
	}
	for _, r := range m.record.Objects {
		if !r.isLayout() {
			continue
		}
		address := m.code.LocateByAddress(r.Address)
		if address == "" {
			continue
		}
		m.used[address] = true
		m.noteMove(address, r.Address)
		if slices.ContainsFunc(m.lost, func(gone recorded) bool { return gone.Name == r.Name && gone.Kind != taskType }) {
			m.gone[address] = true
		}
	}
}

// noteMove notes where people have moved an instance, and its block.
func (m *matching) noteMove(address, recorded string) {
	if address == recorded {
		return
	}
	m.moved[address] = recorded
	base, key, _ := strings.Cut(address, "[")
	before, keyBefore, _ := strings.Cut(recorded, "[")
	if key == keyBefore {
		m.moved[base] = before
	}
}

// findTables finds the CSV files of the code.
func (m *matching) findTables() map[string]*table {
	byType := map[string]*table{}
	for _, o := range m.found.objects {
		r := m.before[o]
		switch {
		case !slices.Contains(inventoryKinds, o.kind.Name):
		case r != nil && r.Table != "":
			_, label, _ := strings.Cut(r.Address, ".")
			byType[o.typ] = &table{typ: o.typ, label: label, file: r.Table}
		case byType[o.typ] == nil:
			byType[o.typ] = &table{typ: o.typ}
		}
	}
	there := m.code.Addresses()
	maps.DeleteFunc(byType, func(_ string, t *table) bool { return !slices.Contains(there, t.address()) })
	return byType
}

// isTakenOut reports whether somebody has removed an object from the code.
func (m *matching) isTakenOut(o *object) bool { return m.before[o] != nil && m.at[o] == "" }

// wanted returns the objects that the code has or should have.
func (m *matching) wanted(selected []*object) (wanted []*object) {
	for _, o := range m.found.objects {
		if m.at[o] != "" || slices.Contains(selected, o) && !m.isTakenOut(o) {
			wanted = append(wanted, o)
		}
	}
	return wanted
}

// given returns what the code decides.
func (m *matching) given() *given {
	g := &given{
		labels: map[*object]string{}, taken: map[string]bool{}, single: map[*object]bool{}, blocks: map[*object]string{}, keys: map[*object]string{},
		edges: map[string]string{}, layouts: map[string]string{}, tables: map[string]*table{}, entries: map[*object]bool{}, asBlock: map[string]bool{},
		texts: map[*object]string{}, modules: map[string]string{}, grown: map[string]bool{},
	}
	for _, address := range slices.Concat(m.code.Addresses(), m.code.Former()) {
		g.taken[address] = true
	}
	if m.record != nil {
		for _, r := range m.record.Objects {
			base, _, _ := strings.Cut(r.Address, "[")
			g.taken[base] = true
		}
	}
	for _, t := range m.tables {
		g.tables[t.typ] = t
		g.grown[t.typ] = m.record != nil && m.record.Written[exportmerge.BlockID(t.address())][kind.RowAdoptExisting] != ""
	}
	for _, o := range m.found.objects {
		address := m.at[o]
		if r := m.before[o]; r != nil {
			g.texts[o] = r.Texts
		}
		if rest, is := strings.CutPrefix(address, "module."); is {
			label, local, _ := strings.Cut(rest, ".")
			if address = local; o.isWorkflow() {
				g.modules[o.name] = label
			}
		}
		_, label, _ := strings.Cut(address, ".")
		block, key, keyed := strings.Cut(label, "[")
		switch {
		case address == "":
		case g.tables[o.typ] != nil && address == g.tables[o.typ].address():
			g.entries[o] = true
		case o.kind.Within != nil && keyed:
			workflow := o.text(o.kind.Within.Relation)
			g.blocks[o], g.keys[o] = block, exportmerge.Unquote(strings.TrimSuffix(key, "]"))
			if g.edges[workflow] == "" {
				g.edges[workflow] = block
			}
		default:
			g.labels[o] = label
			g.single[o] = o.kind.Within != nil
			g.asBlock[o.typ] = true
		}
	}
	m.giveLayouts(g)
	return g
}

// giveLayouts gives layouts their labels, also those that somebody has removed from the code.
func (m *matching) giveLayouts(g *given) {
	for _, o := range m.found.objects {
		b, is := builderOf(o)
		if !is {
			continue
		}
		address := m.layoutAddress(o, b.TypeName())
		if address == "" {
			address = m.code.FindNew(b.TypeName(), b.Of(), o.name, o.name, m.used)
		}
		if address != "" {
			g.layouts[b.TypeName()+" "+o.name] = address[strings.LastIndex(address, ".")+1:]
		}
	}
}

// layoutAddress returns where the layout of an object in the record is now.
func (m *matching) layoutAddress(o *object, typ string) string {
	before := m.before[o]
	if before == nil {
		return ""
	}
	for _, r := range m.record.Objects {
		if r.Kind != typ || r.Name != before.Name {
			continue
		}
		for now, was := range m.moved {
			if was == r.Address {
				return now
			}
		}
		return r.Address
	}
	return ""
}
