// This file finds out what the user may see, and remembers it (enms-rest.md 6).

package enms

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// IsAdministrator reports whether the user is an administrator, from whom eNMS hides nothing (enms-rest.md 6). It
// asks eNMS once, and returns false while the request fails.
func (c *Client) IsAdministrator(ctx context.Context) bool {
	self, err := c.endpoint.Self(ctx)
	return err == nil && self["is_admin"] == true
}

// Rights is what the row of the user says (enms-rest.md 6.1).
type Rights struct {
	Administrator bool
	Requests      []string // what the groups of the user allow, such as "POST /rest/search"; an administrator may send all
}

// Rights returns what the user may do, or nil if eNMS does not show the user's own row. It asks eNMS once. An error means that
// the request failed.
func (c *Client) Rights(ctx context.Context) (*Rights, error) {
	self, err := c.endpoint.Self(ctx)
	if self == nil {
		return nil, err
	}
	rights := &Rights{Administrator: self["is_admin"] == true, Requests: []string{}}
	for _, method := range []string{"get", "post", "delete"} {
		paths, _ := self[method+"_requests"].([]any)
		for _, path := range paths {
			rights.Requests = append(rights.Requests, fmt.Sprintf("%s %v", strings.ToUpper(method), path))
		}
	}
	return rights, nil
}

// hiddenFromNobody are the types whose instances every user sees (enms-rest.md 6.1). eNMS checks no rights on edges.
var hiddenFromNobody = []string{"user", "group", "workflow_edge"}

// oldService is a service that eNMS creates with its database, before any group can exist. Whoever sees it by
// force_read_access also sees what is older than the group (seesAllOf).
const oldService = "[Shared] Placeholder"

// ForcedReaders returns the names of the groups that eNMS adds to rbac_read of whatever is written (enms-rest.md 6.3).
func (c *Client) ForcedReaders(ctx context.Context) (names []string, err error) {
	groups, err := c.endpoint.SearchAll(ctx, endpoint.Search{Type: "group", Columns: []string{"name", forceReadField}, Criteria: map[string]any{}})
	for _, group := range groups {
		if group[forceReadField] == true {
			names = append(names, endpoint.String(group, "name"))
		}
	}
	return names, err
}

// forceReadField is the field of a group that, if true, gives its members the right to read every object that is written
// from then on (enms-rest.md 6.3).
const forceReadField = "force_read_access"

// seesAllOf reports whether eNMS hides no instance of a type from this user: an administrator, or
// a member of a group with force_read_access. eNMS adds such a group only to the rights of what is
// written after the group, so the user must see oldService, too. It asks eNMS once.
func (c *Client) seesAllOf(ctx context.Context, typ string) (bool, error) {
	if slices.Contains(hiddenFromNobody, typ) || c.IsAdministrator(ctx) {
		return true, nil
	}
	if forced := c.forcedRead.Load(); forced != nil {
		return *forced, nil
	}
	groups, err := c.endpoint.SearchAll(ctx, endpoint.Search{Type: "group", Columns: []string{forceReadField}, Criteria: map[string]any{"users": []string{c.user}}})
	if err != nil {
		return false, err
	}
	forced := slices.ContainsFunc(groups, func(group Object) bool { return group[forceReadField] == true })
	if forced {
		found, err := c.endpoint.SearchAll(ctx, endpoint.Search{Type: "service", Names: 1, Criteria: map[string]any{"name": oldService, "name_filter": "equality"}})
		if err != nil {
			return false, err
		}
		forced = len(found) > 0
	}
	c.forcedRead.Store(&forced)
	return forced, nil
}
