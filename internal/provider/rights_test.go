// Tests of users, groups, owners and rights: in which order eNMS has to be told, and
// what it adds and drops by itself.

package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

const groupWithUser = `
resource "enms_user" "u" {
  name = "NAME-u"
}
resource "enms_group" "g" {
  name          = "NAME-g"
  users         = [enms_user.u.name]
  post_requests = ["/rest/search"]
}`

// eNMS fails to create a group with users unless five lists come along; the users have
// what the group gives them from then on, until it is destroyed.
func TestGroupWithUsers(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	has := func(want string) resource.TestCheckFunc { return s.holds("user", "NAME-u", "post_requests", want) }
	s.run(
		resource.TestStep{Config: s.hcl(groupWithUser), Check: resource.ComposeAggregateTestCheckFunc(
			has("[/rest/search]"), s.holds("group", "NAME-g", "menu", "[]"))},
		resource.TestStep{Config: s.hcl(strings.Replace(groupWithUser, `/rest/search`, `/rest/instance`, 1)), Check: has("[/rest/instance]")},
		resource.TestStep{Config: s.hcl(strings.Split(groupWithUser, `resource "enms_group"`)[0]), Check: resource.ComposeAggregateTestCheckFunc(
			has("[]"), s.absent("group", "NAME-g"))},
	)
}

// A group that is created is one request with the five lists, as eNMS needs it, and one
// that is destroyed is emptied before.
func TestGroupRequests(t *testing.T) {
	t.Parallel()
	s, w := newWatched(t)
	s.put("user", enms.Object{"name": "u"})()
	c := s.core(nil)
	state := c.applied("enms_group", attributes{"name": "g", "users": []string{"u"}}, c.none("enms_group"))
	sent := w.about("g")
	if len(sent) != 1 {
		t.Fatalf("%v was sent", sent)
	}
	for _, list := range []string{"menu", "pages", "get_requests", "post_requests", "delete_requests", "users"} {
		if _, has := sent[0].payload[list].([]any); !has {
			t.Errorf("%s is missing in %v", list, sent[0].payload)
		}
	}
	w.forget()
	c.applied("enms_group", nil, state)
	if sent := w.about("g"); len(sent) != 1 || fmt.Sprint(sent[0].payload["users"]) != "[]" {
		t.Errorf("before the deletion %v was sent", sent)
	}
}

// eNMS computes a user's rights when one of the user's groups is written. When groups
// are changed on the user, they are written too, or a user who left the last group
// would keep all rights.
func TestUserGroups(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for name, path := range map[string]string{"NAME-a": "/rest/search", "NAME-b": "/rest/instance"} {
		s.put("group", enms.Object{"name": name, "menu": []string{}, "pages": []string{}, "get_requests": []string{}, "post_requests": []string{path}, "delete_requests": []string{}})()
		t.Cleanup(s.drop("group", name))
	}
	c := s.core(nil)
	rights := func() string { return fmt.Sprint(s.get("user", "NAME-u")["post_requests"]) }
	config := attributes{"name": s.expand("NAME-u"), "groups": []string{s.expand("NAME-a")}}
	state := c.applied("enms_user", config, c.none("enms_user"))
	if rights() != "[/rest/search]" {
		t.Errorf("at creation the user may %s", rights())
	}
	config["groups"] = []string{s.expand("NAME-b")}
	state = c.applied("enms_user", config, state)
	if rights() != "[/rest/instance]" {
		t.Errorf("in another group the user may %s", rights())
	}
	config["groups"] = []string{}
	state = c.applied("enms_user", config, state)
	if rights() != "[]" {
		t.Errorf("in no group the user may %s", rights())
	}
	c.applied("enms_user", nil, state)
}

// Groups that could not be written are written by the next apply.
func TestUserGroupsNotWritten(t *testing.T) {
	t.Parallel()
	s, l := newLiar(t)
	for name, path := range map[string]string{"g": "/rest/search", "h": "/rest/instance"} {
		s.put("group", enms.Object{"name": name, "menu": []string{}, "pages": []string{}, "get_requests": []string{}, "post_requests": []string{path}, "delete_requests": []string{}})()
	}
	c := s.core(attributes{"max_retries": 0})
	config := attributes{"name": "u", "groups": []string{"g"}}
	state := c.applied("enms_user", config, c.none("enms_user"))
	l.tell(refusing("/rest/instance/group"))
	config["groups"] = []string{"h"}
	state, diags := c.apply("enms_user", config, state)
	if !strings.Contains(diags.String(), `Writing group "g" again`) {
		t.Fatalf("the group was not written, but: %s", diags)
	}
	l.tell(nil)
	state = c.refreshed("enms_user", state)
	state = c.refreshed("enms_user", c.applied("enms_user", config, state))
	if rights := fmt.Sprint(s.get("user", "u")["post_requests"]); rights != "[/rest/instance]" {
		t.Errorf("after the next apply the user may %s", rights)
	}
	if p, diags := c.plan("enms_user", config, state); diags.failed() || !p.noop {
		t.Errorf("the plan is not empty: %s %s", diags, p.value)
	}
}

// eNMS makes the creator the owner, whatever is sent.
func TestOwners(t *testing.T) {
	t.Parallel()
	s, w := newWatched(t)
	s.put("user", enms.Object{"name": "u"})()
	c := s.core(nil)
	config := attributes{"name": "d", "owners": []string{"u"}}
	state := c.applied("enms_device", config, c.none("enms_device"))
	sent := w.about("d")
	if len(sent) != 2 || sent[0].payload["owners"] != nil || fmt.Sprint(sent[1].payload["owners"]) != "[u]" {
		t.Errorf("%v was sent", sent)
	}
	if got := fmt.Sprint(s.get("device", "d")["owners"]); got != "[u]" {
		t.Errorf("the owners are %s", got)
	}
	delete(config, "owners")
	state = c.refreshed("enms_device", c.applied("enms_device", config, state))
	s.put("device", enms.Object{"name": "d", "owners": []string{"u", "admin"}})()
	state = c.refreshed("enms_device", state)
	if p, diags := c.plan("enms_device", config, state); diags.failed() || !p.noop {
		t.Errorf("owners that are not configured are watched: %s %s", diags, p.value)
	}
}

// Groups that eNMS adds by itself are no difference; what is taken out of the
// configuration is taken away. A group with force_read_access is added to whatever is
// written.
func TestRights(t *testing.T) {
	parallelIfSimulated(t)
	s := newServer(t)
	for _, name := range []string{"NAME-a", "NAME-b"} {
		s.put("group", enms.Object{"name": name})()
	}
	c := s.core(nil)
	config := attributes{"name": s.expand("NAME-d"), "rbac_read": []string{s.expand("NAME-a")}, "rbac_edit": []string{s.expand("NAME-b")}}
	state := c.applied("enms_device", config, c.none("enms_device"))
	s.put("group", enms.Object{"name": "NAME-forced", "force_read_access": true})()
	config["description"] = "another" // eNMS adds the group when the device is written
	state = c.refreshed("enms_device", c.applied("enms_device", config, state))
	if got := fmt.Sprint(s.get("device", "NAME-d")["rbac_read"]); !strings.Contains(got, s.expand("NAME-forced")) {
		t.Fatalf("eNMS did not add the group: %s", got)
	}
	if p, diags := c.plan("enms_device", config, state); diags.failed() || !p.noop {
		t.Errorf("a group that eNMS added is a difference: %s %s", diags, p.value)
	}
	delete(config, "rbac_edit")
	state = c.refreshed("enms_device", c.applied("enms_device", config, state))
	if got := fmt.Sprint(s.get("device", "NAME-d")["rbac_edit"]); got != "[]" {
		t.Errorf("taken out, and still there: %s", got)
	}
	if p, diags := c.plan("enms_device", config, state); diags.failed() || !p.noop {
		t.Errorf("the plan is not empty: %s %s", diags, p.value)
	}
	s.put("device", enms.Object{"name": "NAME-d", "rbac_read": []string{}})()
	state = c.refreshed("enms_device", state)
	if p, diags := c.plan("enms_device", config, state); diags.failed() || p.noop {
		t.Errorf("a right that somebody took away is no difference: %s", diags)
	}
}

// eNMS drops the rights that a user may not give, without a word.
func TestRightsThatAreDropped(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("it logs in as a user with few rights")
	s.put("user", enms.Object{"name": "NAME-ann", "password": "ann"})()
	s.put("group", enms.Object{"name": "NAME-g", "users": []string{s.expand("NAME-ann")}, "menu": []string{}, "pages": []string{}, "delete_requests": []string{},
		"get_requests": []string{"/rest/instance", "/rest/query"}, "post_requests": []string{"/rest/instance", "/rest/search"}})()
	c := newCore(t, attributes{"base_url": s.url, "username": s.expand("NAME-ann"), "password": "ann"})
	_, diags := c.apply("enms_device", attributes{"name": s.expand("NAME-d"), "rbac_read": []string{s.expand("NAME-g")}}, c.none("enms_device"))
	if !diags.on("rbac_read") || !strings.Contains(diags.String(), "eNMS keeps another rbac_read") {
		t.Errorf("the rights were dropped, but: %s", diags)
	}
}
