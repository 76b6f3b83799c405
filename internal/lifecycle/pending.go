// This file remembers, beside the state, writes whose outcome could not be
// found out, so that a later read can tell whether what it finds came of them.

package lifecycle

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// privateState is Terraform's private state as the requests give it.
type privateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// privateStateSetter is Terraform's private state as the responses take it.
type privateStateSetter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

const (
	// setKey is the key of the list of what this provider has set.
	setKey = "set"
	// uncertainKey is the key of Terraform's private state under which the
	// payload of a creation is kept that may have happened. The next read
	// compares it with what exists.
	uncertainKey = "uncertain"
	// attemptedKey is the same for a rename that failed: it may have happened,
	// or happen yet, and an instance is recognised under its new name only when
	// it is known what else may have changed.
	attemptedKey = "attempted"
)

// memories are the payloads that are remembered of an instance, nil when there
// is none.
type memories struct {
	uncertain, attempted []byte
}

// readMemories reads them from the private state.
func readMemories(ctx context.Context, private privateState) (m memories, diags diag.Diagnostics) {
	for key, value := range map[string]*[]byte{uncertainKey: &m.uncertain, attemptedKey: &m.attempted} {
		raw, more := private.GetKey(ctx, key)
		diags.Append(more...)
		*value = raw
	}
	return m, diags
}

// memory is what is kept of a write.
type memory struct {
	// Sent is the payload, without secrets: nothing can be compared with them,
	// and the state is no place for them.
	Sent enms.Object `json:"sent"`
	// When it may have happened; zero when any time will do.
	When enms.Window `json:"when,omitzero"`
}

// memory writes a payload down.
func (r *instances) memory(payload enms.Object, when enms.Window) []byte {
	raw, err := json.Marshal(memory{Sent: r.kind.WithoutSecrets(payload), When: when})
	if err != nil {
		return nil
	}
	return raw
}

// recall reads a payload that was written down; nil when there is none.
func recall(raw []byte) (m memory) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if decoder.Decode(&m) != nil {
		return memory{}
	}
	return m
}

// attempt is what to remember of an update that failed: nil unless it was a
// rename.
func (r *instances) attempt(planned, prior kind.Values) []byte {
	payload := r.kind.UpdatePayload(planned, prior)
	if _, renaming := payload["new_name"]; !renaming {
		return nil
	}
	return r.memory(payload, enms.Window{})
}

// cameOf tells whether an instance is what a creation that was remembered made:
// of its type, written then, with everything that it sent and nothing else but
// defaults.
func (r *instances) cameOf(uncertain []byte, answer enms.Object, state kind.Values) bool {
	remembered := recall(uncertain)
	return (remembered.When.IsZero() || r.provider.Client.Wrote(answer, remembered.When)) &&
		r.kind.CreatedBy(remembered.Sent, answer, state)
}

// readSet is the list of what this provider has set, empty for an instance that
// was just imported.
func readSet(ctx context.Context, private privateState) ([]string, diag.Diagnostics) {
	raw, diags := private.GetKey(ctx, setKey)
	var set []string
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &set); err != nil {
			diags.AddError("Cannot read the private state", "The list of attributes that were set is damaged: "+err.Error())
		}
	}
	return set, diags
}

// keepSet keeps a list.
func keepSet(ctx context.Context, private privateStateSetter, set []string) diag.Diagnostics {
	raw, err := json.Marshal(set)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic("Cannot keep the private state", err.Error())}
	}
	return private.SetKey(ctx, setKey, raw)
}
