// This file declares the folders, and the keys that are not attributes.

package yamldir

import (
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

// Folder is a folder of the directory: its files hold the objects of a kind.
type Folder struct {
	Name string
	Kind string // the name of the kind
	// Steps: the files hold workflows, each with its steps. Otherwise, they hold no workflows.
	Steps bool
	each  string // the resource of the module that has for_each over the names of the objects; "" if it is another one
	types bool   // the module has a resource for each type
}

// Folders are the folders of the directory, in the order in which their objects are created.
var Folders = []Folder{
	{Name: "devices", Kind: "device", types: true},
	{Name: "links", Kind: "link", each: "link"},
	{Name: "pools", Kind: "pool"},
	{Name: "credentials", Kind: "credential"},
	{Name: "workflows", Kind: "service", Steps: true},
	{Name: "services", Kind: "service", types: true},
	{Name: "tasks", Kind: "task", each: "task"},
}

// FromFile is the suffix of a key whose value is the path of a file: source_code_from_file is read as source_code.
const FromFile = "_from_file"

// The keys of a workflow and of its steps that are not attributes. They become edges.
const (
	KeySteps     = "steps"
	KeyStart     = "start"
	KeyOnSuccess = "on_success"
	KeyOnFailure = "on_failure"
)

// The keys of a workflow that become its layout, and the key of a label with its position. A position is a pair of numbers:
// a key y would be true in YAML.
const (
	KeyPositions = "positions"
	KeyLabels    = "labels"
	KeyPosition  = "position"
)

// The names of the first and the last service of each workflow in its file.
const (
	Start = "Start"
	End   = "End"
)

// workflowType is the type of the objects in a folder with Steps.
const workflowType = "workflow"

// notOfSteps are attributes that a step does not have: the module sets them, or the name tells them.
var notOfSteps = []string{"workflows", "shared", "scoped_name", "superworkflow", "placeholder"}

// FolderNamed returns the folder with a name.
func FolderNamed(name string) (f Folder, is bool) {
	i := slices.IndexFunc(Folders, func(f Folder) bool { return f.Name == name })
	if i < 0 {
		return f, false
	}
	return Folders[i], true
}

// Resource is a resource enms_instances of the module.
type Resource struct {
	Address string // without the type of the resource
	Each    bool   // it has for_each over the names of the objects, with one entry each
}

// Resource returns the resource of the module that has the objects of a type.
func (f Folder) Resource(typ string) Resource {
	switch {
	case f.each != "":
		return Resource{Address: f.each, Each: true}
	case typ == "gateway": // they are created before the devices that name them
		return Resource{Address: "gateways[0]"}
	case f.types:
		return Resource{Address: f.Name + `["` + typ + `"]`}
	}
	return Resource{Address: f.Name + "[0]"}
}

// Steps returns the resource of the module that has the steps of a type in the file of a workflow.
func Steps(file, typ string) Resource { return Resource{Address: `steps["` + file + "/" + typ + `"]`} }

// StepName returns what the file of a workflow calls one of its services: its own name, or its full name if it is shared
// or has a name of which the module would make another one. It returns "" if the file cannot name it.
func StepName(workflow, service string) string {
	scope, own := servicename.Split(service)
	switch isEnd := own == Start || own == End; {
	case scope == servicename.Shared && isEnd:
		return own
	case scope == workflow && !isEnd && !strings.HasPrefix(own, "[") && servicename.Join(workflow, own) == service:
		return own
	case strings.HasPrefix(service, "["):
		return service
	}
	return ""
}

// CanHave reports whether the files in the folder can have a key for an attribute or a property of an exported object: the
// module does not read something else in it. An export has neither secrets nor services, edges, positions and labels of a
// workflow: these are relations, and parts of its layout.
func (f Folder) CanHave(key string) bool {
	return key != KeySteps && !(f.Steps && key == KeyStart) && !strings.HasSuffix(key, FromFile)
}

// StepCanHave reports whether a step can have a key that an object in another folder can have.
func StepCanHave(key string) bool {
	return !slices.Contains(notOfSteps, key) && key != KeyOnSuccess && key != KeyOnFailure
}
