// Tests of users, groups, owners and rights: in which order eNMS has to be told, and
// what it adds and drops by itself.

package kinds_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// eNMS computes a user's rights when one of the user's groups is written. When groups are changed on the user, they are
// written too, or a user who left the last group would keep all rights. Those that could not be written are by the next apply.
func TestUser_groups(t *testing.T) {
	t.Parallel()
	s, l := acctest.NewServerBehindProxy(t)
	for name, path := range map[string]string{"g": "/rest/search", "h": "/rest/instance"} {
		s.Put("group", enms.Object{"name": name, "menu": []string{}, "pages": []string{}, "get_requests": []string{}, "post_requests": []string{path}, "delete_requests": []string{}})()
	}
	c := s.Core(acctest.Attributes{"max_retries": 0})
	config := acctest.Attributes{"name": "u", "groups": []string{"g"}}
	state := c.Applied("enms_user", config, c.NoState("enms_user"))
	may := func(when, want string) {
		t.Helper()
		if rights := fmt.Sprint(s.Get("user", "u")["post_requests"]); rights != want {
			t.Errorf("%s the user may %s", when, rights)
		}
	}
	may("at creation", "[/rest/search]")
	l.SetRewrite(acctest.Refusing("/rest/instance/group"))
	config["groups"] = []string{"h"}
	state, diags := c.Apply("enms_user", config, state)
	if !strings.Contains(diags.String(), `Writing group "g" again`) {
		t.Fatalf("the group was not written, but: %s", diags)
	}
	l.SetRewrite(nil)
	state = c.Refreshed("enms_user", state)
	state = c.Refreshed("enms_user", c.Applied("enms_user", config, state))
	may("in another group", "[/rest/instance]")
	c.PlansNothing("enms_user", config, state)
	config["groups"] = []string{}
	c.Applied("enms_user", config, state)
	may("in no group", "[]")
}

// eNMS drops the rights that a user cannot give, without a word.
func TestRights_droppedByENMS(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("it logs in as a user with few rights")
	ann := s.PutUser("NAME-ann", nil)
	s.Put("device", enms.Object{"name": "NAME-d", "rbac_read": []string{s.Expand("NAME-ann-g")}, "rbac_edit": []string{s.Expand("NAME-ann-g")}})()
	config := acctest.Attributes{"name": s.Expand("NAME-d")}
	state, diags := ann.ImportByName("enms_device", s.Expand("NAME-d"))
	if diags.Failed() {
		t.Fatal(diags)
	}
	config["rbac_read"], config["rbac_configuration"] = []string{s.Expand("NAME-ann-g")}, []string{s.Expand("NAME-ann-g")}
	_, diags = ann.Apply("enms_device", config, ann.Refreshed("enms_device", state))
	if !acctest.ErrorOn(diags, "rbac_configuration") || !strings.Contains(diags.String(), "eNMS did not keep the configured rbac_configuration") {
		t.Errorf("the rights were dropped, but: %s", diags)
	}
}

// eNMS drops rights at a creation by anybody but an administrator, and makes the user the owner, who may then
// give them.
func TestRights_givenByCreator(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("it logs in as a user with few rights")
	ann := s.PutUser("NAME-ann", nil)
	groups := []string{s.Expand("NAME-ann-g")}
	for typ, config := range map[string]acctest.Attributes{
		"enms_device":     {"name": s.Expand("NAME-d"), "rbac_read": groups, "rbac_edit": groups},
		"enms_credential": {"name": s.Expand("NAME-c"), "owners": []string{s.Expand("NAME-ann"), "admin"}, "rbac_read": groups},
		"enms_service": {"name": s.Expand("NAME-s"), "rbac_run": groups,
			"properties": acctest.ObjectValue(map[string]any{"restrict_to_owners": []any{"edit"}})},
		"enms_instances": {"type": "device", "instances": acctest.ObjectValue(map[string]any{s.Expand("NAME-e"): map[string]any{"rbac_read": groups}})},
	} {
		state := ann.Applied(typ, config, ann.NoState(typ))
		ann.PlansNothing(typ, config, ann.Refreshed(typ, state))
	}
}

// An administrator's rights are checked for the first service that a run creates, and not again:
// each check may cost a request. What eNMS drops for others is told for each.
func TestRights_checkedOnce(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("requests are counted")
	s.Put("group", enms.Object{"name": "NAME-g"})()
	c := s.Core(nil).InOneRun()
	for i, most := range []int{10, 3, 2} {
		name := s.Expand(fmt.Sprint("NAME-", i))
		acctest.CountRequests(s, fmt.Sprint("create service ", i), most, func() {
			c.Applied("enms_service", acctest.Attributes{"name": name, "rbac_read": []string{s.Expand("NAME-g")}}, c.NoState("enms_service"))
		})
		if held := fmt.Sprint(s.Get("service", name)["rbac_read"]); !strings.Contains(held, s.Expand("NAME-g")) {
			t.Errorf("rbac_read of %s is %s", name, held)
		}
	}
}

// eNMS returns each right of a group, and each list of what a user owns, by the name by which it was written, on either
// line. What only the other line has is refused by the plan.
func TestRights_ofGroupsInProperties(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	s.Put("device", enms.Object{"name": "NAME-d"})()
	s.Put("network", enms.Object{"name": "NAME-n"})()
	s.Put("credential", enms.Object{"name": "NAME-c"})()
	for _, test := range []struct {
		typ, field, member string
		line               int // that has the field, 0 for both
	}{
		{"enms_group", "rbac_read_devices", "NAME-d", 0},
		{"enms_group", "rbac_read_networks", "NAME-n", 4},
		{"enms_group", "rbac_read_services", "[Shared] Start", 0},
		{"enms_group", "credentials", "NAME-c", 4},
		{"enms_group", "rbac_use_credentials", "NAME-c", 5},
		{"enms_group", "rbac_read_servers", "", 5},
		{"enms_user", "user_devices", "NAME-d", 0},
		{"enms_user", "user_networks", "NAME-n", 4},
		{"enms_user", "user_workers", "", 5},
	} {
		name, members := s.Expand("NAME-"+test.field), []any{}
		config := acctest.Attributes{"name": name, "properties": acctest.ObjectValue(map[string]any{test.field: members})}
		if test.typ == "enms_user" {
			config["authentication"] = "ldap" // so that no password is missing
		}
		if test.line != 0 && test.line != acctest.Line() {
			if _, diags := c.Plan(test.typ, config, c.NoState(test.typ)); !strings.Contains(diags.String(), "This eNMS has no "+test.field) {
				t.Errorf("%s, which the other line has: %s", test.field, diags)
			}
			continue
		}
		state, diags := c.Apply(test.typ, config, c.NoState(test.typ))
		if len(diags) > 0 {
			t.Errorf("%s = []: %s", test.field, diags)
		}
		if test.member != "" {
			config["properties"] = acctest.ObjectValue(map[string]any{test.field: append(members, s.Expand(test.member))})
			if state, diags = c.Apply(test.typ, config, state); len(diags) > 0 {
				t.Errorf("%s: %s", test.field, diags)
			}
			if got := fmt.Sprint(s.Get(strings.TrimPrefix(test.typ, "enms_"), name)[test.field]); got != s.Expand("["+test.member+"]") {
				t.Errorf("%s is %s", test.field, got)
			}
			s.Put(strings.TrimPrefix(test.typ, "enms_"), enms.Object{"name": name, test.field: []string{}})()
			if p, _ := c.Plan(test.typ, config, c.Refreshed(test.typ, state)); p.Noop {
				t.Errorf("%s: what others have removed is no drift", test.field)
			}
		}
		c.Applied(test.typ, nil, state)
	}
}

// A group that is replaced has its members, and its rights to devices, networks and credentials, again. It is emptied
// before it is deleted, so that its members lose its rights meanwhile, and for good when it is destroyed.
func TestRights_ofReplacedGroup(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	group := acctest.Attributes{"name": s.Expand("NAME-g"), "post_requests": []string{"/rest/search"}}
	c := s.Core(nil)
	state := c.Applied("enms_group", group, c.NoState("enms_group"))
	g := []string{s.Expand("NAME-g")}
	s.Put("device", enms.Object{"name": "NAME-d", "rbac_read": g})()
	s.Put("network", enms.Object{"name": "NAME-n", "rbac_read": g})()
	s.Put("credential", enms.Object{"name": "NAME-c", "groups": g})()
	s.Put("user", enms.Object{"name": "NAME-u", "groups": g})()
	state.Tainted = true
	state = c.Applied("enms_group", group, c.Refreshed("enms_group", state))
	for typ, name := range map[string]string{"device": "NAME-d", "network": "NAME-n"} {
		if got := fmt.Sprint(s.Get(typ, name)["rbac_read"]); got != fmt.Sprint(g) {
			t.Errorf("the right to the %s is %s", typ, got)
		}
	}
	if got := fmt.Sprint(s.Get("credential", "NAME-c")["groups"]); got != fmt.Sprint(g) {
		t.Errorf("the credential is used by %s", got)
	}
	if user := s.Get("user", "NAME-u"); fmt.Sprint(user["groups"], user["post_requests"]) != fmt.Sprint(g, []string{"/rest/search"}) {
		t.Errorf("the user is in %v, and may POST to %v", user["groups"], user["post_requests"])
	}
	c.Applied("enms_group", nil, state)
	s.Check(s.Holds("user", "NAME-u", "post_requests", "[]"))
}

// A group that eNMS has added by force is in the state of an imported instance. A configuration without it changes
// nothing, while the removal of another group is a change.
func TestRights_forcedGroupsOfImports(t *testing.T) {
	acctest.ParallelIfSimulated(t)
	s := acctest.NewServer(t)
	for _, name := range []string{"NAME-a", "NAME-b"} {
		s.Put("group", enms.Object{"name": name})()
	}
	s.Put("group", enms.Object{"name": "NAME-forced", "force_read_access": true})()
	a, b := s.Expand("NAME-a"), s.Expand("NAME-b")
	c := s.Core(nil)
	for name, of := range map[string]struct {
		typ    string
		id     string
		config func(groups ...string) acctest.Attributes
	}{
		"NAME-d": {"enms_device", s.Expand("NAME-d"), func(groups ...string) acctest.Attributes {
			return acctest.Attributes{"name": s.Expand("NAME-d"), "rbac_read": groups}
		}},
		"NAME-e": {"enms_instances", s.Expand(`{"type": "device", "names": ["NAME-e"]}`), func(groups ...string) acctest.Attributes {
			return acctest.Attributes{"type": "device", "instances": acctest.ObjectValue(map[string]any{s.Expand("NAME-e"): map[string]any{"rbac_read": groups}})}
		}},
	} {
		s.Put("device", enms.Object{"name": name, "rbac_read": []string{a, b}})()
		state := c.Imported(of.typ, of.id)
		if !strings.Contains(state.Value.String(), s.Expand("NAME-forced")) {
			t.Fatalf("eNMS did not add the group: %s", state.Value)
		}
		c.PlansNothing(of.typ, of.config(b, a), state)
		state = c.Refreshed(of.typ, c.Applied(of.typ, of.config(a), state))
		if got := fmt.Sprint(s.Get("device", name)["rbac_read"]); strings.Contains(got, b) || !strings.Contains(got, a) {
			t.Errorf("%s: after the removal of a group, its readers are %s", of.typ, got)
		}
		c.PlansNothing(of.typ, of.config(a), state)
	}
}
