// This file finds the objects of the server in the existing code.

package export

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/bulk"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/export/existing"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/layout"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// matching holds which objects are in the code, and where.
type matching struct {
	found  *inventory
	record *record // of the last export; nil if there is none
	code   *existing.Directory

	kinds   map[string]*kind.Kind          // by their Terraform types
	byName  map[recordKey]*object          // by the identities of objects
	byID    map[recordKey]*object          // by their ids
	imports map[string]bool                // the addresses that import blocks name
	before  *existing.Scope                // with the names in the code
	scope   *existing.Scope                // with the names on the server
	known   existing.Known                 // the values of the resources in scope
	objects map[string]*object             // by the addresses of instances
	at      map[*object]*existing.Instance // the instances of the objects
	renamed map[*object]bool
	layouts map[string]*object   // workflows by the addresses of their layouts
	tables  map[string]*csvTable // by types
	rows    map[*object]string   // the keys of entries of tables

	gone    map[string]bool      // the addresses of instances whose objects the server no longer has
	goneAs  map[string]recordKey // by address: the keys of these in the record
	unknown []finding            // code that cannot be evaluated, or that is not on the server
}

// match finds objects in code.
func match(code *existing.Directory, found *inventory, r *record) *matching {
	m := &matching{
		found: found, record: r, code: code, kinds: map[string]*kind.Kind{}, byName: map[recordKey]*object{}, byID: map[recordKey]*object{},
		imports: map[string]bool{}, objects: map[string]*object{}, at: map[*object]*existing.Instance{}, renamed: map[*object]bool{},
		layouts: map[string]*object{}, tables: map[string]*csvTable{}, rows: map[*object]string{}, gone: map[string]bool{}, goneAs: map[string]recordKey{},
	}
	for _, k := range found.kinds {
		if !k.AnyType {
			m.kinds[k.TypeName()] = k
		}
	}
	for _, o := range found.objects {
		m.byName[o.recordKey()] = o
		m.byID[recordKey{o.kind.Name, o.id()}] = o
	}
	for _, i := range importsOf(code) {
		m.imports[i.to] = true
	}
	m.findNames()
	m.matchAll(func(k *kind.Kind) bool { return k.Within == nil })
	m.matchTables()
	m.scope = code.Scope(m.known)
	m.matchAll(func(k *kind.Kind) bool { return k.Within != nil })
	m.matchLayouts()
	return m
}

// findNames evaluates the names of resources. They may refer to each other.
func (m *matching) findNames() {
	known := existing.Known{}
	for {
		m.before = m.code.Scope(known)
		next := existing.Known{}
		for _, r := range m.code.Resources {
			if m.kinds[r.Type] == nil {
				continue
			}
			instances, _ := m.before.Instances(r)
			for _, in := range instances {
				if name, is := m.before.Text(in, kind.RowName); is {
					next[in.Address()] = map[string]any{kind.RowName: name}
				}
			}
		}
		if len(next) == len(known) {
			m.known = known
			return
		}
		known = next
	}
}

// identityIn returns the identity of the object in an instance of a resource.
func (m *matching) identityIn(s *existing.Scope, k *kind.Kind, in *existing.Instance) (string, bool) {
	if k.Within == nil {
		return s.Text(in, kind.RowName)
	}
	var parts []string
	for _, attribute := range k.Unique {
		text, is := s.Text(in, attribute)
		if !is {
			return "", false
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " | "), true
}

// matchAll finds the objects of some kinds.
func (m *matching) matchAll(wanted func(*kind.Kind) bool) {
	now := m.scope
	if now == nil {
		now = m.before
	}
	for _, r := range m.code.Resources {
		k := m.kinds[r.Type]
		if k == nil || !wanted(k) {
			continue
		}
		instances, all := m.before.Instances(r)
		if !all {
			m.tell(r, "for_each or count has no value that is known without a plan, so that nothing in it is compared.")
		}
		for _, in := range instances {
			identity, is := m.identityIn(now, k, in)
			if !is {
				m.tell(r, "Its name has no value that is known without a plan, so that it is not compared.")
				continue
			}
			before, _ := m.identityIn(m.before, k, in)
			m.matchInstance(k, in, identity, before)
		}
	}
}

func (m *matching) tell(r *existing.Resource, what string) {
	m.unknown = append(m.unknown, finding{existing.Position(r.Block.DefRange()) + " " + r.Address(), what})
}

// matchInstance finds the object of an instance by its identity, or by the identity that it has
// in the record.
func (m *matching) matchInstance(k *kind.Kind, in *existing.Instance, identity, before string) {
	o := m.byName[recordKey{k.Name, identity}]
	if o == nil {
		if o = m.renamedFrom(k, before); o != nil {
			m.renamed[o] = true
		}
	}
	switch {
	case o != nil && m.at[o] == nil && m.rows[o] == "":
		m.put(o, in)
	case o != nil:
		m.tell(in.Resource, "It is written a second time: "+identity+".")
	case slices.Contains(k.BuiltIn, identity):
	case m.wasThere(k, before, in.Address()):
		m.gone[in.Address()], m.goneAs[in.Address()] = true, recordKey{k.Name, before}
	case slices.Contains(m.found.read, k):
		m.tell(in.Resource, "The server does not have it.")
	}
}

// put records where an object is.
func (m *matching) put(o *object, in *existing.Instance) {
	m.objects[in.Address()], m.at[o] = o, in
	m.known[in.Address()] = o.values()
}

// values returns the attributes of an object to which expressions may refer.
func (o *object) values() map[string]any {
	all := map[string]any{}
	for _, row := range o.kind.Rows() {
		if v, has := o.state[row.Name]; has {
			all[row.Name] = value.ToJSON(v)
		}
	}
	return all
}

// wasThere reports whether the server had an object at the last export, and no longer has it.
func (m *matching) wasThere(k *kind.Kind, identity, address string) bool {
	if !slices.Contains(m.found.read, k) {
		return false
	}
	if m.record == nil {
		return m.imports[address]
	}
	return m.record.entries[recordKey{k.Name, identity}] != nil
}

// renamedFrom returns the object that had an identity at the last export, or nil. It has the same
// id and mostly the same content.
func (m *matching) renamedFrom(k *kind.Kind, identity string) *object {
	if m.record == nil {
		return nil
	}
	recorded := m.record.entries[recordKey{k.Name, identity}]
	if recorded == nil {
		return nil
	}
	o := m.byID[recordKey{k.Name, recorded.ID}]
	if o == nil || m.record.entries[o.recordKey()] != nil {
		return nil
	}
	same, now := 0, o.recordEntry().Values
	for name, d := range recorded.Values {
		if now[name] == d {
			same++
		}
	}
	if k.Within == nil && 2*same < len(recorded.Values) {
		return nil
	}
	return o
}

// recorded returns the entry of an object in the record, under its current or its previous name.
func (m *matching) recorded(o *object) (recordKey, *recordEntry) {
	if m.record == nil {
		return o.recordKey(), nil
	}
	if e := m.record.entries[o.recordKey()]; e != nil {
		return o.recordKey(), e
	}
	for k, e := range m.record.entries {
		if k.kind == o.kind.Name && e.ID == o.id() && m.byName[k] == nil {
			return k, e
		}
	}
	return o.recordKey(), nil
}

// drawnBy returns the builder whose layouts have a Terraform type.
func drawnBy(typ string) (b layout.Builder, is bool) {
	for _, b := range layout.Builders {
		if b.TypeName() == typ {
			return b, true
		}
	}
	return b, false
}

// matchLayouts finds the layouts of workflows and networks.
func (m *matching) matchLayouts() {
	for _, r := range m.code.Resources {
		b, is := drawnBy(r.Type)
		if !is {
			continue
		}
		instances, _ := m.scope.Instances(r)
		for _, in := range instances {
			name, is := m.scope.Text(in, b.Of())
			if !is {
				m.tell(r, "Its "+b.Of()+" has no value that is known without a plan, so that it is not compared.")
				continue
			}
			for _, o := range m.found.objects {
				if o.typ == b.Of() && o.name == name && !in.Keyed() {
					m.layouts[in.Address()] = o
				}
			}
		}
	}
}

// goneLayouts returns the layouts of workflows and networks that are gone.
func (m *matching) goneLayouts() (all []*existing.Resource) {
	for _, r := range m.code.Resources {
		b, is := drawnBy(r.Type)
		if !is || r.Attribute(b.Of()) == nil {
			continue
		}
		for _, t := range r.Attribute(b.Of()).Expr.Variables() {
			if m.gone[existing.AddressOf(t)] {
				all = append(all, r)
			}
		}
	}
	return all
}

// importBlock is an import block.
type importBlock struct {
	to    string
	file  *existing.File
	block *existing.Block
}

// importsOf returns the import blocks of code.
func importsOf(code *existing.Directory) (all []importBlock) {
	code.Blocks("import", func(f *existing.File, b *existing.Block) {
		if to := b.Body.Attributes["to"]; to != nil {
			all = append(all, importBlock{strings.TrimSpace(f.Text(to.Expr.Range())), f, b})
		}
	})
	return all
}

// given returns what the code decides.
func (m *matching) given() *given {
	g := &given{
		labels: map[*object]string{}, taken: map[string]bool{}, single: map[*object]bool{}, blocks: map[*object]string{}, keys: map[*object]string{},
		edges: map[string]string{}, layouts: map[string]string{}, tables: map[string]*table{}, entries: map[*object]bool{}, asBlock: map[string]bool{},
	}
	for _, r := range m.code.Resources {
		g.taken[r.Address()] = true
	}
	for _, o := range m.found.objects {
		in := m.at[o]
		switch {
		case m.rows[o] != "":
			g.entries[o] = true
		case in == nil:
		case o.kind.Within != nil && in.Keyed():
			g.blocks[o], g.keys[o] = in.Label, in.Key()
			workflow := o.text(o.kind.Within.Relation)
			g.edges[workflow] = cmp.Or(g.edges[workflow], in.Label)
		default:
			g.labels[o] = in.Label
			if in.Keyed() {
				g.labels[o] += "[" + quoted(in.Key()) + "]"
			}
			g.single[o] = o.kind.Within != nil
			g.asBlock[o.typ] = true
		}
	}
	for _, r := range m.code.Resources {
		if o := m.layouts[r.Address()]; o != nil {
			g.layouts[r.Type+" "+o.name] = r.Label
		}
	}
	for typ, t := range m.tables {
		g.tables[typ] = &table{typ: typ, label: t.resource.Label, file: t.path}
	}
	return g
}

// isTakenOut reports whether an object was exported before and is no longer in the code: somebody
// has removed it.
func (m *matching) isTakenOut(o *object) bool {
	if m.at[o] != nil || m.rows[o] != "" {
		return false
	}
	_, recorded := m.recorded(o)
	return recorded != nil
}

// bulkTables returns the resources enms_instances.
func (m *matching) bulkTables() (all []*existing.Resource) {
	for _, r := range m.code.Resources {
		if r.Type == bulk.TypeName {
			all = append(all, r)
		}
	}
	return all
}

// matchTables finds the objects that are rows of tables.
func (m *matching) matchTables() {
	for _, r := range m.bulkTables() {
		instances, _ := m.before.Instances(r)
		if len(instances) != 1 || instances[0].Keyed() {
			m.tell(r, "Its instances have no value that is known without a plan, so that they are not compared.")
			continue
		}
		typ, is := m.before.Text(instances[0], "type")
		place := m.before.Place(instances[0], "instances")
		x, known := place.Value()
		entries, isObject := x.(map[string]any)
		if !is || !known || !isObject {
			m.tell(r, "Its instances have no value that is known without a plan, so that they are not compared.")
			continue
		}
		t := m.tableOf(r, typ, place)
		k := kind.Named(m.found.kinds, typ)
		if k == nil || k.AnyType {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(entries)) {
			m.matchRow(t, r, k, name)
		}
	}
}

// tableOf returns the CSV file that a resource reads, or nil if it reads none.
func (m *matching) tableOf(r *existing.Resource, typ string, place existing.Place) *csvTable {
	for _, path := range place.FilesNamed() {
		content, err := m.code.Content(path)
		if err != nil || !strings.HasSuffix(path, ".csv") || m.tables[typ] != nil {
			continue
		}
		if header, rows, ok := parseCSV(content); ok {
			m.tables[typ] = &csvTable{typ: typ, resource: r, place: place, path: path, header: header, rows: rows, gone: map[string]bool{}}
			return m.tables[typ]
		}
	}
	m.tell(r, "Its instances come from no CSV file that can be read here, so that they are not changed.")
	return nil
}

// matchRow finds the object of an entry.
func (m *matching) matchRow(t *csvTable, r *existing.Resource, k *kind.Kind, name string) {
	o := m.byName[recordKey{k.Name, name}]
	if o == nil {
		if o = m.renamedFrom(k, name); o != nil {
			m.renamed[o] = true
		}
	}
	switch {
	case o != nil && m.at[o] == nil && m.rows[o] == "":
		m.rows[o] = name
	case o != nil:
		m.tell(r, "It is written a second time: "+name+".")
	case t != nil && m.wasThere(k, name, r.Address()):
		t.gone[name] = true
	case slices.Contains(m.found.read, k):
		m.tell(r, fmt.Sprintf("The server does not have %q.", name))
	}
}
