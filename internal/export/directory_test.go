// This file tests that a directory is written as a whole or not at all.

package export

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWriteDirectory(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	empty, absent, deep := filepath.Join(parent, "empty"), filepath.Join(parent, "absent"), filepath.Join(parent, "not", "yet", "there")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{empty, absent, deep} {
		if err := writeDirectory(dir, map[string][]byte{"a.tf": []byte("a"), "code/b/c.py": []byte("c\r\n")}); err != nil {
			t.Fatal(err)
		}
		if content, err := os.ReadFile(filepath.Join(dir, "code", "b", "c.py")); err != nil || string(content) != "c\r\n" {
			t.Errorf("%s: %q, %v", dir, content, err)
		}
		if err := writeDirectory(dir, map[string][]byte{"a.tf": []byte("another")}); err == nil {
			t.Errorf("%s is written although it is not empty", dir)
		}
		if content, err := os.ReadFile(filepath.Join(dir, "a.tf")); err != nil || string(content) != "a" {
			t.Errorf("%s: %q, %v", dir, content, err)
		}
	}
}

// The directory has the rights that mkdir gives one, within the umask.
func TestWriteDirectory_rights(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	dir, plain := filepath.Join(parent, "dir"), filepath.Join(parent, "plain")
	if err := writeDirectory(dir, map[string][]byte{"a.tf": []byte("a")}); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(plain, 0o755); err != nil {
		t.Fatal(err)
	}
	got, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(plain)
	if err != nil {
		t.Fatal(err)
	}
	if got.Mode() != want.Mode() {
		t.Errorf("the directory has the mode %v, want %v", got.Mode(), want.Mode())
	}
}

func TestWriteDirectory_failure(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	dir := filepath.Join(parent, "dir")
	if err := writeDirectory(dir, map[string][]byte{"a": nil, "a/b": nil}); err == nil { // a file and a directory
		t.Error("a file is a directory, too")
	}
	if entries, err := os.ReadDir(parent); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v is left", entries, err)
	}
}
