// This file declares groups (enms-rest.md 1.11).

package kinds

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// permitted returns the row of a list of pages or paths that members may use. eNMS fails to create a group
// with users unless these lists are sent.
func permitted(name, doc string, usual ...string) kind.Attribute {
	return kind.Attribute{Name: name, Type: kind.Many, OnCreate: []any{}, Suggest: usual, Doc: doc + "."}
}

// access returns the row of the rights to new instances of a type.
func access(typ string, more ...string) kind.Attribute {
	return kind.Attribute{Name: typ + "_access", Type: kind.Many, OneOf: append([]string{"rbac_read", "rbac_edit"}, more...),
		Doc: "The rights that the group gets to each " + typ + " that a member creates. With any other right, eNMS fails to create what a member creates."}
}

// accessProperty returns the row of such rights for a type of which they are a property.
func accessProperty(typ string, rights ...string) kind.Attribute {
	return kind.Attribute{Name: typ + "_access", Type: kind.List, OneOf: append([]string{"rbac_read"}, rights...), Doc: "The rights that the group gets to each " + typ + " that a member creates."}
}

// right returns the row of a property with the instances of a type to which the group has a right.
func right(name, typ, allows string) kind.Attribute {
	return kind.Attribute{Name: name, Type: kind.Many, Of: typ, Doc: "The names of the instances of type `" + typ + "` that members may " + allows + "."}
}

func group() *kind.Kind {
	return &kind.Kind{
		Name:      "group",
		Namespace: "group",

		NoTimestamps: true,

		Summary: "A group of users, and the rights of its members.",
		Attributes: []kind.Attribute{
			{Name: "users", Type: kind.Many, Of: "user", Inverse: "groups", Membership: kind.Membership{EmptyFirst: true},
				Doc: "The names of the members. Set them here or in `groups` of [enms_user](user.md), not in both."},
			{Name: "description", Default: "", MaxLength: kind.Unbounded, Doc: "The description of the group."},
			{Name: "email", Default: "", Doc: "The email address of the group."},
			beginSection("Pages and paths", permitted("menu", "The menus that members see, such as `Administration`, `Inventory`, `Visualization` and `Automation`",
				"Administration", "Clustering", "Inventory", "Visualization", "Automation")),
			permitted("pages", "The pages that members see, such as `Devices`, `Services` and `Workflow Builder`",
				"Files", "Changelog", "Sessions", "Servers", "Workers", "Devices", "Configurations", "Data Store", "Links", "Pools", "Networks", "Geographical View", "Network Builder",
				"Services", "Workflow Builder", "Scheduling", "Results"),
			permitted("get_requests", "The paths that members may GET, such as `/rest/instance` and `/rest/query`",
				"/rest/configuration", "/rest/instance", "/rest/query", "/rest/result", "/rest/token"),
			permitted("post_requests", "The paths that members may POST to, such as `/rest/instance`, `/rest/search` and `/rest/run_service`",
				"/rest/get_cluster_status", "/rest/get_git_content", "/rest/instance", "/rest/run_service", "/rest/run_task", "/rest/search",
				"/rest/topology", "/rest/update_all_pools", "/rest/update_database_configurations_from_git",
				"/get_cluster_status", "/get_git_content", "/update_all_pools"), // the last three are paths of web pages
			permitted("delete_requests", "The paths that members may DELETE, such as `/rest/instance`", "/rest/instance"),
			beginSection("Rights to instances", access("device", "rbac_configuration", "rbac_connect", "rbac_target")), access("link"), access("pool"), access("service", "rbac_run"), access("task"), access("credential", "rbac_use"), on4(access("network")),
			{Name: "force_read_access", Type: kind.Flag, Default: false,
				Doc: "Whether the group gets the right to read every instance. eNMS grants it when the instance is written."},
			{Name: "admin_only", Type: kind.Flag, Default: false, Doc: "Whether only administrators see the group."},
		},
		Properties: append(on5(accessProperty("data", "rbac_edit", "rbac_use"), accessProperty("server"), accessProperty("session"), accessProperty("worker"),
			right("rbac_use_credentials", "credential", "use"), right("rbac_read_datas", "data", "read"), right("rbac_edit_datas", "data", "edit"), right("rbac_use_datas", "data", "use"),
			right("rbac_read_servers", "server", "read"), right("rbac_read_workers", "worker", "read")),
			on4(right("credentials", "credential", "use")), on4(right("rbac_read_networks", "network", "read")), on4(right("rbac_edit_networks", "network", "edit")),
			sample(textOf("custom_property", "CP", "A string."))),
		Relations: groupRights,
		ListedBy:  []kind.Attribute{relation("credentials", "credential")},
		Unwatched: slices.DeleteFunc(slices.Clone(volatileFields), func(field string) bool { return field == "status" }),
	}
}

// groupRights are the relations of a group to the instances that it has rights to, on both lines.
var groupRights = []string{
	"rbac_read_devices", "rbac_edit_devices", "rbac_configuration_devices", "rbac_connect_devices", "rbac_target_devices",
	"rbac_read_links", "rbac_edit_links", "rbac_read_pools", "rbac_edit_pools",
	"rbac_read_services", "rbac_edit_services", "rbac_run_services", "rbac_read_tasks", "rbac_edit_tasks",
	"rbac_read_credentials", "rbac_edit_credentials", "rbac_pool_rbac_read", "rbac_pool_rbac_edit",
	"rbac_pool_rbac_configuration", "rbac_pool_rbac_connect", "rbac_pool_rbac_target",
}
