// This file plans an instance and checks the plan; planvalues.go plans each attribute. It also
// checks a configuration alone, before there is a plan, for what is wrong whatever eNMS has. A
// plan accepts a value that the instance already has, with a warning, if the attribute is
// required, so that every instance can be imported. The type Plan is in kind.go, because a kind's
// Check takes one.

package kind

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// NewPlan plans one instance. prior is nil for a creation; managed is the list that Managed
// returns.
func (k *Kind) NewPlan(config, prior Values, managed []string, now time.Time) *Plan {
	p := &Plan{Kind: k, Config: maps.Clone(config), Prior: prior, Managed: managed, Now: now, Planned: Values{}}
	for _, a := range k.rows().resource {
		p.Config[a.Name] = a.filled(config[a.Name])
		p.Planned[a.Name] = p.attribute(a)
		if prior != nil && a.Recreate && !p.Planned[a.Name].Equal(prior[a.Name]) {
			p.Replaced = append(p.Replaced, a.Name)
		}
	}
	p.makeName()
	p.checkNeeded()
	p.checkProperties()
	p.checkSecrets()
	p.checkBounds()
	p.checkValues()
	p.checkFurther()
	p.checkTogether()
	p.planChangesOnWrite()
	return p
}

// PlanAdoption plans the update of an existing instance that a creation adopts. It keeps the
// values that the creation has planned, and eNMS's values of attributes that are not configured.
// Secrets are sent in any case: their versions are removed from existing.
func (k *Kind) PlanAdoption(config, planned, existing Values, now time.Time) *Plan {
	for _, a := range k.rows().secrets {
		existing[a.versionName()] = tftypes.NewValue(tftypes.Number, tftypes.UnknownValue)
	}
	p := k.NewPlan(config, existing, nil, now)
	for _, a := range k.rows().resource {
		if v := planned[a.Name]; v.IsFullyKnown() && !v.IsNull() {
			p.Planned[a.Name] = v
		}
	}
	return p
}

// SwitchedOn returns the configuration that enables an instance again which was disabled (Off):
// it adds the values from before, unless the configuration sets them.
func (k *Kind) SwitchedOn(config, before Values) Values {
	on := maps.Clone(config)
	for field := range k.Off {
		if a, is := k.rows().byName[field]; is && config[a.Name].IsNull() && before[a.Name].IsKnown() {
			on[a.Name] = before[a.Name]
		}
	}
	return on
}

// checkNeeded refuses a plan without a Needed attribute.
func (p *Plan) checkNeeded() {
	for _, a := range p.Kind.rows().remote {
		if a.Needed && !p.Configured(a.Name) && (p.Creating() || !p.Prior[a.Name].IsNull()) {
			p.Error(a.Name, fmt.Sprintf("A %s needs a %s", p.Kind.Name, a.Name), fmt.Sprintf("It is not in the configuration: add %s.", a.Name))
		}
	}
}

// CheckRequired refuses the creation of an instance without an attribute that the schema of
// its resource requires: entries of enms_instances have no schema.
func (p *Plan) CheckRequired() {
	for _, a := range p.Kind.rows().fields {
		if a.Required && !p.Configured(a.Name) {
			p.Error(a.Name, fmt.Sprintf("A %s needs a %s", p.Kind.Name, a.Name), fmt.Sprintf("It is not in the configuration: add %s.", a.Name))
		}
	}
}

// planChangesOnWrite plans the attributes with ChangesOnWrite as unknown if the plan changes
// anything in eNMS.
func (p *Plan) planChangesOnWrite() {
	if p.Kind.ChangesOnWrite == nil || !p.writes() || !p.Kind.ChangesOnWrite(p) {
		return
	}
	for _, a := range p.Kind.rows().remote {
		if a.ChangesOnWrite && p.Config[a.Name].IsNull() && p.Planned[a.Name].Equal(p.Prior[a.Name]) {
			p.Planned[a.Name] = a.unknown()
		}
	}
}

// checkProperties refuses properties that have an attribute of their own, that must never be
// sent, or that are written twice. It warns about a secret, which would be in the state.
func (p *Plan) checkProperties() {
	const secretRow = RowProperties + writeOnlySuffix
	plain, secret := value.Members(p.Config[RowProperties]), value.Members(p.Config[secretRow])
	p.checkNames(RowProperties, plain)
	p.checkNames(secretRow, secret)
	for _, name := range slices.Sorted(maps.Keys(plain)) {
		if _, twice := secret[name]; twice {
			p.Error(secretRow, fmt.Sprintf("Duplicate field %s", name), fmt.Sprintf("Remove it from %s.", RowProperties))
		} else if a, ofRow := p.Kind.rowOf(plain, name); p.Kind.isSecret(name) && !(ofRow && a.Role == Secret) { // checkNames refuses the others
			p.WarnAt(RowProperties, name, fmt.Sprintf("The secret %s is stored in the state", name),
				fmt.Sprintf("Values in %s are stored in the state and in plans. With Terraform 1.11 or newer, write it in %s with %s instead; it is then not stored.", RowProperties, secretRow, secretRow+versionSuffix))
		}
	}
}

// checkNames refuses invalid names of the properties in a row.
func (p *Plan) checkNames(row string, properties map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		a, ofRow := p.Kind.rowOf(properties, name)
		switch {
		case slices.Contains(controlKeys, name), slices.Contains(p.Kind.NeverSent, name):
			p.ErrorAt(row, name, fmt.Sprintf("%s must not be sent", name),
				fmt.Sprintf("eNMS refuses %q, or would change, rename or delete something other than the fields of this %s. Remove it from %s.", name, p.Kind.Name, row))
		case ofRow && a.Role == Secret && a.Type != Properties:
			p.ErrorAt(row, name, fmt.Sprintf("%s does not belong in %s", name, row),
				fmt.Sprintf("It is a secret with a write-only attribute, which is not stored. Remove it from %s, and write %s = \"...\" and %s = 1.", row, a.Name, a.versionName()))
		case ofRow && a.Name == name && !a.ReadOnly && a.Role != Identity && a.Role != Setting:
			p.ErrorAt(row, name, fmt.Sprintf("%s does not belong in %s", name, row),
				fmt.Sprintf("It has its own attribute: remove it from %s, and write %s instead.", row, name))
		case ofRow:
			p.ErrorAt(row, name, fmt.Sprintf("%s does not belong in %s", name, row),
				fmt.Sprintf("It belongs to the attribute %s, or eNMS computes it. Remove it from %s.", a.Name, row))
		}
	}
}

// checkValues looks at each configured attribute by itself.
func (p *Plan) checkValues() {
	for _, a := range p.Kind.rows().remote {
		if p.Config[a.Name].IsNull() {
			continue
		}
		found := a.validate(p.Config[a.Name])
		if p.repeats(a) {
			found = asWarnings(found)
		} else if len(found) == 0 && p.Config[a.Name].IsFullyKnown() {
			found = a.warnOfChoices(path.Root(a.Name), value.ToJSON(p.Config[a.Name]))
		}
		p.Diagnostics.Append(found...)
	}
}

// checkTogether runs the kind's check across attributes. If the plan writes nothing, its errors
// become warnings, because eNMS already has the values.
func (p *Plan) checkTogether() {
	if p.Kind.Check == nil {
		return
	}
	before := p.Diagnostics
	p.Diagnostics = nil
	p.Kind.Check(p)
	found := p.Diagnostics
	if p.Prior != nil && !p.writes() {
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

// checkBounds refuses what not every database of eNMS can store: strings that are too long, and
// the character NUL (enms-rest.md 1.1). Values that an existing instance already has are only
// warned of: SQLite stores more than others.
func (p *Plan) checkBounds() {
	for _, a := range slices.Concat(p.Kind.rows().remote, p.Kind.rows().secrets) {
		if p.Config[a.Name].IsNull() {
			continue
		}
		found := a.unfit(p.change(a))
		if len(found) == 0 {
			found = asWarnings(a.unfit(value.ToJSON(p.Planned[a.Name])))
		}
		p.Diagnostics.Append(found...)
	}
}

// checkFurther checks the members of properties by their rows. It warns about members without a
// row that the instance does not have yet.
func (p *Plan) checkFurther() {
	subtype := p.Kind.Name
	if row := p.Kind.SubtypeRow(); row != "" {
		if !p.Planned[row].IsKnown() && (p.Configured(row) || !p.ConfigOnly) {
			return
		}
		subtype = value.Text(p.Planned[row]) // "" has the rows of every subtype
	}
	row := p.Kind.row(RowProperties)
	changed, _ := p.change(row).(map[string]any)
	held := value.Members(p.Prior[RowProperties])
	rows, known := p.Kind.rows().further.of(subtype)
	given := knownMembers(p.Config[RowProperties])
	for _, name := range slices.Sorted(maps.Keys(given)) {
		_, written := changed[name]
		a, has := rows[name]
		switch _, holds := held[name]; {
		case has:
			p.Diagnostics.Append(p.checkField(a, given[name], written)...)
		case !holds && !p.Kind.knowsField(name):
			p.warnOfField(name, subtype, rows, known)
		}
	}
}

// knownMembers returns the members of properties that are fully known and not null.
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

// checkField checks one further field by its row.
func (p *Plan) checkField(a Attribute, x any, written bool) (found diag.Diagnostics) {
	if a.Sample {
		return nil
	}
	at := path.Root(RowProperties).AtMapKey(a.Name)
	problem := a.misfit(x, slices.Contains(p.Kind.Secrets, a.Name))
	if problem == "" {
		problem = cmp.Or(a.notAmong(x), a.outOfRange(x))
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

// knowsField reports whether a field without a row is nevertheless known.
func (k *Kind) knowsField(name string) bool {
	_, attribute := k.rows().byName[name] // checkNames has an error for it
	return attribute || slices.Contains(slices.Concat(k.rows().further.relations, k.Unwatched, k.NeverSent, k.Secrets, controlKeys), name)
}

// warnOfField warns about a field that the table does not have. It may be the site's own, so it
// is not an error, and there is no warning once eNMS has returned it. If the subtype has fields
// that the table does not have, it only warns about a name that is similar to a known one.
func (p *Plan) warnOfField(name, subtype string, rows map[string]Attribute, known bool) {
	hint, near := "", p.Kind.nearestField(name, rows)
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

// NearestField returns the field of the instance's type that is most similar to a name, or "" if
// none is similar.
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

// controlKeys are keys of a payload that are not fields of the instance (enms-rest.md 0.2).
var controlKeys = []string{"id", "type", "new_name", "must_be_new", "no_fetch", "rbac", "commit", "migration_import", "import_mechanism", "list_data"}

// Validate returns the errors of a configuration that are known without a state and without eNMS.
// An existing instance may have a value that is refused here: the configuration can then omit the
// attribute, and the value remains. Attributes that cannot be omitted are checked by the plan,
// which knows the values of the instance, and so are values that only some databases refuse.
func (k *Kind) Validate(config Values) (found diag.Diagnostics) {
	p := k.configuration(config)
	p.checkProperties()
	p.checkBounds()
	p.checkValues()
	p.checkFurther()
	if k.Check != nil {
		k.Check(p)
	}
	for _, d := range p.Diagnostics {
		if d.Severity() == diag.SeverityError && !k.leftToPlan(d, p.Config) {
			found.Append(d)
		}
	}
	return append(found, p.Refused...)
}

// CheckDefaults returns the errors of defaults for the kind, each on one of the attributes.
func (k *Kind) CheckDefaults(defaults Values) (found diag.Diagnostics) {
	p := k.configuration(defaults)
	p.checkProperties()
	p.checkBounds()
	p.checkValues()
	p.checkFurther()
	for _, name := range slices.Sorted(maps.Keys(ValuesOf(defaults[RowProperties]))) {
		if a, ofRow := k.rowOf(nil, name); k.isSecret(name) && !(ofRow && a.Role == Secret) { // checkNames refuses those
			p.ErrorAt(RowProperties, name, fmt.Sprintf("%s is a secret", name), "Defaults are stored in the state and in plans. Remove it.")
		}
	}
	for _, d := range p.Diagnostics {
		if d.Severity() == diag.SeverityError {
			found.Append(d)
		}
	}
	return found
}

// configuration returns a plan of the configuration alone.
func (k *Kind) configuration(config Values) *Plan {
	p := &Plan{Kind: k, Config: Values{}, Planned: Values{}, ConfigOnly: true}
	for _, a := range k.rows().resource {
		p.Config[a.Name] = a.filled(config[a.Name])
		p.Planned[a.Name] = p.Config[a.Name]
		if p.Config[a.Name].IsNull() && a.Role != Setting && a.Role != Secret {
			p.Planned[a.Name] = a.unknown()
		}
	}
	return p
}

// leftToPlan reports whether only the plan can decide if a finding is an error: an imported
// instance may have this value of a required attribute. An empty name, and characters that no
// name in eNMS has, are errors in any case.
func (k *Kind) leftToPlan(d diag.Diagnostic, config Values) bool {
	a, is := k.rows().byName[rootOf(d)]
	if !is || !a.Required && !a.Needed && a.Role != Key {
		return false
	}
	name := value.Text(config[a.Name])
	return a.Role != Key && a.Type != One || name != "" && wrongCharacters(name) == ""
}

// rootOf returns the attribute that a diagnostic is about, or "".
func rootOf(d diag.Diagnostic) string {
	on, is := d.(diag.DiagnosticWithPath)
	if !is || len(on.Path().Steps()) == 0 {
		return ""
	}
	name, _ := on.Path().Steps()[0].(path.PathStepAttributeName)
	return string(name)
}

// memberOf returns the member of a map or an object that a diagnostic is about, or "" if it is
// about a whole attribute.
func memberOf(d diag.Diagnostic) string {
	on, is := d.(diag.DiagnosticWithPath)
	if !is || len(on.Path().Steps()) < 2 {
		return ""
	}
	key, _ := on.Path().Steps()[1].(path.PathStepElementKeyString)
	return string(key)
}

// WithoutInvalid returns the values of an existing instance without those that a configuration
// must not contain, and a warning for each that it leaves out.
func (k *Kind) WithoutInvalid(values Values) (valid Values, left diag.Diagnostics) {
	valid = maps.Clone(values)
	for _, d := range k.Validate(k.configurable(values)) {
		a, is := k.rows().byName[rootOf(d)]
		if !is || a.Required || a.Needed || a.Role == Key {
			continue
		}
		field, held := takeOut(valid, a, memberOf(d))
		left.AddAttributeWarning(path.Root(a.Name), fmt.Sprintf("Left out of %s %q: %s", k.Name, value.Text(values[RowName]), field),
			fmt.Sprintf("eNMS has %s, which is not valid in a configuration: %s Omit %s to keep the value in eNMS, or write a valid value to replace it.",
				shownValue(held), d.Detail(), field))
	}
	return valid, left
}

// takeOut removes the value of an attribute, or only one member of properties. It returns the
// name of what it removed, as a configuration writes it, and its value.
func takeOut(values Values, a Attribute, member string) (field string, held any) {
	if a.Type != Properties || member == "" {
		held = value.ToJSON(values[a.Name])
		values[a.Name] = a.null()
		return a.Name, held
	}
	members := value.Members(values[a.Name])
	held = members[member]
	delete(members, member)
	values[a.Name] = value.FromJSON(members)
	return a.Name + "." + member, held
}

// configurable returns the values of an instance that a configuration may contain.
func (k *Kind) configurable(values Values) Values {
	config := maps.Clone(values)
	for _, a := range k.rows().resource {
		if a.ReadOnly || a.Role == Identity || a.Role == Secret {
			config[a.Name] = a.null()
		}
	}
	return config
}

// KeepLeftOut returns the state after an update without the values that the import of the
// instance left out: their planned value is null, and Terraform does not accept another one. The
// next read returns them.
func (k *Kind) KeepLeftOut(state, planned Values) Values {
	kept := maps.Clone(state)
	for _, a := range k.rows().fields {
		if v := planned[a.Name]; slices.Contains([]ValueType{Text, Number}, a.Type) && v.Type() != nil && v.IsNull() {
			kept[a.Name] = tftypes.NewValue(v.Type(), nil)
		}
	}
	return kept
}

// WithPlannedCriteria returns the state of an adopted instance without the criteria that the plan
// of the creation does not have. The next read returns them.
func (k *Kind) WithPlannedCriteria(state, planned Values) Values {
	state = maps.Clone(state)
	for _, a := range k.rows().criteria {
		if planned[a.Name].IsNull() && state[a.Name].Type() != nil {
			state[a.Name] = a.null()
		}
	}
	return state
}
