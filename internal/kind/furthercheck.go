// This file checks further fields at plan time, as far as the table knows them.

package kind

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// checkFurther looks at the members of properties: those that have a row are
// checked by it, of others it warns unless the instance holds them already.
func (p *Plan) checkFurther() {
	subtype := p.kind.Name
	if row := p.kind.SubtypeRow(); row != "" {
		if !p.planned[row].IsKnown() && (p.Configured(row) || !p.configOnly) {
			return
		}
		subtype = value.Text(p.planned[row]) // "" has the rows of every subtype
	}
	row := p.kind.row(RowProperties)
	changed, _ := p.change(row).(map[string]any)
	held := value.Members(p.prior[RowProperties])
	rows, known := p.kind.rows().further.of(subtype)
	given := knownMembers(p.config[RowProperties])
	for _, name := range slices.Sorted(maps.Keys(given)) {
		_, written := changed[name]
		a, has := rows[name]
		switch _, holds := held[name]; {
		case has:
			p.Diagnostics.Append(p.checkField(a, given[name], written)...)
		case !holds && !p.kind.knowsField(name):
			p.warnOfField(name, subtype, rows, known)
		}
	}
}

// knownMembers are the members of properties that are known in full, but for null.
func knownMembers(v tftypes.Value) map[string]any {
	var members map[string]tftypes.Value
	if v.IsNull() || !v.IsKnown() || v.As(&members) != nil {
		return nil
	}
	known := map[string]any{}
	for name, member := range members {
		if !member.IsNull() && member.IsFullyKnown() {
			known[name] = value.ToJSON(member)
		}
	}
	return known
}

// checkField looks at one further field by its row.
func (p *Plan) checkField(a Attribute, x any, written bool) (found diag.Diagnostics) {
	if a.Sample {
		return nil
	}
	at := path.Root(RowProperties).AtMapKey(a.Name)
	problem := a.misfit(x, slices.Contains(p.kind.Secrets, a.Name))
	if problem == "" {
		problem = a.notAmong(x)
	}
	if problem == "" && a.Type == Text {
		if s, ok := x.(string); ok {
			problem = a.tooLong(s)
		}
	}
	switch {
	case problem == "" && written:
		return a.warnOfChoices(at, x)
	case problem == "":
		return nil
	}
	found.AddAttributeError(at, fmt.Sprintf("properties.%s is not what eNMS takes", a.Name), problem)
	if !written {
		found = asWarnings(found)
	}
	return found
}

// misfit tells that a value is not of the JSON type that the field takes, "" when
// it is. What eNMS itself turns into the right type may stay: 5 for "5", "5" for
// 5, 1 and "true" for true (enms-rest.md 1.1).
func (a Attribute) misfit(x any, secret bool) string {
	fits, hint := true, ""
	switch a.Type {
	case Text:
		_, number := x.(json.Number)
		_, text := x.(string)
		fits = text || number && !secret
		if _, flag := x.(bool); flag {
			hint = ` eNMS would make "1" or "0" of it.`
		}
	case Number:
		fits = isNumber(x, true)
	case Decimal:
		fits = isNumber(x, false)
	case Flag:
		fits = isFlag(x)
		hint = " eNMS would take everything but false and 0 for true."
	case One:
		name, text := x.(string)
		fits = text && WrongName(name) == ""
	case Many:
		fits = areNames(x)
		hint = " Each name is there once."
	case List:
		_, fits = x.([]any)
	case JSON:
		_, fits = x.(map[string]any)
		hint = " Write { key = value }, or wrap JSON text in jsondecode(...)."
	}
	if fits {
		return ""
	}
	is := a.describe(x)
	if secret {
		is = value.Describe(x)
	}
	return fmt.Sprintf("It is %s, where %s belongs.%s", is, valueTypes[a.Type].name, hint)
}

// describe says what a value is that is not of the attribute's type, which is no secret. A
// number that is no whole one is shown, because its type would not tell what is wrong.
func (a Attribute) describe(x any) string {
	switch x := x.(type) {
	case json.Number:
		if a.Type == Number {
			return fmt.Sprintf("the number %.40s", x)
		}
	case string:
		return "the text " + shownValue(x)
	case bool:
		return fmt.Sprint(x)
	}
	return value.Describe(x)
}

// isNumber tells whether a value is a number that fits, or the text of one.
func isNumber(x any, whole bool) bool {
	digits, text := x.(string)
	if number, is := x.(json.Number); is {
		digits, text = number.String(), true
	}
	if !text {
		return false
	}
	if whole {
		_, err := strconv.ParseInt(digits, 10, 32)
		return err == nil
	}
	_, err := strconv.ParseFloat(digits, 64)
	return err == nil
}

// isFlag tells whether eNMS reads a value as the boolean that was meant.
func isFlag(x any) bool {
	switch x := x.(type) {
	case bool:
		return true
	case json.Number:
		return x == "0" || x == "1"
	}
	return x == "true" || x == "false"
}

// areNames tells whether a value is a list of names, each there once: eNMS answers
// 500 to others.
func areNames(x any) bool {
	list, is := x.([]any)
	seen := map[string]bool{}
	for _, member := range list {
		name, text := member.(string)
		if !text || seen[name] {
			return false
		}
		seen[name] = true
	}
	return is
}

// knowsField tells whether a field without a row is known all the same.
func (k *Kind) knowsField(name string) bool {
	_, attribute := k.rows().byName[name] // which has an error of its own
	return attribute || slices.Contains(slices.Concat(k.rows().further.relations, k.Unwatched, k.NeverSent, k.Secrets, controlKeys), name)
}

// warnOfField warns of a field that the table does not know. It may be the site's
// own, so that it is no error; once eNMS has answered it, it is. Of a subtype with fields
// that the table does not know, only a name that is near to a known one is worth a word.
func (p *Plan) warnOfField(name, subtype string, rows map[string]Attribute, known bool) {
	hint, near := "", p.kind.nearestField(name, rows)
	if near != "" {
		hint = fmt.Sprintf(" Did you mean `%s`?", near)
	}
	if near == "" && !known {
		return
	}
	p.Diagnostics.AddAttributeWarning(path.Root(RowProperties).AtMapKey(name),
		fmt.Sprintf("%s is no known field of %s", name, subtype),
		fmt.Sprintf("eNMS ignores fields that it does not know.%s If your eNMS has a custom property of that name, all is well.", hint))
}

// NearestField returns the field of the type of an instance whose name is nearest to one
// that eNMS does not have, "" when none is near.
func (k *Kind) NearestField(name string, values Values) string {
	subtype := k.Name
	if row := k.SubtypeRow(); row != "" {
		subtype = value.Text(values[row])
	}
	rows, _ := k.rows().further.of(subtype)
	return k.nearestField(name, rows)
}

// nearestField is NearestField among the rows of properties and the attributes.
func (k *Kind) nearestField(name string, rows map[string]Attribute) string {
	known := slices.Collect(maps.Keys(rows))
	for _, a := range k.rows().sent {
		known = append(known, a.Name)
	}
	return Nearest(name, known)
}
