// This file tests an export on any server, whatever else it holds.

package export_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// A workflow with the devices that it names becomes configuration that imports it as it is. After the
// import, the plan is empty.
func TestExport_workflowOfAnyServer(t *testing.T) {
	t.Parallel()
	s, w := acctest.NewServer(t), acctest.NewWorkspace(t)
	for _, o := range []struct {
		typ    string
		fields enms.Object
	}{
		{"device", enms.Object{"name": "NAME-r1", "ip_address": "10.0.0.1", "vendor": "Cisco"}},
		{"workflow", enms.Object{"name": "NAME-w", "scoped_name": "NAME-w", "description": "line\nline"}},
		{"netmiko_commands_service", enms.Object{"name": "[NAME-w] show", "scoped_name": "show", "workflows": []string{s.Expand("NAME-w")}, "commands": "show version", "target_devices": []string{s.Expand("NAME-r1")}}},
		{"python_snippet_service", enms.Object{"name": "[NAME-w] check", "scoped_name": "check", "workflows": []string{s.Expand("NAME-w")}, "source_code": "x = \"${y}\"\n"}},
		{"workflow_edge", enms.Object{"name": "NAME-1", "workflow": "NAME-w", "source": "[Shared] Start", "destination": "[NAME-w] show", "subtype": "success"}},
		{"workflow_edge", enms.Object{"name": "NAME-2", "workflow": "NAME-w", "source": "[NAME-w] show", "destination": "[NAME-w] check", "subtype": "failure"}},
		{"workflow_edge", enms.Object{"name": "NAME-3", "workflow": "NAME-w", "source": "[NAME-w] check", "destination": "[Shared] End", "subtype": "success"}},
	} {
		s.Put(o.typ, o.fields)()
	}
	dir := filepath.Join(w.Dir, "export")
	if code, out := export(s, w, "-workflow", s.Expand("NAME-w"), "-follow", "device", dir); code != 0 || !strings.Contains(out, "7 objects") {
		t.Fatalf("the export ended with %d, want 0 and 7 objects:\n%s", code, out)
	}
	exported := w.InModel(dir, s)
	plansImports(exported)
	exported.Apply(10)
	exported.PlanNothing()
}
