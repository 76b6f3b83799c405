// This file makes attributes of secrets: what eNMS stores and never answers is
// write-only in Terraform, and kept nowhere.

package kind

const (
	writeOnlySuffix = "_wo"
	versionSuffix   = "_version"
)

// secretRows returns the two rows that a Secret of the table stands for: the write-only value,
// and the version whose change sends it anew.
func (a Attribute) secretRows() []Attribute {
	wo := a
	wo.Name = a.Name + writeOnlySuffix
	if a.Type != Properties { // which are sent under their own names
		wo.secret = a.Name
	}
	wo.Doc += " Write-only: it is in no state and no plan, and needs Terraform 1.11 or newer. It is sent when the instance is created, and again whenever `" +
		wo.versionName() + "` changes; taken out, it stays as it is in eNMS."
	return []Attribute{wo, {Name: wo.versionName(), Type: Number, Role: Setting,
		Doc: "A whole number of your own: another one sends `" + wo.Name + "` again, which must not be null then."}}
}

// versionName returns the row with the version of a secret.
func (a Attribute) versionName() string { return a.Name + versionSuffix }
