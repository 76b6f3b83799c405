// This file reads the files of a directory and finds the resources in them.

package existing

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Directory is the configuration of a directory, without its modules.
type Directory struct {
	Resources []*Resource // in the order of the files and of their lines

	files     map[string]*File
	read      func(name string) ([]byte, error)
	variables map[string]cty.Value
	locals    map[string]hclsyntax.Expression
}

// Resource is a block of a resource.
type Resource struct {
	File  *File
	Block *hclsyntax.Block
	Type  string
	Label string
}

// Address returns the address of the resource.
func (r *Resource) Address() string { return r.Type + "." + r.Label }

// Attribute returns an attribute of the block, or nil if it has none.
func (r *Resource) Attribute(name string) *hclsyntax.Attribute { return r.Block.Body.Attributes[name] }

// Read reads the configuration of a directory. Files in changed take precedence over those of the
// directory; nil means that a file is deleted.
func Read(dir string, changed map[string][]byte) (*Directory, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	read := func(name string) ([]byte, error) {
		if content, is := changed[name]; is && content == nil {
			return nil, fs.ErrNotExist
		} else if is {
			return content, nil
		}
		return os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))) // #nosec G304 -- file() is kept inside of the directory
	}
	names := slices.Collect(maps.Keys(changed))
	for _, entry := range entries {
		if !entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	files := map[string][]byte{}
	for _, name := range names {
		if !strings.HasSuffix(name, ".tf") && !isVariables(name) {
			continue
		}
		content, err := read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		files[name] = content
	}
	return Parse(files, read)
}

// isVariables reports whether Terraform reads values of variables from a file with this name
// automatically.
func isVariables(name string) bool {
	return name == "terraform.tfvars" || strings.HasSuffix(name, ".auto.tfvars")
}

// Parse parses files, which are given by name. It calls read for files that expressions refer to.
func Parse(files map[string][]byte, read func(name string) ([]byte, error)) (*Directory, error) {
	d := &Directory{files: map[string]*File{}, read: read, variables: map[string]cty.Value{}, locals: map[string]hclsyntax.Expression{}}
	values := []*File{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasSuffix(name, ".tf") && !isVariables(name) || strings.Contains(name, "/") {
			continue
		}
		f, err := newFile(name, files[name])
		if err != nil {
			return nil, err
		}
		if isVariables(name) {
			values = append(values, f)
			continue
		}
		d.files[name] = f
		d.gather(f)
	}
	d.setVariables(values)
	return d, nil
}

// gather finds what a file declares.
func (d *Directory) gather(f *File) {
	for _, b := range f.Body.Blocks {
		switch {
		case b.Type == "resource" && len(b.Labels) == 2:
			d.Resources = append(d.Resources, &Resource{File: f, Block: b, Type: b.Labels[0], Label: b.Labels[1]})
		case b.Type == "locals":
			for name, a := range b.Body.Attributes {
				d.locals[name] = a.Expr
			}
		case b.Type == "variable" && len(b.Labels) == 1:
			d.variables[b.Labels[0]] = cty.DynamicVal
			if a := b.Body.Attributes["default"]; a != nil {
				if v, diags := a.Expr.Value(nil); !diags.HasErrors() && !v.IsNull() {
					d.variables[b.Labels[0]] = v
				}
			}
		}
	}
}

// setVariables sets the variables that Terraform would set from defaults and files. It does not
// read the environment.
func (d *Directory) setVariables(values []*File) {
	for _, f := range values {
		for name, a := range f.Body.Attributes {
			if v, diags := a.Expr.Value(nil); !diags.HasErrors() {
				d.variables[name] = v
			}
		}
	}
	for name := range d.variables {
		if _, set := os.LookupEnv("TF_VAR_" + name); set {
			d.variables[name] = cty.DynamicVal
		}
	}
}

// Files returns the files, sorted by name.
func (d *Directory) Files() []*File {
	var all []*File
	for _, name := range slices.Sorted(maps.Keys(d.files)) {
		all = append(all, d.files[name])
	}
	return all
}

// File returns a file, which is new if there is none with this name.
func (d *Directory) File(name string) *File {
	if d.files[name] == nil {
		d.files[name] = &File{Name: name, Body: &hclsyntax.Body{}, formatted: true}
	}
	return d.files[name]
}

// Has reports whether the directory has a file.
func (d *Directory) Has(name string) bool { return d.files[name] != nil }

// Content returns the content of a file that expressions refer to.
func (d *Directory) Content(name string) ([]byte, error) { return d.read(name) }

// Resource returns the resource with an address, or nil if there is none.
func (d *Directory) Resource(address string) *Resource {
	for _, r := range d.Resources {
		if r.Address() == address {
			return r
		}
	}
	return nil
}

// Blocks calls do for each block of a type, with the file that it is in.
func (d *Directory) Blocks(typ string, do func(*File, *hclsyntax.Block)) {
	for _, f := range d.Files() {
		for _, b := range f.Body.Blocks {
			if b.Type == typ {
				do(f, b)
			}
		}
	}
}

// Position returns the file and the line of a range, such as "main.tf:12".
func Position(r hcl.Range) string { return r.Filename + ":" + strconv.Itoa(r.Start.Line) }
