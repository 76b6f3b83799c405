// This file changes files of a directory that has code: all of them, or none. Copies of the old files
// are kept until all files are written, so that the next export can undo an export that was killed. The
// directory may be a proposal of a stranger: nothing outside of it is read or written, and in it only
// files that an export writes.

package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// The staging directory, with the copies of files, and with the journal, which is written last.
const (
	stage   = ".enms-export.tmp"
	copies  = stage + "/old"
	journal = stage + "/journal.json"
)

// changes is the journal: what an export is about to do.
type changes struct {
	Process int      `json:"process"`
	Added   []string `json:"added"`   // new files
	Changed []string `json:"changed"` // files with a copy
}

// isExported reports whether an export may write a file with this path: the path does not lead out of
// the directory, and is hidden only if the file is one of the export's own.
func isExported(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name {
		return false
	}
	if name == fileRecord || name == fileGit {
		return true
	}
	hidden := slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return strings.HasPrefix(part, ".") })
	known := name == fileReadme || name == fileReport || strings.HasSuffix(name, ".tf") || strings.HasSuffix(name, ".csv") || strings.Contains("/"+name, "/code/")
	return known && !hidden
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
	if err := stageFiles(dir, names); err != nil {
		return errors.Join(err, dir.RemoveAll(stage))
	}
	for _, name := range names {
		if files[name] == nil {
			err = dir.Remove(name)
		} else {
			err = writeFile(dir, name, files[name])
		}
		if err != nil {
			return errors.Join(err, undo(dir))
		}
	}
	return dir.RemoveAll(stage)
}

// stageFiles copies the files that are to be changed, and writes the journal.
func stageFiles(dir *os.Root, names []string) error {
	doing := changes{Process: os.Getpid()}
	for _, name := range names {
		before, err := dir.ReadFile(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			doing.Added = append(doing.Added, name)
		case err != nil:
			return err
		default:
			doing.Changed = append(doing.Changed, name)
			if err := writeFile(dir, copies+"/"+name, before); err != nil {
				return err
			}
		}
	}
	document, err := json.Marshal(doing)
	if err != nil {
		return err
	}
	return writeFile(dir, journal, document)
}

func writeFile(dir *os.Root, name string, content []byte) error {
	if err := dir.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	return dir.WriteFile(name, content, 0o644)
}

// undo restores a directory that an export may have changed in part.
func undo(dir *os.Root) error {
	document, err := dir.ReadFile(journal)
	if errors.Is(err, fs.ErrNotExist) {
		return dir.RemoveAll(stage) // no file was changed yet
	}
	if err != nil {
		return err
	}
	var done changes
	if err := json.Unmarshal(document, &done); err != nil {
		return fmt.Errorf("%s: %w", journal, err)
	}
	for _, name := range slices.Concat(done.Added, done.Changed) {
		if !isExported(name) {
			return fmt.Errorf("%s names %q, which no export writes: look at %s, and delete it", journal, name, stage)
		}
	}
	for _, name := range done.Changed {
		before, err := dir.ReadFile(copies + "/" + name)
		if err == nil {
			err = writeFile(dir, name, before)
		}
		if err != nil {
			return fmt.Errorf("the directory could not be restored: what it had is in %s: %w", copies, err)
		}
	}
	for _, name := range done.Added {
		if err := dir.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return dir.RemoveAll(stage)
}

// recoverDirectory restores a directory after an export that was killed, and reports whether there was
// such an export. It returns an error if that export is still running, or if check is set, because
// nothing may be written then.
func recoverDirectory(dir *os.Root, check bool) (bool, error) {
	if _, err := dir.Lstat(stage); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	var done changes
	document, err := dir.ReadFile(journal)
	if err == nil && json.Unmarshal(document, &done) == nil && isRunning(done.Process) {
		return false, errors.New("another export is writing into the directory: wait until it is done")
	}
	if check {
		return false, fmt.Errorf("an export into the directory was killed while it wrote: run it without -check, which restores what was there, or look at %s and delete it", stage)
	}
	return true, undo(dir)
}

// isRunning reports whether another process with an id is running.
func isRunning(id int) bool {
	if id <= 0 || id == os.Getpid() {
		return false
	}
	process, err := os.FindProcess(id)
	return err == nil && process.Signal(syscall.Signal(0)) == nil
}
