// This file decides whether an instance in eNMS is the outcome of a write, or the instance of a state.

package states

import (
	"strconv"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Extent is how much of a payload must be in its outcome.
type Extent int

// The extents.
const (
	InPart Extent = iota // fields of the table that were sent may be at eNMS's default instead, and properties may have any value
	InFull               // everything that was sent, including properties
)

// MayBeOutcome reports whether an instance may be the outcome of a payload: it has what was sent, to the extent, and
// eNMS's defaults otherwise. Fields that eNMS changes or fills in by itself are ignored.
func MayBeOutcome(k *kind.Kind, payload, answer value.Object, e Extent) bool {
	properties := k.Row(kind.RowProperties)
	for name, sent := range payload {
		_, ofRow := k.Table().ByName[name]
		have, answered := answer[name]
		if e == InFull && answered && !ofRow && !properties.KeepsSent(name, sent, have) {
			return false
		}
	}
	for _, a := range k.Table().Fields {
		x, answered := a.In(answer, a.AnswerField())
		if !answered || a.ReadOnly || a.ChangesOnWrite || a.Automatic != nil {
			continue
		}
		v, err := a.FromAnswer(x)
		if err != nil {
			return false
		}
		sent, wasSent := a.In(payload, a.Name)
		asSent := wasSent && a.Same(v, a.FromJSON(sent))
		byDefault := a.Same(v, a.ResetValue()) || a.Same(v, a.Value(a.Default))
		mayBeDefault := !wasSent || e == InPart
		if !asSent && !(byDefault && mayBeDefault) {
			return false
		}
	}
	return true
}

// CreatedBy reports whether an instance is of the state's type and the full outcome of a payload.
func CreatedBy(k *kind.Kind, sent, answer value.Object, state kind.Values) bool {
	foundType, answered := answer["type"]
	return (!answered || foundType == k.Path(state)) && MayBeOutcome(k, sent, answer, InFull)
}

// SameContent reports whether an answer has the values of the state, or those that a failed
// rename sent. It ignores the id, the name and the attributes that are part of the name or depend on it,
// and relations that searches leave out, because they change when other instances are renamed.
func SameContent(k *kind.Kind, answer value.Object, state kind.Values, renameSent value.Object) bool {
	now, err := Of(k, answer, state)
	if err != nil {
		return false
	}
	if to, has := renameSent["new_name"]; has && to != answer[kind.RowName] {
		renameSent = nil // this instance was not renamed
	}
	for _, a := range k.Table().Content {
		if !isKept(a, now[a.Name], state[a.Name], renameSent) {
			return false
		}
	}
	return true
}

// isKept reports whether an attribute is as before, or as a failed rename sent it.
func isKept(a kind.Attribute, now, before tftypes.Value, renameSent value.Object) bool {
	if a.Same(now, before) {
		return true
	}
	if a.Type == kind.Properties {
		return sameProperties(a, now, before, renameSent)
	}
	sent, wasSent := a.In(renameSent, a.Name)
	return wasSent && a.Same(now, a.FromJSON(sent))
}

// sameProperties reports whether properties are as before, or as a failed rename sent them.
func sameProperties(a kind.Attribute, now, before tftypes.Value, renameSent value.Object) bool {
	have := value.Members(now)
	for name, was := range value.Members(before) {
		sent, wasSent := renameSent[name]
		isAsSent := wasSent && a.KeepsSent(name, sent, have[name])
		if !isAsSent && !value.Equal(was, have[name]) {
			return false
		}
	}
	return true
}

// IsOlder reports whether an instance is older than the one of a state, by their ids: later ids are greater. An older
// one was not created in place of the one in the state, after a rename of that. Ids that are no numbers say nothing.
func IsOlder(id, inState string) bool {
	n, err := strconv.ParseInt(id, 10, 64)
	stateN, stateErr := strconv.ParseInt(inState, 10, 64)
	return err == nil && stateErr == nil && n < stateN
}
