// This file checks the members of properties by their rows.

package plans

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// checkMembers checks the configured members of properties by the rows of the subtype. It warns about
// members without a row, unless they are in the state, because eNMS has returned them, or are secrets by their names,
// of which warnOfPlainSecrets warns.
func checkMembers(p *kind.Plan) {
	subtype := p.Kind.Name
	if row := p.Kind.SubtypeRow(); row != "" {
		if !p.Planned[row].IsKnown() && p.Configured(row) {
			return // the subtype is unknown until apply. If it is omitted, it is "", for which Of returns the common rows
		}
		subtype = value.Text(p.Planned[row])
	}
	rows, complete := p.Kind.Table().Properties.Of(subtype)
	changed, _ := changeOf(p, p.Kind.Row(kind.RowProperties)).(map[string]any)
	config, prior := knownMembers(p.Config[kind.RowProperties]), value.Members(p.Prior[kind.RowProperties])
	for _, name := range slices.Sorted(maps.Keys(config)) {
		_, isWritten := changed[name]
		_, inState := prior[name]
		if a, hasRow := rows[name]; hasRow {
			p.Diagnostics.Append(checkField(p, a, config[name], isWritten)...)
		} else if isSecret := len(checks.PlainSecretsIn("", map[string]any{name: config[name]})) > 0; !inState && !isSecret && !knowsField(p.Kind, name) {
			warnOfField(p, name, subtype, rows, complete)
		}
	}
}

// knownMembers returns the members of properties that are fully known and not null.
func knownMembers(v tftypes.Value) map[string]any {
	known := map[string]any{}
	for name, member := range kind.ValuesOf(v) {
		if !member.IsNull() && member.IsFullyKnown() {
			known[name] = value.ToJSON(member)
		}
	}
	return known
}

// checkField checks one property by its row, unless sites define it differently (Sample). The errors of a value
// that is not written, because eNMS already has it, become warnings.
func checkField(p *kind.Plan, a kind.Attribute, x any, written bool) (found diag.Diagnostics) {
	if a.Sample {
		return nil
	}
	at := path.Root(kind.RowProperties).AtMapKey(a.Name)
	problem := cmp.Or(checks.Misfit(a, x, slices.Contains(p.Kind.Secrets, a.Name)), checks.NotAmong(a, x), checks.OutOfRange(a, x))
	if text, _ := x.(string); problem == "" && a.Type == kind.Text {
		problem = checks.TooLong(a, text)
	}
	if problem != "" {
		found.AddAttributeError(at, fmt.Sprintf("Invalid value for properties.%s", a.Name), problem)
		if !written {
			found = asWarnings(found)
		}
	} else if written {
		found = append(checks.WarnOfChoices(a, at, x), doubtsOf(p, a, at, x)...)
	}
	return found
}

// knowsField reports whether a name without a row of properties is known nevertheless.
func knowsField(k *kind.Kind, name string) bool {
	_, hasRow := k.Table().ByName[name] // checkNames has an error for it, and for a name that is empty
	return hasRow || name == "" || slices.Contains(slices.Concat(k.Table().Properties.Relations, k.Unwatched, k.NeverSent, k.Secrets, controlKeys), name)
}

// warnOfField warns about a field that the table does not have. It may be the site's own, so it
// is not an error. If the rows are not complete, it only warns about a name that is similar to a known one.
func warnOfField(p *kind.Plan, name, subtype string, rows map[string]kind.Attribute, complete bool) {
	hint, known := "", knownFields(p.Kind, rows)
	nearest := checks.Nearest(name, known)
	if nearest == "" && !complete {
		return
	}
	if nearest = cmp.Or(nearest, checks.Abbreviated(name, known)); nearest != "" {
		hint = fmt.Sprintf(" Did you mean `%s`?", nearest)
	}
	p.Diagnostics.AddAttributeWarning(path.Root(kind.RowProperties).AtMapKey(name),
		fmt.Sprintf("Unknown field %s of %s", name, subtype),
		fmt.Sprintf("eNMS ignores unknown fields.%s If it is a custom property of your eNMS, ignore this warning.", hint))
}

// NearestField returns the field of the instance's type that is most similar to a name, or "" if none is similar.
func NearestField(k *kind.Kind, name string, values kind.Values) string {
	rows, _ := k.Table().Properties.Of(k.Path(values))
	return checks.Nearest(name, knownFields(k, rows))
}

// knownFields returns the names of the attributes and of rows, which are those of properties.
func knownFields(k *kind.Kind, rows map[string]kind.Attribute) []string {
	known := slices.Collect(maps.Keys(rows))
	for _, a := range k.Table().Sent {
		known = append(known, a.Name)
	}
	return known
}
