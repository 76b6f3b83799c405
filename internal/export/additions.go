// This file adds new objects of the server to the existing code.

package export

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/export/existing"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// addEdges adds new edges to the existing blocks with for_each.
func (u *update) addEdges() (added []string) {
	for _, edges := range u.exporter.edges {
		address := edges.kind.TypeName() + "." + edges.label
		r, fresh := u.code.Resource(address), u.fresh.Resource(address)
		if r == nil || fresh == nil {
			continue
		}
		from, _ := u.freshScope.Each(fresh)
		to, literal := u.scope.Each(r)
		var previous []string
		for _, o := range edges.objects {
			key := edges.keys[o]
			switch {
			case u.at[o] != nil:
			case !literal:
				u.drop(o)
				u.refused(existing.Position(r.Block.DefRange())+" "+address, "The new edge "+shown(key)+" is not written, because for_each is not written as an object.", nil)
			default:
				to.AddMember(from.Member(key), previous)
				u.fitEdge(r, fresh, from.Member(key))
				u.changed(to.Position(), "%s[%s] is new", address, quoted(key))
				added = append(added, o.address())
			}
			previous = append([]string{key}, previous...)
		}
	}
	return added
}

// drop leaves an object out of the record, so that it is new to the next export again.
func (u *update) drop(o *object) { delete(u.next.entries, o.recordKey()) }

// fitEdge changes the block so that it reads all members of a new entry of for_each, and accepts
// an entry that lacks members.
func (u *update) fitEdge(r, fresh *existing.Resource, entry existing.Place) {
	members, _ := entry.Members()
	for _, name := range fresh.Names() {
		if member, _, is := fresh.EachMember(name); is && slices.Contains(members, member) {
			u.needEach(r, name)
		}
	}
	for _, name := range r.Names() {
		if member, _, is := r.EachMember(name); is && !slices.Contains(members, member) {
			u.optional(r, name)
		}
	}
}

// addBlocks adds the blocks of new objects, each after the block that it would follow in a new
// export.
func (u *update) addBlocks() (added []string) {
	for n, r := range u.fresh.Resources {
		base, _, _ := strings.Cut(r.Address(), "[")
		if u.code.Resource(base) != nil || u.isLayoutTakenOut(r) {
			continue
		}
		text := r.Text()
		if file, after := u.neighbour(n); after != nil {
			file.InsertAfter(after.Block, text)
		} else {
			file.Append(text)
		}
		u.addFiles(r)
		u.addVariables(r)
		u.withoutRemoved(r.Address())
		u.changed(r.File.Name, "%s is new", r.Address())
		added = append(added, r.Address())
	}
	return added
}

// isLayoutTakenOut reports whether a new block is a layout that was exported before, so that
// somebody has removed it from the code.
func (u *update) isLayoutTakenOut(r *existing.Resource) bool {
	b, is := drawnBy(r.Type)
	if !is || u.record == nil {
		return false
	}
	for _, o := range u.exporter.objects {
		if o.typ == b.Of() && u.exporter.given.layout(o, r.Type) == r.Label {
			before, _ := u.recorded(o)
			return u.record.entries[recordKey{r.Type, before.name}] != nil
		}
	}
	return false
}

// neighbour returns where to add a block of a new export: in a file, after a block, or at the end
// if that is nil.
func (u *update) neighbour(n int) (*existing.File, *existing.Resource) {
	all := u.fresh.Resources
	at := func(i int) *existing.Resource {
		address, _, _ := strings.Cut(all[i].Address(), "[")
		if r := u.code.Resource(address); r != nil && all[i].File == all[n].File {
			return r
		}
		return nil
	}
	for i := n - 1; i >= 0; i-- {
		if r := at(i); r != nil {
			return r.File, r
		}
	}
	for i := n + 1; i < len(all); i++ {
		if r := at(i); r != nil {
			return r.File, nil
		}
	}
	return u.code.File(all[n].File.Name), nil
}

// addFiles writes the files that a new block refers to.
func (u *update) addFiles(r *existing.Resource) {
	for name := range u.freshScope.FilesOf(r.Block) {
		if content, is := u.exporter.files[name]; is {
			u.files[name] = content
		}
	}
}

// addVariables writes the variables of a new block's secrets.
func (u *update) addVariables(r *existing.Resource) {
	there := map[string]bool{}
	u.code.Blocks("variable", func(_ *existing.File, b *existing.Block) { there[b.Labels[0]] = true })
	wanted := map[string]bool{}
	_ = hclsyntax.VisitAll(r.Block.Body, existing.Visit(func(root, name string) {
		if root == "var" {
			wanted[name] = true
		}
	}))
	u.fresh.Blocks("variable", func(f *existing.File, b *existing.Block) {
		name := b.Labels[0]
		if wanted[name] && !there[name] && !u.tries["var."+name] {
			u.tries["var."+name] = true
			u.code.File(fileVariables).Append(f.Text(b.Range()) + "\n")
			u.changed(fileVariables, "var.%s is new", name)
		}
	})
}

// withoutRemoved deletes `removed` blocks of an address that is used again.
func (u *update) withoutRemoved(address string) {
	u.code.Blocks("removed", func(f *existing.File, b *existing.Block) {
		if from := b.Body.Attributes["from"]; from != nil && f.Text(from.Expr.Range()) == address {
			f.DeleteBlock(b)
		}
	})
}

// addImports writes import blocks for new objects.
func (u *update) addImports(added []string) {
	for _, i := range importsOf(u.fresh) {
		if slices.Contains(added, i.to) && !u.imports[i.to] {
			u.code.File(fileImports).Append(i.file.Text(i.block.Range()) + "\n")
		}
	}
}

// renameImports changes the names in import blocks to those on the server.
func (u *update) renameImports() {
	for _, i := range importsOf(u.code) {
		o, id := u.objects[i.to], i.block.Body.Attributes["id"]
		if o == nil || id == nil {
			continue
		}
		text, known := u.scope.JSON(id.Expr, nil)
		if wanted := o.kind.ImportID(o.name); known && text != wanted {
			i.file.Replace(id.Expr.Range(), quoted(wanted))
			u.changed(existing.Position(id.Expr.Range()), "%s is imported as %s", i.to, shown(wanted))
		}
	}
	for _, i := range importsOf(u.code) {
		o, id := u.layouts[i.to], i.block.Body.Attributes["id"]
		if o == nil || id == nil {
			continue
		}
		if text, known := u.scope.JSON(id.Expr, nil); known && text != o.name {
			i.file.Replace(id.Expr.Range(), quoted(o.name))
			u.changed(existing.Position(id.Expr.Range()), "%s is imported as %s", i.to, shown(o.name))
		}
	}
}

// addVersions writes the file with the provider requirements, unless the code has them.
func (u *update) addVersions() {
	has := u.code.Has(fileVersions)
	u.code.Blocks("provider", func(_ *existing.File, b *existing.Block) { has = has || slices.Equal(b.Labels, []string{"enms"}) })
	u.code.Blocks("terraform", func(_ *existing.File, b *existing.Block) {
		for _, inner := range b.Body.Blocks {
			has = has || inner.Type == "required_providers" && inner.Body.Attributes["enms"] != nil
		}
	})
	if !has && len(u.fresh.Resources) > 0 {
		u.code.File(fileVersions).Append(string(u.exporter.files[fileVersions]))
		u.changed(fileVersions, "the provider is new")
	}
}

// mergeTables changes the CSV files.
func (u *update) mergeTables() {
	for _, typ := range slices.Sorted(maps.Keys(u.tables)) {
		t := u.tables[typ]
		var from existing.Place
		fresh := u.fresh.Resource(t.resource.Address())
		content := []byte(kind.RowName + "\n")
		if fresh != nil {
			all, _ := u.freshScope.Instances(fresh)
			from, content = u.freshScope.Place(all[0], "instances"), u.exporter.files[t.path]
		}
		objects := map[string]*object{}
		for o, name := range u.rows {
			if o.typ == typ {
				objects[name] = o
				u.findMisfit(t, o)
			}
		}
		before := slices.Clone(t.header)
		made := t.merge(u, content, objects)
		if have, err := u.code.Content(t.path); made == nil || err == nil && bytes.Equal(have, made) {
			continue
		}
		u.files[t.path] = made
		if t.grows {
			t.adoptNew(u)
		}
		if header, _, ok := parseCSV(made); ok && fresh != nil {
			t.mergeExpression(u, from, before, header)
		}
	}
}

// findMisfit reports an object whose values no longer fit into its table.
func (u *update) findMisfit(t *csvTable, o *object) {
	if o.table == "" && slices.Contains(u.exporter.objects, o) {
		u.refused(t.resource.Address(), "The "+o.String()+" does not fit into "+t.path+" any more.", nil)
		u.drop(o)
	}
}
