// Package payloads makes the payloads of writes from plans, and the searches that try criteria before a write.
package payloads

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Create returns the payload that creates an instance. It has the configured values, the values that
// follow from the name, and the planned defaults. It also has values that replace defaults of eNMS that do not work, or
// that eNMS's own forms never use (OnCreate). Values that eNMS would overwrite are in Second.
func Create(k *kind.Kind, config, planned kind.Values) value.Object {
	payload := fields(k, planned, nil, func(a kind.Attribute) bool {
		_, certain := a.PlannedDefault()
		return isInEach(a) || !config[a.Name].IsNull() || certain && !planned[a.Name].IsNull()
	})
	maps.Copy(payload, secrets(k, config, nil))
	for _, a := range k.Table().Sent {
		if _, sent := payload[a.Name]; !sent && a.OnCreate != nil {
			payload[a.Name] = a.OnCreate
		}
		if a.AfterCreate {
			delete(payload, a.Name)
		}
	}
	for _, a := range k.Table().Holds {
		if _, sent := payload[a.Holds.Relation]; !sent && kind.IsTrue(planned[a.Name]) {
			payload[a.Holds.Relation] = append(slices.Clone(a.Holds.Initial), a.Holds.Member)
		}
	}
	properties, _ := k.Table().Properties.Of(k.Path(planned))
	for name, a := range properties {
		if _, sent := payload[name]; !sent && a.OnCreate != nil {
			payload[name] = a.OnCreate
		}
	}
	return payload
}

// Second returns the payload that follows a creation, with the configured values that
// eNMS has overwritten. It is nil if there are none.
func Second(k *kind.Kind, config, planned kind.Values) value.Object {
	payload := fields(k, planned, nil, func(a kind.Attribute) bool { return a.AfterCreate && !config[a.Name].IsNull() })
	if len(payload) == 0 {
		return nil
	}
	maps.Copy(payload, fields(k, planned, nil, isInEach))
	return payload
}

// AsOwner returns the payload that follows a creation by a user who is no administrator: Second, and the rights in
// the payload created. eNMS ignored them, because this user became an owner only by the creation (enms-rest.md 6.3).
func AsOwner(k *kind.Kind, config, planned kind.Values, created value.Object) value.Object {
	second, rights := Second(k, config, planned), RightsIn(created)
	if len(rights) > 0 && second == nil {
		second = fields(k, planned, nil, isInEach)
	}
	maps.Copy(second, rights)
	return second
}

// RightsIn returns the fields of a payload that eNMS takes from administrators and owners only, without owners.
func RightsIn(payload value.Object) value.Object {
	rights := maps.Clone(payload)
	maps.DeleteFunc(rights, func(field string, _ any) bool {
		return !strings.HasPrefix(field, "rbac_") && field != "restrict_to_owners"
	})
	return rights
}

// SecondRelated returns the instances that Second refers to, by attribute.
func SecondRelated(k *kind.Kind, config, planned kind.Values) map[string]relate.Related {
	related := map[string]relate.Related{}
	for _, a := range k.Table().Relations {
		names := value.Names(planned[a.Name])
		if a.AfterCreate && !config[a.Name].IsNull() && len(names) > 0 {
			related[a.Name] = relate.Related{Type: a.Of, Names: names}
		}
	}
	return related
}

// WithoutSecond returns the plan without the values that Second sends.
func WithoutSecond(k *kind.Kind, planned kind.Values) kind.Values {
	without := maps.Clone(planned)
	for _, a := range k.Table().Sent {
		if a.AfterCreate {
			without[a.Name] = a.Unknown()
		}
	}
	return without
}

// Update returns the payload that changes an existing instance: its current name, the new name if there is one, and
// the changed values. It is nil if nothing changes. Attributes that the name depends on are always sent, because
// eNMS composes the name at every write (enms-rest.md 1.5). Configured strings of several lines are sent, too,
// unless only relations change, because the state does not show whether eNMS has other line ends.
func Update(k *kind.Kind, config, planned, prior kind.Values) value.Object {
	payload := fields(k, planned, prior, func(a kind.Attribute) bool {
		return !value.Same(planned[a.Name], prior[a.Name])
	})
	maps.Copy(payload, secrets(k, config, prior))
	from, to := value.Text(prior[kind.RowName]), value.Text(planned[kind.RowName])
	if from != to {
		payload["new_name"] = to
	}
	if len(payload) == 0 {
		return nil
	}
	if !OnlyRelations(k, payload, planned, prior) {
		maps.Copy(payload, withLineEnds(k, config))
	}
	maps.Copy(payload, fields(k, planned, prior, isDerived))
	for _, a := range k.Table().Relations {
		if _, sent := payload[a.Name]; sent && len(value.Names(planned[a.Name])) == 0 {
			for _, field := range a.EmptiedWith {
				payload[field] = []any{}
			}
		}
	}
	payload[kind.RowName] = from // also of a rename
	return payload
}

// withLineEnds returns the configured fields whose strings contain a line end, without secrets and criteria.
func withLineEnds(k *kind.Kind, config kind.Values) value.Object {
	fields := value.Object{}
	for _, a := range k.Table().Sent {
		v := config[a.Name]
		if !v.IsFullyKnown() {
			continue
		}
		configured := map[string]any{}
		switch a.Type {
		case kind.Properties:
			configured = value.Members(v)
		case kind.Text, kind.JSON:
			configured[a.Name] = value.ToJSON(v)
		}
		for name, x := range configured {
			if value.HasLineEnd(x) {
				fields[name] = x
			}
		}
	}
	return fields
}

// Empty returns the payload that empties relations before an existing instance is deleted, or nil if there are none.
func Empty(k *kind.Kind, state kind.Values) value.Object {
	payload := value.Object{}
	for _, a := range k.Table().Fields {
		if a.EmptyFirst {
			payload[a.Name] = value.ToJSON(a.ResetValue())
		}
	}
	if len(payload) == 0 {
		return nil
	}
	payload[kind.RowName] = value.Text(state[kind.RowName])
	return payload
}

// Existing returns a payload for an existing instance as it is sent. It has the id if eNMS composes the name (kind.Scope):
// with the name alone, eNMS would make another instance under a free name for a user who may not edit this one, or if
// somebody has just renamed or deleted it (enms-rest.md 6.2). A rename of a kind with RenameByID has the id and the new
// name in place of the old name.
func Existing(k *kind.Kind, payload value.Object, state kind.Values) value.Object {
	to, renaming := payload["new_name"]
	renamedByID, id := renaming && k.RenameByID, value.Text(state[kind.RowID])
	if id == "" || k.Scope == nil && !renamedByID {
		return payload
	}
	byID := maps.Clone(payload)
	byID[kind.RowID] = json.Number(id)
	if renamedByID {
		delete(byID, "new_name")
		byID[kind.RowName] = to
	}
	return byID
}

// Disable returns the payload that disables an existing instance (Off).
func Disable(k *kind.Kind, state kind.Values) value.Object {
	payload := fields(k, state, nil, isDerived)
	payload[kind.RowName] = value.Text(state[kind.RowName])
	maps.Copy(payload, k.Off)
	return payload
}

func isDerived(a kind.Attribute) bool { return a.Derived }

// isInEach reports whether every payload for an existing instance needs an attribute: the name, and the
// attributes on which the name depends.
func isInEach(a kind.Attribute) bool { return a.Role == kind.Key || a.Derived }

// fields returns the fields of the attributes for which included returns true, and of properties and criteria only
// those that differ from the prior ones. Null is sent only to unset a relation to one (enms-rest.md 9, number 6).
// Attributes that eNMS fills in by itself are emptied instead, unless it does so at the creation (AfterCreate).
func fields(k *kind.Kind, values, prior kind.Values, included func(kind.Attribute) bool) value.Object {
	payload := value.Object{}
	for _, a := range k.Table().Sent {
		v := values[a.Name]
		if !included(a) || !v.IsFullyKnown() {
			continue
		}
		switch {
		case a.Type == kind.Properties:
			maps.Copy(payload, a.ChangedProperties(v, prior[a.Name]))
		case a.Type == kind.Criteria:
			maps.Copy(payload, criteriaPayload(a, v, prior[a.Name]))
		case !v.IsNull():
			payload[a.Name] = value.ToJSON(v)
		case a.Automatic != nil && !a.AfterCreate:
			payload[a.Name] = value.ToJSON(a.ResetValue())
		case a.IDField != "":
			payload[a.IDField] = nil
		}
	}
	return payload
}

// criteriaPayload returns the fields of the planned criteria that differ from the prior ones, and
// fields that clear the criteria that are no longer planned.
func criteriaPayload(a kind.Attribute, planned, prior tftypes.Value) value.Object {
	payload, want, have := value.Object{}, kind.CriteriaIn(planned), kind.CriteriaIn(prior)
	for property, c := range want {
		if c != nil && (have[property] == nil || *have[property] != *c) {
			maps.Copy(payload, c.Fields(a.Prefix+property))
		}
	}
	for property := range have {
		if _, wanted := want[property]; !wanted {
			maps.Copy(payload, kind.Criterion{Match: kind.MatchInclusion}.Fields(a.Prefix+property))
		}
	}
	return payload
}

// OnlyRelations reports whether the payload of an update changes nothing but relations. The old name and derived
// attributes are in it without a change.
func OnlyRelations(k *kind.Kind, payload value.Object, planned, prior kind.Values) bool {
	for name := range payload {
		a := k.Table().ByName[name]
		unchanged := a.Role == kind.Key || a.Derived && planned[a.Name].Equal(prior[a.Name])
		if !a.IsRelation() && !unchanged {
			return false
		}
	}
	return true
}

// ChangesMember reports whether an update changes an attribute with Holds, and so adds or removes a member.
func ChangesMember(k *kind.Kind, planned, prior kind.Values) bool {
	return slices.ContainsFunc(k.Table().Holds, func(a kind.Attribute) bool { return kind.IsTrue(planned[a.Name]) != kind.IsTrue(prior[a.Name]) })
}

// Member returns the payload that adds and removes the members of those attributes with Holds that the plan changes.
// answer has the relations as they are. The payload is nil if they are as planned.
func Member(k *kind.Kind, answer value.Object, planned, prior kind.Values) value.Object {
	payload := value.Object{}
	for _, a := range k.Table().Holds {
		want, held := kind.IsTrue(planned[a.Name]), a.Holds
		members, known := object.Names(answer[held.Relation])
		isAsPlanned := want == slices.Contains(members, held.Member)
		if want == kind.IsTrue(prior[a.Name]) || !known || isAsPlanned {
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
	maps.Copy(payload, fields(k, planned, nil, isInEach))
	return payload
}
