// This file makes the files of an export from the objects that were read.

package export

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/identify"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/layout"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

// newExporter returns an exporter of an inventory. m says where its objects are in the code; it is nil for a
// new directory.
func newExporter(found *inventory, o options, m *exportmerge.Matching, log func(string)) *exporter {
	return &exporter{
		found: found, options: o, log: log, decided: newDecided(found, m),
		report: &report{Provider: o.version, Admin: !found.mayHide, Objects: map[string]int{}}, layouts: map[*object]string{},
		files: map[string][]byte{}, blocks: map[string]*configuration{}, imports: newConfiguration(),
	}
}

// exporter makes the files of objects.
type exporter struct {
	found   *inventory
	options options
	report  *report
	log     func(string)
	decided *decided

	objects []*object // the objects that are written
	refs    *references
	edges   []*edgeBlock
	tables  []*table
	layouts map[*object]string // the addresses of layouts
	modules []*module
	blocks  map[string]*configuration // by file name
	imports configuration
	files   map[string][]byte // the result
}

// write makes all files.
func (e *exporter) write(selected []*object) error {
	objects, left := leaveOut(selected, e.found.unread, e.found.kinds, e.report)
	e.objects = objects
	exported := newIndex(e.found.kinds, objects)
	completeOneSided(objects, exported)
	leaveOutForced(objects, e.found.forced)
	if e.options.selection.modules {
		e.modules = chooseModules(objects)
		for _, m := range e.modules {
			m.label = e.decided.module(m.workflow, m.label)
		}
	}
	e.chooseInventory(objects, exported, left)
	e.setLabels(objects)
	e.refs = newReferences(exported, objects, left, e.found, e.report)
	bases := e.decided.textBases(objects)
	named := namedInCode(objects)
	for _, o := range objects {
		e.report.Objects[o.kind.Name]++
		e.report.examine(o, named)
	}
	for _, t := range e.tables {
		content, attributes := t.write(e.refs)
		e.files[t.path()] = content
		for _, column := range t.emptied() {
			e.report.add(&e.report.Kept, t.path(), fmt.Sprintf("An empty cell sets nothing: another server gives %s its own default.", column))
		}
		typ, label, _ := strings.Cut(t.address(), ".")
		e.file(e.fileOf(t.objects[0])).resource(typ, label, attributes, nil)
		e.addImport(t.address(), t.importID())
	}
	if slices.ContainsFunc(objects, (*object).inYAML) {
		e.writeYAML(yamlOf(objects, e.refs, e.decided.Matching))
	}
	for _, o := range e.inOrder(objects) {
		switch {
		case o.passed:
			passTask(o, e.refs)
			e.addImport(o.address(), identify.ImportID(o.kind, o.name))
		case o.table == "" && !o.sharesBlock():
			e.writeObject(o, bases[o])
		}
	}
	for _, b := range e.edges {
		e.writeEdges(b)
	}
	for _, o := range objects {
		if b, is := builderOf(o); is && !o.hasSteps() {
			e.writeLayout(o, b)
		}
	}
	return e.finish()
}

// chooseInventory puts devices and links into CSV files if that is requested or if there are many, or all objects that
// can be there into YAML files. In existing code, it only adds to the files that the code has, or to new ones on request.
func (e *exporter) chooseInventory(objects []*object, exported index, left map[key]bool) {
	if e.decided.hasCode {
		e.tables = e.decided.fill(objects, e.options.inventory)
		return
	}
	count := 0
	for _, o := range objects {
		if slices.Contains(inventoryKinds, o.kind.Name) {
			count++
		}
	}
	switch {
	case e.options.inventory == inventoryBlocks:
		return
	case e.options.inventory == inventoryYAML:
		chooseYAML(objects, exported, left, e.found)
		return
	case e.options.inventory == "" && count < csvFrom:
		return
	case e.options.inventory == "":
		e.log(fmt.Sprintf("%d devices and links: they are written as CSV files; -inventory blocks writes a block for each", count))
	}
	e.tables = tables(objects)
}

// writeYAML writes the files of a directory of YAML, and the blocks that read and import them.
func (e *exporter) writeYAML(y *yamlFiles) {
	maps.Copy(e.files, y.files)
	e.file(yamlFile).block("module", []string{strings.TrimPrefix(yamlModule, "module.")}, y.call)
	for _, i := range y.imports {
		e.addImport(i.address, i.id)
	}
}

// setLabels sets the labels of the blocks, and groups the edges into blocks.
func (e *exporter) setLabels(objects []*object) {
	type scope struct { // a part of the code within which labels must be unique
		module *module
		kind   string
	}
	byKind := map[scope][]*object{}
	for _, o := range objects {
		if o.passed {
			o.label = e.decided.tasksLabel(o.module) + "[" + exportmerge.Quote(o.name) + "]"
		} else if !o.sharesBlock() {
			in := scope{o.module, o.kind.Name}
			byKind[in] = append(byKind[in], o)
		}
	}
	for in, all := range byKind {
		var namings []naming
		for _, o := range all {
			n := o.naming()
			if o.module != nil && o.container() != "" && o.container() != o.module.workflow {
				n.short = n.qualifier + " " + n.short // so that it differs from that of a service of the workflow itself
			}
			namings = append(namings, n)
		}
		e.decided.label(in.module.prefix()+all[0].kind.TypeName(), all, namings, labels(namings))
	}
	e.edges = edgesOf(objects, e.decided)
	e.labelEdges(objects)
}

// labelEdges sets the labels of blocks of edges, and of the edges in them: a new block has the label of its workflow.
func (e *exporter) labelEdges(objects []*object) {
	byType := map[string][]*edgeBlock{}
	for _, b := range e.edges {
		byType[b.typeAddress()] = append(byType[b.typeAddress()], b)
	}
	for typ, blocks := range byType {
		var namings []naming
		for _, b := range blocks {
			short := ownName(b.workflow)
			if w := workflowNamed(objects, b.workflow); w != nil {
				short = w.label
			}
			namings = append(namings, naming{name: b.workflow, short: short})
		}
		for i, label := range labels(namings) {
			b := blocks[i]
			if isNew := b.label == ""; isNew {
				b.label = e.decided.free(typ, namings[i], label)
			}
			for _, o := range b.objects {
				o.label = b.label + "[" + exportmerge.Quote(b.keys[o]) + "]"
			}
		}
	}
}

// fileOf returns the name of the file for an object. Services are in that of their workflow.
func (e *exporter) fileOf(o *object) string {
	switch {
	case o.module != nil && (o.module.workflow == o.name || o.module.isShared()):
		return o.module.dir() + fileMain
	case o.isWorkflow():
		return o.module.dir() + "workflow_" + o.label + ".tf"
	case inWorkflows(o.kind):
		if to := e.refs.target(o.kind.Scope.Type, o.container()); to != nil && to.isWorkflow() {
			return e.fileOf(to)
		}
		if container, _ := servicename.Split(o.name); container == servicename.Shared {
			return fileShared
		}
	case o.kind.Name == "user", o.kind.Name == "group":
		return fileAccess
	}
	return o.module.dir() + o.kind.Plural() + ".tf"
}

// file returns the configuration with a file name, which is new if there is none.
func (e *exporter) file(name string) *configuration {
	if e.blocks[name] == nil {
		c := newConfiguration()
		e.blocks[name] = &c
	}
	return e.blocks[name]
}

// inOrder returns the objects in the order of their blocks in a file: by kind, and among services workflows first, then
// services in the order in which they run.
func (e *exporter) inOrder(objects []*object) []*object {
	place := map[string]int{}
	for _, b := range e.edges {
		for name, n := range b.order() {
			if workflow, _ := servicename.Split(name); workflow == b.workflow {
				place[name] = n
			}
		}
	}
	last := len(objects) + 1
	rank := func(o *object) int {
		switch {
		case o.isWorkflow():
			return 0
		case inWorkflows(o.kind) && place[o.name] > 0:
			return place[o.name]
		}
		return last
	}
	ordered := slices.Clone(objects)
	slices.SortStableFunc(ordered, func(x, y *object) int {
		if x.kind != y.kind {
			return strings.Compare(x.kind.Name, y.kind.Name)
		}
		return rank(x) - rank(y)
	})
	return ordered
}

// writeObject writes the block of an object, its import block, and its files, whose names begin with base.
func (e *exporter) writeObject(o *object, base string) {
	depends := map[string]bool{}
	attributes := o.attributes(e.refs.in(o, depends))
	for name, content := range textFiles(o, attributes, base) {
		e.files[o.module.dir()+name] = content
		o.texts = base
	}
	if o.module != nil && o.module.workflow == o.name {
		attributes = o.withVariables(attributes)
	}
	secrets, variables := o.secrets(e.decided.Matching)
	e.report.Secrets = append(e.report.Secrets, variables...)
	attributes = withDepends(append(attributes, secrets...), depends)
	e.file(e.fileOf(o)).resource(o.kind.TypeName(), o.label, attributes, o.ignored)
	e.addImport(o.address(), identify.ImportID(o.kind, o.name))
}

// writeEdges writes the block of the edges of a workflow.
func (e *exporter) writeEdges(b *edgeBlock) {
	depends := map[string]bool{}
	attributes := withDepends(b.attributes(e.refs, depends), depends)
	var ignored []string
	for _, o := range b.objects {
		ignored = append(ignored, o.ignored...)
	}
	slices.Sort(ignored)
	file := b.kind.Plural() + ".tf"
	if w := e.refs.target(workflowType, b.workflow); w != nil && w.isWorkflow() {
		file = e.fileOf(w)
	}
	e.file(file).resource(b.kind.TypeName(), b.label, attributes, slices.Compact(ignored))
	for _, o := range b.objects {
		e.addImport(o.address(), identify.ImportID(o.kind, o.name))
	}
}

// writeLayout writes the block of the layout of a workflow or network, if it has one.
func (e *exporter) writeLayout(o *object, b layout.Builder) {
	depends := map[string]bool{}
	attributes, incomplete := e.found.layout(o, b, e.refs, depends)
	if attributes == nil {
		return
	}
	label := e.decided.layout(o, b.TypeName())
	e.layouts[o] = o.module.prefix() + b.TypeName() + "." + label
	e.file(e.fileOf(o)).resource(b.TypeName(), label, withDepends(attributes, depends), incomplete)
	e.addImport(e.layouts[o], o.name)
}

// addImport writes an import block.
func (e *exporter) addImport(address string, id any) {
	e.imports.block("import", nil, []attribute{{"to", source(address)}, {"id", id}})
}

// writeModules writes the files of modules that contain no objects, such as variables and outputs, and
// the calls of the modules in the root.
func (e *exporter) writeModules() {
	for _, m := range e.modules {
		if k, attributes := taskResource(m, e.refs); k != nil {
			e.file(m.dir()+k.Plural()+".tf").resource(k.TypeName(), tasksInput, attributes, nil)
		}
		call, told := m.call()
		e.file(fileMain).block("module", []string{m.label}, withDepends(call, m.depends))
		e.report.Modules = append(e.report.Modules, told)
		if inputs := m.sorted(); len(inputs) > 0 {
			variables(e.file(m.dir()+fileVariables), inputs)
		}
		hasSecrets := slices.ContainsFunc(m.sorted(), func(i *input) bool { return i.ephemeral })
		needs := forImports
		if hasSecrets {
			needs = forSecrets
		}
		e.blocks[m.dir()+fileVersions] = versions(e.options.version, needs, false)
		for _, name := range slices.Sorted(maps.Keys(m.outputs)) {
			e.file(m.dir()+fileOutputs).block("output", []string{name}, []attribute{{"value", m.outputs[name]}})
		}
	}
}

// finish makes the files that depend on all objects: those of modules, the versions and variables of the
// root, and the files about the export, such as report.json and README.md.
func (e *exporter) finish() error {
	e.writeModules()
	hasYAML, needs := slices.ContainsFunc(e.objects, (*object).inYAML), forImports
	switch {
	case len(e.report.Secrets) > 0:
		needs = forSecrets
	case hasYAML:
		needs = forYAML
	}
	e.blocks[fileVersions] = versions(e.options.version, needs, len(e.edges)+len(e.modules) > 0 || hasYAML)
	e.blocks[fileVersions].comment("The address, the user and the password come from ENMS_BASE_URL, ENMS_USERNAME and\nENMS_PASSWORD.")
	e.blocks[fileVersions].add("provider", []string{"enms"}, nil)
	if len(e.report.Secrets) > 0 {
		e.blocks[fileVariables] = secretVariables(e.report.Secrets)
	}
	if len(e.imports.Body().Blocks()) > 0 {
		e.blocks[fileImports] = &e.imports
	}
	for name, c := range e.blocks {
		e.files[name] = c.content()
		if name != fileImports {
			e.report.Lines += bytes.Count(e.files[name], []byte("\n"))
		}
	}
	e.files[fileGit] = gitAttributes(e.modules)
	if hasYAML {
		e.files[fileGit] = append(e.files[fileGit], yamlDirectory+"/*/code/** -text\n"...)
	}
	e.files[fileReadme] = e.report.readme(slices.Sorted(maps.Keys(e.files)), diagrams(e.objects))
	document, err := e.report.document()
	e.files[fileReport] = document
	return err
}
