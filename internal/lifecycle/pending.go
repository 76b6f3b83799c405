// This file holds what is kept of an instance beside its state, in Terraform's
// private state: what this provider manages, and writes of which it is not known
// what became of them.

package lifecycle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// privateState is what is kept of an instance beside its state.
type privateState struct {
	// Managed are the fields that this provider manages, see kind.Managed.
	Managed []string
	// PendingCreate is a creation that may have happened, or happen yet: the next
	// read compares it with what exists.
	PendingCreate *pendingWrite
	// PendingRename is a rename that failed and may have happened, or happen yet:
	// an instance is recognised under its new name only when it is known what else
	// may have changed.
	PendingRename *pendingWrite
	// Imported: of the instance, only the name is known yet.
	Imported bool
}

// pendingWrite is a write whose outcome is not known.
type pendingWrite struct {
	// Sent is the payload without secrets: eNMS answers none to compare them with.
	Sent value.Object `json:"sent"`
	// When it may have happened; zero when that does not matter: a creation that
	// eNMS answered with success, or a rename, which is told by the id.
	When enms.Window `json:"when,omitzero"`
}

// pendingWrite is what is kept of a payload.
func (r *instances) pendingWrite(payload value.Object, when enms.Window) *pendingWrite {
	return &pendingWrite{Sent: r.kind.WithoutSecrets(payload), When: when}
}

// pendingRename is what is kept of an update that failed: nil unless it was a
// rename.
func (r *instances) pendingRename(planned, prior kind.Values) *pendingWrite {
	payload := r.kind.UpdatePayload(nil, planned, prior)
	if _, renaming := payload["new_name"]; !renaming {
		return nil
	}
	return r.pendingWrite(payload, enms.Window{})
}

// sent is the payload of a pending write, nil when there is none.
func (p *pendingWrite) sent() value.Object {
	if p == nil {
		return nil
	}
	return p.Sent
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

// privateField is one field of the private state and the key that it is kept
// under.
type privateField struct {
	key   string
	field any
}

// fields are the fields with their keys, which states of earlier versions hold.
func (p *privateState) fields() []privateField {
	return []privateField{{"set", &p.Managed}, {"uncertain", &p.PendingCreate}, {"attempted", &p.PendingRename}, {"imported", &p.Imported}}
}

// privateReader is Terraform's private state as its requests give it.
type privateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// privateWriter is Terraform's private state as its responses take it.
type privateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// readPrivate decodes the private state. Damage is an error: without what it
// tells, a read could forget an instance, and an update leave values behind.
func readPrivate(ctx context.Context, from privateReader) (p privateState, diags diag.Diagnostics) {
	for _, f := range p.fields() {
		raw, more := from.GetKey(ctx, f.key)
		diags.Append(more...)
		if len(raw) == 0 {
			continue
		}
		if err := json.Unmarshal(raw, f.field); err != nil {
			diags.AddError("Cannot read the private state",
				fmt.Sprintf("What the provider keeps beside the state under %q is damaged: %s. Restore the state from a backup; or remove the resource from the state, which leaves the instance in eNMS, and import it again.", f.key, err))
		}
	}
	return p, diags
}

// write encodes the private state and keeps it.
func (p privateState) write(ctx context.Context, to privateWriter) (diags diag.Diagnostics) {
	for _, f := range p.fields() {
		raw, err := json.Marshal(f.field)
		if err != nil {
			diags.AddError("Cannot keep the private state", err.Error())
			continue
		}
		if text := string(raw); text == "null" || text == "false" {
			raw = nil // which removes the key
		}
		diags.Append(to.SetKey(ctx, f.key, raw)...)
	}
	return diags
}
