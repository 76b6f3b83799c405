// Tests of what plans announce of deletions in enms_instances.

package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// numberedEntries is a configuration of so many devices, with further attributes.
func (s *server) numberedEntries(count int, settings attributes) attributes {
	entries := map[string]any{}
	for i := range count {
		entries[fmt.Sprintf("NAME-%02d", i)] = map[string]any{}
	}
	config := s.entriesWith("device", entries)
	for name, v := range settings {
		config[name] = v
	}
	return config
}

// limit is a max_deletions.
func limit(most any) attributes {
	return attributes{"max_deletions": tftypes.NewValue(tftypes.Number, most)}
}

// A plan that deletes entries of enms_instances warns and names them: Terraform itself
// says "0 to destroy".
func TestDeletionsOfEntries(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	state := c.applied("enms_instances", s.numberedEntries(12, nil), c.none("enms_instances"))

	_, diags := c.plan("enms_instances", s.numberedEntries(1, nil), state)
	diags.says(t, "WARNING", "Instances to be deleted: 11", s.expand(`11 of the 12 instances of type device: "NAME-01", "NAME-02"`), s.expand(`"NAME-10" and 1 more`), "max_deletions")
	_, diags = c.plan("enms_instances", s.numberedEntries(11, nil), state)
	diags.says(t, "WARNING", "Instances to be deleted: 1", s.expand(`1 of the 12 instances of type device: "NAME-11"`))
	for what, config := range map[string]attributes{
		"nothing is deleted": s.numberedEntries(13, nil),
		"abandon":            s.numberedEntries(1, attributes{"deletion_policy": "abandon", "max_deletions": 0}),
		"renames": s.withRenames(s.entriesWith("device", map[string]any{"NAME-new": map[string]any{}}),
			map[string]string{"NAME-00": "NAME-new"}),
	} {
		if what == "renames" {
			one := c.applied("enms_instances", s.numberedEntries(1, attributes{"adopt_existing": true}), c.none("enms_instances"))
			config["max_deletions"] = 0
			_, diags = c.plan("enms_instances", config, one)
		} else {
			_, diags = c.plan("enms_instances", config, state)
		}
		if len(diags) > 0 {
			t.Errorf("%s: %s", what, diags)
		}
	}
}

// A plan that deletes more entries than max_deletions is an error: Terraform itself
// counts a resource with fifty entries fewer as "1 to change".
func TestMaxDeletions(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	state := c.applied("enms_instances", s.numberedEntries(12, limit(3)), c.none("enms_instances"))

	_, diags := c.plan("enms_instances", s.numberedEntries(8, limit(3)), state)
	diags.says(t, "ERROR", "Too many deletions", "max_deletions is 3", s.expand(`4 of the 12 instances of type device: "NAME-08"`), "write max_deletions = 4")
	if !diags.on("max_deletions") {
		t.Errorf("the error is not on max_deletions: %s", diags)
	}
	if _, diags = c.plan("enms_instances", s.numberedEntries(9, limit(3)), state); diags.failed() || !diags.warned() {
		t.Errorf("as many as max_deletions: %s", diags)
	}
	if _, diags = c.plan("enms_instances", s.numberedEntries(0, nil), state); diags.failed() || !diags.warned() {
		t.Errorf("without max_deletions: %s", diags)
	}
	// Another type deletes all of them, and so does a destroy, by the limit of the state.
	gateways := s.numberedEntries(12, limit(3))
	gateways["type"] = "gateway"
	_, diags = c.plan("enms_instances", gateways, state)
	diags.says(t, "ERROR", "Too many deletions", "all 12 instances of type device")
	_, diags = c.plan("enms_instances", nil, state)
	diags.says(t, "ERROR", "Too many deletions", "all 12 instances of type device", "first apply max_deletions = 12")

	state = c.applied("enms_instances", s.numberedEntries(12, limit(12)), state)
	if state, diags = c.apply("enms_instances", nil, state); diags.failed() || !strings.Contains(diags.String(), "Instances to be destroyed: 12") {
		t.Errorf("destroy with a higher limit: %s (%s)", diags, state.value)
	}
	for _, wrong := range []any{-1, 1.5} {
		if diags := c.validate("enms_instances", s.numberedEntries(1, limit(wrong))); !diags.failed() || !diags.on("max_deletions") {
			t.Errorf("max_deletions = %v: %s", wrong, diags)
		}
	}
}

// A service whose key begins with the name of its workflow is renamed along with it.
func TestDeletionsWithRenamedWorkflow(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	s.put("workflow", map[string]any{"name": "NAME-w", "scoped_name": "NAME-w"})()
	entry := func(workflow, service string) attributes {
		config := s.entriesWith("service", map[string]any{fmt.Sprintf("[%s] %s", workflow, service): map[string]any{"workflows": []any{workflow}}})
		config["max_deletions"] = 0
		return config
	}
	state := c.applied("enms_instances", entry("NAME-w", "a"), c.none("enms_instances"))
	if _, diags := c.plan("enms_instances", entry("NAME-v", "a"), state); diags.failed() || strings.Contains(diags.String(), "deleted") {
		t.Errorf("a service whose workflow is renamed: %s", diags)
	}
	if _, diags := c.plan("enms_instances", entry("NAME-w", "b"), state); !diags.failed() {
		t.Errorf("a service with another name: %s", diags)
	}
}
