// This file makes the attributes of secrets: a value that eNMS never returns is
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
	wo.Doc += " Write-only: it is not stored in the state or the plan, and needs Terraform 1.11 or newer. It is sent when the instance is created, and again whenever `" +
		wo.versionName() + "` changes. If removed from the configuration, it stays in eNMS."
	return []Attribute{wo, {Name: wo.versionName(), Type: Number, Role: Setting,
		Doc: "Any whole number. Changing it sends `" + wo.Name + "` again, which must then not be null."}}
}

// versionName returns the row with the version of a secret.
func (a Attribute) versionName() string { return a.Name + versionSuffix }
