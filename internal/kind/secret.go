// This file makes attributes of secrets: what eNMS stores and never answers is
// write-only in Terraform, and kept nowhere.

package kind

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-validators/dynamicvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

const (
	writeOnlySuffix = "_wo"
	versionSuffix   = "_version"
)

// secretRows are the two rows that a Secret of the table stands for: the
// write-only value, and the version whose change sends it anew.
func (a Attribute) secretRows() []Attribute {
	wo := a
	wo.Name = a.Name + writeOnlySuffix
	if a.Type != Properties { // which are sent under their own names
		wo.secret = a.Name
	}
	wo.Doc += " Write-only: it is in no state and no plan, and needs Terraform 1.11 or newer. It is sent when the instance is created, and again whenever `" +
		wo.versionName() + "` changes; taken out, it stays as it is in eNMS."
	return []Attribute{wo, {Name: wo.versionName(), Type: Number, Role: Setting,
		Doc: "A number of your own: another one sends `" + wo.Name + "` again."}}
}

// versionName is the row with the version of a secret.
func (a Attribute) versionName() string { return a.Name + versionSuffix }

// secrets are the secrets of the configuration that a write sends: those whose
// version is not that of the state. prior is nil for a creation.
func (k *Kind) secrets(config, prior Values) value.Object {
	payload := value.Object{}
	for _, a := range k.rows().secrets {
		secret, version := config[a.Name], a.versionName()
		if secret.IsNull() || !secret.IsFullyKnown() || prior != nil && config[version].Equal(prior[version]) {
			continue
		}
		if a.Type == Properties {
			maps.Copy(payload, value.Members(secret))
			continue
		}
		payload[a.secret] = value.ToJSON(secret)
	}
	return payload
}

// isSecret tells whether eNMS never answers a field.
func (k *Kind) isSecret(field string) bool {
	return slices.Contains(k.Secrets, field) ||
		slices.ContainsFunc(k.rows().secrets, func(a Attribute) bool { return a.secret == field })
}

// versionChecks make sure that a secret has a version: without one, no change of it
// would be sent.
func (a Attribute) versionChecks() (checks struct {
	text    []validator.String
	dynamic []validator.Dynamic
}) {
	if a.Role == Secret {
		version := path.MatchRoot(a.versionName())
		checks.text = append(checks.text, stringvalidator.AlsoRequires(version))
		checks.dynamic = append(checks.dynamic, dynamicvalidator.AlsoRequires(version))
	}
	return checks
}
