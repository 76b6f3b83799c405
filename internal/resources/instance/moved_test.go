// Tests of moved blocks that lead from another type of resource to that of a kind.

package instance_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// move moves the state of a resource of another type to that of a type, and reads it.
func move(c *acctest.Core, from string, state any, private []byte, to string) (acctest.ResourceState, acctest.Problems) {
	c.T.Helper()
	raw, err := json.Marshal(state)
	if err != nil {
		c.T.Fatal(err)
	}
	resp, err := c.Provider.MoveResourceState(c.T.Context(), &tfprotov6.MoveResourceStateRequest{
		SourceTypeName: from, SourceProviderAddress: "registry.terraform.io/any/any", TargetTypeName: to,
		SourceState: &tfprotov6.RawState{JSON: raw}, SourcePrivate: private,
	})
	if err != nil {
		c.T.Fatal(err)
	}
	if acctest.Problems(resp.Diagnostics).Failed() {
		return c.NoState(to), resp.Diagnostics
	}
	return c.Refresh(to, acctest.ResourceState{Value: c.Decode(to, resp.TargetState), Private: resp.TargetPrivate, Identity: resp.TargetIdentity})
}

// Every kind can be reached from enms_instance, restapi_object and restful_resource, and
// enms_instance from every kind. The plan afterwards is empty.
func TestMoved_everyKindFromEverySource(t *testing.T) {
	t.Parallel()
	for _, k := range acctest.Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			acctest.PutRelated(s)
			c := s.Core(nil)
			config := acctest.FullConfig(1, s, k)
			made := c.Refreshed(k.TypeName(), c.Applied(k.TypeName(), config, c.NoState(k.TypeName())))
			name, typ := made.Text(t, "name"), acctest.PathOf(k, config)
			imported := c.Imported(k.TypeName(), acctest.ImportIDOf(k, config))
			sources := map[string]any{
				"enms_instance":    map[string]any{"name": name, "type": typ, "id": made.Text(t, "id")},
				"restapi_object":   map[string]any{"id": name, "path": "/instance/" + typ, "data": `{"name":` + quoted(name) + `}`},
				"restful_resource": map[string]any{"id": "/instance/" + typ + "/" + name, "path": "/instance/" + typ, "body": map[string]any{"type": []any{"object", map[string]any{"name": "string"}}, "value": map[string]any{"name": name}}},
			}
			for from, state := range sources {
				moved, diags := move(c.NewRun(), from, state, nil, k.TypeName())
				if diags.Failed() {
					t.Errorf("from %s: %s", from, diags)
					continue
				}
				if !moved.Value.Equal(imported.Value) {
					t.Errorf("from %s: the state is %s, an import brings %s", from, moved.Value, imported.Value)
				}
			}
			if k.AnyType != nil {
				return
			}
			moved, diags := move(c.NewRun(), k.TypeName(), acctest.GoValue(t, made.Value), made.Private, "enms_instance")
			if diags.Failed() || moved.Text(t, "name") != name || moved.Text(t, "type") != typ {
				t.Fatalf("to enms_instance: %s %s", moved.Value, diags)
			}
			c.PlansNothing("enms_instance", acctest.Attributes{"name": name, "type": typ}, moved)
		})
	}
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// What cannot be moved says why, and what to do.
func TestMoved_refused(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	type state = map[string]any
	pending := []byte(`{"instance":` + quotedBase64(`{"pending_create":{"sent":{"name":"a"}}}`) + `}`)
	for what, x := range map[string]struct {
		from    string
		state   any
		private []byte
		to      string
		says    []string
	}{
		"another provider":    {"local_file", state{"id": "x"}, nil, "enms_device", []string{"Cannot move local_file to enms_device", "restapi_object", "import"}},
		"an unfinished write": {"enms_instance", state{"name": "a", "type": "device"}, pending, "enms_device", []string{"did not finish"}},
		"a damaged record":    {"enms_instance", state{"name": "a", "type": "device"}, []byte(`{"instance":` + quotedBase64("5") + `}`), "enms_device", []string{"Cannot read the private state"}},
		"no name of eNMS":     {"enms_instance", state{"name": "a\x00", "type": "device"}, nil, "enms_device", []string{"Cannot move enms_instance to enms_device"}},
		"many instances":      {"enms_instances", state{"type": "device"}, nil, "enms_device", []string{"enms_instances to enms_device", "import"}},
		"to many instances":   {"enms_device", state{"name": "a"}, nil, "enms_instances", []string{"Cannot move", "import"}},
	} {
		_, diags := move(c, x.from, x.state, x.private, x.to)
		if !diags.Failed() || slices.ContainsFunc(x.says, func(words string) bool { return !strings.Contains(diags.String(), words) }) {
			t.Errorf("%s: %q does not say %q", what, diags, x.says)
		}
	}
}

// quotedBase64 returns a value as the private state holds it.
func quotedBase64(s string) string {
	b, err := json.Marshal([]byte(s))
	if err != nil {
		panic(err)
	}
	return string(b)
}

// Terraform moves resources with for_each to a module and to other types, changes nothing in
// eNMS, and shows what differs.
func TestMoved_withTerraform(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	w := acctest.NewWorkspace(t)
	if w.OpenTofu() {
		w.NeedsVersion(1, 10, "moved blocks between types")
	} else {
		w.NeedsVersion(1, 8, "moved blocks between types")
	}
	standInsFor(w, "mastercard/restapi", "magodo/restful")
	for _, name := range []string{"NAME-a", "NAME-b"} {
		s.Put("device", enms.Object{"name": name, "vendor": "Cisco"})()
	}
	s.Put("network", enms.Object{"name": "NAME-n", "description": "old"})()
	const generic, others = `
resource "enms_instance" "p" {
  type       = "pool"
  name       = "NAME-p"
  properties = { description = "Routers" }
}
`, `
module "routers" {
  source = "./routers"
}
resource "enms_network" "n" {
  name        = "NAME-n"
  description = "new"
}
`
	w.Configure(s.HCL(generic))
	w.Apply(10)
	addResources(t, filepath.Join(w.Dir, "terraform.tfstate"), s.Expand(`[
  {"mode": "managed", "type": "restapi_object", "name": "r", "provider": "provider[\"registry.terraform.io/mastercard/restapi\"]", "instances": [
    {"index_key": "NAME-a", "schema_version": 0, "attributes": {"id": "NAME-a", "path": "/instance/device", "data": "{\"name\":\"NAME-a\"}"}, "sensitive_attributes": []},
    {"index_key": "NAME-b", "schema_version": 0, "attributes": {"id": "NAME-b", "path": "/instance/device", "data": "{\"name\":\"NAME-b\"}"}, "sensitive_attributes": []}]},
  {"mode": "managed", "type": "restful_resource", "name": "n", "provider": "provider[\"registry.terraform.io/magodo/restful\"]", "instances": [
    {"schema_version": 2, "attributes": {"id": "/instance/network/NAME-n", "path": "/instance/network", "body": {"type": ["object", {"name": "string"}], "value": {"name": "NAME-n"}}}, "sensitive_attributes": []}]}
]`))
	if err := os.Mkdir(filepath.Join(w.Dir, "routers"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.Dir, "routers", "main.tf"), []byte(s.Expand(`
resource "enms_device" "r" {
  for_each = toset(["NAME-a", "NAME-b"])
  name     = each.key
  vendor   = "Cisco"
}`)), 0o600); err != nil {
		t.Fatal(err)
	}
	movedTo := func(from, to string) string { return fmt.Sprintf("moved {\n  from = %s\n  to   = %s\n}\n", from, to) }
	w.Configure(s.HCL(others + `
resource "enms_pool" "p" {
  name        = "NAME-p"
  description = "Routers"
}
` + movedTo("restapi_object.r", "module.routers.enms_device.r") + movedTo("enms_instance.p", "enms_pool.p") + movedTo("restful_resource.n", "enms_network.n")))
	if code, out := w.Run("get", "-no-color"); code != 0 {
		t.Fatal(out)
	}
	if code, out := w.Run("plan", "-no-color", "-refresh=false"); code == 0 || !strings.Contains(out, "Plan without -refresh=false") {
		t.Errorf("without a refresh, the plan ended with %d:\n%s", code, out)
	}
	code, out := w.Run("plan", "-no-color")
	for _, want := range []string{
		`restapi_object.r["NAME-a"] has moved to module.routers.enms_device.r["NAME-a"]`,
		`restapi_object.r["NAME-b"] has moved to module.routers.enms_device.r["NAME-b"]`,
		`enms_instance.p has moved to enms_pool.p`, `(moved from restful_resource.n)`, `~ description`,
		"Plan: 0 to add, 1 to change, 0 to destroy.",
	} {
		if code != 0 || !strings.Contains(out, s.Expand(want)) {
			t.Errorf("the plan, with exit code %d, does not say %s:\n%s", code, want, out)
		}
	}
	w.Apply(10)
	w.PlanNothing()
	if !w.OpenTofu() { // 1.12 reads the moved state with the identity of a pool, which has no type
		w.Configure(s.HCL(others + generic + movedTo("enms_pool.p", "enms_instance.p")))
		if _, out := w.Run("plan", "-no-color"); !strings.Contains(out, "enms_pool.p has moved to enms_instance.p") || !strings.Contains(out, "Plan: 0 to add, 0 to change, 0 to destroy.") {
			t.Errorf("back to enms_instance:\n%s", out)
		}
	}
	if code, out := w.Run("destroy", "-auto-approve", "-no-color"); code != 0 {
		t.Error(out)
	}
}

// standInsFor lets Terraform take the provider of the tree for others. Terraform starts the
// providers that a state names, even if it asks them for nothing.
func standInsFor(w *acctest.Workspace, sources ...string) {
	w.T.Helper()
	program, dir := acctest.Program(w.T), w.T.TempDir()
	overrides := fmt.Sprintf("    \"hashicorp/enms\" = %q\n", filepath.ToSlash(filepath.Dir(program)))
	for _, source := range sources {
		overrides += fmt.Sprintf("    %q = %q\n", source, filepath.ToSlash(dir))
		if err := os.Symlink(program, filepath.Join(dir, "terraform-provider-"+path.Base(source))); err != nil {
			w.T.Fatal(err)
		}
	}
	file := filepath.Join(dir, "terraform.rc")
	if err := os.WriteFile(file, []byte("provider_installation {\n  dev_overrides {\n"+overrides+"  }\n  direct {}\n}\n"), 0o600); err != nil {
		w.T.Fatal(err)
	}
	w.Environment = append(w.Environment, "TF_CLI_CONFIG_FILE="+file)
}

// addResources adds resources, in JSON, to a state file.
func addResources(t *testing.T, file, resources string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var state map[string]any
	var more []any
	if err := json.Unmarshal(raw, &state); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(resources), &more); err != nil {
		t.Fatal(err)
	}
	state["resources"] = append(state["resources"].([]any), more...)
	if raw, err = json.Marshal(state); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}
