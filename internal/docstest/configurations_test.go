// Tests of the configurations that the pages show: README.md, docs/, and those beside the
// examples. A block of code is marked
//
//	```terraform   a configuration: it is planned, by the model of Terraform or, where that
//	               does not have everything, by the real one
//	```hcl         anything else in this language: a fragment, a test, Terraform's own
//	               settings; it is parsed
//
// Each configuration is planned as whoever reads the page from its top would have it: with
// what it refers to of the blocks before it on the page, and with nothing else. A block that
// declares again what an earlier one has replaces it, as the steps of a guide do. Each must
// be complete so, but for the block terraform, which getting started shows; a variable
// without a default is a text. The instances that eNMS has for every page are in
// testdata/pages/enms.json, as in the simulator's -data, and for types of eNMS 5 alone in enms-5.json.
// What a page has for itself is in a
// directory with its name, such as testdata/pages/docs/guides/reorganising:
//
//	enms.json     further instances that eNMS has
//	and others    are put beside the configuration: inventory.csv, terraform.tfvars

package docstest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
)

// newest is what not every supported Terraform has. OpenTofu has none of it before the version
// that is given.
var newest = []struct {
	what        string
	minor, tofu int // of Terraform 1 and OpenTofu 1; 0 for no version
	is          func(step) bool
}{
	{"actions around deletions", 16, 0, func(s step) bool {
		return slices.ContainsFunc(s, func(d *declaration) bool {
			return strings.Contains(d.text, "_destroy]") || strings.Contains(d.text, "on_failure")
		})
	}},
	{"destroy = false in resources", 16, 12, func(s step) bool {
		return slices.ContainsFunc(s, func(d *declaration) bool {
			return d.block.Type == "resource" && strings.Contains(d.text, "    destroy = false\n")
		})
	}},
	{"identities of imports", 12, 12, func(s step) bool {
		return slices.ContainsFunc(s, func(d *declaration) bool {
			return d.block.Type == "import" && d.block.Body.Attributes["identity"] != nil
		})
	}},
	{"actions", 14, 0, func(s step) bool { return s.has("action") || s.has("action_trigger") }},
}

// notPlanned are kinds of blocks that no plan takes, and why.
var notPlanned = map[string]string{
	"list": "terraform query asks it, and not a plan: TestQuery_withTerraform does",
}

// onlyValidated are what a plan would ask eNMS for and no simulator has, and why: the
// configurations that hold it are validated.
var onlyValidated = map[string]string{
	"import enms_instance.rack":              ofASite,
	"import enms_instance.server_room":       ofASite,
	"data.enms_instance.rack":                ofASite,
	"data.enms_instances.racks":              ofASite,
	"data.enms_devices.switches":             ofASite,
	"data.enms_device_configuration.r1":      "the simulator fetches nothing from devices",
	"data.enms_device_configuration.running": "the simulator fetches nothing from devices",
	"ephemeral.enms_device_configuration.r1": "the simulator fetches nothing from devices",
	"data.enms_run_result.audit":             "the simulator has run nothing",
	"ephemeral.enms_run_result.password":     "the simulator has run nothing",
}

const ofASite = "it is of a type, or has a property, of a site's own, which the simulator does not have"

// allowedWarnings are how warnings begin that plans of the pages may show.
var allowedWarnings = []string{
	"Provider development overrides are in effect",
	"Check block assertion failed", // the simulator has no configurations of devices
	"Unknown field site of device", // a property of a site's own
	"password looks like a secret", // for a Terraform that has no write-only attributes
	"The name of a new ",           // … is taken: eNMS holds what any of the pages refers to
	"The task has no target",       // neither have the services that eNMS holds for the pages
}

// Each configuration that a page shows is one that Terraform plans.
func TestPages_configurationsArePlanned(t *testing.T) {
	t.Parallel()
	count := 0
	for _, p := range pages(t) {
		if strings.HasPrefix(p.path, "templates/") || !slices.ContainsFunc(p.fences, fence.isConfiguration) {
			continue // templates become pages of docs/
		}
		count++
		t.Run(p.path, func(t *testing.T) {
			t.Parallel()
			p.plans(t)
		})
	}
	if count < 50 {
		t.Errorf("only %d pages show configurations", count)
	}
}

// isConfiguration reports whether a block of code is said to be a configuration.
func (f fence) isConfiguration() bool { return f.language == "terraform" }

// surroundings returns the directory of what a page needs beside what it shows.
func (p page) surroundings() string {
	return filepath.Join("testdata", "pages", filepath.FromSlash(strings.TrimSuffix(p.path, ".md")))
}

// plans plans each configuration of the page.
func (p page) plans(t *testing.T) {
	t.Helper()
	acctest.NewWorkspace(t).NeedsVersion(1, 11, "write-only attributes")
	for _, step := range p.shown(t).steps() {
		p.plan(t, step)
	}
}

// shown parses the configurations of the page.
func (p page) shown(t *testing.T) (s shown) {
	t.Helper()
	for _, f := range p.fences {
		if !f.isConfiguration() {
			continue
		}
		found, err := declarations(f.code, p.path, f.line)
		if err != nil {
			t.Fatal(err)
		}
		s = append(s, slices.DeleteFunc(found, func(d *declaration) bool {
			reason, is := notPlanned[d.block.Type]
			if is {
				t.Logf("%s:%d: not planned: %s", p.path, d.line, reason)
			}
			return is
		}))
	}
	return slices.DeleteFunc(s, func(found []*declaration) bool { return len(found) == 0 })
}

// plan plans a step against an eNMS of its own.
func (p page) plan(t *testing.T, s step) {
	t.Helper()
	options, instances := simulator.Options{SiteTypes: true}, "enms.json"
	if s.isOfLine5() {
		options.Version, instances = simulator.V53, "enms-5.json"
	}
	server := acctest.NewServerWith(t, "of the pages", options)
	w := acctest.NewWorkspace(t)
	if lacks := s.tooNewFor(w); lacks != "" {
		t.Logf("%s:%d: not planned: %s", p.path, s[0].line, lacks)
		return
	}
	p.surround(t, server, w, instances)
	w.Environment = append(w.Environment, at(server)...)
	args := []string{"plan", "-no-color"}
	if missing := s.undeclared(); len(missing) > 0 {
		t.Errorf("%s:%d: it refers to %s, which neither it nor a block before it declares", p.path, s[0].line, missing)
		return
	}
	declare(w, s, server)
	if p.plansModelled(t, s, w.Dir, server) {
		return
	}
	if reason := s.validated(); reason != "" {
		t.Logf("%s:%d: only validated: %s", p.path, s[0].line, reason)
		args = []string{"validate", "-no-color"}
	}
	if s.has("module") {
		succeeds(w, "get", "-no-color")
	}
	out := succeeds(w, args...)
	for line := range strings.Lines(out) {
		if _, warning, is := strings.Cut(line, "Warning: "); is && !isAllowed(warning) {
			t.Fatalf("the plan warns; the lines are those of %s\n%s", p.path, out)
		}
	}
}

// isAllowed reports whether plans of the pages may show a warning.
func isAllowed(warning string) bool {
	return slices.ContainsFunc(allowedWarnings, func(begin string) bool { return strings.HasPrefix(warning, begin) })
}

// plansModelled plans a step, which is declared in a directory, with the model of Terraform, and reports
// whether that has everything that the step needs.
func (p page) plansModelled(t *testing.T, s step, dir string, server *acctest.Server) bool {
	t.Helper()
	if acctest.RealTerraform() || s.validated() != "" {
		return false
	}
	config, err := acctest.Modelled.ParseDirectory(dir, server.Settings(), s.variables())
	if err != nil {
		t.Logf("%s:%d: planned by the real Terraform: %v", p.path, s[0].line, err)
		return false
	}
	_, found := (&terraformtest.Terraform{Provider: acctest.Modelled}).Plan(t.Context(), config, terraformtest.PlanOptions{})
	if found.Failed() {
		t.Fatalf("the plan fails; the lines are those of %s\n%s", p.path, found.Print(config))
	}
	for address, diags := range found {
		for _, d := range diags {
			if !isAllowed(d.Summary) {
				t.Fatalf("the plan of %s on %s warns: %s", address, p.path, diags)
			}
		}
	}
	return true
}

// variables returns the values of the variables without a default.
func (s step) variables() map[string]string {
	values := map[string]string{}
	for _, d := range s {
		if d.block.Type == "variable" && d.block.Body.Attributes["default"] == nil {
			values[d.block.Labels[0]] = "text"
		}
	}
	return values
}

// tooNewFor says what the step holds that Terraform or OpenTofu does not have; it is empty when
// all is there.
func (s step) tooNewFor(w *acctest.Workspace) string {
	for _, n := range newest {
		since, program := n.minor, "Terraform"
		if w.OpenTofu() {
			since, program = n.tofu, "OpenTofu"
		}
		if n.is(s) && (since == 0 || w.Version()[1] < since) {
			return fmt.Sprintf("this %s does not have %s: Terraform has them since 1.%d", program, n.what, n.minor)
		}
	}
	return ""
}

// validated says why a step is not planned; it is empty when it is.
func (s step) validated() string {
	for _, d := range s {
		for _, address := range d.addresses {
			if reason := onlyValidated[address]; reason != "" {
				return reason
			}
		}
	}
	return ""
}

// isOfLine5 reports whether a step is about types that only eNMS 5 has.
func (s step) isOfLine5() bool {
	return slices.ContainsFunc(s, func(d *declaration) bool {
		return slices.ContainsFunc(kinds.All(), func(k *kind.Kind) bool {
			return k.Line == 5 && len(d.block.Labels) > 0 && slices.Contains([]string{k.TypeName(), "enms_" + k.Plural()}, d.block.Labels[0])
		})
	})
}

// surround puts what the page needs into the workspace and into eNMS, which has the instances of a file
// for every page.
func (p page) surround(t *testing.T, s *acctest.Server, w *acctest.Workspace, instances string) {
	t.Helper()
	copyDirectory(t, filepath.Join(w.Dir, "modules"), filepath.Join(acctest.Repository, "examples", "modules"))
	loadInstances(s, filepath.Join("testdata", "pages", instances))
	if _, err := os.Stat(p.surroundings()); err == nil {
		copyDirectory(t, w.Dir, p.surroundings())
	}
	own := filepath.Join(p.surroundings(), "enms.json")
	if _, err := os.Stat(own); err == nil {
		loadInstances(s, own)
	}
}

// loadInstances adds the instances of a file to the simulator's.
func loadInstances(s *acctest.Server, file string) {
	s.T.Helper()
	if err := s.Simulator.Load(strings.NewReader(readFile(s.T, file))); err != nil {
		s.T.Fatalf("%s: %v", file, err)
	}
}

// declare writes the configuration of a step, and gives its variables values.
func declare(w *acctest.Workspace, s step, server *acctest.Server) {
	w.T.Helper()
	ownSources := true
	for _, d := range s {
		if d.block.Type == "terraform" && strings.Contains(d.text, "required_providers") {
			ownSources = false
		}
	}
	for name, value := range s.variables() {
		w.Environment = append(w.Environment, "TF_VAR_"+name+"="+value)
	}
	w.Configure(ownModule.ReplaceAllString(s.pointed(server).lines(), `"./$1"`))
	if !ownSources {
		return
	}
	writeFile(w.T, filepath.Join(w.Dir, "sources.tf"), ownProvider)
}

// pointed returns the step with provider blocks that name the test's server.
func (s step) pointed(server *acctest.Server) step {
	settings := server.Settings()
	all := slices.Clone(s)
	for i, d := range all {
		if d.block.Type != "provider" || d.block.Labels[0] != "enms" {
			continue
		}
		changed := *d
		begin := d.block.TypeRange.Start.Byte
		attributes := []*hclsyntax.Attribute{}
		for name, a := range d.block.Body.Attributes {
			if settings[name] != "" {
				attributes = append(attributes, a)
			}
		}
		slices.SortFunc(attributes, func(a, b *hclsyntax.Attribute) int { return b.SrcRange.Start.Byte - a.SrcRange.Start.Byte })
		for _, a := range attributes { // the last one first, so that the places of the others stay
			r := a.Expr.Range()
			changed.text = changed.text[:r.Start.Byte-begin] + `"` + settings[a.Name] + `"` + changed.text[r.End.Byte-begin:]
		}
		all[i] = &changed
	}
	return all
}

// succeeds runs Terraform, expects success, and gives all that it wrote.
func succeeds(w *acctest.Workspace, args ...string) string {
	w.T.Helper()
	code, out := w.Run(args...)
	if code != 0 {
		w.T.Fatalf("%s ended with %d; the lines are those of the page:\n%s", args[0], code, out)
	}
	return out
}

// The pages take the provider's password from where the guide Secrets says that it belongs:
// from the environment, or from an ephemeral variable.
func TestPages_passwordsFromEnvironmentOrVariable(t *testing.T) {
	t.Parallel()
	for _, p := range pages(t) {
		if strings.HasPrefix(p.path, "templates/") {
			continue
		}
		s := p.shown(t)
		for i, found := range s {
			for _, d := range found {
				password := d.block.Body.Attributes["password"]
				if d.block.Type != "provider" || password == nil {
					continue
				}
				from := addressed(password.Expr)
				if len(from) != 1 {
					t.Errorf("%s:%d: the password is written down", p.path, d.line)
					continue
				}
				if v := s.find(from[0], i); v == nil || v.block.Body.Attributes["ephemeral"] == nil {
					t.Errorf("%s:%d: %s is not ephemeral: a saved plan would hold it", p.path, d.line, from[0])
				}
			}
		}
	}
}

// What is marked as HCL and is no configuration can be parsed all the same; what is a
// configuration is marked as one, so that it is planned.
func TestPages_fragmentsAreParsed(t *testing.T) {
	t.Parallel()
	for _, p := range pages(t) {
		for _, f := range p.fences {
			if f.language != "hcl" {
				continue
			}
			code := quotedName.ReplaceAllString(f.code, "${1}${2} =")
			if _, diags := hclsyntax.ParseConfig([]byte(code), p.path, hcl.Pos{Line: f.line, Column: 1}); diags.HasErrors() {
				t.Error(diags)
			}
			if found, err := declarations(f.code, p.path, f.line); err == nil && !slices.ContainsFunc(found, fragment) {
				t.Errorf("%s:%d: it is a configuration: mark it ```terraform", p.path, f.line)
			}
		}
	}
}

// quotedName is the name of an argument as Terraform's own settings may have it. They are
// written in the first HCL, the second has no such names.
var quotedName = regexp.MustCompile(`(?m)^( *)"[a-z_-]+/([a-z_-]+)" *=`)

// fragment reports whether a block can be no part of a plan: it needs another provider, a
// module or a registry that the page only speaks of, or a place for the state.
func fragment(d *declaration) bool {
	named := d.references
	switch d.block.Type {
	case "resource", "data", "provider", "ephemeral":
		named = append(slices.Clone(named), d.block.Labels[0])
	case "removed", "moved":
		named = append(slices.Clone(named), d.addresses...)
	case "module":
		source, diags := d.block.Body.Attributes["source"].Expr.Value(nil)
		return !diags.HasErrors() && strings.HasPrefix(source.AsString(), ".")
	case "terraform":
		return strings.Contains(d.text, `"registry.example.com/`) ||
			slices.ContainsFunc(d.block.Body.Blocks, func(b *hclsyntax.Block) bool { return b.Type == "backend" || b.Type == "cloud" })
	}
	return slices.ContainsFunc(named, func(name string) bool {
		root, _, _ := strings.Cut(name, ".")
		return root != "enms" && !strings.HasPrefix(root, "enms_") && !slices.Contains(append(topLevel, "var", "local", "terraform_data"), root)
	})
}
