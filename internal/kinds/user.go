// This file declares users (enms-rest.md 1.10).

package kinds

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

func user() *kind.Kind {
	return &kind.Kind{
		Name:      "user",
		Namespace: "user",

		NoTimestamps: true,

		Summary: "A user of eNMS.",
		Attributes: []kind.Attribute{
			{Name: "description", Default: "", MaxLength: kind.Unbounded, Doc: "The description of the user."},
			{Name: "email", Default: "", Doc: "The email address of the user."},
			{Name: "groups", Type: kind.Many, Of: "group", Inverse: "users", Membership: kind.Membership{Mirrored: true, Refresh: true, EmptiedWith: userRights},
				Doc: "The names of the user's groups. The user has the rights of these groups. Set them here or in `users` of [enms_group](group.md), not in both."},
			{Name: "is_admin", Type: kind.Flag, Default: false, Doc: "Whether the user may see and do everything."},
			{Name: "password", Section: sectionLogin, Role: kind.Secret, Checks: []validator.String{kind.TextCheck("Invalid password", checkPassword)}, UsedIf: [2]string{"authentication", "database"}, Doubt: missingPassword, Doc: "The user's password."},
			{Name: "authentication", Default: "database", MaxLength: kind.ShortLength, Doc: "What checks the password: `database` (eNMS itself), `ldap` or `tacacs`."},
			{Name: "landing_page", Section: "Pages", Default: "/dashboard", Doc: "The path of the first page after the login, such as `/dashboard`."},
			{Name: "theme", Default: "default", MaxLength: kind.ShortLength, Doc: "The color theme: `default` or `dark`."},
			{Name: "small_menu", Type: kind.Flag, Default: false, Doc: "Whether the side menu is collapsed."},
		},
		BuiltIn: []kind.BuiltIn{{Name: "admin"}},
		Properties: append(on5(flag("display_tree", false, "Whether eNMS's builders show the tree of services."), owned("data"), owned("server"), owned("worker")),
			on4(owned("network")), decimal("zoom_sensitivity", 1, "The zoom speed of eNMS's builders.")),
		Relations: append([]string{"user_devices", "user_links", "user_pools", "user_services", "user_tasks", "user_credentials"}, userRights...),
		NeverSent: userRights,
		Unwatched: append([]string{"last_login"}, volatileFields...),
	}
}

// owned returns the row of a property with the instances of a type that the user owns.
func owned(typ string) kind.Attribute {
	return kind.Attribute{Name: "user_" + typ + "s", Type: kind.Many, Of: typ, Doc: "The names of the instances of type `" + typ + "` that the user owns."}
}

// userRights are the rights of a user, which eNMS derives from the groups of the user.
var userRights = []string{"get_requests", "post_requests", "delete_requests", "menu", "pages"}

// hashPrefix is the beginning of a password that eNMS treats as a hash.
const hashPrefix = "$argon2i"

// checkPassword refuses a password that eNMS would take for a hash (enms-rest.md 1.10).
func checkPassword(password, _ string) string {
	if strings.HasPrefix(password, hashPrefix) {
		return "It begins with " + hashPrefix + ": eNMS would treat it as a hash and store it unchanged, and the user could not log in. Write the password itself."
	}
	return ""
}

// missingPassword is the Doubt of the password of a user that eNMS itself checks.
func missingPassword(_ string, other func(string) any) string {
	if other("authentication") != "database" {
		return ""
	}
	return "The user cannot log in until somebody sets a password in eNMS. Write password_wo = ... and password_wo_version = 1, or authentication = \"ldap\" or \"tacacs\"."
}
