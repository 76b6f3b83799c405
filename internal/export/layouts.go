// This file writes layouts: the positions of the services in a workflow and of the nodes in a network, and the
// labels of workflows. A layout is not an instance of eNMS, so no table lists its attributes.

package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/layout"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// builderOf returns the Builder of eNMS in which an object is drawn. is is false unless it is a workflow or a network.
func builderOf(o *object) (b layout.Builder, is bool) {
	n := slices.IndexFunc(layout.Builders, func(b layout.Builder) bool { return b.Of() == o.typ })
	if n < 0 {
		return b, false
	}
	return layout.Builders[n], true
}

// layout returns the attributes of the layout of a workflow or network, or nil if it has neither
// positions nor labels. incomplete are attributes that have more on this server than in the block, which leaves out what
// a new workflow or network would not have.
func (i *inventory) layout(o *object, b layout.Builder, refs *references, depends map[string]bool) (attributes []attribute, incomplete []string) {
	// It stands for the block of the layout. Nothing refers to that, so it is in no circle.
	block := &object{kind: o.kind, name: o.name, typ: o.typ, module: o.module, layout: o.module.prefix() + b.TypeName() + "." + o.label}
	if o.hasSteps() {
		block.table = o.table
	}
	stored, names := i.layouts[b.Of()], refs.in(block, depends)
	attributes = []attribute{{b.Of(), names(b.Of(), b.Of(), o.name)}}
	if positions := i.positions(block, o, b, names, refs); len(positions) > 0 {
		attributes = append(attributes, attribute{layout.PositionsField, positions})
	}
	if labels := labelsIn(stored, o.name); len(labels) > 0 {
		attributes = append(attributes, attribute{layout.LabelsField, labels})
	}
	if unusable := stored.Unusable(o.name); unusable > 0 {
		refs.report.add(&refs.report.Omitted, o.place(), fmt.Sprintf("%d labels have no text or no place.", unusable))
	}
	if len(attributes) == 1 {
		return nil, nil
	}
	return attributes, block.ignored
}

// positions returns the positions in the layout of a workflow or network, by references to the members. The attribute is
// ignored in the block of the layout if a member is left out.
func (i *inventory) positions(block, o *object, b layout.Builder, names namer, refs *references) (all []member) {
	typ, _ := b.Members()
	for _, name := range i.membersOf(o, b) {
		at := i.layouts[b.Of()].Position(name, o.name)
		if at == nil {
			continue
		}
		isBuiltIn := refs.isBuiltIn(typ, name, i.line)
		if isBuiltIn && !inEvery(refs.kinds, o.name, name) && !relate.HoldsMember(o.kind, o.config, name) {
			refs.report.add(&refs.report.Omitted, o.place(), fmt.Sprintf("The %s holds %q, which a new %s does not.", b.Of(), name, b.Of()))
			block.ignore(layout.PositionsField)
			continue
		}
		switch key := names(layout.PositionsField, typ, name).(type) {
		case source:
			all = append(all, member{"(" + key + ")", membersOfFields(at)})
		case string:
			all = append(all, member{source(exportmerge.Quote(key)), membersOfFields(at)})
		}
	}
	return all
}

// labelsIn returns the labels of a workflow.
func labelsIn(stored layout.Stored, workflow string) (all []member) {
	keys, fields := stored.Labels(workflow)
	for _, key := range keys {
		all = append(all, member{objectKey(key), membersOfFields(fields[key])})
	}
	return all
}

// membersOfFields converts attributes to members of an object.
func membersOfFields(fields []layout.Field) (all []member) {
	for _, f := range fields {
		all = append(all, member{objectKey(f.Name), f.Value})
	}
	return all
}

// membersOf returns the names of the objects that may be drawn in a workflow or network.
func (i *inventory) membersOf(container *object, b layout.Builder) (names []string) {
	_, relation := b.Members()
	// Exported objects with a relation to the workflow, such as services.
	for _, o := range i.objects {
		if slices.Contains(value.Names(o.state[relation]), container.name) {
			names = append(names, o.name)
		}
	}
	// Objects in a relation of the network, such as its nodes.
	for _, row := range container.kind.Rows() {
		if row.Inverse == relation {
			names = append(names, value.Names(container.config[row.Name])...)
		}
	}
	// Built-in services such as Start, which are not exported.
	if inWorkflows(container.kind) {
		for _, b := range container.kind.BuiltIn {
			if container.kind.IsBuiltIn(b.Name, i.line) {
				names = append(names, b.Name)
			}
		}
	}
	slices.SortFunc(names, strings.Compare)
	return slices.Compact(names)
}

// inEvery reports whether every new workflow contains a service.
func inEvery(kinds []*kind.Kind, workflow, service string) bool {
	return slices.ContainsFunc(kinds, func(k *kind.Kind) bool {
		if k.Place == nil {
			return false
		}
		is, known := k.Place.Named(workflow, service)
		return is && known
	})
}
