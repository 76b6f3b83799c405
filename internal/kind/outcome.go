// This file tells whether an instance that eNMS answers is what a payload made of
// it, or what the state holds.

package kind

import (
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// OutcomeOf tells whether an instance may be what a payload made, in full or in
// part: each field of the kind's table that it holds is as it was sent, or eNMS's
// default.
func (k *Kind) OutcomeOf(payload, answer value.Object) bool {
	return k.outcomeOf(payload, answer, false)
}

// outcomeOf is OutcomeOf; full demands that what was sent is there.
func (k *Kind) outcomeOf(payload, answer value.Object, full bool) bool {
	for _, a := range k.rows().fields {
		x, answered := answer[a.readFrom()]
		if !answered || a.ReadOnly || a.ChangesOnWrite || a.Automatic != nil || a.Type == Criteria {
			continue
		}
		v, err := a.fromAnswer(x)
		if err != nil {
			return false
		}
		sent, wasSent := payload[a.Name]
		asSent := wasSent && a.same(v, a.sentValue(sent))
		byDefault := a.same(v, a.resetValue()) || a.same(v, a.Value(a.Default))
		if !asSent && (!byDefault || wasSent && full) {
			return false
		}
	}
	return true
}

// FullOutcomeOf tells whether an instance may be what a payload made in full: what
// was sent, further fields included, is there, and nothing else but defaults.
func (k *Kind) FullOutcomeOf(payload, answer value.Object) bool {
	further := k.row(RowProperties)
	for name, sent := range payload {
		_, ofRow := k.rows().byName[name]
		if have, answered := answer[name]; answered && !ofRow && !further.field(name, true).Keeps(sent, have) {
			return false
		}
	}
	return k.outcomeOf(payload, answer, true)
}

// sentValue is the value of what a payload holds for the attribute; payloads
// that were remembered have been through JSON.
func (a Attribute) sentValue(sent any) tftypes.Value {
	if n, ok := sent.(int); ok {
		return a.Value(n)
	}
	v, err := a.fromAnswer(sent)
	if err != nil {
		return a.null()
	}
	return v
}

// CreatedBy tells whether an instance is of the state's type and holds everything
// that was sent, and nothing else but defaults.
func (k *Kind) CreatedBy(sent, answer value.Object, state Values) bool {
	if foundType, told := answer["type"]; sent == nil || told && foundType != k.Path(state) {
		return false
	}
	return k.FullOutcomeOf(sent, answer)
}

// SameContent tells whether an answer holds what the state holds, apart from
// the name, what it is made of and what follows from it, or what an attempt to
// give it another name sent. Relations are left out, because they change with
// the names of others, but for those that every answer holds.
func (k *Kind) SameContent(answer value.Object, state Values, renameSent value.Object) bool {
	now, err := k.State(answer, state)
	if err != nil {
		return false
	}
	if to, has := renameSent["new_name"]; has && to != answer[RowName] {
		renameSent = nil
	}
	for _, a := range k.rows().content {
		sent, was := renameSent[a.Name]
		switch {
		case a.same(now[a.Name], state[a.Name]):
		case a.Type == Fields && a.sameMembers(now[a.Name], state[a.Name], renameSent):
		case a.Type == Fields, !was, !a.same(now[a.Name], a.sentValue(sent)):
			return false
		}
	}
	return true
}

// sameMembers tells whether further fields are what they were, or what a failed
// rename sent.
func (a Attribute) sameMembers(now, before tftypes.Value, renameSent value.Object) bool {
	have := value.Members(now)
	for name, was := range value.Members(before) {
		sent, attempt := renameSent[name]
		if !value.Equal(was, have[name]) && !(attempt && a.field(name, true).Keeps(sent, have[name])) {
			return false
		}
	}
	return true
}
