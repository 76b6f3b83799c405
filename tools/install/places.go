// This file knows where Terraform and OpenTofu look for plugins by themselves, and what
// keeps them from doing so.

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// address is the provider's within a registry, as a path.
const address = "terraform-provider-enms/enms"

// machine is what the place of plugins depends on.
type machine struct {
	system string // as in GOOS
	home   string // on Windows, the directory of the user's application data
	getenv func(string) string
	exists func(path string) bool
}

// here returns the machine that this program runs on.
func here() (machine, error) {
	h := machine{system: runtime.GOOS, getenv: os.Getenv, exists: func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	}}
	var err error
	if h.system == "windows" {
		if h.home = os.Getenv("APPDATA"); h.home == "" {
			err = errors.New("the environment variable APPDATA is not set: it names the directory below which Terraform looks for plugins")
		}
	} else {
		h.home, err = os.UserHomeDir()
	}
	return h, err
}

// pluginDirectory returns the directory in which both programs look. That is the one below the
// directory of their settings. Where the user keeps settings and data elsewhere, by the XDG
// variables, and has no such directory, it is not made: OpenTofu would look for its settings
// there from then on. It is the one for data then, which both know by the name of Terraform.
func (m machine) pluginDirectory() string {
	if m.system == "windows" {
		return filepath.Join(m.home, "terraform.d", "plugins")
	}
	settings := filepath.Join(m.home, ".terraform.d")
	data := m.getenv("XDG_DATA_HOME")
	switch {
	case m.exists(settings), data == "" && m.getenv("XDG_CONFIG_HOME") == "":
		return filepath.Join(settings, "plugins")
	case m.system == "darwin":
		return filepath.Join(m.home, "Library", "Application Support", "io.terraform", "plugins")
	case data == "":
		data = filepath.Join(m.home, ".local", "share")
	}
	return filepath.Join(data, "terraform", "plugins")
}

// installation is how the setting begins that replaces the places where the programs look.
var installation = regexp.MustCompile(`(?m)^\s*provider_installation\b`)

// obstacles returns the files of settings because of which a program does not look into the
// plugin directory.
func (m machine) obstacles() (files []string) {
	names := []string{m.getenv("TF_CLI_CONFIG_FILE"), filepath.Join(m.home, ".terraformrc"), filepath.Join(m.home, ".tofurc")}
	if m.system == "windows" {
		names = []string{names[0], filepath.Join(m.home, "terraform.rc"), filepath.Join(m.home, "tofu.rc")}
	}
	for _, name := range names {
		if content, err := os.ReadFile(name); err == nil && installation.Match(content) {
			files = append(files, name)
		}
	}
	return files
}

// told returns what the user is told: where the provider is, and what to do next.
func told(version, plugins string, replaced bool, obstacles []string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "Installed version %s for Terraform and OpenTofu, in\n  %s\n", version, plugins)
	fmt.Fprintf(&text, "A new configuration takes it by `terraform init`, one with an earlier build by `terraform init -upgrade`.\n")
	if replaced {
		fmt.Fprintf(&text, `
It replaces another build of the same version. Where Terraform says that the package does not
match the checksums of the lock file, run this in the directory of the configuration:
  terraform providers lock -fs-mirror=%q %s && terraform init
`, plugins, address)
	}
	for _, file := range obstacles {
		fmt.Fprintf(&text, "\n%s has a block provider_installation: with it, Terraform looks only where the block says. Remove it, or its dev_overrides.\n", file)
	}
	return text.String()
}
