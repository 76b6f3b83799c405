package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Each system, and each way to keep settings elsewhere, has its directory.
func TestPluginDirectory(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		system      string
		environment map[string]string
		exists      string
		want        string
	}{
		"Linux":                               {system: "linux", want: "/home/ann/.terraform.d/plugins"},
		"macOS":                               {system: "darwin", want: "/home/ann/.terraform.d/plugins"},
		"FreeBSD":                             {system: "freebsd", want: "/home/ann/.terraform.d/plugins"},
		"Windows":                             {system: "windows", environment: map[string]string{"XDG_DATA_HOME": "/data"}, want: "/home/ann/terraform.d/plugins"},
		"data elsewhere":                      {system: "linux", environment: map[string]string{"XDG_DATA_HOME": "/data"}, want: "/data/terraform/plugins"},
		"settings elsewhere":                  {system: "linux", environment: map[string]string{"XDG_CONFIG_HOME": "/settings"}, want: "/home/ann/.local/share/terraform/plugins"},
		"settings elsewhere on macOS":         {system: "darwin", environment: map[string]string{"XDG_CONFIG_HOME": "/settings"}, want: "/home/ann/Library/Application Support/io.terraform/plugins"},
		"data elsewhere, with a directory":    {system: "linux", environment: map[string]string{"XDG_DATA_HOME": "/data"}, exists: "/home/ann/.terraform.d", want: "/home/ann/.terraform.d/plugins"},
		"settings elsewhere, and a directory": {system: "darwin", environment: map[string]string{"XDG_CONFIG_HOME": "/settings"}, exists: "/home/ann/.terraform.d", want: "/home/ann/.terraform.d/plugins"},
	} {
		m := machine{system: test.system, home: filepath.FromSlash("/home/ann"), getenv: func(name string) string { return test.environment[name] },
			exists: func(path string) bool { return filepath.ToSlash(path) == test.exists }}
		if got := filepath.ToSlash(m.pluginDirectory()); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// Only settings that say where providers come from stand in the way.
func TestObstacles(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for name, content := range map[string]string{
		".terraformrc": "plugin_cache_dir = \"/cache\"\n\nprovider_installation {\n  direct {}\n}\n",
		".tofurc":      "# provider_installation {}\n",
	} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := machine{system: "linux", home: home, getenv: func(string) string { return "" }}
	want := filepath.Join(home, ".terraformrc")
	if got := m.obstacles(); len(got) != 1 || got[0] != want {
		t.Errorf("%q, want %q", got, want)
	}
	if text := told("1", "/plugins", false, m.obstacles()); !strings.Contains(text, want+" has a block provider_installation") {
		t.Error(text)
	}
}

// A build of a commit has the time of the commit, any other the present time.
func TestVersionOf(t *testing.T) {
	t.Parallel()
	now := time.Date(2035, 3, 27, 23, 30, 0, 0, time.FixedZone("", 2*60*60))
	root := t.TempDir()
	if got := versionOf(t.Context(), root, now); got != "0.0.20350327213000" {
		t.Errorf("without git it is %s", got)
	}
	git := func(args ...string) {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE=2034-01-02T03:04:05+02:00")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("commit", "-q", "--allow-empty", "-m", "x")
	if got := versionOf(t.Context(), root, now); got != "0.0.20340102010405" {
		t.Errorf("of a commit it is %s", got)
	}
	if err := os.WriteFile(filepath.Join(root, "main.go"), []byte("package main"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := versionOf(t.Context(), root, now); got != "0.0.20350327213000" {
		t.Errorf("with changes it is %s", got)
	}
}

// Before minutes of silence, install says what it does; what Go says is shown.
func TestInstall_saysWhatHappens(t *testing.T) {
	t.Parallel()
	m := machine{system: "linux", home: t.TempDir(), getenv: func(string) string { return "" }, exists: func(string) bool { return false }}
	var out, progress strings.Builder
	if err := m.install(t.Context(), t.TempDir(), &out, &progress); err == nil || !strings.HasPrefix(out.String(), "Building the provider") || !strings.Contains(progress.String(), "go.mod") {
		t.Errorf("%v: %q, %q", err, out.String(), progress.String())
	}
}

// Flags of the compiler would compile all packages again that the other commands have compiled;
// those of the linker do not.
func TestBuild_compilesAsTheOtherCommands(t *testing.T) {
	t.Parallel()
	cmd := build(t.Context(), ".", "0.0.1", "x")
	if got := strings.Join(cmd.Args[1:], " "); got != "build -buildvcs=false -ldflags=-s -w -X main.version=0.0.1 -o x ." || cmd.Env != nil {
		t.Errorf("%s, with the environment %v", got, cmd.Env)
	}
}

// The same program again is no replacement, another one is.
func TestPlace(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "plugins", "1")
	for _, test := range []struct {
		content  string
		replaced bool
	}{{"one", false}, {"one", false}, {"two", true}} {
		built := filepath.Join(t.TempDir(), "program")
		if err := os.WriteFile(built, []byte(test.content), 0o755); err != nil {
			t.Fatal(err)
		}
		replaced, err := place(built, dir)
		got, _ := os.ReadFile(filepath.Join(dir, "program"))
		if err != nil || replaced != test.replaced || string(got) != test.content {
			t.Errorf("%s: replaced %t, %s, %v", test.content, replaced, got, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}
