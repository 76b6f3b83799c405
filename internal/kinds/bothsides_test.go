// Tests of relations that both sides write: users and groups, and networks in each other.

package kinds_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// groupsOf returns the groups of a user in order.
func groupsOf(s *acctest.Server, user string) (names []string) {
	s.T.Helper()
	members, _ := s.Get("user", user)["groups"].([]any)
	for _, member := range members {
		names = append(names, member.(string))
	}
	slices.Sort(names)
	return names
}

// A user and a group that name each other are created in one apply, whichever is first.
func TestUsersAndGroups_thatNameEachOther(t *testing.T) {
	t.Parallel()
	for name, ends := range map[string][2]string{
		"the user first":  {`"NAME-g"`, `enms_user.u.name`},
		"the group first": {`enms_group.g.name`, `"NAME-u"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			s.Put("group", enms.Object{"name": "NAME-old", "get_requests": []string{"/rest/query"}})()
			s.Run(resource.TestStep{
				Config: s.HCL(fmt.Sprintf(`
					resource "enms_user" "u" {
					  name   = "NAME-u"
					  groups = [%s, "NAME-old"]
					}
					resource "enms_group" "g" {
					  name         = "NAME-g"
					  users        = [%s]
					  get_requests = ["/rest/instance"]
					}`, ends[0], ends[1])),
				Check: func(*terraform.State) error {
					if have := groupsOf(s, s.Expand("NAME-u")); !slices.Equal(have, []string{s.Expand("NAME-g"), s.Expand("NAME-old")}) {
						return fmt.Errorf("the user is in %q", have)
					}
					rights, _ := s.Get("user", "NAME-u")["get_requests"].([]any)
					if len(rights) != 2 {
						return fmt.Errorf("the user has the rights %v", rights)
					}
					return nil
				},
			})
		})
	}
}

// A group that nobody creates is a warning of the creation, and the next plan shows it.
func TestUsersAndGroups_thatAreMissing(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("group", enms.Object{"name": "NAME-operators"})()
	c, typ := s.Core(nil), "enms_user"
	config := acctest.Attributes{"name": s.Expand("NAME-u"), "groups": []string{s.Expand("NAME-operator")}}
	state, diags := c.Apply(typ, config, c.NoState(typ))
	if diags.Failed() || !diags.Warned() || !s.Says("without some of its groups", `did you mean "NAME-operators"`).MatchString(diags.String()) {
		t.Fatal(diags)
	}
	state = c.Refreshed(typ, state)
	if p, diags := c.Plan(typ, config, state); diags.Failed() || p.Noop {
		t.Errorf("a group that is missing is no difference: %s", diags)
	}
	if _, diags := c.Apply(typ, config, state); !diags.Failed() {
		t.Error("an update with a group that is missing is no error")
	}
	c.Applied(typ, nil, state)
}

// No apply could create two networks that contain each other: one of them says both now.
func TestNetwork_inEachOther(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	config := func(more string) string {
		return s.HCL(`
			resource "enms_network" "a" { name = "NAME-a" }
			resource "enms_network" "b" {
			  name  = "NAME-b"
			  nodes = [enms_network.a.name]
			  ` + more + `
			}`)
	}
	const both = "networks = [enms_network.a.name]"
	s.Run(
		resource.TestStep{Config: config(both), Check: resource.ComposeAggregateTestCheckFunc(
			s.Holds("network", "NAME-a", "nodes", "[NAME-b]"), s.Holds("network", "NAME-b", "nodes", "[NAME-a]"))},
		resource.TestStep{PreConfig: s.Put("network", map[string]any{"name": "NAME-b", "networks": []string{}}), Config: config(both), Check: s.Holds("network", "NAME-a", "nodes", "[NAME-b]")},
		resource.TestStep{Config: config(""), Check: s.Holds("network", "NAME-a", "nodes", "[]")},
	)
}
