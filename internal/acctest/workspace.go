// Terraform or OpenTofu as a program, which runs the provider as a program.

package acctest

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

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
)

// Repository is the root of the source tree for the tests of a package directly below internal, such as
// docstest. Tests run in the directory of their package.
const Repository = "../.."

// module is the import path of the program.
const module = "github.com/terraform-provider-enms/terraform-provider-enms"

// installation returns the path of a CLI configuration with which Terraform takes the provider as it is in the
// tree. Its program is the one that ENMS_TEST_PROGRAM names, which `make test` builds once for all packages, or is
// built once for the tests of this package.
var installation = sync.OnceValues(install)

var (
	// installed is the directory of what install makes; Main removes it.
	installed string
	// program is the path of the provider's program.
	program string
)

// Main runs the tests of a package, as its TestMain.
func Main(m *testing.M) {
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

// install makes installation, and sets installed and program.
func install() (config string, err error) {
	installed, err = os.MkdirTemp("", "terraform-provider-enms-")
	if err != nil {
		return "", err
	}
	program = os.Getenv("ENMS_TEST_PROGRAM")
	if program == "" {
		program = filepath.Join(installed, "terraform-provider-enms")
		if runtime.GOOS == "windows" {
			program += ".exe"
		}
		build := exec.Command("go", "build", "-o", program, module)
		if out, err := build.CombinedOutput(); err != nil {
			return "", fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	config = filepath.Join(installed, "terraform.rc")
	content := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"hashicorp/enms\" = %[1]q\n    \"terraform-provider-enms/enms\" = %[1]q\n  }\n  direct {}\n}\n", filepath.ToSlash(filepath.Dir(program)))
	return config, os.WriteFile(config, []byte(content), 0o600)
}

// Workspace is a directory in which Terraform runs.
type Workspace struct {
	T           *testing.T
	Terraform   string
	Dir         string
	Environment []string

	model    *terraformtest.Terraform // nil when the program plays all
	settings map[string]string        // of the provider in the model
}

// Program returns the path of the provider's program, built from the tree.
func Program(t *testing.T) string {
	t.Helper()
	if _, err := installation(); err != nil {
		t.Fatal(err)
	}
	return program
}

// NewWorkspace returns an empty directory in which Terraform takes the provider as it is in the tree.
func NewWorkspace(t *testing.T) *Workspace {
	t.Helper()
	w := &Workspace{T: t, Dir: t.TempDir()}
	for _, name := range []string{"tofu", "terraform"} { // the later one is preferred
		if path, err := exec.LookPath(name); err == nil {
			w.Terraform = path
		}
	}
	if path := os.Getenv("TF_ACC_TERRAFORM_PATH"); path != "" {
		w.Terraform = path
	}
	if w.Terraform == "" {
		t.Fatal("neither terraform nor tofu is on the PATH: install Terraform (https://developer.hashicorp.com/terraform/install) or OpenTofu (https://opentofu.org/docs/intro/install)")
	}
	config, err := installation()
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "TF_") && !strings.HasPrefix(pair, "ENMS_") {
			w.Environment = append(w.Environment, pair)
		}
	}
	w.Environment = append(w.Environment, "TF_CLI_CONFIG_FILE="+config, "TF_IN_AUTOMATION=1", "TF_INPUT=0", "CHECKPOINT_DISABLE=1")
	return w
}

// Configure replaces the configuration.
func (w *Workspace) Configure(hcl string) {
	w.T.Helper()
	if err := os.WriteFile(filepath.Join(w.Dir, "main.tf"), []byte(hcl), 0o600); err != nil {
		w.T.Fatal(err)
	}
}

// Run runs Terraform and returns its exit code and all that it wrote.
func (w *Workspace) Run(args ...string) (int, string) {
	w.T.Helper()
	cmd := exec.CommandContext(w.T.Context(), w.Terraform, args...)
	cmd.Dir, cmd.Env = w.Dir, w.Environment
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		w.T.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// NeedsVersion skips a test on a Terraform or OpenTofu that is older than it needs.
func (w *Workspace) NeedsVersion(major, minor int, what string) {
	w.T.Helper()
	if has := w.Version(); slices.Compare(has[:], []int{major, minor}) < 0 {
		w.T.Skipf("%d.%d is needed for %s; this is %d.%d", major, minor, what, has[0], has[1])
	}
}

// Version returns the first two numbers of the version of Terraform or OpenTofu.
func (w *Workspace) Version() [2]int {
	w.T.Helper()
	release := w.Release()
	return [2]int{release[0], release[1]}
}

// Release returns the three numbers of the version of Terraform or OpenTofu.
func (w *Workspace) Release() [3]int {
	w.T.Helper()
	return w.version().release
}

// OpenTofu reports whether Terraform is OpenTofu.
func (w *Workspace) OpenTofu() bool {
	w.T.Helper()
	return w.version().openTofu
}

// version is what a program says of itself.
type version struct {
	release  [3]int
	openTofu bool
}

// versions are the versions of programs by their paths. Each program is run once: a test that needs its
// version meanwhile waits for the lock.
var versions = struct {
	sync.Mutex
	of map[string]version
}{of: map[string]version{}}

func (w *Workspace) version() version {
	w.T.Helper()
	versions.Lock()
	defer versions.Unlock()
	if known, is := versions.of[w.Terraform]; is {
		return known
	}
	code, out := w.Run("version", "-json")
	var written struct {
		Text string `json:"terraform_version"`
	}
	if err := json.Unmarshal([]byte(out), &written); code != 0 || err != nil {
		w.T.Fatalf("version ended with %d: %v\n%s", code, err, out)
	}
	var v version
	if _, err := fmt.Sscanf(written.Text, "%d.%d.%d", &v.release[0], &v.release[1], &v.release[2]); err != nil {
		w.T.Fatalf("version %q: %v", written.Text, err)
	}
	_, out = w.Run("version")
	v.openTofu = strings.Contains(out, "OpenTofu")
	versions.of[w.Terraform] = v
	return v
}
