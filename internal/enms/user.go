// This file remembers what the user may see (enms-rest.md 6).

package enms

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// user is what was learned about the user. Writes do not change it.
type user struct {
	name          string
	administrator atomic.Pointer[bool] // nil until eNMS was asked
	forcedRead    atomic.Pointer[bool] // whether force_read_access of a group shows the user everything; nil until eNMS was asked
}

// seesEverything reports whether the user is an administrator, from whom eNMS hides nothing
// (enms-rest.md 6). It asks eNMS once, and counts the user as none while the request fails.
func (u *user) seesEverything(ctx context.Context, e *endpoint.Client) bool {
	if administrator := u.administrator.Load(); administrator != nil {
		return *administrator
	}
	self, err := e.Self(ctx)
	if err != nil && !errors.Is(err, ErrForbidden) {
		return false // an interrupt, or a server that cannot be reached, says nothing of the user
	}
	is := self["is_admin"] == true
	u.administrator.Store(&is)
	return is
}

// hiddenFromNobody are the types whose instances every user sees (enms-rest.md 6.1). eNMS checks no rights on edges.
var hiddenFromNobody = []string{"user", "group", "workflow_edge"}

// oldService is a service that eNMS creates with its database, before any group can exist. Whoever sees it by
// force_read_access also sees what is older than the group (seesAllOf).
const oldService = "[Shared] Placeholder"

// seesAllOf reports whether eNMS hides no instance of a type from this user: an administrator, or
// a member of a group with force_read_access. eNMS adds such a group only to the rights of what is
// written after the group, so the user must see oldService, too. It asks eNMS once.
func (u *user) seesAllOf(ctx context.Context, e *endpoint.Client, typ string) (bool, error) {
	if slices.Contains(hiddenFromNobody, typ) || u.seesEverything(ctx, e) {
		return true, nil
	}
	if forced := u.forcedRead.Load(); forced != nil {
		return *forced, nil
	}
	groups, err := e.SearchAll(ctx, endpoint.Search{Type: "group", Columns: []string{"force_read_access"}, Criteria: map[string]any{"users": []string{u.name}}})
	if err != nil {
		return false, err
	}
	forced := slices.ContainsFunc(groups, func(group Object) bool { return group["force_read_access"] == true })
	if forced {
		found, err := e.SearchAll(ctx, endpoint.Search{Type: "service", Names: 1, Criteria: map[string]any{"name": oldService, "name_filter": "equality"}})
		if err != nil {
			return false, err
		}
		forced = len(found) > 0
	}
	u.forcedRead.Store(&forced)
	return forced, nil
}
