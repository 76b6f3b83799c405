// This file declares the attributes of owners and rights (enms-rest.md 2.3, 6.3).

package kinds

import "github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"

// rightsDocs say what each right allows.
var rightsDocs = map[string]string{
	"rbac_read":          "see the instance",
	"rbac_edit":          "change and delete the instance",
	"rbac_run":           "run the service",
	"rbac_configuration": "see the configuration of the device",
	"rbac_connect":       "connect to the device from eNMS",
	"rbac_target":        "run services on the device",
	"rbac_use":           "use the instance in services",
}

// rights returns the rows of the owners of instances of a type, and of the groups that have rights to them:
// to read, to edit, and more rights.
func rights(typ string, more ...string) []kind.Attribute {
	rows := []kind.Attribute{{Name: "owners", Section: sectionRights, Type: kind.Many, Of: "user", Inverse: "user_" + typ + "s", Defaultable: true, AfterCreate: true, Automatic: ownedByCreator,
		Doc: "The names of the owners. Defaults to the user who creates the instance. Only an administrator or an owner can change owners and rights. If removed from the configuration, the owners stay."}}
	for _, right := range append([]string{"rbac_read", "rbac_edit"}, more...) {
		rows = append(rows, kind.Attribute{Name: right, Type: kind.Many, Of: "group", Inverse: right + "_" + typ + "s", Defaultable: true, Membership: kind.Membership{ServerAdds: true, Forced: right == "rbac_read"}, Automatic: never,
			Doc: "The names of the groups whose members may " + rightsDocs[right] + ". Additional groups in eNMS are not reported as drift. If removed from the configuration, all groups lose the right."})
	}
	return rows
}

// adminOnly returns the row that hides instances of a type from all but administrators.
func adminOnly(typ string) kind.Attribute {
	return flag("admin_only", false, "Whether only administrators see the "+typ+".")
}

// ownedByCreator reports whether an instance may have the owner that eNMS gave it. Not every type has a
// field with its creator, so a single owner counts as the creator.
func ownedByCreator(answer map[string]any) bool {
	owners, _ := answer["owners"].([]any)
	return len(owners) <= 1
}

// never is the Automatic of rows whose values eNMS does not fill in: a state holds them only while they are configured,
// and imports do not omit them.
func never(map[string]any) bool { return false }
