// The flag -data: a server that begins with the instances of a file and leaves them
// there.

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// load has a server take up the instances of a file. Without a file, and when there
// is none of that name yet, it stays freshly installed.
func load(server *simulator.Server, name string) error {
	if name == "" {
		return nil
	}
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return writable(name)
	}
	if err != nil {
		return err
	}
	err = server.Load(file)
	_ = file.Close() // it was only read
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return writable(name)
}

// writable makes sure, before a server has anything to lose, that the place of a file
// can be written to.
func writable(name string) error {
	name, err := target(name)
	if err != nil {
		return err
	}
	probe, err := beside(name)
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// save writes the instances of a server to a file. What was there is replaced at once
// or not at all.
func save(server *simulator.Server, name string) (err error) {
	if name == "" {
		return nil
	}
	if name, err = target(name); err != nil {
		return err
	}
	file, err := beside(name)
	if err != nil {
		return err
	}
	if info, statErr := os.Stat(name); statErr == nil {
		err = file.Chmod(info.Mode().Perm())
	}
	err = errors.Join(err, server.Save(file), file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(file.Name()))
	}
	return err
}

// target returns the file that a name stands for, which may be a link.
func target(name string) (string, error) {
	resolved, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		return name, nil
	}
	return resolved, err
}

// beside makes a new file that only its owner can read, in the directory of another.
func beside(name string) (*os.File, error) {
	return os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.new")
}
