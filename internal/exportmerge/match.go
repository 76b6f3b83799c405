// This file finds the objects of the server in the code, by their entries in the record.

package exportmerge

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Matching is what Match has found, beside Before and At of each object.
type Matching struct {
	Moves
	identified
	// Tables has the address and the CSV file (Table) of each existing block that reads one, by the type of the rows.
	Tables map[string]Object

	used map[string]bool // addresses at which something was found
}

// Match finds the objects of a server in the record, which is nil if there is none, and in the code. ask asks the
// changelog; if it is nil, objects are what their names say.
func Match(code *Code, record *Record, objects []*Object, ask Ask) (*Matching, error) {
	m := &Matching{
		Moves: Moves{
			Moved: map[string]string{}, Gone: map[string]bool{}, Renewed: map[string]bool{}, Elsewhere: map[string]string{},
			RowNames: map[string]string{}, RowsGone: map[string]bool{},
		},
		identified: identified{code: code, record: cmp.Or(record, &Record{}), paired: map[*Object]*Object{}, untold: map[*Object]bool{}},
		Tables:     map[string]Object{}, used: map[string]bool{},
	}
	if record != nil {
		code.findOwnModules(record)
		if err := code.checkTables(record); err != nil {
			return nil, err
		}
	}
	if err := m.identify(objects, ask); err != nil {
		return nil, err
	}
	m.findTables(objects)
	m.addMovedBlocks()
	if err := m.locate(objects); err != nil {
		return nil, err
	}
	return m, nil
}

// findOwnModules finds the modules that people have written themselves: those of which the record has no block.
func (c *Code) findOwnModules(r *Record) {
	c.own = map[string]bool{}
	for name := range c.files {
		if prefix := modulePrefix(name); prefix != "" {
			c.own[prefix] = true
		}
	}
	for id := range r.Written {
		if dir, _, inModule := strings.Cut(id, ": "); inModule {
			delete(c.own, modulePrefix(dir))
		}
	}
}

// addMovedBlocks records where people have moved blocks of the record, also those without instances, which locate does
// not find.
func (m *Matching) addMovedBlocks() {
	for _, p := range m.code.blocks() {
		if m.record.Written[blockID(p.from())] != nil {
			m.addMove(m.code.moved(p.from()), p.from())
		}
	}
}

// findTables finds the blocks of the code that read CSV files: at the addresses in the record, or else at those that a
// new export would give them.
func (m *Matching) findTables(objects []*Object) {
	there := m.code.Addresses()
	for _, o := range objects {
		_, known := m.Tables[o.Rows]
		at := o
		if o.Before != nil && o.Before.Table != "" {
			at, known = o.Before, false
		}
		if o.Rows != "" && !known && slices.Contains(there, at.Address) {
			m.Tables[o.Rows] = Object{Address: at.Address, Table: at.Table}
		}
	}
}

// locate finds the objects in the code. The order of the steps matters: an address belongs to the object
// of the record that has it, even if that is gone, before another object can be found there by its name.
func (m *Matching) locate(objects []*Object) error {
	rows := map[string]map[string]bool{} // the names in the CSV files
	for _, t := range m.Tables {
		read, err := m.code.table(t.Table)
		if err != nil {
			return err
		}
		rows[t.Table] = read.names()
	}
	m.locateRecorded(objects, rows)
	m.locateGone(objects)
	for _, o := range objects {
		if o.IsTakenOut() && o.Before.Table == "" { // people may have written its block anew
			m.put(o, m.code.findNew(o, o.Before.Name, m.used))
		}
	}
	m.locateNew(objects, rows)
	return nil
}

// checkTables checks the CSV files of the record whose blocks are still in the code.
func (c *Code) checkTables(r *Record) error {
	checked := map[string]bool{}
	for _, o := range r.Objects {
		if o.Table == "" || checked[o.Table] || c.current(o.Address) == "" {
			continue
		}
		checked[o.Table] = true
		if _, err := c.table(o.Table); err != nil {
			return err
		}
	}
	return nil
}

// locateRecorded finds the objects of the record by their addresses, or by their rows.
func (m *Matching) locateRecorded(objects []*Object, rows map[string]map[string]bool) {
	for _, o := range objects {
		r := o.Before
		if r == nil {
			continue
		}
		if r.Table == "" {
			m.put(o, m.code.current(r.Address))
		} else if rows[r.Table][r.Name] {
			o.At = r.Address
			m.RowNames[rowID(r.Table, r.Name)] = o.Name
		}
	}
}

// locateGone finds what an object has left: the blocks and rows of objects that the server no longer has, and the blocks
// of Record.Left.
func (m *Matching) locateGone(objects []*Object) {
	left := slices.Clone(m.record.Left) // addresses in the record
	named := map[objectKey]bool{}
	for _, o := range objects {
		named[o.nameKey()] = true
	}
	for _, r := range m.Lost {
		if r.Table != "" {
			m.RowsGone[rowID(r.Table, r.Name)] = true
			continue
		}
		left = append(left, r.Address)
		if named[r.nameKey()] {
			m.Renewed[m.code.current(r.Address)] = true
		}
	}
	for _, recorded := range left {
		if address := m.code.current(recorded); address != "" && !m.used[address] {
			m.Gone[address], m.used[address] = true, true
			m.addMove(address, recorded)
		}
	}
	for r := range m.untold { // it is still in the code, where nothing else is found
		m.used[m.code.current(r.Address)] = true
	}
}

// locateNew finds the objects that the record does not have: people have written them themselves.
func (m *Matching) locateNew(objects []*Object, rows map[string]map[string]bool) {
	for _, o := range objects {
		if o.Before != nil {
			continue
		}
		t := m.Tables[o.Rows]
		row := rowID(t.Table, o.Name)
		isAnothers := m.RowNames[row] != "" || m.RowsGone[row] // of an object of the record that had this name
		if rows[t.Table][o.Name] && !isAnothers {
			o.At = t.Address
		} else {
			m.put(o, m.code.findNew(o, o.Name, m.used))
		}
	}
}

// put records the address of an object, unless it is "".
func (m *Matching) put(o *Object, address string) {
	if address == "" {
		return
	}
	o.At, m.used[address] = address, true
	if o.Before != nil {
		m.addMove(address, o.Before.Address)
	}
}

// addMove records that people have moved an instance, and its block unless the instance has another key in it.
func (m *Matching) addMove(address, recorded string) {
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
// member of it. It returns "" if there is none, or if the last export did not write that variable.
func (m *Matching) Variable(address string, attribute ...string) string {
	p, is := m.code.resource(address)
	if !is {
		return ""
	}
	expr, is := p.find(attribute).(*hclsyntax.ScopeTraversalExpr)
	if !is {
		return ""
	}
	name, is := strings.CutPrefix(bareText(p.file, expr.Range()), "var.")
	if !is || m.record.Written[p.file.id("variable "+name)] == nil {
		return ""
	}
	return name
}

// textPath matches the path of a text that an export has written, up to the dot behind its label.
var textPath = regexp.MustCompile(`"\$\{path\.module\}/(code/[^".$]+)\.`)

// Texts returns what the paths of the texts that a block of the code reads have in common, such as
// "code/workflow/service": it ends at the dot behind the label, and begins in the directory of the module. It returns ""
// if the block reads none.
func (m *Matching) Texts(address string) string {
	p, is := m.code.resource(address)
	if !is {
		return ""
	}
	if found := textPath.FindSubmatch(p.block.Range().SliceBytes(p.file.text)); found != nil {
		return string(found[1])
	}
	return ""
}

// IsTakenOut reports whether somebody has removed an object from the code.
func (o *Object) IsTakenOut() bool { return o.Before != nil && o.At == "" }

// Wrote reports whether the last export wrote an attribute of a resource.
func (m *Matching) Wrote(address, attribute string) bool {
	return m.record.Written[blockID(address)][attribute] != ""
}

// Carry copies from the last record to that of this export what the next export must still know: the digests
// of what the merge has left alone, the objects that were not exported this time, unless they are gone from
// the code, too, the blocks that objects have left (Left), and the mark, as long as it shows that this is another database.
func (m *Matching) Carry(next *Record, merged *Result) {
	for _, u := range merged.Unmerged {
		written := next.Written[u.ID]
		maps.DeleteFunc(written, func(path, _ string) bool { return hasPrefix(path, u.Path) })
		for path, d := range u.Before {
			if hasPrefix(path, u.Path) {
				written[path] = d
			}
		}
	}
	for _, id := range merged.Unwritten {
		delete(next.Written, id)
	}
	exported, named := map[*Object]bool{}, map[objectKey]bool{}
	for _, o := range next.Objects {
		exported[o.Before] = true
		named[o.nameKey()] = true
	}
	left := slices.Clone(m.record.Left)
	for _, r := range m.record.Objects {
		now, isLost := m.paired[r], slices.Contains(m.Lost, r)
		switch {
		case exported[r], isLost && named[r.nameKey()]:
			if r.Table == "" {
				left = append(left, r.Address)
			}
		case !isLost || m.isInCode(r, merged):
			carried := *r
			if isLost {
				carried.ID, carried.Created = "", ""
			} else if now != nil {
				carried.Name, carried.ID, carried.Subtype, carried.Created, carried.Ends = now.Name, now.ID, now.Subtype, now.Created, now.Ends
			}
			next.Objects = append(next.Objects, &carried)
			m.carryDigests(next, r, carried.Name)
		}
	}
	if m.IsOther && len(m.Untold) > 0 {
		next.Mark = m.record.Mark
	}
	next.Left = slices.DeleteFunc(left, func(address string) bool { return !m.isKept(address, merged) })
}

// carryDigests copies the digests of an object, of its block and of its import block to the next record, unless
// this export has written them. now is the name of the object.
func (m *Matching) carryDigests(next *Record, r *Object, now string) {
	base, _ := splitKey(r.Address)
	carry := func(id, nextID string) {
		if values := m.record.Written[id]; values != nil && next.Written[nextID] == nil {
			next.Written[nextID] = values
		}
	}
	carry(blockID(base), blockID(base))
	carry("import "+r.Address, "import "+r.Address)
	carry(rowID(r.Table, r.Name), rowID(r.Table, now))
}

// isInCode reports whether the code has a lost object of the record even after the merge. A file that is gone or cannot be
// read has no rows: checkTables has reported one that the code still reads.
func (m *Matching) isInCode(recorded *Object, merged *Result) bool {
	if recorded.Table == "" {
		return m.isKept(recorded.Address, merged)
	}
	content, changed := merged.Files[recorded.Table]
	if !changed {
		content, _ = m.code.readFile(recorded.Table)
	}
	t, _ := parseTable(recorded.Table, content)
	return t.names()[recorded.Name]
}

// isKept reports whether the merge has left a block in the code although its object is gone or in another block.
// recorded is the address in the record.
func (m *Matching) isKept(recorded string, merged *Result) bool {
	for address := range merged.Kept {
		if cmp.Or(m.Moved[address], address) == recorded {
			return true
		}
	}
	return false
}
