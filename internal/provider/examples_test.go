// This file applies whole configurations among the examples, by the real Terraform
// with the provider as it is in the tree.

package provider_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// managedTypes are the types of which the examples make instances.
var managedTypes = []string{"device", "link", "network", "pool", "group", "user", "credential", "service", "workflow_edge", "task"}

// renamings are other names for what the example of three sites makes.
var renamings = strings.NewReplacer(
	`"DALLAS"`, `"DALLAS-EDGE"`,
	`"Houston site"`, `"Site of Houston"`,
	`"Router upgrade"`, `"Upgrade of routers"`)

func TestExampleThreeSites(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("the names of the example have no prefix")
	before := s.names()

	w := newWorkspace(t)
	w.needs(1, 11, "write-only attributes")
	if err := os.CopyFS(w.dir, os.DirFS(repository+"/examples")); err != nil {
		t.Fatal(err)
	}
	w.dir = filepath.Join(w.dir, "three-sites")
	w.environment = append(w.environment, "ENMS_BASE_URL="+s.url, "ENMS_USERNAME="+s.user, "ENMS_PASSWORD="+s.password,
		"TF_VAR_router_password=secret-of-the-routers", "TF_VAR_operator_password=secret-of-the-operator")
	if code, out := w.run("get", "-no-color"); code != 0 {
		t.Fatalf("get ended with %d:\n%s", code, out)
	}

	w.apply(10)
	w.planNothing()
	s.membersAre("Edge routers", "AUSTIN", "DALLAS", "HOUSTON")
	s.membersAre("Routers to replace", "HOUSTON")
	w.keepsNo("secret-of-the-")

	w.rewrite("variables.tf", renamings)
	ids := s.ids()
	w.apply(10)
	w.planNothing()
	s.membersAre("Edge routers", "AUSTIN", "DALLAS-EDGE", "HOUSTON")
	if got := s.ids(); !slices.Equal(got, ids) {
		t.Errorf("renaming made other instances: %v, before %v", got, ids)
	}
	if !slices.Contains(s.names(), "service [Upgrade of routers] Roll back") || !slices.Contains(s.names(), "network Site of Houston") {
		t.Errorf("not renamed: %v", s.names())
	}

	if code, out := w.run("destroy", "-no-color", "-auto-approve"); code != 0 {
		t.Fatalf("destroy ended with %d:\n%s", code, out)
	}
	if left := s.names(); !slices.Equal(left, before) {
		t.Errorf("the example leaves %v, before it there were %v", left, before)
	}
}

// names returns those of all instances of the managed types, each after its type.
func (s *server) names() []string {
	s.t.Helper()
	return s.all(func(typ string, row enms.Object) string { return typ + " " + row["name"].(string) })
}

// ids returns those of all instances of the managed types, each after its type.
func (s *server) ids() []string {
	s.t.Helper()
	return s.all(func(typ string, row enms.Object) string { return typ + " " + row["id"].(json.Number).String() })
}

func (s *server) all(tell func(typ string, row enms.Object) string) []string {
	s.t.Helper()
	var all []string
	for _, typ := range managedTypes {
		rows, err := s.client.Search(s.ctx(), typ, []string{"name", "id"}, map[string]any{})
		if err != nil {
			s.t.Fatal(err)
		}
		for _, row := range rows {
			all = append(all, tell(typ, row))
		}
	}
	slices.Sort(all)
	return all
}

// membersAre checks which devices a pool holds.
func (s *server) membersAre(pool string, devices ...string) {
	s.t.Helper()
	var members []string
	for _, member := range s.get("pool", pool)["devices"].([]any) {
		members = append(members, member.(string))
	}
	slices.Sort(members)
	if !slices.Equal(members, devices) {
		s.t.Errorf("pool %q holds %v, want %v", pool, members, devices)
	}
}

// rewrite replaces words in a file of the configuration.
func (w *workspace) rewrite(file string, words *strings.Replacer) {
	w.t.Helper()
	file = filepath.Join(w.dir, file)
	content, err := os.ReadFile(file)
	if err != nil {
		w.t.Fatal(err)
	}
	changed := words.Replace(string(content))
	if changed == string(content) {
		w.t.Fatalf("%s holds nothing to replace", file)
	}
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// keepsNo checks that the state does not hold a text.
func (w *workspace) keepsNo(text string) {
	w.t.Helper()
	state, err := os.ReadFile(filepath.Join(w.dir, "terraform.tfstate"))
	if err != nil {
		w.t.Fatal(err)
	}
	if strings.Contains(string(state), text) {
		w.t.Errorf("the state holds %q", text)
	}
}
