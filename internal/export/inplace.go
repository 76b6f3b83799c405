// This file changes files of a directory: all of them, or none. Copies of the old files are kept
// until all are written, so that the next export can undo one that was killed.

package export

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The staging directory, the directories in it, and the file that lists the added files.
const (
	stage      = ".enms-export.tmp"
	stageNew   = "new"
	stageOld   = "old"
	stageAdded = "added"
)

// changeFiles changes files of a directory; nil deletes one.
func changeFiles(dir string, files map[string][]byte) (err error) {
	names := slices.Sorted(maps.Keys(files))
	at := filepath.Join(dir, stage)
	if err := os.RemoveAll(at); err != nil {
		return err
	}
	if err := stageFiles(dir, names, files); err != nil {
		_ = os.RemoveAll(at)
		return err
	}
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if files[name] == nil {
			err = os.Remove(path)
		} else {
			err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.Rename(filepath.Join(at, stageNew, filepath.FromSlash(name)), path)) // #nosec G301 -- as mkdir does
		}
		if err != nil {
			return errors.Join(err, undo(dir))
		}
	}
	return os.RemoveAll(at)
}

// stageFiles writes the new files, and copies of the files that they replace, to the staging
// directory. It writes the list of added files last: if that exists, undo has all that it needs.
func stageFiles(dir string, names []string, files map[string][]byte) error {
	at := filepath.Join(dir, stage)
	var added []string
	for _, name := range names {
		before, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))) // #nosec G304 -- of the directory that was named
		switch {
		case errors.Is(err, fs.ErrNotExist):
			added = append(added, name)
		case err != nil:
			return err
		default:
			if err := writeFile(filepath.Join(at, stageOld, filepath.FromSlash(name)), before); err != nil {
				return err
			}
		}
		if files[name] == nil {
			continue
		}
		if err := writeFile(filepath.Join(at, stageNew, filepath.FromSlash(name)), files[name]); err != nil {
			return err
		}
	}
	return writeFile(filepath.Join(at, stageAdded), []byte(strings.Join(added, "\n")))
}

func writeFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { // #nosec G301 -- as mkdir does
		return err
	}
	return os.WriteFile(path, content, 0o644) // #nosec G306 -- it holds no secrets of the provider's
}

// undo restores a directory that an export may have changed in part.
func undo(dir string) error {
	at := filepath.Join(dir, stage)
	list, err := os.ReadFile(filepath.Join(at, stageAdded)) // #nosec G304 -- of the directory that was named
	if errors.Is(err, fs.ErrNotExist) {
		return os.RemoveAll(at) // no file was changed yet
	}
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(string(list), "\n") {
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); name != "" && err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	old := filepath.Join(at, stageOld)
	err = filepath.WalkDir(old, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(old, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path) // #nosec G304 -- of the directory that was named
		if err != nil {
			return err
		}
		return writeFile(filepath.Join(dir, name), content)
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s could not be restored: what it held is in %s: %w", dir, old, err)
	}
	return os.RemoveAll(at)
}

// recoverDirectory restores a directory after an export that was killed, and reports whether
// there was one.
func recoverDirectory(dir string) (bool, error) {
	if _, err := os.Stat(filepath.Join(dir, stage)); err != nil {
		return false, nil //nolint:nilerr // there is nothing to restore
	}
	return true, undo(dir)
}
