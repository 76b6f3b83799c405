// This file checks a plan. For a value that the instance already has, errors become warnings, so that every instance
// can be imported. If the configuration could omit such a value, Validate has refused it before (validate.go).

package plans

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// checkNeeded refuses a plan without a Needed attribute, unless the instance exists and has no value.
func checkNeeded(p *kind.Plan) {
	for _, a := range p.Kind.Table().Remote {
		if a.Needed && !p.Configured(a.Name) && (p.Creating() || !p.Prior[a.Name].IsNull()) {
			addMissing(p, a)
		}
	}
}

// addMissing adds the error that an attribute is not configured.
func addMissing(p *kind.Plan, a kind.Attribute) {
	p.Error(a.Name, fmt.Sprintf("A %s needs a %s", p.Kind.Name, a.Name), fmt.Sprintf("It is not in the configuration: add %s.", a.Name))
}

// CheckRequired refuses the creation of an instance without an attribute that the schema of
// its resource requires: entries of enms_instances have no schema.
func CheckRequired(p *kind.Plan) {
	for _, a := range p.Kind.Table().Fields {
		if a.Required && !p.Configured(a.Name) {
			addMissing(p, a)
		}
	}
}

// checkProperties refuses properties that have an attribute of their own, that must never be
// sent, or that are written twice. It warns about secrets that would be in the state.
func checkProperties(p *kind.Plan) {
	const secretRow = kind.RowProperties + kind.WriteOnlySuffix
	plain, secret := value.Members(p.Config[kind.RowProperties]), value.Members(p.Config[secretRow])
	checkNames(p, kind.RowProperties, plain)
	checkNames(p, secretRow, secret)
	for _, name := range slices.Sorted(maps.Keys(plain)) {
		if _, twice := secret[name]; twice {
			p.Error(secretRow, fmt.Sprintf("Duplicate field %s", name), fmt.Sprintf("Remove it from %s.", kind.RowProperties))
		} else if isSecretWithoutRow(p.Kind, name) {
			p.WarnAt(kind.RowProperties, name, fmt.Sprintf("The secret %s is stored in the state", name),
				fmt.Sprintf("Values in %s are stored in the state and in plans. With Terraform 1.11 or newer, write it in %s with %s instead; it is then not stored.", kind.RowProperties, secretRow, secretRow+kind.VersionSuffix))
		}
	}
}

// isSecretWithoutRow reports whether a property is a secret without a write-only attribute of its own.
// checkNames refuses secrets that have one.
func isSecretWithoutRow(k *kind.Kind, name string) bool {
	a, _ := k.RowOf(nil, name)
	return k.IsSecret(name) && a.Role != kind.Secret
}

// warnOfPlainSecrets warns of changed values that look like secrets because of the names of their fields, such as
// "password": in properties, and in objects such as a payload.
func warnOfPlainSecrets(p *kind.Plan) {
	for _, a := range p.Kind.Table().Remote {
		switch a.Type {
		case kind.JSON:
			warnOfPlainSecret(p, path.Root(a.Name), checks.PlainSecretsIn(a.Name, changeOf(p, a)), "what eNMS reads itself, such as the environment of its server")
		case kind.Properties:
			fields, _ := changeOf(p, a).(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(fields)) {
				if !isSecretWithoutRow(p.Kind, name) { // checkProperties warns of those that eNMS itself treats as secrets
					warnOfPlainSecret(p, path.Root(a.Name).AtMapKey(name), checks.PlainSecretsIn("", map[string]any{name: fields[name]}),
						fmt.Sprintf("%s%s of a resource %s, which is write-only, too", a.Name, kind.WriteOnlySuffix, p.Kind.TypeName()))
				}
			}
		}
	}
}

// warnOfPlainSecret warns of the secrets in one value. otherPlace ends the sentence "another secret belongs in".
func warnOfPlainSecret(p *kind.Plan, at path.Path, secrets []string, otherPlace string) {
	for _, secret := range secrets {
		p.Diagnostics.AddAttributeWarning(at, fmt.Sprintf("%s looks like a secret, and is stored in the state", secret),
			fmt.Sprintf("States and plans hold it in plain text. A login to devices belongs in a resource enms_credential, whose passwords are write-only, and another secret in %s.", otherPlace))
	}
}

// checkNames refuses invalid names of the properties in a row.
func checkNames(p *kind.Plan, row string, properties map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		a, ofRow := p.Kind.RowOf(properties, name)
		switch {
		case name == "":
			p.ErrorAt(row, name, "A field has no name", fmt.Sprintf("A field of %s has an empty name. Give it a name, or remove it.", row))
		case slices.Contains(controlKeys, name), slices.Contains(p.Kind.NeverSent, name):
			p.ErrorAt(row, name, fmt.Sprintf("%s must not be sent", name),
				fmt.Sprintf("eNMS refuses %q, or would change, rename or delete something other than the fields of this %s. Remove it from %s.", name, p.Kind.Name, row))
		case a.Role == kind.Secret && a.Type != kind.Properties:
			p.ErrorAt(row, name, fmt.Sprintf("%s does not belong in %s", name, row),
				fmt.Sprintf("It is a secret with a write-only attribute, which is not stored. Remove it from %s, and write %s = \"...\" and %s = 1.", row, a.Name, a.VersionName()))
		case a.Name == name && !a.ReadOnly && a.Role != kind.Setting:
			p.ErrorAt(row, name, fmt.Sprintf("%s does not belong in %s", name, row),
				fmt.Sprintf("It has its own attribute: remove it from %s, and write %s instead.", row, name))
		case ofRow:
			p.ErrorAt(row, name, fmt.Sprintf("%s does not belong in %s", name, row),
				fmt.Sprintf("It belongs to the attribute %s, or eNMS computes it. Remove it from %s.", a.Name, row))
		}
	}
}

// checkValues checks each configured attribute by itself.
func checkValues(p *kind.Plan) {
	for _, a := range p.Kind.Table().Remote {
		if p.Config[a.Name].IsNull() {
			continue
		}
		found := checks.Value(a, p.Config[a.Name])
		if keepsValue(p, a) {
			found = asWarnings(found)
		} else if len(found) == 0 && p.Config[a.Name].IsFullyKnown() {
			x := value.ToJSON(p.Config[a.Name])
			found = append(checks.WarnOfChoices(a, path.Root(a.Name), x, p.Kind.Table().Remote...), doubtsOf(p, a, path.Root(a.Name), x)...)
		}
		p.Diagnostics.Append(found...)
	}
}

// doubtsOf returns the warning about a configured string that is probably wrong.
func doubtsOf(p *kind.Plan, a kind.Attribute, at path.Path, x any) (found diag.Diagnostics) {
	if text, _ := x.(string); text != "" && a.Doubt != nil {
		if why := a.Doubt(text, othersOf(p)); why != "" {
			found.AddAttributeWarning(at, fmt.Sprintf("Unusual value for %s", a.Name), why)
		}
	}
	return found
}

// othersOf returns what a Doubt asks for other attributes.
func othersOf(p *kind.Plan) func(attribute string) any {
	return func(attribute string) any {
		if v := p.Effective(attribute); v.IsFullyKnown() {
			return value.ToJSON(v)
		}
		return nil
	}
}

// WarnOfMissing warns about attributes and fields without which a new instance is of no use. It is not for a creation
// that adopts an instance, which may have them.
func WarnOfMissing(p *kind.Plan) {
	if p.Diagnostics.HasError() || p.Prior != nil && len(p.Replaced) == 0 {
		return
	}
	for _, a := range slices.Concat(p.Kind.Table().Remote, p.Kind.Table().Secrets) {
		if !p.Configured(a.Name) {
			warnOfMissing(p, a, a.Name)
		}
	}
	if properties := p.Config[kind.RowProperties]; !properties.IsKnown() || !p.Planned[p.Kind.SubtypeRow()].IsKnown() {
		return
	}
	rows, _ := p.Kind.Table().Properties.Of(p.Kind.Path(p.Planned))
	plain, secret := value.Members(p.Config[kind.RowProperties]), value.Members(p.Config[kind.RowProperties+kind.WriteOnlySuffix])
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		_, isPlain := plain[name]
		if _, isSecret := secret[name]; !isPlain && !isSecret {
			warnOfMissing(p, rows[name], kind.RowProperties)
		}
	}
}

// warnOfMissing warns about an attribute or a field that is not configured, on an attribute. A field that is not there
// has no path of its own.
func warnOfMissing(p *kind.Plan, a kind.Attribute, on string) {
	if a.Doubt == nil {
		return
	}
	if why := a.Doubt("", othersOf(p)); why != "" {
		p.Warn(on, fmt.Sprintf("%s is not set", a.Name), why)
	}
}

// checkTogether runs the kind's check across attributes. If the plan writes nothing, its errors except for Refused
// become warnings, because eNMS already has the values.
func checkTogether(p *kind.Plan) {
	if p.Kind.Check == nil {
		return
	}
	before := p.Diagnostics
	p.Diagnostics = nil
	p.Kind.Check(p) // adds to Diagnostics
	found := p.Diagnostics
	if p.Prior != nil && !writes(p) {
		found = asWarnings(found)
	}
	p.Diagnostics = slices.Concat(before, found, p.Refused)
}

// asWarnings turns errors into warnings, for values that eNMS already holds.
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

// checkBounds refuses what some databases of eNMS cannot store, or Terraform cannot read back (enms-rest.md 1.1). It
// only warns about a value that an existing instance already has: SQLite stores more than others.
func checkBounds(p *kind.Plan) {
	for _, a := range slices.Concat(p.Kind.Table().Remote, p.Kind.Table().Secrets) {
		if p.Config[a.Name].IsNull() {
			continue
		}
		found := checks.Unfit(a, changeOf(p, a))
		if len(found) == 0 {
			found = asWarnings(checks.Unfit(a, value.ToJSON(p.Planned[a.Name])))
		}
		p.Diagnostics.Append(found...)
	}
}

// controlKeys are keys of a payload that are not fields of the instance (enms-rest.md 0.2).
var controlKeys = []string{"id", "type", "new_name", "must_be_new", "no_fetch", "rbac", "commit", "migration_import", "import_mechanism", "list_data"}

// subjectOf returns the attribute that a diagnostic is about, and the member of that attribute, or "" for none.
// Diagnostics name members of properties by map keys, although the value may be an object.
func subjectOf(d diag.Diagnostic) (attribute, member string) {
	on, is := d.(diag.DiagnosticWithPath)
	if !is {
		return "", ""
	}
	steps := append(on.Path().Steps(), nil, nil) // at least two
	name, _ := steps[0].(path.PathStepAttributeName)
	key, _ := steps[1].(path.PathStepElementKeyString)
	return string(name), string(key)
}
