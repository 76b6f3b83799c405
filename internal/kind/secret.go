// This file makes attributes of secrets: what eNMS stores and never answers is
// write-only in Terraform, and kept nowhere.

package kind

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/dynamicvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
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
