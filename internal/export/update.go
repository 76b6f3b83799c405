// This file applies changes on the server to the existing code.

package export

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/export/existing"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/layout"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// What to do with code whose object is no longer on the server: the values of -gone.
const (
	goneRemoved = "removed"
	goneDelete  = "delete"
	goneKeep    = "keep"
)

// update compares the code with the server, and makes the edits.
type update struct {
	*matching
	options  options
	exporter *exporter
	fresh    *existing.Directory // the code that a new export would write
	next     *record

	freshScope *existing.Scope
	instances  map[string]*existing.Instance // the instances in the code, by address
	freshOf    map[*object]*existing.Instance
	units      map[recordKey]*unit
	rewriter   *existing.Rewriter
	files      map[string][]byte // changed files; nil for a file that is deleted

	changes []string  // the changes, in words
	left    []finding // what could not be changed
	ahead   []finding // where the code differs from the server, which has not changed
	tries   map[string]bool
}

// unit is an object or a layout, with its entries in the records.
type unit struct {
	key   recordKey    // its key in the new record
	was   recordKey    // its key in the old record
	name  string       // its address in the code
	old   *recordEntry // nil if the last export did not have it
	now   *recordEntry
	known bool // whether there is an old record
}

// attributeTag identifies the attribute that is being rewritten.
type attributeTag struct {
	unit *unit
	key  string
	line int // the index of its entry in changes
}

// changed records a change.
func (u *update) changed(at, format string, args ...any) {
	u.changes = append(u.changes, at+": "+fmt.Sprintf(format, args...))
}

// refused records what could not be changed.
func (u *update) refused(at, what string, wanted any) {
	if wanted != nil {
		what += " The server has " + shown(wanted) + "."
	}
	u.left = append(u.left, finding{at, what})
}

// longestShown is how many characters of a value are shown.
const longestShown = 80

// shown returns a value on one line, for messages.
func shown(x any) string {
	if x == nil {
		return "none"
	}
	document, err := json.Marshal(x)
	text := []rune(string(document))
	lines, isText := x.(string)
	switch {
	case isText && strings.Count(lines, "\n") > 2:
		return fmt.Sprintf("a string of %d lines", strings.Count(strings.TrimRight(lines, "\n"), "\n")+1)
	case err != nil || secretLike.MatchString(fmt.Sprint(x)):
		return "(not shown)"
	case len(text) > longestShown:
		return string(text[:longestShown]) + "..."
	}
	return string(text)
}

// hasChanged reports whether the server has changed an attribute of the unit since the last
// export.
func (t *unit) hasChanged(key string) bool {
	return key == kind.RowName || t.old == nil || t.old.Values[key] != t.now.Values[key]
}

// mayAdd reports whether to add an attribute that is not in the code. If the last export has
// written it, somebody has removed it since.
func (t *unit) mayAdd(key string) bool {
	if t.old == nil {
		return !t.known
	}
	return t.old.Values[key] == ""
}

func (u *update) hasChanged(o *object, key string) bool { return u.unitOf(o).hasChanged(key) }
func (u *update) mayAdd(o *object, key string) bool     { return u.unitOf(o).mayAdd(key) }

// unitOf returns the unit of an object.
func (u *update) unitOf(o *object) *unit {
	key := o.recordKey()
	if u.units[key] == nil {
		was, old := u.recorded(o)
		u.units[key] = &unit{key: key, was: was, old: old, now: u.next.entries[key], known: u.record != nil, name: o.address()}
	}
	return u.units[key]
}

// layoutUnit returns the unit of the layout of a workflow.
func (u *update) layoutUnit(o *object, address string) *unit {
	typ, _, _ := strings.Cut(address, ".")
	key := recordKey{typ, o.name}
	t := &unit{key: key, now: u.next.entries[key], known: u.record != nil, name: address}
	if t.now == nil {
		t.now = &recordEntry{Values: map[string]string{}}
	}
	if u.record != nil {
		before, _ := u.recorded(o)
		t.old = u.record.entries[recordKey{typ, before.name}]
	}
	return t
}

// newUpdate compares code with what an exporter has written.
func newUpdate(m *matching, e *exporter) (*update, error) {
	fresh, err := existing.Parse(e.files, func(name string) ([]byte, error) {
		if content, is := e.files[name]; is {
			return content, nil
		}
		return nil, fmt.Errorf("there is no %s", name)
	})
	if err != nil {
		return nil, err
	}
	u := &update{
		matching: m, options: e.options, exporter: e, fresh: fresh, next: e.record(), instances: map[string]*existing.Instance{},
		freshOf: map[*object]*existing.Instance{}, units: map[recordKey]*unit{}, files: map[string][]byte{}, tries: map[string]bool{},
	}
	u.left = append(u.left, m.unknown...)
	for _, o := range e.objects {
		if o.table == "" {
			m.known[o.address()] = o.values()
		}
	}
	u.scope, u.freshScope = u.code.Scope(m.known), fresh.Scope(m.known)
	u.rewriter = existing.NewRewriter(u.code, u.scope)
	for _, r := range u.code.Resources {
		all, _ := u.scope.Instances(r)
		for _, in := range all {
			u.instances[in.Address()] = in
		}
	}
	u.findFresh()
	return u, nil
}

// findFresh finds the objects in the code that a new export would write.
func (u *update) findFresh() {
	byLabel := map[string]*object{}
	byEdge := map[string]map[string]*object{}
	for _, o := range u.exporter.objects {
		if o.table == "" {
			byLabel[o.address()] = o
		}
	}
	for _, edges := range u.exporter.edges {
		address := edges.kind.TypeName() + "." + edges.label
		byEdge[address] = map[string]*object{}
		for _, o := range edges.objects {
			byEdge[address][edges.keys[o]] = o
		}
	}
	for _, r := range u.fresh.Resources {
		all, _ := u.freshScope.Instances(r)
		for _, in := range all {
			if o := byLabel[r.Address()]; o != nil {
				u.freshOf[o] = in
			} else if o := byEdge[r.Address()][in.Key()]; o != nil {
				u.freshOf[o] = in
			}
		}
	}
}

// compare compares all objects that are in the code.
func (u *update) compare() {
	for _, r := range u.code.Resources {
		all, _ := u.scope.Instances(r)
		for _, in := range all {
			in = u.instances[in.Address()]
			if o := u.objects[in.Address()]; o != nil && u.freshOf[o] != nil {
				u.compareObject(o, in, u.freshOf[o])
			}
			if o := u.layouts[in.Address()]; o != nil {
				u.compareLayout(o, in)
			}
		}
	}
	u.rewriter.Finish()
	refused := map[int]bool{}
	for _, r := range u.rewriter.Refusals {
		tag, is := r.Tag.(attributeTag)
		if !is {
			continue
		}
		refused[tag.line] = true
		u.keepDigest(tag.unit, tag.key)
		u.refused(r.Position+" "+tag.unit.name+" "+tag.key, "It is not changed, because "+r.Why+".", r.Wanted)
	}
	var changes []string
	for n, change := range u.changes {
		if !refused[n] {
			changes = append(changes, change)
		}
	}
	u.changes = changes
	for name, content := range u.rewriter.Texts {
		u.files[name] = content
	}
}

// keepDigest keeps the old digest in the new record, so that the next export detects the change
// again.
func (u *update) keepDigest(t *unit, key string) {
	entry := u.next.entries[t.key]
	switch {
	case key == kind.RowName && t.old != nil:
		delete(u.next.entries, t.key)
		u.next.entries[t.was] = t.old
	case entry == nil:
	case t.old != nil && t.old.Values[key] != "":
		entry.Values[key] = t.old.Values[key]
	default:
		delete(entry.Values, key)
	}
}

// compareObject compares the attributes of an object.
func (u *update) compareObject(o *object, in, from *existing.Instance) {
	t := u.unitOf(o)
	t.name = in.Address()
	var before []string
	for _, name := range u.order(o, from.Resource) {
		place, fresh := u.scope.Place(in, name), u.freshScope.Place(from, name)
		if name == kind.RowProperties && (place.IsObject() || !place.IsWritten()) {
			u.compareProperties(o, t, place, fresh, in, before)
		} else {
			u.compareAttribute(comparison{
				unit: t, key: name, place: place, fresh: fresh, in: in, before: before, same: equality(o.kind, name),
				state: func() (any, bool) { return value.ToJSON(o.state[name]), true }, isDefault: u.isDefault(o, name), remove: place.Remove,
			})
		}
		before = append([]string{name}, before...)
	}
	u.compareArguments(o, in, from)
}

// order returns the attributes of an object to compare, in the order of a new export.
func (u *update) order(o *object, from *existing.Resource) (names []string) {
	rows := map[string]bool{}
	for _, row := range o.kind.Rows() {
		if row.Role == kind.Field && !row.ReadOnly && !row.DataOnly || row.Role == kind.Key {
			rows[row.Name] = true
		}
	}
	for _, name := range from.Names() {
		if rows[name] {
			names = append(names, name)
			delete(rows, name)
		}
	}
	return append(names, slices.Sorted(maps.Keys(rows))...)
}

// isDefault reports whether an attribute has eNMS's default on the server.
func (u *update) isDefault(o *object, name string) bool {
	key, _, _ := strings.Cut(name, ".")
	if key != name {
		return o.field(strings.TrimPrefix(name, key+".")) == nil
	}
	return o.kind.For(o.state).Generated(o.state)[name].IsNull()
}

// equality returns the equality for values of an attribute.
func equality(k *kind.Kind, name string) existing.Equality {
	equal := existing.Equality{Same: value.Equal}
	e := existing.Equality{Same: func(x, y any) bool { return k.Same(name, x, y) }, Of: func(string) existing.Equality { return equal }}
	for _, row := range k.Rows() {
		switch {
		case row.Name != name:
		case row.Type == kind.Many:
			e.Of = nil
		case row.Type == kind.Criteria:
			e.Of = func(property string) existing.Equality { return criterionEquality(k, name, property) }
		}
	}
	return e
}

// criterionEquality is the equality of a criterion, which has defaults.
func criterionEquality(k *kind.Kind, name, property string) existing.Equality {
	return existing.Equality{
		Same: func(x, y any) bool {
			return x != nil && y != nil && k.Same(name, map[string]any{property: x}, map[string]any{property: y})
		},
		Of: func(field string) existing.Equality {
			criterion := func(x any) any {
				if x == nil {
					return map[string]any{property: map[string]any{}}
				}
				return map[string]any{property: map[string]any{field: x}}
			}
			return existing.Equality{Same: func(x, y any) bool { return k.Same(name, criterion(x), criterion(y)) }}
		},
	}
}

// comparison is an attribute or a further field, in the code (place) and in a new export (fresh).
type comparison struct {
	unit         *unit
	key          string // the key of the attribute in the record
	place, fresh existing.Place
	in           *existing.Instance
	before       []string // the attributes after which to add it, nearest first
	same         existing.Equality
	state        func() (x any, known bool) // the value on the server
	isDefault    bool                       // whether that is the default
	remove       func()                     // removes it from the code
}

// compareAttribute compares an attribute, and changes it if the server has changed it.
func (u *update) compareAttribute(c comparison) {
	u.rewriter.Tag = attributeTag{c.unit, c.key, len(u.changes)}
	switch {
	case !c.place.IsWritten() && !c.fresh.IsWritten():
	case c.in.Ignores(c.key) && c.place.IsWritten() && !u.exporterIgnores(c):
	case !c.place.IsWritten():
		u.add(c)
	default:
		u.change(c)
	}
}

// exporterIgnores reports whether a new export ignores changes of the attribute, too. Then it is
// updated nevertheless, with the part that the export contains.
func (u *update) exporterIgnores(c comparison) bool {
	o := u.objects[c.in.Address()]
	root, _, _ := strings.Cut(c.key, ".")
	return o == nil || slices.Contains(o.ignored, root)
}

// add adds an attribute to the code that only the server has.
func (u *update) add(c comparison) {
	if c.in.Ignores(c.key) || !c.unit.mayAdd(c.key) || !c.unit.hasChanged(c.key) {
		return
	}
	x, _ := c.fresh.Value()
	if c.in.Keyed() && !c.place.InEach() {
		entry, is := u.scope.Entry(c.in)
		if !is {
			u.keepDigest(c.unit, c.key)
			u.refused(c.place.Position()+" "+c.unit.name+" "+c.key, "It is not written, because several instances share the block.", x)
			return
		}
		u.needEach(c.in.Resource, c.place.Name)
		c.place = entry.Member(c.place.Name)
	}
	c.place.Add(c.fresh, c.before)
	u.addText(c.fresh)
	u.changed(c.place.Position(), "%s: %s = %s is new", c.unit.name, c.key, shown(x))
}

// change changes the value in the code if it is not that of the server.
func (u *update) change(c comparison) {
	have, known := c.place.Value()
	at := c.place.Position()
	server, knowable := c.state()
	if known && knowable && c.same.Same(have, server) {
		return
	}
	wanted, fresh := c.fresh.Value()
	if c.fresh.IsWritten() {
		server = wanted
		if !fresh || known && c.same.Same(have, wanted) {
			return
		}
	}
	switch {
	case !knowable:
	case !c.unit.hasChanged(c.key):
		if known {
			u.ahead = append(u.ahead, finding{at + " " + c.unit.name + " " + c.key, fmt.Sprintf("The code has %s, and the server %s as at the last export.", shown(have), shown(server))})
		}
	case c.fresh.IsWritten():
		if u.rewriter.Rewrite(c.place, c.fresh, c.same) {
			u.changed(at, "%s: %s = %s, which was %s", c.unit.name, c.key, shown(server), shownOr(have, known))
		}
	case !known, !c.isDefault, !c.place.IsReplaceable():
		u.keepDigest(c.unit, c.key)
		u.refused(at+" "+c.unit.name+" "+c.key, "It is not changed, because a new export does not write it.", server)
	default:
		u.needTry(c)
		c.remove()
		u.changed(at, "%s: %s is removed, as the server has the default; it was %s", c.unit.name, c.key, shown(have))
	}
}

func shownOr(x any, known bool) string {
	if !known {
		return "not known"
	}
	return shown(x)
}

// needEach changes the block of instances so that it reads a member of for_each.
func (u *update) needEach(r *existing.Resource, name string) {
	if r.Attribute(name) == nil && !u.tries[r.Address()+" "+name] {
		u.tries[r.Address()+" "+name] = true
		names := r.Names()
		slices.Reverse(names)
		r.AddAttribute(name+" = try(each.value."+name+", null)", names)
	}
}

// needTry makes a member of for_each optional in the block of instances, because one of them
// loses it.
func (u *update) needTry(c comparison) {
	if c.place.InEach() && c.in.Keyed() {
		u.optional(c.in.Resource, c.place.Name)
	}
}

// optional makes a member of for_each optional in the block of instances.
func (u *update) optional(r *existing.Resource, name string) {
	member, optional, is := r.EachMember(name)
	if is && !optional && !u.tries[r.Address()+" "+name] {
		u.tries[r.Address()+" "+name] = true
		r.SetAttribute(name, "try(each.value."+member+", null)")
	}
}

// addText writes the files that an expression refers to.
func (u *update) addText(from existing.Place) {
	for _, name := range from.FilesNamed() {
		if content, is := u.exporter.files[name]; is {
			u.files[name] = content
		}
	}
}

// compareProperties compares the further fields one by one.
func (u *update) compareProperties(o *object, t *unit, place, fresh existing.Place, in *existing.Instance, before []string) {
	if !place.IsWritten() {
		u.addProperties(t, place, fresh, in, before)
		return
	}
	names, known := place.Members()
	if !known {
		x, _ := fresh.Value()
		u.refused(place.Position()+" "+t.name+" "+kind.RowProperties, "It is not compared, because keys of the object have no value that is known without a plan.", x)
		return
	}
	wanted, _ := fresh.Members()
	state := value.Members(o.state[kind.RowProperties])
	var previous []string
	removed := map[string]bool{}
	for _, name := range append(slices.Clone(wanted), slices.DeleteFunc(names, func(name string) bool { return slices.Contains(wanted, name) })...) {
		u.compareAttribute(comparison{
			unit: t, key: kind.RowProperties + "." + name, place: place.Member(name), fresh: fresh.Member(name), in: in, before: previous,
			same: existing.Equality{Same: func(x, y any) bool { return o.kind.SameField(name, x, y) }},
			state: func() (any, bool) {
				if x, has := state[name]; has {
					return x, true
				}
				return o.kind.FieldDefault(o.typ, name)
			},
			isDefault: state[name] == nil, remove: func() { removed[name] = true },
		})
		previous = append([]string{name}, previous...)
	}
	if len(removed) > 0 {
		place.RemoveMembers(removed)
	}
}

// addProperties adds the further fields of an object that has none in the code.
func (u *update) addProperties(t *unit, place, fresh existing.Place, in *existing.Instance, before []string) {
	names, _ := fresh.Members()
	all := true
	for _, name := range names {
		key := kind.RowProperties + "." + name
		all = all && t.mayAdd(key) && t.hasChanged(key) && !in.Ignores(key)
	}
	if !all || len(names) == 0 {
		return
	}
	u.rewriter.Tag = nil
	x, _ := fresh.Value()
	if in.Keyed() && !place.InEach() {
		u.refused(place.Position()+" "+t.name+" "+kind.RowProperties, "It is not written, because several instances share the block.", x)
		return
	}
	place.Add(fresh, before)
	u.addText(fresh)
	u.changed(place.Position(), "%s: %s = %s is new", t.name, kind.RowProperties, shown(x))
}

// compareArguments adds to ignore_changes and depends_on what a new export has in them and the
// code does not.
func (u *update) compareArguments(o *object, in, from *existing.Instance) {
	if in.Keyed() {
		return
	}
	var ignored, depends []string
	for _, name := range from.Ignored() {
		if !in.Ignores(name) && in.Attribute(name) != nil {
			ignored = append(ignored, name)
		}
	}
	if len(ignored) > 0 {
		in.AddIgnored(ignored)
		u.changed(existing.Position(in.Block.DefRange()), "%s: changes of %s are ignored", in.Address(), strings.Join(ignored, ", "))
	}
	have := in.DependsOn()
	for _, address := range from.DependsOn() {
		if !slices.Contains(have, address) && u.unitOf(o).old != nil {
			depends = append(depends, address)
		}
	}
	if len(depends) > 0 && !slices.Equal(depends, from.DependsOn()) {
		in.AddDependsOn(depends)
		u.changed(existing.Position(in.Block.DefRange()), "%s: depends on %s", in.Address(), strings.Join(depends, ", "))
	}
}

// compareLayout compares the layout of a workflow or network: the positions of its members, and
// its labels.
func (u *update) compareLayout(o *object, in *existing.Instance) {
	t := u.layoutUnit(o, in.Address())
	for _, attribute := range []string{layout.PositionsAttribute, layout.LabelsAttribute} {
		u.compareDrawn(t, attribute, in)
	}
}

// compareDrawn compares an attribute of a layout, member by member.
func (u *update) compareDrawn(t *unit, attribute string, in *existing.Instance) {
	place, fresh := u.scope.Place(in, attribute), existing.Place{}
	if r := u.fresh.Resource(in.Address()); r != nil {
		all, _ := u.freshScope.Instances(r)
		fresh = u.freshScope.Place(all[0], attribute)
	}
	if !place.IsWritten() {
		u.addDrawn(t, place, fresh, in)
		return
	}
	names, known := place.Members()
	if !known {
		u.compareWhole(t, place, fresh)
		return
	}
	var wanted, previous []string
	if fresh.IsWritten() {
		wanted, _ = fresh.Members()
	}
	removed := map[string]bool{}
	for _, name := range append(slices.Clone(wanted), slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(wanted, name) })...) {
		c := comparison{
			unit: t, key: attribute + "." + name, place: place.Member(name), in: in, before: previous, same: existing.Equality{Same: value.Equal},
			state: func() (any, bool) { return nil, true }, isDefault: true,
		}
		if slices.Contains(wanted, name) {
			c.fresh = fresh.Member(name)
		}
		previous = append([]string{name}, previous...)
		switch {
		case c.in.Ignores(attribute):
		case !c.place.IsWritten() && len(names) > 0 && t.mayAdd(c.key) && t.hasChanged(c.key):
			x, _ := c.fresh.Value()
			place.AddMember(c.fresh, c.before)
			u.changed(place.Position(), "%s: %s of %s = %s is new", t.name, attribute, shown(name), shown(x))
		case !c.place.IsWritten():
		case c.fresh.IsWritten():
			u.rewriter.Tag = attributeTag{t, c.key, len(u.changes)}
			u.change(c)
		case t.hasChanged(c.key) && t.old != nil && u.isKept(name):
			u.keepDigest(t, c.key)
		case t.hasChanged(c.key) && t.old != nil:
			removed[name] = true
			u.changed(c.place.Position(), "%s: %s of %s is removed", t.name, attribute, shown(name))
		}
	}
	if len(removed) > 0 {
		place.RemoveMembers(removed)
	}
}

// isKept reports whether the code keeps an object with this name that is no longer on the server.
func (u *update) isKept(name string) bool {
	return u.options.gone == goneKeep && slices.ContainsFunc(slices.Collect(maps.Values(u.goneAs)), func(key recordKey) bool { return key.name == name })
}

// compareWhole reports an attribute of a layout whose members are not known one by one, unless it
// is the same as in a new export.
func (u *update) compareWhole(t *unit, place, fresh existing.Place) {
	have, evaluated := place.Value()
	var wanted any
	if fresh.IsWritten() {
		wanted, _ = fresh.Value()
	}
	if !evaluated || !value.Equal(have, wanted) {
		u.refused(place.Position()+" "+t.name+" "+place.Name, "It is not compared service by service, because it is not written as an object whose keys are known.", nil)
	}
}

// addDrawn adds an attribute of a layout that the code does not have.
func (u *update) addDrawn(t *unit, place, fresh existing.Place, in *existing.Instance) {
	if !fresh.IsWritten() {
		return
	}
	names, _ := fresh.Members()
	for _, name := range names {
		if key := place.Name + "." + name; !t.mayAdd(key) || !t.hasChanged(key) || in.Ignores(place.Name) {
			return
		}
	}
	x, _ := fresh.Value()
	before := in.Names()
	slices.Reverse(before)
	place.Add(fresh, before)
	u.changed(place.Position(), "%s: %s = %s is new", t.name, place.Name, shown(x))
}
