// This file writes the directory of YAML files, and what calls the module that reads it.

package export

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/identify"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/entries"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/layout"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/yamldir"
)

// yamlFiles are what an export writes of the directory.
type yamlFiles struct {
	files   map[string][]byte
	call    []attribute // the attributes of the call of the module
	imports []yamlImport

	objects []*object // of the export
	refs    *references
	code    *exportmerge.Matching
	depends map[string]bool // what the files name that is not in the directory
}

// yamlImport is an import block: an address in the module, and the id.
type yamlImport struct {
	address string
	id      any
}

// yamlOf returns the directory with the objects that chooseYAML has chosen.
func yamlOf(objects []*object, refs *references, code *exportmerge.Matching) *yamlFiles {
	y := &yamlFiles{files: map[string][]byte{}, objects: objects, refs: refs, code: code, depends: map[string]bool{}}
	for n, f := range yamldir.Folders {
		var inFolder []*object
		var namings []naming
		byType := map[string][]any{}
		for _, o := range objects {
			if o.inYAML() && o.folder() == n && (o.stepOf == nil || f.Steps) {
				inFolder, namings = append(inFolder, o), append(namings, o.naming())
				byType[o.typ] = append(byType[o.typ], o.name)
			}
		}
		for _, typ := range slices.Sorted(maps.Keys(byType)) {
			y.addImports(f.Resource(typ), typ, byType[typ])
		}
		for i, label := range labels(namings) {
			y.write(inFolder[i], f, label)
		}
	}
	call := []attribute{{"source", yamlSource}, {"directory", source(`"${path.module}/` + yamlDirectory + `"`)}, {"update_pools", false}}
	y.call = withDepends(call, y.depends)
	return y
}

// addImport adds an import block.
func (y *yamlFiles) addImport(address string, id any) {
	y.imports = append(y.imports, yamlImport{yamlModule + "." + address, id})
}

// addImports adds the import blocks of objects of a type, which are in a resource of the module.
func (y *yamlFiles) addImports(in yamldir.Resource, typ string, names []any) {
	add := func(address string, names []any) {
		id := source("jsonencode({ type = " + exportmerge.Quote(typ) + ", names = " + expression(names, step) + " })")
		y.addImport(entries.TypeName+"."+address, id)
	}
	if !in.Each {
		add(in.Address, names)
		return
	}
	for _, name := range names {
		add(in.Address+"["+exportmerge.Quote(name.(string))+"]", []any{name})
	}
}

// write adds the file of an object, and those with its long strings.
func (y *yamlFiles) write(o *object, f yamldir.Folder, label string) {
	file := f.Name + "/" + label + ".yaml"
	content := []attribute{{kind.RowName, o.name}}
	if o.typ != o.kind.Name && !f.Steps {
		content = append(content, attribute{o.kind.SubtypeRow(), o.typ})
	}
	content = append(content, y.fieldsOf(o, f.Name, label)...)
	if o.hasSteps() {
		content = append(content, y.steps(o, file, f.Name, label)...)
	}
	var b strings.Builder
	yamlMapping(&b, content, "")
	y.files[yamlDirectory+"/"+file] = []byte(b.String())
}

// fieldsOf returns the keys of an object, and adds the files with its long strings, whose names begin with label.
func (y *yamlFiles) fieldsOf(o *object, folder, label string) []attribute {
	fields := o.fields(y.refs.in(o, y.depends))
	in := yamlDirectory + "/" + folder + "/"
	maps.Copy(y.files, textFiles(o, fields, in+"code/"+label))
	for i, f := range fields {
		if text, is := f.value.(textFile); is {
			fields[i] = attribute{f.name + yamldir.FromFile, strings.TrimPrefix(string(text), in)}
		}
	}
	var missing []string
	_, secrets := o.secrets(y.code)
	for _, s := range secrets {
		missing = append(missing, s.Field)
	}
	if len(missing) > 0 {
		y.refs.report.add(&y.refs.report.Kept, o.String(), fmt.Sprintf("No file has its secrets. Set %s in eNMS, or write it as a resource.", strings.Join(missing, ", ")))
	}
	return fields
}

// steps returns the keys of a workflow with its steps and its layout, and adds the blocks that import them.
func (y *yamlFiles) steps(w *object, file, folder, label string) []attribute {
	stepName := func(service string) string { return yamldir.StepName(w.name, service) }
	own, edges, ends := map[string]attribute{}, &edgeBlock{workflow: w.name}, map[[2]string][]any{}
	var services []*object
	var namings []naming
	for _, o := range y.objects {
		switch {
		case o.stepOf != w || o == w:
		case o.kind.Place == nil:
			services, namings = append(services, o), append(namings, o.naming())
		default:
			edges.kind, edges.objects = o.kind, append(edges.objects, o)
			o.attributes(y.refs.in(o, y.depends)) // for what it depends on, and the report
			from, to, subtype := o.text("source"), stepName(o.text("destination")), o.text("subtype")
			ends[[2]string{from, subtype}] = append(ends[[2]string{from, subtype}], to)
			key := fmt.Sprintf("%s: %s -> %s (%s)", file, stepName(from), to, subtype)
			y.addImport(o.kind.TypeName()+".edge["+exportmerge.Quote(key)+"]", identify.ImportID(o.kind, o.name))
		}
	}
	byType := map[string][]any{}
	for i, name := range labels(namings) {
		o := services[i]
		fields := slices.DeleteFunc(y.fieldsOf(o, folder, path.Join(label, name)), func(a attribute) bool { return a.name == o.kind.Scope.Attribute })
		own[o.name] = attribute{stepName(o.name), append([]attribute{{o.kind.SubtypeRow(), o.typ}}, fields...)}
		byType[o.typ] = append(byType[o.typ], o.name)
	}
	for _, typ := range slices.Sorted(maps.Keys(byType)) {
		y.addImports(yamldir.Steps(file, typ), typ, byType[typ])
	}
	return append([]attribute{{yamldir.KeyStart, ends[[2]string{servicename.Start, usualEdge}]}, {yamldir.KeySteps, inRunOrder(own, edges, ends)}}, y.layoutOf(w, file, stepName)...)
}

// inRunOrder returns the steps of a workflow in the order in which they run. own are those that the file has itself, by
// their names; the others are services of other files, of which it has the edges.
func inRunOrder(own map[string]attribute, edges *edgeBlock, ends map[[2]string][]any) (steps []attribute) {
	names := slices.Collect(maps.Keys(own))
	for _, o := range edges.objects {
		for _, end := range edges.kind.Place.Ends {
			names = append(names, o.text(end))
		}
	}
	place := edges.order()
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(place[a], place[b]), strings.Compare(a, b))
	})
	for _, name := range slices.Compact(names) {
		step := yamldir.StepName(edges.workflow, name)
		if step == yamldir.Start || step == yamldir.End {
			continue
		}
		content, _ := own[name].value.([]attribute)
		for _, on := range onSubtype {
			if to := ends[[2]string{name, on.subtype}]; len(to) > 0 {
				content = append(content, attribute{on.key, to})
			}
		}
		steps = append(steps, attribute{step, content})
	}
	return steps
}

// layoutOf returns the keys of the layout of a workflow, and adds the block that imports it. Without positions, the
// module would compute some.
func (y *yamlFiles) layoutOf(w *object, file string, stepName func(string) string) []attribute {
	drawn, _ := y.refs.found.layout(w, layout.Workflows, y.refs, y.depends)
	if drawn != nil {
		y.addImport(layout.Workflows.TypeName()+".workflow["+exportmerge.Quote(file)+"]", w.name)
	}
	all := []attribute{{yamldir.KeyPositions, []attribute(nil)}}
	for _, a := range drawn {
		var fields []attribute
		members, _ := a.value.([]member)
		for _, m := range members {
			name, at, rest := exportmerge.Unquote(string(m.key)), []any{}, []member{}
			for _, field := range m.value.([]member) {
				if field.key == "x" || field.key == "y" {
					at = append(at, field.value)
				} else {
					rest = append(rest, field)
				}
			}
			if a.name == layout.PositionsField {
				fields = append(fields, attribute{stepName(name), at})
			} else {
				fields = append(fields, attribute{name, append(rest, member{yamldir.KeyPosition, at})})
			}
		}
		switch a.name {
		case layout.PositionsField:
			all[0].value = fields
		case layout.LabelsField:
			all = append(all, attribute{a.name, fields})
		}
	}
	return all
}
