// This file selects the objects that are exported.

package export

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// A task runs a service.
const (
	taskType    = "task"
	taskService = "service"
)

// followAll follows references to objects of every kind.
const followAll = "all"

// selection says which objects are exported.
type selection struct {
	types     []string       // the kinds; empty for all kinds, unless workflows has any
	match     *regexp.Regexp // of the names; it does not apply to what workflows and follow select
	workflows []string       // workflows to export with their content
	follow    []string       // the kinds of referenced objects that are exported as well
	modules   bool           // a module for each workflow; the tasks that run the workflows are exported, too
}

// isAll reports whether objects of every kind are exported.
func (s selection) isAll() bool { return len(s.types)+len(s.workflows) == 0 }

// check returns an error if the selection is invalid.
func (s selection) check(kinds []*kind.Kind) error {
	var known []string
	for _, k := range kinds {
		if k.AnyType == nil {
			known = append(known, k.Name)
		}
	}
	for option, types := range map[string][]string{"-type": s.types, "-follow": s.follow} {
		for _, typ := range types {
			if !slices.Contains(known, typ) && (option != "-follow" || typ != followAll) {
				return fmt.Errorf("%s %s: there is no such type. The types are %s", option, typ, strings.Join(known, ", "))
			}
		}
	}
	return nil
}

// follows reports whether referenced objects of a kind are exported as well.
func (s selection) follows(k *kind.Kind) bool {
	return slices.Contains(s.follow, k.Name) || slices.Contains(s.follow, followAll)
}

// reads returns the kinds that have to be read: those that may be selected, and those that the code has.
func (s selection) reads(kinds []*kind.Kind, inCode map[string]bool) (read []*kind.Kind) {
	for _, k := range kinds {
		ofWorkflows := len(s.workflows) > 0 && (inWorkflows(k) || k.Place != nil)
		if k.AnyType == nil && (s.isAll() || ofWorkflows || slices.Contains(s.types, k.Name) || s.follows(k) || s.modules && k.Name == taskType || inCode[k.Name]) {
			read = append(read, k)
		}
	}
	return read
}

// checkWorkflows returns an error if one of the workflows does not exist. rows are all services.
func (s selection) checkWorkflows(rows []value.Object) error {
	var names []string
	for _, row := range rows {
		if kind.TextIn(row, typeField) == workflowType {
			names = append(names, kind.TextIn(row, kind.RowName))
		}
	}
	for _, name := range s.workflows {
		if slices.Contains(names, name) {
			continue
		}
		near := checks.Nearest(name, names)
		if near == "" {
			return fmt.Errorf("-workflow %q: there is no workflow of that name. Write the full name, as in \"[Outer] Inner\"", name)
		}
		return fmt.Errorf("-workflow %q: there is no workflow of that name. Did you mean %q?", name, near)
	}
	return nil
}

// selected returns the selected objects of an inventory.
func (s selection) selected(i *inventory) []*object {
	selected := map[*object]bool{}
	s.selectWorkflows(i, selected)
	for _, o := range i.objects {
		runs := s.modules && o.kind.Name == taskType && slices.Contains(s.workflows, o.text(taskService))
		if runs || (s.isAll() || slices.Contains(s.types, o.kind.Name)) && (s.match == nil || s.match.MatchString(o.name)) {
			selected[o] = true
		}
	}
	s.addFollowed(i, selected)
	return slices.DeleteFunc(slices.Clone(i.objects), func(o *object) bool { return !selected[o] })
}

// selectWorkflows selects the named workflows, and everything in them at any depth.
func (s selection) selectWorkflows(i *inventory, selected map[*object]bool) {
	inside := map[string]bool{}
	for _, name := range s.workflows {
		inside[name] = true
	}
	for grown := len(inside) > 0; grown; {
		grown = false
		for _, o := range i.objects {
			if selected[o] || !o.isIn(inside) {
				continue
			}
			selected[o], grown = true, true
			if o.isWorkflow() {
				inside[o.name] = true
			}
		}
	}
}

// isIn reports whether the object is one of the workflows, or is in one of them.
func (o *object) isIn(workflows map[string]bool) bool {
	switch {
	case o.kind.Place != nil:
		return workflows[o.text(o.kind.Place.Container)]
	case !inWorkflows(o.kind):
		return false
	}
	return o.isWorkflow() && workflows[o.name] ||
		slices.ContainsFunc(value.Names(o.config[o.kind.Scope.Attribute]), func(name string) bool { return workflows[name] })
}

// addFollowed selects objects to which selected objects refer, if their kind is followed.
func (s selection) addFollowed(i *inventory, selected map[*object]bool) {
	all := newIndex(i.kinds, i.objects)
	for grown := len(s.follow) > 0; grown; {
		grown = false
		for _, o := range i.objects {
			if !selected[o] {
				continue
			}
			o.attributes(func(_, typ, name string) any {
				if to := all.target(typ, name); to != nil && !selected[to] && s.follows(to.kind) {
					selected[to], grown = true, true
				}
				return name
			})
		}
	}
}
