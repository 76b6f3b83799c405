// This file is what became of entries, by a read or an apply: the next state is made of it.

package inventory

import (
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// outcome is what became of an entry; its entry is nil when it is not in the state.
type outcome struct {
	entry  entry
	record record
	diags  diag.Diagnostics
}

// outcomes are those of all entries, which come in any order.
type outcomes struct {
	mu sync.Mutex
	of map[string]outcome
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

// all are the entries and records that make the next state, and what there is to say, in
// the order of the names.
func (o *outcomes) all() (entries map[string]entry, records map[string]record, diags diag.Diagnostics) {
	entries, records = map[string]entry{}, map[string]record{}
	for _, name := range sorted(o.of) {
		result := o.of[name]
		diags.Append(ofEntry(name, result.diags)...)
		if result.entry != nil {
			entries[name], records[name] = result.entry, result.record
		}
	}
	return entries, records, diags
}
