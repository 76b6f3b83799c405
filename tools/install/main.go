// Command install builds the provider and puts it into the directory in which Terraform
// and OpenTofu look for plugins by themselves, before they ask a registry: their implied
// local mirror. `terraform init` takes it from there, without a network.
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

// hosts are the registries that Terraform and OpenTofu mean by a source without a host. Each
// looks only below the name of its own.
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

// install builds the provider of a source tree, installs it for both programs, and tells
// what to do next. progress is where Go says what it downloads, and what is wrong.
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
		other, err := place(built, dir)
		if err != nil {
			return err
		}
		replaced = replaced || other
	}
	_, err = io.WriteString(out, told(version, plugins, replaced, m.obstacles()))
	return err
}

// build returns the command that builds the provider. One commit in one directory and one Go make
// the same program, whose checksum in the lock files of configurations then stays right. Packages
// are compiled as by `make build`, the quickstart and the tests, so that Go compiles them once.
func build(ctx context.Context, root, version, file string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-ldflags=-s -w -X main.version="+version, "-o", file, ".")
	cmd.Dir = root
	return cmd
}

// place puts a program into a directory, as a link where the file system has links, and
// reports whether another program of that name was there. Terraform never sees half of it.
func place(built, dir string) (replaced bool, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return false, err
	}
	program, err := os.ReadFile(built)
	if err != nil {
		return false, err
	}
	file := filepath.Join(dir, filepath.Base(built))
	switch before, err := os.ReadFile(file); {
	case err == nil && bytes.Equal(before, program):
		return false, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, err
	default:
		replaced = err == nil
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
	return replaced, os.Rename(temporary, file)
}

// versionOf returns the version of a build: 0.0 and the time of its commit in UTC, so that
// later builds are newer ones, beside which earlier ones stay, and any release is newer than
// all of them. It is the present time where the tree is no commit of git.
func versionOf(ctx context.Context, root string, now time.Time) string {
	const form = "20060102150405"
	git := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", append([]string{"-C", root}, args...)...)
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	changed, err := git("status", "--porcelain")
	if err != nil || changed != "" {
		return "0.0." + now.UTC().Format(form)
	}
	committed, err := git("log", "-1", "--format=%cI")
	at, wrong := time.Parse(time.RFC3339, committed)
	if err != nil || wrong != nil {
		at = now
	}
	return "0.0." + at.UTC().Format(form)
}
