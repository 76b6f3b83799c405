// This file declares what the existing code decides: the addresses of the objects in it.

package export

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// given holds what the existing code decides. It is nil if there is no code.
type given struct {
	labels  map[*object]string // the rest of the address after the Terraform type, by object
	taken   map[string]bool    // the addresses of all resources in the code
	single  map[*object]bool   // edges with a block of their own
	blocks  map[*object]string // for edges in a block with for_each: the label of the block
	keys    map[*object]string // for the same edges: their keys
	edges   map[string]string  // the labels of the blocks for new edges, by workflow
	layouts map[string]string  // the labels of layouts, by their type and the name of the workflow or network
	tables  map[string]*table  // the existing tables by type, without objects
	entries map[*object]bool   // the objects in these tables
	asBlock map[string]bool    // types with blocks, but without a table
	texts   map[*object]string // the paths that the files below code/ begin with
	modules map[string]string  // the labels of modules, by the name of their workflow
	grown   map[string]bool    // the types whose tables adopt what is new in them
}

// label sets the labels of objects of a kind in a module. typ is their Terraform type, after the
// prefix of the module's addresses. namings are the namings of the objects, and made
// are the labels that they would have without existing code.
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
	return g.free(o.module.prefix()+typ, naming{name: o.name, short: ownName(o.name)}, label)
}

// fill adds objects to the existing tables. If CSV is requested, it adds new objects of types
// without blocks to new tables.
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
			t.adopts = t.adopts || g.tables[t.typ] != nil && (g.grown[t.typ] || !g.entries[o])
		}
	}
	return all
}

// textsOf returns the path that the files of an object begin with.
func (g *given) textsOf(o *object, made string) string {
	if g == nil || g.texts[o] == "" {
		return made
	}
	return g.texts[o]
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
