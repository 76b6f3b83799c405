// This file warns about deletions, and refuses more of them than max_deletions: Terraform itself counts only one
// changed resource. Plans (plan.go) check updates, replacements and destructions. The apply checks a destruction
// once more (destroy in apply.go), because Terraform does not plan that of a tainted resource. It does not check an
// update once more: if values are unknown, Terraform plans the update again in the apply, when they are known. The
// limit of an update is the configured one; for what is deleted as a whole, it is the one in the state.

package entries

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/many"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// checkSettings refuses a deletion policy that does not exist, and a max_deletions that is not a number of entries.
func checkSettings(config kind.Values) (diags diag.Diagnostics) {
	if _, _, fits := maxDeletions(config[attrMaxDeletions]); !fits {
		diags.AddAttributeError(path.Root(attrMaxDeletions), "Invalid max_deletions",
			fmt.Sprintf("%v is not a number of entries. Write a whole number of at least 0, or remove the attribute.", value.ToJSON(config[attrMaxDeletions])))
	}
	policy := value.Text(config[kind.RowDeletionPolicy])
	if policy != "" && !slices.Contains(kind.Policies, policy) {
		diags.AddAttributeError(path.Root(kind.RowDeletionPolicy), "Invalid deletion policy",
			fmt.Sprintf("%q is not one of %s.", policy, strings.Join(kind.Policies, ", ")))
	}
	return diags
}

// maxDeletions returns the value of the attribute. limited is false if it is null or unknown, and fits is
// false if it is not a whole number of at least 0.
func maxDeletions(v tftypes.Value) (limit int, limited, fits bool) {
	if v.IsNull() || !v.IsKnown() {
		return 0, false, true
	}
	limit, err := strconv.Atoi(fmt.Sprint(value.ToJSON(v)))
	return limit, err == nil, err == nil && limit >= 0
}

// deletions returns the keys of the instances that an update with these items deletes, in alphabetical
// order. A removed service counts only if no new entry has the same name in another workflow: eNMS
// renames services when Terraform renames their workflow.
func (c *collection) deletions(items []*item) (names []string) {
	if !c.instances.Provider.Deletes(c.settings) {
		return nil
	}
	renamed := map[string]int{} // how many new entries there are, by scoped name
	for _, i := range items {
		if own := relate.ScopedName(c.kind, i.name); own != "" && i.prior == nil && !i.removed {
			renamed[own]++
		}
	}
	for _, i := range items {
		if !i.removed {
			continue
		}
		if own := relate.ScopedName(c.kind, i.prior.name); renamed[own] > 0 {
			renamed[own]--
			continue
		}
		names = append(names, i.prior.name)
	}
	slices.Sort(names)
	return names
}

// checkDeletions warns about the instances that an update deletes; prior is how many are in the state. It returns
// an error instead if there are more of them than the limit. renames are proposed. The warning has no attribute, because
// Terraform would print all of `instances` with it.
func (c *collection) checkDeletions(names []string, prior int, limit tftypes.Value, renames map[string]string) (diags diag.Diagnostics) {
	if len(names) == 0 {
		return nil
	}
	what := fmt.Sprintf("%d of the %d instances of type %s: %s", len(names), prior, c.typ, resources.AllQuoted(names))
	if diags = tooMany(len(names), limit, what, "write"); diags.HasError() {
		return diags
	}
	keep := "To keep an instance whose key has changed, use renames."
	if len(renames) > 0 {
		var pairs []string
		for _, old := range sorted(renames) {
			pairs = append(pairs, fmt.Sprintf("%s = %s", resources.Quoted(old), resources.Quoted(renames[old])))
		}
		keep = fmt.Sprintf("New entries have the same values: if they are the same instances under new names, write renames = { %s }. They then keep their ids, and all that refers to them; otherwise the apply can create the new ones, and fail to delete those that others still use, such as links.", strings.Join(pairs, ", "))
	}
	diags.AddWarning(fmt.Sprintf("Instances to be deleted: %d", len(names)), "This plan deletes "+what+
		". Terraform counts the resource as changed, and prevent_destroy does not protect its entries. "+keep+" To limit the number of deletions, set max_deletions."+longDeletion(len(names)))
	return diags
}

// mostCompared is how many removed and new entries are compared for proposals, at most.
const mostCompared = 50

// likelyRenames pairs removed entries with new ones that have the same values, and returns the new keys by the old ones.
// A pair counts only if neither of the two equals a third entry. Equal values prove nothing, so the renames are only
// proposed. Entries without values are not compared.
func (c *collection) likelyRenames(items []*item, before, configured map[string]entry) map[string]string {
	var removed, added []string
	for _, i := range items {
		switch {
		case i.removed && len(before[i.name]) > 0:
			removed = append(removed, i.name)
		case i.prior == nil && before[i.name] == nil && len(configured[i.name]) > 0:
			added = append(added, i.name)
		}
	}
	if len(removed) > mostCompared || len(added) > mostCompared {
		return nil
	}
	configs := map[string]kind.Values{} // of the new entries
	for _, to := range added {
		configs[to], _ = c.configOf("", configured[to])
	}
	alike, olds := map[string][]string{}, map[string]int{}
	for _, old := range removed {
		was, _ := c.configOf("", before[old])
		for _, to := range added {
			if many.Same(c.kind, was, configs[to], func(string) bool { return false }) {
				alike[old] = append(alike[old], to)
				olds[to]++
			}
		}
	}
	renames := map[string]string{}
	for old, to := range alike {
		if len(to) == 1 && olds[to[0]] == 1 {
			renames[old] = to[0]
		}
	}
	return renames
}

// adviceFirstApply says how to change a setting for the deletion of a whole resource, to which the state applies.
const adviceFirstApply = "first apply"

// checkDestruction warns about the instances that are deleted with the whole resource, or replaced. It returns an
// error instead if there are more of them than the limit. advice says how to change a setting.
func (c *collection) checkDestruction(names []string, limit tftypes.Value, advice string) (diags diag.Diagnostics) {
	if len(names) == 0 || !c.instances.Provider.Deletes(c.settings) {
		return nil
	}
	what := fmt.Sprintf("all %d instances of type %s: %s", len(names), c.typ, resources.AllQuoted(names))
	counted := " Terraform counts them as one resource."
	if len(names) == 1 {
		what, counted = fmt.Sprintf("the only instance, of type %s: %q", c.typ, names[0]), ""
	}
	if diags = tooMany(len(names), limit, what, advice); diags.HasError() {
		return diags
	}
	diags.AddWarning(fmt.Sprintf("Instances to be destroyed: %d", len(names)),
		"This plan deletes "+what+"."+counted+longDeletion(len(names)))
	return diags
}

// longDeletion returns a sentence for the warning about deletions that says how many requests they take, or "" if they
// take about a minute at most.
func longDeletion(deletions int) string {
	if deletions <= 300 {
		return ""
	}
	return fmt.Sprintf(" eNMS deletes one instance at a time: the apply takes at least %d requests.", deletions)
}

// tooMany returns an error if there are more deletions than a limit. what says what is deleted, and advice how to
// change a setting, such as "write".
func tooMany(count int, limit tftypes.Value, what, advice string) (diags diag.Diagnostics) {
	if most, limited, _ := maxDeletions(limit); limited && count > most {
		diags.AddAttributeError(path.Root(attrMaxDeletions), "Too many deletions",
			fmt.Sprintf("max_deletions is %d, and this plan deletes %s. If that is intended, %s max_deletions = %d. To leave the instances in eNMS, %s deletion_policy = \"abandon\".", most, what, advice, count, advice))
	}
	return diags
}

// settingsOf returns the settings of a state.
func settingsOf(state kind.Values) *stateSettings {
	s := &stateSettings{Type: value.Text(state[attrType]), DeletionPolicy: value.Text(state[kind.RowDeletionPolicy])}
	if limit, limited, _ := maxDeletions(state[attrMaxDeletions]); limited {
		s.MaxDeletions = new(int64(limit))
	}
	return s
}
