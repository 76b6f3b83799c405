// This file makes the payloads of writes from plans, and the searches that try criteria before a
// write.

package kind

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// CreatePayload returns the payload that creates an instance: configured values, those that
// follow from the name, and values that replace defaults of eNMS that do not work or that eNMS's
// own forms never use. Values that eNMS would overwrite are in SecondPayload.
func (k *Kind) CreatePayload(config, planned Values) value.Object {
	payload := k.AdoptPayload(config, planned)
	for _, a := range k.rows().sent {
		if _, sent := payload[a.Name]; !sent && a.OnCreate != nil {
			payload[a.Name] = a.OnCreate
		}
		if a.AfterCreate {
			delete(payload, a.Name)
		}
	}
	for _, a := range k.rows().holds {
		if _, sent := payload[a.Holds.Relation]; !sent && isTrue(planned[a.Name]) {
			payload[a.Holds.Relation] = append(slices.Clone(a.Holds.Fresh), a.Holds.Member)
		}
	}
	further, _ := k.rows().further.of(k.Path(planned))
	for name, a := range further {
		if _, sent := payload[name]; !sent && a.OnCreate != nil {
			payload[name] = a.OnCreate
		}
	}
	return payload
}

// SecondPayload returns the payload that follows a creation, with the configured values that
// eNMS has overwritten. It is nil if there are none.
func (k *Kind) SecondPayload(config, planned Values) value.Object {
	payload := k.payload(planned, nil, func(a Attribute) bool { return a.AfterCreate && !config[a.Name].IsNull() })
	if len(payload) == 0 {
		return nil
	}
	maps.Copy(payload, k.payload(planned, nil, func(a Attribute) bool { return a.Role == Key || a.Derived }))
	return payload
}

// SecondRelated returns the instances that SecondPayload refers to, by attribute.
func (k *Kind) SecondRelated(config, planned Values) map[string]Related {
	related := map[string]Related{}
	for _, a := range k.rows().relations {
		if names := value.Names(planned[a.Name]); a.AfterCreate && !config[a.Name].IsNull() && len(names) > 0 {
			related[a.Name] = Related{Type: a.Of, Names: names}
		}
	}
	return related
}

// WithoutSecond returns the plan without the values that SecondPayload sends.
func (k *Kind) WithoutSecond(planned Values) Values {
	without := maps.Clone(planned)
	for _, a := range k.rows().sent {
		if a.AfterCreate {
			without[a.Name] = a.unknown()
		}
	}
	return without
}

// AdoptPayload returns the payload that adopts an existing instance: configured values, and
// those that follow from the name.
func (k *Kind) AdoptPayload(config, planned Values) value.Object {
	payload := k.payload(planned, nil, func(a Attribute) bool {
		return a.Role == Key || a.Derived || !config[a.Name].IsNull()
	})
	maps.Copy(payload, k.secrets(config, nil))
	return payload
}

// UpdatePayload returns the payload that changes an existing instance: its current name, the new
// name if there is one, and the changed values. It is nil if nothing changes. Attributes that the
// name depends on are always sent, because eNMS composes the name at every write (enms-rest.md
// 1.5). Configured strings of several lines are sent, too, unless only relations change, because
// the state does not show whether eNMS has other line ends.
func (k *Kind) UpdatePayload(config, planned, prior Values) value.Object {
	payload := k.payload(planned, prior, func(a Attribute) bool {
		return a.Role != Key && !planned[a.Name].Equal(prior[a.Name])
	})
	maps.Copy(payload, k.secrets(config, prior))
	from, to := value.Text(prior[RowName]), value.Text(planned[RowName])
	if from != to {
		payload["new_name"] = to
	}
	if len(payload) == 0 {
		return nil
	}
	if !k.OnlyRelations(payload, planned, prior) {
		maps.Copy(payload, k.severalLines(config))
	}
	maps.Copy(payload, k.payload(planned, prior, isDerived))
	for _, a := range k.rows().relations {
		if _, sent := payload[a.Name]; sent && len(value.Names(planned[a.Name])) == 0 {
			for _, field := range a.EmptiedWith {
				payload[field] = []any{}
			}
		}
	}
	payload[RowName] = from
	return payload
}

// severalLines returns the configured fields with strings of several lines. Criteria, which are
// single lines, and secrets are left out.
func (k *Kind) severalLines(config Values) value.Object {
	fields := value.Object{}
	for _, a := range k.rows().sent {
		switch v := config[a.Name]; {
		case a.Role != Field || v.Type() == nil || v.IsNull() || !v.IsFullyKnown():
		case a.Type == Properties:
			for name, x := range value.Members(v) {
				if value.HasLineEnd(x) {
					fields[name] = x
				}
			}
		case a.Type == Text || a.Type == JSON:
			if x := value.ToJSON(v); value.HasLineEnd(x) {
				fields[a.Name] = x
			}
		}
	}
	return fields
}

// EmptyPayload returns the payload that empties relations before an existing instance is
// deleted, or nil if there are none.
func (k *Kind) EmptyPayload(state Values) value.Object {
	payload := value.Object{}
	for _, a := range k.rows().fields {
		if a.EmptyFirst {
			payload[a.Name] = value.ToJSON(a.resetValue())
		}
	}
	if len(payload) == 0 {
		return nil
	}
	payload[RowName] = value.Text(state[RowName])
	return payload
}

// Renaming returns a payload as it is sent: with the id and the new name in place of the old
// name for a kind that is renamed by id.
func (k *Kind) Renaming(payload value.Object, prior Values) value.Object {
	to, renaming := payload["new_name"]
	if !k.RenameByID || !renaming {
		return payload
	}
	byID := maps.Clone(payload)
	delete(byID, "new_name")
	byID[RowID], byID[RowName] = json.Number(value.Text(prior[RowID])), to
	return byID
}

// DisablePayload returns the payload that disables an existing instance (Off).
func (k *Kind) DisablePayload(state Values) value.Object {
	payload := k.payload(state, nil, isDerived)
	payload[RowName] = value.Text(state[RowName])
	maps.Copy(payload, k.Off)
	return payload
}

func isDerived(a Attribute) bool { return a.Derived }

// payload returns the fields of the included attributes, and of properties only those that differ
// from the prior ones. Null is sent only to unset a relation to one (enms-rest.md 9, 6);
// attributes that eNMS fills in by itself are emptied instead.
func (k *Kind) payload(values, prior Values, included func(Attribute) bool) value.Object {
	payload := value.Object{}
	for _, a := range k.rows().sent {
		v := values[a.Name]
		switch {
		case !included(a) || !v.IsFullyKnown():
		case a.Type == Properties:
			maps.Copy(payload, a.changedProperties(v, prior[a.Name]))
		case a.Type == Criteria:
			maps.Copy(payload, a.criteriaPayload(v, prior[a.Name]))
		case !v.IsNull():
			payload[a.Name] = value.ToJSON(v)
		case a.Automatic != nil && !a.AfterCreate:
			payload[a.Name] = value.ToJSON(a.resetValue())
		case a.IDField != "":
			payload[a.IDField] = nil
		}
	}
	return payload
}

// Trial is a criterion to be written that some databases cannot evaluate.
type Trial struct {
	Attribute, Property string
	Criterion           Criterion
	Type                string       // the type of the instances to search
	Search              value.Object // the criterion as a search expects it (enms-rest.md 5.2)
}

// Trials returns the criteria of a plan that are neither in the state nor known to work on
// every database. prior is nil for a creation.
func (k *Kind) Trials(planned, prior Values) (trials []Trial) {
	for _, a := range k.rows().criteria {
		want, have := knownCriteria(planned[a.Name]), map[string]Criterion{}
		if prior != nil {
			have = knownCriteria(prior[a.Name])
		}
		for _, property := range slices.Sorted(maps.Keys(want)) {
			c := want[property]
			if held, has := have[property]; has && held == c || !c.condition() || a.Portable(property, c) {
				continue
			}
			trials = append(trials, Trial{Attribute: a.Name, Property: property, Criterion: c, Type: a.Compares,
				Search: value.Object{property: c.Value, property + FilterSuffix: c.Match}})
		}
	}
	return trials
}

// UnknownCriterion is a planned criterion on a property that neither the table nor the state has.
type UnknownCriterion struct {
	Attribute, Property string
	Nearest             string       // the most similar property of the table, or ""
	Search              value.Object // what no instance of the kind meets, and what eNMS ignores if it does not have the criterion
}

// UnknownCriteria returns the criteria of a plan that eNMS may not have. prior is nil for a
// creation.
func (k *Kind) UnknownCriteria(planned, prior Values) (unknown []UnknownCriterion) {
	for _, a := range k.rows().criteria {
		held := criteria(prior[a.Name])
		for _, property := range slices.Sorted(maps.Keys(criteria(planned[a.Name]))) {
			if _, has := held[property]; has || slices.Contains(a.Properties, property) {
				continue
			}
			field := a.Prefix + property + matchSuffix
			unknown = append(unknown, UnknownCriterion{Attribute: a.Name, Property: property, Nearest: Nearest(property, a.Properties),
				Search: value.Object{field: noMatch, field + FilterSuffix: MatchEquality}})
		}
	}
	return unknown
}

// ChangesHeld reports whether an update changes an attribute with Holds, and so adds or removes a
// member.
func (k *Kind) ChangesHeld(planned, prior Values) bool {
	return slices.ContainsFunc(k.rows().holds, func(a Attribute) bool { return isTrue(planned[a.Name]) != isTrue(prior[a.Name]) })
}

// HeldPayload returns the payload with the relations of an answer, to which the members of
// planned attributes with Holds were added, or from which they were removed. It is nil if the
// answer has them as planned.
func (k *Kind) HeldPayload(answer value.Object, planned, prior Values) value.Object {
	payload := value.Object{}
	for _, a := range k.rows().holds {
		want, held := isTrue(planned[a.Name]), a.Holds
		members, known := namesIn(answer[held.Relation])
		if want == isTrue(prior[a.Name]) || !known || want == slices.Contains(members, held.Member) {
			continue
		}
		members = slices.DeleteFunc(slices.Clone(members), func(name string) bool { return name == held.Member })
		if want {
			members = append(members, held.Member)
		}
		payload[held.Relation] = members
	}
	if len(payload) == 0 {
		return nil
	}
	maps.Copy(payload, k.payload(planned, nil, func(a Attribute) bool { return a.Role == Key || a.Derived }))
	return payload
}
