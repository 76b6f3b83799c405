// This file writes a directory: all of it, or nothing.

package export

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// checkDirectory refuses a directory that holds something already.
func checkDirectory(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty; export writes a directory of its own", dir)
	}
	return nil
}

// writeDirectory writes files into a new directory, which takes the place of dir when all of
// them are written.
func writeDirectory(dir string, files map[string][]byte) (err error) {
	if err := checkDirectory(dir); err != nil {
		return err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil { // #nosec G301 -- as mkdir does
		return err
	}
	made, err := os.MkdirTemp(filepath.Dir(dir), ".enms-export-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(made) }() // Nothing is there when all went well.
	for name, content := range files {
		path := filepath.Join(made, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { // #nosec G301 -- as mkdir does
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil { // #nosec G306 -- it holds no secrets of the provider's
			return err
		}
	}
	if err := os.Chmod(made, 0o755); err != nil { // #nosec G302 -- as mkdir does
		return err
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(made, dir)
}
