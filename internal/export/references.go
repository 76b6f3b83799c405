// This file converts names to references to the blocks of the named objects.

package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// index finds objects by their names.
type index struct {
	kinds   []*kind.Kind
	objects map[key]*object
}

// newIndex returns the index of objects.
func newIndex(kinds []*kind.Kind, objects []*object) index {
	i := index{kinds: kinds, objects: map[key]*object{}}
	for _, o := range objects {
		i.objects[o.key()] = o
	}
	return i
}

// namespace returns the namespace of a type.
func (i index) namespace(typ string) string {
	return kind.Named(i.kinds, typ).Namespace
}

// target returns the object with a type and a name, or nil if the index does not have it.
func (i index) target(typ, name string) *object { return i.objects[key{i.namespace(typ), name}] }

// isBuiltIn reports whether every server of a line has an instance with a type and a name.
func (i index) isBuiltIn(typ, name string, line int) bool {
	namespace := i.namespace(typ)
	return slices.ContainsFunc(i.kinds, func(k *kind.Kind) bool {
		return k.Namespace == namespace && k.IsBuiltIn(name, line)
	})
}

// references converts names to references to exported objects.
type references struct {
	index
	leftOut map[key]bool // the objects that the export leaves out
	found   *inventory
	broken  map[arrow]bool
	turned  map[string]bool // broken references that the other side writes, by address, attribute and name
	report  *report
}

// newReferences returns the references between exported objects, whose labels are known.
func newReferences(exported index, objects []*object, left map[key]bool, found *inventory, r *report) *references {
	refs := &references{index: exported, leftOut: left, found: found, report: r, turned: map[string]bool{}}
	refs.broken = brokenArrows(refs.arrows(objects))
	for _, o := range objects {
		refs.turn(o)
	}
	return refs
}

// turn replaces each reference of an object o that would close a circle: the other object refers to o instead, in the
// mirrored attribute of the relation. Only relations between objects of the same kind, such as networks in networks, are
// turned around.
func (r *references) turn(o *object) {
	for _, row := range o.kind.Rows() {
		other := slices.IndexFunc(o.kind.Rows(), func(a kind.Attribute) bool { return a.Mirrored && a.Of == o.kind.Name && a.Inverse == row.Name })
		if other < 0 {
			continue
		}
		mirrored := o.kind.Rows()[other].Name
		for _, name := range value.Names(o.config[row.Name]) {
			to := r.target(row.Of, name)
			if to == nil || to == o || to.kind != o.kind || !r.broken[arrow{o.address(), to.address()}] {
				continue
			}
			members, _ := value.ToJSON(to.config[mirrored]).([]any)
			to.config[mirrored], _ = value.NameSet(append(members, o.name)) // they are strings
			to.ignore(mirrored)                                             // other objects write members of it, too
			r.turned[o.address()+" "+row.Name+" "+name] = true
		}
	}
}

// arrows returns the references between the blocks of objects, by their addresses.
func (r *references) arrows(objects []*object) map[string][]string {
	all := map[string][]string{}
	for _, o := range objects {
		from := o.address()
		if _, is := all[from]; !is { // a block without references is in the map, too
			all[from] = nil
		}
		o.attributes(func(_, typ, name string) any {
			if to := r.target(typ, name); to != nil && (to.table == "" || to.table != o.table) {
				all[from] = append(all[from], to.address())
			}
			return name
		})
	}
	return all
}

// in returns the namer for the block of an object. It adds to depends the blocks on which the object
// depends without a reference, and to the report what becomes of each name.
func (r *references) in(o *object, depends map[string]bool) namer {
	return func(attribute, typ, name string) any {
		to := r.target(typ, name)
		switch {
		case r.leftOut[key{r.namespace(typ), name}]:
			o.ignore(attribute)
			r.report.add(&r.report.Omitted, o.place(), fmt.Sprintf("%s does not hold %q, which is left out itself.", attribute, name))
			return nil
		case to == nil:
			if asIs := r.literal(o.place(), attribute, typ, name); asIs || o.writtenIn() == nil {
				return name
			}
			return r.given(o, attribute, typ, name, name)
		case r.broken[arrow{o.address(), to.address()}]:
			return r.brokenName(o, attribute, to)
		case to.table != "" || o.table != "":
			r.report.Names.InTables++
			return r.nameInTable(o, attribute, typ, to, depends)
		}
		r.report.Names.References++
		switch o.writtenIn() {
		case to.writtenIn():
			return source(to.local() + ".name")
		case nil:
			return to.nameInRoot()
		}
		return r.given(o, attribute, typ, name, to.nameInRoot())
	}
}

// nameInTable returns the name of an object, where it or the one that refers to it is in a CSV or YAML file: files
// have no references, and nothing refers to them. So the block with the name depends on the other block, or on its module.
func (r *references) nameInTable(o *object, attribute, typ string, to *object, depends map[string]bool) any {
	on := to.address()
	if in := to.writtenIn(); in != nil {
		on = "module." + in.label
	}
	switch in := o.writtenIn(); {
	case to.table != "" && in != nil:
		in.depends[on] = true
		return r.given(o, attribute, typ, to.name, to.name)
	case to.table != o.table:
		depends[on] = true
	}
	return to.name
}

// given returns the expression in a module for a name that the root module passes to it. For a single name, this is a
// variable. For a member of a list, it is a passedName: joined replaces all of them by one variable for the list. An
// object with the same list as the workflow of the module uses the variable of the workflow. inRoot is the expression
// of the name in the root module.
func (r *references) given(o *object, attribute, typ, name string, inRoot any) any {
	if !o.isList(attribute) {
		return o.module.nameInput(r.namespace(typ), typ, name, inRoot)
	}
	p := passedName{module: o.module, value: inRoot, needed: inWorkflows(o.kind) && attribute == o.kind.Scope.Attribute}
	field := attribute[strings.LastIndex(attribute, ".")+1:] // without "properties."
	p.variable, p.description = o.label+"_"+field, fmt.Sprintf("%s of %s.", field, o)
	if w := r.target(workflowType, o.module.workflow); w != nil && sameNames(o.config[attribute], w.config[attribute]) {
		p.variable, p.description = field, fmt.Sprintf("%s of %s and of its services that have the same.", field, w)
	}
	return p
}

// sameNames reports whether two lists contain the same names.
func sameNames(x, y tftypes.Value) bool {
	xs, ys := slices.Sorted(slices.Values(value.Names(x))), slices.Sorted(slices.Values(value.Names(y)))
	return len(xs) > 0 && slices.Equal(xs, ys)
}

// brokenName returns what is written for a name where a circle is broken: the name itself, or nothing if
// the attribute is a list. Of two objects that name each other, neither could be created first.
func (r *references) brokenName(o *object, attribute string, to *object) any {
	isMember := slices.ContainsFunc(o.kind.Rows(), func(row kind.Attribute) bool { return row.Name == attribute && row.Type == kind.Many })
	if !r.turned[o.address()+" "+attribute+" "+to.name] {
		r.report.Names.InCircles++
		r.report.Circles = append(r.report.Circles, circle{At: o.address(), Attribute: attribute, To: to.address(), Name: to.name, LeftOut: isMember})
		if !isMember {
			return to.name
		}
	}
	o.ignore(attribute)
	return nil
}

// literal adds a name that is not a reference to the report. asIs reports whether another server gets the same name:
// because every server has an instance with it, or because not even this one has.
func (r *references) literal(at, attribute, typ, name string) (asIs bool) {
	if r.isBuiltIn(typ, name, r.found.line) {
		r.report.Names.BuiltIn++
		if !r.isBuiltIn(typ, name, 5) {
			r.report.add(&r.report.Expected, at, fmt.Sprintf("%s names the %s %q, which every eNMS 4 has: an eNMS 5 needs one.", attribute, typ, name))
		}
		return true
	}
	if !r.found.mayHide && r.found.isWhole(r.namespace(typ)) && !r.found.listed[key{r.namespace(typ), name}] {
		r.report.Names.Nowhere++
		r.report.add(&r.report.Kept, at, fmt.Sprintf("%s names the %s %q, which does not exist.", attribute, typ, name))
		return true
	}
	r.report.Names.NotExported++
	r.report.add(&r.report.Expected, at, fmt.Sprintf("%s names the %s %q, which is not exported: the server must have it.", attribute, typ, name))
	return false
}

// ignore adds an attribute to ignore_changes: on the exported server the attribute contains more, which
// Terraform must not change.
func (o *object) ignore(attribute string) {
	attribute, _, _ = strings.Cut(attribute, ".")
	if !slices.Contains(o.ignored, attribute) {
		o.ignored = append(o.ignored, attribute)
	}
}

// completeOneSided completes relations that generated configuration contains on one side alone: that a user is in a group is
// in users of the group, not in groups of the user. If the group is not exported, its name is written in groups of the user,
// the mirrored attribute.
func completeOneSided(objects []*object, exported index) {
	for _, o := range objects {
		for _, row := range o.kind.Rows() {
			if !row.Mirrored {
				continue
			}
			names := value.Names(o.state[row.Name])
			others := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return exported.target(row.Of, name) != nil })
			if len(others) == 0 {
				continue
			}
			o.config[row.Name], _ = value.NameSet(anyOf(others)) // they are strings
			if len(others) < len(names) {
				o.ignore(row.Name)
			}
		}
	}
}

// anyOf returns strings as JSON values.
func anyOf(names []string) (list []any) {
	for _, name := range names {
		list = append(list, name)
	}
	return list
}
