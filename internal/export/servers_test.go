// This file exports servers by the program, and has Terraform import what it wrote and build
// another server of it.

package export_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	exportpackage "github.com/terraform-provider-enms/terraform-provider-enms/internal/export"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/yamldir"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/yamldir/yamltest"
)

// hostileScript holds what HCL reads otherwise where it is not escaped, in more lines than a
// heredoc has.
const hostileScript = "# EOT\r\n\tx = \"${device.name}\" + '%{if}' + '$${' + \"%%{\"\r\nEOT\r\n  EOT\r\n" +
	"y = {'a': \"b\\n\"}\r\n\r\n   # trailing spaces   \r\nz = 'Größe 日本 \U0001F600'\r\n\r\n\r\nif x:\r\n\tresults['success'] = True\r\n<<-EOF\r\nEOF"

// shortTexts are descriptions that are awkward in HCL, each in its own way.
var shortTexts = []string{
	"one line with ${a} and %{ if b }",
	"two lines\nEOT\nEOT2\n",
	"no newline\n  at the end",
	"\n\nempty lines first\n\n\nand last\n\n",
	"    all lines\n      are indented\n    by blanks\n",
	"\ttabs\n\tfirst\n",
	"carriage\r\nreturns\r\n",
	"mixed\r\nline\nends\r",
	"trailing blanks   \nand a \\ and a \" quote\n",
	"$${ $$${ ${ $ %%{ %%%{ {",
	"$${\n$$${\n%%{\n",
	"\u200b\u00a0invisible\n\u200b\n",
	"null", "true", "5", "é and ü, 日本, \U0001F600",
}

// resolved is an address that a resolver accepts, and that is no host name.
const resolved = "clab-lab_1-leaf_1"

// fillHostile puts onto a server what is awkward to export.
func fillHostile(s *acctest.Server) {
	put := putOn(s)
	put("gateway", enms.Object{"name": "gw", "ip_address": "10.0.0.1", "priority": 3})
	put("gateway", enms.Object{"name": "GW", "ip_address": resolved})
	for n, name := range []string{"R1", "r1", "R-1", "1st", "for", "null", "each", "count", "Größe", "日本", "a${b}", "%{c}", "()", "dev.ice", "_x_", strings.Repeat("long ", 40) + "1", strings.Repeat("long ", 40) + "2"} {
		put("device", enms.Object{"name": name, "ip_address": fmt.Sprintf("10.0.1.%d", n), "description": shortTexts[n%len(shortTexts)], "port": 22 + n, "gateways": []string{"gw", "GW"}[:n%3]})
	}
	put("device", enms.Object{"name": "custom", "site_property": "one of the site's own", "latitude": "1.50", "operating_system": "${x}"})
	put("link", enms.Object{"name": "R1 - r1", "source": "R1", "destination": "r1"})
	put("link", enms.Object{"name": "loose", "source": "R1", "destination": "r1"})
	put("link", enms.Object{"name": "loose", "destination_id": nil})
	for _, name := range []string{"ops", "net", "no members"} {
		put("group", enms.Object{"name": name, "menu": []string{"Inventory"}, "pages": []string{}, "get_requests": []string{"/rest/instance"}, "post_requests": []string{}, "delete_requests": []string{}})
	}
	put("user", enms.Object{"name": "alice", "email": "alice@example.com", "groups": []string{"ops", "net"}, "password": "x"})
	put("user", enms.Object{"name": "bob", "groups": []string{"ops"}})
	put("group", enms.Object{"name": "ops", "users": []string{"alice", "bob", "admin"}, "menu": []string{"Inventory"}, "pages": []string{}, "get_requests": []string{"/rest/instance"}, "post_requests": []string{}, "delete_requests": []string{}})
	put("pool", enms.Object{"name": "by hand", "manually_defined": true, "devices": []string{"R1", "r1", "gw"}, "links": []string{"R1 - r1", "loose"}, "rbac_read": []string{"ops", "net"}})
	put("pool", enms.Object{"name": "by criteria", "device_name": "^R", "device_name_match": "regex"})
	put("credential", enms.Object{"name": "lab", "username": "lab", "groups": []string{"ops"}, "device_pools": []string{"by hand"}, "password": "secret"})
	put("network", enms.Object{"name": "inner", "nodes": []string{"R1", "日本"}, "links": []string{"R1 - r1"}})
	put("network", enms.Object{"name": "outer", "nodes": []string{"inner", "gw"}})
	for _, name := range []string{"mutual 1", "mutual 2"} {
		put("network", enms.Object{"name": name})
	}
	put("network", enms.Object{"name": "mutual 1", "nodes": []string{"mutual 2", "R1"}})
	put("network", enms.Object{"name": "mutual 2", "nodes": []string{"mutual 1"}})
	put("network", enms.Object{"name": "around a mutual one", "nodes": []string{"mutual 1"}})
	for n, name := range []string{"R1", "日本"} {
		put("device", enms.Object{"name": name, "positions": map[string]any{"inner": []any{n, 2.5}, "gone": []any{1, 1}}})
	}
	put("device", enms.Object{"name": "gw", "positions": map[string]any{"outer": []any{-2, 0}}})
	put("network", enms.Object{"name": "inner", "positions": map[string]any{"outer": []any{100, 200}}})
	put("network", enms.Object{"name": "mutual 1", "positions": map[string]any{"mutual 2": []any{3, 4}, "around a mutual one": []any{5, 6}}})
	put("network", enms.Object{"name": "mutual 2", "positions": map[string]any{"mutual 1": []any{1, 2}}})
	for _, w := range []string{"Site check", "Backup!"} {
		put("workflow", enms.Object{"name": w, "scoped_name": w, "description": "the workflow " + w, "labels": map[string]any{
			"0b1c2d3e-4f50-4a1b-8c2d-0123456789ab": map[string]any{"content": "${x}\r\nEOT\r\n" + w, "positions": []any{"10.5", -3}, "alignment": "left", "size": "20"},
			"title-------------------------------": map[string]any{"content": w, "positions": []any{0, -100}, "alignment": "center", "size": 14}}})
		put("workflow", enms.Object{"name": w, "scoped_name": w, "owners": []string{"alice", "bob"}})
	}
	put("workflow", enms.Object{"name": "[Site check] Inner", "scoped_name": "Inner", "workflows": []string{"Site check"}})
	put("python_snippet_service", enms.Object{"name": "[Shared] Notify", "scoped_name": "Notify", "shared": true, "workflows": []string{"Site check", "Backup!", "[Site check] Inner"}, "source_code": hostileScript})
	for _, w := range []string{"Site check", "Backup!", "[Site check] Inner"} {
		for n, own := range []string{"Show version", "Show  version", "for"} {
			put("netmiko_commands_service", enms.Object{"name": "[" + w + "] " + own, "scoped_name": own, "workflows": []string{w}, "commands": shortTexts[n+1],
				"description": shortTexts[n], "skip": map[string]any{w: true, "no such workflow": true}, "target_devices": []string{"R1"}, "target_pools": []string{"by hand"},
				"preprocessing": hostileScript, "initial_payload": map[string]any{"for": 1, "a b": []any{1.5, "${x}", nil, map[string]any{}}, "text": "a\nb\n"}, "positions": map[string]any{w: []any{100*n + 7, -20.5}}})
		}
		for n, e := range [][3]string{{"[Shared] Start", "[" + w + "] Show version", "success"}, {"[" + w + "] Show version", "[" + w + "] Show  version", "success"},
			{"[" + w + "] Show version", "[" + w + "] Show  version", "failure"}, {"[" + w + "] Show  version", "[" + w + "] Show version", "success"}, {"[" + w + "] for", "[" + w + "] for", "failure"},
			{"[" + w + "] Show  version", "[Shared] Notify", "success"}, {"[Shared] Notify", "[Shared] End", "success"}} {
			put("workflow_edge", enms.Object{"name": fmt.Sprintf("edge %s %d", w, n), "workflow": w, "source": e[0], "destination": e[1], "subtype": e[2]})
		}
		put("service", enms.Object{"name": "[Shared] End", "positions": map[string]any{w: []any{700, 1}}})
	}
	put("service", enms.Object{"name": "[Shared] Placeholder", "workflows": []string{"Backup!"}, "positions": map[string]any{"Backup!": []any{1, 2}}})
	put("workflow_edge", enms.Object{"name": "edge of the placeholder", "workflow": "Backup!", "source": "[Shared] Placeholder", "destination": "[Shared] End", "subtype": "failure"})
	put("workflow", enms.Object{"name": "Site check", "scoped_name": "Site check", "superworkflow": "Backup!"})
	put("netmiko_commands_service", enms.Object{"name": "with a credential", "scoped_name": "with a credential", "named_credential": "lab", "credentials": "object", "commands": "show clock"})
	put("netmiko_commands_service", enms.Object{"name": "with a password", "scoped_name": "with a password", "custom_username": "x", "credentials": "custom", "custom_password": "y"})
	put("python_snippet_service", enms.Object{"name": "alone", "scoped_name": "alone", "source_code": "print(1)", "credentials": "custom", "postprocessing_mode": "always", "max_processes": 7, "positions": map[string]any{"Backup!": []any{1, 1}}})
	put("python_snippet_service", enms.Object{"name": "[x] brackets", "scoped_name": "[x] brackets", "source_code": "print('by hand', \"alone\")\n"})
	put("task", enms.Object{"name": "nightly", "service": "Site check", "pools": []string{"by hand"}, "devices": []string{"R1"}, "scheduling_mode": "cron", "crontab_expression": "0 2 * * 1", "is_active": true})
	put("task", enms.Object{"name": "Nightly", "service": "[Shared] Notify", "frequency": 5})
	put("group", enms.Object{"name": "no members", "force_read_access": true}) // of what is written from now on
}

// export runs the command against a server, in this process.
func export(s *acctest.Server, w *acctest.Workspace, args ...string) (int, string) {
	s.T.Helper()
	code, out := exportFrom(s, args...)
	skipRefused(s, w, args)
	return code, out
}

func exportFrom(s *acctest.Server, args ...string) (int, string) {
	var out bytes.Buffer
	code := exportpackage.Main(s.T.Context(), args, "dev", &out, &out, func() (*resources.Provider, []string, error) {
		client, err := enms.New(enms.Config{BaseURL: s.URL, Username: s.User, Password: s.Password}, kind.Words(kinds.All()))
		return &resources.Provider{Kinds: kinds.All(), Client: client}, nil, err
	})
	return code, out.String()
}

// exportByProgram runs the command of the program against a server.
func exportByProgram(s *acctest.Server, w *acctest.Workspace, args ...string) (int, string) {
	s.T.Helper()
	cmd := exec.CommandContext(s.T.Context(), acctest.Program(s.T), append([]string{"export"}, args...)...)
	cmd.Env = append(slices.Clone(w.Environment), "ENMS_BASE_URL="+s.URL, "ENMS_USERNAME="+s.User, "ENMS_PASSWORD="+s.Password)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		s.T.Fatal(err)
	}
	skipRefused(s, w, args)
	return cmd.ProcessState.ExitCode(), out.String()
}

// exports runs the command, which must succeed, and returns the files in its directory.
func exports(s *acctest.Server, w *acctest.Workspace, args ...string) map[string]string {
	s.T.Helper()
	if code, out := export(s, w, args...); code != 0 {
		s.T.Fatalf("export %q ended with %d:\n%s", args, code, out)
	}
	return tree(s.T, args[len(args)-1])
}

// newSource returns a simulated server, as these tests export all that it has, and a workspace.
func newSource(t *testing.T, options ...simulator.Options) (*acctest.Server, *acctest.Workspace) {
	t.Helper()
	s := acctest.NewServerWith(t, "simulator", append(options, simulator.Options{})[0])
	s.OnlySimulated("all that it has is exported")
	return s, acctest.NewWorkspace(t)
}

// skipRefused skips a test if what was exported refuses the Terraform of the tests.
func skipRefused(s *acctest.Server, w *acctest.Workspace, args []string) {
	s.T.Helper()
	if len(args) > 0 && refusesTerraform(w, args[len(args)-1]) {
		s.T.Skip("the export refuses Terraform 1.16.0, which imports only the first edge of a workflow (https://github.com/hashicorp/terraform/issues/39068)")
	}
}

// refusesTerraform reports whether an export in a directory refuses the Terraform of the tests.
func refusesTerraform(w *acctest.Workspace, dir string) bool {
	versions, err := os.ReadFile(filepath.Join(dir, "versions.tf"))
	return err == nil && strings.Contains(string(versions), "!= 1.16.0") && w.Release() == [3]int{1, 16, 0} && !w.OpenTofu()
}

// tree returns the files of a directory.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(content)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files
}

// line is that of the servers of these tests, whatever ENMS_TEST_SERVER says.
const line = 4

// kindsHere returns the kinds of which the servers of these tests have the type.
func kindsHere() []*kind.Kind {
	return slices.DeleteFunc(kinds.All(), func(k *kind.Kind) bool { return !k.OnLine(line) })
}

// everything returns what a server holds of all kinds, but what differs between any two
// servers.
func everything(s *acctest.Server) map[string]enms.Object {
	s.T.Helper()
	all, ends := map[string]enms.Object{}, map[any]any{}
	for _, k := range slices.Backward(kindsHere()) { // edges before services, whose relations name them
		if k.AnyType != nil {
			continue
		}
		rows := s.All(k.Name)
		for _, row := range rows {
			object := s.Get(k.Name, fmt.Sprint(row["name"]))
			name := object["name"]
			if k.Place != nil { // an edge has another name everywhere
				name = fmt.Sprint(object["workflow"], object["source"], object["destination"], object["subtype"])
				ends[object["name"]] = name
				delete(object, "name")
			}
			for id, label := range labelsOf(object) { // which may have its coordinates as strings
				labelsOf(object)[id] = fmt.Sprint(label)
			}
			for _, field := range append([]string{"id", "positions", "source_id", "destination_id", "service_id", "workflow_id", "superworkflow_id", "named_credential_id", "uuid"}, k.Unwatched...) {
				if field != "labels" { // of workflows, which their layouts hold
					delete(object, field)
				}
			}
			for field, x := range object {
				list, _ := x.([]any)
				for n, member := range list {
					if edge, is := ends[member]; is && slices.Contains([]string{"edges", "sources", "destinations"}, field) {
						list[n] = edge
					}
				}
				slices.SortFunc(list, func(x, y any) int { return strings.Compare(fmt.Sprint(x), fmt.Sprint(y)) })
			}
			all[k.Name+" "+fmt.Sprint(name)] = object
		}
	}
	return all
}

// labelsOf returns the labels of a workflow or network.
func labelsOf(object enms.Object) map[string]any {
	labels, _ := object["labels"].(map[string]any)
	return labels
}

// positionsOf returns the positions of services and nodes that a server has.
func positionsOf(s *acctest.Server) map[string]any {
	s.T.Helper()
	all := map[string]any{}
	for _, typ := range []string{"service", "node"} {
		rows, err := s.Client.Search(s.Context(), typ, []string{"positions"}, map[string]any{})
		if err != nil {
			s.T.Fatal(err)
		}
		for _, row := range rows {
			places, _ := row["positions"].(map[string]any)
			delete(places, "gone") // where nothing is drawn
			if row["name"] == "alone" {
				delete(places, "Backup!") // which does not contain it
			}
			if len(places) > 0 {
				all[typ+" "+fmt.Sprint(row["name"])] = places
			}
		}
	}
	return all
}

// compareServers reports the differences of two servers, but those that expected names.
func compareServers(t *testing.T, source, target *acctest.Server, expected func(key, field string) bool) {
	t.Helper()
	for _, s := range []*acctest.Server{source, target} {
		if err := s.Client.Recompute(s.Context(), "update_all_pools"); err != nil {
			t.Fatal(err)
		}
	}
	want, have := everything(source), everything(target)
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if have[key] == nil {
			if !expected(key, "") {
				t.Errorf("%s is missing", key)
			}
			continue
		}
		for _, field := range slices.Sorted(maps.Keys(want[key])) {
			// Lines end in LF in configuration, whatever eNMS's forms have stored.
			if x, y := want[key][field], have[key][field]; !reflect.DeepEqual(withLF(x), withLF(y)) && !expected(key, field) {
				t.Errorf("%s: %s is %q, want %q", key, field, fmt.Sprint(y), fmt.Sprint(x))
			}
		}
	}
	for key := range have {
		if want[key] == nil {
			t.Errorf("%s is too many", key)
		}
	}
	x, y := positionsOf(source), positionsOf(target)
	maps.DeleteFunc(x, func(key string, _ any) bool { return expected(key, "positions") })
	maps.DeleteFunc(y, func(key string, _ any) bool { return expected(key, "positions") })
	if !reflect.DeepEqual(x, y) {
		t.Errorf("positions are\n%v, want\n%v", y, x)
	}
}

// withLF returns a JSON value with LF in place of CR LF.
func withLF(x any) any { return value.ToJSON(value.WithLF(value.FromJSON(x))) }

// differsByReport returns what reports whether two servers may differ, since the report of the
// hostile server says so.
func differsByReport(report string) func(key, field string) bool {
	return func(key, field string) bool {
		switch {
		case strings.Contains(key, "loose"), field == "links", field == "user_links": // it has one end only
			return strings.Contains(report, `"link loose"`)
		case strings.HasPrefix(field, "rbac_read"):
			return strings.Contains(report, "force_read_access is true: eNMS gives the group the right to read")
		case field == "postprocessing_mode", field == "max_processes":
			return key == "service alone" && strings.Contains(report, field+" is left out where it has no effect, which is without ")
		case field == "skip_value":
			return strings.Contains(report, `skip_value is \"True\" here, eNMS's own default; another server gets \"success\".`)
		}
		return false
	}
}

// nothingButImports matches a plan that changes nothing.
var nothingButImports = regexp.MustCompile(`Plan: (\d+) to import, 0 to add, 0 to change, 0 to destroy\.`)

// plansImports checks that a plan only imports.
func plansImports(w *acctest.Workspace) {
	w.T.Helper()
	if out := w.Plan(); !nothingButImports.MatchString(out) {
		w.T.Errorf("the plan with imports is\n%s", out)
	}
}

// importsAll checks that what was exported is formatted, imports a server without a change, and then plans nothing.
func importsAll(w *acctest.Workspace) {
	w.T.Helper()
	if code, out := w.Run("fmt", "-check", "-recursive", "-diff"); code != 0 || out != "" {
		w.T.Errorf("terraform fmt would change\n%s", out)
	}
	if out := w.Apply(10); !nothingButImports.MatchString(out) {
		w.T.Fatalf("the plan with imports is\n%s", out)
	}
	w.PlanNothing()
}

// A server that was filled with what is awkward becomes configuration that imports it as it
// is, and that builds the same on another server.
func TestExport(t *testing.T) {
	t.Parallel()
	s, w := newSource(t)
	fillHostile(s)
	dir := filepath.Join(w.Dir, "export")
	if code, out := exportByProgram(s, w, dir); code != 0 {
		t.Fatalf("export ended with %d:\n%s", code, out)
	}
	files := tree(t, dir)
	if again := exports(s, w, filepath.Join(w.Dir, "again")); !reflect.DeepEqual(files, again) {
		t.Error("two exports are not the same")
	}
	for held, name := range map[string]string{
		`"what": "owners are left out where eNMS may have set them: on another server, it sets them for the user who creates the device."`: "report.json",
		`    title = { text = "Site check", x = 0, y = -100 }`:                                                                             "workflow_site_check.tf",
		`properties.skip names the workflow \"no such workflow\", which does not exist.`:                                                   "report.json",
		`{ (enms_service.site_check.name) = true, "no such workflow" = true }`:                                                             "workflow_site_check.tf",
		`file("${path.module}/code/shared/notify.py")`:                                                                                     "services_shared.tf",
		strings.ReplaceAll(hostileScript, "\r\n", "\n"):                                                                                    "code/shared/notify.py",
		`properties_wo         = { custom_password = var.service_with_a_password_custom_password }`:                                        "services.tf",
		`users        = ["admin", enms_user.alice.name, enms_user.bob.name]`:                                                               "access.tf",
		`placeholder = true`:                                                            "workflow_backup.tf",
		`  networks = [enms_network.mutual_2.name]`:                                     "networks.tf",
		"### Site check\n\n```mermaid\nflowchart LR\n":                                  "README.md",
		`to = enms_workflow_edge.site_check["Show version -> Show  version (failure)"]`: "imports.tf",
		`variable "credential_lab_password" {`:                                          "variables.tf",
		`required_version = ">= 1.11, != 1.16.0"`:                                       "versions.tf",
	} {
		if !strings.Contains(files[name], held) {
			t.Errorf("%s does not hold\n%s\nbut\n%s", name, held, files[name])
		}
	}
	exported := w.In(dir, s)
	importsAll(exported)

	other := acctest.NewServerWith(t, "simulator", simulator.Options{})
	built := w.In(filepath.Join(w.Dir, "again"), other)
	if err := os.Remove(filepath.Join(built.Dir, "imports.tf")); err != nil {
		t.Fatal(err)
	}
	built.Apply(10)
	built.PlanNothing()
	compareServers(t, s, other, differsByReport(files["report.json"]))
	if code, out := built.Run("destroy", "-no-color", "-auto-approve"); code != 0 {
		t.Fatalf("destroy ended with %d:\n%s", code, out)
	}
	for _, k := range kindsHere() {
		if k.AnyType != nil {
			continue
		}
		rows := other.All(k.Name)
		for _, row := range rows {
			if name := fmt.Sprint(row["name"]); !k.IsBuiltIn(name, line) {
				t.Errorf("after destroy there is %s %q", k.Name, name)
			}
		}
	}
}

// Devices and links as CSV files are imported as they are, and build another server. What a
// table cannot hold stays a block.
func TestExport_inventory(t *testing.T) {
	t.Parallel()
	s, w := newSource(t)
	fillHostile(s)
	dir := filepath.Join(w.Dir, "export")
	files := exports(s, w, "-inventory", "csv", "-type", "device,link,pool,network", dir)
	if files["devices.csv"] == "" || !strings.Contains(files["gateways.csv"], resolved) || files["links.csv"] == "" || !strings.Contains(files["devices.tf"], `mixed\nline\nends\r`) {
		t.Fatalf("there are %v, devices.csv is\n%s", slices.Sorted(maps.Keys(files)), files["devices.csv"])
	}
	exported := w.In(dir, s)
	importsAll(exported)

	buildAnother(t, dir, w.InModel, simulator.Options{}, "ops", "net")
}

// buildAnother builds another server from an export without its import blocks. in makes a workspace for it, and groups are
// not exported.
func buildAnother(t *testing.T, dir string, in func(dir string, s *acctest.Server) *acctest.Workspace, options simulator.Options, groups ...string) {
	t.Helper()
	other := acctest.NewServerWith(t, "simulator", options)
	for _, group := range groups {
		putOn(other)("group", enms.Object{"name": group})
	}
	built := in(dir+" built", other)
	if err := os.CopyFS(built.Dir, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"imports.tf", "terraform.tfstate"} {
		if err := os.Remove(filepath.Join(built.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	built.Apply(10)
	built.PlanNothing()
}

// What YAML files can have is imported as it is, by the module of the examples, together with the blocks of all else, and
// builds another server. The files are valid by their JSON Schema.
func TestExport_yaml(t *testing.T) {
	t.Parallel()
	s, w := newSource(t, acctest.ServerOptions())
	w.NeedsVersion(1, 11, "functions of providers, write-only attributes")
	fillHostile(s)
	fillPlain(s)
	dir := filepath.Join(w.Dir, "export")
	args := []string{"-inventory", "yaml", dir}
	files, count := exports(s, w, args...), map[string]int{}
	for name, content := range files {
		if path, is := strings.CutPrefix(name, "enms/"); is && strings.HasSuffix(name, ".yaml") {
			folder, _, _ := strings.Cut(path, "/")
			count[folder]++
			if problems := yamltest.Of(t, folder, yamldir.Options{Properties: []string{"site_property"}}).Problems(t, content); len(problems) > 0 {
				t.Errorf("%s: %q\n%s", name, problems, content)
			}
		}
	}
	if want := map[string]int{"devices": 20, "links": 1, "pools": 1, "credentials": 1, "services": 4, "workflows": 5, "tasks": 2}; !maps.Equal(count, want) {
		t.Errorf("there are %v files, want %v", count, want)
	}
	for held, name := range map[string]string{
		plainWorkflow:              "enms/workflows/plain.yaml",
		"\n  End: [500, 0]\n":      "enms/workflows/plain.yaml",
		"\nenms/*/code/** -text\n": ".gitattributes",
		"\n  title: {text: \"a\\nb\", size: 20, position: [0, -100]}\n": "enms/workflows/plain.yaml",
		strings.ReplaceAll(hostileScript, "\r\n", "\n"):                 "enms/workflows/code/plain/wait.py",
		`= "with a password"`:                            "services.tf",
		`resource "enms_workflow_layout" "site_check" {`: "workflow_site_check.tf",
		`"No file has its secrets. Set password, enable_password in eNMS, or write it as a resource."`: "report.json",
	} {
		if !strings.Contains(files[name], held) {
			t.Errorf("%s does not hold\n%s\nbut\n%s", name, held, files[name])
		}
	}
	for _, again := range [][]string{args, {"-inventory", "csv", dir}} {
		if code, out := export(s, w, again...); code != 1 || !strings.Contains(out, "-inventory yaml writes a directory of its own") {
			t.Errorf("a second export with %q ended with %d:\n%s", again, code, out)
		}
	}

	const source = "github.com/terraform-provider-enms/terraform-provider-enms//examples/modules/yaml"
	if !strings.Contains(files["inventory.tf"], source) {
		t.Fatalf("inventory.tf does not call the module:\n%s", files["inventory.tf"])
	}
	writeIn(t, dir, "inventory.tf", strings.ReplaceAll(files["inventory.tf"], source, "./module"))
	if err := os.CopyFS(filepath.Join(dir, "module"), os.DirFS(filepath.Join(acctest.Repository, "examples", "modules", "yaml"))); err != nil {
		t.Fatal(err)
	}
	exported := w.In(dir, s)
	get(exported)
	importsAll(exported)

	buildAnother(t, dir, w.In, acctest.ServerOptions())
}

// fillPlain puts a workflow onto a server of which a YAML file can have all.
func fillPlain(s *acctest.Server) {
	put := putOn(s)
	put("workflow", enms.Object{"name": "Plain", "scoped_name": "Plain", "labels": map[string]any{"title-------------------------------": map[string]any{"content": "a\nb", "positions": []any{0, -100}, "size": 20}}})
	put("workflow", enms.Object{"name": "[Plain] Inner", "scoped_name": "Inner", "workflows": []string{"Plain"}})
	put("python_snippet_service", enms.Object{"name": "[Plain] Wait", "scoped_name": "Wait", "workflows": []string{"Plain"}, "source_code": hostileScript, "positions": map[string]any{"Plain": []any{100, -20.5}}})
	put("python_snippet_service", enms.Object{"name": "[Shared] Plain", "scoped_name": "Plain", "shared": true, "workflows": []string{"Plain"}, "source_code": "x = 1\n"})
	for n, e := range [][3]string{{"[Shared] Start", "[Plain] Wait", "success"}, {"[Plain] Wait", "[Plain] Wait", "failure"}, {"[Plain] Wait", "[Plain] Inner", "success"},
		{"[Plain] Inner", "[Shared] Plain", "success"}, {"[Shared] Plain", "[Shared] End", "failure"}, {"[Shared] Plain", "[Shared] End", "success"}} {
		put("workflow_edge", enms.Object{"name": fmt.Sprintf("edge of Plain %d", n), "workflow": "Plain", "source": e[0], "destination": e[1], "subtype": e[2]})
	}
	put("credential", enms.Object{"name": "plain", "device_pools": []string{"by criteria"}})
	put("task", enms.Object{"name": "of Plain", "service": "Plain", "pools": []string{"by criteria"}})
}

// plainWorkflow is a part of the YAML file of the workflow that fillPlain makes.
const plainWorkflow = `start: [Wait]
steps:
  Wait:
    type: python_snippet_service
    parameterized_form: ""
    source_code_from_file: code/plain/wait.py
    on_success: [Inner]
    on_failure: [Wait]
  Inner:
    on_success: ["[Shared] Plain"]
  "[Shared] Plain":
    on_success: [End]
    on_failure: [End]
positions:
`

// A workflow is exported with what is in it, and with what it refers to as far as that is
// followed.
func TestExport_workflow(t *testing.T) {
	t.Parallel()
	s, w := newSource(t)
	fillHostile(s)
	for _, c := range []struct {
		args    []string
		objects map[string]int
		expects string
	}{
		{[]string{"-workflow", "Backup!"}, map[string]int{"service": 5, "workflow_edge": 8}, `target_pools names the pool \"by hand\", which is not exported`},
		{[]string{"-workflow", "Site check", "-follow", "device", "-type", "task", "-match", "^N"}, map[string]int{"service": 9, "workflow_edge": 14, "device": 1, "task": 1}, `owners names the user \"alice\"`},
		{[]string{"-workflow", "[Site check] Inner", "-workflow", "Backup!"}, map[string]int{"service": 9, "workflow_edge": 15}, ""},
		{[]string{"-type", "network", "-match", "^inner$", "-follow", "all"}, map[string]int{"network": 1, "device": 4, "link": 1}, ""},
	} {
		dir := filepath.Join(t.TempDir(), "out")
		code, out := export(s, w, append(c.args, dir)...)
		if code != 0 {
			t.Errorf("%q ended with %d:\n%s", c.args, code, out)
			continue
		}
		var report struct{ Objects map[string]int }
		document := tree(t, dir)["report.json"]
		if err := json.Unmarshal([]byte(document), &report); err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(report.Objects, c.objects) || !strings.Contains(document, c.expects) {
			t.Errorf("%q exports %v, want %v:\n%s", c.args, report.Objects, c.objects, document)
		}
		plansImports(w.InModel(dir, s))
	}
}

// What cannot be exported leaves the directory as it was, and nothing beside it.
func TestExport_refused(t *testing.T) {
	t.Parallel()
	s, w := newSource(t)
	full := filepath.Join(w.Dir, "full")
	if err := os.MkdirAll(full, 0o755); err != nil {
		t.Fatal(err)
	}
	writeIn(t, full, "notes.txt", "")
	dir := filepath.Join(w.Dir, "dir")
	s.Put("workflow", enms.Object{"name": "W", "scoped_name": "W"})()
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"-h"}, 0, "Usage: terraform-provider-enms export"},
		{nil, 1, "the directory is missing"},
		{[]string{dir, "-type", "device"}, 1, "options come before it"},
		{[]string{"-inventory", "xls", dir}, 1, "it is blocks, csv or yaml"},
		{[]string{"-match", "(", dir}, 1, "missing closing )"},
		{[]string{"-type", "devices", dir}, 1, "-type devices: there is no such type. The types are device, service"},
		{[]string{"-type", "all", dir}, 1, "-type all: there is no such type"},
		{[]string{"-workflow", "none", dir}, 1, `-workflow "none": there is no workflow of that name`},
		{[]string{"-workflow", "WW", dir}, 1, `there is no workflow of that name. Did you mean "W"?`},
		{[]string{"-gone", "away", dir}, 1, "it is removed, delete or keep"},
		{[]string{full}, 1, "is not empty and holds no configuration"},
		{[]string{filepath.Join(full, "notes.txt")}, 1, "notes.txt: not a directory"},
	} {
		if code, out := export(s, w, c.args...); code != c.code || !strings.Contains(out, c.says) {
			t.Errorf("%q ended with %d, and not with %d and %q:\n%s", c.args, code, c.code, c.says, out)
		}
	}
	gone := *s
	gone.URL, gone.Password = s.URL, "wrong"
	if code, out := export(&gone, w, dir); code != 1 || !strings.Contains(out, "Nothing was written") {
		t.Errorf("a wrong password ended with %d:\n%s", code, out)
	}
	var out bytes.Buffer
	refuse := func() (*resources.Provider, []string, error) {
		return nil, []string{"an odd one"}, errors.New("no address")
	}
	if code := exportpackage.Main(t.Context(), []string{dir}, "dev", &out, &out, refuse); code != 1 || !strings.Contains(out.String(), "Warning: an odd one\nError: no address\nNothing was written") {
		t.Errorf("wrong settings ended with %d:\n%s", code, &out)
	}
	if files := tree(t, w.Dir); len(files) != 1 {
		t.Errorf("there are %v", slices.Sorted(maps.Keys(files)))
	}
}

// The members of a group are written on the side of the group; users name the groups that are
// not exported.
func TestExport_membersOnOneSide(t *testing.T) {
	t.Parallel()
	s, w := newSource(t)
	for _, name := range []string{"net", "ops"} {
		s.Put("group", enms.Object{"name": name, "menu": []string{}, "pages": []string{}, "get_requests": []string{}, "post_requests": []string{}, "delete_requests": []string{}})()
	}
	s.Put("user", enms.Object{"name": "alice", "groups": []string{"net", "ops"}})()
	for dir, c := range map[string]struct {
		args       []string
		has, lacks string
	}{
		"all":   {nil, `users = [enms_user.alice.name]`, "  groups"},
		"users": {[]string{"-type", "user"}, `= ["net", "ops"]`, "ignore_changes"},
		"some":  {[]string{"-type", "user,group", "-match", "alice|ops"}, `= ["net"]`, "enms_group.ops.name"},
	} {
		path := filepath.Join(w.Dir, dir)
		if code := exports(s, w, append(c.args, path)...)["access.tf"]; !strings.Contains(code, c.has) || strings.Contains(code, c.lacks) {
			t.Errorf("%s: access.tf is\n%s", dir, code)
		}
		plansImports(w.InModel(path, s))
	}
}
