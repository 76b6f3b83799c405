// This file finds the order in which entries are worked on: what frees a name, or an
// instance that another one would be deleted along with, comes before what needs it free;
// what is referred to comes before what refers to it.

package bulk

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// prerequisites are, for each item, those that have to be done before it.
type prerequisites map[*item][]*item

// nextItems returns those of the pending items that can be worked on now: deletions before
// changes before creations, because a database may take two different names for the same.
func (c *collection) nextItems(pending []*item) (ready []*item, blocked prerequisites) {
	blocked = c.prerequisites(pending)
	free := func(is func(i *item) bool) (found []*item) {
		for _, i := range pending {
			if is(i) && len(blocked[i]) == 0 {
				found = append(found, i)
			}
		}
		return found
	}
	if ready = free(func(i *item) bool { return i.removed }); len(ready) > 0 {
		return ready, blocked
	}
	if ready = free(func(i *item) bool { return !i.removed && i.prior != nil }); len(ready) > 0 {
		return ready, blocked
	}
	return free(func(i *item) bool { return !i.removed && i.prior == nil }), blocked
}

// prerequisites finds what has to be done before each of the items.
func (c *collection) prerequisites(items []*item) prerequisites {
	leaves, takes, referred := map[string]*item{}, map[string]*item{}, map[string][]*item{}
	for _, i := range items {
		if i.leavesName() {
			leaves[i.nameBefore()] = i
		}
		if i.takesName() {
			takes[i.nameAfter()] = i
		}
		for _, name := range c.refersTo(i.stateBefore()) {
			referred[name] = append(referred[name], i)
		}
	}
	needs := prerequisites{}
	for _, i := range items {
		add := func(other *item) {
			if other != nil && other != i {
				needs[i] = append(needs[i], other)
			}
		}
		if i.takesName() {
			add(leaves[i.nameAfter()])
		}
		if i.removed {
			for _, other := range referred[i.nameBefore()] {
				if other.removed || !slices.Contains(c.refersTo(other.planned), i.nameBefore()) {
					add(other)
				}
			}
			continue
		}
		for _, name := range c.refersTo(i.planned) {
			add(takes[name])
		}
	}
	return needs
}

// inCircle returns an item that is to be renamed and waits, by way of others, for itself;
// nil when there is none.
func (p prerequisites) inCircle() *item {
	var found *item
	for i := range p {
		if i.leavesName() && !i.removed && p.reaches(i, i, map[*item]bool{}) && (found == nil || i.nameBefore() < found.nameBefore()) {
			found = i
		}
	}
	return found
}

// reaches reports whether an item waits for another one.
func (p prerequisites) reaches(from, to *item, seen map[*item]bool) bool {
	for _, next := range p[from] {
		if next == to {
			return true
		}
		if !seen[next] {
			seen[next] = true
			if p.reaches(next, to, seen) {
				return true
			}
		}
	}
	return false
}

// leavesName reports whether the instance of an item will not have its name any longer.
func (i *item) leavesName() bool {
	return i.prior != nil && (i.removed || i.nameBefore() != i.nameAfter())
}

// takesName reports whether the instance of an item gets a name that it does not have.
func (i *item) takesName() bool {
	return !i.removed && (i.prior == nil || i.nameBefore() != i.nameAfter())
}

// nameBefore returns the name of the item's instance in eNMS; empty when there is none.
func (i *item) nameBefore() string { return value.Text(i.stateBefore()[kind.RowName]) }

// nameAfter returns the name that is planned for the item's instance.
func (i *item) nameAfter() string { return value.Text(i.planned[kind.RowName]) }

// stateBefore returns what the state holds of the item; nil when it is to be created.
func (i *item) stateBefore() kind.Values {
	if i.prior == nil {
		return nil
	}
	return i.prior.state
}

// refersTo returns the names that values refer to, of instances that share a name space
// with those of the collection.
func (c *collection) refersTo(values kind.Values) (names []string) {
	for _, related := range c.kind.NewlyRelated(values, nil) {
		if c.neighbours(related.Type) {
			names = append(names, related.Names...)
		}
	}
	return names
}

// without returns the items but for those that are done.
func without(items []*item, done ...*item) []*item {
	isDone := make(map[*item]bool, len(done))
	for _, i := range done {
		isDone[i] = true
	}
	return slices.DeleteFunc(slices.Clone(items), func(i *item) bool { return isDone[i] })
}
