// Command recordings draws sessions in a terminal as pictures for the pages: an export of a
// server, and a review of a change. A session is a script beside this file, which runs the real
// programs against a simulated eNMS. The sessions go on from each other. They need a POSIX shell
// and git.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/terminal"
	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// sessions are the names of the scripts and of the pictures, with the titles of the pictures.
var sessions = []struct{ name, title string }{
	{"export", "An export of a server, in a terminal"},
	{"review", "A review of a change, in a terminal"},
}

// classes are the kinds of lines, which have looks of their own.
var classes = []terminal.Class{
	{Look: terminal.Bold, Of: regexp.MustCompile(`^\$ `)},
	{Look: terminal.Grey, Of: regexp.MustCompile(`^(# |…$| +# )`)},
	{Look: terminal.Amber, Of: regexp.MustCompile(`^ +~ `)},
	{Look: terminal.Green, Of: regexp.MustCompile(`^(\+|Plan: |No changes|Apply complete|release: )`)},
	{Look: terminal.Red, Of: regexp.MustCompile(`^-`)},
}

func main() {
	root := flag.String("root", "..", "the provider's source tree")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := record(ctx, *root)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "recordings:", err)
		os.Exit(1)
	}
}

// record plays and draws all sessions.
func record(ctx context.Context, root string) (err error) {
	shop, err := workshop.New(ctx, root)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shop.Close()) }()
	program, err := shop.BuildSimulator(ctx)
	if err != nil {
		return err
	}
	sim, err := workshop.StartSimulator(ctx, program)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	environment, err := equip(shop)
	if err != nil {
		return err
	}
	environment = append(environment, sim.Environment()...)
	for _, session := range sessions {
		fmt.Println()
		lines, err := play(ctx, shop, environment, session.name)
		if err != nil {
			return fmt.Errorf("%s.sh: %w", session.name, err)
		}
		svg, err := terminal.Picture(session.title, lines, classes)
		if err != nil {
			return fmt.Errorf("%s.sh: %w", session.name, err)
		}
		if err := os.WriteFile(filepath.Join(shop.Root, ".github", session.name+".svg"), []byte(svg), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// equip has the programs found by the names that users type, and `terraform init` find the provider.
// It returns the environment of the scripts.
func equip(shop *workshop.Workshop) (environment []string, err error) {
	mirror, config := filepath.Join(shop.Dir, "mirror"), filepath.Join(shop.Dir, "mirror.rc")
	links := map[string]string{filepath.Join(shop.Dir, "terraform"): shop.Terraform}
	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		dir := filepath.Join(mirror, host, "terraform-provider-enms", "enms", "0.0.1", runtime.GOOS+"_"+runtime.GOARCH)
		err = errors.Join(err, os.MkdirAll(dir, 0o700))
		links[filepath.Join(dir, "terraform-provider-enms_v0.0.1")] = shop.Provider()
	}
	for link, program := range links {
		err = errors.Join(err, os.Symlink(program, link))
	}
	err = errors.Join(err, os.WriteFile(config, fmt.Appendf(nil, "provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror), 0o600))
	return append(shop.Environment(), "TF_CLI_CONFIG_FILE="+config, "PATH="+shop.Dir+string(os.PathListSeparator)+os.Getenv("PATH"),
		"EXAMPLES="+filepath.Join(shop.Root, "examples"), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null"), err
}

// play runs the script of a session and returns the lines that it prints.
func play(ctx context.Context, shop *workshop.Workshop, environment []string, name string) ([]string, error) {
	scripts := filepath.Join(shop.Root, "tools", "recordings")
	cmd := workshop.Command(ctx, "sh", "-euc", `. "$0/run.sh"; . "$0/$1.sh"`, scripts, name)
	cmd.Dir, cmd.Env = shop.Dir, environment
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.MultiWriter(os.Stdout, &out), os.Stderr
	err := cmd.Run()
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n"), err
}
