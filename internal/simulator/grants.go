// What users, groups and owners can be given (1.10, 2.3).

package simulator

// listProperties are the menus and requests that groups grant to their users (1.10).
var listProperties = []string{"menu", "pages", "get_requests", "post_requests", "delete_requests"}

// rightsOf are the rights a class of objects knows (2.3).
var rightsOf = map[string][]string{
	"credential": {"rbac_read", "rbac_edit"},
	"device":     {"rbac_read", "rbac_configuration", "rbac_edit", "rbac_connect", "rbac_target"},
	"link":       {"rbac_read", "rbac_edit"},
	"network":    {"rbac_read", "rbac_edit"},
	"pool":       {"rbac_read", "rbac_edit"},
	"service":    {"rbac_read", "rbac_edit", "rbac_run"},
	"task":       {"rbac_read", "rbac_edit"},
}

// rightsOn gives a model its owners and rights, and makes it a class of its own.
func rightsOn(class string) element {
	return func(m *model) {
		m.class = class
		many("owners", "user", "user_"+class+"s")(m)
		for _, right := range rightsOf[class] {
			many(right, "group", right+"_"+class+"s")(m)
		}
	}
}
