// This file writes a directory: all of its files, or none.

package export

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// openDirectory opens the directory of an export, so that no name and no link in it leads out of it. It
// returns nil if the directory does not exist.
func openDirectory(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return root, err
}

// holdsCode reports whether a directory contains configuration. It returns an error if the
// directory only contains other files.
func holdsCode(root *os.Root) (bool, error) {
	if root == nil {
		return false, nil
	}
	dir := root.Name()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return false, err
	}
	for _, entry := range entries {
		if !entry.IsDir() && strings.HasSuffix(entry.Name(), ".tf") {
			return true, nil
		}
	}
	if len(entries) > 0 {
		return false, fmt.Errorf("%s is not empty and holds no configuration; export writes a directory of its own, or changes one that holds code", dir)
	}
	return false, nil
}

// writeDirectory writes files into a new directory, which replaces dir once all of them are
// written.
func writeDirectory(dir string, files map[string][]byte) (err error) {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty any more", dir)
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil { // #nosec G301 -- as mkdir does
		return err
	}
	around, err := os.MkdirTemp(filepath.Dir(dir), ".enms-export-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(around) }()
	made := filepath.Join(around, "new")          // unlike the temporary directory, it has the rights that the umask allows
	if err := os.Mkdir(made, 0o755); err != nil { // #nosec G301 -- as mkdir does
		return err
	}
	for name, content := range files {
		path := filepath.Join(made, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { // #nosec G301 -- as mkdir does
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil { // #nosec G306 -- it holds no secrets of the provider's
			return err
		}
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(made, dir)
}
