// This file collects the outcomes of the entries, after a read or an apply, and makes the next
// state from them.

package entries

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// outcome is the result of a read or an apply for one entry. Its entry is nil if it is not in the
// next state.
type outcome struct {
	key     string // its key in the next state; empty if it is the key in the configuration
	entry   entry
	record  entryRecord
	adopted bool // its creation adopted an existing instance
	diags   diag.Diagnostics
}

// outcomes collects the outcomes of all entries, which arrive in any order.
type outcomes struct {
	mu sync.Mutex
	of map[string]outcome // by the keys in the configuration, or else in the state
}

// set stores the outcome of an entry.
func (o *outcomes) set(name string, result outcome) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.of == nil {
		o.of = map[string]outcome{}
	}
	o.of[name] = result
}

// all returns the entries and records of the next state, by key, and the diagnostics in the order of the
// configured keys. An outcome may have another key than the configured one, such as the old one after a
// failed rename. If another entry already has that key, the entry is stored under its configured key,
// with the name of the instance in its member `name`.
func (o *outcomes) all() (entries map[string]entry, records map[string]entryRecord, diags diag.Diagnostics) {
	entries, records = map[string]entry{}, map[string]entryRecord{}
	moved := map[string]string{} // the configured keys of outcomes with another key, by that key
	var staying []string         // the configured keys of the outcomes that are stored under them
	for _, name := range sorted(o.of) {
		result := o.of[name]
		diags.Append(ofEntry(name, result.diags)...)
		switch {
		case result.entry == nil:
		case result.isMoved(name) && moved[result.key] == "":
			moved[result.key] = name
		default:
			staying = append(staying, name)
		}
	}
	for ; len(staying) > 0; staying = staying[1:] {
		name := staying[0]
		result := o.of[name]
		if result.isMoved(name) {
			result.entry = maps.Clone(result.entry)
			result.entry[kind.RowName] = tftypes.NewValue(tftypes.String, cmp.Or(value.Text(result.entry[kind.RowName]), result.key))
			result.key = name
			o.of[name] = result
		}
		entries[name], records[name] = result.entry, result.record
		if other, blocked := moved[name]; blocked { // it wants the same key, and has to stay, too
			delete(moved, name)
			staying = append(staying, other)
		}
	}
	for key, name := range moved {
		entries[key], records[key] = o.of[name].entry, o.of[name].record
	}
	return entries, records, diags
}

// isMoved reports whether an outcome has another key than the configured one.
func (o outcome) isMoved(configured string) bool { return o.key != "" && o.key != configured }

// endCreation completes the outcomes of a creation that did not succeed. After an error, Terraform taints the resource, and
// the next apply replaces all instances in the state. Therefore, if the creation was only interrupted, endCreation replaces
// the errors by a warning, and returns true. If it failed, endCreation removes adopted instances, which existed before, from
// the state, and calls release for each, so that other resources of the run may have it; the next apply adopts it again.
func (o *outcomes) endCreation(ctx context.Context, diags *diag.Diagnostics, release func(name, id string)) (interrupted bool) {
	switch {
	case ctx.Err() != nil && !diags.HasError() && o.onlyInterrupted():
		diags.Append(o.interruption())
		return true
	case diags.HasError() || o.failed():
		for name, result := range o.of {
			if result.adopted {
				release(name, result.record.ID)
				result.entry = nil
				o.of[name] = result
			}
		}
	}
	return false
}

// onlyInterrupted reports whether some entries were created, and the others were not begun because
// of Terraform's interrupt.
func (o *outcomes) onlyInterrupted() bool {
	made := false
	for _, result := range o.of {
		if result.diags.HasError() && (result.entry != nil || !failures.Interrupted(result.diags)) {
			return false
		}
		made = made || result.entry != nil
	}
	return made && o.failed()
}

// interruption removes the errors of entries that were not begun, and returns a warning in their place.
func (o *outcomes) interruption() diag.Diagnostic {
	var left []string
	for _, name := range sorted(o.of) {
		if result := o.of[name]; result.diags.HasError() {
			left = append(left, name)
			result.diags = result.diags.Warnings()
			o.of[name] = result
		}
	}
	return diag.NewAttributeWarningDiagnostic(path.Root(attrInstances), "The creation was interrupted",
		fmt.Sprintf("%d of %d entries were not created: %s. The others are in the state. Apply again to create the rest.", len(left), len(o.of), resources.AllQuoted(left)))
}

func (o *outcomes) failed() bool {
	for _, result := range o.of {
		if result.diags.HasError() {
			return true
		}
	}
	return false
}

// renamed returns the renames that have been applied, by this apply or, as before says, by earlier ones: the new key is in the
// next state, and the instance no longer has its old key. It must be called after o.all(), which may change the keys of
// outcomes.
func (o *outcomes) renamed(renames, before map[string]string, entries map[string]entry, items []*item) map[string]string {
	kept := map[string]bool{} // the old keys of entries whose rename has failed
	for _, i := range items {
		if wasRenamed := i.prior != nil && i.prior.name != i.name; wasRenamed {
			kept[i.prior.name] = kept[i.prior.name] || o.of[i.name].key == i.prior.name
		}
	}
	done := maps.Clone(renames)
	maps.DeleteFunc(done, func(old, to string) bool {
		_, isInState := entries[to]
		appliedBefore, appliedNow := before[old] == to, isInState && !kept[to]
		return kept[old] || !appliedBefore && !appliedNow
	})
	return done
}

// notApplied returns the response of an apply that changes nothing: the resource remains as it was. Terraform
// would remove the identity from the state if the response had none.
func notApplied(req *tfprotov6.ApplyResourceChangeRequest, prior kind.Values, diags diag.Diagnostics) *tfprotov6.ApplyResourceChangeResponse {
	return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PriorState, NewIdentity: identityOf(prior), Private: req.PlannedPrivate, Diagnostics: diagnosticsOf(diags)}
}
