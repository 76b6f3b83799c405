// This file opens the directory of an export, and writes its files: all of them or none. The directory
// may be a proposal of a stranger: nothing outside of it is read or written, and in it only files that an
// export writes.

package export

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
)

// stage is the directory with copies of the files that an export changes. It exists while the export writes, and
// remains if that was killed meanwhile.
const stage = ".enms-export.tmp"

// openDirectory opens the directory of an export, so that no name and no link in it leads out of it. It
// returns nil if the directory does not exist.
func openDirectory(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if _, err := root.Lstat(stage); !errors.Is(err, fs.ErrNotExist) {
		_ = root.Close()
		return nil, fmt.Errorf("%s exists: another export is writing, or one was killed while it wrote. If it was killed, restore the files, of which copies are in there, and delete it", path.Join(dir, stage))
	}
	return root, nil
}

// newRepository has what a new repository contains before it has configuration. An export changes none of it.
var newRepository = []string{".git", ".gitignore", fileGit, fileReadme, "LICENSE", "LICENSE.md", "LICENSE.txt"}

// holdsCode reports whether a directory contains configuration. It returns an error if the
// directory contains other files than those of a new repository, and no configuration.
func holdsCode(root *os.Root) (bool, error) {
	if root == nil {
		return false, nil
	}
	dir := root.Name()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return false, err
	}
	other := ""
	for _, entry := range entries {
		if !entry.IsDir() && strings.HasSuffix(entry.Name(), ".tf") {
			return true, nil
		}
		if !slices.Contains(newRepository, entry.Name()) {
			other = cmp.Or(other, entry.Name())
		}
	}
	if other != "" {
		return false, fmt.Errorf("%s is not empty and holds no configuration: it has %q; export writes a directory of its own, or changes one that holds code", dir, other)
	}
	return false, nil
}

// write writes the files of the export into a directory, which is new if root is nil, unless somebody has
// changed the directory since it was read.
func (made *result) write(dir string, root *os.Root) (err error) {
	if root == nil {
		if err := os.MkdirAll(dir, 0o755); err != nil { // #nosec G301 -- as mkdir does
			return err
		}
		if root, err = os.OpenRoot(dir); err != nil {
			return err
		}
		defer func() {
			_ = root.Close()
			if err != nil {
				_ = os.Remove(dir) // if it is empty
			}
		}()
	}
	hasCode, err := holdsCode(root)
	if err != nil {
		return err
	}
	record, _ := root.ReadFile(fileRecord)
	if hasCode != made.hasCode || !bytes.Equal(record, made.record) {
		return errors.New("somebody has changed the directory meanwhile. Run this export again")
	}
	if !made.hasCode { // a new export replaces no file
		for name := range made.files {
			if _, err := root.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%s exists by now. Run this export again", name)
			}
		}
	}
	return changeFiles(root, made.files)
}

// changeFiles changes files of a directory. A file whose content is nil is deleted. Links and modes
// stay.
func changeFiles(dir *os.Root, files map[string][]byte) (err error) {
	names := slices.Sorted(maps.Keys(files))
	for _, name := range names {
		if !isExported(name) {
			return fmt.Errorf("%q is not the name of a file that an export writes", name)
		}
	}
	if err := dir.Mkdir(stage, 0o700); err != nil {
		return fmt.Errorf("another export may be writing: %w", err)
	}
	before := map[string][]byte{}
	for _, name := range names {
		content, err := dir.ReadFile(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err == nil:
			before[name] = content
			err = writeFile(dir, stage+"/"+name, content)
		}
		if err != nil {
			return errors.Join(err, dir.RemoveAll(stage))
		}
	}
	for n, name := range names {
		if err := changeFile(dir, name, files[name]); err != nil {
			return errors.Join(err, undo(dir, names[:n+1], before))
		}
	}
	return dir.RemoveAll(stage)
}

// undo restores files to what they were before. If that fails, the copies stay.
func undo(dir *os.Root, names []string, before map[string][]byte) error {
	for _, name := range names {
		if content, was := before[name]; was {
			if err := changeFile(dir, name, content); err != nil {
				return fmt.Errorf("the directory could not be restored: what it had is in %s: %w", stage, err)
			}
			continue
		}
		for ; name != "."; name = path.Dir(name) { // with the directories that are empty without it
			if dir.Remove(name) != nil {
				break
			}
		}
	}
	return dir.RemoveAll(stage)
}

// changeFile writes a file, or deletes it if content is nil.
func changeFile(dir *os.Root, name string, content []byte) error {
	if content == nil {
		return dir.Remove(name)
	}
	return writeFile(dir, name, content)
}

func writeFile(dir *os.Root, name string, content []byte) error {
	if err := dir.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	return dir.WriteFile(name, content, 0o644)
}

// isExported reports whether an export may write a file with this path: the path does not lead out of
// the directory, and is hidden only if the file is one of the export's own. The record, which names
// files, may be a stranger's.
func isExported(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name {
		return false
	}
	if name == fileRecord || name == fileGit {
		return true
	}
	hidden := slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return strings.HasPrefix(part, ".") })
	known := name == fileReadme || name == fileReport || slices.Contains([]string{".tf", ".csv", ".yaml"}, path.Ext(name)) || exportmerge.IsText(name)
	return known && !hidden
}
