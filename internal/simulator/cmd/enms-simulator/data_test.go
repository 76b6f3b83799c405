// The flag -data.

package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// post creates a device.
func post(t *testing.T, url, name string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/rest/instance/device", strings.NewReader(`{"name":"`+name+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.SetBasicAuth("admin", "admin")
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || string(text) != `{"success":["`+name+`"]}`+"\n" {
		t.Fatalf("%s, %v", text, err)
	}
}

// TestData: the file need not be there. It holds what a server has at its end, and the
// next one begins with it, through a link, too.
func TestData(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "data.json")
	session(t, func(url string) { post(t, url, "first") }, "-data", file)
	if runtime.GOOS != "windows" {
		info, err := os.Stat(file)
		if err != nil || info.Mode() != 0o600 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		if err := os.Chmod(file, 0o640); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(dir, "link.json")
		if err := os.Symlink(file, link); err != nil {
			t.Fatal(err)
		}
		file = link
	}
	session(t, func(url string) { post(t, url, "second") }, "-data", file)
	info, err := os.Lstat(filepath.Join(dir, "data.json"))
	if err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"first"`, `"second"`, `"Links only"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.new"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestWrongDataFile: a file that cannot be taken up or written back is told before the
// server listens, and stays as it is.
func TestWrongDataFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "data.json")
	if err := os.WriteFile(file, []byte(`{"devise":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		file:                                    `data.json: "devise" is no instance type that a file can hold`,
		filepath.Join(dir, "none", "data.json"): "none",
		dir:                                     "is a directory",
	} {
		refuses(t, want, "-data", name)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != `{"devise":[]}` {
		t.Errorf("%s, %v", text, err)
	}
}

// TestDataOfTheGuide: the file that the guide shows can be taken up.
func TestDataOfTheGuide(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "templates", "guides", "simulator.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(guide), "```json\n")
	example, _, found := strings.Cut(after, "```\n")
	if !found {
		t.Fatal("the guide shows no JSON")
	}
	if err := simulator.New(simulator.Options{}).Load(strings.NewReader(example)); err != nil {
		t.Error(err)
	}
}
