// This file collects the outcomes of the entries, after a read or an apply, and makes the next
// state from them.

package entries

import (
	"fmt"
	"maps"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
)

// outcome is the result of a read or an apply for one entry. Its entry is nil if it is not in the
// next state.
type outcome struct {
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

// set notes the outcome of an entry.
func (o *outcomes) set(name string, result outcome) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.of == nil {
		o.of = map[string]outcome{}
	}
	o.of[name] = result
}

// sharing returns the name of an entry whose instance a read has found by the id in before, although
// that instance belongs to another entry; "" if there is none. A restore of eNMS may have exchanged ids.
func (o *outcomes) sharing(before map[string]entryRecord) string {
	owners := map[string]string{}
	for _, name := range sorted(o.of) {
		id := o.of[name].record.ID
		other, shared := owners[id]
		switch {
		case id == "" || o.of[name].entry == nil:
		case shared && before[name].ID == id:
			return name
		case shared && before[other].ID == id:
			return other
		default:
			owners[id] = name
		}
	}
	return ""
}

// all returns the entries and records of the next state, by key, and the diagnostics in the order of the
// keys.
func (o *outcomes) all() (entries map[string]entry, records map[string]entryRecord, diags diag.Diagnostics) {
	entries, records = map[string]entry{}, map[string]entryRecord{}
	for _, name := range sorted(o.of) {
		result := o.of[name]
		diags.Append(ofEntry(name, result.diags)...)
		if result.entry != nil {
			entries[name], records[name] = result.entry, result.record
		}
	}
	return entries, records, diags
}

// withoutAdopted removes adopted instances from the next state. If a part of a creation failed,
// Terraform will destroy the instances in the state, but adopted ones existed before. The next apply
// adopts them again.
func (o *outcomes) withoutAdopted() {
	for name, result := range o.of {
		if result.adopted {
			result.entry = nil
			o.of[name] = result
		}
	}
}

// onlyInterrupted reports whether some entries were created, and the others were not begun because
// of Terraform's interrupt.
func (o *outcomes) onlyInterrupted() (only bool) {
	made := false
	for _, result := range o.of {
		if result.diags.HasError() && (result.entry != nil || !failures.Interrupted(result.diags)) {
			return false
		}
		made = made || result.entry != nil
	}
	return made && o.failed()
}

// interruption returns a warning in place of the errors of entries that were not begun. After an
// error, Terraform would mark the resource as tainted, and replace all that was created.
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

// applied returns the renames that need not be made again: those of before, and those whose new key is in
// the next state. If the rename failed, its entry has the old name in the member `name`, as after a rename
// by somebody else, and the next apply gives the instance its name.
func applied(renames, before map[string]string, entries map[string]entry) map[string]string {
	done := maps.Clone(renames)
	maps.DeleteFunc(done, func(old, to string) bool {
		_, has := entries[to]
		return before[old] != to && !has
	})
	return done
}
