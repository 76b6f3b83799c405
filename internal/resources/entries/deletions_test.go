// Tests of what plans announce of deletions in enms_instances.

package entries_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// numberedEntries returns a configuration of so many devices, with further attributes.
func numberedEntries(s *acctest.Server, count int, settings acctest.Attributes) acctest.Attributes {
	entries := map[string]any{}
	for i := range count {
		entries[fmt.Sprintf("NAME-%02d", i)] = map[string]any{}
	}
	config := acctest.Entries(s, "device", entries)
	for name, v := range settings {
		config[name] = v
	}
	return config
}

// limit returns a max_deletions.
func limit(most any) acctest.Attributes {
	return acctest.Attributes{"max_deletions": tftypes.NewValue(tftypes.Number, most)}
}

// A plan that removes an entry and adds another one with the same values, such as a row of a CSV file with another name,
// proposes renames, and does nothing. Where more than one may be meant, it proposes none.
func TestInstances_planProposesRenames(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	devices := func(addresses map[string]string) acctest.Attributes {
		entries := map[string]any{}
		for name, address := range addresses {
			entries[name] = map[string]any{}
			if address != "" {
				entries[name] = map[string]any{"ip_address": address}
			}
		}
		return acctest.Entries(s, "device", entries)
	}
	state := c.Applied("enms_instances", devices(map[string]string{"NAME-a": "10.0.0.1", "NAME-b": "10.0.0.2", "NAME-c": "10.0.0.3", "NAME-d": "10.0.0.3", "NAME-e": ""}), c.NoState("enms_instances"))
	renamed := devices(map[string]string{"NAME-A": "10.0.0.1", "NAME-B": "10.0.0.2", "NAME-C": "10.0.0.3", "NAME-E": ""})
	_, diags := c.Plan("enms_instances", renamed, state)
	acctest.CheckSays(diags, t, "WARNING", "Instances to be deleted: 5", s.Expand(`write renames = { "NAME-a" = "NAME-A", "NAME-b" = "NAME-B" }`))
	if _, diags = c.Plan("enms_instances", devices(map[string]string{"NAME-A": "10.0.0.9"}), state); strings.Contains(diags.String(), "write renames") {
		t.Errorf("another address: %s", diags)
	}
	id := s.Get("device", "NAME-a")["id"]
	renamed = acctest.WithRenames(s, renamed, map[string]string{"NAME-a": "NAME-A", "NAME-b": "NAME-B"})
	_, diags = c.Plan("enms_instances", renamed, state)
	acctest.CheckSays(diags, t, "Instances to be deleted: 3", s.Expand(`"NAME-c", "NAME-d"`))
	state = c.Applied("enms_instances", renamed, state)
	if now := s.Get("device", "NAME-A")["id"]; now != id {
		t.Errorf("the id is %v, and was %v", now, id)
	}
	c.Applied("enms_instances", nil, state)
}

// A plan that deletes entries warns and names them; more than max_deletions are an error. Terraform itself
// counts a resource with fifty entries fewer as "1 to change".
func TestInstances_maxDeletions(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	state := c.Applied("enms_instances", numberedEntries(s, 12, limit(3)), c.NoState("enms_instances"))

	_, diags := c.Plan("enms_instances", numberedEntries(s, 8, limit(3)), state)
	acctest.CheckSays(diags, t, "ERROR", "Too many deletions", "max_deletions is 3", s.Expand(`4 of the 12 instances of type device: "NAME-08"`), "write max_deletions = 4")
	if !acctest.ErrorOn(diags, "max_deletions") {
		t.Errorf("the error is not on max_deletions: %s", diags)
	}
	if _, diags = c.Plan("enms_instances", numberedEntries(s, 9, limit(3)), state); diags.Failed() || !diags.Warned() {
		t.Errorf("as many as max_deletions: %s", diags)
	}
	_, diags = c.Plan("enms_instances", numberedEntries(s, 1, nil), state)
	if acctest.CheckSays(diags, t, "WARNING", "Instances to be deleted: 11", s.Expand(`11 of the 12 instances of type device: "NAME-01", "NAME-02"`), s.Expand(`"NAME-10" and 1 more`), "max_deletions"); diags.Failed() {
		t.Errorf("without max_deletions: %s", diags)
	}
	for what, config := range map[string]acctest.Attributes{
		"nothing is deleted": numberedEntries(s, 13, limit(0)),
		"abandon":            numberedEntries(s, 1, acctest.Attributes{"deletion_policy": "abandon", "max_deletions": 0}),
	} {
		if _, diags = c.Plan("enms_instances", config, state); len(diags) > 0 {
			t.Errorf("%s: %s", what, diags)
		}
	}
	// Another type deletes all of them, and so does a destroy, by the limit of the state.
	gateways := numberedEntries(s, 12, limit(3))
	gateways["type"] = "gateway"
	_, diags = c.Plan("enms_instances", gateways, state)
	acctest.CheckSays(diags, t, "ERROR", "Too many deletions", "all 12 instances of type device")
	_, diags = c.Plan("enms_instances", nil, state)
	acctest.CheckSays(diags, t, "ERROR", "Too many deletions", "all 12 instances of type device", "first apply max_deletions = 12")

	state = c.Applied("enms_instances", numberedEntries(s, 12, limit(12)), state)
	if state, diags = c.Apply("enms_instances", nil, state); diags.Failed() || !strings.Contains(diags.String(), "Instances to be destroyed: 12") {
		t.Errorf("destroy with a higher limit: %s (%s)", diags, state.Value)
	}
	_, diags = c.Plan("enms_instances", nil, c.Applied("enms_instances", numberedEntries(s, 1, nil), state))
	acctest.CheckSays(diags, t, s.Expand(`This plan deletes the only instance, of type device: "NAME-00".`))
	for _, wrong := range []any{-1, 1.5} {
		if diags := c.Validate("enms_instances", numberedEntries(s, 1, limit(wrong))); !diags.Failed() || !acctest.ErrorOn(diags, "max_deletions") {
			t.Errorf("max_deletions = %v: %s", wrong, diags)
		}
	}
}

// replaced plans a replacement, as Terraform does with -replace and replace_triggered_by, and returns what the plan says.
func replaced(c *acctest.Core, config acctest.Attributes, state acctest.ResourceState) acctest.Problems {
	c.T.Helper()
	run := c.NewRun()
	kept, diags := run.Plan("enms_instances", config, state)
	if diags.Failed() {
		c.T.Fatal(diags)
	}
	_, diags = run.Plan("enms_instances", config, acctest.ResourceState{Value: c.NoState("enms_instances").Value, Private: kept.Private})
	return diags
}

// A replacement deletes all instances, too: with -replace and replace_triggered_by the plan is
// refused, and if the resource is tainted, of which plans know nothing, the apply.
func TestInstances_maxDeletionsOfReplacements(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	config := numberedEntries(s, 5, limit(3))
	state := c.Applied("enms_instances", config, c.NoState("enms_instances"))

	acctest.CheckSays(replaced(c, config, state), t, "ERROR", "Too many deletions", "all 5 instances of type device", "first apply max_deletions = 5")

	resp, err := c.Provider.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{TypeName: "enms_instances", PriorState: c.Encode(state.Value),
		PlannedState: c.Encode(c.NoState("enms_instances").Value), Config: c.Encode(c.NoState("enms_instances").Value)})
	if err != nil {
		t.Fatal(err)
	}
	acctest.CheckSays(resp.Diagnostics, t, "ERROR", "Too many deletions", "all 5 instances of type device", "terraform untaint", "then apply max_deletions = 5")
	if left := c.Decode("enms_instances", resp.NewState); !left.Equal(state.Value) {
		t.Errorf("the state is %s", left)
	}
	var names []string
	for i := range 5 {
		names = append(names, s.Expand(fmt.Sprintf("NAME-%02d", i)))
	}
	checkManyIdentity(c, resp.NewIdentity, names...)
	if have := len(acctest.IDsOfDevices(s)); have < 5 {
		t.Errorf("%d devices are left", have)
	}
}

// With -replace, the instances are deleted by the settings in the state, even if the configuration has others
// that were never applied. The plan goes by those of the state, too.
func TestInstances_replacedBySettingsOfTheState(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	state := c.Applied("enms_instances", numberedEntries(s, 5, limit(3)), c.NoState("enms_instances"))
	for _, config := range []acctest.Attributes{
		numberedEntries(s, 5, limit(5)), numberedEntries(s, 5, nil), numberedEntries(s, 5, acctest.Attributes{"deletion_policy": "abandon"}),
	} {
		acctest.CheckSays(replaced(c, config, state), t, "ERROR", "Too many deletions", "max_deletions is 3", "first apply max_deletions = 5")
	}
	state = c.Applied("enms_instances", numberedEntries(s, 5, limit(5)), state)
	if diags := replaced(c, numberedEntries(s, 5, limit(3)), state); diags.Failed() || !strings.Contains(diags.String(), "Instances to be destroyed: 5") || strings.Contains(diags.String(), "is taken") {
		t.Errorf("a lower limit that was not applied: %s", diags)
	}
	state = c.Applied("enms_instances", numberedEntries(s, 5, acctest.Attributes{"deletion_policy": "abandon", "max_deletions": 3}), state)
	if diags := replaced(c, numberedEntries(s, 5, limit(3)), state); diags.Failed() || diags.Warned() {
		t.Errorf("a policy of the state that deletes nothing: %s", diags)
	}
}

// While the keys are unknown, a plan cannot count the deletions. Terraform plans the update once more in the apply,
// when the keys are known, and that plan is refused.
func TestInstances_maxDeletionsOfKeysThatBecomeKnown(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	all, z := []string{`"NAME-A" = {}`, `"NAME-B" = {}`, `"NAME-C" = {}`}, s.Expand("resource \"enms_device\" \"z\" {\n  name = \"NAME-Z\"\n}\n")
	s.Run(
		resource.TestStep{Config: instancesHCL(s, "device", "max_deletions = 1", all...)},
		resource.TestStep{Config: z + instancesHCL(s, "device", "max_deletions = 1", `for name in ["NAME-A"] : name => {} if enms_device.z.id != ""`),
			ExpectError: s.Says("Too many deletions", "2 of the 3 instances")},
		resource.TestStep{PreConfig: func() {
			if ids := acctest.IDsOfDevices(s); len(ids) != 4 {
				t.Errorf("eNMS has the devices %q, want the three entries and NAME-Z", ids)
			}
		}, Config: z + instancesHCL(s, "device", "max_deletions = 3", all...)}, // as the destruction in the end needs
	)
}
