// Acceptance tests of further fields: what the plan says of them, and what an import
// leaves out of the configuration.

package provider_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

func TestServiceBadProperties(t *testing.T) {
	t.Parallel()
	newServer(t).refuses("enms_service",
		bad{`name = "x", type = "netmiko_commands_service", properties = { config_mode = "no" }`, []string{"properties.config_mode", "where true or false belongs"}},
		bad{`name = "x", type = "netmiko_commands_service", properties = { commands = ["show version"] }`, []string{"properties.commands", "a list, where a text belongs"}},
		bad{`name = "x", type = "netmiko_file_transfer_service", properties = { direction = "putt" }`, []string{"properties.direction", `"putt"`, "put, get", `Did you mean "put"?`}},
		bad{`name = "x", properties = { dict_match = "{}" }`, []string{"properties.dict_match", "jsondecode"}},
		bad{`name = "x", type = "rest_call_service", properties = { report_format = 5 }`, []string{"properties.report_format", "text, html"}},
	)
}

// What eNMS's forms do not offer, and code of a site may know, is a warning with the nearest
// value that eNMS knows, once: what eNMS has taken is nobody's mistake any longer.
func TestServiceUnknownChoices(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for typ, config := range map[string]attributes{
		"enms_service": {"name": s.expand("NAME-r"), "type": "rest_call_service", "run_method": "onec",
			"properties": map[string]any{"call_type": "get", "report_format": "pdf", "validation_method": "none"}},
		manyType: {"type": "rest_call_service", "instances": object(map[string]any{s.expand("NAME-e"): map[string]any{
			"run_method": "onec", "call_type": "get", "report_format": "pdf", "validation_method": "none"}})},
	} {
		c := s.core(nil)
		_, diags := c.plan(typ, config, c.none(typ))
		if diags.failed() || len(diags) != 3 || !s.says("Unknown value for call_type", `"get" is not among`, `Did you mean "GET"?`).MatchString(diags.String()) ||
			!s.says("Unknown value for report_format", `"pdf" is not among`).MatchString(diags.String()) || !s.says("Unknown value for run_method", `Did you mean "once"?`).MatchString(diags.String()) {
			t.Errorf("%s: %s", typ, diags)
		}
		state := c.applied(typ, config, c.none(typ))
		if p, diags := c.newRun().plan(typ, config, c.refreshed(typ, state)); len(diags) > 0 || !p.noop {
			t.Errorf("%s: the plan after it: %s", typ, diags)
		}
	}
}

// A field that nobody knows is a warning with the nearest known name, once: as soon
// as eNMS answers it, it is a custom property.
func TestServiceUnknownProperty(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	config := attributes{"name": s.expand("NAME-s"), "type": "netmiko_commands_service", "properties": map[string]any{"comands": "show version"}}
	_, diags := c.plan("enms_service", config, c.none("enms_service"))
	if diags.failed() || !s.says("comands is no known field of netmiko_commands_service", "Did you mean `commands`?").MatchString(diags.String()) {
		t.Error(diags)
	}
}

// Of a type that the table does not know, no field is unknown.
func TestServicePropertyOfASite(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	c := s.core(nil)
	config := attributes{"name": s.expand("NAME-s"), "type": "site_service", "properties": map[string]any{"comands": "show version"}}
	if _, diags := c.plan("enms_service", config, c.none("enms_service")); len(diags) > 0 {
		t.Error(diags)
	}
}

// imported imports instances with a configuration that Terraform generates, and
// gives that configuration.
func imported(t *testing.T, s *server, blocks string) string {
	t.Helper()
	w := newWorkspace(t)
	w.configure(s.block("") + s.expand(blocks))
	if code, out := w.run("plan", "-no-color", "-generate-config-out=generated.tf"); code != 0 {
		t.Fatalf("plan: %s", out)
	}
	text, err := os.ReadFile(filepath.Join(w.dir, "generated.tf"))
	if err != nil {
		t.Fatal(err)
	}
	w.apply(10)
	w.planNothing()
	return string(text)
}

// What an import brings into properties is what a person would have written.
func TestLeanImport(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	notOn(t, "it lacks fields of 4.7", "enms-4.4")
	var blocks strings.Builder
	for _, k := range kinds.All() {
		for _, table := range k.Subtypes {
			name := "NAME-" + table.Name
			body := enms.Object{"name": name, "scoped_name": name}
			if table.Name == "netmiko_commands_service" {
				body["commands"], body["strip_prompt"] = "show version", false
			}
			s.put(table.Name, body)()
			t.Cleanup(s.drop(k.Name, name))
			fmt.Fprintf(&blocks, "import {\n  to = enms_%s.%s\n  id = %q\n}\n", k.Name, table.Name, name)
		}
	}
	generated := imported(t, s, blocks.String())
	for _, want := range []string{`commands     = "show version"`, `strip_prompt = false`} {
		if !strings.Contains(generated, want) {
			t.Errorf("no %s", want)
		}
	}
	all, empty := strings.Count(generated, "  properties "), len(regexp.MustCompile(`(?m)^ {2}properties +=\s\{\}$`).FindAllString(generated, -1))
	if all != empty+1 && s.simulator != nil { // a site may have custom properties of its own
		t.Errorf("%d times properties, %d times {}:\n%s", all, empty, generated)
	}
}

// A value that eNMS holds and no configuration may hold, such as an address with a tab
// at its end, is left out of the configuration that Terraform generates. Everything
// else is imported.
func TestImportOfUnfitValues(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.put("device", enms.Object{"name": "NAME-d", "ip_address": "10.0.0.1\t", "port": -1, "vendor": "Cisco"})()
	s.put("rest_call_service", enms.Object{"name": "NAME-s", "scoped_name": "NAME-s", "call_type": "get", "max_processes": -1, "multiprocessing": true, "rest_url": "http://x"})()
	t.Cleanup(s.drop("device", "NAME-d"))
	t.Cleanup(s.drop("service", "NAME-s"))
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
