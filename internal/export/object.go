// This file declares an object of the server, and returns its attributes by the table of its kind.

package export

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// object is an instance of the server that becomes a block.
type object struct {
	kind            *kind.Kind
	name            string
	typ             string // the type of the instance, such as "gateway"
	id              string
	row             value.Object // the row of the instance in the list of its kind
	state           kind.Values  // the state that an import creates
	config          kind.Values  // its configuration, with the names of other objects and without references
	returnedSecrets []string     // properties that are secrets and that eNMS returns
	omitted         []string     // values that are left out because no configuration may contain them, in words

	label   string   // the label of its block
	table   string   // the address of the block that contains the object, if it has no block of its own
	stepOf  *object  // the workflow whose YAML file has the service or the edge; a workflow with steps itself
	layout  string   // the address of a layout, if this object stands for that layout
	module  *module  // the module with the block; nil for the root
	texts   string   // the path with which the names of its files begin; "" if it has none
	passed  bool     // whether it is an entry of a variable, which the root passes to its module
	ignored []string // attributes of which the server may have more than the block

	match, layoutMatch *exportmerge.Object // the object, and its layout, as exportmerge knows it
}

// key identifies an object on the server.
type key struct{ namespace, name string }

func (o *object) key() key { return key{o.kind.Namespace, o.name} }

// address returns the address of the block that holds the object.
func (o *object) address() string {
	if at := cmp.Or(o.table, o.layout); at != "" {
		return at
	}
	return o.module.prefix() + o.local()
}

// yamlModule is the address of the call of the module that reads YAML files.
const yamlModule = "module.enms"

// inYAML reports whether the object is in a file of the directory.
func (o *object) inYAML() bool { return o.table == yamlModule }

// hasSteps reports whether the object is a workflow whose YAML file has its steps, edges and layout.
func (o *object) hasSteps() bool { return o.stepOf == o }

// place returns where the object is written, for reports: its block, or, of a YAML file, its type and its name.
func (o *object) place() string {
	if o.inYAML() {
		return o.String()
	}
	return o.address()
}

// local returns the address of the block in its module.
func (o *object) local() string { return o.kind.TypeName() + "." + o.label }

// nameInRoot returns the expression for the object's name in the root module. If the object is in another
// module, that gets an output for the name.
func (o *object) nameInRoot() any {
	switch {
	case o.module == nil:
		return source(o.local() + ".name")
	case o.passed:
		return o.name
	}
	output := o.kind.Name + "_" + o.label
	if o.name == o.module.workflow {
		output = workflowOutput
	}
	o.module.outputs[output] = source(o.local() + ".name")
	return source(o.module.prefix() + output)
}

// writtenIn returns the module in which the attributes of the object are written, or nil for the root.
func (o *object) writtenIn() *module {
	if o.passed {
		return nil
	}
	return o.module
}

// String returns the type and the name of the object, for reports.
func (o *object) String() string { return cmp.Or(o.typ, o.kind.Name) + " " + o.name }

// naming returns the parts of the object's label.
func (o *object) naming() naming {
	short := o.name
	if inWorkflows(o.kind) {
		short = ownName(o.name)
	}
	return naming{name: o.name, short: short, qualifier: ownName(o.container())}
}

// attribute is an attribute of a block.
type attribute struct {
	name  string
	value any // a value for the function expression
}

// namer returns the value to write for the name of an object of a type, in an attribute: a
// reference, or the name itself, or nil to leave it out.
type namer func(attribute, typ, name string) any

// attributes returns the attributes of the object's block, except for secrets, in the order in which the
// page of its resource lists them.
func (o *object) attributes(names namer) (all []attribute) {
	for _, row := range o.kind.Rows() {
		v := o.config[row.Name]
		if v.IsNull() { // an import leaves nothing unknown
			continue
		}
		x := value.ToJSON(v)
		switch {
		case row.Role == kind.Key:
			x = o.scopedName(names)
		case row.Of != "":
			x = related(row.Name, row.Of, x, names)
		case row.Type == kind.Properties:
			x = o.properties(x, names)
		case row.Type == kind.Criteria:
			x = withoutNull(x)
		}
		if x != nil {
			all = append(all, attribute{row.Name, x})
		}
	}
	return all
}

// scopedName returns the expression for the name of the object. If the name begins with that of a
// workflow or store, that part is a reference.
func (o *object) scopedName(names namer) any {
	scope := o.kind.Scope
	if scope == nil {
		return o.name
	}
	container, own := scope.Split(o.name)
	if o.container() == "" || scope.Join(container, own) != o.name {
		return o.name
	}
	reference, is := names(kind.RowName, scope.Type, container).(source)
	if !is {
		return o.name
	}
	before, after, _ := strings.Cut(scope.Join("\x00", own), "\x00") // what is around the name of the container
	return source(strings.TrimSuffix(exportmerge.Quote(before), `"`) + "${" + string(reference) + "}" + strings.TrimPrefix(exportmerge.Quote(after), `"`))
}

// related returns the value of a relation, with references in place of names, or nil if all of them are left out.
func related(attribute, typ string, x any, names namer) any {
	switch x := x.(type) {
	case string:
		if x == "" {
			return x
		}
		return names(attribute, typ, x)
	case []any:
		members := []any{}
		for _, name := range x {
			text, is := name.(string)
			if !is {
				members = append(members, name)
			} else if named := names(attribute, typ, text); named != nil {
				members = append(members, named)
			}
		}
		if len(members) == 0 && len(x) > 0 {
			return nil
		}
		return joined(members)
	}
	return x
}

// properties returns the value of the properties, with references in place of names.
func (o *object) properties(x any, names namer) any {
	fields, is := x.(map[string]any)
	if !is {
		return x
	}
	for _, row := range o.propertyRows() {
		v, has := fields[row.Name]
		switch members, _ := v.(map[string]any); {
		case !has:
		case row.Of != "":
			fields[row.Name] = related(kind.RowProperties+"."+row.Name, row.Of, v, names)
		case row.KeysOf != "" && members != nil:
			fields[row.Name] = keyed(row, members, names)
		}
	}
	return fields
}

// keyed returns an object whose keys are names, with references in place of the names. Names that are left out
// are missing in it.
func keyed(row kind.Attribute, members map[string]any, names namer) []member {
	all := []member{}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		switch key := names(kind.RowProperties+"."+row.Name, row.KeysOf, name).(type) {
		case source:
			all = append(all, member{"(" + key + ")", members[name]})
		case string:
			all = append(all, member{objectKey(name), members[name]})
		}
	}
	return all
}

// propertyRows returns the rows of properties of the object's type.
func (o *object) propertyRows() []kind.Attribute {
	rows := slices.Clone(o.kind.Properties)
	for _, table := range o.kind.Subtypes {
		if table.Name == o.typ {
			rows = append(rows, table.Fields...)
		}
	}
	return rows
}

// isList reports whether an attribute of the object, or a property, is a list of names.
func (o *object) isList(attribute string) bool {
	rows := o.kind.Rows()
	if field, is := strings.CutPrefix(attribute, kind.RowProperties+"."); is {
		rows, attribute = o.propertyRows(), field
	}
	return slices.ContainsFunc(rows, func(row kind.Attribute) bool { return row.Name == attribute && row.Type == kind.Many })
}

// withoutNull removes null values from the members of an object of objects.
func withoutNull(x any) any {
	members, is := x.(map[string]any)
	if !is {
		return x
	}
	for _, member := range members {
		if fields, is := member.(map[string]any); is {
			for name, x := range fields {
				if x == nil {
					delete(fields, name)
				}
			}
		}
	}
	return members
}

// text returns a string of the configuration, or "" if it is not set.
func (o *object) text(attribute string) string { return value.Text(o.config[attribute]) }

// field returns a property as JSON, or nil if it is not set.
func (o *object) field(name string) any { return value.Members(o.config[kind.RowProperties])[name] }

// workflowType is the type that contains services and edges.
const workflowType = "workflow"

// inWorkflows reports whether the instances of a kind are what workflows contain.
func inWorkflows(k *kind.Kind) bool { return k.Scope != nil && k.Scope.Type == workflowType }

// container returns the workflow or store that the object is in, both by the beginning of its name and by its
// relation. It returns "" if there is none.
func (o *object) container() string {
	scope := o.kind.Scope
	if scope == nil {
		return ""
	}
	container, _ := scope.Split(o.name)
	if container == value.Text(o.state[scope.Attribute]) || slices.Contains(value.Names(o.config[scope.Attribute]), container) {
		return container
	}
	return ""
}

// isWorkflow reports whether the object may contain others.
func (o *object) isWorkflow() bool { return inWorkflows(o.kind) && o.typ == o.kind.Scope.Type }

// ownName returns the name of a service without the name of its workflow in brackets.
func ownName(name string) string {
	_, own := servicename.Split(name)
	return own
}

// workflowNamed returns the workflow with a name among objects, or nil.
func workflowNamed(objects []*object, name string) *object {
	for _, o := range objects {
		if o.isWorkflow() && o.name == name {
			return o
		}
	}
	return nil
}

// withDepends adds depends_on for the blocks in depends.
func withDepends(attributes []attribute, depends map[string]bool) []attribute {
	if len(depends) == 0 {
		return attributes
	}
	var on []any
	for _, address := range slices.Sorted(maps.Keys(depends)) {
		on = append(on, source(address))
	}
	return append(attributes, attribute{"depends_on", on})
}
