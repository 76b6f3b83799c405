// Tests of secrets that are write-only: when they are sent, and that they are nowhere
// else.

package provider_test

import (
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// What Terraform writes anywhere, logs of all that happens included, has none of the
// secrets that are write-only: not when they are sent, and not when that fails, even if
// the server shows all that it was sent.
func TestWriteOnly_inNoFileAndNoLog(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("it logs everything")
	gateway := httptest.NewServer(&echo{simulator: s.Simulator, answer: echoes["alert of a 500"]})
	t.Cleanup(gateway.Close)
	w := acctest.NewWorkspace(t)
	w.NeedsVersion(1, 11, "write-only attributes")
	l := &leaks{t: t, written: map[string]string{}}
	run := &secretive{Workspace: w, leaks: l, environment: map[string]string{
		"ENMS_BASE_URL": gateway.URL, "ENMS_USERNAME": "admin", "ENMS_PASSWORD": "admin", "TF_VAR_hidden": hiddenField,
		"TF_LOG": "TRACE", "TF_LOG_PATH": filepath.Join(w.Dir, "trace.log")}}
	config := func(name, version string) string {
		return `
		variable "hidden" {
		  ephemeral = true
		}
		resource "enms_user" "u" {
		  name                = "` + name + `"
		  password_wo         = var.hidden
		  password_wo_version = ` + version + `
		}
		resource "enms_credential" "c" {
		  name                   = "` + strings.TrimRight(name, "/") + `"
		  private_key_wo         = var.hidden
		  private_key_wo_version = ` + version + `
		}
		resource "enms_instance" "i" {
		  type                  = "credential"
		  name                  = "` + strings.TrimRight(name, "/") + ` by type"
		  properties_wo         = { password = var.hidden }
		  properties_wo_version = ` + version + `
		}`
	}
	apply := []string{"apply", "-no-color", "-auto-approve"}
	w.Configure(config("one", "1"))
	run.step(nil, nil, "plan", "-no-color", "-out=create.plan")
	l.written["create.plan, shown"] = run.step(nil, nil, "show", "-json", "create.plan")
	run.step(nil, nil, "apply", "-no-color", "create.plan")
	w.Configure(config("two", "2"))
	run.step(nil, nil, apply...)
	w.Configure(config("admin", "3")) // the user's name is taken
	run.step(nil, []string{"admin"}, apply...)
	w.Configure(config("leaky", "4"))
	run.step(nil, []string{"eNMS answered", "***"}, apply...)
	run.step(nil, nil, "destroy", "-no-color", "-auto-approve")
	l.collect(w.Dir)
	l.look("the write-only secret", forms(hiddenField), nil)
	if l.written["trace.log"] == "" || l.size() < 10000 {
		t.Errorf("looked through %d bytes only", l.size())
	}
}
