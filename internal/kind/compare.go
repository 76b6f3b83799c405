// This file decides when two values of an attribute are the same for eNMS.

package kind

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Same reports whether two known values of an attribute are the same for eNMS. The Terraform types inside of objects
// and the line ends of strings do not matter. Of properties, y may have more.
func (a Attribute) Same(x, y tftypes.Value) bool {
	if !x.IsFullyKnown() || !y.IsFullyKnown() {
		return false
	}
	if x.IsNull() || y.IsNull() {
		return x.IsNull() && y.IsNull()
	}
	switch a.Type {
	case Text, One:
		return value.SameText(value.Text(x), value.Text(y))
	case JSON:
		return value.Equal(value.ToJSON(x), value.ToJSON(y))
	case Criteria:
		return SameCriteria(x, y)
	case Properties:
		return a.Contains(value.Members(x), value.Members(y), NoneAnswered)
	}
	return value.Same(x, y)
}

// Includes reports whether one value of a relation to many has all members of another one, which is known and not null.
func (a Attribute) Includes(all, some tftypes.Value) bool {
	have := map[string]bool{}
	for _, name := range value.Names(all) {
		have[name] = true
	}
	for _, name := range value.Names(some) {
		if !have[name] {
			return false
		}
	}
	return some.IsFullyKnown() && !some.IsNull()
}

// Contains reports whether have contains all of the wanted properties, which are not null. answered reports whether the value of a
// property in have comes from eNMS: then an object may have more members, and a fraction fewer digits.
func (a Attribute) Contains(want, have map[string]any, answered func(name string) bool) bool {
	for name, w := range want {
		if !a.keeps(name, w, have[name], answered(name)) {
			return false
		}
	}
	return true
}

// SameProperties reports whether two values of properties are known in full and the same, although y may have further
// members for which mayAdd returns true. answered is about y, as for Contains.
func (a Attribute) SameProperties(x, y tftypes.Value, mayAdd, answered func(name string) bool) bool {
	want, have := value.Members(x), value.Members(y)
	for name := range have {
		if _, both := want[name]; !both && !mayAdd(name) {
			return false
		}
	}
	return x.IsFullyKnown() && y.IsFullyKnown() && a.Contains(want, have, answered)
}

// NoneAnswered is the argument answered of Contains if both values were configured.
func NoneAnswered(string) bool { return false }

// keeps reports whether a property still has the value that was written: an object may have been written as its JSON
// (PropertyRows.Texts). answered says whether now comes from an answer of eNMS, or was configured before.
func (a Attribute) keeps(name string, was, now any, answered bool) bool {
	text, isText := was.(string)
	if _, isObject := now.(map[string]any); isText && isObject && slices.Contains(a.texts, name) {
		if members := object.InText(text); members != nil {
			was = members
		}
	}
	return a.comparison(name, answered).Keeps(was, now)
}

// KeepsSent reports whether a property has the value that was sent. have comes from an answer of eNMS.
func (a Attribute) KeepsSent(name string, sent, have any) bool {
	const answered = true
	return a.comparison(name, answered).Keeps(sent, have)
}

// comparison returns how to compare a property with another value of it: with an answer of eNMS if
// answered, and otherwise with a value that was configured before.
func (a Attribute) comparison(name string, answered bool) value.Comparison {
	return value.Comparison{
		Unordered: a.anyOrder || slices.Contains(a.unordered, name), Whole: slices.Contains(a.whole, name), Answered: answered,
	}
}

// WithMembers returns properties with the values that their members have in an answer. Members
// that eNMS does not return, such as secrets, keep their values.
func (a Attribute) WithMembers(properties tftypes.Value, answer value.Object) tftypes.Value {
	if !properties.IsFullyKnown() {
		return properties
	}
	changed, now := false, value.Members(properties)
	for name, was := range now {
		if x, answered := answer[name]; answered && !a.keeps(name, was, x, answered) {
			now[name], changed = x, true
		}
	}
	if !changed {
		return properties
	}
	return value.FromJSON(now)
}

// ChangedProperties returns the planned properties that are known and differ from the state.
func (a Attribute) ChangedProperties(planned, prior tftypes.Value) map[string]any {
	have, changed := value.Members(prior), value.Members(planned)
	maps.DeleteFunc(changed, func(name string, x any) bool {
		return a.Contains(map[string]any{name: x}, have, NoneAnswered)
	})
	return changed
}
