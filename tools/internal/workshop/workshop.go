// Package workshop is what the tools share: a temporary directory that holds
// the provider as it is in the tree, and the real Terraform (or OpenTofu) made
// to use it.
package workshop

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// module is the path of the module that the tools are for.
const module = "github.com/terraform-provider-enms/terraform-provider-enms"

// patience is how long a program that was asked to stop may take.
const patience = 10 * time.Second

// Workshop is a temporary directory with the provider in it.
type Workshop struct {
	// Root is the provider's source tree.
	Root string
	// Dir is the temporary directory.
	Dir string
	// Terraform is the path of the program: Terraform, or else OpenTofu.
	Terraform string
}

// New finds Terraform, or fetches it, and builds the provider of the tree at root.
// Close it when done.
func New(ctx context.Context, root string) (*Workshop, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	if err := checkRoot(root); err != nil {
		return nil, err
	}
	terraform, err := Find(ctx, os.Stderr)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "terraform-provider-enms-")
	if err != nil {
		return nil, err
	}
	w := &Workshop{Root: root, Dir: dir, Terraform: terraform}
	if err := w.equip(ctx); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// Close removes the directory and all that is in it.
func (w *Workshop) Close() error { return os.RemoveAll(w.Dir) }

// Name returns the name of the program, for messages.
func (w *Workshop) Name() string {
	return strings.TrimSuffix(filepath.Base(w.Terraform), ".exe")
}

// Build builds a command of the tree into the directory and gives its path.
func (w *Workshop) Build(ctx context.Context, pkg, name string) (string, error) {
	path := w.program(name)
	cmd := Command(ctx, "go", "build", "-o", path, pkg)
	cmd.Dir = w.Root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
	}
	return path, nil
}

// Provider returns the path of the provider's program.
func (w *Workshop) Provider() string { return w.program("terraform-provider-enms") }

// program returns the path of a program in the directory.
func (w *Workshop) program(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(w.Dir, name)
}

// Result is what a run of Terraform gave.
type Result struct {
	// Code is the exit code.
	Code int
	// Stdout and Stderr are what it wrote.
	Stdout, Stderr string
}

// Output returns what Terraform wrote, for people.
func (r Result) Output() string { return strings.TrimSpace(r.Stdout + r.Stderr) }

// Run runs Terraform in dir with further variables in its environment. An exit
// code that is not 0 is no error: it is in the result.
func (w *Workshop) Run(ctx context.Context, dir string, environment []string, args ...string) (Result, error) {
	cmd := Command(ctx, w.Terraform, args...)
	cmd.Dir = dir
	cmd.Env = append(w.Environment(), environment...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	result := Result{Code: cmd.ProcessState.ExitCode(), Stdout: stdout.String(), Stderr: stderr.String()}
	if ctx.Err() != nil {
		return result, ctx.Err()
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return result, err
	}
	return result, nil
}

// Command returns a program that, when ctx ends, is asked to stop as by Ctrl-C, and stopped
// when it does not. It does not hear the Ctrl-C itself, so that it is asked only once:
// Terraform takes a second one as the order to drop all.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = patience
	apart(cmd)
	return cmd
}

// Environment returns this program's environment, without what would make Terraform or the
// provider behave otherwise than for a newcomer.
func (w *Workshop) Environment() []string {
	var env []string
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "TF_") && !strings.HasPrefix(pair, "ENMS_") {
			env = append(env, pair)
		}
	}
	return append(env, "TF_CLI_CONFIG_FILE="+w.cliConfig(), "TF_IN_AUTOMATION=1", "TF_INPUT=0", "CHECKPOINT_DISABLE=1")
}

func (w *Workshop) cliConfig() string { return filepath.Join(w.Dir, "terraform.rc") }

// equip builds the provider and writes the configuration that makes Terraform
// take it from here, without init, a registry or a network. A configuration
// that names no source means the one under hashicorp.
func (w *Workshop) equip(ctx context.Context) error {
	if _, err := w.Build(ctx, ".", "terraform-provider-enms"); err != nil {
		return err
	}
	dir := filepath.ToSlash(w.Dir)
	config := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"terraform-provider-enms/enms\" = %q\n    \"hashicorp/enms\" = %q\n  }\n  direct {}\n}\n", dir, dir)
	return os.WriteFile(w.cliConfig(), []byte(config), 0o600)
}

// checkRoot makes sure that a directory is the provider's source tree.
func checkRoot(root string) error {
	content, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return fmt.Errorf("%s is not the provider's source tree: %w", root, err)
	}
	if first, _, _ := strings.Cut(string(content), "\n"); strings.TrimSpace(first) != "module "+module {
		return fmt.Errorf("%s is not the provider's source tree: its go.mod is of another module", root)
	}
	return nil
}
