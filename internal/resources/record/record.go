// Package record reads and writes the record of an instance in Terraform's private state: the managed
// attributes, and pending writes, whose outcome the next read decides.
package record

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Key is the key of the record in Terraform's private state.
const Key = "instance"

// Record is stored beside the state of an instance, invisible to users.
type Record struct {
	Managed []string `json:"managed,omitzero"` // the managed attributes, as plans.Managed lists them
	// PendingCreate is a creation whose outcome is unknown. The next read compares what was sent with the instance that
	// exists.
	PendingCreate *PendingWrite `json:"pending_create,omitempty"`
	// PendingRename is a rename whose outcome is unknown. The next read finds the instance by its id, and accepts both
	// names in what was sent as its own.
	PendingRename *PendingWrite `json:"pending_rename,omitempty"`
	// Imported is set if the state has only the name of the instance, from an import.
	Imported bool `json:"imported,omitempty"`
	// Moved is set if the state has only the name of the instance, from the state of a resource of another type.
	// Unlike an imported one, the instance may be gone.
	Moved bool `json:"moved,omitempty"`
	// Unfinished is work for the next apply. Nil if there is none.
	Unfinished *Unfinished `json:"unfinished,omitempty"`
	// Origin says which instance of which server it is. It is nil in records of older versions of the provider.
	Origin *Origin `json:"origin,omitempty"`
	// Dropped is set if the last apply has found that another resource has taken the instance over, or that somebody has
	// deleted it and created another one under its name. The next read drops it from the state.
	Dropped bool `json:"dropped,omitempty"`
	// Untold says why the last read does not know that the instance with the name is the one of the state. It is "" if
	// the read knows. Nothing is written or deleted until the user says so with identify_by.
	Untold string `json:"untold,omitempty"`

	// Adopted reports, after a creation, whether it adopted an existing instance because of
	// adopt_existing. It is not stored.
	Adopted bool `json:"-"`
}

// Origin says which instance of which server a state is about.
type Origin struct {
	Server string `json:"server"` // the address, as enms.Client.Address returns it
	// Mark is a row of the changelog: the newest one when it was taken. It is nil if the changelog was empty, or could not
	// be read.
	Mark *enms.Mark `json:"mark,omitempty"`
	// After is set if the instance got its name after the mark was taken (enms.Subject.After).
	After   bool   `json:"after,omitempty"`
	Type    string `json:"type,omitempty"`    // as eNMS returns it
	Name    string `json:"name,omitempty"`    // when the mark was taken, or, with After, since then
	Created string `json:"created,omitempty"` // its creation_time, which eNMS 5 keeps with it; "" on eNMS 4
	// Ends are the ids of the instances to which the attributes of the place refer (kind.Place).
	Ends []string `json:"ends,omitempty"`
}

// Server returns the address of the server that the record is about, or "" if it does not tell.
func (p Record) Server() string {
	if p.Origin == nil {
		return ""
	}
	return p.Origin.Server
}

// Pending reports whether something must follow, so that the next plan must have a change for the instance even if
// its values are as configured.
func (p Record) Pending() bool {
	return p.PendingCreate != nil || p.PendingRename != nil || p.Unfinished != nil
}

// Unfinished are computations and writes that should have followed an update, but failed.
type Unfinished struct {
	Recompute bool             `json:"recompute,omitempty"` // what depends on the instance is to be computed
	Refresh   []relate.Related `json:"refresh,omitempty"`   // instances that are to be written again
}

// PendingWrite is a write whose outcome is unknown.
type PendingWrite struct {
	Sent value.Object `json:"sent"` // the payload without secrets, which eNMS never returns
	// When is the time during which the write may have happened. It is zero if that does not matter:
	// for a creation that eNMS reported as successful, and for a rename, after which the instance is
	// recognized by the id.
	When enms.Window `json:"when,omitzero"`
}

// UnmarshalJSON returns an error for a pending write without a payload.
func (p *PendingWrite) UnmarshalJSON(raw []byte) error {
	type plain PendingWrite
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode((*plain)(p)); err != nil {
		return err
	}
	if p.Sent == nil {
		return errors.New("it holds no payload")
	}
	return nil
}

// Private is resources.Private.
type Private = resources.Private

// Read reads the record of a private state.
func Read(ctx context.Context, from Private) (Record, diag.Diagnostics) {
	raw, diags := from.GetKey(ctx, Key)
	p, damaged := Decode(raw)
	return p, append(diags, damaged...)
}

// Decode decodes the record, which is empty if raw is. It returns an error for a damaged one: without the record,
// a read could lose an instance, and an update could fail to reset values.
func Decode(raw []byte) (p Record, diags diag.Diagnostics) {
	if len(raw) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return Record{}, diag.Diagnostics{DamagedPrivate(err)}
	}
	return p, nil
}

// DamagedPrivate returns the diagnostic of a private state that cannot be read.
func DamagedPrivate(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Cannot read the private state",
		fmt.Sprintf("The private state of the provider is damaged: %s. Restore the state from a backup; or remove the resource from the state, which leaves the instance in eNMS, and import it again.", err))
}

// Encode encodes the record, or returns nil for an empty one.
func (p Record) Encode() (raw []byte, diags diag.Diagnostics) {
	raw, err := json.Marshal(p)
	if err != nil {
		diags.AddError("Cannot store the private state", err.Error())
	}
	if string(raw) == "{}" {
		raw = nil
	}
	return raw, diags
}

// Write stores the record in a private state. An empty one removes the key.
func (p Record) Write(ctx context.Context, to Private) diag.Diagnostics {
	raw, diags := p.Encode()
	return append(diags, to.SetKey(ctx, Key, raw)...)
}
