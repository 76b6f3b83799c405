// This file compares an instance in eNMS with what was sent, planned, or in the state.

package kind

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/instance"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// OutcomeOf reports whether an instance may be the outcome of a payload, in full or in part:
// each field of the kind's table is as it was sent, or at eNMS's default.
func (k *Kind) OutcomeOf(payload, answer value.Object) bool {
	return k.outcomeOf(payload, answer, false)
}

// outcomeOf is OutcomeOf. If full is true, each field that was sent must be as it was sent.
func (k *Kind) outcomeOf(payload, answer value.Object, full bool) bool {
	for _, a := range k.rows().fields {
		x, answered := a.in(answer, a.readFrom())
		if !answered || a.ReadOnly || a.ChangesOnWrite || a.Automatic != nil {
			continue
		}
		v, err := a.fromAnswer(x)
		if err != nil {
			return false
		}
		sent, wasSent := a.in(payload, a.Name)
		asSent := wasSent && a.same(v, a.FromJSON(sent))
		byDefault := a.same(v, a.resetValue()) || a.same(v, a.Value(a.Default))
		if !asSent && (!byDefault || wasSent && full) {
			return false
		}
	}
	return true
}

// FullOutcomeOf reports whether an instance may be the full outcome of a payload: it has
// everything that was sent, including properties, and eNMS's defaults otherwise.
func (k *Kind) FullOutcomeOf(payload, answer value.Object) bool {
	properties := k.row(RowProperties)
	for name, sent := range payload {
		_, ofRow := k.rows().byName[name]
		if have, answered := answer[name]; answered && !ofRow && !properties.comparison(name, true).Keeps(sent, have) {
			return false
		}
	}
	return k.outcomeOf(payload, answer, true)
}

// FromJSON converts a value in a payload to the attribute's type. The payload may come from the
// private state, and so from JSON.
func (a Attribute) FromJSON(sent any) tftypes.Value {
	if n, ok := sent.(int); ok {
		return a.Value(n)
	}
	v, err := a.fromAnswer(sent)
	if err != nil {
		return a.null()
	}
	return v
}

// CreatedBy reports whether an instance is of the state's type and the full outcome of a
// payload.
func (k *Kind) CreatedBy(sent, answer value.Object, state Values) bool {
	foundType, answered := answer["type"]
	return (!answered || foundType == k.Path(state)) && k.FullOutcomeOf(sent, answer)
}

// SameContent reports whether an answer has the values of the state, or those that a failed
// rename sent. It ignores the id, the name and the attributes that are part of the name or depend on it,
// and relations that searches leave out, because they change when other instances are renamed.
func (k *Kind) SameContent(answer value.Object, state Values, renameSent value.Object) bool {
	now, err := k.State(answer, state)
	if err != nil {
		return false
	}
	if to, has := renameSent["new_name"]; has && to != answer[RowName] {
		renameSent = nil
	}
	for _, a := range k.rows().content {
		sent, wasSent := a.in(renameSent, a.Name)
		switch {
		case a.same(now[a.Name], state[a.Name]):
		case a.Type == Properties && a.sameProperties(now[a.Name], state[a.Name], renameSent):
		case a.Type == Properties, !wasSent, !a.same(now[a.Name], a.FromJSON(sent)):
			return false
		}
	}
	return true
}

// sameProperties reports whether properties are as before, or as a failed rename sent them.
func (a Attribute) sameProperties(now, before tftypes.Value, renameSent value.Object) bool {
	have := value.Members(now)
	for name, was := range value.Members(before) {
		sent, wasSent := renameSent[name]
		if !value.Equal(was, have[name]) && !(wasSent && a.comparison(name, true).Keeps(sent, have[name])) {
			return false
		}
	}
	return true
}

// Deviation is an attribute whose value in eNMS differs from the plan after a write.
type Deviation struct {
	Attribute string // the name of the attribute in Terraform
	Field     string // the name of the field in eNMS
	Absent    bool   // eNMS has no such field
	Member    string // the member of the attribute that deviates, or "" for the whole attribute
}

// Deviations compares the state after a write with the plan. It returns the state to store:
// values that eNMS may change at any write are as planned, until the next read, and values of
// fields that eNMS does not have are null.
func (k *Kind) Deviations(answer, sent value.Object, state, planned Values) (Values, []Deviation) {
	kept, deviations := maps.Clone(state), []Deviation(nil)
	for _, a := range k.rows().remote {
		plan := planned[a.Name]
		if !plan.IsFullyKnown() {
			continue
		}
		absent := a.absentCriteria(answer, plan)
		for _, property := range absent {
			deviations = append(deviations, Deviation{Attribute: a.Name, Field: a.Prefix + property, Absent: true, Member: property})
		}
		_, held := answer[a.readFrom()]
		_, wasSent := sent[a.Name]
		switch {
		case wasSent && !held && a.Role == Field && a.inSearch():
			kept[a.Name] = a.null()
			deviations = append(deviations, Deviation{Attribute: a.Name, Field: a.readFrom(), Absent: true})
		case state[a.Name].Equal(plan), len(absent) > 0:
		case a.ChangesOnWrite:
			kept[a.Name] = plan
		default:
			deviations = append(deviations, Deviation{Attribute: a.Name, Field: a.readFrom()})
		}
	}
	return kept, deviations
}

// Missing returns the planned properties that are missing in an answer, except for secrets.
func (k *Kind) Missing(answer value.Object, planned Values) []string {
	missing := value.Members(planned[RowProperties])
	maps.DeleteFunc(missing, func(name string, _ any) bool {
		_, answered := answer[name]
		return answered || k.isSecret(name)
	})
	return slices.Sorted(maps.Keys(missing))
}

// UnknownRelation reports whether the plan contains an unknown relation that only a GET returns.
func (k *Kind) UnknownRelation(planned Values) bool {
	return slices.ContainsFunc(k.rows().unsearched, func(a Attribute) bool { return !planned[a.Name].IsKnown() })
}

// DoubtfulRelations returns the planned relations that eNMS may ignore, as it does with the
// rights that a user may not give (enms-rest.md 6.3).
func (k *Kind) DoubtfulRelations(planned Values) (relations []instance.Relation) {
	for _, a := range k.rows().unsearched {
		if a.Automatic != nil && !planned[a.Name].IsNull() {
			relations = append(relations, a.expected(planned[a.Name]))
		}
	}
	return relations
}

// Unwritten returns a plan with the prior values of whatever eNMS does not return: versions of
// secrets, and some properties.
func (k *Kind) Unwritten(answer value.Object, planned, prior Values) Values {
	before, members := value.Members(prior[RowProperties]), map[string]any{}
	for name, x := range value.Members(planned[RowProperties]) {
		was, had := before[name]
		if _, answered := answer[name]; answered {
			members[name] = x
		} else if had {
			members[name] = was
		}
	}
	state := maps.Clone(planned)
	if !planned[RowProperties].IsNull() {
		state[RowProperties] = value.FromJSON(members)
	}
	for _, a := range k.rows().secrets {
		if state[a.versionName()] = prior[a.versionName()]; !prior[a.versionName()].IsKnown() { // an adopted instance
			state[a.versionName()] = k.row(a.versionName()).null()
		}
	}
	return state
}

// Known returns the plan, with the values of the state in place of unknown ones.
func Known(planned, prior Values) Values {
	state := maps.Clone(planned)
	for name, v := range planned {
		if !v.IsFullyKnown() {
			state[name] = prior[name]
		}
	}
	return state
}
