// This file installs the provider as `make install` does, into a home of its own, and has
// the real Terraform find it there by itself.

package docstest

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// newHome returns a workspace of a user who has no settings, no other plugins and no network.
func newHome(t *testing.T) (w *acctest.Workspace, home string) {
	t.Helper()
	w, home = acctest.NewWorkspace(t), t.TempDir()
	// Variables of this machine, of which the last one of a name counts.
	environment := map[string]string{}
	for _, pair := range w.Environment {
		if name, value, _ := strings.Cut(pair, "="); !strings.HasPrefix(name, "XDG_") && name != "TF_CLI_CONFIG_FILE" {
			environment[name] = value
		}
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOENV"} { // which are below the home otherwise
		out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		environment[name] = strings.TrimSpace(string(out))
	}
	environment["HOME"], environment["APPDATA"] = home, home
	w.Environment = nil
	for _, name := range slices.Sorted(maps.Keys(environment)) {
		w.Environment = append(w.Environment, name+"="+environment[name])
	}
	return w, home
}

// makeInstall runs the command of `make install` and returns what it tells.
func makeInstall(w *acctest.Workspace) string {
	w.T.Helper()
	cmd := exec.CommandContext(w.T.Context(), "go", "-C", filepath.Join(acctest.Repository, "tools"), "run", "./install")
	cmd.Env = w.Environment
	out, err := cmd.Output()
	if err != nil {
		w.T.Fatalf("install: %v\n%s", err, out)
	}
	return string(out)
}

// takeOffline keeps the workspace from the network, but for this machine.
func takeOffline(w *acctest.Workspace) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		w.Environment = append(w.Environment, name+"=http://127.0.0.1:1")
	}
	w.Environment = append(w.Environment, "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
}

// After make install, init, plans, modules and tests work without a registry and without
// settings, and nothing warns of the provider.
func TestInstall_initWithoutRegistry(t *testing.T) {
	t.Parallel()
	w, home := newHome(t)
	s := acctest.NewServer(t)
	told := makeInstall(w)
	if !strings.Contains(told, filepath.Join(home, ".terraform.d", "plugins")) && runtime.GOOS != "windows" {
		t.Errorf("install tells\n%s", told)
	}
	takeOffline(w)
	w.Environment = append(w.Environment, at(s)...)
	modules := filepath.Join(w.Dir, "modules")
	copyDirectory(t, modules, moduleDirectory)
	w.Configure(s.Expand(ownProvider + `resource "enms_device" "d" { name = "NAME-d" }`))
	succeeds(w, "init", "-no-color")
	for _, command := range [][]string{
		{"init", "-no-color"}, // the first one warns that the lock file is for this platform
		{"validate", "-no-color"},
		{"apply", "-no-color", "-auto-approve"},
		{"plan", "-no-color", "-detailed-exitcode"},
		{"destroy", "-no-color", "-auto-approve"},
	} {
		if out := succeeds(w, command...); strings.Contains(out, "overrides") || strings.Contains(out, "Warning: Incomplete") {
			t.Errorf("%s warns:\n%s", command[0], out)
		}
	}
	w.Dir = filepath.Join(modules, "scheduled-service")
	w.NeedsVersion(1, 7, "tests with mocks")
	succeeds(w, "init", "-no-color")
	if out := succeeds(w, "test", "-no-color", "-filter=tests/mistakes.tftest.hcl"); !passes.MatchString(out) || strings.Contains(out, "overrides") {
		t.Errorf("test of a module:\n%s", out)
	}
}

// The same build installed again changes nothing. Another build of the same version does not
// match the lock file of a configuration, and Terraform does not say what to do: install
// does, and it works. So does the way to a later version.
func TestInstall_again(t *testing.T) {
	t.Parallel()
	acctest.OnlyLong(t, "it builds the provider once more")
	w, home := newHome(t)
	makeInstall(w)
	takeOffline(w)
	w.Configure(ownProvider)
	succeeds(w, "init", "-no-color")
	found, err := filepath.Glob(filepath.Join(home, ".terraform.d", "plugins", "*", "terraform-provider-enms", "enms", "*", "*", "*"))
	if err != nil || len(found) != 2 {
		t.Fatalf("%v: %v", err, found)
	}
	for _, file := range found {
		another := readFile(t, file) + "\x00"
		if err := os.Remove(file); err != nil { // it may be a link to the program of other tests
			t.Fatal(err)
		}
		writeProgram(t, file, another)
	}
	if code, out := w.Run("init", "-no-color"); code == 0 {
		t.Fatalf("another build passes for the one of the lock file:\n%s", out)
	}
	remedy := "providers lock -fs-mirror=" + filepath.Join(home, ".terraform.d", "plugins") + " terraform-provider-enms/enms"
	succeeds(w, strings.Fields(remedy)...)
	succeeds(w, "init", "-no-color")

	version := filepath.Base(filepath.Dir(filepath.Dir(found[0])))
	for _, file := range found {
		later := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(file))), "0.0.99991231235959", filepath.Base(filepath.Dir(file)))
		copyDirectory(t, later, filepath.Dir(file))
		if err := os.Rename(filepath.Join(later, filepath.Base(file)), filepath.Join(later, strings.Replace(filepath.Base(file), version, "0.0.99991231235959", 1))); err != nil {
			t.Fatal(err)
		}
	}
	succeeds(w, "init", "-no-color")
	if lock := contentOf(w, ".terraform.lock.hcl"); !strings.Contains(lock, version) {
		t.Errorf("init alone takes another version:\n%s", lock)
	}
	succeeds(w, "init", "-no-color", "-upgrade")
	if lock := contentOf(w, ".terraform.lock.hcl"); !strings.Contains(lock, "0.0.99991231235959") {
		t.Errorf("init -upgrade leaves\n%s", lock)
	}
}
