// This file reads and writes single members of relations that have no row: Flags with Holds.

package kind

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/instance"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// expected returns the relation as a Flag has it, as far as the member is concerned.
func (h *Holds) expected(inverse string, is bool) instance.Relation {
	relation := instance.Relation{Name: h.Relation, Of: h.Of, Inverse: inverse, Only: h.Member, Holder: h.Subtype}
	if is {
		relation.Members = []string{h.Member}
	}
	return relation
}

// in returns what an answer or a payload holds of the member: known if it holds the relation,
// or is about an instance that has none.
func (h *Holds) in(object value.Object) (x any, known bool) {
	members, known := namesIn(object[h.Relation])
	typ, told := object["type"].(string)
	return slices.Contains(members, h.Member), known || told && typ != h.Subtype
}

// namesIn returns the names of a relation in an answer or a payload.
func namesIn(relation any) (names []string, known bool) {
	switch relation := relation.(type) {
	case []string:
		return relation, true
	case []any:
		for _, x := range relation {
			if name, is := x.(string); is {
				names = append(names, name)
			}
		}
		return names, true
	}
	return nil, false
}

// ChangesHeld reports whether an update adds or removes members by Flags with Holds.
func (k *Kind) ChangesHeld(planned, prior Values) bool {
	return slices.ContainsFunc(k.rows().holds, func(a Attribute) bool { return isTrue(planned[a.Name]) != isTrue(prior[a.Name]) })
}

// HeldPayload adds to the relations of an answer, and removes from them, the members that an
// update adds and removes by Flags with Holds. It is nil when the answer has them as planned.
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

// HoldsMember reports whether an instance has a member by a Flag with Holds.
func (k *Kind) HoldsMember(values Values, member string) bool {
	return slices.ContainsFunc(k.rows().holds, func(a Attribute) bool { return a.Holds.Member == member && isTrue(values[a.Name]) })
}

// isTrue reports whether a Flag is known and true.
func isTrue(v tftypes.Value) bool {
	var flag bool
	return v.Type() != nil && v.Type().Is(tftypes.Bool) && v.IsKnown() && !v.IsNull() && v.As(&flag) == nil && flag
}
