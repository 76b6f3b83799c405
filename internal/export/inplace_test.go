// This file tests that files of a directory change together or not at all.

package export

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// put writes files into a directory.
func put(t *testing.T, dir *os.Root, files map[string]string) {
	t.Helper()
	for name, content := range files {
		if err := writeFile(dir, name, []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
}

// temporary returns a new directory.
func temporary(t *testing.T) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root
}

// holds fails when a directory does not hold just these files, deleted ones being "".
func holds(t *testing.T, dir *os.Root, files map[string]string) {
	t.Helper()
	for name, want := range files {
		content, err := dir.ReadFile(name)
		if want == "" != os.IsNotExist(err) || string(content) != want {
			t.Errorf("%s holds %q (%v), want %q", name, content, err, want)
		}
	}
	if _, err := dir.Stat(stage); !os.IsNotExist(err) {
		t.Errorf("%s is left (%v)", stage, err)
	}
}

func TestChangeFiles(t *testing.T) {
	t.Parallel()
	dir := temporary(t)
	put(t, dir, map[string]string{"a.tf": "a", "code/b.py": "b", "other": "o"})
	if err := changeFiles(dir, map[string][]byte{"a.tf": []byte("A"), "code/b.py": nil, "code/c/d.py": []byte("d")}); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string]string{"a.tf": "A", "code/b.py": "", "code/c/d.py": "d", "other": "o"})
}

// When one file cannot be written, the others are as they were.
func TestChangeFiles_failure(t *testing.T) {
	t.Parallel()
	dir := temporary(t)
	put(t, dir, map[string]string{"a.tf": "a", "code/b.py": "b", "z.tf/file.tf": "in the way"})
	if err := changeFiles(dir, map[string][]byte{"a.tf": []byte("A"), "code/b.py": nil, "n.tf": []byte("n"), "z.tf/file.tf/x.tf": []byte("x")}); err == nil {
		t.Error("a file is a directory, too")
	}
	holds(t, dir, map[string]string{"a.tf": "a", "code/b.py": "b", "n.tf": "", "z.tf/file.tf": "in the way"})
	if err := changeFiles(dir, map[string][]byte{"a.tf": []byte("A"), "n.tf": []byte("n"), "z.tf": []byte("a directory is here")}); err == nil {
		t.Error("a directory is a file, too")
	}
	holds(t, dir, map[string]string{"a.tf": "a", "n.tf": "", "z.tf/file.tf": "in the way"})
}

// An export that was killed while it wrote is undone by the next one.
func TestRecoverDirectory(t *testing.T) {
	t.Parallel()
	dir := temporary(t)
	put(t, dir, map[string]string{"a.tf": "a", "b.tf": "b"})
	if err := stageFiles(dir, []string{"a.tf", "b.tf", "c.tf"}); err != nil {
		t.Fatal(err)
	}
	put(t, dir, map[string]string{"a.tf": "A", "c.tf": "c"})
	if err := dir.Remove("b.tf"); err != nil {
		t.Fatal(err)
	}
	if restored, err := recoverDirectory(dir, true); err == nil || restored {
		t.Errorf("-check restores: %t, %v", restored, err)
	}
	if restored, err := recoverDirectory(dir, false); err != nil || !restored {
		t.Fatalf("%t, %v", restored, err)
	}
	holds(t, dir, map[string]string{"a.tf": "a", "b.tf": "b", "c.tf": ""})
	if restored, err := recoverDirectory(dir, false); err != nil || restored {
		t.Errorf("a directory without traces is restored: %t, %v", restored, err)
	}
}

// A directory may be a stranger's proposal: what a journal names outside of it, or where an export
// never writes, is neither read, written nor deleted, and links out of it are not followed.
func TestRecoverDirectory_hostile(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	outside := filepath.Join(parent, "outside.tf")
	if err := os.WriteFile(outside, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../outside.tf", outside, ".git/hooks/post-checkout", "code/../../outside.tf", "link/outside.tf", ""} {
		for _, document := range []string{`{"added":["` + name + `"]}`, `{"changed":["` + name + `"]}`} {
			dir := temporary(t)
			put(t, dir, map[string]string{"a.tf": "a", ".git/hooks/post-checkout": "theirs", journal: document, copies + "/.git/hooks/post-checkout": "hostile"})
			if err := os.Symlink(parent, filepath.Join(dir.Name(), "link")); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(parent, filepath.Join(dir.Name(), copies, "link")); err != nil {
				t.Fatal(err)
			}
			if _, err := recoverDirectory(dir, false); err == nil {
				t.Errorf("%s: there is no error", document)
			}
			if content, err := os.ReadFile(outside); err != nil || string(content) != "mine" { // #nosec G304 -- a test's own
				t.Errorf("%s: the file outside holds %q, %v", document, content, err)
			}
			if content, err := dir.ReadFile(".git/hooks/post-checkout"); err != nil || string(content) != "theirs" {
				t.Errorf("%s: the hook holds %q, %v", document, content, err)
			}
		}
	}
}

// Links in the directory keep pointing, and modes stay; what a link leads out of it is refused.
func TestChangeFiles_links(t *testing.T) {
	t.Parallel()
	dir := temporary(t)
	put(t, dir, map[string]string{"shared/a.tf": "a"})
	if err := os.Symlink("shared/a.tf", filepath.Join(dir.Name(), "a.tf")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir.Name(), "shared", "a.tf"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := changeFiles(dir, map[string][]byte{"a.tf": []byte("A")}); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string]string{"shared/a.tf": "A", "a.tf": "A"})
	if at, err := dir.Lstat("a.tf"); err != nil || at.Mode()&os.ModeSymlink == 0 {
		t.Errorf("a.tf is no link: %v, %v", at.Mode(), err)
	}
	if at, err := dir.Stat("shared/a.tf"); err != nil || at.Mode().Perm() != 0o600 {
		t.Errorf("it has the mode %v: %v", at.Mode(), err)
	}
	outside := filepath.Join(t.TempDir(), "code")
	if err := os.Mkdir(outside, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir.Name(), "code")); err != nil {
		t.Fatal(err)
	}
	if err := changeFiles(dir, map[string][]byte{"code/x.py": []byte("x")}); err == nil || !strings.Contains(err.Error(), "code") {
		t.Errorf("a link out of the directory is followed: %v", err)
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
		t.Errorf("outside are %v, %v", entries, err)
	}
}
