// This file exports servers with objects that are odd, or secret.

package export_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// One object that eNMS cannot return does not stop the export of the others: the report names it. If
// the code has it, that is an error, and not a deletion.
func TestExport_oddObjects(t *testing.T) {
	t.Parallel()
	s, w := newSource(t)
	put, long := putOn(s), strings.Repeat("x", 256)
	for _, name := range []string{"good", "two\nlines", "nul\x00", long, "Re\u0301union", "fails", "lost"} {
		put("device", enms.Object{"name": name, "ip_address": "10.0.0.1"})
	}
	put("python_snippet_service", enms.Object{"name": "big", "scoped_name": "big", "source_code": "x", "initial_payload": map[string]any{"a": 1e200}})
	put("pool", enms.Object{"name": "some", "manually_defined": true, "devices": []string{"good", "fails"}})
	put("workflow", enms.Object{"name": "W", "scoped_name": "W", "labels": map[string]any{"a-----------------------------------": map[string]any{"content": "x"}}})
	put("service", enms.Object{"name": "cluster_monitoring", "positions": map[string]any{"W": []any{1, 2}}})
	target, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	var works atomic.Bool // the exports use it meanwhile
	next := httputil.NewSingleHostReverseProxy(target)
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case !works.Load() && strings.HasSuffix(path, "/device/fails"):
			http.Error(w, "<html>", http.StatusInternalServerError)
		case !works.Load() && strings.HasPrefix(path, "/rest/instance/device/") && path != "/rest/instance/device/good": // as Flask does with a line break
			http.Error(w, "<html>", http.StatusNotFound)
		default:
			next.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(served.Close)
	odd, dir := *s, filepath.Join(w.Dir, "export")
	odd.URL = served.URL
	if code, out := export(&odd, w, dir); code != 0 || !strings.Contains(out, "6 objects left out") {
		t.Fatalf("export ended with %d:\n%s", code, out)
	}
	files := tree(t, dir)
	for _, said := range []string{`"device two\nlines"`, `"device nul\u0000"`, `"device ` + long + `"`, `"device fails"`, `"device lost"`, "initial_payload.a has more digits", `does not hold \"fails\"`,
		`"Re\\u0301union\": Terraform would make \"R\\u00e9union\" of it`, `The workflow holds \"cluster_monitoring\", which a new workflow does not.`, "1 labels have no text or no place."} {
		if !strings.Contains(files["report.json"], said) {
			t.Errorf("the report does not say %s, but\n%s", said, files["report.json"])
		}
	}
	if strings.Count(files["devices.tf"], "resource ") != 1 || !strings.Contains(files["pools.tf"], "enms_device.good.name") {
		t.Errorf("devices.tf is\n%s\nand pools.tf\n%s", files["devices.tf"], files["pools.tf"])
	}
	plansImports(w.InModel(dir, s))
	works.Store(true)
	all := filepath.Join(w.Dir, "all")
	if code, out := export(&odd, w, all); code != 0 {
		t.Fatalf("export ended with %d:\n%s", code, out)
	}
	works.Store(false)
	if code, out := export(&odd, w, all); code != 1 || !strings.Contains(out, "device fails is in the code") {
		t.Errorf("an export into code with the device ended with %d:\n%s", code, out)
	}
}

// Stores and secrets are exported. Data of other types has no resource of its own: the report names it.
func TestExport_data(t *testing.T) {
	t.Parallel()
	s, w := newSource(t, simulator.Options{Version: simulator.V53})
	put, dir := putOn(s), filepath.Join(w.Dir, "export")
	put("store", enms.Object{"name": ">S", "scoped_name": "S"})
	put("secret", enms.Object{"name": ">S>token", "scoped_name": "token", "store": ">S", "secret_value": "hidden"})
	put("vlan", enms.Object{"name": ">S>v10", "scoped_name": "v10", "store": ">S", "vlan_id": 10})
	put("json", enms.Object{"name": ">blob", "scoped_name": "blob", "value": map[string]any{"a": 1}})
	code, out := export(s, w, dir)
	files := tree(t, dir)
	if code != 0 || !strings.Contains(out, "2 objects left out") {
		t.Errorf("export ended with %d:\n%s", code, out)
	}
	for _, left := range []string{`"at": "vlan >S>v10"`, `"at": "json >blob"`} {
		if !strings.Contains(files["report.json"], left) {
			t.Errorf("the report does not say %s, but\n%s", left, files["report.json"])
		}
	}
	exported := w.InModel(dir, s)
	plansImports(exported)
	exported.Apply(10)
	exported.PlanNothing()
	if code, out := export(s, w, "-type", "store", filepath.Join(w.Dir, "stores")); code != 0 || strings.Contains(out, "objects left out") {
		t.Errorf("an export of stores ended with %d:\n%s", code, out)
	}
	if code, out := export(s, w, "-match", "blob", filepath.Join(w.Dir, "blobs")); code != 0 || !strings.Contains(out, "1 object left out") {
		t.Errorf("an export of a name ended with %d:\n%s", code, out)
	}
}

// A secret that eNMS returns becomes a variable if the field can be written alone, and is otherwise
// reported. No output and no record shows it. Credentials have variables for what they use.
func TestExport_secrets(t *testing.T) {
	t.Parallel()
	s, w := newSource(t)
	put, dir := putOn(s), filepath.Join(w.Dir, "export")
	put("slack_notification_service", enms.Object{"name": "slack", "scoped_name": "slack", "channel": "c", "token": "xoxb-hidden-1"})
	put("rest_call_service", enms.Object{"name": "rest", "scoped_name": "rest", "rest_url": "http://x", "headers": map[string]any{"Authorization": "Bearer hidden-2"},
		"initial_payload": map[string]any{"databases": []any{map[string]any{"password": "hidden-3"}}}})
	put("credential", enms.Object{"name": "lab", "username": "x", "subtype": "password"})
	put("credential", enms.Object{"name": "jump", "username": "x", "subtype": "key"})
	code, out := export(s, w, dir)
	files := tree(t, dir)
	if code != 0 || strings.Contains(out, "hidden") {
		t.Fatalf("export ended with %d:\n%s", code, out)
	}
	for name, held := range map[string]string{
		"services.tf":  `properties_wo         = { token = var.service_slack_token }`,
		"variables.tf": `variable "service_slack_token" {`,
		"report.json":  `properties.headers.Authorization is a secret by its name`,
		"README.md":    "`service_slack_token`",
	} {
		if !strings.Contains(files[name], held) {
			t.Errorf("%s does not hold %s, but\n%s", name, held, files[name])
		}
	}
	if !strings.Contains(files["report.json"], "initial_payload.databases[0].password is a secret by its name") {
		t.Errorf("the report is\n%s", files["report.json"])
	}
	for name, content := range files {
		if strings.Contains(content, "hidden-1") || name != "services.tf" && strings.Contains(content, "hidden") {
			t.Errorf("%s shows a secret:\n%s", name, content)
		}
	}
	for variable, want := range map[string]bool{"lab_password": true, "lab_private_key": false, "jump_password": false, "jump_private_key": true} {
		if has := strings.Contains(files["variables.tf"], `"credential_`+variable+`"`); has != want {
			t.Errorf("there is a variable for %s: %t, want %t", variable, has, want)
		}
	}
	exported := w.InModel(dir, s)
	exported.Apply(10)
	exported.PlanNothing()
	if have := s.Get("slack_notification_service", "slack")["token"]; have != "xoxb-hidden-1" {
		t.Errorf("the token is %v", have)
	}
	edit(t, dir, "credentials.tf", `"enms_credential" "lab"`, `"enms_credential" "ours"`)
	writeIn(t, dir, "moved.tf", "moved {\n  from = enms_credential.lab\n  to   = enms_credential.ours\n}\n")
	if code, out := export(s, w, "-check", dir); code != 2 || strings.Contains(out, ".tf would") {
		t.Errorf("the variables do not keep their names in a block with another label: %d\n%s", code, out)
	}
	put("slack_notification_service", enms.Object{"name": "slack", "token": "xoxb-hidden-4"})
	put("rest_call_service", enms.Object{"name": "rest", "headers": map[string]any{"Authorization": "Bearer hidden-5"}})
	if code, out := export(s, w, "-check", dir); code != 2 || strings.Contains(out, "hidden") {
		t.Errorf("export -check ended with %d:\n%s", code, out)
	}
}
