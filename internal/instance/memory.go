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

// memory writes a payload down, without secrets: nothing can be compared with
// them, and the state is no place for them.
func (k *Kind) memory(payload enms.Object) []byte {
	kept := enms.Object{}
	for name, x := range payload {
		if !slices.Contains(k.Secrets, name) {
			kept[name] = x
		}
	}
	raw, err := json.Marshal(kept)
	if err != nil {
		return nil
	}
	return raw
}

// recall reads a payload that was written down; nil when there is none.
func (k *Kind) recall(raw []byte) enms.Object {
	var sent enms.Object
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if decoder.Decode(&sent) != nil {
		return nil
	}
	return sent
}

// attempt is what to remember of an update that failed: nil unless it was a
// rename.
func (k *Kind) attempt(planned, prior Values) []byte {
	payload := k.updatePayload(planned, prior)
	if _, renaming := payload["new_name"]; !renaming {
		return nil
	}
	return k.memory(payload)
}

// cameOf tells whether an instance is what a creation that was remembered made:
// of its type, with everything that it sent and nothing else but defaults.
func (k *Kind) cameOf(uncertain []byte, answer enms.Object, state Values) bool {
	sent := k.recall(uncertain)
	if foundType, told := answer["type"]; sent == nil || told && foundType != k.path(state) {
		return false
	}
	further, rows := k.row(rowProperties), map[string]bool{}
	for _, a := range k.Rows() {
		rows[a.property()] = true
	}
	for name, x := range sent {
		if have, answered := answer[name]; answered && !rows[name] && !further.alike(name, x, have, true) {
			return false
		}
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
