// This file says what the existing code decides: the addresses of the objects in it.

package export

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// given holds what the existing code decides, apart from the addresses of objects. It is nil if there
// is no code.
type given struct {
	taken   map[string]bool   // the addresses that no new block may have
	edges   map[string]string // the labels of the blocks for new edges, by workflow
	tables  map[string]*table // the existing tables by type, without objects
	asBlock map[string]bool   // types with blocks, but without a table
	modules map[string]string // the labels of modules, by the name of their workflow
	grown   map[string]bool   // the types whose tables adopt what is new in them
}

// inCode returns the rest of the object's address in the code after the type, and its module; "" if it
// is not there.
func (o *object) inCode() (module, label string) { return addressIn(o.seen) }

func addressIn(seen *exportmerge.Object) (module, label string) {
	if seen == nil {
		return "", ""
	}
	address := seen.At
	if address == "" && seen.Before != nil && seen.Ends != nil && seen.NameIn != kind.RowName { // a layout that was removed
		address = seen.Before.Address
	}
	if rest, is := strings.CutPrefix(address, "module."); is {
		module, address, _ = strings.Cut(rest, ".")
	}
	_, label, _ = strings.Cut(address, ".")
	return module, label
}

// edgeInCode returns the label and the key of the block that has an edge; the key is "" if that is a
// block of its own.
func (o *object) edgeInCode() (block, key string) {
	_, label := o.inCode()
	block, key, _ = strings.Cut(label, "[")
	return block, exportmerge.Unquote(strings.TrimSuffix(key, "]"))
}

// isSingle reports whether an edge has a block of its own in the code.
func (o *object) isSingle() bool {
	block, key := o.edgeInCode()
	return o.kind.Within != nil && block != "" && key == ""
}

// isEntry reports whether the code has the object in a table.
func (g *given) isEntry(o *object) bool {
	t := g.tables[o.typ]
	return t != nil && o.seen.At == t.address()
}

// newGiven returns what the code decides.
func newGiven(found *inventory, m *exportmerge.Matching) *given {
	g := &given{taken: m.Taken(), edges: map[string]string{}, tables: map[string]*table{}, asBlock: map[string]bool{}, modules: map[string]string{}, grown: map[string]bool{}}
	for typ, t := range m.Tables {
		_, label, _ := strings.Cut(t.Address, ".")
		g.tables[typ] = &table{typ: typ, label: label, file: t.Table}
		g.grown[typ] = m.Wrote(t.Address, kind.RowAdoptExisting)
	}
	for _, o := range found.objects {
		module, label := o.inCode()
		if module != "" && o.isWorkflow() {
			g.modules[o.name] = module
		}
		switch block, key := o.edgeInCode(); {
		case label == "" || g.isEntry(o):
		case o.kind.Within == nil || key == "":
			g.asBlock[o.typ] = true
		case g.edges[o.text(o.kind.Within.Relation)] == "":
			g.edges[o.text(o.kind.Within.Relation)] = block
		}
	}
	return g
}

// label sets the labels of objects of a kind in a module. typ is their Terraform type, after the
// prefix of the module's addresses. namings are the namings of the objects, and made
// are the labels that they would have without existing code.
func (g *given) label(typ string, objects []*object, namings []naming, made []string) {
	for i, o := range objects {
		if _, o.label = o.inCode(); g == nil {
			o.label = made[i]
		} else if o.label == "" || g.isEntry(o) {
			o.label = g.free(typ, namings[i], made[i])
		}
	}
}

// free returns the label of a new block: one that is not used in the code. typ is as for label.
func (g *given) free(typ string, n naming, made string) string {
	if g == nil {
		return made
	}
	for level := labelShort; g.taken[typ+"."+made] && level < labelLongDigest; level++ {
		made = n.label(level)
	}
	for again := 2; g.taken[typ+"."+made]; again++ { // people or this export have used them all
		made = fmt.Sprintf("%s_%d", n.label(labelDigest), again)
	}
	g.taken[typ+"."+made] = true
	return made
}

// blockOf returns the label of the block that holds an edge, or "" if the block is new.
func (g *given) blockOf(o *object, workflow string) string {
	if block, _ := o.edgeInCode(); block != "" || g == nil {
		return block
	}
	return g.edges[workflow]
}

// layout returns the label of the layout of a workflow or network.
func (g *given) layout(o *object, typ string) string {
	if g == nil {
		return o.label
	}
	if _, label := addressIn(o.drawn); label != "" {
		return label
	}
	label, _, _ := strings.Cut(o.label, "[") // of a block with for_each
	return g.free(o.module.prefix()+typ, naming{name: o.name, short: ownName(o.name)}, label)
}

// fill adds objects to the existing tables. If CSV is requested, it adds new objects of types
// without blocks to new tables.
func (g *given) fill(objects []*object, asked string) []*table {
	var fitting []*object
	for _, o := range objects {
		o.table = ""
		if g.isEntry(o) || o.seen.At == "" && (g.tables[o.typ] != nil || asked == inventoryCSV && !g.asBlock[o.typ]) {
			fitting = append(fitting, o)
		}
	}
	all := tables(fitting)
	for _, t := range all {
		there := g.tables[t.typ]
		if there != nil {
			t.label, t.file = there.label, there.file
		}
		for _, o := range t.objects {
			o.table = t.address()
			t.adopts = t.adopts || there != nil && (g.grown[t.typ] || !g.isEntry(o))
		}
	}
	return all
}

// textsOf returns the path that the files of the object begin with: the one that they had at the last
// export, or else a new one.
func (o *object) textsOf(made string) string {
	if o.seen == nil || o.seen.Before == nil || o.seen.Before.Texts == "" {
		return made
	}
	return o.seen.Before.Texts
}

// module returns the label of the module of a workflow: the one in the code, or else one that no
// other workflow has.
func (g *given) module(workflow, made string) string {
	if g == nil {
		return made
	}
	if label := g.modules[workflow]; label != "" {
		return label
	}
	taken := slices.Collect(maps.Values(g.modules))
	label := made
	for again := 2; slices.Contains(taken, label); again++ {
		label = fmt.Sprintf("%s_%d", made, again)
	}
	g.modules[workflow] = label
	return label
}
