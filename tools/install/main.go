// Command install builds the provider and puts it into the implied local mirror of Terraform and
// OpenTofu. This is the directory in which they look for plugins before they ask a registry, so
// that `terraform init` needs no network.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// hosts are the default registries of Terraform and OpenTofu. In the mirror, each program looks
// below the name of its own registry.
var hosts = []string{"registry.terraform.io", "registry.opentofu.org"}

func main() {
	root := flag.String("root", "..", "the provider's source tree")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	h, err := here()
	if err == nil {
		err = h.install(ctx, *root, os.Stdout, os.Stderr)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "install:", err)
		os.Exit(1)
	}
}

// install builds the provider of a source tree, installs it for both programs, and prints what to
// do next. The output of Go goes to progress.
func (m machine) install(ctx context.Context, root string, out, progress io.Writer) error {
	plugins := m.pluginDirectory()
	if err := os.MkdirAll(plugins, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp(plugins, ".build-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	version := versionOf(ctx, root, time.Now())
	if _, err := fmt.Fprintln(out, "Building the provider. The first time, Go compiles all that it depends on, which can take minutes."); err != nil {
		return err
	}
	built := filepath.Join(work, "terraform-provider-enms_v"+version)
	if runtime.GOOS == "windows" {
		built += ".exe"
	}
	cmd := build(ctx, root, version, built)
	cmd.Stdout, cmd.Stderr = progress, progress
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go build: %w", err)
	}
	replaced := false
	for _, host := range hosts {
		dir := filepath.Join(plugins, host, filepath.FromSlash(address), version, runtime.GOOS+"_"+runtime.GOARCH)
		replacedHere, err := put(built, dir)
		if err != nil {
			return err
		}
		replaced = replaced || replacedHere
	}
	_, err = io.WriteString(out, report(version, plugins, replaced, m.settingsWithInstallation()))
	return err
}

// build returns the command that builds the provider. It builds the same program again from the
// same commit, directory and version of Go, so that the checksums in lock files stay right. Its
// options are those of `make build`, the quickstart and the tests, so that Go compiles packages once.
func build(ctx context.Context, root, version, file string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-ldflags=-s -w -X main.version="+version, "-o", file, ".")
	cmd.Dir = root
	return cmd
}

// put puts a program into a directory, as a hard link where the file system has them, and reports
// whether it replaced another program of that name. It renames the file at last, so that Terraform
// never sees half of it.
func put(built, dir string) (replaced bool, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return false, err
	}
	program, err := os.ReadFile(built)
	if err != nil {
		return false, err
	}
	file := filepath.Join(dir, filepath.Base(built))
	before, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	existed := err == nil
	if existed && bytes.Equal(before, program) {
		return false, nil
	}
	temporary := file + ".new"
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if os.Link(built, temporary) != nil {
		if err := os.WriteFile(temporary, program, 0o755); err != nil {
			return false, err
		}
	}
	return existed, os.Rename(temporary, file)
}

// versionOf returns the version of a build: 0.0 and the time of its commit in UTC. So a later build
// is a newer version, and every release is newer than all builds. Where the tree differs from its
// commit, or is not in git, it is the present time.
func versionOf(ctx context.Context, root string, now time.Time) string {
	const layout = "20060102150405"
	git := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", append([]string{"-C", root}, args...)...)
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	changed, err := git("status", "--porcelain")
	if err != nil || changed != "" {
		return "0.0." + now.UTC().Format(layout)
	}
	committed, err := git("log", "-1", "--format=%cI")
	if err != nil {
		return "0.0." + now.UTC().Format(layout)
	}
	at, err := time.Parse(time.RFC3339, committed)
	if err != nil {
		at = now
	}
	return "0.0." + at.UTC().Format(layout)
}
