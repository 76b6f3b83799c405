// This file tests the example vault with a stand-in for Vault.

package docstest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// vaultToken is what the stand-in accepts.
const vaultToken = "a-token-of-vault"

// vault answers as the secrets engine KV version 2 does. Each secret has a password and a version.
type vault struct {
	secrets  map[string]*secret
	requests atomic.Int64 // each answer has the number of its request
}

type secret struct {
	password string
	version  int
}

func (v *vault) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(r.URL.Path, "/") // /v1/secret/data/enms/NAME
	secret := v.secrets[parts[len(parts)-1]]
	switch {
	case r.Header.Get("X-Vault-Token") != vaultToken:
		http.Error(w, `{"errors":["permission denied"]}`, http.StatusForbidden)
	case secret == nil:
		http.Error(w, `{"errors":[]}`, http.StatusNotFound)
	case strings.HasPrefix(r.URL.Path, "/v1/secret/data/enms/"):
		fmt.Fprintf(w, `{"request_id":"%d","data":{"data":{"password":%q},"metadata":{"version":%d,"destroyed":false}}}`+"\n", v.requests.Add(1), secret.password, secret.version)
	case strings.HasPrefix(r.URL.Path, "/v1/secret/metadata/enms/"):
		fmt.Fprintf(w, `{"request_id":"%d","data":{"current_version":%d,"versions":{}}}`+"\n", v.requests.Add(1), secret.version)
	}
}

// A secret of Vault reaches eNMS, and is in no state and no plan. It is sent again if its version
// changes, and otherwise not, whatever Vault answers. Without it, Terraform does not run.
func TestExamples_vaultRotates(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the script is for a POSIX shell")
	}
	s, sent := acctest.NewWatched(t)
	w := acctest.NewWorkspace(t)
	w.NeedsVersion(1, 11, "write-only attributes")
	copyDirectory(t, w.Dir, acctest.Repository+"/examples/vault")
	kept := map[string]*secret{"backup": {"hush-backup-1", 1}, "console": {"hush-console-1", 1}}
	server := httptest.NewServer(&vault{secrets: kept})
	t.Cleanup(server.Close)
	w.Environment = append(append(w.Environment, at(s)...), "VAULT_ADDR="+server.URL, "TERRAFORM="+w.Terraform)
	// runs plans, which ends with an exit code, and applies, which sends some passwords once and no others.
	runs := func(exitCode int, passwords ...string) {
		t.Helper()
		sent.Raw = nil
		if code, out := runShell(w, `./vault.sh "$TERRAFORM" plan -no-color -detailed-exitcode -out=plan`, "VAULT_TOKEN="+vaultToken); code != exitCode || strings.Contains(out, "hush-") {
			t.Fatalf("the plan ended with %d, want %d:\n%s", code, exitCode, out)
		}
		if code, out := runShell(w, `./vault.sh "$TERRAFORM" apply -no-color plan`, "VAULT_TOKEN="+vaultToken); code != 0 || strings.Contains(out, "hush-") || strings.Contains(out, "Ignoring variable") {
			t.Fatalf("the apply ended with %d:\n%s", code, out)
		}
		bodies := strings.Join(sent.Raw, "\n")
		for _, password := range passwords {
			if strings.Count(bodies, password) != 1 {
				t.Errorf("%s was not sent once:\n%s", password, bodies)
			}
		}
		if n := strings.Count(bodies, "hush-"); n != len(passwords) {
			t.Errorf("%d passwords were sent, want %q", n, passwords)
		}
		checkStateHoldsNo(w, "hush-")
		plan, err := zip.OpenReader(filepath.Join(w.Dir, "plan"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = plan.Close() }()
		for _, part := range plan.File {
			if content, err := fs.ReadFile(plan, part.Name); err != nil || bytes.Contains(content, []byte("hush-")) {
				t.Errorf("%v: %s of the plan holds a secret", err, part.Name)
			}
		}
	}
	runs(2, "hush-backup-1", "hush-console-1")
	kept["backup"].password = "hush-backup-2"
	runs(0)
	kept["backup"].version = 2
	runs(2, "hush-backup-2")
	for token, words := range map[string]string{"another": "403", vaultToken: "404"} {
		if token == vaultToken {
			delete(kept, "console")
		}
		if code, out := runShell(w, `./vault.sh "$TERRAFORM" plan -no-color`, "VAULT_TOKEN="+token); code == 0 || !strings.Contains(out, words) || strings.Contains(out, "Terraform") {
			t.Errorf("%q: it ended with %d:\n%s", token, code, out)
		}
	}
}
