// This file makes variables for secrets: for those that eNMS never returns, and for those that it
// returns and that can be written without other fields.

package export

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// secret is a variable for a secret.
type secret struct {
	Variable string `json:"variable"`
	Object   string `json:"object"`
	Field    string `json:"field"`
	Key      string `json:"key"` // of its version in the variable versionsVariable; secrets that are sent together have one
}

// description describes the variable.
func (s secret) description() string {
	if s.Key != s.Variable {
		return s.Field + " of " + s.Object + ". Its key in " + versionsVariable + " is " + s.Key + ", for all secrets of the object."
	}
	return s.Field + " of " + s.Object
}

// secrets returns the attributes of the object's secrets, and their variables. It uses the variables
// that the code already has.
func (o *object) secrets(code *exportmerge.Matching) (attributes []attribute, variables []secret) {
	prefix := o.kind.Name + "_" + o.label
	if o.module != nil { // its variables are in the root
		prefix = o.module.label + "_" + prefix
	}
	add := func(row kind.Attribute, fields ...string) { // the variables of the fields that one version sends
		var members []member
		first := len(variables)
		for _, field := range fields {
			at := []string{row.Name}
			if row.Type == kind.Properties {
				at = append(at, field)
			}
			variable := cmp.Or(code.Variable(o.match.At, at...), prefix+"_"+field) // the code may have another one for it
			made := secret{Variable: variable, Object: o.String(), Field: field}
			members = append(members, member{objectKey(field), source("var." + made.Variable)})
			variables = append(variables, made)
		}
		made := variables[first:]
		for n := range made {
			made[n].Key = prefix
			if len(made) == 1 {
				made[n].Key = made[n].Variable
			}
			if o.module != nil {
				o.module.secretInput(made[n].Variable, made[n].description())
			}
		}
		var x any = members
		if row.Type != kind.Properties {
			x = members[0].value
		}
		attributes = append(attributes, attribute{row.Name, x},
			attribute{row.Name + "_version", source("lookup(var." + versionsVariable + ", " + exportmerge.Quote(made[0].Key) + ", null)")})
	}
	for _, row := range o.kind.Rows() {
		isUsed := row.UsedIf[0] == "" || value.Text(o.state[row.UsedIf[0]]) == row.UsedIf[1]
		switch {
		case row.Role != kind.Secret || !isUsed:
		case row.Type != kind.Properties:
			add(row, strings.TrimSuffix(row.Name, "_wo"))
		case len(o.usedSecrets())+len(o.returnedSecrets) > 0:
			add(row, slices.Concat(o.usedSecrets(), o.returnedSecrets)...)
		}
	}
	return attributes, variables
}

// takeSecrets moves properties whose names look like secrets to variables.
func (o *object) takeSecrets() {
	fields := value.Members(o.config[kind.RowProperties])
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		if text, is := fields[field].(string); is && text != "" && checks.IsSecretName(field) {
			o.returnedSecrets = append(o.returnedSecrets, field)
			delete(fields, field)
		}
	}
	switch {
	case len(o.returnedSecrets) == 0:
	case len(fields) == 0:
		delete(o.config, kind.RowProperties)
	default:
		o.config[kind.RowProperties] = value.FromJSON(fields)
	}
}

// usedSecrets returns the properties for secrets that the object seems to use: another field that
// begins with the same word is set, such as custom_username for custom_password.
func (o *object) usedSecrets() (used []string) {
	for _, row := range o.propertyRows() {
		word, _, _ := strings.Cut(row.Name, "_")
		if slices.Contains(o.kind.Secrets, row.Name) && slices.ContainsFunc(o.propertyRows(), func(other kind.Attribute) bool {
			return other.Name != row.Name && strings.HasPrefix(other.Name, word+"_") && o.field(other.Name) != nil
		}) {
			used = append(used, row.Name)
		}
	}
	return used
}
