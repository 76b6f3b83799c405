// This file decides whether an instance in eNMS is the outcome of a write.

package states

import (
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
