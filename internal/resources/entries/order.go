// This file orders the work on entries that refer to each other, or give up names that others take.

package entries

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
)

// prerequisites holds, for each item, the items that have to be done before it.
type prerequisites map[*item][]*item

// free returns the pending items without prerequisites, of the first stage that has any.
func (p prerequisites) free(pending []*item) []*item {
	var at [stages][]*item
	for _, i := range pending {
		if len(p[i]) == 0 {
			at[i.stage()] = append(at[i.stage()], i)
		}
	}
	for _, items := range at {
		if len(items) > 0 {
			return items
		}
	}
	return nil
}

// prerequisites returns which of the items have to be done before each of them: the one that gives up the name that it
// takes; before a deletion, those that refer to the instance only until the apply; otherwise, those that get the
// names to which it refers.
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
				if !slices.Contains(c.refersTo(other.planned), i.nameBefore()) { // removed, or changed
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

// inCircle returns an item that is to be renamed and waits for itself, directly or through
// others, or nil if there is none.
func (p prerequisites) inCircle() *item {
	var found *item
	for i := range p {
		if i.leavesName() && !i.removed && p.reaches(i, i, map[*item]bool{}) && (found == nil || i.nameBefore() < found.nameBefore()) {
			found = i
		}
	}
	return found
}

// reaches reports whether an item waits for another one, directly or through others that are not in visited.
func (p prerequisites) reaches(from, to *item, visited map[*item]bool) bool {
	for _, next := range p[from] {
		if next == to {
			return true
		}
		if !visited[next] {
			visited[next] = true
			if p.reaches(next, to, visited) {
				return true
			}
		}
	}
	return false
}

// refersTo returns the names that values refer to, in relations to types that share a namespace
// with the collection.
func (c *collection) refersTo(values kind.Values) (names []string) {
	for _, related := range relate.NewlyRelated(c.kind, values, nil) {
		if kind.Named(c.kinds, related.Type).Namespace == c.kind.Namespace {
			names = append(names, related.Names...)
		}
	}
	return names
}

// without returns the items except for those that are done.
func without(items []*item, done ...*item) []*item {
	isDone := make(map[*item]bool, len(done))
	for _, i := range done {
		isDone[i] = true
	}
	return slices.DeleteFunc(slices.Clone(items), func(i *item) bool { return isDone[i] })
}
