// Acceptance tests of the provider's defaults: owners, rights and properties of resources that do
// not set them.

package provider_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// newCustomized starts an eNMS whose devices, links, services and tasks have custom properties.
func newCustomized(t *testing.T) *acctest.Server {
	t.Helper()
	return acctest.NewServerWith(t, "with custom properties", simulator.Options{CustomProperties: true})
}

// byDefault is a provider block with defaults.
func byDefault(defaults map[string]any) acctest.Attributes {
	return acctest.Attributes{"defaults": defaults}
}

// newGroups creates groups for rights.
func newGroups(s *acctest.Server, names ...string) {
	for _, name := range names {
		s.Put("group", enms.Object{"name": name, "menu": []string{}, "pages": []string{}, "get_requests": []string{}, "post_requests": []string{}, "delete_requests": []string{}})()
		s.T.Cleanup(s.Drop("group", name))
	}
}

// Each step with the defaults of all kinds, of one, and of none: what a resource sets takes
// precedence, also an empty list and a property that is null; what is not set by default any more
// is reset.
func TestDefaults_ofAResource(t *testing.T) {
	t.Parallel()
	s := newCustomized(t)
	newGroups(s, "NAME-noc", "NAME-ops")
	config := func(defaults, attributes string) string {
		return s.Block("defaults {\n"+s.Expand(defaults)+"\n}") + s.Expand(fmt.Sprintf(`
			resource "enms_device" "d" {
			  name = "NAME-d"
			  %s
			}
			resource "enms_network" "n" {
			  name = "NAME-n"
			}`, attributes))
	}
	attribute := func(address, name, want string) resource.TestCheckFunc {
		return resource.TestCheckResourceAttr(address, name, s.Expand(want))
	}
	const d, n = "enms_device.d", "enms_network.n"
	none := resource.TestCheckNoResourceAttr
	s.Run(
		resource.TestStep{Config: config(``, ``), Check: resource.ComposeAggregateTestCheckFunc(
			none(d, "properties_all.managed_by"), none(d, "rbac_read.#"))},
		resource.TestStep{Config: config(`rbac_read = ["NAME-noc"]
			device {
 properties = { managed_by = "terraform" }
			}`, ``), Check: resource.ComposeAggregateTestCheckFunc(
			attribute(d, "rbac_read.0", "NAME-noc"), attribute(n, "rbac_read.0", "NAME-noc"), attribute(d, "properties_all.managed_by", "terraform"), none(d, "properties.managed_by"),
			s.Holds("device", "NAME-d", "rbac_read", "[NAME-noc]"), s.Holds("network", "NAME-n", "rbac_read", "[NAME-noc]"), s.Holds("device", "NAME-d", "managed_by", "terraform"))},
		resource.TestStep{Config: config(`rbac_read = ["NAME-noc"]
			device {
 rbac_read = ["NAME-ops"]
 properties = { managed_by = "terraform", cost_center = "7" }
			}`, `properties = { creator = "somebody" }`), Check: resource.ComposeAggregateTestCheckFunc(
			attribute(d, "rbac_read.0", "NAME-ops"), attribute(n, "rbac_read.0", "NAME-noc"), attribute(d, "properties_all.cost_center", "7"),
			s.Holds("device", "NAME-d", "rbac_read", "[NAME-ops]"), s.Holds("device", "NAME-d", "cost_center", "7"), s.Holds("device", "NAME-d", "creator", "somebody"))},
		resource.TestStep{Config: config(`rbac_read = ["NAME-noc"]
			device {
 properties = { managed_by = "terraform", cost_center = "7" }
			}`, `rbac_read = []
			properties = { cost_center = null, managed_by = "mine" }`), Check: resource.ComposeAggregateTestCheckFunc(
			s.Holds("device", "NAME-d", "rbac_read", "[]"), s.Holds("device", "NAME-d", "cost_center", ""), s.Holds("device", "NAME-d", "managed_by", "mine"),
			none(d, "properties_all.cost_center"), attribute(d, "properties_all.managed_by", "mine"))},
		resource.TestStep{Config: config(`rbac_read = ["NAME-noc"]
			device {
 properties = { managed_by = "terraform" }
			}`, ``), Check: resource.ComposeAggregateTestCheckFunc(
			s.Holds("device", "NAME-d", "rbac_read", "[NAME-noc]"), s.Holds("device", "NAME-d", "managed_by", "terraform"))},
		// Somebody else removes the property.
		resource.TestStep{PreConfig: s.Put("device", enms.Object{"name": "NAME-d", "managed_by": "", "rbac_read": []string{}}), Config: config(`rbac_read = ["NAME-noc"]
			device {
 properties = { managed_by = "terraform" }
			}`, ``), Check: resource.ComposeAggregateTestCheckFunc(
			s.Holds("device", "NAME-d", "rbac_read", "[NAME-noc]"), s.Holds("device", "NAME-d", "managed_by", "terraform"))},
		resource.TestStep{Config: config(``, ``), Check: resource.ComposeAggregateTestCheckFunc(
			s.Holds("device", "NAME-d", "rbac_read", "[]"), s.Holds("network", "NAME-n", "rbac_read", "[]"), s.Holds("device", "NAME-d", "managed_by", ""),
			none(d, "properties_all.managed_by"), none(d, "rbac_read.#"))},
	)
}

// Defaults that are unknown at plan time are planned as unknown, and applied.
func TestDefaults_unknown(t *testing.T) {
	t.Parallel()
	s := newCustomized(t)
	newGroups(s, "NAME-noc")
	unknown := tftypes.NewValue(value.StringSet, tftypes.UnknownValue)
	c := s.Core(byDefault(map[string]any{"rbac_read": unknown, "properties": tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue)}))
	p, diags := c.Plan("enms_device", acctest.Attributes{"name": s.Expand("NAME-d")}, c.NoState("enms_device"))
	if diags.Failed() {
		t.Fatal(diags)
	}
	planned := acctest.Members(t, p.Value)
	if planned["rbac_read"].IsKnown() || planned["properties_all"].IsKnown() {
		t.Errorf("planned %s and %s", planned["rbac_read"], planned["properties_all"])
	}
	if _, diags := c.Apply("enms_device", acctest.Attributes{"name": s.Expand("NAME-d")}, c.NoState("enms_device")); !strings.Contains(diags.String(), "In the provider block, defaults is still unknown.") {
		t.Errorf("an apply with unknown defaults: %s", diags)
	}
	many := acctest.Attributes{"type": "device", "instances": acctest.ObjectValue(map[string]any{s.Expand("NAME-d"): map[string]any{}})}
	if _, diags := c.Apply(acctest.TypeInstances, many, c.NoState(acctest.TypeInstances)); !strings.Contains(diags.String(), "In the provider block, defaults is still unknown.") {
		t.Errorf("an apply of entries with unknown defaults: %s", diags)
	}
	// Terraform runs a process for each provider block, which a test within this process cannot.
	w := acctest.NewWorkspace(t)
	newGroups(s, "NAME-ops")
	for _, group := range []string{"NAME-noc", "NAME-ops"} {
		w.Configure(s.Block("") + s.Expand(`
			resource "terraform_data" "group" {
			  input = "`+group+`"
			}
			provider "enms" {
			  alias    = "with_defaults"
			  base_url = "`+s.URL+`"
			  username = "`+s.User+`"
			  password = "`+s.Password+`"
			  defaults {
			    rbac_read = [terraform_data.group.output]
			    device {
			      properties = { managed_by = terraform_data.group.output }
			    }
			  }
			}
			resource "enms_device" "d" {
			  provider = enms.with_defaults
			  name     = "NAME-d"
			}
			resource "enms_device" "e" {
			  provider   = enms.with_defaults
			  name       = "NAME-e"
			  properties = { cost_center = "7" }
			}
			resource "enms_instances" "many" {
			  provider  = enms.with_defaults
			  type      = "device"
			  instances = { NAME-f = {}, NAME-g = { cost_center = 8, managed_by = null } }
			}
			resource "enms_device" "without" {
			  name = "NAME-without"
			}`))
		w.Apply(10)
		w.PlanNothing()
		for name, want := range map[string]string{"NAME-d": "[" + group + "] " + group + " ", "NAME-e": "[" + group + "] " + group + " 7", "NAME-without": "[]  ",
			"NAME-f": "[" + group + "] " + group + " ", "NAME-g": "[" + group + "] " + group + " 8"} {
			if d := s.Get("device", name); fmt.Sprintf("%v %v %v", d["rbac_read"], d["managed_by"], d["cost_center"]) != s.Expand(want) {
				t.Errorf("%s has %v, %v, %v, expected %s", name, d["rbac_read"], d["managed_by"], d["cost_center"], want)
			}
		}
	}
}

// Entries of enms_instances take part: the attribute defaults shows what they have, and entries
// that lose it are restored.
func TestDefaults_ofEntries(t *testing.T) {
	t.Parallel()
	s := newCustomized(t)
	newGroups(s, "NAME-noc")
	entries := func(members map[string]any) acctest.Attributes {
		return acctest.Attributes{"type": "device", "instances": acctest.ObjectValue(members)}
	}
	config := entries(map[string]any{s.Expand("NAME-a"): map[string]any{}, s.Expand("NAME-b"): map[string]any{"managed_by": "somebody", "rbac_read": []string{}},
		s.Expand("NAME-c"): map[string]any{"managed_by": nil, "port": 23}})
	holds := func(when string, want ...string) {
		t.Helper()
		for n, name := range []string{"NAME-a", "NAME-b", "NAME-c"} {
			if d := s.Get("device", name); fmt.Sprintf("%v %v", d["rbac_read"], d["managed_by"]) != s.Expand(want[n]) {
				t.Errorf("%s: %s has %v %v, expected %s", when, name, d["rbac_read"], d["managed_by"], want[n])
			}
		}
	}
	empty := func(c *acctest.Core, when string, state acctest.ResourceState) acctest.ResourceState {
		t.Helper()
		state = c.Refreshed(acctest.TypeInstances, state)
		if p, diags := c.NewRun().Plan(acctest.TypeInstances, config, state); !p.Noop || len(diags) > 0 {
			t.Errorf("%s, the plan is not empty: %s %s", when, diags, p.Value)
		}
		return state
	}
	without := s.Core(nil)
	state := empty(without, "without defaults", without.Applied(acctest.TypeInstances, config, without.NoState(acctest.TypeInstances)))
	holds("without defaults", "[] ", "[] somebody", "[] ")

	defaults := map[string]any{"rbac_read": []string{s.Expand("NAME-noc")}, "device": map[string]any{"properties": map[string]any{"managed_by": "terraform"}}}
	c := s.Core(byDefault(defaults))
	p, _ := c.Plan(acctest.TypeInstances, config, state)
	if got := acctest.Members(t, p.Value)["defaults"].String(); p.Noop || !strings.Contains(got, "terraform") || !strings.Contains(got, s.Expand("NAME-noc")) {
		t.Errorf("with new defaults, the plan has %s", got)
	}
	state = empty(c, "with defaults", c.Applied(acctest.TypeInstances, config, state))
	holds("with defaults", "[NAME-noc] terraform", "[] somebody", "[NAME-noc] terraform")

	s.Put("device", enms.Object{"name": "NAME-c", "managed_by": ""})()
	s.Put("device", enms.Object{"name": "NAME-a", "rbac_read": []string{}})()
	c = c.NewRun()
	state = c.Refreshed(acctest.TypeInstances, state)
	if p, diags := c.Plan(acctest.TypeInstances, config, state); p.Noop || diags.Failed() {
		t.Errorf("what others have changed is not in the plan: %s", diags)
	}
	s.Put("device", enms.Object{"name": "NAME-a", "rbac_read": []string{s.Expand("NAME-noc")}})()
	s.Put("device", enms.Object{"name": "NAME-c", "managed_by": "terraform"})()
	empty(c.NewRun(), "when others have changed it back", state)
	s.Put("device", enms.Object{"name": "NAME-c", "managed_by": ""})()
	state = c.NewRun().Refreshed(acctest.TypeInstances, state)
	state = empty(c, "after the repair", c.Applied(acctest.TypeInstances, config, state))
	holds("after the repair", "[NAME-noc] terraform", "[] somebody", "[NAME-noc] terraform")

	state = empty(without, "when the defaults are removed", without.Applied(acctest.TypeInstances, config, state))
	holds("when the defaults are removed", "[] ", "[] somebody", "[] ")
	s.Put("device", enms.Object{"name": "NAME-a", "managed_by": "another"})()
	empty(without.NewRun(), "what is no default any more", state)

	// An import has what eNMS holds.
	s.Put("device", enms.Object{"name": "NAME-a", "managed_by": "terraform", "rbac_read": []string{s.Expand("NAME-noc")}})()
	s.Put("device", enms.Object{"name": "NAME-c", "managed_by": ""})()
	for name, same := range map[string]bool{"NAME-a": true, "NAME-c": false} {
		state := c.Imported(acctest.TypeInstances, s.Expand("device/"+name))
		one := entries(map[string]any{s.Expand(name): map[string]any{}})
		if name == "NAME-c" {
			one = entries(map[string]any{s.Expand(name): map[string]any{"port": 23}})
		}
		if p, diags := c.Plan(acctest.TypeInstances, one, state); diags.Failed() || p.Noop != same {
			t.Errorf("%s: after the import, no change is %t: %s %s", name, p.Noop, diags, p.Value)
		}
	}
	without.Applied(acctest.TypeInstances, nil, state)
}

// What no instance of a type can have is an error on the setting, before anything is planned.
func TestDefaults_invalid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		defaults map[string]any
		at       string
		words    []string
	}{
		{map[string]any{"properties": map[string]any{"description": "x"}}, `AttributeName("defaults").AttributeName("properties").ElementKeyString("description")`,
			[]string{"description does not belong in properties", "As a default of enms_device"}},
		{map[string]any{"link": map[string]any{"properties": map[string]any{"name": "x"}}}, `AttributeName("defaults").AttributeName("link").AttributeName("properties").ElementKeyString("name")`,
			[]string{"As a default of enms_link"}},
		{map[string]any{"service": map[string]any{"properties": map[string]any{"custom_password": "hidden"}}}, "custom_password", []string{"custom_password is a secret"}},
		{map[string]any{"properties": "x"}, `AttributeName("properties")`, []string{"Not an object"}},
		{map[string]any{"device": map[string]any{"properties": map[string]any{"new_name": "x"}}}, "new_name", []string{"new_name must not be sent"}},
	} {
		for name, v := range c.defaults {
			if text, is := v.(string); is {
				c.defaults[name] = tftypes.NewValue(tftypes.String, text)
			}
		}
		_, diags := acctest.TryCore(t, provider.New("test"), acctest.NeededSettings(byDefault(c.defaults)))
		if len(diags) != 1 || !strings.Contains(diags[0].Attribute.String(), c.at) {
			t.Errorf("%v: %s", c.defaults, diags)
		}
		for _, word := range c.words {
			if !strings.Contains(strings.ToLower(diags.String()), strings.ToLower(word)) {
				t.Errorf("%v: %q is not in %s", c.defaults, word, diags)
			}
		}
	}
	s := newCustomized(t)
	s.Run(
		resource.TestStep{Config: s.Block(`defaults {
 link {
 rbac_run = ["x"]
 }
 }`) + `resource "enms_device" "d" { name = "d" }`, PlanOnly: true, ExpectError: regexp.MustCompile(`rbac_run`)},
	)
}
