// This file reads the objects of a server, with the states that imports create.

package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/layout"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/reading"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// reader reads the objects that a selection needs.
type reader struct {
	context.Context
	*inventory
	provider *resources.Provider
	tell     func(string)

	rows   map[*kind.Kind][]value.Object // the rows that the server has returned, by kind
	wanted map[*kind.Kind]map[string]bool
	done   map[key]bool    // the objects that were read
	opened map[string]bool // the workflows whose content is read, too
}

// read reads the objects that a selection needs, or, if all is set, all objects of the kinds that it
// needs. It calls tell with its progress.
func read(ctx context.Context, p *resources.Provider, s selection, all bool, tell func(string)) (*inventory, error) {
	r := &reader{
		Context: ctx, provider: p, tell: tell, rows: map[*kind.Kind][]value.Object{}, wanted: map[*kind.Kind]map[string]bool{}, done: map[key]bool{}, opened: map[string]bool{},
		inventory: &inventory{kinds: p.Kinds, read: s.reads(p.Kinds), listed: map[key]string{}, layouts: map[string]layout.Stored{}},
	}
	if err := r.listAll(s); err != nil {
		return nil, err
	}
	for _, k := range r.read {
		for _, row := range r.rows[k] {
			if name := textIn(row, kind.RowName); all || !s.isNarrow(k) || inWorkflows(k) && slices.Contains(s.workflows, name) {
				r.want(k, name)
			}
		}
	}
	for {
		for _, k := range r.read {
			if err := r.readWanted(k); err != nil {
				return nil, err
			}
		}
		again, err := r.addMembers()
		if err != nil {
			return nil, err
		}
		if !r.addFollowed(s, s.of(r.inventory)) && !again {
			break
		}
	}
	if err := r.readLayouts(); err != nil {
		return nil, err
	}
	slices.SortFunc(r.objects, func(x, y *object) int {
		return cmp.Or(strings.Compare(x.kind.Name, y.kind.Name), strings.Compare(x.name, y.name))
	})
	return r.inventory, nil
}

// listAll lists the instances of all kinds that a selection needs.
func (r *reader) listAll(s selection) error {
	for _, scoped := range []bool{true, false} { // services first: a workflow may be misspelt
		for _, k := range r.read {
			if scoped != inWorkflows(k) {
				continue
			}
			if err := r.list(k); err != nil {
				return err
			}
			if scoped {
				if err := s.checkWorkflows(r.rows[k]); err != nil {
					return err
				}
			}
		}
	}
	if len(s.types)+len(s.workflows) > 0 {
		return nil
	}
	return r.findOthers(s)
}

// has reports whether the server has the type of a kind.
func (r *reader) has(k *kind.Kind) (bool, error) {
	if k.Line == 0 {
		return true, nil
	}
	line, err := r.provider.Client.Line(r)
	return k.OnLine(line), err
}

// list lists the instances of a kind, of which there are none if the server does not have the type.
func (r *reader) list(k *kind.Kind) error {
	has, err := r.has(k)
	if err != nil || !has {
		return err
	}
	if r.rows[k], err = reading.New(k, r.provider).Rows(r); err != nil {
		return fmt.Errorf("cannot read %s: %w", k.Several(), err)
	}
	r.wanted[k] = map[string]bool{}
	for _, row := range r.rows[k] {
		r.listed[key{k.Namespace, textIn(row, kind.RowName)}] = textIn(row, typeField)
	}
	return nil
}

// findOthers finds the data of eNMS 5 whose type has no resource of its own.
func (r *reader) findOthers(s selection) error {
	found := map[string]bool{}
	for _, k := range r.read {
		has, err := r.has(k)
		if err != nil {
			return err
		}
		if k.Line == 0 || !has || k.Namespace == k.Name || found[k.Namespace] {
			continue
		}
		found[k.Namespace] = true
		rows, err := r.provider.Client.List(r, k.Namespace, nil, nil)
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", k.Namespace, err)
		}
		for _, row := range rows {
			typ, name := textIn(row, typeField), textIn(row, kind.RowName)
			if kind.Named(r.read, typ) != nil || s.match != nil && !s.match.MatchString(name) {
				continue
			}
			r.unread = append(r.unread, unread{&object{kind: k, name: name, typ: typ}, fmt.Sprintf("The type %s has no resource of its own. Write an enms_instance, or enms_instances for many.", typ)})
		}
	}
	return nil
}

// want adds an instance to those that are read next, and reports whether it was not read before.
func (r *reader) want(k *kind.Kind, name string) bool {
	if r.wanted[k] == nil || r.done[key{k.Name, name}] {
		return false
	}
	r.done[key{k.Name, name}], r.wanted[k][name] = true, true
	return true
}

// readWanted reads the wanted instances of a kind.
func (r *reader) readWanted(k *kind.Kind) error {
	var rows []value.Object
	for _, row := range r.rows[k] {
		name := textIn(row, kind.RowName)
		switch wrong := wrongName(name); {
		case !r.wanted[k][name]:
		case wrong != "":
			r.unread = append(r.unread, unread{&object{kind: k, name: name, typ: k.Name}, wrong})
		default:
			rows = append(rows, row)
		}
	}
	r.wanted[k] = map[string]bool{}
	if len(rows) == 0 {
		return nil
	}
	r.tell(fmt.Sprintf("reading %s: %d", k.Several(), len(rows)))
	all, err := reading.New(k, r.provider).ReadRows(r, rows, func(n int) {
		if n > 0 && n < len(rows) {
			r.tell(fmt.Sprintf("reading %s: %d of %d", k.Several(), n, len(rows)))
		}
	})
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", k.Several(), err)
	}
	for _, imported := range all {
		if imported.Err != nil {
			r.unread = append(r.unread, unread{&object{kind: k, name: imported.Name, typ: k.Name}, "It cannot be read: " + checks.Sentence(imported.Err.Error())})
			continue
		}
		r.objects = append(r.objects, newObject(k, imported))
	}
	return nil
}

// addMembers adds what the workflows that were read contain to what is read next, and reports whether
// that is more than was read.
func (r *reader) addMembers() (more bool, err error) {
	for _, o := range r.objects {
		if !o.isWorkflow() || r.opened[o.name] {
			continue
		}
		r.opened[o.name] = true
		for _, k := range r.read {
			var rows []value.Object
			switch {
			case len(r.done) == len(r.listed): // everything was read
			case inWorkflows(k):
				rows, err = r.provider.Client.Related(r, k.Name, k.Scope.Attribute, o.name)
			case k.Within != nil:
				n := slices.IndexFunc(k.Rows(), func(row kind.Attribute) bool { return row.Name == k.Within.Relation })
				rows, err = r.provider.Client.RelatedByID(r, k.Name, k.Rows()[n].IDField, value.Text(o.state[kind.RowID]))
			}
			if err != nil {
				return false, fmt.Errorf("cannot read what is in workflow %q: %w", o.name, err)
			}
			for _, row := range rows {
				more = r.want(k, textIn(row, kind.RowName)) || more
			}
		}
	}
	return more, nil
}

// addFollowed adds the objects to which selected objects refer to what is read next, if the selection
// follows their kinds. It reports whether that is more than was read.
func (r *reader) addFollowed(s selection, selected []*object) (more bool) {
	refs := &references{kinds: r.kinds}
	for _, o := range selected {
		// The function is called for each name to which o refers. The attributes do not matter.
		o.attributes(func(_, of, name string) any {
			for _, k := range r.read {
				_, is := r.listed[key{k.Namespace, name}]
				if is && k.Namespace == refs.namespace(of) && s.follows(k) {
					more = r.want(k, name) || more
				}
			}
			return name
		})
	}
	return more
}

// readLayouts reads the layouts, and which workflows contain the built-in services.
func (r *reader) readLayouts() (err error) {
	if r.line, err = r.provider.Client.Line(r); err != nil {
		return err
	}
	for _, k := range r.read {
		if !inWorkflows(k) {
			continue
		}
		if err := r.readMembers(k); err != nil {
			return fmt.Errorf("cannot read what is in workflows: %w", err)
		}
	}
	for _, b := range layout.Builders {
		if !r.isRead(b.Of()) {
			continue
		}
		held, err := b.ReadStored(r, r.provider.Client)
		if err != nil {
			return fmt.Errorf("cannot read the layouts of %ss: %w", b.Of(), err)
		}
		r.layouts[b.Of()] = held
	}
	return nil
}

// newObject makes an object from an imported instance.
func newObject(k *kind.Kind, imported reading.Imported) *object {
	o := &object{
		kind: k, name: value.Text(imported.State[kind.RowName]), typ: cmp.Or(value.Text(imported.State[k.SubtypeRow()]), k.Name),
		state: imported.State, config: plans.Generated(k.For(imported.State), imported.State),
	}
	for _, d := range imported.Left {
		o.left = append(o.left, d.Summary()+". "+d.Detail())
	}
	o.takeSecrets()
	return o
}

// readMembers reads which workflows contain the built-in instances of a kind.
func (r *reader) readMembers(k *kind.Kind) error {
	r.members = map[string][]string{}
	for _, name := range slices.Concat(k.BuiltIn, k.BuiltIn4) {
		if !k.IsBuiltIn(name, r.line) {
			continue
		}
		service, err := r.provider.Client.Get(r, k.Name, name)
		if errors.Is(err, enms.ErrNotFound) || errors.Is(err, enms.ErrForbidden) {
			continue
		}
		if err != nil {
			return err
		}
		names, _ := service[k.Scope.Attribute].([]any)
		for _, workflow := range names {
			if text, is := workflow.(string); is {
				r.members[name] = append(r.members[name], text)
			}
		}
	}
	return nil
}
