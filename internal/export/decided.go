// This file says what the existing code decides for a new export, such as the addresses of the objects in it.

package export

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// decided holds what the existing code decides, apart from the addresses of objects: nothing, if there is no code.
type decided struct {
	hasCode bool
	taken   map[string]bool   // the addresses of blocks, and the paths of texts, that nothing new may have
	edges   map[string]string // the labels of the blocks for new edges, by workflow
	tables  map[string]*table // the existing tables by type, without objects and columns
	asBlock map[string]bool   // the types of the objects that the code has, for those without a table
	modules map[string]string // the labels of modules, by the name of their workflow
	*exportmerge.Matching
}

// inCode returns the module of the block in the code that has an object or a layout, "" for the root, and the label of
// the block, with the key of the object if it has one. The label is "" if there is no such block, but a layout that
// people have removed gets its old label again.
func inCode(match *exportmerge.Object) (module, label string) {
	if match == nil {
		return "", ""
	}
	address := match.At
	if isLayout := match.NameIn != kind.RowName; isLayout && match.IsTakenOut() {
		address = match.Before.Address
	}
	module, address = splitModule(address)
	_, label, _ = strings.Cut(address, ".")
	return module, label
}

// splitModule returns the module of an address, "" for the root, and the address inside of the module.
func splitModule(address string) (module, inside string) {
	rest, is := strings.CutPrefix(address, "module.")
	if !is {
		return "", address
	}
	module, inside, _ = strings.Cut(rest, ".")
	return module, inside
}

// edgeInCode returns the label of the block in the code that has an edge, and the key of the edge in it.
// The key is "" if the edge has a block of its own.
func (o *object) edgeInCode() (block, key string) {
	_, label := inCode(o.match)
	block, key, _ = strings.Cut(label, "[")
	return block, exportmerge.Unquote(strings.TrimSuffix(key, "]"))
}

// sharesBlock reports whether the object is an edge in a block with for_each. Only people write a block for one edge.
func (o *object) sharesBlock() bool {
	block, key := o.edgeInCode()
	return o.kind.Place != nil && (block == "" || key != "")
}

// isEntry reports whether the code has the object in a table.
func (d *decided) isEntry(o *object) bool {
	t := d.tables[o.typ]
	return t != nil && o.match.At == t.address()
}

// newDecided returns what the code decides, in which m has found the objects. m is nil if there is no code.
func newDecided(found *inventory, m *exportmerge.Matching) *decided {
	hasCode := m != nil
	if !hasCode {
		m, _ = exportmerge.Match(&exportmerge.Code{}, nil, nil, nil) // without a record, nothing is asked
	}
	d := &decided{hasCode: hasCode, taken: m.Taken(), edges: map[string]string{}, tables: map[string]*table{}, asBlock: map[string]bool{}, modules: map[string]string{}, Matching: m}
	for typ, t := range m.Tables {
		_, label, _ := strings.Cut(t.Address, ".")
		d.tables[typ] = &table{typ: typ, label: label, file: t.Table, adopts: m.Wrote(t.Address, kind.RowAdoptExisting)}
	}
	for _, o := range found.objects {
		module, label := inCode(o.match)
		if module != "" && o.isWorkflow() {
			d.modules[o.name] = module
		}
		switch block, key := o.edgeInCode(); {
		case label == "": // it has no block
		case o.kind.Place == nil || key == "":
			d.asBlock[o.typ] = true
		case d.edges[o.text(o.kind.Place.Container)] == "":
			d.edges[o.text(o.kind.Place.Container)] = block
		}
	}
	return d
}

// label sets the labels of objects of a kind in a module. typ is their Terraform type, after the prefix of the module's
// addresses. made are the labels that they would have without existing code.
func (d *decided) label(typ string, objects []*object, namings []naming, made []string) {
	for i, o := range objects {
		_, label := inCode(o.match)
		switch isNew := label == "" || d.isEntry(o); {
		case isNew || strings.Contains(label, `["`): // it was an entry of a block
			o.label = d.free(typ, namings[i], made[i])
		case typ != strings.TrimSuffix(o.match.At, "."+label): // it moves to another module
			o.label = d.free(typ, namings[i], label)
		default:
			o.label = label
		}
	}
}

// free returns a label that is not taken, and takes it: made, or a longer one. typ is as for label; for a text, whose
// label is the beginning of a file name, it is the directory.
func (d *decided) free(typ string, n naming, made string) string {
	for level := labelShort; d.taken[typ+"."+made] && level < labelLongDigest; level++ {
		made = n.label(level)
	}
	for again := 2; d.taken[typ+"."+made]; again++ { // people or this export have used them all
		made = fmt.Sprintf("%s_%d", n.label(labelDigest), again)
	}
	d.taken[typ+"."+made] = true
	return made
}

// take takes a label that cannot be another one, and reports whether it was free. typ is as for free.
func (d *decided) take(typ, label string) bool {
	free := !d.taken[typ+"."+label]
	d.taken[typ+"."+label] = true
	return free
}

// layout returns the label of the layout of a workflow or network.
func (d *decided) layout(o *object, typ string) string {
	if _, label := inCode(o.layoutMatch); label != "" {
		return label
	}
	label, _, _ := strings.Cut(o.label, "[") // without the key, if it is a block with for_each
	return d.free(o.module.prefix()+typ, naming{name: o.name, short: ownName(o.name)}, label)
}

// fill puts objects into tables: those that the code has in one, and new ones if the code has a table for
// their type. If -inventory is csv (asked), it puts new objects into new tables, too, unless the code has blocks for
// their type.
func (d *decided) fill(objects []*object, asked string) []*table {
	var fitting []*object
	for _, o := range objects {
		o.table = ""
		if d.isEntry(o) || o.match.At == "" && (d.tables[o.typ] != nil || asked == inventoryCSV && !d.asBlock[o.typ]) {
			fitting = append(fitting, o)
		}
	}
	all := tables(fitting)
	for _, t := range all {
		there := d.tables[t.typ]
		if there != nil {
			t.label, t.file = there.label, there.file
		}
		for _, o := range t.objects {
			o.table = t.address()
			t.adopts = t.adopts || there != nil && (there.adopts || !d.isEntry(o)) // what a new row names exists on the server
		}
	}
	return all
}

// tasksLabel returns the label of the block for the tasks of a module, which people may have moved.
func (d *decided) tasksLabel(m *module) string {
	return d.Label(m.prefix() + "enms_" + taskType + "." + tasksInput)
}

// module returns the label of the module of a workflow: the one in the code, or else made, or a longer
// one if another workflow has that.
func (d *decided) module(workflow, made string) string {
	if label := d.modules[workflow]; label != "" {
		return label
	}
	taken := slices.Collect(maps.Values(d.modules))
	label := made
	for again := 2; slices.Contains(taken, label); again++ {
		label = fmt.Sprintf("%s_%d", made, again)
	}
	d.modules[workflow] = label
	return label
}
