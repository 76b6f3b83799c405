// This file checks the values of attributes, before there is a plan (validate.go) and in
// it. In a plan, what eNMS holds already may stay, with a warning: of what the configuration
// must hold, so that every instance can be imported.

package kind

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// checkValues looks at each configured attribute by itself.
func (p *Plan) checkValues() {
	for _, a := range p.kind.rows().remote {
		if p.config[a.Name].IsNull() {
			continue
		}
		found := a.validate(p.config[a.Name])
		if p.repeats(a) {
			found = asWarnings(found)
		} else if len(found) == 0 && p.config[a.Name].IsFullyKnown() {
			found = a.warnOfChoices(path.Root(a.Name), value.ToJSON(p.config[a.Name]))
		}
		p.Diagnostics.Append(found...)
	}
}

// checkTogether has the kind look at the attributes together. What it finds in a
// plan by which nothing is written is there already.
func (p *Plan) checkTogether() {
	if p.kind.Check == nil {
		return
	}
	before := p.Diagnostics
	p.Diagnostics = nil
	p.kind.Check(p)
	found := p.Diagnostics
	if p.prior != nil && !p.writes() {
		found = asWarnings(found)
	}
	p.Diagnostics = slices.Concat(before, found, p.refused)
}

// asWarnings are diagnostics about what eNMS holds already.
func asWarnings(found diag.Diagnostics) (warnings diag.Diagnostics) {
	for _, d := range found {
		at := path.Empty()
		if on, is := d.(diag.DiagnosticWithPath); is {
			at = on.Path()
		}
		detail := d.Detail()
		if d.Severity() == diag.SeverityError {
			detail += "\n\neNMS already has this value, and nothing changes. It could not be written again."
		}
		warnings.AddAttributeWarning(at, d.Summary(), detail)
	}
	return warnings
}

// validate runs the validators of a value, as far as it is known. They take a
// context and make no use of it.
func (a Attribute) validate(v tftypes.Value) (found diag.Diagnostics) {
	at := path.Root(a.Name)
	switch {
	case !v.IsKnown():
	case a.Type == Text || a.Type == One:
		return validateText(at, value.Text(v), a.textChecks())
	case a.Type == Number:
		return a.validateNumber(at, v)
	case a.Type == Many && a.isRelation():
		var names []tftypes.Value
		_ = v.As(&names)
		for i, name := range names {
			if name.IsKnown() {
				found.Append(validateText(at.AtListIndex(i), value.Text(name), nameChecks)...)
			}
		}
	}
	return found
}

func validateText(at path.Path, s string, checks []validator.String) diag.Diagnostics {
	resp := &validator.StringResponse{}
	for _, check := range checks {
		check.ValidateString(context.Background(), validator.StringRequest{Path: at, ConfigValue: types.StringValue(s)}, resp)
	}
	return resp.Diagnostics
}

func (a Attribute) validateNumber(at path.Path, v tftypes.Value) diag.Diagnostics {
	f := new(big.Float)
	_ = v.As(&f)
	resp := &validator.NumberResponse{}
	a.numberCheck().ValidateNumber(context.Background(), validator.NumberRequest{Path: at, ConfigValue: types.NumberValue(f)}, resp)
	return resp.Diagnostics
}

// checkBounds refuses what not every database of eNMS holds: too long a text, and the
// character NUL (enms-rest.md 1.1). What an existing instance holds may stay, with a
// warning: SQLite holds more than others.
func (p *Plan) checkBounds() {
	for _, a := range slices.Concat(p.kind.rows().remote, p.kind.rows().secrets) {
		if p.config[a.Name].IsNull() {
			continue
		}
		found := a.unfit(p.change(a))
		if len(found) == 0 {
			found = asWarnings(a.unfit(value.ToJSON(p.planned[a.Name])))
		}
		p.Diagnostics.Append(found...)
	}
}

// unfit tells what of a value not every database holds.
func (a Attribute) unfit(x any) (found diag.Diagnostics) {
	at := path.Root(a.Name)
	if within, is := value.FindNUL(x); is {
		found.AddAttributeError(at, fmt.Sprintf("%s contains a NUL", a.Name), fmt.Sprintf("%s%s contains a NUL (U+0000). %s", a.Name, within, noNUL))
	}
	s, isText := x.(string)
	if !isText || a.Type != Text || a.Role == Key { // names have a check of their own
		return found
	}
	if wrong := a.tooLong(s); wrong != "" {
		found.AddAttributeError(at, fmt.Sprintf("%s is too long", a.Name), wrong)
	}
	return found
}

// tooLong says that a text does not fit into its column, "" when it does.
func (a Attribute) tooLong(s string) string {
	length, most := utf8.RuneCountInString(s), cmp.Or(a.MaxLength, CommonLength)
	if most == Unbounded || length <= most {
		return ""
	}
	return fmt.Sprintf("It has %d characters; the maximum is %d on PostgreSQL and MariaDB. Shorten it by %d.", length, most, length-most)
}
