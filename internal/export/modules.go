// This file puts workflows and shared services into modules, and writes what makes a directory
// a module.

package export

import (
	"maps"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

// chooseModules puts objects into modules: workflows, each with what is in it at any depth and
// with the tasks that run it, and all shared services. All others stay in the root.
func (e *exporter) chooseModules(objects []*object) {
	if !e.options.modules {
		return
	}
	services, byWorkflow := map[string]*object{}, map[string]*module{}
	for _, o := range objects {
		if o.kind.Scope != nil {
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
		if o.kind.Scope == nil {
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
		case o.kind.Within != nil && services[o.text(o.kind.Within.Relation)] != nil:
			o.module = services[o.text(o.kind.Within.Relation)].module
		case o.kind.Name == taskType && o.table == "" && byWorkflow[o.text(taskService)] != nil && fitsEntry(o):
			o.module, o.passed, o.label = byWorkflow[o.text(taskService)], true, tasksInput+"["+quoted(o.name)+"]"
		}
	}
	var namings []naming
	for _, workflow := range slices.Sorted(maps.Keys(byWorkflow)) {
		e.modules = append(e.modules, byWorkflow[workflow])
		short := ownName(workflow)
		if workflow == "" {
			short = servicename.Shared
		}
		namings = append(namings, naming{name: workflow, short: short})
	}
	for i, label := range labels(namings) {
		e.modules[i].label = label
	}
}

// outermostOf returns the workflow that an object is in and that is in no other that is
// exported, the object itself when it is in none.
func outermostOf(o *object, services map[string]*object) *object {
	for {
		outer := services[o.container()]
		if outer == nil || !outer.isWorkflow() {
			return o
		}
		o = outer
	}
}

// entryRows returns the rows of tasks that an entry of the variable of a module may have, each
// with its type in Terraform.
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

// fitsEntry reports whether an entry of the variable of a module holds all of a task.
func fitsEntry(o *object) bool {
	rows, _ := entryRows(o.kind)
	for _, a := range o.attributes(func(_, _, name string) any { return name }) {
		if a.name != kind.RowName && a.name != taskService && !slices.ContainsFunc(rows, func(row kind.Attribute) bool { return row.Name == a.name }) {
			return false
		}
	}
	return true
}

// writeTask writes a task as an entry that the root passes to the module of its workflow.
func (e *exporter) writeTask(o *object) {
	entry := []member{}
	for _, a := range o.attributes(e.refs.in(o, o.module.depends)) {
		if a.name != kind.RowName && a.name != taskService {
			entry = append(entry, member{objectKey(a.name), a.value})
		}
	}
	o.module.tasks = append(o.module.tasks, member{source(quoted(o.name)), entry})
	e.addImport(o.address(), o.kind.ImportID(o.name))
}

// writeModules writes the files of modules that do not hold objects, and the calls of the
// modules in the root.
func (e *exporter) writeModules() {
	for _, m := range e.modules {
		e.writeTasks(m)
		e.writeCall(m)
		secrets := false
		for _, i := range m.sorted() {
			secrets = secrets || i.ephemeral
			attributes := []attribute{{"type", i.typ}}
			if !i.needed {
				attributes = append(attributes, attribute{"default", i.fallback})
			}
			if i.ephemeral {
				attributes = append(attributes, attribute{"ephemeral", true})
			}
			e.named(m.dir()+fileVariables).block("variable", []string{i.name}, append(attributes, attribute{"description", source(quoted(i.description))}))
		}
		e.blocks[m.dir()+fileVersions] = versions(e.options.version, secrets)
		for _, name := range slices.Sorted(maps.Keys(m.outputs)) {
			e.named(m.dir()+fileOutputs).block("output", []string{name}, []attribute{{"value", m.outputs[name]}})
		}
	}
}

// writeTasks writes the resource for the tasks of a workflow. Which there are differs between
// servers.
func (e *exporter) writeTasks(m *module) {
	k, w := kind.Named(e.found.kinds, taskType), e.refs.target(workflowType, m.workflow)
	if k == nil || w == nil {
		return
	}
	w.outside() // The module returns its workflow, whether the root refers to it or not.
	rows, types := entryRows(k)
	attributes := []attribute{{"for_each", source("var." + tasksInput)}, {kind.RowName, source("each.key")}, {taskService, source(w.local() + ".name")}}
	var fields []member
	for _, row := range rows {
		attributes = append(attributes, attribute{row.Name, source("each.value." + row.Name)})
		fields = append(fields, member{objectKey(row.Name), "optional(" + types[row.Name] + ")"})
	}
	e.named(m.dir()+"tasks.tf").resource(k.TypeName(), tasksInput, attributes, nil)
	m.inputs["\x00tasks"] = &input{
		name: tasksInput, typ: source("map(object(" + objectExpression(fields, step) + "))"), fallback: []member{}, value: m.tasks,
		description: "The tasks that run the workflow, by their names.",
	}
}

// writeCall writes the call of a module with the values of the exported server.
func (e *exporter) writeCall(m *module) {
	attributes := []attribute{{"source", "./modules/" + m.label}}
	told := moduleReport{Label: m.label, Workflow: m.workflow, Needed: []string{}, Optional: []string{}}
	for _, i := range m.sorted() {
		if i.needed {
			told.Needed = append(told.Needed, i.name)
		} else {
			told.Optional = append(told.Optional, i.name)
		}
		attributes = append(attributes, attribute{i.name, i.value})
	}
	e.report.Modules = append(e.report.Modules, told)
	e.named(fileMain).block("module", []string{m.label}, withDepends(attributes, m.depends))
}

// gitAttributes returns the file by which git leaves texts as they are.
func (e *exporter) gitAttributes() []byte {
	all := "# The texts of the server: git must not change how their lines end.\ncode/** -text\n*.csv -text\n"
	if len(e.modules) > 0 {
		all += "modules/*/code/** -text\n"
	}
	return []byte(all)
}
