// This file is what is kept beside the state, in Terraform's private state.

package bulk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// private is the private state of the resource.
type private struct {
	Records map[string]record `json:"records,omitempty"` // by the names of the entries
	// Unfinished: an entry has a pending write, or what follows from one.
	Unfinished bool `json:"unfinished,omitempty"`
	// Import is set while nothing but the names is known.
	Import *importing `json:"import,omitempty"`
	// Renamed are the renames of the configuration that were applied: each is done once.
	Renamed map[string]string `json:"renamed,omitempty"`
}

// importing is what an import was asked for.
type importing struct {
	Properties []string `json:"properties"` // nil for all that is not at eNMS's default
}

// record is what is kept of an entry.
type record struct {
	ID   string       `json:"id,omitempty"`
	Rest value.Object `json:"rest,omitempty"` // see kind.Rest
	// Changed are members that others have changed, as they were before.
	Changed value.Object `json:"changed,omitempty"`
	// Kept is nil when nothing is pending, and what the entry holds is managed.
	Kept *lifecycle.Record `json:"kept,omitempty"`
}

// readPrivate decodes the private state. Damage is an error: without what it holds, an
// instance could be forgotten.
func readPrivate(raw []byte) (p private, diags diag.Diagnostics) {
	if len(raw) == 0 {
		return p, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&p); err != nil {
		diags.AddError("Cannot read the private state",
			fmt.Sprintf("The private state of the provider is damaged: %s. Restore the state from a backup; or remove the resource from the state, which leaves the instances in eNMS, and import them again.", err))
	}
	return p, diags
}

// encode encodes the private state.
func (p private) encode(diags *diag.Diagnostics) []byte {
	p.Unfinished = false
	for _, r := range p.Records {
		p.Unfinished = p.Unfinished || r.pending()
	}
	raw, err := json.Marshal(p)
	if err != nil {
		diags.AddError("Cannot store the private state", err.Error())
	}
	return raw
}

// pending reports whether a write is pending, or what follows from one.
func (r record) pending() bool { return r.Kept != nil && r.Kept.Pending() }

// recordOf returns the record of an instance in a state.
func recordOf(k *kind.Kind, config, state kind.Values, kept lifecycle.Record) record {
	r := record{ID: value.Text(state[kind.RowID]), Rest: k.Rest(config, state)}
	if kept.Pending() || !slices.Equal(kept.Managed, k.Managed(config, state, nil)) {
		r.Kept = &kept
	}
	return r
}

// keptOf returns what the record says of an entry with that configuration and state.
func (r record) keptOf(k *kind.Kind, config, state kind.Values) lifecycle.Record {
	if r.Kept != nil {
		return *r.Kept
	}
	return lifecycle.Record{Managed: k.Managed(config, state, nil)}
}
