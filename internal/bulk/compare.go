// This file compares what is configured with what the state holds, entry by entry, and
// plans what differs.

package bulk

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// prior is what the state holds of an entry. What follows from the entry and its record
// is filled in where it is needed.
type prior struct {
	name   string // the key in the state
	entry  entry
	record record

	config kind.Values // what the entry says
	state  kind.Values
	kept   lifecycle.Record
}

// item is an entry that is configured, or in the state, or both.
type item struct {
	name    string
	entry   entry       // as it is configured
	removed bool        // the configuration has no such entry
	prior   *prior      // nil when it is to be created
	config  kind.Values // nil when it is to be removed, and when the entry is written as it was
	planned kind.Values // nil like config
	differs bool        // the configuration says something else than the state
}

// fill fills in what follows from the entry and its record.
func (c *collection) fill(p *prior) *prior {
	p.config, _ = c.configOf(p.name, p.entry) // what another actor renamed has another name there
	p.state = c.kind.EntryState(p.config, p.record.ID, p.record.Rest)
	if renamed := value.Text(p.entry[kind.RowName]); renamed != "" {
		p.state[kind.RowName] = p.entry[kind.RowName]
	}
	p.state[kind.RowName] = tftypes.NewValue(tftypes.String, c.instances.NameNow(value.Text(p.state[kind.RowName])))
	p.kept = p.record.keptOf(c.kind, p.config, p.state)
	return p
}

// itemsOf matches the entries of the configuration with those of the state.
func itemsOf(configured, held map[string]entry, kept private, renames map[string]string) (items []*item, diags diag.Diagnostics) {
	from, diags := renamed(configured, held, undone(renames, kept.Renamed))
	renamedAway := map[string]bool{}
	for _, key := range from {
		renamedAway[key] = true
	}
	for name := range configured {
		i := &item{name: name, entry: configured[name]}
		key, renamed := from[name]
		if !renamed {
			key = name
		}
		if e, has := held[key]; has && (renamed || !renamedAway[key]) {
			i.prior = &prior{name: key, entry: e, record: kept.Records[key]}
		}
		items = append(items, i)
	}
	for name, e := range held {
		if _, stays := configured[name]; !stays && !renamedAway[name] {
			items = append(items, &item{name: name, removed: true, prior: &prior{name: name, entry: e, record: kept.Records[name]}})
		}
	}
	slices.SortFunc(items, func(x, y *item) int { return strings.Compare(x.name, y.name) })
	return items, diags
}

// undone returns the renames that were not applied yet.
func undone(renames, applied map[string]string) map[string]string {
	left := maps.Clone(renames)
	maps.DeleteFunc(left, func(old, to string) bool { return applied[old] == to })
	return left
}

// renamed gives, by the new names, the old names of entries whose key has changed: those
// of renames, and those that have followed another actor, who has renamed the instance.
func renamed(configured, held map[string]entry, renames map[string]string) (from map[string]string, diags diag.Diagnostics) {
	from = followed(configured, held)
	targets := map[string]bool{}
	for old, to := range renames {
		_, is := held[old]
		targets[to] = targets[to] || is || renames[to] != "" // in a chain, what should have got the name may be gone
	}
	for _, old := range sorted(renames) {
		to := renames[old]
		_, oldHeld := held[old]
		_, newHeld := held[to]
		_, oldStays := configured[old]
		_, newWanted := configured[to]
		_, twice := from[to]
		leaves := renames[to] != "" // what has the new name gets another one
		switch {
		case !oldHeld && !(oldStays && !newWanted), oldStays && !targets[old] && newHeld && !leaves:
			// It is done, or was never there.
		case oldStays && !targets[old], newHeld && !leaves, !newWanted, twice && from[to] != old:
			diags.AddAttributeError(path.Root(attrRenames).AtMapKey(old), fmt.Sprintf("Cannot rename %q to %q", old, to),
				"The instances must hold the new name in place of the old one, and no other instance may have it.")
		default:
			from[to] = old
		}
	}
	return from, diags
}

// followed returns the entries whose key has become the name that another actor has given.
func followed(configured, held map[string]entry) map[string]string {
	from := map[string]string{}
	for old, e := range held {
		to := value.Text(e[kind.RowName])
		if to == "" || to == old {
			continue
		}
		_, oldStays := configured[old]
		_, newHeld := held[to]
		if _, newWanted := configured[to]; newWanted && !oldStays && !newHeld {
			from[to] = old
		}
	}
	return from
}

// followScopes puts together the removal of an entry and the addition of one whose name
// the instance has by now: eNMS has renamed it along with another one, in this apply.
func (c *collection) followScopes(items []*item) []*item {
	removed, followed := map[string]*item{}, map[*item]bool{}
	for _, i := range items {
		if i.removed {
			removed[value.Text(c.fill(i.prior).state[kind.RowName])] = i
		}
	}
	for _, i := range items {
		if before := removed[i.name]; before != nil && i.prior == nil {
			i.prior, followed[before] = before.prior, true
		}
	}
	return slices.DeleteFunc(items, func(i *item) bool { return followed[i] })
}

// planItem plans an item, if it says something else than the state.
func (c *collection) planItem(i *item) (diags diag.Diagnostics) {
	if p := i.prior; p != nil && p.name == i.name && sameWords(i.entry, p.entry) && !p.record.pending() {
		return nil
	}
	if i.prior != nil {
		c.fill(i.prior)
		if !i.removed && i.prior.kept.IsGone(i.name) {
			i.prior = nil
		}
	}
	if i.removed || i.entry == nil { // what is not known yet may be anything
		i.differs = true
		return nil
	}
	config, diags := c.configOf(i.name, i.entry)
	i.config = config
	var before, known kind.Values
	var found diag.Diagnostics
	var managed []string
	if i.prior != nil {
		if known, found = c.instances.Known(i.name, i.prior.state, i.prior.kept); known != nil {
			i.prior.state = known
			diags.Append(found...)
		} else {
			before, managed = i.prior.state, i.prior.kept.Managed
		}
	}
	diags.Append(c.kind.CheckSecrets(config, nil)...) // an entry has no secrets, and so no versions of them
	plan := c.kind.NewPlan(config, before, managed, c.now)
	if i.prior == nil && !c.instances.Adopts(config) {
		plan.CheckRequired()
	}
	if len(plan.Replaced()) > 0 {
		plan.Error(plan.Replaced()[0], fmt.Sprintf("%s cannot be changed", plan.Replaced()[0]),
			"Changing it needs a new instance. Remove the entry, apply, and add it again; or use another key.")
	}
	i.planned = plan.Planned()
	i.differs = i.prior == nil || known != nil || i.prior.record.pending() || c.kind.UpdatePayload(config, i.planned, i.prior.state) != nil ||
		!c.kind.SameEntry(config, i.prior.config, i.imported)
	return append(diags, withoutPaths(plan.Diagnostics, diags)...)
}

// withoutPaths leaves out what is said of attributes of which others say something: a value
// that cannot be read is not missing.
func withoutPaths(diags, others diag.Diagnostics) diag.Diagnostics {
	return slices.DeleteFunc(slices.Clone(diags), func(d diag.Diagnostic) bool {
		on, is := d.(diag.DiagnosticWithPath)
		return is && slices.ContainsFunc(others, func(other diag.Diagnostic) bool {
			where, is := other.(diag.DiagnosticWithPath)
			return is && where.Path().Equal(on.Path())
		})
	})
}

// imported reports whether a member of the state's entry came with an import: it is not
// managed, so that it may stay in the state.
func (i *item) imported(member string) bool {
	managed := i.prior.kept.Managed
	return !slices.Contains(managed, member) && !slices.Contains(managed, kind.RowProperties+"."+member)
}
