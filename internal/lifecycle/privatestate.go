// This file declares the record that is kept beside the state of an instance, in Terraform's
// private state: the managed attributes, and pending writes, whose outcome is unknown.

package lifecycle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// privateKey is the key of the record in Terraform's private state.
const privateKey = "instance"

// Record is kept beside the state of an instance, invisible to users.
type Record struct {
	Managed []string `json:"managed,omitzero"` // the list that kind.Managed makes
	// PendingCreate is a creation that may have happened, or may still happen. The next read
	// compares it with the instance that exists.
	PendingCreate *pendingWrite `json:"pending_create,omitempty"`
	// PendingRename is a rename that failed, but may have happened or may still happen. The
	// next read recognizes the instance by what was sent.
	PendingRename *pendingWrite `json:"pending_rename,omitempty"`
	Imported      bool          `json:"imported,omitempty"` // only the name of the instance is known
	// Unfinished are computations and writes that should have followed an update, but failed.
	// The next apply makes them. Nil if there are none.
	Unfinished *unfinished `json:"unfinished,omitempty"`
	// PossibleName is the name of the instance that has the id in the state but other content,
	// found when no instance had the name in the state. Either an interrupted apply has
	// renamed and changed the instance, or eNMS has reused the id of a deleted one. If the
	// plan uses this name, it was the former.
	PossibleName string `json:"possible_name,omitempty"`
	// PossibleID is the id of the instance called PossibleName, if the state has moved on to
	// another instance, which now has the name.
	PossibleID string `json:"possible_id,omitempty"`

	// Adopted reports, after a creation, whether it adopted an existing instance because of
	// adopt_existing. It is not stored.
	Adopted bool `json:"-"`
}

// Pending reports whether the next plan has to do something for the instance even if nothing
// else has changed.
func (p Record) Pending() bool {
	return p.PendingCreate != nil || p.PendingRename != nil || p.Unfinished != nil || p.PossibleName != ""
}

// IsGone reports whether the instance was deleted and its id reused: the read found only
// PossibleName, and the plan does not use that name.
func (p Record) IsGone(planned string) bool {
	return p.PossibleName != "" && p.PossibleID == "" && p.PossibleName != planned
}

// known is Instances.Known without its warning.
func (p Record) known(planned string, state kind.Values) kind.Values {
	if p.PossibleID == "" || p.PossibleName != planned {
		return nil
	}
	known := maps.Clone(state)
	known[kind.RowName] = tftypes.NewValue(tftypes.String, p.PossibleName)
	known[kind.RowID] = tftypes.NewValue(tftypes.String, p.PossibleID)
	return known
}

// unfinished are computations and writes that should have followed an update, but failed.
type unfinished struct {
	Recompute bool           `json:"recompute,omitempty"` // what depends on the instance is to be computed
	Refresh   []kind.Related `json:"refresh,omitempty"`   // instances that are to be written again
}

// pendingWrite is a write whose outcome is unknown.
type pendingWrite struct {
	Sent value.Object `json:"sent"` // the payload without secrets, which eNMS never answers
	// When is the time during which it may have happened. It is zero if it does not matter:
	// for a creation that eNMS reported as successful, and for a rename, which is recognized
	// by the id.
	When enms.Window `json:"when,omitzero"`
}

// pendingRename returns a failed update as a pending write, or nil if it was no rename.
func (r *Instances) pendingRename(planned, prior kind.Values) *pendingWrite {
	payload := r.kind.UpdatePayload(nil, planned, prior)
	if _, renaming := payload["new_name"]; !renaming {
		return nil
	}
	return &pendingWrite{Sent: r.kind.WithoutSecrets(payload, nil)}
}

// UnmarshalJSON returns an error for a pending write without a payload.
func (p *pendingWrite) UnmarshalJSON(raw []byte) error {
	type plain pendingWrite
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

// readablePrivate is the private state in Terraform's requests.
type readablePrivate interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// privateData is the private state in Terraform's requests and responses.
type privateData interface {
	readablePrivate
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// privateFields are the fields of a private state by their keys.
type privateFields map[string][]byte

// GetKey returns the value of a key, or nil.
func (f privateFields) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) {
	return f[key], nil
}

// readRecord decodes the record. A damaged one is an error: without it, a read could lose an
// instance, and an update could fail to reset values.
func readRecord(ctx context.Context, from readablePrivate) (p Record, diags diag.Diagnostics) {
	raw, diags := from.GetKey(ctx, privateKey)
	if len(raw) == 0 {
		return p, diags
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return Record{}, append(diags, DamagedPrivate(err))
	}
	return p, diags
}

// DamagedPrivate returns the error of a private state that cannot be read.
func DamagedPrivate(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Cannot read the private state",
		fmt.Sprintf("The private state of the provider is damaged: %s. Restore the state from a backup; or remove the resource from the state, which leaves the instance in eNMS, and import it again.", err))
}

// write encodes the private state.
func (p Record) write(ctx context.Context, to privateData) (diags diag.Diagnostics) {
	raw, err := json.Marshal(p)
	if err != nil {
		diags.AddError("Cannot store the private state", err.Error())
		return diags
	}
	if string(raw) == "{}" {
		raw = nil // which removes the key
	}
	return to.SetKey(ctx, privateKey, raw)
}
