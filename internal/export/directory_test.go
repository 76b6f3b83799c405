// This file tests that the files of a directory are written together or not at all.

package export

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// temporary returns a new directory with files.
func temporary(t *testing.T, files map[string]string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	for name, content := range files {
		if err := writeFile(root, name, []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// holds fails when a directory does not hold these files, or holds one that should be "".
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

// Files change together. When one cannot be written, or is none of an export's, the others are as they
// were, and no directory is left.
func TestChangeFiles(t *testing.T) {
	t.Parallel()
	before := map[string]string{"a.tf": "a", "code/b.py": "b", "z.tf/file.tf": "in the way", "other": "o"}
	for _, c := range []struct {
		name  string
		files map[string][]byte
		want  map[string]string // nil if it fails
	}{
		{"changed, deleted, new", map[string][]byte{"a.tf": []byte("A"), "code/b.py": nil, "code/c/d.py": []byte("d")}, map[string]string{"a.tf": "A", "code/b.py": "", "code/c/d.py": "d", "other": "o"}},
		{"a directory that is a file", map[string][]byte{"a.tf": []byte("A"), "code/b.py": nil, "code/n/n.py": []byte("n"), "z.tf": []byte("z")}, nil},
		{"a file that is a directory", map[string][]byte{"a.tf": []byte("A"), "code/b.py": nil, "code/n/n.py": []byte("n"), "n.tf": []byte("n"), "n.tf/x.tf": []byte("x")}, nil},
		{"another's", map[string][]byte{"a.tf": []byte("A"), "other": []byte("O")}, nil},
		{"outside", map[string][]byte{"a.tf": []byte("A"), "code/../../b.tf": []byte("b")}, nil},
		{"hidden", map[string][]byte{"a.tf": []byte("A"), "code/.git/hooks/b.tf": []byte("b")}, nil},
	} {
		dir := temporary(t, before)
		err := changeFiles(dir, c.files)
		if (err == nil) != (c.want != nil) {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.want == nil {
			holds(t, dir, before)
			if _, err := dir.Stat("code/n"); !os.IsNotExist(err) {
				t.Errorf("%s: code/n is left", c.name)
			}
			continue
		}
		holds(t, dir, c.want)
	}
}

// A directory is new, was empty, or is as it was read. One that fails is not left.
func TestResult_write(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	empty, deep := filepath.Join(parent, "empty"), filepath.Join(parent, "not", "yet", "there")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{empty, deep} {
		root, err := openDirectory(dir)
		if err != nil || (root == nil) != (dir == deep) {
			t.Fatal(err)
		}
		if err := (&result{files: map[string][]byte{"a": nil}}).write(dir, root); err == nil {
			t.Error("a file that is none of an export's is written")
		}
		if _, err := os.Stat(dir); (root == nil) != os.IsNotExist(err) {
			t.Errorf("%s: %v", dir, err)
		}
		if err := (&result{files: map[string][]byte{"a.tf": []byte("a"), "code/b/c.py": []byte("c\r\n"), fileRecord: []byte("r")}}).write(dir, root); err != nil {
			t.Fatal(err)
		}
		if content, err := os.ReadFile(filepath.Join(dir, "code", "b", "c.py")); err != nil || string(content) != "c\r\n" { // #nosec G304 -- a test's own
			t.Errorf("%s: %q, %v", dir, content, err)
		}
		again, err := openDirectory(dir)
		if err != nil {
			t.Fatal(err)
		}
		for n, made := range []result{{}, {hasCode: true}, {hasCode: true, record: []byte("of another export")}, {hasCode: true, record: []byte("r")}} {
			made.files = map[string][]byte{"a.tf": []byte("b")}
			if err := made.write(dir, again); (err == nil) != (n == 3) || err != nil && !strings.Contains(err.Error(), "meanwhile") {
				t.Errorf("%d: %v", n, err)
			}
		}
		holds(t, again, map[string]string{"a.tf": "b"})
		if root != nil {
			_ = root.Close()
		}
		_ = again.Close()
	}
}

// While an export writes, and after it was killed, no other one begins.
func TestOpenDirectory_killed(t *testing.T) {
	t.Parallel()
	dir := temporary(t, map[string]string{"a.tf": "a", stage + "/a.tf": "before"})
	if _, err := openDirectory(dir.Name()); err == nil || !strings.Contains(err.Error(), "restore the files") {
		t.Error(err)
	}
}

// Links in the directory keep pointing, and modes stay; what a link leads out of it is refused.
func TestChangeFiles_links(t *testing.T) {
	t.Parallel()
	dir := temporary(t, map[string]string{"shared/a.tf": "a"})
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

// A new repository has no configuration, and an export may begin in it. In a directory with other files it must not.
func TestHoldsCode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		files   []string
		is      bool
		refused string
	}{
		{nil, false, ""},
		{[]string{".git/HEAD"}, false, ""},
		{[]string{".git"}, false, ""}, // of a worktree
		{[]string{".git/HEAD", ".gitignore", ".gitattributes", "README.md", "LICENSE"}, false, ""},
		{[]string{".git/HEAD", "README.md", "notes.txt"}, false, "notes.txt"},
		{[]string{"modules/a/main.tf"}, false, "modules"},
		{[]string{"notes.txt", "z.tf"}, true, ""},
	} {
		files := map[string]string{}
		for _, name := range c.files {
			files[name] = "x"
		}
		is, err := holdsCode(temporary(t, files))
		if is != c.is || (err != nil) != (c.refused != "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%v: %t, %v", c.files, is, err)
		}
	}
}

// A new export replaces no file, not even one that somebody has written while it read the server.
func TestResult_write_replacesNothing(t *testing.T) {
	t.Parallel()
	root := temporary(t, map[string]string{".git/HEAD": "x", fileReadme: "mine"})
	made := &result{files: map[string][]byte{"a.tf": []byte("a"), fileReadme: []byte("r")}}
	if err := made.write(root.Name(), root); err == nil || !strings.Contains(err.Error(), fileReadme) {
		t.Error(err)
	}
	if err := made.write(filepath.Join(root.Name(), fileReadme, "below"), nil); err == nil {
		t.Error("there is a directory below a file")
	}
	holds(t, root, map[string]string{fileReadme: "mine", "a.tf": ""})
	other := temporary(t, map[string]string{"notes.txt": "mine"})
	if err := made.write(other.Name(), other); err == nil || !strings.Contains(err.Error(), "notes.txt") {
		t.Error(err)
	}
	_ = other.Close()
	if _, err := holdsCode(other); err == nil {
		t.Error("a directory that is closed holds nothing")
	}
}
