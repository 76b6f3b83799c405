// This file destroys the resource.

package inventory

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// destroy deletes all instances. A tainted resource that is replaced leaves them to its
// replacement: Terraform marks a resource so whenever one of its entries could not be
// created, which is no reason to delete the others.
func (s *Server) destroy(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest, held kind.Values, kept private) (
	*tfprotov6.ApplyResourceChangeResponse, error) {
	resp := &tfprotov6.ApplyResourceChangeResponse{NewState: req.PlannedState, Private: nil}
	c, diags := s.collectionOf(held)
	entries, _, found := entriesOf(held[attrInstances])
	if diags.Append(found...); diags.HasError() {
		return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PriorState, Private: req.PlannedPrivate, Diagnostics: protocol(diags)}, nil
	}
	if kept.Fresh {
		s.left.leave(c.typ, entries)
		return resp, nil
	}
	items, _ := itemsOf(nil, entries, kept, nil)
	left, records, diags := c.apply(ctx, items).all()
	var err error
	if diags.HasError() {
		held[attrInstances] = instancesOf(left, held[attrInstances])
		resp.Private = private{Records: records}.encode(&diags)
		resp.NewState, err = encode(held)
	}
	resp.Diagnostics = protocol(diags)
	return resp, err
}

// leftovers are the entries that tainted resources leave to their replacements, which
// Terraform creates next.
type leftovers struct {
	mu   sync.Mutex
	sets []leftover
}

// leftover is what one resource leaves.
type leftover struct {
	typ     string
	entries map[string]entry
}

// leave notes entries.
func (l *leftovers) leave(typ string, entries map[string]entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sets = append(l.sets, leftover{typ, entries})
}

// take gives what was left by the resource that has the most names in common with a
// configuration; nothing when none has any.
func (l *leftovers) take(typ string, configured map[string]entry) map[string]entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	best, most := -1, 0
	for i, set := range l.sets {
		common := 0
		for name := range set.entries {
			if _, is := configured[name]; is {
				common++
			}
		}
		if set.typ == typ && common > most {
			best, most = i, common
		}
	}
	if best < 0 {
		return nil
	}
	taken := l.sets[best].entries
	l.sets = append(l.sets[:best:best], l.sets[best+1:]...)
	return taken
}

// takeUp marks the items that a tainted resource has left, and gives those that the
// configuration does not hold any longer.
func takeUp(items []*item, left map[string]entry) (removed []*item) {
	configured := map[string]bool{}
	for _, i := range items {
		configured[i.name] = true
		_, i.left = left[i.name]
	}
	for _, name := range sorted(left) {
		if !configured[name] {
			removed = append(removed, &item{name: name, removed: true, prior: &prior{name: name, entry: left[name]}})
		}
	}
	return removed
}
