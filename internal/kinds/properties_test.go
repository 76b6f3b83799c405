// Tests of services: what the plan says of their properties, their form, what they refer to, and the placeholder of workflows.

package kinds_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// A service that was drawn in eNMS has the form that the web form proposes, and generated
// configuration leaves it out: rebuilt from that, it had none. What is created without one
// has it now, too.
func TestService_formOfNewOnes(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	forms := func(want string) resource.TestCheckFunc {
		return func(*terraform.State) error {
			form, _ := s.Get("service", "NAME-s")["parameterized_form"].(string)
			if !strings.HasPrefix(form, want) || want == "" && form != "" {
				return fmt.Errorf("the form is %q, want %q", form, want)
			}
			return nil
		}
	}
	config := func(properties string) string {
		return s.HCL(`
			resource "enms_service" "s" {
			  name       = "NAME-s"
			  type       = "python_snippet_service"
			  properties = { source_code = "pass"` + properties + ` }
			}`)
	}
	s.Run(
		resource.TestStep{Config: config(""), Check: forms("name = StringField('Name', [InputRequired()])\ninitial_payload = ")},
		resource.TestStep{Config: config(`, parameterized_form = ""`), Check: forms("")},
		resource.TestStep{Config: config(""), Check: forms("")}, // what leaves properties stays in eNMS
		resource.TestStep{PreConfig: s.Put("service", enms.Object{"name": "NAME-s", "parameterized_form": "a = 1"}), Config: config(""), PlanOnly: true},
	)
	s.Run(resource.TestStep{Config: config(`, parameterized_form = ""`), Check: forms("")})
}

// When a credential is deleted, SQLite leaves its id with the services that used it, which
// then could not be read.
func TestService_namedCredentialDeleted(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	acctest.SkipOn(t, "it refuses to delete a credential that a service uses", "postgresql", "mariadb")
	config := func(credential string) string {
		return s.HCL(`
			resource "enms_credential" "c1" {
			  name     = "NAME-c1"
			  username = "NAME-1" # no credential of another test has the same values
			}
			resource "enms_service" "show" {
			  name       = "NAME-show"
			  type       = "netmiko_commands_service"
			  properties = { credentials = "object", commands = "show version" }
			  ` + credential + `
			}`)
	}
	s.Run(
		resource.TestStep{Config: config(`named_credential = "NAME-c1"` + "\n depends_on = [enms_credential.c1]")},
		resource.TestStep{PreConfig: func() {
			s.Put("credential", enms.Object{"name": "NAME-c3"})() // so that the id is not given again
			s.Drop("credential", "NAME-c1")()
		},
			Config: config(`named_credential = "NAME-c1"` + "\n depends_on = [enms_credential.c1]"),
			Check:  s.Holds("service", "NAME-show", "named_credential", "NAME-c1")},
		resource.TestStep{PreConfig: s.Drop("credential", "NAME-c1"), Config: config("")},
	)
}

// servicesOf returns the services of a workflow in order.
func servicesOf(s *acctest.Server, workflow string) (names []string) {
	s.T.Helper()
	members, _ := s.Get("workflow", workflow)["services"].([]any)
	for _, member := range members {
		names = append(names, member.(string))
	}
	slices.Sort(names)
	return names
}

// The placeholder of a workflow is added and removed alone: its other services stay, also those
// that were added since, and so does the placeholder of other workflows.
func TestPlaceholder_isOneMemberOfMany(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c, typ := s.Core(nil), "enms_service"
	w, other := s.Expand("NAME-w"), s.Expand("NAME-other")
	held := func(what string, want ...string) {
		t.Helper()
		if have := servicesOf(s, w); !slices.Equal(have, want) {
			t.Errorf("%s the workflow contains %q, want %q", what, have, want)
		}
	}
	second := c.Applied(typ, acctest.Attributes{"name": other, "type": "workflow", "placeholder": true}, c.NoState(typ))
	config := acctest.Attributes{"name": w, "type": "workflow", "placeholder": true}
	state := c.Refreshed(typ, c.Applied(typ, config, c.NoState(typ)))
	held("new,", "[Shared] End", "[Shared] Placeholder", "[Shared] Start")
	c.PlansNothing(typ, config, state)
	imported := c.Imported(typ, w)
	c.PlansNothing(typ, config, imported)

	// A step is added, and somebody removes the placeholder: that is drift.
	step := c.Applied(typ, acctest.Attributes{"name": "[" + w + "] s", "workflows": []string{w}}, c.NoState(typ))
	s.Put("workflow", enms.Object{"name": w, "scoped_name": w, "services": []string{"[Shared] Start", "[Shared] End", "[" + w + "] s"}})()
	state = c.Refreshed(typ, state)
	if p, diags := c.Plan(typ, config, state); diags.Failed() || p.Noop {
		t.Errorf("a placeholder that was removed is no difference: %s", diags)
	}
	state = c.Refreshed(typ, c.Applied(typ, config, state))
	held("after the repair", "[Shared] End", "[Shared] Placeholder", "[Shared] Start", "["+w+"] s")

	// Together with another change, and when it is removed from the configuration.
	config = acctest.Attributes{"name": w, "type": "workflow", "description": "x"}
	state = c.Refreshed(typ, c.Applied(typ, config, state))
	held("without placeholder", "[Shared] End", "[Shared] Start", "["+w+"] s")
	c.PlansNothing(typ, config, state)
	if have := servicesOf(s, other); !slices.Equal(have, []string{"[Shared] End", "[Shared] Placeholder", "[Shared] Start"}) {
		t.Errorf("the other workflow contains %q", have)
	}
	config["placeholder"], config["name"] = true, s.Expand("NAME-v")
	w = s.Expand("NAME-v")
	state = c.Refreshed(typ, c.Applied(typ, config, state))
	held("renamed,", "[Shared] End", "[Shared] Placeholder", "[Shared] Start", "["+w+"] s")

	// What was imported and is not configured is left as it is.
	imported, _ = c.ImportByName(typ, other)
	c.PlansNothing(typ, acctest.Attributes{"name": other, "type": "workflow"}, imported)
	c.Applied(typ, nil, c.Refreshed(typ, c.Refreshed(typ, step))) // an apply -refresh-only accepts the name that it has got with the workflow
	c.Applied(typ, nil, c.Refreshed(typ, state))
	c.Applied(typ, nil, second)
}

// An adopted workflow gets the placeholder beside what it contains.
func TestPlaceholder_ofAnAdoptedWorkflow(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	w := s.Expand("NAME-w")
	s.Put("workflow", enms.Object{"name": w, "scoped_name": w})()
	s.Put("service", enms.Object{"name": "[" + w + "] s", "scoped_name": "s", "workflows": []string{w}})()
	c, typ := s.Core(nil), "enms_service"
	config := acctest.Attributes{"name": w, "type": "workflow", "placeholder": true, "adopt_existing": true}
	state := c.Refreshed(typ, c.Applied(typ, config, c.NoState(typ)))
	if have := servicesOf(s, w); !slices.Equal(have, []string{"[Shared] End", "[Shared] Placeholder", "[Shared] Start", "[" + w + "] s"}) {
		t.Errorf("the workflow contains %q", have)
	}
	c.PlansNothing(typ, config, state)
}
