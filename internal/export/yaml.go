// This file chooses the objects that become YAML files, which the module yaml of the examples reads (package yamldir).

package export

import (
	"maps"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/function"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/layout"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/yamldir"
)

// The call of the module, and the directory that it reads.
const (
	yamlSource    = "github.com/terraform-provider-enms/terraform-provider-enms//examples/modules/yaml"
	yamlDirectory = "enms"
	yamlFile      = "inventory.tf"
)

// folder returns the place of the object's folder among yamldir.Folders, or -1 if there is none.
func (o *object) folder() int {
	return slices.IndexFunc(yamldir.Folders, func(f yamldir.Folder) bool { return f.Kind == o.kind.Name && f.Steps == o.isWorkflow() })
}

// fields returns the attributes and the properties of an object as keys of its file, without its name and its type.
func (o *object) fields(names namer) (all []attribute) {
	for _, a := range o.attributes(names) {
		fields, is := a.value.(map[string]any)
		switch {
		case a.name == kind.RowName || a.name == o.kind.SubtypeRow():
		case is && a.name == kind.RowProperties:
			for _, field := range slices.Sorted(maps.Keys(fields)) {
				all = append(all, attribute{field, fields[field]})
			}
		default:
			all = append(all, a)
		}
	}
	return all
}

// fitsYAML reports whether a file can have the object: enms_instances knows its type, it has no secret that eNMS returns or
// that seems to be used, no key that the module does not pass on, and no name of an object that is left out, which would
// need ignore_changes.
func (o *object) fitsYAML(kinds []*kind.Kind, leftOut func(typ, name string) bool) bool {
	n := o.folder()
	if n < 0 || o.module != nil || kind.Named(kinds, o.typ).Name != o.kind.Name || len(o.usedSecrets())+len(o.returnedSecrets)+len(o.ignored) > 0 {
		return false
	}
	fits := true
	fields := o.fields(func(_, typ, name string) any {
		fits = fits && !leftOut(typ, name)
		return name
	})
	return fits && !slices.ContainsFunc(fields, func(a attribute) bool { return !yamldir.Folders[n].CanHave(a.name) })
}

// chooseYAML makes objects files of the directory, if a file can have them and the module can create them. All files are
// one block: it cannot come after a block that refers to one of them. Within the module, folders have an order.
func chooseYAML(objects []*object, exported index, left map[key]bool, found *inventory) {
	named := map[*object][]*object{}
	for _, o := range objects {
		o.attributes(func(_, typ, name string) any {
			if to := exported.target(typ, name); to != nil {
				named[o] = append(named[o], to)
			}
			return name
		})
		if o.fitsYAML(exported.kinds, func(typ, name string) bool { return left[key{exported.namespace(typ), name}] }) {
			o.table = yamlModule
		}
	}
	for again := true; again; {
		again = false
		later := behindYAML(objects, named)
		for _, o := range objects {
			if o.inYAML() && slices.ContainsFunc(named[o], func(to *object) bool { return later[to.block()] || to.inYAML() && to.folder() > o.folder() }) {
				o.table, again = "", true
			}
		}
	}
	chooseSteps(objects, &references{index: exported, leftOut: left, found: found, report: &report{}}, behindYAML(objects, named))
}

// block returns what Terraform creates as one: the object, or the module with it.
func (o *object) block() any {
	if o.module != nil {
		return o.module
	}
	return o
}

// behindYAML returns the blocks that have to be created after the files, because they name objects in them.
func behindYAML(objects []*object, named map[*object][]*object) map[any]bool {
	behind := map[any]bool{}
	for again := true; again; {
		again = false
		for _, o := range objects {
			if !o.inYAML() && !behind[o.block()] && slices.ContainsFunc(named[o], func(to *object) bool { return to.inYAML() || behind[to.block()] }) {
				behind[o.block()], again = true, true
			}
		}
	}
	return behind
}

// onSubtype are the keys of a step for the edges of each subtype.
var onSubtype = []struct{ subtype, key string }{{usualEdge, yamldir.KeyOnSuccess}, {failureEdge, yamldir.KeyOnFailure}}

// workflowParts are the edges of a workflow, and those of its services that can be steps.
type workflowParts struct{ edges, steps []*object }

// chooseSteps puts the steps, edges and layouts of workflows into their files, if the module can express all edges and
// the layout of a workflow. Otherwise, the services have files of their own, and edges and the layout are blocks. later
// are the blocks that have to be created after the files.
func chooseSteps(objects []*object, refs *references, later map[any]bool) {
	parts := map[string]*workflowParts{}
	for _, o := range objects {
		if o.inYAML() && o.isWorkflow() {
			parts[o.name] = &workflowParts{}
		}
	}
	for _, o := range objects {
		if o.kind.Place != nil {
			if p := parts[o.text(o.kind.Place.Container)]; p != nil {
				p.edges = append(p.edges, o)
			}
		} else if p := parts[o.container()]; p != nil && o.canBeStep() {
			p.steps = append(p.steps, o)
		}
	}
	for _, w := range objects {
		p := parts[w.name]
		if !w.isWorkflow() || p == nil || !p.fit(w, refs, later) {
			continue
		}
		w.stepOf = w
		for _, o := range slices.Concat(p.steps, p.edges) {
			o.stepOf, o.table = w, yamlModule
		}
	}
}

// canBeStep reports whether a file of the only workflow of a service can have the service as a step.
func (o *object) canBeStep() bool {
	return o.inYAML() && !o.isWorkflow() && len(value.Names(o.config[o.kind.Scope.Attribute])) == 1 &&
		!slices.ContainsFunc(o.fields(plainName), func(a attribute) bool {
			return a.name != o.kind.Scope.Attribute && !yamldir.StepCanHave(a.name)
		})
}

// fit reports whether a file can have the parts of a workflow: its edges, its layout, and all steps that they name, and the
// module finds no problem in the edges.
func (p workflowParts) fit(w *object, refs *references, later map[any]bool) bool {
	steps, edges := map[string]bool{}, map[function.Edge]bool{}
	for _, o := range p.steps {
		steps[yamldir.StepName(w.name, o.name)] = true
	}
	for _, o := range p.edges {
		e := function.Edge{Source: o.text("source"), Destination: o.text("destination"), Subtype: o.text("subtype")}
		for _, end := range []*string{&e.Source, &e.Destination} {
			if to := refs.target(w.kind.Name, *end); to != nil && later[to.block()] {
				return false
			}
			switch *end = yamldir.StepName(w.name, *end); *end {
			case yamldir.Start, yamldir.End:
				*end = servicename.Join(servicename.Shared, *end)
			default:
				steps[*end] = true
			}
		}
		if edges[e] || !fitsStep(o, e) {
			return false
		}
		edges[e] = true
	}
	return !steps[""] && fitsLayout(w, refs) &&
		len(function.Problems(slices.Collect(maps.Keys(steps)), slices.Collect(maps.Keys(edges)))) == 0
}

// fitsStep reports whether a step, or start, can have an edge: it has no attributes but its ends and its subtype.
func fitsStep(o *object, e function.Edge) bool {
	for _, a := range o.attributes(plainName) {
		if a.name != kind.RowName && !slices.Contains(o.kind.Place.Attributes, a.name) {
			return false
		}
	}
	return e.Subtype == usualEdge || e.Subtype == failureEdge && e.Source != servicename.Start
}

// fitsLayout reports whether a file can have the layout of a workflow: all that it positions is in files, or exists before.
func fitsLayout(w *object, refs *references) bool {
	attributes, incomplete := refs.found.layout(w, layout.Workflows, refs, map[string]bool{})
	for _, a := range attributes {
		members, _ := a.value.([]member)
		for _, m := range members {
			name := exportmerge.Unquote(string(m.key)) // of a service in a block, a reference, which no file can name
			if a.name == layout.PositionsField && yamldir.StepName(w.name, name) == "" {
				return false
			}
		}
	}
	return len(incomplete) == 0
}
