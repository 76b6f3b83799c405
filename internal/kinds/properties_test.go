// Acceptance tests of properties: what the plan says of them, and what an import
// leaves out of the configuration.

package kinds_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// What eNMS's forms do not offer, and code of a site may know, is a warning with the nearest
// value that eNMS knows, once: what eNMS has taken is nobody's mistake any longer.
func TestService_unknownChoicesAreWarnings(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	for typ, config := range map[string]acctest.Attributes{
		"enms_service": {"name": s.Expand("NAME-r"), "type": "rest_call_service", "run_method": "onec",
			"properties": map[string]any{"call_type": "get", "rest_url": "https://example.com", "report_format": "pdf", "validation_method": "none"}},
		acctest.TypeInstances: {"type": "rest_call_service", "instances": acctest.ObjectValue(map[string]any{s.Expand("NAME-e"): map[string]any{
			"run_method": "onec", "call_type": "get", "rest_url": "https://example.com", "report_format": "pdf", "validation_method": "none"}})},
	} {
		c := s.Core(nil)
		_, diags := c.Plan(typ, config, c.NoState(typ))
		if diags.Failed() || len(diags) != 3 || !s.Says("Unknown value for call_type", `"get" is not among`, `Did you mean "GET"?`).MatchString(diags.String()) ||
			!s.Says("Unknown value for report_format", `"pdf" is not among`).MatchString(diags.String()) || !s.Says("Unknown value for run_method", `Did you mean "once"?`).MatchString(diags.String()) {
			t.Errorf("%s: %s", typ, diags)
		}
		state := c.Applied(typ, config, c.NoState(typ))
		if p, diags := c.NewRun().Plan(typ, config, c.Refreshed(typ, state)); len(diags) > 0 || !p.Noop {
			t.Errorf("%s: the plan after it: %s", typ, diags)
		}
	}
}

// imported imports instances with a configuration that Terraform generates, and
// gives that configuration.
func imported(t *testing.T, s *acctest.Server, blocks string) string {
	t.Helper()
	w := acctest.NewWorkspace(t)
	w.Configure(s.Block("") + s.Expand(blocks))
	if code, out := w.Run("plan", "-no-color", "-generate-config-out=generated.tf"); code != 0 {
		t.Fatalf("plan: %s", out)
	}
	text, err := os.ReadFile(filepath.Join(w.Dir, "generated.tf"))
	if err != nil {
		t.Fatal(err)
	}
	w.Apply(10)
	w.PlanNothing()
	return string(text)
}

// What an import brings into properties is what a person would have written.
func TestImport_propertiesWithoutDefaults(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	acctest.SkipOn(t, "it lacks fields of 4.7", "enms-4.4")
	var blocks strings.Builder
	for _, k := range acctest.Kinds() {
		for _, table := range k.Subtypes {
			name := "NAME-" + table.Name
			body := enms.Object{"name": name, "scoped_name": name}
			if table.Name == "netmiko_commands_service" {
				body["commands"], body["strip_prompt"] = "show version", false
			}
			s.Put(table.Name, body)()
			t.Cleanup(s.Drop(k.Name, name))
			fmt.Fprintf(&blocks, "import {\n  to = enms_%s.%s\n  id = %q\n}\n", k.Name, table.Name, name)
		}
	}
	generated := imported(t, s, blocks.String())
	for _, want := range []string{`commands           = "show version"`, `strip_prompt       = false`} {
		if !strings.Contains(generated, want) {
			t.Errorf("no %s", want)
		}
	}
	// What others have created has no form; what the provider creates has one.
	generated = regexp.MustCompile(`\{\s+parameterized_form += ""\s+\}`).ReplaceAllString(generated, "{}")
	all, empty := strings.Count(generated, "  properties "), len(regexp.MustCompile(`(?m)^ {2}properties +=\s\{\}$`).FindAllString(generated, -1))
	if all != empty+1 && s.Simulator != nil { // a site may have custom properties of its own
		t.Errorf("%d times properties, %d times {}:\n%s", all, empty, generated)
	}
}

// Members that somebody adds to an object that eNMS replaces as a whole are found.
func TestService_driftOfObjects(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	config := acctest.Attributes{"name": s.Expand("NAME-s"), "type": "napalm_getters_service",
		"properties": map[string]any{"driver": "device", "optional_args": map[string]any{"a": 1}}}
	state := c.Applied("enms_service", config, c.NoState("enms_service"))
	s.Put("napalm_getters_service", enms.Object{"name": "NAME-s", "scoped_name": "NAME-s", "optional_args": map[string]any{"a": 1, "b": 2}})()
	state = c.Refreshed("enms_service", state)
	if p, diags := c.Plan("enms_service", config, state); p.Noop || diags.Failed() {
		t.Error("not found:", diags)
	}
	state = c.Applied("enms_service", config, state)
	if got := fmt.Sprint(s.Get("service", "NAME-s")["optional_args"]); got != "map[a:1]" {
		t.Errorf("eNMS holds %s", got)
	}
	c.Applied("enms_service", nil, state)
}
