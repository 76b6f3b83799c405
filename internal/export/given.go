// This file declares what code that exists decides: the addresses of objects that are in it.

package export

import (
	"strings"
)

// given is what code that exists decides. A nil decides nothing.
type given struct {
	labels  map[*object]string // what follows the Terraform type in the addresses of objects, by which they are referred to
	taken   map[string]bool    // the addresses of all resources in the code
	single  map[*object]bool   // edges with a block of their own
	blocks  map[*object]string // of edges in a block with for_each: its label
	keys    map[*object]string // and their keys
	edges   map[string]string  // the labels of the blocks to which new edges belong, by the workflows
	layouts map[string]string  // the labels of layouts by their types and what they draw
	tables  map[string]*table  // by types: the tables that there are, without objects
	entries map[*object]bool   // objects in these tables
	asBlock map[string]bool    // types with blocks, and without a table
}

// label labels objects of a kind. namings are those of the objects, and made the labels that
// they would have without code that exists.
func (g *given) label(typ string, objects []*object, namings []naming, made []string) {
	for i, o := range objects {
		o.label = made[i]
		if g == nil {
			continue
		}
		if label, is := g.labels[o]; is {
			o.label = label
			continue
		}
		o.label = g.free(typ, namings[i], made[i])
	}
}

// free returns the label of something new: one that nothing has in the code.
func (g *given) free(typ string, n naming, made string) string {
	if g == nil {
		return made
	}
	for level := labelShort; g.taken[typ+"."+made] && level <= labelLongDigest; level++ {
		made = n.label(level)
	}
	return made
}

// blockOf returns the label of the block that holds an edge, "" for a new one.
func (g *given) blockOf(o *object, workflow string) string {
	switch {
	case g == nil:
		return ""
	case g.blocks[o] != "":
		return g.blocks[o]
	}
	return g.edges[workflow]
}

// isSingle reports whether an edge has a block of its own.
func (g *given) isSingle(o *object) bool { return g != nil && g.single[o] }

// layout returns the label of the layout of a workflow or network.
func (g *given) layout(o *object, typ string) string {
	switch {
	case g == nil:
		return o.label
	case g.layouts[typ+" "+o.name] != "":
		return g.layouts[typ+" "+o.name]
	}
	label, _, _ := strings.Cut(o.label, "[") // of a block with for_each
	return g.free(typ, naming{name: o.name, short: ownName(o.name)}, label)
}

// fill puts objects into the tables that there are, and new ones of types without a block into
// tables of their own, when CSV is asked for.
func (g *given) fill(objects []*object, asked string) []*table {
	var fitting []*object
	for _, o := range objects {
		o.table = ""
		if g.entries[o] || g.labels[o] == "" && (g.tables[o.typ] != nil || asked == inventoryCSV && !g.asBlock[o.typ]) {
			fitting = append(fitting, o)
		}
	}
	all := tables(fitting)
	for _, t := range all {
		if there := g.tables[t.typ]; there != nil {
			t.label, t.file = there.label, there.file
		}
		for _, o := range t.objects {
			o.table = t.address()
		}
	}
	return all
}
