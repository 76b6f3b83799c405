// This file runs Terraform (or OpenTofu) as a program with the provider as a
// program, for what the test framework cannot do: choose -parallelism, and count
// the requests of one command.

package provider_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// installation is the CLI configuration that makes Terraform take the provider
// as it is in the tree, built once for all tests.
var installation = sync.OnceValues(install)

// installed is where install puts everything; TestMain removes it.
var installed string

func TestMain(m *testing.M) {
	if err := checkTestServer(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	code := m.Run()
	if err := os.RemoveAll(installed); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func install() (config string, err error) {
	if installed, err = os.MkdirTemp("", "terraform-provider-enms-"); err != nil {
		return "", err
	}
	program := filepath.Join(installed, "terraform-provider-enms")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-o", program, repository)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	config = filepath.Join(installed, "terraform.rc")
	content := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"hashicorp/enms\" = %[1]q\n    \"terraform-provider-enms/enms\" = %[1]q\n  }\n  direct {}\n}\n", filepath.ToSlash(installed))
	return config, os.WriteFile(config, []byte(content), 0o600)
}

// workspace is a directory in which Terraform runs.
type workspace struct {
	t           *testing.T
	terraform   string
	dir         string
	environment []string
}

func newWorkspace(t *testing.T) *workspace {
	t.Helper()
	w := &workspace{t: t, dir: t.TempDir()}
	for _, name := range []string{"tofu", "terraform"} { // the later one is preferred
		if path, err := exec.LookPath(name); err == nil {
			w.terraform = path
		}
	}
	if path := os.Getenv("TF_ACC_TERRAFORM_PATH"); path != "" {
		w.terraform = path
	}
	if w.terraform == "" {
		t.Fatal("neither terraform nor tofu is on the PATH: install Terraform (https://developer.hashicorp.com/terraform/install) or OpenTofu (https://opentofu.org/docs/intro/install)")
	}
	config, err := installation()
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "TF_") && !strings.HasPrefix(pair, "ENMS_") {
			w.environment = append(w.environment, pair)
		}
	}
	w.environment = append(w.environment, "TF_CLI_CONFIG_FILE="+config, "TF_IN_AUTOMATION=1", "TF_INPUT=0", "CHECKPOINT_DISABLE=1")
	return w
}

// configure replaces the configuration.
func (w *workspace) configure(hcl string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, "main.tf"), []byte(hcl), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// run runs Terraform and gives its exit code and all that it wrote.
func (w *workspace) run(args ...string) (int, string) {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), w.terraform, args...)
	cmd.Dir, cmd.Env = w.dir, w.environment
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		w.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// apply applies with so many operations at a time, and expects success.
func (w *workspace) apply(parallelism int) {
	w.t.Helper()
	if code, out := w.run("apply", "-no-color", "-auto-approve", fmt.Sprintf("-parallelism=%d", parallelism)); code != 0 {
		w.t.Fatalf("apply ended with %d:\n%s", code, out)
	}
}

// planNothing plans with ten operations at a time, and expects no changes.
func (w *workspace) planNothing() {
	w.t.Helper()
	if code, out := w.run("plan", "-no-color", "-detailed-exitcode", "-parallelism=10"); code != 0 {
		w.t.Fatalf("plan ended with %d:\n%s", code, out)
	}
}

// needs skips a test on a Terraform or OpenTofu that is older than it needs.
func (w *workspace) needs(major, minor int, what string) {
	w.t.Helper()
	if version := w.version(); slices.Compare(version[:], []int{major, minor}) < 0 {
		w.t.Skipf("%d.%d is needed for %s; this is %d.%d", major, minor, what, version[0], version[1])
	}
}

// version returns the first two numbers of the version of Terraform or OpenTofu.
func (w *workspace) version() (numbers [2]int) {
	w.t.Helper()
	code, out := w.run("version", "-json")
	var version struct {
		Text string `json:"terraform_version"`
	}
	if err := json.Unmarshal([]byte(out), &version); code != 0 || err != nil {
		w.t.Fatalf("version ended with %d: %v\n%s", code, err, out)
	}
	if _, err := fmt.Sscanf(version.Text, "%d.%d.", &numbers[0], &numbers[1]); err != nil {
		w.t.Fatalf("version %q: %v", version.Text, err)
	}
	return numbers
}

// openTofu reports whether Terraform is OpenTofu.
func (w *workspace) openTofu() bool {
	w.t.Helper()
	_, out := w.run("version")
	return strings.Contains(out, "OpenTofu")
}
