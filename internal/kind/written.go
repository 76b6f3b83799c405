// This file compares what eNMS holds after a write with what was planned and sent.

package kind

import (
	"maps"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Deviation is an attribute of which eNMS holds another value after a write than
// was planned.
type Deviation struct {
	// Attribute is its name in Terraform.
	Attribute string
	// Field is its name in eNMS.
	Field string
	// Absent: eNMS holds no such field at all.
	Absent bool
	// Member is the member of the attribute that deviates, "" for all of it.
	Member string
}

// Deviations compares the state after a write with the plan, and gives the state
// to keep: what eNMS may change at any write is taken as planned, because the
// next read tells, and what it does not have is null.
func (k *Kind) Deviations(answer, sent value.Object, state, planned Values) (Values, []Deviation) {
	kept, deviations := maps.Clone(state), []Deviation(nil)
	for _, a := range k.rows().remote {
		plan := planned[a.Name]
		if !plan.IsFullyKnown() {
			continue
		}
		_, held := answer[a.readFrom()]
		_, wanted := sent[a.Name]
		for _, property := range a.absentCriteria(answer, plan) {
			deviations = append(deviations, Deviation{Attribute: a.Name, Field: a.Prefix + property, Absent: true, Member: property})
		}
		switch {
		case wanted && !held && a.Role == Field && a.inSearch():
			kept[a.Name] = a.null()
			deviations = append(deviations, Deviation{Attribute: a.Name, Field: a.readFrom(), Absent: true})
		case state[a.Name].Equal(plan):
		case a.ChangesOnWrite:
			kept[a.Name] = plan
		default:
			deviations = append(deviations, Deviation{Attribute: a.Name, Field: a.readFrom()})
		}
	}
	return kept, deviations
}

// Missing are the further fields of the plan that an answer does not hold,
// secrets apart.
func (k *Kind) Missing(answer value.Object, planned Values) []string {
	var missing []string
	for name := range value.Members(planned[RowProperties]) {
		if _, answered := answer[name]; !answered && !k.isSecret(name) {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	return missing
}

// UnknownRelation tells whether the plan leaves a relation to eNMS that only a
// single GET answers.
func (k *Kind) UnknownRelation(planned Values) bool {
	return slices.ContainsFunc(k.rows().unsearched, func(a Attribute) bool { return !planned[a.Name].IsKnown() })
}

// Doubtful tells whether the plan holds a relation that eNMS may pass over without a
// word, as it does with the rights that a user may not give (enms-rest.md 6.3).
func (k *Kind) Doubtful(planned Values) bool {
	return slices.ContainsFunc(k.rows().unsearched, func(a Attribute) bool { return a.Automatic != nil && !planned[a.Name].IsNull() })
}

// Unwritten is a plan of which nothing is taken for written that eNMS does not
// answer, such as a secret: of further fields, those are as they were before.
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
	return state
}

// Known fills what the plan left open with what the state had.
func Known(planned, prior Values) Values {
	state := Values{}
	for name, v := range planned {
		if v.IsFullyKnown() {
			state[name] = v
		} else {
			state[name] = prior[name]
		}
	}
	return state
}
