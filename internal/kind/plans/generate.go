// This file makes the configuration of an existing instance, as a person would have written it. What it leaves
// out, and what an export leaves out besides, is listed in export/doc.go.

package plans

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Generated returns a configuration with which the instance of a state can be imported without changes: its name,
// required attributes, and what differs from eNMS's defaults. It contains nothing that is computed, secret, a
// setting, or invalid in a configuration. Its lines end with LF.
func Generated(k *kind.Kind, state kind.Values) kind.Values {
	config, _ := generate(k, state)
	return config
}

// GeneratedWithWarnings is Generated with warnings about values that it leaves out, about secrets, and about
// values with which the configuration cannot create an instance: eNMS may have instances that it would not
// accept again.
func GeneratedWithWarnings(k *kind.Kind, state kind.Values) (config kind.Values, warnings diag.Diagnostics) {
	config, warnings = generate(k, state)
	for _, d := range New(k, config, nil, nil, time.Time{}).Diagnostics {
		if d.Severity() == diag.SeverityError {
			warnings.AddWarning(fmt.Sprintf("Not to be created anew: %s %q", k.Name, value.Text(state[kind.RowName])),
				fmt.Sprintf("%s. %s It can be imported as it is.", d.Summary(), checks.Sentence(d.Detail())))
		}
	}
	if paths := checks.PlainSecrets(k, config); len(paths) > 0 {
		warnings.AddWarning(fmt.Sprintf("Secrets in the configuration of %s %q", k.Name, value.Text(state[kind.RowName])),
			fmt.Sprintf("eNMS returns %s, so the value is in the generated configuration, and in the state once it is applied. Replace it by a sensitive variable, or move the field to properties_wo.", strings.Join(paths, ", ")))
	}
	return config, warnings
}

// generate is Generated with a warning for each value in eNMS that it leaves out.
func generate(k *kind.Kind, state kind.Values) (kind.Values, diag.Diagnostics) {
	config := kind.Values{}
	state = maps.Clone(state)
	for name, v := range state {
		state[name] = value.WithLF(v)
	}
	for _, a := range k.Table().Resource {
		config[a.Name] = generated(k, a, state)
	}
	created := New(k, config, nil, nil, time.Time{}) // the generated values do not depend on the time
	// A derived attribute is left out if its value follows from the others.
	for _, a := range k.Table().Resource {
		if a.Derived && !a.Same(created.Effective(a.Name), state[a.Name]) {
			config[a.Name] = state[a.Name]
		}
	}
	return WithoutInvalid(k, config)
}

// generated returns the value of one attribute for the configuration. generate adds derived ones.
func generated(k *kind.Kind, a kind.Attribute, state kind.Values) tftypes.Value {
	v := state[a.Name]
	switch {
	case a.Role == kind.Key, a.Required, a.Needed:
		return v
	case a.ReadOnly, a.Mirrored, a.Derived, a.Role == kind.Setting, a.Role == kind.Secret:
		return a.Null()
	case a.Type == kind.Properties:
		return generatedProperties(k, v, value.Text(state[k.SubtypeRow()]))
	case a.Type == kind.Criteria:
		return generatedCriteria(v)
	case byDefault(a, v), a.OnlyWith != "" && byDefault(k.Row(a.OnlyWith), state[a.OnlyWith]):
		return a.Null()
	}
	return v
}

// byDefault reports whether an instance has the value if the attribute is not configured.
func byDefault(a kind.Attribute, v tftypes.Value) bool {
	switch {
	case a.Same(v, a.ResetValue()):
		return true
	case a.Type == kind.Many:
		return false
	}
	return a.Same(v, a.Value(a.Default)) || a.OnCreate != nil && a.Same(v, a.Value(a.OnCreate))
}

// generatedProperties returns properties without defaults of eNMS, secrets and fields without
// an effect, or null if there are none.
func generatedProperties(k *kind.Kind, v tftypes.Value, subtype string) tftypes.Value {
	rows, _ := k.Table().Properties.Of(subtype)
	const anyLine = 0 // a state does not say of which line its eNMS is
	set := value.Members(states.WithoutEnmsDefaults(k, subtype, v, anyLine))
	kept := maps.Clone(set)
	maps.DeleteFunc(kept, func(name string, _ any) bool {
		needed := rows[name].OnlyWith
		_, isSet := set[needed]
		return k.IsSecret(name) || needed != "" && !isSet
	})
	if len(kept) == 0 {
		return tftypes.NewValue(tftypes.DynamicPseudoType, nil)
	}
	return value.FromJSON(kept)
}

// generatedCriteria returns criteria without defaults of eNMS, or null if there are none.
func generatedCriteria(v tftypes.Value) tftypes.Value {
	members := kind.ValuesOf(v)
	if len(members) == 0 {
		return tftypes.NewValue(kind.CriteriaType, nil)
	}
	written := map[string]tftypes.Value{}
	for property, member := range members {
		written[property] = withoutDefaults(member)
	}
	return tftypes.NewValue(kind.CriteriaType, written)
}

// withoutDefaults returns a criterion with null in place of eNMS's defaults.
func withoutDefaults(member tftypes.Value) tftypes.Value {
	if member.IsNull() {
		return member
	}
	written := map[string]tftypes.Value{}
	for name, field := range kind.ValuesOf(member) {
		written[name] = field
		if field.Equal(kind.CriterionDefaults[name]) {
			written[name] = tftypes.NewValue(field.Type(), nil)
		}
	}
	return tftypes.NewValue(kind.CriterionType, written)
}
