// This file finds the implied local mirror, and settings with which Terraform does not use it.

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

// address is the path of the provider within a registry.
const address = "terraform-provider-enms/enms"

// machine is what the directory of plugins depends on.
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

// pluginDirectory returns the directory in which both programs look. It is the one below the
// directory of settings, unless that is missing and the user keeps settings or data elsewhere, by
// the XDG variables: OpenTofu would look for its settings in a new directory from then on. In this
// case it is below the directory of data, which OpenTofu, too, searches under Terraform's name.
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

// installation matches the beginning of the setting that replaces the implied local mirror.
var installation = regexp.MustCompile(`(?m)^\s*provider_installation\b`)

// settingsWithInstallation returns the files of settings with which a program may not look into
// the plugin directory.
func (m machine) settingsWithInstallation() (files []string) {
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

// report returns the text for the user: where the provider is, and what to do next.
func report(version, plugins string, replaced bool, settings []string) string {
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
	for _, file := range settings {
		fmt.Fprintf(&text, "\n%s has a block provider_installation: with it, Terraform looks only where the block says. Remove it, or its dev_overrides.\n", file)
	}
	return text.String()
}
