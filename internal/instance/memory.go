// This file remembers, beside the state, writes whose outcome could not be
// found out, so that a later read can tell whether what it finds came of them.

package instance

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

const (
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
func (k *Kind) memory(payload enms.Object, when enms.Window) []byte {
	kept := memory{Sent: enms.Object{}, When: when}
	for name, x := range payload {
		if !slices.Contains(k.Secrets, name) {
			kept.Sent[name] = x
		}
	}
	raw, err := json.Marshal(kept)
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
func (k *Kind) attempt(planned, prior Values) []byte {
	payload := k.updatePayload(planned, prior)
	if _, renaming := payload["new_name"]; !renaming {
		return nil
	}
	return k.memory(payload, enms.Window{})
}

// cameOf tells whether an instance is what a creation that was remembered made:
// of its type, written then, with everything that it sent and nothing else but
// defaults.
func (r *instanceResource) cameOf(uncertain []byte, answer enms.Object, state Values) bool {
	remembered := recall(uncertain)
	return (remembered.When.IsZero() || r.provider.Client.Wrote(answer, remembered.When)) &&
		r.kind.holdsAll(remembered.Sent, answer, state)
}

// holdsAll tells whether an instance is of the state's type and holds everything
// that was sent, and nothing else but defaults.
func (k *Kind) holdsAll(sent, answer enms.Object, state Values) bool {
	if foundType, told := answer["type"]; sent == nil || told && foundType != k.path(state) {
		return false
	}
	return k.outcomeOf(sent, answer)
}

// sameFields tells whether further fields are what they were, or what a failed
// rename sent.
func sameFields(now, before tftypes.Value, attempted enms.Object) bool {
	have := fields(now)
	for name, was := range fields(before) {
		sent, attempt := attempted[name]
		if !equalJSON(was, have[name]) && !(attempt && equalJSON(sent, have[name])) {
			return false
		}
	}
	return true
}
