// This file makes variables for secrets, which eNMS never returns.

package export

import (
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// secret is a variable for a secret.
type secret struct {
	Variable string `json:"variable"`
	Object   string `json:"object"`
	Field    string `json:"field"`
}

// description describes the variable.
func (s secret) description() string { return s.Field + " of " + s.Object }

// secrets returns the attributes of the object's secrets, and their variables.
func (o *object) secrets() (attributes []attribute, variables []secret) {
	prefix := o.kind.Name + "_" + o.label
	if o.module != nil { // its variables are in the root
		prefix = o.module.label + "_" + prefix
	}
	variable := func(field string) secret {
		made := secret{Variable: prefix + "_" + field, Object: o.String(), Field: field}
		if o.module != nil {
			o.module.secret(made.Variable, made.description())
		}
		variables = append(variables, made)
		return made
	}
	add := func(row string, x any, version string) {
		attributes = append(attributes, attribute{row, x},
			attribute{row + "_version", source("lookup(var." + versionsVariable + ", " + exportmerge.Quote(version) + ", null)")})
	}
	for _, row := range o.kind.Rows() {
		switch {
		case row.Role != kind.Secret:
		case row.Type == kind.Properties:
			var members []member
			version := ""
			for _, field := range o.usedSecrets() {
				v := variable(field)
				version = v.Variable
				members = append(members, member{objectKey(field), source("var." + v.Variable)})
			}
			if len(members) > 1 {
				version = prefix
			}
			if len(members) > 0 {
				add(row.Name, members, version)
			}
		default:
			v := variable(strings.TrimSuffix(row.Name, "_wo"))
			add(row.Name, source("var."+v.Variable), v.Variable)
		}
	}
	return attributes, variables
}

// usedSecrets returns the further fields with secrets that the object seems to use: a field that
// begins with the same word is set, such as custom_username for custom_password.
func (o *object) usedSecrets() (used []string) {
	for _, row := range o.further() {
		word, _, _ := strings.Cut(row.Name, "_")
		if slices.Contains(o.kind.Secrets, row.Name) && slices.ContainsFunc(o.further(), func(other kind.Attribute) bool {
			return other.Name != row.Name && strings.HasPrefix(other.Name, word+"_") && o.field(other.Name) != nil
		}) {
			used = append(used, row.Name)
		}
	}
	return used
}
