// This file compares an instance with its plan after a write.

package states

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Deviation is an attribute whose value in eNMS differs from the plan after a write.
type Deviation struct {
	Attribute string // the name of the attribute in Terraform
	Field     string // the name of the field in eNMS
	Absent    bool   // eNMS has no such field
	Member    string // the member of the attribute that deviates, or "" for the whole attribute
}

// Deviations compares the state after a write with the plan. sent is the payload, and existed says that it was an
// update. It returns the state to store: values that eNMS may change at any write, relations that an update did not
// send, and what it did not send and nobody configures, are as planned, until the next read; values of fields that eNMS
// does not have are null, but for the default of an attribute, which a creation sends without being asked to.
func Deviations(k *kind.Kind, answer, sent value.Object, state, config, planned kind.Values, existed bool) (kind.Values, []Deviation) {
	kept, deviations := maps.Clone(state), []Deviation(nil)
	for _, a := range k.Table().Remote {
		plan := planned[a.Name]
		if !plan.IsFullyKnown() {
			continue
		}
		absent := absentCriteria(a, answer, plan)
		for _, property := range absent {
			deviations = append(deviations, Deviation{Attribute: a.Name, Field: a.Prefix + property, Absent: true, Member: property})
		}
		_, held := answer[a.AnswerField()]
		_, wasSent := sent[a.Name]
		ofOthers := existed && !wasSent && othersMayChange(a, config)
		differs := !value.Same(state[a.Name], plan) && len(absent) == 0 // absent criteria are in the list already
		byDefault, certain := a.PlannedDefault()
		switch {
		case certain && !held && value.Same(plan, byDefault):
			kept[a.Name] = plan
		case wasSent && !held && a.Role == kind.Field && a.InSearch():
			kept[a.Name] = a.Null()
			deviations = append(deviations, Deviation{Attribute: a.Name, Field: a.AnswerField(), Absent: true})
		case a.ChangesOnWrite || ofOthers:
			kept[a.Name] = plan
		case differs:
			deviations = append(deviations, Deviation{Attribute: a.Name, Field: a.AnswerField()})
		}
	}
	return kept, deviations
}

// othersMayChange reports whether a value that an update did not send may be another one than planned: somebody else has
// changed it since the plan, which may be hours old. A relation to many is also changed at its other end.
func othersMayChange(a kind.Attribute, config kind.Values) bool {
	return a.Type == kind.Many && a.IsRelation() || config[a.Name].IsNull() && a.Role == kind.Field && !a.Derived
}

// Missing returns the planned properties that are missing in an answer, except for secrets.
func Missing(k *kind.Kind, answer value.Object, planned kind.Values) []string {
	missing := value.Members(planned[kind.RowProperties])
	maps.DeleteFunc(missing, func(name string, _ any) bool {
		_, answered := answer[name]
		return answered || k.IsSecret(name)
	})
	return slices.Sorted(maps.Keys(missing))
}

// UnknownRelation reports whether the plan contains an unknown relation that searches do not return.
func UnknownRelation(k *kind.Kind, planned kind.Values) bool {
	return slices.ContainsFunc(k.Table().Unsearched, func(a kind.Attribute) bool { return !planned[a.Name].IsKnown() })
}

// DoubtfulRelations returns the planned relations that searches do not return and of which eNMS may write others
// than were sent: those that it also fills in by itself (Automatic), such as rights that the user cannot give
// (enms-rest.md 6.3).
func DoubtfulRelations(k *kind.Kind, planned kind.Values) (relations []object.Relation) {
	for _, a := range k.Table().Unsearched {
		if a.Automatic != nil && !planned[a.Name].IsNull() {
			relations = append(relations, relationOf(a, planned[a.Name]))
		}
	}
	return relations
}

// Unwritten returns a plan with the prior versions of secrets and the prior values of properties that an answer lacks:
// nothing shows whether a failed update has written these.
func Unwritten(k *kind.Kind, answer value.Object, planned, prior kind.Values) kind.Values {
	before, members := value.Members(prior[kind.RowProperties]), map[string]any{}
	for name, x := range value.Members(planned[kind.RowProperties]) {
		was, had := before[name]
		if _, answered := answer[name]; answered {
			members[name] = x
		} else if had {
			members[name] = was
		}
	}
	state := maps.Clone(planned)
	if !planned[kind.RowProperties].IsNull() {
		state[kind.RowProperties] = value.FromJSON(members)
	}
	for _, a := range k.Table().Secrets {
		version := a.VersionName()
		state[version] = prior[version]
		if !prior[version].IsKnown() { // an adopted instance
			state[version] = k.Row(version).Null()
		}
	}
	return state
}

// Known returns the plan, with the prior values in place of unknown ones.
func Known(planned, prior kind.Values) kind.Values {
	state := maps.Clone(planned)
	for name, v := range planned {
		if !v.IsFullyKnown() {
			state[name] = prior[name]
		}
	}
	return state
}

// absentCriteria returns the planned properties for which an answer has no criterion.
func absentCriteria(a kind.Attribute, answer value.Object, planned tftypes.Value) []string {
	if a.Type != kind.Criteria {
		return nil
	}
	var absent []string
	for property := range kind.CriteriaIn(planned) {
		if _, held := answer[a.Prefix+property+kind.MatchSuffix]; !held {
			absent = append(absent, property)
		}
	}
	slices.Sort(absent)
	return absent
}

// WithoutLeftOut returns the state after an update without the values that the import of the instance left
// out, because Terraform accepts only the planned value, which is null. The next read adds them.
func WithoutLeftOut(k *kind.Kind, state, planned kind.Values) kind.Values {
	kept := maps.Clone(state)
	for _, a := range k.Table().Fields {
		v := planned[a.Name]
		isPlannedNull := v.Type() != nil && v.IsNull()
		if isPlannedNull && (a.Type == kind.Text || a.Type == kind.Number) {
			kept[a.Name] = a.Null()
		}
	}
	return kept
}

// WithPlannedCriteria returns the state of an adopted instance without the criteria that the plan
// of the creation does not have. The next read returns them.
func WithPlannedCriteria(k *kind.Kind, state, planned kind.Values) kind.Values {
	state = maps.Clone(state)
	for _, a := range k.Table().Criteria {
		_, inState := state[a.Name]
		if inState && planned[a.Name].IsNull() {
			state[a.Name] = a.Null()
		}
	}
	return state
}
