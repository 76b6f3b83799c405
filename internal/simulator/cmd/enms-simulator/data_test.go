// The flag -data.

package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// TestData: the server begins with the instances of a file.
func TestData(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "data.json")
	if err := os.WriteFile(file, []byte(`{"device":[{"name":"first"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stdout, in := io.Pipe()
	code := make(chan int, 1)
	go func() { code <- run(ctx, []string{"-listen", "127.0.0.1:0", "-data", file}, in, io.Discard) }()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, greeted(t, stdout)+"/rest/instance/device/first", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.SetBasicAuth("admin", "admin")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	cancel()
	if ended := <-code; answer.StatusCode != http.StatusOK || ended != 0 {
		t.Errorf("status %d, exit code %d", answer.StatusCode, ended)
	}
}

// TestWrongDataFile: the command does not serve without the instances that it should begin with.
func TestWrongDataFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "data.json")
	if err := os.WriteFile(file, []byte(`{"devise":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		file:                            `data.json: "devise" is no instance type that a file can hold`,
		filepath.Join(dir, "none.json"): "none.json",
		dir:                             "is a directory",
	} {
		var stderr strings.Builder
		if code := run(t.Context(), []string{"-listen", "127.0.0.1:0", "-data", name}, io.Discard, &stderr); code != 2 || !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: exit code %d, %s", name, code, stderr.String())
		}
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
