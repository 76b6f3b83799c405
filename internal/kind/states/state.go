// Package states makes states of answers (state.go), says which fields and relations an answer
// must have for that (search.go, related.go), and compares an instance in eNMS with what was sent
// (outcome.go) and planned (afterwrite.go).
package states

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Of returns the state for an answer. It keeps the value of before if the answer lacks the attribute, such
// as a relation after a search, or if only its notation differs. The error is an *object.FieldError.
func Of(k *kind.Kind, answer value.Object, before kind.Values) (kind.Values, error) {
	return OfRows(k, k.Table().Resource, answer, before, propertiesOf)
}

// Imported is Of for an import. It checks the type that the import names. The state has the
// properties that differ from eNMS's defaults. Of the attributes that eNMS fills in by itself, it has only those that
// somebody has changed. Lines end with LF, as in configurations.
func Imported(k *kind.Kind, answer value.Object, before kind.Values) (kind.Values, error) {
	if err := checkImportedType(k, answer, before); err != nil {
		return nil, err
	}
	before = maps.Clone(before)
	for _, a := range k.Table().Fields {
		if a.Automatic != nil && !a.Automatic(answer) {
			delete(before, a.Name) // so that the answer sets it
		}
	}
	values, err := OfRows(k, k.Table().Resource, answer, before, allProperties)
	if err != nil {
		return nil, err
	}
	subtype, _ := answer["type"].(string)
	values[kind.RowProperties] = WithoutEnmsDefaults(k, subtype, values[kind.RowProperties], kind.LineOf(answer))
	for _, a := range k.Table().Fields {
		if a.Automatic != nil && a.Same(values[a.Name], a.ResetValue()) {
			values[a.Name] = a.Null()
		}
	}
	for name, v := range values {
		values[name] = value.WithLF(v)
	}
	return values, nil
}

// Data returns the attributes of the data source. The error is an *object.FieldError.
func Data(k *kind.Kind, answer value.Object) (kind.Values, error) {
	return OfRows(k, k.Table().DataSource, answer, nil, allProperties)
}

// propertiesDecoder makes the value of properties from an answer and from their previous value.
type propertiesDecoder func(k *kind.Kind, a kind.Attribute, answer value.Object, before tftypes.Value) (tftypes.Value, error)

// OfRows returns the values of rows for an answer. decode makes the value of properties; nil if they are not among the
// rows.
func OfRows(k *kind.Kind, rows []kind.Attribute, answer value.Object, before kind.Values, decode propertiesDecoder) (values kind.Values, err error) {
	values = kind.Values{}
	for _, a := range rows {
		was := before[a.Name]
		notConfigured := was.Type() != nil && was.IsNull()
		if was.Type() == nil { // the state does not have it
			was = a.Null()
		}
		switch {
		case a.Role == kind.Setting:
			values[a.Name] = was
		case a.Role == kind.Secret, a.Automatic != nil && notConfigured:
			values[a.Name] = a.Null()
		case a.Type == kind.Criteria:
			values[a.Name], err = criteriaOf(k, a, answer, was)
		case a.Type == kind.Properties:
			values[a.Name], err = decode(k, a, answer, was)
		default:
			values[a.Name], err = valueOf(k, a, answer, was)
		}
		if err != nil {
			return nil, err
		}
	}
	return values, nil
}

// valueOf returns the value of an attribute in an answer.
func valueOf(k *kind.Kind, a kind.Attribute, answer value.Object, before tftypes.Value) (tftypes.Value, error) {
	x, answered := a.In(answer, a.AnswerField())
	if !answered {
		return valueWithoutAnswer(k, a, answer, before)
	}
	v, err := a.FromAnswer(x)
	if err == nil && v.IsNull() && a.Role != kind.Field {
		err = errors.New("is null, where there is always a value")
	}
	if err != nil {
		return v, k.FieldError(answer, a.AnswerField(), err.Error())
	}
	if a.Same(v, before) || a.ServerAdds && a.Includes(v, before) {
		return before, nil
	}
	return v, nil
}

// valueWithoutAnswer returns the value of an attribute that is missing in an answer.
func valueWithoutAnswer(k *kind.Kind, a kind.Attribute, answer value.Object, before tftypes.Value) (tftypes.Value, error) {
	switch {
	case before.IsKnown() && !before.IsNull():
		return before, nil
	case a.Role != kind.Field:
		return before, k.FieldError(answer, a.AnswerField(), "is missing in the answer")
	case a.Type == kind.Many, a.Holds != nil:
		return a.ResetValue(), nil
	}
	return a.Null(), nil
}

// propertiesOf returns the prior properties with their values in eNMS.
func propertiesOf(k *kind.Kind, a kind.Attribute, answer value.Object, before tftypes.Value) (tftypes.Value, error) {
	now := a.WithMembers(before, answer)
	if now.Equal(before) {
		return before, nil
	}
	for name := range value.Members(now) {
		if err := value.CheckNumbers(answer[name]); err != nil { // in now, the number is rounded
			return before, k.FieldError(answer, name, err.Error())
		}
	}
	return now, nil
}

// allProperties returns all fields of an answer that have no row and that a configuration may
// contain. It is for imports, which do not know the configured properties.
func allProperties(k *kind.Kind, _ kind.Attribute, answer value.Object, _ tftypes.Value) (tftypes.Value, error) {
	known := slices.Concat([]string{"type"}, k.Unwatched, k.NeverSent, k.Table().Properties.Relations) // a kind without subtypes has no row for "type"
	for _, a := range k.Table().All {
		known = append(known, a.AnswerField())
	}
	properties := map[string]any{}
	for name, x := range answer {
		_, ofRow := k.RowOf(answer, name)
		_, isList := x.([]any)
		mayBeRelation := isList && k.AnyType != nil
		if ofRow || x == nil || slices.Contains(known, name) || mayBeRelation {
			continue
		}
		if err := value.CheckNumbers(x); err != nil {
			return tftypes.Value{}, k.FieldError(answer, name, err.Error())
		}
		properties[name] = x
	}
	return value.FromJSON(properties), nil
}

// Minimal returns the state of an instance of which only the name, the type and the settings are known.
func Minimal(k *kind.Kind, planned kind.Values) kind.Values {
	state := kind.Values{}
	for _, a := range k.Table().Resource {
		state[a.Name] = a.Null()
		if a.Role == kind.Setting || a.Role == kind.Key || a.Role == kind.Subtype {
			state[a.Name] = planned[a.Name]
		}
	}
	return state
}

// WithoutEnmsDefaults returns the properties that differ from those of a new instance: from what
// its creation sends, or else from the defaults of a line of eNMS.
func WithoutEnmsDefaults(k *kind.Kind, subtype string, fields tftypes.Value, line int) tftypes.Value {
	rows, _ := k.Table().Properties.Of(subtype)
	kept := map[string]any{}
	for name, x := range value.Members(fields) {
		if !value.Equal(rows[name].CreatedJSON(line), x) { // of a field without a row, nil
			kept[name] = x
		}
	}
	return value.FromJSON(kept)
}

// checkImportedType refuses an instance of another type than an import asks for.
func checkImportedType(k *kind.Kind, answer value.Object, known kind.Values) error {
	want, have := value.Text(known[k.SubtypeRow()]), answer["type"]
	if k.AnyType != nil || want == "" || have == want {
		return nil
	}
	return fmt.Errorf("it is a %v, not a %s as the import says", have, want)
}

// WithoutVersions returns the state of an instance that is not the one to which the secrets were sent.
// It leaves out the versions that are the same as before.
func WithoutVersions(k *kind.Kind, state, before kind.Values) kind.Values {
	without := maps.Clone(state)
	for _, a := range k.Table().Secrets {
		if version := a.VersionName(); state[version].Equal(before[version]) {
			without[version] = k.Row(version).Null()
		}
	}
	return without
}

// criteriaOf returns the criteria in an answer. Criteria without an effect are left out unless before
// has them, because a configuration may contain them.
func criteriaOf(k *kind.Kind, a kind.Attribute, answer value.Object, before tftypes.Value) (tftypes.Value, error) {
	was, all := kind.CriteriaIn(before), map[string]*kind.Criterion{}
	for field := range answer {
		property, match, is := a.CriterionField(answer, field)
		if !is {
			continue
		}
		x := answer[a.Prefix+property]
		text, isText := x.(string)
		if !isText && x != nil {
			return before, k.FieldError(answer, a.Prefix+property, fmt.Sprintf("is %s where %s belongs", value.Describe(x), value.Describe("")))
		}
		c := &kind.Criterion{Value: text, Match: match}
		c.Invert, _ = answer[a.Prefix+property+kind.InvertSuffix].(bool)
		if _, had := was[property]; had || c.HasEffect() {
			all[property] = c
		}
	}
	if len(all) == 0 && (before.IsNull() || !before.IsKnown()) {
		return tftypes.NewValue(kind.CriteriaType, nil), nil
	}
	v := kind.CriteriaValue(all)
	if kind.SameCriteria(v, before) {
		return before, nil
	}
	return v, nil
}
