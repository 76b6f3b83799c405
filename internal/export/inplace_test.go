// This file tests that files of a directory change together or not at all.

package export

import (
	"os"
	"path/filepath"
	"testing"
)

// put writes files into a directory.
func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		if err := writeFile(filepath.Join(dir, name), []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
}

// holds fails when a directory does not hold just these files, deleted ones being "".
func holds(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, want := range files {
		content, err := os.ReadFile(filepath.Join(dir, name)) // #nosec G304 -- a test's own
		if want == "" != os.IsNotExist(err) || string(content) != want {
			t.Errorf("%s holds %q (%v), want %q", name, content, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, stage)); !os.IsNotExist(err) {
		t.Errorf("%s is left (%v)", stage, err)
	}
}

func TestChangeFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, map[string]string{"a.tf": "a", "code/b.py": "b", "other": "o"})
	if err := changeFiles(dir, map[string][]byte{"a.tf": []byte("A"), "code/b.py": nil, "code/c/d.py": []byte("d")}); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string]string{"a.tf": "A", "code/b.py": "", "code/c/d.py": "d", "other": "o"})
}

// When one file cannot be written, the others are as they were.
func TestChangeFiles_failure(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, map[string]string{"a.tf": "a", "code/b.py": "b", "z/file": "in the way"})
	if err := changeFiles(dir, map[string][]byte{"a.tf": []byte("A"), "code/b.py": nil, "n.tf": []byte("n"), "z/file/x": []byte("x")}); err == nil {
		t.Error("a file is a directory, too")
	}
	holds(t, dir, map[string]string{"a.tf": "a", "code/b.py": "b", "n.tf": "", "z/file": "in the way"})
	if err := changeFiles(dir, map[string][]byte{"a.tf": []byte("A"), "n.tf": []byte("n"), "z": []byte("a directory is here")}); err == nil {
		t.Error("a directory is a file, too")
	}
	holds(t, dir, map[string]string{"a.tf": "a", "n.tf": "", "z/file": "in the way"})
}

// An export that was killed while it wrote is undone by the next one.
func TestRecoverDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, map[string]string{"a.tf": "a", "b.tf": "b"})
	files := map[string][]byte{"a.tf": []byte("A"), "b.tf": nil, "c.tf": []byte("c")}
	if err := stageFiles(dir, []string{"a.tf", "b.tf", "c.tf"}, files); err != nil {
		t.Fatal(err)
	}
	put(t, dir, map[string]string{"a.tf": "A", "c.tf": "c"})
	if err := os.Remove(filepath.Join(dir, "b.tf")); err != nil {
		t.Fatal(err)
	}
	if restored, err := recoverDirectory(dir); err != nil || !restored {
		t.Fatalf("%t, %v", restored, err)
	}
	holds(t, dir, map[string]string{"a.tf": "a", "b.tf": "b", "c.tf": ""})
	if restored, err := recoverDirectory(dir); err != nil || restored {
		t.Errorf("a directory without traces is restored: %t, %v", restored, err)
	}
}
