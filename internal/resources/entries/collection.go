// This file declares the resource and its entries. It compares the configuration with the state,
// entry by entry, and plans those that differ.

package entries

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/many"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/instance"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Server serves the resource.
type Server struct {
	kinds    []*kind.Kind
	provider func() *resources.Provider // nil while Terraform validates
}

// New returns the resource for the kinds. provider returns the configured provider.
func New(kinds []*kind.Kind, provider func() *resources.Provider) *Server {
	return &Server{kinds: kinds, provider: provider}
}

// collection holds the instances of one resource.
type collection struct {
	kinds     []*kind.Kind // those of the provider
	kind      *kind.Kind   // that of the type
	typ       string
	instances *instance.Instances
	settings  kind.Values  // adopt_existing and deletion_policy
	defaults  kind.Values  // those of the provider block
	members   value.Object // the defaults as members of entries
	now       time.Time
}

// collectionOf returns the collection that a configuration or a state describes. It returns nil while the type is
// unknown, nil with an error if there is none, and the collection with an error if the type is invalid.
func (s *Server) collectionOf(values kind.Values) (c *collection, diags diag.Diagnostics) {
	if !values[attrType].IsKnown() {
		return nil, nil
	}
	typ := value.Text(values[attrType])
	if typ == "" {
		diags.AddAttributeError(path.Root(attrType), "Missing type",
			`type is null or empty. Set the type of all instances, such as type = "device".`)
		return nil, diags
	}
	c = &collection{kinds: s.kinds, kind: kind.Named(s.kinds, typ), typ: typ, now: time.Now(), settings: kind.Values{
		kind.RowAdoptExisting: values[kind.RowAdoptExisting], kind.RowDeletionPolicy: values[kind.RowDeletionPolicy]}}
	c.instances = instance.NewEntries(c.kind, s.provider())
	c.defaults = c.instances.Defaults()
	c.members = membersOf(c.defaults)
	return c, c.checkType()
}

// checkType refuses what is no type, and types that must not be managed.
func (c *collection) checkType() (found diag.Diagnostics) {
	if strings.ContainsFunc(c.typ, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		found.AddAttributeError(path.Root(attrType), "Invalid type", fmt.Sprintf("%q is not a type. Types are in lower case, as in the path /rest/instance/<type>.", c.typ))
		return found
	}
	// The plan of any instance shows an error about the type.
	config, _ := c.configOf("any", entry{})
	for _, d := range plans.New(c.kind, config, nil, nil, c.now).Diagnostics {
		if on, is := d.(diag.DiagnosticWithPath); is && on.Path().Equal(path.Root(c.kind.SubtypeRow())) && d.Severity() == diag.SeverityError {
			found.AddAttributeError(path.Root(attrType), d.Summary(), d.Detail())
		}
	}
	return found
}

// configOf returns the configuration of an instance that an entry and the settings of the resource describe.
func (c *collection) configOf(name string, e entry) (kind.Values, diag.Diagnostics) {
	config, diags := many.Config(c.kind, c.typ, name, e)
	for _, setting := range []string{kind.RowAdoptExisting, kind.RowDeletionPolicy} {
		config[setting] = c.settings[setting]
	}
	return config, diags
}

// derive sets the fields config, state and instance, which follow from the entry and its record, and
// returns p. The state has the name that the instance has now.
func (c *collection) derive(p *priorEntry) *priorEntry {
	config, _ := c.configOf(p.name, p.entry) // it was valid when it was stored
	p.config, p.state = config, many.State(c.kind, config, p.record.ID, p.record.Rest)
	name := cmp.Or(value.Text(p.entry[kind.RowName]), value.Text(p.state[kind.RowName])) // the entry has a name if somebody else has renamed the instance
	p.state[kind.RowName] = tftypes.NewValue(tftypes.String, c.instances.NameNow(name))
	p.instance = p.record.instanceOf(c.kind, p.config, p.state)
	return p
}

// itemsOf matches the entries of the configuration with those of the state, by their keys. An entry whose key has
// changed, as renamed finds out, is one item with the entry of its old key.
func (c *collection) itemsOf(configured, prior map[string]entry, private privateState, renames map[string]string) (items []*item, diags diag.Diagnostics) {
	from, diags := renamed(configured, prior, undone(renames, private.Renamed))
	renamedAway := map[string]bool{}
	for _, key := range from {
		renamedAway[key] = true
	}
	for name := range configured {
		i := &item{name: name, entry: configured[name]}
		key, isRenamed := from[name]
		if !isRenamed {
			key = name
		}
		if e, has := prior[key]; has && (isRenamed || !renamedAway[key]) {
			i.prior = private.prior(key, e)
		}
		items = append(items, i)
	}
	left := maps.Clone(prior)
	maps.DeleteFunc(left, func(name string, _ entry) bool { _, stays := configured[name]; return stays || renamedAway[name] })
	items = append(items, removedItems(left, private)...)
	slices.SortFunc(items, func(x, y *item) int { return strings.Compare(x.name, y.name) })
	return items, diags
}

// removedItems returns the items of entries that are removed.
func removedItems(entries map[string]entry, private privateState) (items []*item) {
	for _, name := range sorted(entries) {
		items = append(items, &item{name: name, removed: true, prior: private.prior(name, entries[name])})
	}
	return items
}

// undone returns the renames that were not applied yet.
func undone(renames, applied map[string]string) map[string]string {
	left := maps.Clone(renames)
	maps.DeleteFunc(left, func(old, to string) bool { return applied[old] == to })
	return left
}

// renamed returns the old keys of entries whose key has changed, by their new keys. A key changes by an
// entry of renames, or because the configuration now uses the name that somebody else gave the instance.
func renamed(configured, prior map[string]entry, renames map[string]string) (from map[string]string, diags diag.Diagnostics) {
	has := func(entries map[string]entry, key string) bool { _, is := entries[key]; return is }
	from = followed(configured, prior)
	targets := map[string]bool{} // the keys that renames give: of two in a chain, the second gives its old one up
	for _, to := range renames {
		targets[to] = true
	}
	for _, old := range sorted(renames) {
		to := renames[old]
		oldWanted, newWanted := has(configured, old), has(configured, to)
		other, isFollowed := from[to]
		taken := isFollowed && other != old                    // another entry gets the new key
		keepsOld := oldWanted && !targets[old] && other != old // the entry keeps its key: no other one gets that
		keepsNew := has(prior, to) && renames[to] == ""        // the entry that has the new key keeps it
		switch {
		case !has(prior, old) && (!oldWanted || newWanted), keepsOld && keepsNew:
			continue // the rename was done before, or there was no entry with the old key
		case taken && !oldWanted && renames[other] != to:
			diags.AddAttributeError(path.Root(attrRenames).AtMapKey(old), fmt.Sprintf("Cannot rename %q to %q", old, to),
				fmt.Sprintf("eNMS has this name for another instance of this resource, %q, which somebody renamed. First apply a configuration with the key %q in place of %q, which deletes that instance; then rename.", other, old, to))
		case keepsOld, keepsNew, !newWanted, taken:
			diags.AddAttributeError(path.Root(attrRenames).AtMapKey(old), fmt.Sprintf("Cannot rename %q to %q", old, to),
				"The instances must hold the new name in place of the old one, and no other instance may have it.")
		default:
			maps.DeleteFunc(from, func(_, followed string) bool { return followed == old })
			from[to] = old
		}
	}
	return from, diags
}

// followed returns, by their new keys, the old keys of entries whose instance somebody else has renamed, and that the
// configuration now has under that name. Keys that the state has, too, are followed only if the entry that had them has
// moved on: of an exchange of names, only renames can tell what the keys mean.
func followed(configured, prior map[string]entry) map[string]string {
	renamed := map[string]string{} // old keys by the names that eNMS has now
	for old, e := range prior {
		if name := value.Text(e[kind.RowName]); name != "" && name != old {
			renamed[name] = old
		}
	}
	from := map[string]string{}
	for name := range configured {
		if _, has := prior[name]; has {
			continue
		}
		for isKey, old := true, renamed[name]; isKey && old != ""; old = renamed[name] {
			from[name] = old
			name = old
			_, isKey = configured[name]
		}
	}
	return from
}

// followScopes joins a removed entry and a new one into one item if the instance of the removed entry
// now has the name of the new one: eNMS has renamed it with its workflow, in this apply.
func (c *collection) followScopes(items []*item) []*item {
	removed, followed := map[string]*item{}, map[*item]bool{}
	for _, i := range items {
		if i.removed {
			removed[value.Text(c.derive(i.prior).state[kind.RowName])] = i
		}
	}
	for _, i := range items {
		if before := removed[i.name]; before != nil && i.prior == nil {
			i.prior, followed[before] = before.prior, true
		}
	}
	return slices.DeleteFunc(items, func(i *item) bool { return followed[i] })
}

// planItem adds the provider's defaults to the entry of an item, and then sets config, planned and differs. An item whose
// entry is as in the state is not planned: differs stays false.
func (c *collection) planItem(ctx context.Context, i *item) (diags diag.Diagnostics) {
	c.addDefaults(i)
	if c.isUnchanged(i) {
		return nil
	}
	if i.prior != nil {
		c.derive(i.prior) // sets what follows from its entry and record
	}
	if i.entry == nil { // it is removed, or unknown, which may be anything
		i.differs = true
		return nil
	}
	i.config, diags = c.configToPlan(ctx, i)
	var managed []string
	if i.prior != nil {
		managed = i.prior.instance.Managed
	}
	plan := plans.New(c.kind, i.config, i.stateBefore(), managed, c.now)
	if i.prior == nil && c.instances.Provider.MayAdopt(i.config) {
		plans.SetDefaultsUnknown(plan)
	}
	i.planned = plan.Planned
	i.differs = i.prior == nil || c.needsApply(i)
	return append(diags, withoutRepeated(c.planFindings(plan, i), diags)...)
}

// configToPlan returns the configuration from which an item is planned: that of its entry, with the resets of removed
// defaults and with what eNMS forces.
func (c *collection) configToPlan(ctx context.Context, i *item) (config kind.Values, diags diag.Diagnostics) {
	config, diags = c.configOf(i.name, i.entry)
	if i.prior != nil {
		config = plans.WithResets(c.kind, config, i.prior.state, slices.Collect(maps.Keys(i.prior.record.Defaults)))
	}
	config, failed := c.instances.Checker.WithForced(ctx, config, i.stateBefore())
	diags.Append(failed...)
	return config, append(diags, plans.CheckSecrets(c.kind, config, nil)...) // an entry has no secrets, and so no versions of them
}

// planFindings returns what is wrong with the plan of an item, apart from warnings about properties that the entry has by
// default.
func (c *collection) planFindings(plan *kind.Plan, i *item) diag.Diagnostics {
	if i.prior == nil && !c.instances.Provider.Adopts(i.config) {
		plans.CheckRequired(plan)
		plans.WarnOfMissing(plan)
	}
	return plans.OwnFindings(plan.Diagnostics, func(property string) bool { return i.defaults[property] == nil })
}

// needsApply reports whether an apply has something to do for an item that is in the state: in eNMS, or in the state
// alone.
func (c *collection) needsApply(i *item) bool {
	p := i.prior
	return p.record.pending() || payloads.Update(c.kind, i.config, i.planned, p.state) != nil ||
		!many.Same(c.kind, i.config, p.config, i.imported) || !c.sameDefaults(i) ||
		!slices.Contains([]string{"", p.name}, value.Text(p.entry[kind.RowName])) // somebody renamed it, and it may have its name again by now
}

// withoutRepeated returns diags without those about an attribute that one of others is about, too: an invalid value must
// not also be reported as missing.
func withoutRepeated(diags, others diag.Diagnostics) diag.Diagnostics {
	return slices.DeleteFunc(slices.Clone(diags), func(d diag.Diagnostic) bool {
		on, is := d.(diag.DiagnosticWithPath)
		return is && slices.ContainsFunc(others, func(other diag.Diagnostic) bool {
			where, is := other.(diag.DiagnosticWithPath)
			return is && where.Path().Equal(on.Path())
		})
	})
}

// isUnchanged reports whether the state has the entry of an item exactly as it is configured.
func (c *collection) isUnchanged(i *item) bool {
	p := i.prior
	return p != nil && p.name == i.name && sameWords(i.entry, p.entry) && !p.record.pending() && c.sameDefaults(i)
}

// addDefaults adds the defaults of the provider block to the configured entry of an item.
func (c *collection) addDefaults(i *item) {
	if !i.removed && i.entry != nil {
		i.defaults = unset(i.entry, c.members)
		i.entry = withDefaults(i.entry, i.defaults)
	}
}

// sameDefaults reports whether the entry sets the same members by default as in the state.
func (c *collection) sameDefaults(i *item) bool {
	return kind.IsKnown(c.defaults) && maps.EqualFunc(i.defaults, i.prior.record.Defaults, func(any, any) bool { return true })
}
