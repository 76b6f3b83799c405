// This file puts workflows and shared services into modules, and writes the modules' own files.

package export

import (
	"fmt"
	"maps"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

// chooseModules puts objects into modules: each workflow with everything in it, at any depth, and
// with the tasks that run it; and all shared services. Other objects stay in the root.
func chooseModules(objects []*object) (modules []*module) {
	services, byWorkflow := map[string]*object{}, map[string]*module{}
	for _, o := range objects {
		if inWorkflows(o.kind) {
			services[o.name] = o
		}
	}
	choose := func(workflow string) *module {
		if byWorkflow[workflow] == nil {
			byWorkflow[workflow] = newModule(workflow)
		}
		return byWorkflow[workflow]
	}
	for _, o := range objects {
		if !inWorkflows(o.kind) {
			continue
		}
		container, _ := servicename.Split(o.name)
		switch outermost := outermostOf(o, services); {
		case outermost.isWorkflow():
			o.module = choose(outermost.name)
		case container == servicename.Shared:
			o.module = choose("")
		}
	}
	for _, o := range objects {
		switch {
		case o.kind.Place != nil && services[o.text(o.kind.Place.Container)] != nil:
			o.module = services[o.text(o.kind.Place.Container)].module
		case o.kind.Name == taskType && byWorkflow[o.text(taskService)] != nil && fitsEntry(o):
			o.module, o.passed = byWorkflow[o.text(taskService)], true
		}
	}
	var namings []naming
	for _, workflow := range slices.Sorted(maps.Keys(byWorkflow)) {
		m, short := byWorkflow[workflow], ownName(workflow)
		if m.isShared() {
			short = servicename.Shared
		}
		modules, namings = append(modules, m), append(namings, naming{name: workflow, short: short})
	}
	for i, label := range labels(namings) {
		modules[i].label = label
	}
	return modules
}

// outermostOf returns the outermost exported workflow that an object is in, or the object itself
// if it is in none.
func outermostOf(o *object, services map[string]*object) *object {
	for {
		outer := services[o.container()]
		if outer == nil || !outer.isWorkflow() {
			return o
		}
		o = outer
	}
}

// differing are the types whose instances differ between servers. Relations of workflows to them become
// variables of the modules, even if they are empty on the exported server.
var differing = []string{"device", "pool", "user", "group"}

// withVariables returns the attributes of the workflow of a module. For each relation to a type in
// differing that is not set, it adds a variable.
func (o *object) withVariables(attributes []attribute) []attribute {
	for _, row := range o.kind.Rows() {
		set := slices.ContainsFunc(attributes, func(a attribute) bool { return a.name == row.Name })
		if set || row.Type != kind.Many || !slices.Contains(differing, row.Of) || slices.Contains(o.ignored, row.Name) {
			continue
		}
		attributes = append(attributes, attribute{row.Name, o.module.listInput(input{name: row.Name, description: fmt.Sprintf("%s of %s.", row.Name, o)})})
	}
	return attributes
}

// entryRows returns the attributes that an entry of the module's variable for tasks may have, and their
// Terraform types.
func entryRows(k *kind.Kind) (rows []kind.Attribute, types map[string]source) {
	byType := map[kind.ValueType]source{kind.Text: "string", kind.One: "string", kind.Number: "number", kind.Flag: "bool", kind.Many: "list(string)"}
	types = map[string]source{}
	for _, row := range k.Rows() {
		if typ, plain := byType[row.Type]; plain && row.Role == kind.Field && !row.ReadOnly && !row.DataOnly && row.Name != taskService {
			rows, types[row.Name] = append(rows, row), typ
		}
	}
	return rows, types
}

// fitsEntry reports whether an entry of the module's variable for tasks can have all attributes of a task.
func fitsEntry(o *object) bool {
	rows, _ := entryRows(o.kind)
	for _, a := range o.attributes(plainName) {
		if a.name != kind.RowName && a.name != taskService && !slices.ContainsFunc(rows, func(row kind.Attribute) bool { return row.Name == a.name }) {
			return false
		}
	}
	return true
}

// passTask adds a task to the tasks that the root passes to the module of its workflow.
func passTask(o *object, refs *references) {
	entry := []member{}
	for _, a := range o.attributes(refs.in(o, o.module.depends)) {
		if a.name != kind.RowName && a.name != taskService {
			entry = append(entry, member{objectKey(a.name), a.value})
		}
	}
	o.module.tasks = append(o.module.tasks, member{source(exportmerge.Quote(o.name)), entry})
}

// taskResource returns the kind and the attributes of the resource for the tasks of a module's workflow, and
// adds the variable for the tasks, because these differ between servers. For shared services, the kind is
// nil.
func taskResource(m *module, refs *references) (k *kind.Kind, attributes []attribute) {
	k, w := kind.Named(refs.kinds, taskType), refs.target(workflowType, m.workflow)
	if w == nil {
		return nil, nil
	}
	w.nameInRoot() // adds the output for the workflow, even if the root does not refer to it
	rows, types := entryRows(k)
	attributes = []attribute{{"for_each", source("var." + tasksInput)}, {kind.RowName, source("each.key")}, {taskService, source(w.local() + ".name")}}
	var fields []member
	for _, row := range rows {
		attributes = append(attributes, attribute{row.Name, source("each.value." + row.Name)})
		fields = append(fields, member{objectKey(row.Name), "optional(" + types[row.Name] + ")"})
	}
	m.inputs["\x00tasks"] = &input{
		name: tasksInput, typ: source("map(object(" + objectExpression(fields, step) + "))"), fallback: []member{}, value: m.tasks,
		description: "The tasks that run the workflow, by their names.",
	}
	return k, attributes
}

// call returns the attributes of the module's block in the root, and what report.json says about it.
func (m *module) call() (attributes []attribute, told moduleReport) {
	attributes = []attribute{{"source", "./modules/" + m.label}}
	told = moduleReport{Label: m.label, Workflow: m.workflow, Needed: []string{}, Optional: []string{}}
	for _, i := range m.sorted() {
		if i.needed {
			told.Needed = append(told.Needed, i.name)
		} else {
			told.Optional = append(told.Optional, i.name)
		}
		if i.value != nil {
			attributes = append(attributes, attribute{i.name, i.value})
		}
	}
	return attributes, told
}

// gitAttributes returns the file that keeps git from changing line ends.
func gitAttributes(modules []*module) []byte {
	all := "# The texts of the server: git must not change how their lines end.\ncode/** -text\n*.csv -text\n"
	if len(modules) > 0 {
		all += "modules/*/code/** -text\n"
	}
	return []byte(all)
}
