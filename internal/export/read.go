// This file reads the objects of a server, with the states that imports create.

package export

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

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
	log      func(string)
}

// read reads all objects of the kinds that a selection needs, and of the kinds that the code has. It calls
// log with its progress.
func read(ctx context.Context, p *resources.Provider, s selection, inCode map[string]bool, log func(string)) (*inventory, error) {
	r := &reader{
		Context: ctx, provider: p, log: log,
		inventory: &inventory{kinds: p.Kinds, readKinds: s.reads(p.Kinds, inCode), listed: map[key]bool{}, layouts: map[string]layout.Stored{}},
	}
	for _, scoped := range []bool{true, false} { // services first, to report a misspelt workflow at once
		for _, k := range r.readKinds {
			if scoped != inWorkflows(k) {
				continue
			}
			rows, err := r.list(k)
			if err != nil {
				return nil, err
			}
			if scoped {
				if err := s.checkWorkflows(rows); err != nil {
					return nil, err
				}
			}
			if err := r.readAll(k, rows); err != nil {
				return nil, err
			}
		}
	}
	if s.isAll() {
		if err := r.findOthers(s); err != nil {
			return nil, err
		}
	}
	var err error
	if r.forced, err = p.Client.ForcedReaders(ctx); err != nil {
		return nil, fmt.Errorf("cannot read groups: %w", err)
	}
	if err := r.readLayouts(); err != nil {
		return nil, err
	}
	slices.SortFunc(r.objects, func(x, y *object) int {
		return cmp.Or(strings.Compare(x.kind.Name, y.kind.Name), strings.Compare(x.name, y.name))
	})
	return r.inventory, nil
}

// has reports whether the server has the type of a kind, by its line.
func (r *reader) has(k *kind.Kind) (bool, error) {
	if k.Line == 0 {
		return true, nil
	}
	line, err := r.provider.Client.Line(r)
	return k.OnLine(line), err
}

// list lists the instances of a kind, of which there are none if the server does not have the type.
func (r *reader) list(k *kind.Kind) (rows []value.Object, err error) {
	has, err := r.has(k)
	if err != nil || !has {
		return nil, err
	}
	if rows, err = reading.New(k, r.provider).Rows(r); err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", k.Several(), err)
	}
	for _, row := range rows {
		r.listed[key{k.Namespace, kind.TextIn(row, kind.RowName)}] = true
	}
	return rows, nil
}

// readAll reads the listed instances of a kind, into objects or unread.
func (r *reader) readAll(k *kind.Kind, listed []value.Object) error {
	var rows []value.Object
	byID, byName := map[string]value.Object{}, map[string]value.Object{}
	for _, row := range listed {
		name := kind.TextIn(row, kind.RowName)
		if wrong := wrongName(name); wrong != "" {
			r.unread = append(r.unread, unread{&object{kind: k, name: name, typ: k.Name, id: fmt.Sprint(row[kind.RowID])}, wrong})
			continue
		}
		rows, byID[fmt.Sprint(row[kind.RowID])], byName[name] = append(rows, row), row, row
	}
	if len(rows) == 0 {
		return nil
	}
	r.log(fmt.Sprintf("reading %s: %d", k.Several(), len(rows)))
	all, err := reading.New(k, r.provider).ReadRows(r, rows, func(n int) {
		if n > 0 && n < len(rows) {
			r.log(fmt.Sprintf("reading %s: %d of %d", k.Several(), n, len(rows)))
		}
	})
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", k.Several(), err)
	}
	for _, imported := range all {
		if imported.Err != nil {
			r.unread = append(r.unread, unread{&object{kind: k, name: imported.Name, typ: k.Name, id: fmt.Sprint(byName[imported.Name][kind.RowID])}, "It cannot be read: " + checks.Sentence(imported.Err.Error())})
			continue
		}
		r.objects = append(r.objects, newObject(k, imported, byID[value.Text(imported.State[kind.RowID])]))
	}
	return nil
}

// findOthers adds to unread the instances whose type has no resource of its own. It looks in the namespaces that a kind
// which only one line has shares with other types: that of data, on eNMS 5.
func (r *reader) findOthers(s selection) error {
	found := map[string]bool{}
	for _, k := range r.readKinds {
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
			typ, name := kind.TextIn(row, typeField), kind.TextIn(row, kind.RowName)
			if kind.Named(r.readKinds, typ) != nil || s.match != nil && !s.match.MatchString(name) {
				continue
			}
			r.unread = append(r.unread, unread{&object{kind: k, name: name, typ: typ}, fmt.Sprintf("The type %s has no resource of its own. Write an enms_instance, or enms_instances for many.", typ)})
		}
	}
	return nil
}

// readLayouts reads the layouts.
func (r *reader) readLayouts() (err error) {
	if r.line, err = r.provider.Client.Line(r); err != nil {
		return err
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

// newObject makes an object from an imported instance. row is that of the list, or nil if another instance has its name by
// now.
func newObject(k *kind.Kind, imported reading.Imported, row value.Object) *object {
	o := &object{
		id: value.Text(imported.State[kind.RowID]), row: row,
		kind: k, name: value.Text(imported.State[kind.RowName]), typ: cmp.Or(value.Text(imported.State[k.SubtypeRow()]), k.Name),
		state: imported.State, config: plans.Generated(k.For(imported.State), imported.State),
	}
	for _, d := range imported.Left {
		o.omitted = append(o.omitted, d.Summary()+". "+d.Detail())
	}
	o.takeSecrets()
	return o
}
