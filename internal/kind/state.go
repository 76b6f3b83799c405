// This file makes the state of what eNMS answered.

package kind

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Columns are what a search must answer for the kind's state, and for the
// further fields that the state names. afterWrite adds the fields of the data
// source, which the check after a write needs.
func (k *Kind) Columns(state Values, afterWrite bool) []string {
	var columns []string
	for _, a := range k.rows().searched {
		if !a.DataOnly || afterWrite {
			columns = append(columns, a.readFrom())
		}
	}
	for name := range value.Members(state[RowProperties]) {
		if !slices.Contains(columns, name) && !slices.Contains(k.rows().further.relations, name) {
			columns = append(columns, name)
		}
	}
	sort.Strings(columns)
	return columns
}

// HasRelations tells whether the instance's state, or what this provider has
// set, holds relations that only a single GET answers.
func (k *Kind) HasRelations(state Values, managed []string) bool {
	for _, a := range k.rows().unsearched {
		if slices.Contains(managed, a.Name) || len(value.Names(state[a.Name])) > 0 || value.Text(state[a.Name]) != "" {
			return true
		}
	}
	for name := range value.Members(state[RowProperties]) {
		if slices.Contains(k.rows().further.relations, name) {
			return true
		}
	}
	return false
}

// State makes the state of an answer. What the answer does not hold stays as
// it was, as relations do when a search answered; what says the same as before
// stays in the words it had. The error is a *FieldError.
func (k *Kind) State(answer value.Object, before Values) (Values, error) {
	return k.valuesOf(k.rows().resource, answer, before)
}

// ImportedState is State with the further fields of which the answer holds another
// value than eNMS's default.
func (k *Kind) ImportedState(answer value.Object, before Values) (Values, error) {
	values, err := k.allValuesOf(k.rows().resource, answer, before)
	if err == nil {
		subtype, _ := answer["type"].(string)
		values[RowProperties] = k.withoutDefaults(subtype, values[RowProperties])
	}
	return values, err
}

// Data are all attributes of the data source. The error is a *FieldError.
func (k *Kind) Data(answer value.Object) (Values, error) {
	return k.allValuesOf(k.rows().dataSource, answer, nil)
}

func (k *Kind) valuesOf(rows []Attribute, answer value.Object, before Values) (Values, error) {
	values := Values{}
	for _, a := range rows {
		v, err := k.attributeOf(a, answer, before[a.Name])
		if err != nil {
			return nil, err
		}
		values[a.Name] = v
	}
	return values, nil
}

func (k *Kind) allValuesOf(rows []Attribute, answer value.Object, before Values) (Values, error) {
	values, err := k.valuesOf(rows, answer, before)
	if err == nil {
		values[RowProperties], err = k.furtherFields(answer)
	}
	return values, err
}

func (k *Kind) attributeOf(a Attribute, answer value.Object, before tftypes.Value) (tftypes.Value, error) {
	if before.Type() == nil { // nothing is known of it
		before = a.null()
	}
	if a.Role == Setting {
		return before, nil
	}
	if a.Type == Fields {
		return k.fieldsOf(a, answer, before)
	}
	x, answered := answer[a.readFrom()]
	if !answered {
		v := unanswered(a, before)
		if v.IsNull() && a.Role != Field {
			return v, k.FieldError(answer, a.readFrom(), "is missing in the answer")
		}
		return v, nil
	}
	v, err := a.fromAnswer(x)
	if a.Role == Identity && x != nil {
		v, err = idFromAnswer(x)
	}
	if err == nil && v.IsNull() && a.Role != Field {
		err = errors.New("is null, where there is always a value")
	}
	if err != nil {
		return v, k.FieldError(answer, a.readFrom(), err.Error())
	}
	if a.same(v, before) {
		return before, nil
	}
	if a.Type == Many {
		return value.InOrderOf(before, v), nil
	}
	return v, nil
}

// FieldError is the error of a field of an answer.
func (k *Kind) FieldError(answer value.Object, field, reason string) error {
	name, _ := answer["name"].(string)
	return &FieldError{Type: k.Name, Name: name, Field: field, Reason: reason}
}

// unanswered is the value of an attribute that the answer does not hold: what
// it was, or unset when nothing was known of it.
func unanswered(a Attribute, before tftypes.Value) tftypes.Value {
	switch {
	case before.IsKnown() && !before.IsNull():
		return before
	case a.Type == Many:
		return a.resetValue()
	}
	return a.null()
}

// idFromAnswer is the server's id as Terraform wants it: a text.
func idFromAnswer(x any) (tftypes.Value, error) {
	n, ok := x.(json.Number)
	if !ok {
		return tftypes.Value{}, fmt.Errorf("is %s where a whole number belongs", value.Describe(x))
	}
	v, err := value.WholeNumber(n)
	if err != nil {
		return tftypes.Value{}, err
	}
	return tftypes.NewValue(tftypes.String, fmt.Sprint(value.ToJSON(v))), nil // -0 is 0
}

// fieldsOf is what eNMS holds of the further fields that are named; what it
// does not answer, a secret for one, stays as it was.
func (k *Kind) fieldsOf(a Attribute, answer value.Object, before tftypes.Value) (tftypes.Value, error) {
	if before.IsNull() || !before.IsFullyKnown() {
		return before, nil
	}
	changed := false
	now := map[string]any{}
	for name, was := range value.Members(before) {
		now[name] = was
		if x, answered := answer[name]; answered && !a.field(name, true).Keeps(was, x) {
			now[name], changed = x, true
			if err := value.CheckNumbers(x); err != nil {
				return before, k.FieldError(answer, name, err.Error())
			}
		}
	}
	if !changed {
		return before, nil
	}
	return value.FromJSON(now), nil
}

// furtherFields are all fields of an answer that no row of the table holds, for
// an import, which cannot know those that the configuration names.
func (k *Kind) furtherFields(answer value.Object) (tftypes.Value, error) {
	known := append([]string{"type"}, k.Unwatched...) // a kind without subtypes has no row for it
	for _, a := range k.rows().all {
		known = append(known, a.Name, a.readFrom())
	}
	further := map[string]any{}
	for name, x := range answer {
		if x == nil || slices.Contains(known, name) || slices.Contains(k.rows().further.relations, name) {
			continue
		}
		if err := value.CheckNumbers(x); err != nil {
			return tftypes.Value{}, k.FieldError(answer, name, err.Error())
		}
		further[name] = x
	}
	return value.FromJSON(further), nil
}

// MinimalState is a state of which no more is known than the name, the type and
// the settings.
func (k *Kind) MinimalState(planned Values) Values {
	state := Values{}
	for _, a := range k.rows().resource {
		switch a.Role {
		case Setting, Key, Subtype:
			state[a.Name] = planned[a.Name]
		default:
			state[a.Name] = a.null()
		}
	}
	return state
}
