// This file declares what Terraform's private state holds beside the entries, such as their ids.

package entries

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/many"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// privateState is the private state of the resource.
type privateState struct {
	Records map[string]entryRecord `json:"records,omitempty"` // by the names of the entries
	// Import is set while only the names are known.
	Import *importing `json:"import,omitempty"`
	// Renamed are the renames of the configuration that were applied: each is done once.
	Renamed map[string]string `json:"renamed,omitempty"`
	// Origins are what the origins of entries have in common; entryRecord.At refers to them.
	Origins []record.Origin `json:"origins,omitempty"`
	// State has the settings in the state by which the entries of a replaced resource are deleted, if
	// the configuration has others. Terraform plans a replacement twice: with the state, and then as a
	// creation, without the state but with the private state of the first plan.
	State *stateSettings `json:"state,omitempty"`
}

// stateSettings are the arguments in a state by which its instances are deleted.
type stateSettings struct {
	Type           string `json:"type"`
	DeletionPolicy string `json:"deletion_policy,omitempty"`
	MaxDeletions   *int64 `json:"max_deletions,omitempty"`
}

// values returns the settings as values of a state.
func (s *stateSettings) values() kind.Values {
	policy := tftypes.NewValue(tftypes.String, nil)
	if s.DeletionPolicy != "" {
		policy = tftypes.NewValue(tftypes.String, s.DeletionPolicy)
	}
	return kind.Values{attrType: tftypes.NewValue(tftypes.String, s.Type), kind.RowDeletionPolicy: policy, attrMaxDeletions: tftypes.NewValue(tftypes.Number, s.MaxDeletions)}
}

// importing holds the arguments of an import.
type importing struct {
	Properties []string `json:"properties"` // nil for all that is not at eNMS's default
	// Written: the entries in the state are written as in the configuration.
	Written bool `json:"written,omitempty"`
}

// entryRecord is the private state of one entry.
type entryRecord struct {
	ID   string       `json:"id,omitempty"`
	Rest value.Object `json:"rest,omitempty"` // see many.Rest
	// Changed holds the previous values of members that others have changed.
	Changed value.Object `json:"changed,omitempty"`
	// Defaults are the members of the entry that the provider block sets.
	Defaults value.Object `json:"defaults,omitempty"`
	// Instance is the record of the instance. It is nil if nothing is pending for the instance and its
	// managed attributes are the members of the entry.
	Instance *record.Record `json:"kept,omitempty"`

	// Origin is record.Record.Origin of the instance. In the private state, At is the number of its common part in
	// privateState.Origins, or 0 if there is none, and the other fields are what is its own.
	Origin  *record.Origin `json:"-"`
	At      int            `json:"at,omitempty"`
	Was     string         `json:"was,omitempty"` // record.Origin.Name, "" if it is the key
	Created string         `json:"created,omitempty"`
	Ends    []string       `json:"ends,omitempty"`
}

// readPrivate decodes the private state. A damaged one is an error, because without it an instance could be lost.
func readPrivate(raw []byte) (p privateState, diags diag.Diagnostics) {
	if len(raw) == 0 {
		return p, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&p); err != nil {
		diags.AddError("Cannot read the private state",
			fmt.Sprintf("The private state of the provider is damaged: %s. Restore the state from a backup; or remove the resource from the state, which leaves the instances in eNMS, and import them again.", err))
		return p, diags
	}
	for name, r := range p.Records {
		if r.At > 0 && r.At <= len(p.Origins) {
			origin := p.Origins[r.At-1]
			origin.Name, origin.Created, origin.Ends = cmp.Or(r.Was, name), r.Created, r.Ends
			r.Origin = &origin
			p.Records[name] = r
		}
	}
	return p, diags
}

// server returns the address of the server that the entries are about, or "" if the private state does not tell.
func (p privateState) server() string {
	if len(p.Origins) == 0 {
		return ""
	}
	return p.Origins[0].Server
}

// entriesOf returns the entries of a state. If that has ids (withIDs), it moves them to the records.
func (p *privateState) entriesOf(state kind.Values) (entries map[string]entry, hadIDs bool, diags diag.Diagnostics) {
	entries, _, diags = entriesOf(state[attrInstances])
	for name, e := range entries {
		id := e[kind.RowID]
		if id.IsNull() {
			continue
		}
		hadIDs = true
		e = maps.Clone(e)
		delete(e, kind.RowID)
		entries[name] = e
		if p.Records == nil {
			p.Records = map[string]entryRecord{}
		}
		r := p.Records[name]
		r.ID = cmp.Or(r.ID, value.Text(id))
		p.Records[name] = r
	}
	return entries, hadIDs, diags
}

// withIDs returns the entries for the state of a creation that failed, with their ids, which are "" until a read finds them.
// Terraform taints the resource, and passes no private state to the deletion of what is tainted. No configuration has an id.
func withIDs(entries map[string]entry, records map[string]entryRecord) map[string]entry {
	with := make(map[string]entry, len(entries))
	for name, e := range entries {
		with[name] = maps.Clone(e)
		with[name][kind.RowID] = tftypes.NewValue(tftypes.String, records[name].ID)
	}
	return with
}

// shareOrigins sets Origins and, in the records, what refers to them.
func (p *privateState) shareOrigins() {
	type common struct {
		server, typ, mark string
		after             bool
	}
	p.Origins = nil
	numbers, records := map[common]int{}, map[string]entryRecord{}
	for _, name := range sorted(p.Records) {
		r := p.Records[name]
		r.At, r.Was, r.Created, r.Ends = 0, "", "", nil
		if o := r.Origin; o != nil {
			shared := common{server: o.Server, typ: o.Type, after: o.After}
			if o.Mark != nil {
				shared.mark = fmt.Sprint(*o.Mark)
			}
			if numbers[shared] == 0 {
				p.Origins = append(p.Origins, record.Origin{Server: o.Server, Mark: o.Mark, After: o.After, Type: o.Type})
				numbers[shared] = len(p.Origins)
			}
			r.At, r.Created, r.Ends = numbers[shared], o.Created, o.Ends
			if o.Name != name {
				r.Was = o.Name
			}
		}
		records[name] = r
	}
	p.Records = records
}

// encode returns the private state as JSON.
func (p privateState) encode(diags *diag.Diagnostics) []byte {
	p.shareOrigins()
	raw, err := json.Marshal(p)
	if err != nil {
		diags.AddError("Cannot store the private state", err.Error())
	}
	return raw
}

// pending reports whether the next plan has to do something for an entry, even if the configuration is the same as the state.
func (p privateState) pending() bool {
	for _, r := range p.Records {
		if r.pending() {
			return true
		}
	}
	return false
}

// pending reports whether the next plan has to do something for the entry (record.Record.Pending).
func (r entryRecord) pending() bool { return r.Instance != nil && r.Instance.Pending() }

// recordOf returns the record of an entry. It holds the record of the instance only if that says more than the
// entry does (entryRecord.Instance).
func recordOf(k *kind.Kind, config, state kind.Values, instance record.Record) entryRecord {
	r := entryRecord{ID: value.Text(state[kind.RowID]), Rest: many.Rest(k, config, state), Origin: instance.Origin}
	instance.Origin = nil // which is beside it
	if instance.Pending() || instance.Untold != "" || instance.Dropped || !slices.Equal(instance.Managed, plans.Managed(k, config, state, nil)) {
		r.Instance = &instance
	}
	return r
}

// instanceOf returns the record of the instance of an entry with this configuration and state.
func (r entryRecord) instanceOf(k *kind.Kind, config, state kind.Values) record.Record {
	instance := record.Record{Managed: plans.Managed(k, config, state, nil)}
	if r.Instance != nil {
		instance = *r.Instance
	}
	instance.Origin = r.Origin
	return instance
}
