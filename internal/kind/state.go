// This file makes states of answers.

package kind

import (
	"errors"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Columns returns the fields that a search must return for a state, including its properties.
// afterWrite adds the fields of the data source, for the check after a write.
func (k *Kind) Columns(state Values, afterWrite bool) []string {
	var columns []string
	for _, a := range k.rows().searched {
		if !a.DataOnly || afterWrite {
			columns = append(columns, a.columns(state[a.Name])...)
		}
	}
	for name := range value.Members(state[RowProperties]) {
		if !slices.Contains(columns, name) && !slices.Contains(k.rows().further.relations, name) {
			columns = append(columns, name)
		}
	}
	slices.Sort(columns)
	return columns
}

// State returns the state for an answer. A value that is missing in the answer, such as a
// relation after a search, or that is only written differently, is kept as before. The error is a
// *instance.FieldError.
func (k *Kind) State(answer value.Object, before Values) (Values, error) {
	return k.valuesOf(k.rows().resource, answer, before, k.propertiesOf)
}

// ImportedState is State for an import. It checks the type that the import names. It contains the
// properties that differ from eNMS's defaults, and attributes that eNMS fills in only if somebody
// has changed them. Lines end with LF, as in configurations.
func (k *Kind) ImportedState(answer value.Object, before Values) (Values, error) {
	if err := k.checkImportedType(answer, before); err != nil {
		return nil, err
	}
	before = maps.Clone(before)
	for _, a := range k.rows().fields {
		if a.Automatic != nil && !a.Automatic(answer) {
			delete(before, a.Name) // so that the answer sets it
		}
	}
	values, err := k.valuesOf(k.rows().resource, answer, before, k.allProperties)
	if err != nil {
		return nil, err
	}
	subtype, _ := answer["type"].(string)
	values[RowProperties] = k.withoutDefaults(subtype, values[RowProperties])
	for _, a := range k.rows().fields {
		if a.Automatic != nil && a.same(values[a.Name], a.resetValue()) {
			values[a.Name] = a.null()
		}
	}
	for name, v := range values {
		values[name] = value.WithLF(v)
	}
	return values, nil
}

// Data returns the attributes of the data source. The error is a *instance.FieldError.
func (k *Kind) Data(answer value.Object) (Values, error) {
	return k.valuesOf(k.rows().dataSource, answer, nil, k.allProperties)
}

// decoder makes the value of an attribute from an answer and from its previous value.
type decoder func(a Attribute, answer value.Object, before tftypes.Value) (tftypes.Value, error)

func (k *Kind) valuesOf(rows []Attribute, answer value.Object, before Values, properties decoder) (values Values, err error) {
	values = Values{}
	for _, a := range rows {
		was := before[a.Name]
		unread := was.Type() == nil // the state does not have it
		if unread {
			was = a.null()
		}
		switch {
		case a.Role == Setting:
			values[a.Name] = was
		case a.Role == Secret, a.Automatic != nil && before != nil && was.IsNull() && !unread:
			values[a.Name] = a.null()
		case a.Type == Criteria:
			var field string
			if values[a.Name], field, err = a.criteriaOf(answer, was); err != nil {
				err = k.FieldError(answer, field, err.Error())
			}
		case a.Type == Properties:
			values[a.Name], err = properties(a, answer, was)
		default:
			values[a.Name], err = k.valueOf(a, answer, was)
		}
		if err != nil {
			return nil, err
		}
	}
	return values, nil
}

func (k *Kind) valueOf(a Attribute, answer value.Object, before tftypes.Value) (tftypes.Value, error) {
	x, answered := a.in(answer, a.readFrom())
	switch unset := before.IsNull() || !before.IsKnown(); {
	case answered:
	case !unset:
		return before, nil
	case a.Role != Field:
		return before, k.FieldError(answer, a.readFrom(), "is missing in the answer")
	case a.Type == Many, a.Holds != nil:
		return a.resetValue(), nil
	default:
		return a.null(), nil
	}
	v, err := a.fromAnswer(x)
	if err == nil && v.IsNull() && a.Role != Field {
		err = errors.New("is null, where there is always a value")
	}
	if err != nil {
		return v, k.FieldError(answer, a.readFrom(), err.Error())
	}
	if a.same(v, before) || a.ServerAdds && a.includes(v, before) {
		return before, nil
	}
	if a.Type == Many {
		return value.InOrderOf(before, v), nil
	}
	return v, nil
}

// propertiesOf returns the prior properties with their values in eNMS.
func (k *Kind) propertiesOf(a Attribute, answer value.Object, before tftypes.Value) (tftypes.Value, error) {
	now := a.withMembers(before, answer)
	if now.Equal(before) {
		return before, nil
	}
	for name, x := range value.Members(now) {
		if err := value.CheckNumbers(x); err != nil {
			return before, k.FieldError(answer, name, err.Error())
		}
	}
	return now, nil
}

// allProperties returns all fields of an answer that have no row and that a configuration may
// contain. It is for imports, which do not know the configured properties.
func (k *Kind) allProperties(_ Attribute, answer value.Object, _ tftypes.Value) (tftypes.Value, error) {
	known := slices.Concat([]string{"type"}, k.Unwatched, k.NeverSent, k.rows().further.relations) // a kind without subtypes has no row for "type"
	for _, a := range k.rows().all {
		known = append(known, a.readFrom())
	}
	properties := map[string]any{}
	for name, x := range answer {
		_, ofRow := k.rowOf(answer, name)
		if ofRow || x == nil || slices.Contains(known, name) || k.AnyType && holdsList(map[string]any{name: x}) {
			continue
		}
		if err := value.CheckNumbers(x); err != nil {
			return tftypes.Value{}, k.FieldError(answer, name, err.Error())
		}
		properties[name] = x
	}
	return value.FromJSON(properties), nil
}

// MinimalState returns the state of an instance of which only the name, the type and the settings
// are known.
func (k *Kind) MinimalState(planned Values) Values {
	state := Values{}
	for _, a := range k.rows().resource {
		state[a.Name] = a.null()
		if a.Role == Setting || a.Role == Key || a.Role == Subtype {
			state[a.Name] = planned[a.Name]
		}
	}
	return state
}

// withoutDefaults returns the further fields that differ from those of a new instance: from what
// its creation sends, or else from eNMS's defaults.
func (k *Kind) withoutDefaults(subtype string, fields tftypes.Value) tftypes.Value {
	rows, _ := k.rows().further.of(subtype)
	kept := map[string]any{}
	for name, x := range value.Members(fields) {
		if a, known := rows[name]; !known || !value.Equal(a.createdJSON(), x) {
			kept[name] = x
		}
	}
	return value.FromJSON(kept)
}
