// This file makes the configuration of an existing instance, as a person would have written it.

package kind

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Generated returns a configuration with which the instance of a state can be imported without
// changes: its name, required attributes, and what differs from eNMS's defaults. It contains
// nothing that is computed, secret, a setting, or invalid in a configuration. Its lines end with
// LF.
func (k *Kind) Generated(state Values) Values {
	config, _ := k.generate(state)
	return config
}

// NotAnew returns warnings about values that Generated leaves out, about values with which the
// configuration cannot create an instance, because eNMS may have instances that it would not accept
// again, and about secrets.
func (k *Kind) NotAnew(state Values) diag.Diagnostics {
	config, left := k.generate(state)
	for _, d := range k.NewPlan(config, nil, nil, time.Time{}).Diagnostics {
		if d.Severity() == diag.SeverityError {
			left.AddWarning(fmt.Sprintf("Not to be created anew: %s %q", k.Name, value.Text(state[RowName])),
				fmt.Sprintf("%s. %s It can be imported as it is.", d.Summary(), Sentence(d.Detail())))
		}
	}
	if paths := k.PlainSecrets(config); len(paths) > 0 {
		left.AddWarning(fmt.Sprintf("Secrets in the configuration of %s %q", k.Name, value.Text(state[RowName])),
			fmt.Sprintf("eNMS returns %s, so the value is in the generated configuration, and in the state once it is applied. Replace it by a sensitive variable, or move the field to properties_wo.", strings.Join(paths, ", ")))
	}
	return left
}

// generate is Generated with a warning for each value in eNMS that it leaves out.
func (k *Kind) generate(state Values) (Values, diag.Diagnostics) {
	config := Values{}
	state = maps.Clone(state)
	for name, v := range state {
		state[name] = value.WithLF(v)
	}
	for _, a := range k.rows().resource {
		config[a.Name] = a.null()
		if !a.Derived {
			config[a.Name] = k.generated(a, state)
		}
	}
	created := k.NewPlan(config, nil, nil, time.Time{}) // the generated values do not depend on the time
	for _, a := range k.rows().resource {
		if a.Derived && !a.same(created.effective(a.Name), state[a.Name]) {
			config[a.Name] = state[a.Name]
		}
	}
	return k.WithoutInvalid(config)
}

// generated returns the value of one attribute for the configuration.
func (k *Kind) generated(a Attribute, state Values) tftypes.Value {
	v := state[a.Name]
	switch {
	case a.Role == Key, a.Required, a.Needed:
		return v
	case a.ReadOnly, a.Mirrored, a.Role == Identity, a.Role == Setting, a.Role == Secret:
		return a.null()
	case a.Type == Properties:
		return k.generatedProperties(v, value.Text(state[k.SubtypeRow()]))
	case a.Type == Criteria:
		return generatedCriteria(v)
	case a.byDefault(v), a.OnlyWith != "" && k.row(a.OnlyWith).byDefault(state[a.OnlyWith]):
		return a.null()
	}
	return v
}

// byDefault reports whether an instance has the value if the attribute is not configured.
func (a Attribute) byDefault(v tftypes.Value) bool {
	return a.same(v, a.resetValue()) || a.Type != Many && (a.same(v, a.Value(a.Default)) || a.OnCreate != nil && a.same(v, a.Value(a.OnCreate)))
}

// generatedProperties returns further fields without defaults of eNMS, secrets and fields without
// an effect, or null if there are none.
func (k *Kind) generatedProperties(v tftypes.Value, subtype string) tftypes.Value {
	rows, _ := k.rows().further.of(subtype)
	set := value.Members(k.withoutDefaults(subtype, v))
	kept := maps.Clone(set)
	maps.DeleteFunc(kept, func(name string, _ any) bool {
		row := rows[name]
		_, counts := set[row.OnlyWith]
		return k.isSecret(name) || row.OnlyWith != "" && !counts
	})
	if len(kept) == 0 {
		return tftypes.NewValue(tftypes.DynamicPseudoType, nil)
	}
	return value.FromJSON(kept)
}

// generatedCriteria returns criteria without defaults of eNMS, or null if there are none.
func generatedCriteria(v tftypes.Value) tftypes.Value {
	var members map[string]tftypes.Value
	if v.IsNull() || v.As(&members) != nil || len(members) == 0 {
		return tftypes.NewValue(criteriaType, nil)
	}
	lean := map[string]tftypes.Value{}
	for property, member := range members {
		lean[property] = leanCriterion(member)
	}
	return tftypes.NewValue(criteriaType, lean)
}

func leanCriterion(member tftypes.Value) tftypes.Value {
	fields := map[string]tftypes.Value{}
	if member.IsNull() || member.As(&fields) != nil {
		return member
	}
	lean := map[string]tftypes.Value{}
	for name, field := range fields {
		lean[name] = field
		if field.Equal(criterionDefaults[name]) {
			lean[name] = tftypes.NewValue(field.Type(), nil)
		}
	}
	return tftypes.NewValue(criterionType, lean)
}
