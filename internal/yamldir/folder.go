// This file declares the folders, and the keys that are not attributes.

package yamldir

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// Folder is a folder of the directory: its files hold the objects of a kind.
type Folder struct {
	Name string
	Kind string // the name of the kind
	// Steps: the files hold workflows, each with its steps. Otherwise, they hold no workflows.
	Steps bool
}

// Folders are the folders of the directory, in the order in which their objects are created.
var Folders = []Folder{
	{Name: "devices", Kind: "device"},
	{Name: "links", Kind: "link"},
	{Name: "pools", Kind: "pool"},
	{Name: "credentials", Kind: "credential"},
	{Name: "workflows", Kind: "service", Steps: true},
	{Name: "services", Kind: "service"},
	{Name: "tasks", Kind: "task"},
}

// FromFile is the suffix of a key whose value is the path of a file: source_code_from_file is read as source_code.
const FromFile = "_from_file"

// The keys of a workflow and of its steps that are not attributes. They become edges.
const (
	keySteps     = "steps"
	keyStart     = "start"
	keyOnSuccess = "on_success"
	keyOnFailure = "on_failure"
)

// workflowType is the type of the objects in a folder with Steps.
const workflowType = "workflow"

// ofSteps are attributes that a step does not have: the module sets them, or the name tells them.
var ofSteps = []string{"workflows", "shared", "scoped_name", "superworkflow", "placeholder"}

// FolderNamed returns the folder with a name.
func FolderNamed(name string) (f Folder, is bool) {
	i := slices.IndexFunc(Folders, func(f Folder) bool { return f.Name == name })
	if i < 0 {
		return f, false
	}
	return Folders[i], true
}

// kindOf returns the kind of the objects in the folder.
func (f Folder) kindOf(kinds []*kind.Kind) *kind.Kind { return kind.Named(kinds, f.Kind) }

// Resource is a resource enms_instances of the module.
type Resource struct {
	Address string // without the type of the resource
	Each    bool   // it has for_each over the names of the objects, with one entry each
}

// Resource returns the resource of the module that has the devices or links of a type.
func (f Folder) Resource(typ string) Resource {
	switch {
	case f.Kind == "link":
		return Resource{Address: "link", Each: true}
	case typ == "gateway": // they are created before the devices that name them
		return Resource{Address: "gateways[0]"}
	}
	return Resource{Address: f.Name + `["` + typ + `"]`}
}
