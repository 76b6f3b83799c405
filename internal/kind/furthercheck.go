// This file checks further fields at plan time, as far as the table knows them.

package kind

import (
	"fmt"
	"maps"
	"slices"

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

// knownMembers returns the members of properties that are known in full, but for null.
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
	found.AddAttributeError(at, fmt.Sprintf("Invalid value for properties.%s", a.Name), problem)
	if !written {
		found = asWarnings(found)
	}
	return found
}

// knowsField reports whether a field without a row is known all the same.
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
		fmt.Sprintf("Unknown field %s of %s", name, subtype),
		fmt.Sprintf("eNMS ignores unknown fields.%s If it is a custom property of your eNMS, ignore this warning.", hint))
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
