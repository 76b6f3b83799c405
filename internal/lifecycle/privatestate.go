// This file holds what is kept beside the state of an instance, in Terraform's private
// state: the managed attributes, and pending writes, whose outcome is not known.

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

// privateKey is the key in Terraform's private state of what is kept beside an instance.
const privateKey = "instance"

// Record is what is kept beside the state of an instance.
type Record struct {
	Managed []string `json:"managed,omitzero"` // the list that kind.Managed makes
	// PendingCreate is a creation that may have happened, or may happen yet: the next
	// read compares it with what exists.
	PendingCreate *pendingWrite `json:"pending_create,omitempty"`
	// PendingRename is a rename that failed and may have happened, or may happen yet:
	// the next read recognises the instance by what it sent.
	PendingRename *pendingWrite `json:"pending_rename,omitempty"`
	Imported      bool          `json:"imported,omitempty"` // only the name of the instance is known
	// Unfinished are consequences of updates that eNMS was not had to draw: the next
	// apply has it do so. Nil when there are none.
	Unfinished *unfinished `json:"unfinished,omitempty"`
	// PossibleName is the name of what has the instance's id while eNMS finds nothing by
	// its own name. Its content is another one: an apply that was interrupted after it had
	// renamed and changed the instance leaves that, and so does eNMS when it gives the id
	// of a deleted instance to a new one. If the plan gives this name, it is the former.
	PossibleName string `json:"possible_name,omitempty"`
	// PossibleID is, where the state is that of what has the instance's name by now, the id
	// that the state had before, which is that of PossibleName.
	PossibleID string `json:"possible_id,omitempty"`

	// Adopted reports, of a creation, whether it took over an existing instance, as the
	// configuration asks for. It is not kept.
	Adopted bool `json:"-"`
}

// Pending reports whether a write is pending, or what follows from one, or whether it takes a
// plan to say what became of the instance.
func (p Record) Pending() bool {
	return p.PendingCreate != nil || p.PendingRename != nil || p.Unfinished != nil || p.PossibleName != ""
}

// IsGone reports whether a read found nothing but another name and another content under
// the id of an instance, and the plan does not give it that name: then the instance was
// deleted, and eNMS gave its id to another one.
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

// unfinished are consequences that are still to be drawn.
type unfinished struct {
	Recompute bool           `json:"recompute,omitempty"` // what depends on the instance is to be computed
	Refresh   []kind.Related `json:"refresh,omitempty"`   // instances that are to be written again
}

// pendingWrite is a write whose outcome is not known.
type pendingWrite struct {
	Sent value.Object `json:"sent"` // the payload without secrets, which eNMS never answers
	// When it may have happened; zero when that does not matter: for a creation that
	// eNMS answered with success, and for a rename, which is recognised by the id.
	When enms.Window `json:"when,omitzero"`
}

// pendingRename makes a pending write of an update that failed, nil unless it was a
// rename.
func (r *Instances) pendingRename(planned, prior kind.Values) *pendingWrite {
	payload := r.kind.UpdatePayload(nil, planned, prior)
	if _, renaming := payload["new_name"]; !renaming {
		return nil
	}
	return &pendingWrite{Sent: r.kind.WithoutSecrets(payload, nil)}
}

// UnmarshalJSON refuses a pending write without a payload.
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

// GetKey returns the field with a key, nil when there is none.
func (f privateFields) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) {
	return f[key], nil
}

// readRecord decodes the private state. Damage is an error: without what it holds, a
// read could forget an instance, and an update could leave values behind.
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
