// This file sets up the tests that run the program and Terraform, and has what they do with files.

package docstest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

func TestMain(m *testing.M) { acctest.Main(m) }

func readFile(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// textsOf returns the texts of files of this repository.
func textsOf(t *testing.T, patterns ...string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(acctest.Repository, filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			texts[file] = readFile(t, file)
		}
	}
	return texts
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// writeBelow writes a file in a directory, which it makes.
func writeBelow(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, file, text)
}

// writeProgram writes a script that can be run.
func writeProgram(t *testing.T, file, script string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
}

func copyDirectory(t *testing.T, to, from string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}
