// This file runs the drift check of the examples, and the commands of the jobs beside it,
// by the real Terraform with the provider as it is in the tree.

package docstest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// driftChecked returns a configuration that is applied, with the drift check beside it.
func driftChecked(t *testing.T) (*acctest.Server, *acctest.Workspace) {
	t.Helper()
	s, w := acctest.NewServer(t), acctest.NewWorkspace(t)
	w.NeedsVersion(1, 11, "write-only attributes")
	if runtime.GOOS == "windows" {
		t.Skip("the drift check is for a POSIX shell")
	}
	copyDirectory(t, filepath.Join(w.Dir, "drift-check"), acctest.Repository+"/examples/drift-check")
	w.Environment = append(append(w.Environment, at(s)...), "TERRAFORM="+w.Terraform, "TF_VAR_note=a-secret-note")
	w.Configure(s.Expand(`
		terraform {
		  required_providers { enms = { source = "terraform-provider-enms/enms" } }
		}
		variable "note" { sensitive = true }
		resource "enms_device" "edge" {
		  name        = "NAME-edge"
		  ip_address  = "10.0.0.1"
		  description = var.note
		}
		resource "enms_service" "backup" {
		  name       = "NAME-backup"
		  type       = "python_snippet_service"
		  properties = { source_code = "results['success'] = True" }
		}
		resource "enms_device" "core" { name = sensitive("NAME-core") }
		resource "enms_credential" "login" {
		  name                = "NAME-login"
		  password_wo         = "a-secret-password"
		  password_wo_version = 1
		}
		output "id" { value = enms_device.core.id }`))
	w.Apply(10)
	return s, w
}

// runShell runs a command as a CI does, and gives its exit code and what it printed.
func runShell(w *acctest.Workspace, command string, environment ...string) (int, string) {
	w.T.Helper()
	cmd := exec.CommandContext(w.T.Context(), "sh", "-e", "-c", command)
	cmd.Dir, cmd.Env = w.Dir, slices.Concat(w.Environment, environment)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	exit := (*exec.ExitError)(nil)
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		w.T.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// ends runs a command as a CI does, which ends with an exit code and prints some words, and returns all that it printed.
func ends(w *acctest.Workspace, exitCode int, words, command string, environment ...string) string {
	w.T.Helper()
	code, out := runShell(w, command, environment...)
	if code != exitCode || !strings.Contains(out, words) {
		w.T.Errorf("%s ended with %d, want %d and %q:\n%s", command, code, exitCode, words, out)
	}
	return out
}

// writtenAt is the time of an author in a summary.
var writtenAt = regexp.MustCompile(`at \d{4}-\d\d-\d\d \d\d:\d\d`)

// timeless returns a summary without the times of authors.
func timeless(text string) string { return writtenAt.ReplaceAllString(text, "at TIME") }

// contentOf returns the text of a file beside the configuration.
func contentOf(w *acctest.Workspace, name string) string {
	w.T.Helper()
	return readFile(w.T, filepath.Join(w.Dir, name))
}

// drifted is what somebody does behind Terraform's back.
func drifted(s *acctest.Server) {
	s.Put("device", enms.Object{"name": s.Prefix + "edge", "ip_address": "10.9.9.9", "description": "found out"})()
	s.Put("python_snippet_service", enms.Object{"name": s.Prefix + "backup", "source_code": "pass"})()
	s.Drop("device", s.Prefix+"core")()
}

// TestDriftCheck_findsChangesOfOthers runs the drift check as the guide shows it. A check that fails leaves
// no report of an earlier one.
func TestDriftCheck_findsChangesOfOthers(t *testing.T) {
	t.Parallel()
	s, w := driftChecked(t)
	const check = "./drift-check/drift-check.sh"
	if code, out := runShell(w, check); code != 0 || out != "eNMS is as configured.\n" {
		t.Errorf("without drift it ended with %d:\n%s", code, out)
	}

	rewriteFile(w, "main.tf", strings.NewReplacer(`"enms_credential" "login"`, `"enms_credential" "access"`))
	writeFile(t, filepath.Join(w.Dir, "moved.tf"), "moved {\n  from = enms_credential.login\n  to = enms_credential.access\n}\n")
	want := s.Expand("eNMS is not as configured: 1 instance.\n* enms_credential.access \"NAME-login\" has another address in the state\n")
	if code, out := runShell(w, check); code != 2 || out != want {
		t.Errorf("with another address it ended with %d:\n%s", code, out)
	}
	w.Apply(10)

	drifted(s)
	want = s.Expand(`eNMS is not as configured: 3 instances.
* enms_device.core is missing in eNMS
* enms_device.edge "NAME-edge" differs (last written by Terraform's user at TIME)
    description: (sensitive)
    ip_address: eNMS has "10.9.9.9", wanted is "10.0.0.1"
* enms_service.backup "NAME-backup" differs (last written by Terraform's user at TIME)
    properties.source_code: eNMS has "pass", wanted is "results['success'] = True"
* output id differs
`)
	code, out := runShell(w, check)
	if code != 2 || timeless(out) != want {
		t.Errorf("with drift it ended with %d:\n%s\nwant\n%s", code, out, want)
	}
	if text := contentOf(w, "drift.txt"); timeless(text)+"\n" != want {
		t.Errorf("drift.txt holds\n%s", text)
	}
	reportsDrift(t, s, contentOf(w, "drift.json"), want)
	if found := out + contentOf(w, "drift.json"); strings.Contains(found, "found out") || strings.Contains(found, "a-secret") || strings.Contains(found, s.Prefix+"core") {
		t.Errorf("what is sensitive is told:\n%s", found)
	}

	code, out = runShell(w, check, "ENMS_PASSWORD=wrong")
	if code != 1 || !strings.Contains(out, "drift-check: the plan failed") || !strings.Contains(out, "Error: ") {
		t.Errorf("with a wrong password it ended with %d:\n%s", code, out)
	}
	for _, file := range []string{"drift.txt", "drift.json", "drift.md"} {
		if _, err := os.Stat(filepath.Join(w.Dir, file)); err == nil {
			t.Errorf("%s of an earlier run is left over", file)
		}
	}
	ends(w, 0, "", check+" -target=enms_credential.access")
}

// reportsDrift checks what is told to programs.
func reportsDrift(t *testing.T, s *acctest.Server, text, told string) {
	t.Helper()
	type object = map[string]any
	var got object
	if err := json.Unmarshal([]byte(writtenAt.ReplaceAllString(regexp.MustCompile(`"at":"[^"]*"`).ReplaceAllString(text, `"at":"TIME"`), "at TIME")), &got); err != nil {
		t.Fatal(err)
	}
	written := object{"by": s.User, "at": "TIME", "terraform": true}
	want := object{
		"drift": true, "outputs": []any{"id"}, "text": strings.TrimSuffix(told, "\n"),
		"instances": []any{
			object{"address": "enms_device.core", "type": "enms_device", "name": nil, "finding": "is missing in eNMS", "written": nil, "attributes": []any{}},
			object{"address": "enms_device.edge", "type": "enms_device", "name": s.Prefix + "edge", "finding": "differs", "written": written, "attributes": []any{
				object{"attribute": "description", "enms": nil, "wanted": nil, "sensitive": true},
				object{"attribute": "ip_address", "enms": "10.9.9.9", "wanted": "10.0.0.1", "sensitive": false},
			}},
			object{"address": "enms_service.backup", "type": "enms_service", "name": s.Prefix + "backup", "finding": "differs", "written": written, "attributes": []any{
				object{"attribute": "properties.source_code", "enms": "pass", "wanted": "results['success'] = True", "sensitive": false},
			}},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("drift.json holds\n%v\nwant\n%v", got, want)
	}
}

// What differs is posted to a webhook, and nothing when nothing does. A drift check that fails posts, too: no message must
// not be mistaken for "as configured".
func TestDriftCheck_postsToWebhook(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("posting needs curl")
	}
	posted := make(chan string, 3)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		posted <- r.Method + " " + r.Header.Get("Content-Type") + " " + string(body)
	}))
	t.Cleanup(hook.Close)
	s, w := driftChecked(t)
	posts := func(when string, exitCode, posts int, with ...string) {
		t.Helper()
		if code, out := runShell(w, "./drift-check/drift-check.sh", append(with, "DRIFT_WEBHOOK="+hook.URL)...); code != exitCode || len(posted) != posts {
			t.Fatalf("%s it ended with %d and %d posts:\n%s", when, code, len(posted), out)
		}
	}
	const failed = "It could not be found out whether eNMS is as configured: the plan failed"
	for name, test := range map[string]struct{ with, text string }{
		"a wrong password":   {"ENMS_PASSWORD=wrong", failed + ": Cannot read "},
		"a server that gone": {"ENMS_BASE_URL=http://127.0.0.1:1", failed + ": "},
		"another program":    {"TERRAFORM=false", failed},
	} {
		posts("with "+name, 1, 1, test.with)
		var got struct {
			Drift *bool
			Text  string
		}
		body := strings.TrimPrefix(<-posted, "POST application/json ")
		if json.Unmarshal([]byte(body), &got) != nil || got.Drift != nil || !strings.HasPrefix(got.Text, test.text) || strings.Contains(got.Text, s.Prefix) {
			t.Errorf("with %s it posted %s", name, body)
		}
	}
	if !acctest.Long() { // the rest takes half a minute of Terraform's time
		return
	}
	posts("without drift", 0, 0)
	drifted(s)
	posts("with drift", 2, 1)
	if got := <-posted; got != "POST application/json "+contentOf(w, "drift.json") {
		t.Errorf("posted %s", got)
	}
	hook.Close()
	posts("with a webhook that is gone", 1, 0)
}

// TestDriftCheck_showsEntryByEntry: drift in enms_instances is counted and shown entry by entry,
// as if each had a resource. The keys of a sensitive object are not shown, nor members
// that are unknown until apply.
func TestDriftCheck_showsEntryByEntry(t *testing.T) {
	t.Parallel()
	acctest.OnlyLong(t, "it takes half a minute of Terraform's time")
	s, w := driftChecked(t)
	config := s.Expand(`
		resource "enms_instances" "r" {
		  type      = "device"
		  instances = {
		    NAME-A = { ip_address = "10.0.0.1" }
		    NAME-B = { ip_address = "10.0.0.2", port = 22 }
		    NAME-C = { location = "Dallas" }
		    NAME-D = { location = "Dallas" }
		    NAME-S = { location = var.note }
		    NAME-U = { location = "Dallas" }
		  }
		}
		resource "enms_instances" "all_gone" {
		  type      = "device"
		  instances = { NAME-G = { ip_address = "10.0.0.1" }, NAME-H = {} }
		}
		resource "enms_instances" "hidden" {
		  type      = "device"
		  instances = sensitive({ NAME-X = { location = "here" } })
		}
		# Its new value is not known before the apply, so that nobody wants one.
		resource "enms_pools_update" "members" {
		  triggers = { core = enms_device.core.id }
		}`)
	file := filepath.Join(w.Dir, "entries.tf")
	writeFile(t, file, config)
	w.Apply(10)
	for _, gone := range []string{"NAME-A", "NAME-G", "NAME-H", "NAME-core"} {
		s.Drop("device", gone)()
	}
	s.Put("device", enms.Object{"name": "NAME-B", "ip_address": "10.9.9.9"})()
	s.Put("device", enms.Object{"name": "NAME-C", "new_name": "NAME-CC"})()
	s.Put("device", enms.Object{"name": "NAME-S", "location": "elsewhere"})()
	s.Put("device", enms.Object{"name": "NAME-X", "location": "elsewhere"})()
	t.Cleanup(s.Drop("device", "NAME-CC"))
	rewriteFile(w, "entries.tf", strings.NewReplacer(s.Expand("NAME-D"), s.Expand("NAME-E")))
	want := s.Expand(`eNMS is not as configured: 11 instances.
* enms_device.core is missing in eNMS
* enms_instances.all_gone.instances["NAME-G"] is missing in eNMS
* enms_instances.all_gone.instances["NAME-H"] is missing in eNMS
* enms_instances.hidden differs
    instances: (sensitive)
* enms_instances.r.instances["NAME-A"] is missing in eNMS
* enms_instances.r.instances["NAME-B"] differs (last written by "admin" at TIME)
    ip_address: eNMS has "10.9.9.9", wanted is "10.0.0.2"
* enms_instances.r.instances["NAME-C"] differs (last written by "admin" at TIME)
    name: eNMS has "NAME-CC", wanted is "NAME-C"
* enms_instances.r.instances["NAME-D"] is not in the configuration
* enms_instances.r.instances["NAME-E"] is missing in eNMS
* enms_instances.r.instances["NAME-S"] differs (last written by "admin" at TIME)
    location: (sensitive)
* enms_pools_update.members differs
* output id differs
`)
	if code, out := runShell(w, "./drift-check/drift-check.sh", "DRIFT_TERRAFORM_USER=terraform"); code != 2 || timeless(out) != want {
		t.Errorf("it ended with %d:\n%s\nwant\n%s", code, out, want)
	}
	var got struct {
		Instances []struct{ Address, Type, Name string }
	}
	if err := json.Unmarshal([]byte(contentOf(w, "drift.json")), &got); err != nil || len(got.Instances) != 11 {
		t.Fatalf("%v: %s", err, contentOf(w, "drift.json"))
	}
	if first := got.Instances[1]; first.Address != s.Expand(`enms_instances.all_gone.instances["NAME-G"]`) || first.Type != "enms_instances" || first.Name != s.Expand("NAME-G") {
		t.Errorf("the first entry is told as %+v", first)
	}
	w.Apply(10)
	rewriteFile(w, "entries.tf", strings.NewReplacer(`"enms_instances" "hidden"`, `"enms_instances" "moved"`, `type      = "device"`, "type = \"device\"\ndeletion_policy = \"abandon\""))
	writeFile(t, filepath.Join(w.Dir, "moved.tf"), "moved {\n  from = enms_instances.hidden\n  to = enms_instances.moved\n}\nremoved {\n  from = enms_device.edge\n  lifecycle { destroy = false }\n}\n")
	rewriteFile(w, "main.tf", strings.NewReplacer(`resource "enms_device" "edge" {`, `resource "enms_device" "edge2" {`))
	if code, out := runShell(w, "./drift-check/drift-check.sh"); code != 2 || strings.Contains(out, `instances["`) || !strings.Contains(out, `deletion_policy: eNMS has null, wanted is "abandon"`) {
		t.Errorf("with settings alone it ended with %d:\n%s", code, out)
	}
}

// TestDriftCheck_readOnlyUserOfTheGuide follows the guide: the user that it creates reads what others
// created before and after it, finds drift in it, and changes nothing.
func TestDriftCheck_readOnlyUserOfTheGuide(t *testing.T) {
	acctest.ParallelIfSimulated(t)
	acctest.OnlyLong(t, "it takes a minute of Terraform's time")
	s, w := driftChecked(t)
	made := s.Expand(`
		resource "enms_device" "b" { name = "NAME-b" }
		resource "enms_link" "l" {
		  name        = "NAME-l"
		  source      = enms_device.edge.name
		  destination = enms_device.b.name
		}
		resource "enms_network" "n" {
		  name  = "NAME-n"
		  nodes = [enms_device.b.name]
		}
		resource "enms_pool" "p" {
		  name    = "NAME-p"
		  devices = [enms_device.b.name]
		}
		resource "enms_service" "w" {
		  name = "NAME-w"
		  type = "workflow"
		}
		resource "enms_service" "s" {
		  name      = "[NAME-w] s"
		  type      = "python_snippet_service"
		  workflows = [enms_service.w.name]
		}
		resource "enms_workflow_edge" "e" {
		  for_each    = { "[Shared] Start" = enms_service.s.name, (enms_service.s.name) = "[Shared] End" }
		  workflow    = enms_service.w.name
		  source      = each.key
		  destination = each.value
		  subtype     = "success"
		}
		resource "enms_workflow_layout" "w" {
		  workflow  = enms_service.w.name
		  positions = { (enms_service.s.name) = { x = 1, y = 2 } }
		}
		resource "enms_task" "t" {
		  name    = "NAME-t"
		  service = enms_service.w.name
		  pools   = [enms_pool.p.name]
		}
		resource "enms_group" "g" { name = "NAME-g" }
		resource "enms_user" "u" {
		  name   = "NAME-u"
		  groups = [enms_group.g.name]
		}
		resource "enms_instances" "many" {
		  type      = "device"
		  instances = { NAME-x = { location = "Dallas" }, NAME-y = { gateways = [] } }
		}`)
	writeFile(t, filepath.Join(w.Dir, "made.tf"), made)
	w.Apply(10)

	guide := readPage(t, filepath.Join(acctest.Repository, "docs", "guides", "drift-checks.md"))
	user := slices.IndexFunc(guide.fences, func(f fence) bool { return strings.Contains(f.code, `resource "enms_user"`) })
	admin := acctest.NewWorkspace(t)
	admin.Environment = append(append(admin.Environment, at(s)...), "TF_VAR_drift_password=a-password")
	admin.Configure(ownProvider + guide.fences[user].code)
	admin.Apply(10)
	defer succeeds(admin, "destroy", "-no-color", "-auto-approve")
	admin.PlanNothing()

	later := s.Expand(`
		resource "enms_device" "later" { name = "NAME-later" }`)
	writeFile(t, filepath.Join(w.Dir, "later.tf"), later)
	w.Apply(10)
	admin.PlanNothing()
	reader := []string{"ENMS_USERNAME=drift", "ENMS_PASSWORD=a-password"}
	ends(w, 0, "eNMS is as configured.\n", "./drift-check/drift-check.sh", reader...)
	s.Put("device", enms.Object{"name": "NAME-b", "location": "elsewhere"})()
	s.Put("device", enms.Object{"name": "NAME-edge", "ip_address": "10.9.9.9"})()
	s.Drop("workflow_edge", edgeOf(s, "NAME-w"))()
	ends(w, 2, "eNMS is not as configured: 2 instances.\n", "./drift-check/drift-check.sh", reader...)
	if code, out := runShell(w, w.Terraform+" apply -no-color -auto-approve", reader...); code == 0 || !strings.Contains(out, "Error: ") {
		t.Errorf("the reader may write:\n%s", out)
	}
}

// edgeOf returns the name of an edge of a workflow.
func edgeOf(s *acctest.Server, workflow string) string {
	s.T.Helper()
	rows, err := s.Client.Search(s.Context(), "workflow_edge", []string{"name"}, map[string]any{"workflow": []string{s.Expand(workflow)}})
	if err != nil || len(rows) == 0 {
		s.T.Fatalf("%v: %d edges", err, len(rows))
	}
	return rows[0]["name"].(string)
}

// ownProvider says where the provider of a configuration comes from.
const ownProvider = "terraform {\n  required_providers {\n    enms = { source = \"terraform-provider-enms/enms\" }\n  }\n}\n"

// TestDriftCheck_commandsOfTheJobs runs the commands of each job: those of the check itself, and what
// the workflow makes of its files.
func TestDriftCheck_commandsOfTheJobs(t *testing.T) {
	t.Parallel()
	acctest.OnlyLong(t, "it takes half a minute of Terraform's time")
	s, w := driftChecked(t)
	writeFile(t, filepath.Join(w.Dir, "enms.env"), "ENMS_PASSWORD="+s.Password+"\n")
	diagrams := `
		output "drawn" { value = provider::enms::workflow_diagram([{ source = "[W] Ping", destination = "[W] Save" }]) }
		output "secret_drawing" {
		  value     = "flowchart LR ${var.note}"
		  sensitive = true
		}`
	writeFile(t, filepath.Join(w.Dir, "outputs.tf"), diagrams)
	w.Apply(10)
	actions := command(t, w, "github-actions.yml", "- run: ", "drift-check.sh")
	gitlab := command(t, w, "gitlab-ci.yml", "- ", "drift-check.sh")
	cron := strings.ReplaceAll(command(t, w, "drift-check.cron", "17 5 * * 1-5  terraform  ", "drift-check.sh"), "/srv/enms", `"`+w.Dir+`"`)
	for _, job := range []string{actions, gitlab} {
		ends(w, 0, "eNMS is as configured.\n", job)
	}
	if code, out := runShell(w, cron, "ENMS_PASSWORD="); code != 0 || out != "" {
		t.Errorf("cron: without drift it ended with %d:\n%s", code, out)
	}
	drifted(s)
	for _, job := range []string{actions, gitlab} {
		ends(w, 2, "", job)
	}
	if _, out := runShell(w, cron, "ENMS_PASSWORD="); !strings.HasPrefix(out, "eNMS is not as configured: 3 instances.\n") {
		t.Errorf("cron: with drift it told\n%s", out)
	}
	_, script, _ := strings.Cut(contentOf(w, "drift-check/github-actions.yml"), "run: |\n")
	script, _, _ = strings.Cut(script, "      - ")
	summary := filepath.Join(t.TempDir(), "summary")
	ends(w, 0, "", script, "GITHUB_STEP_SUMMARY="+summary)
	if text := readFile(t, summary); text != "```\n"+contentOf(w, "drift.txt")+"\n```\n\nThe output drawn, as configured:\n\n```mermaid\nflowchart LR\n  s_Ping[\"Ping\"]\n  s_Save[\"Save\"]\n  s_Ping --> s_Save\n```\n" {
		t.Errorf("summary %s", text)
	}
}

// command returns the one line of a file that begins and goes on with given words, without the
// first of them.
func command(t *testing.T, w *acctest.Workspace, file, begin, contains string) string {
	t.Helper()
	var found []string
	for line := range strings.Lines(contentOf(w, "drift-check/"+file)) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), begin); ok && strings.Contains(rest, contains) {
			found = append(found, rest)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%s has %d lines with %s", file, len(found), contains)
	}
	return found[0]
}
