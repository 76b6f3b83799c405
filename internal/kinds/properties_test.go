// Acceptance tests of further fields: what the plan says of them, and what an import
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

func TestService_invalidProperties(t *testing.T) {
	t.Parallel()
	acctest.NewServer(t).Refuses("enms_service",
		acctest.Bad(`name = "x", type = "netmiko_commands_service", properties = { config_mode = "no" }`, "properties.config_mode", "Expected true or false"),
		acctest.Bad(`name = "x", type = "netmiko_commands_service", properties = { commands = ["show version"] }`, "properties.commands", "Expected a string, got a list"),
		acctest.Bad(`name = "x", type = "netmiko_file_transfer_service", properties = { direction = "putt" }`, "properties.direction", `"putt"`, "put, get", `Did you mean "put"?`),
		acctest.Bad(`name = "x", properties = { dict_match = "{}" }`, "properties.dict_match", "jsondecode"),
		acctest.Bad(`name = "x", type = "rest_call_service", properties = { report_format = 5 }`, "properties.report_format", "text, html"),
	)
}

// What eNMS's forms do not offer, and code of a site may know, is a warning with the nearest
// value that eNMS knows, once: what eNMS has taken is nobody's mistake any longer.
func TestService_unknownChoicesAreWarnings(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	for typ, config := range map[string]acctest.Attributes{
		"enms_service": {"name": s.Expand("NAME-r"), "type": "rest_call_service", "run_method": "onec",
			"properties": map[string]any{"call_type": "get", "report_format": "pdf", "validation_method": "none"}},
		acctest.TypeInstances: {"type": "rest_call_service", "instances": acctest.ObjectValue(map[string]any{s.Expand("NAME-e"): map[string]any{
			"run_method": "onec", "call_type": "get", "report_format": "pdf", "validation_method": "none"}})},
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

// A field that nobody knows is a warning with the nearest known name, once: as soon
// as eNMS answers it, it is a custom property.
func TestService_unknownPropertyIsAWarning(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	config := acctest.Attributes{"name": s.Expand("NAME-s"), "type": "netmiko_commands_service", "properties": map[string]any{"comands": "show version"}}
	_, diags := c.Plan("enms_service", config, c.NoState("enms_service"))
	if diags.Failed() || !s.Says("Unknown field comands of netmiko_commands_service", "Did you mean `commands`?").MatchString(diags.String()) {
		t.Error(diags)
	}
}

// Of a type that the table does not know, no field is unknown.
func TestService_propertyOfASitesOwnType(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerOfASite(t)
	c := s.Core(nil)
	config := acctest.Attributes{"name": s.Expand("NAME-s"), "type": "site_service", "properties": map[string]any{"comands": "show version"}}
	if _, diags := c.Plan("enms_service", config, c.NoState("enms_service")); len(diags) > 0 {
		t.Error(diags)
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

// A value that eNMS holds and no configuration may hold, such as an address with a tab
// at its end, is left out of the configuration that Terraform generates. Everything
// else is imported.
func TestImport_leavesOutWhatNoConfigurationMayHold(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("device", enms.Object{"name": "NAME-d", "ip_address": "10.0.0.1\t", "port": -1, "vendor": "Cisco"})()
	s.Put("rest_call_service", enms.Object{"name": "NAME-s", "scoped_name": "NAME-s", "call_type": "get", "max_processes": -1, "multiprocessing": true, "rest_url": "http://x"})()
	t.Cleanup(s.Drop("device", "NAME-d"))
	t.Cleanup(s.Drop("service", "NAME-s"))
	generated := imported(t, s, `
		import {
		  to = enms_device.d
		  id = "NAME-d"
		}
		import {
		  to = enms_service.s
		  id = "NAME-s"
		}`)
	for _, out := range []string{`10.0.0.1`, `= -1`} {
		if strings.Contains(generated, out) {
			t.Errorf("%s is in %s", out, generated)
		}
	}
	for _, want := range []string{`"Cisco"`, `"http://x"`, `= "get"`} {
		if !strings.Contains(generated, want) {
			t.Errorf("no %s in %s", want, generated)
		}
	}
}
