// What other versions of eNMS answer otherwise (enms-rest.md 8), each shown by a
// simulator with the one switch for it.

package provider_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// A field that this eNMS does not have is an error on the attribute, and is not
// taken for written; deletion_policy = "disable" does not succeed without it.
func TestVersions_missingField(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "enms-4.4", acctest.ServerKinds["enms-4.4"])
	c := s.Core(nil)
	t.Cleanup(s.Drop("service", "NAME-s"))
	service := acctest.Attributes{"name": s.Expand("NAME-s"), "disabled": true}
	state, diags := c.Apply("enms_service", service, c.NoState("enms_service"))
	if !acctest.ErrorOn(diags, "disabled") || !strings.Contains(diags.String(), `has no field "disabled"`) {
		t.Errorf("create: %s", diags)
	}
	if !acctest.Members(t, state.Value)["disabled"].IsNull() {
		t.Errorf("it counts as written: %s", state.Value)
	}
	delete(service, "disabled")
	state = c.Applied("enms_service", service, state)
	service["disabled"] = true
	for range 2 {
		if state, diags = c.Apply("enms_service", service, state); !acctest.ErrorOn(diags, "disabled") {
			t.Errorf("update: %s%s", diags, state.Value)
		}
	}
	service["deletion_policy"] = "disable"
	delete(service, "disabled")
	state = c.Applied("enms_service", service, c.Refreshed("enms_service", state))
	if _, diags := c.Apply("enms_service", nil, state); !strings.Contains(diags.String(), `has no field "disabled"`) {
		t.Errorf("switched off: %s", diags)
	}
	if _, err := s.Client.Get(s.Context(), "service", s.Expand("NAME-s")); err != nil {
		t.Error(err)
	}
}

// What was deleted in the Workflow Builder of eNMS 5 is gone, but its name is still
// taken.
func TestVersions_softDeleted(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "enms-5.3", simulator.Options{Version: simulator.V53})
	c := s.Core(nil)
	service := acctest.Attributes{"name": s.Expand("NAME-s"), "type": "workflow"}
	state := c.Applied("enms_service", service, c.NoState("enms_service"))
	s.Put("workflow", enms.Object{"name": "NAME-s", "scoped_name": "NAME-s", "soft_deleted": true})()
	if gone := c.Refreshed("enms_service", state); !gone.Value.IsNull() {
		t.Errorf("it is there: %s", gone.Value)
	}
	if _, diags := c.ImportByName("enms_service", s.Expand("NAME-s")); !acctest.ErrorOn(diags, "name") || !strings.Contains(diags.String(), "Restore it or delete it permanently") {
		t.Errorf("import: %s", diags)
	}
	if _, diags := c.ReadDataSource("enms_service", s.Expand("NAME-s")); !acctest.ErrorOn(diags, "name") || !strings.Contains(diags.String(), "Restore it or delete it permanently") {
		t.Errorf("data source: %s", diags)
	}
	if _, diags := c.Apply("enms_service", service, c.NoState("enms_service")); !acctest.ErrorOn(diags, "name") || !strings.Contains(diags.String(), "Workflow Builder") || !strings.Contains(diags.String(), "Restore it or delete it permanently") {
		t.Errorf("create: %s", diags)
	}
	entries := acctest.Attributes{"type": "workflow", "instances": acctest.ObjectValue(map[string]any{s.Expand("NAME-s"): map[string]any{}}), "adopt_existing": true}
	if _, diags := c.Apply("enms_instances", entries, c.NoState("enms_instances")); !strings.Contains(diags.String(), "Restore it or delete it permanently") {
		t.Errorf("create an entry: %s", diags)
	}
	if _, diags := c.Apply("enms_service", nil, state); diags.Failed() {
		t.Errorf("destroy: %s", diags)
	}
}

// An edge that was deleted in the Workflow Builder of eNMS 5 keeps its place, but cannot be imported.
func TestVersions_softDeletedEdge(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "enms-5.3", simulator.Options{Version: simulator.V53})
	c := s.Core(nil)
	s.Put("workflow", enms.Object{"name": "NAME-w", "scoped_name": "NAME-w"})()
	ends := map[string]any{"workflow": s.Expand("NAME-w"), "source": "[Shared] Start", "destination": "[Shared] End", "subtype": "success"}
	deleted := enms.Object{"name": "2026-11-26 17:47:06.599506", "soft_deleted": true}
	maps.Copy(deleted, ends)
	s.Put("workflow_edge", deleted)()
	if _, diags := c.Apply("enms_workflow_edge", ends, c.NoState("enms_workflow_edge")); !strings.Contains(diags.String(), "delete it permanently") {
		t.Errorf("create: %s", diags)
	}
}

// An edge of a service that was deleted in the Workflow Builder of eNMS 5 can be deleted, and a plan says why it cannot
// be read.
func TestVersions_edgeOfSoftDeleted(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "enms-5.3", simulator.Options{Version: simulator.V53})
	c := s.Core(nil)
	s.Put("workflow", enms.Object{"name": "NAME-w", "scoped_name": "NAME-w"})()
	step := enms.Object{"name": "[NAME-w] s", "scoped_name": "s", "workflows": []string{s.Expand("NAME-w")}}
	s.Put("service", step)()
	ends := acctest.Attributes{"workflow": s.Expand("NAME-w"), "source": s.Expand("[NAME-w] s"), "destination": "[Shared] End", "subtype": "success"}
	state := c.Applied("enms_workflow_edge", ends, c.NoState("enms_workflow_edge"))
	step["soft_deleted"] = true
	s.Put("service", step)()
	refreshed, diags := s.Core(nil).Refresh("enms_workflow_edge", state)
	if acctest.CheckSays(diags, t, s.Expand(`is the service "[NAME-w] s", which was deleted in the Workflow Builder. Restore that instance, or delete it permanently, in eNMS`)); !acctest.ErrorOn(diags, "source") || refreshed.Value.IsNull() {
		t.Errorf("refresh: %s", diags)
	}
	c.Applied("enms_workflow_edge", nil, state)
}

// What no version that this provider works with does gets advice that says so.
func TestVersions_unsupported(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		options simulator.Options
		advice  string
	}{
		"no REST interface": {simulator.Options{NoREST: true}, "needs eNMS 4.2 or newer"},
		"broken login":      {simulator.Options{BrokenLogin: true}, "Werkzeug"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServerWith(t, name, test.options)
			c := s.Core(nil)
			device := acctest.Attributes{"name": s.Expand("NAME-d")}
			if _, diags := c.Apply("enms_device", device, c.NoState("enms_device")); !diags.Failed() || !strings.Contains(diags.String(), test.advice) {
				t.Errorf("create: %s", diags)
			}
			if _, diags := c.ImportByName("enms_device", s.Expand("NAME-d")); !strings.Contains(diags.String(), test.advice) {
				t.Errorf("import: %s", diags)
			}
		})
	}
}
