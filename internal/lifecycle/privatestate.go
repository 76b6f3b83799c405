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

// privateState is what is kept beside the state of an instance.
type privateState struct {
	Managed []string // the list that kind.Managed makes
	// PendingCreate is a creation that may have happened, or may happen yet: the next
	// read compares it with what exists.
	PendingCreate *pendingWrite
	// PendingRename is a rename that failed and may have happened, or may happen yet:
	// the next read recognises the instance by what it sent.
	PendingRename *pendingWrite
	Imported      bool // only the name of the instance is known
	// Unfinished are consequences of updates that eNMS was not had to draw: the next
	// apply has it do so. Nil when there are none.
	Unfinished *unfinished
	// PossibleName is the name of what has the instance's id while eNMS finds nothing by
	// its own name. Its content is another one: an apply that was interrupted after it had
	// renamed and changed the instance leaves that, and so does eNMS when it gives the id
	// of a deleted instance to a new one. If the plan gives this name, it is the former.
	PossibleName string
	// PossibleID is, where the state is that of what has the instance's name by now, the id
	// that the state had before, which is that of PossibleName.
	PossibleID string

	// adopted says, of a creation, that it took over an existing instance, as the
	// configuration asks for. It is not kept.
	adopted bool
}

// known is the state that Many.Known returns.
func (p privateState) known(planned string, state kind.Values) kind.Values {
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
func (r *instances) pendingRename(planned, prior kind.Values) *pendingWrite {
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

// privateField is a field of the private state and its key there.
type privateField struct {
	key   string
	field any
}

// encode encodes the field; nil when it says nothing.
func (f privateField) encode() (json.RawMessage, error) {
	raw, err := json.Marshal(f.field)
	if text := string(raw); text == "null" || text == "false" || text == `""` {
		return nil, err
	}
	return raw, err
}

// fields are the fields with the keys that states of earlier versions hold.
func (p *privateState) fields() []privateField {
	return []privateField{{"set", &p.Managed}, {"uncertain", &p.PendingCreate}, {"attempted", &p.PendingRename}, {"imported", &p.Imported}, {"unfinished", &p.Unfinished},
		{"possible_name", &p.PossibleName}, {"possible_id", &p.PossibleID}}
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

// readPrivate decodes the private state. Damage is an error: without what it holds, a
// read could forget an instance, and an update could leave values behind.
func readPrivate(ctx context.Context, from readablePrivate) (p privateState, diags diag.Diagnostics) {
	for _, f := range p.fields() {
		raw, more := from.GetKey(ctx, f.key)
		diags.Append(more...)
		if len(raw) == 0 {
			continue
		}
		if err := json.Unmarshal(raw, f.field); err != nil {
			diags.Append(damagedPrivate(fmt.Sprintf("under %q ", f.key), err))
		}
	}
	return p, diags
}

// damagedPrivate is the error of a private state that cannot be read, or of what it holds
// under a key.
func damagedPrivate(under string, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Cannot read the private state",
		fmt.Sprintf("What the provider keeps beside the state %sis damaged: %s. Restore the state from a backup; or remove the resource from the state, which leaves the instance in eNMS, and import it again.", under, err))
}

// write encodes the private state.
func (p privateState) write(ctx context.Context, to privateData) (diags diag.Diagnostics) {
	for _, f := range p.fields() {
		raw, err := f.encode()
		if err != nil {
			diags.AddError("Cannot keep the private state", err.Error())
			continue
		}
		diags.Append(to.SetKey(ctx, f.key, raw)...) // nil removes the key
	}
	return diags
}
