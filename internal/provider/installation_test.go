// This file installs the provider as `make install` does, into a home of its own, and has
// the real Terraform find it there by itself.

package provider_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// newHome returns a workspace of a user who has no settings, no other plugins and no network.
func newHome(t *testing.T) (w *workspace, home string) {
	t.Helper()
	w, home = newWorkspace(t), t.TempDir()
	// Variables of this machine, of which the last one of a name counts.
	environment := map[string]string{}
	for _, pair := range w.environment {
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
	w.environment = nil
	for _, name := range slices.Sorted(maps.Keys(environment)) {
		w.environment = append(w.environment, name+"="+environment[name])
	}
	return w, home
}

// install runs the command of `make install` and returns what it tells.
func (w *workspace) install() string {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), "go", "-C", filepath.Join(repository, "tools"), "run", "./install")
	cmd.Env = w.environment
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatalf("install: %v\n%s", err, out)
	}
	return string(out)
}

// offline keeps the workspace from the network, but for this machine.
func (w *workspace) offline() {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		w.environment = append(w.environment, name+"=http://127.0.0.1:1")
	}
	w.environment = append(w.environment, "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
}

// After make install, init, plans, modules and tests work without a registry and without
// settings, and nothing warns of the provider.
func TestInstallation(t *testing.T) {
	t.Parallel()
	w, home := newHome(t)
	s := newServer(t)
	told := w.install()
	if !strings.Contains(told, filepath.Join(home, ".terraform.d", "plugins")) && runtime.GOOS != "windows" {
		t.Errorf("install tells\n%s", told)
	}
	w.offline()
	w.environment = append(w.environment, "ENMS_BASE_URL="+s.url, "ENMS_USERNAME="+s.user, "ENMS_PASSWORD="+s.password)
	modules := filepath.Join(w.dir, "modules")
	if err := os.CopyFS(modules, os.DirFS(moduleDirectory)); err != nil {
		t.Fatal(err)
	}
	w.configure(s.expand(ownProvider + `resource "enms_device" "d" { name = "NAME-d" }`))
	w.succeeds("init", "-no-color")
	for _, command := range [][]string{
		{"init", "-no-color"}, // the first one warns that the lock file is for this platform
		{"validate", "-no-color"},
		{"apply", "-no-color", "-auto-approve"},
		{"plan", "-no-color", "-detailed-exitcode"},
		{"destroy", "-no-color", "-auto-approve"},
	} {
		if out := w.succeeds(command...); strings.Contains(out, "overrides") || strings.Contains(out, "Warning: Incomplete") {
			t.Errorf("%s warns:\n%s", command[0], out)
		}
	}
	w.dir = filepath.Join(modules, "scheduled-service")
	w.needs(1, 7, "tests with mocks")
	w.succeeds("init", "-no-color")
	if out := w.succeeds("test", "-no-color"); !passes.MatchString(out) || strings.Contains(out, "overrides") {
		t.Errorf("test of a module:\n%s", out)
	}
}

// The same build installed again changes nothing. Another build of the same version does not
// match the lock file of a configuration, and Terraform does not say what to do: install
// does, and it works. So does the way to a later version.
func TestInstallationAgain(t *testing.T) {
	t.Parallel()
	w, home := newHome(t)
	w.install()
	w.offline()
	w.configure(ownProvider)
	w.succeeds("init", "-no-color")
	found, err := filepath.Glob(filepath.Join(home, ".terraform.d", "plugins", "*", "terraform-provider-enms", "enms", "*", "*", "*"))
	if err != nil || len(found) != 2 {
		t.Fatalf("%v: %v", err, found)
	}
	for _, file := range found {
		program, err := os.ReadFile(file)
		if err == nil {
			err = os.Remove(file)
		}
		if err == nil {
			err = os.WriteFile(file, append(program, 0), 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if code, out := w.run("init", "-no-color"); code == 0 {
		t.Fatalf("another build passes for the one of the lock file:\n%s", out)
	}
	remedy := "providers lock -fs-mirror=" + filepath.Join(home, ".terraform.d", "plugins") + " terraform-provider-enms/enms"
	w.succeeds(strings.Fields(remedy)...)
	w.succeeds("init", "-no-color")

	version := filepath.Base(filepath.Dir(filepath.Dir(found[0])))
	for _, file := range found {
		later := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(file))), "0.0.99991231235959", filepath.Base(filepath.Dir(file)))
		if err := os.CopyFS(later, os.DirFS(filepath.Dir(file))); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(later, filepath.Base(file)), filepath.Join(later, strings.Replace(filepath.Base(file), version, "0.0.99991231235959", 1))); err != nil {
			t.Fatal(err)
		}
	}
	w.succeeds("init", "-no-color")
	if lock := w.file(".terraform.lock.hcl"); !strings.Contains(lock, version) {
		t.Errorf("init alone takes another version:\n%s", lock)
	}
	w.succeeds("init", "-no-color", "-upgrade")
	if lock := w.file(".terraform.lock.hcl"); !strings.Contains(lock, "0.0.99991231235959") {
		t.Errorf("init -upgrade leaves\n%s", lock)
	}
}

// Where settings and data are kept elsewhere, and there is no directory of Terraform in the
// home, none is made there, and the provider is found all the same.
func TestInstallationElsewhere(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the XDG directories are those of other systems")
	}
	w, home := newHome(t)
	w.environment = append(w.environment, "XDG_DATA_HOME="+filepath.Join(home, "data"), "XDG_CONFIG_HOME="+filepath.Join(home, "settings"))
	w.install()
	w.offline()
	w.configure(ownProvider)
	w.succeeds("init", "-no-color")
	if _, err := os.Stat(filepath.Join(home, ".terraform.d", "plugins")); err == nil {
		t.Error("there is a directory of plugins in the home")
	}
}
