// This file declares a module of the export, with its inputs and outputs.

package export

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

// module is a directory with a workflow and everything in it, or with the shared services.
type module struct {
	label    string
	workflow string            // its name; empty for shared services
	inputs   map[string]*input // by purpose: the key of an object, or "\x00" and what tells it from other inputs
	outputs  map[string]source
	tasks    []member        // the tasks that run the workflow
	depends  map[string]bool // the addresses on which it depends without a reference
}

// input is a variable of a module, or of the root.
type input struct {
	name        string
	typ         source
	description string
	needed      bool // it has no default
	fallback    any  // the default
	ephemeral   bool
	value       any // the value that the root passes
	refused     *validation
}

// validation is a condition on the value of an input, and what Terraform says if it is not met.
type validation struct {
	condition source
	message   string
}

func newModule(workflow string) *module {
	return &module{workflow: workflow, inputs: map[string]*input{}, outputs: map[string]source{}, depends: map[string]bool{}}
}

// isShared reports whether the module has the shared services.
func (m *module) isShared() bool { return m.workflow == "" }

// dir returns the directory of the module, with a slash at its end.
func (m *module) dir() string {
	if m == nil {
		return ""
	}
	return "modules/" + m.label + "/"
}

// prefix returns the prefix of the addresses of the module's resources.
func (m *module) prefix() string {
	if m == nil {
		return ""
	}
	return "module." + m.label + "."
}

// versionsVariable is the variable with the versions of the secrets: a new version sends a secret again.
const versionsVariable = "secret_versions"

// Inputs and outputs that do not belong to an object.
const (
	tasksInput     = "tasks"
	workflowOutput = "workflow"
)

// notInputs are names that inputs for objects cannot have: Terraform reserves them, or they are the names
// of other inputs.
var notInputs = []string{"source", "version", "providers", "count", "for_each", "lifecycle", "depends_on", "locals", tasksInput, versionsVariable}

// add adds an input and returns the reference to it. Further calls with the same purpose return the same input. If
// another input has the name, the name gets a digest of the purpose.
func (m *module) add(purpose string, made input) source {
	if m.inputs[purpose] == nil {
		taken := slices.Contains(notInputs, made.name)
		for _, other := range m.inputs {
			taken = taken || other.name == made.name
		}
		if taken {
			digest := sha256.Sum256([]byte(purpose))
			made.name += "_" + hex.EncodeToString(digest[:3])
		}
		m.inputs[purpose] = &made
	}
	return source("var." + m.inputs[purpose].name)
}

// nameInput adds an input for the name of one object.
func (m *module) nameInput(namespace, typ, name string, value any) source {
	_, own := servicename.Split(name)
	return m.add(namespace+"\x00"+name, input{
		name: namespace + "_" + identifier(own), typ: "string", needed: true, value: value,
		description: fmt.Sprintf("The name of the %s that is called %q on the exported server.", typ, name),
	})
}

// listInput adds an input for a list of names.
func (m *module) listInput(made input) source {
	made.typ = "list(string)"
	return m.add("\x00list "+made.name, made)
}

// secretInput adds an input for a secret, and one for the versions of all secrets.
func (m *module) secretInput(variable, description string) {
	m.inputs["\x00secret "+variable] = &input{name: variable, typ: "string", ephemeral: true, description: description, value: source("var." + variable)}
	m.inputs["\x00secrets"] = &input{name: versionsVariable, typ: "map(number)", fallback: []member{}, value: source("var." + versionsVariable),
		description: "The secrets to send, by the keys in README.md of the root. Another number sends a secret again."}
}

// sorted returns the inputs, sorted by name.
func (m *module) sorted() (all []*input) {
	byName := map[string]*input{}
	for _, i := range m.inputs {
		byName[i.name] = i
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all = append(all, byName[name])
	}
	return all
}

// passedName is a name in a list whose value the root passes to a module.
type passedName struct {
	module      *module
	variable    string
	description string
	needed      bool
	value       any
}

// joined returns the value of a list. If the root passes any of its names, one input takes the place of
// all members, except for references to objects in the module.
func joined(members []any) any {
	var inside, given []any
	var list *passedName
	for _, x := range members {
		switch x := x.(type) {
		case passedName:
			list = &x
			given = append(given, x.value)
		case source:
			inside = append(inside, x)
		default:
			given = append(given, x)
		}
	}
	if list == nil {
		return members
	}
	made := input{name: list.variable, description: list.description, needed: list.needed, value: given}
	if len(inside) == 0 {
		return list.module.listInput(made)
	}
	made.fallback = []any{}
	return "concat(" + source(listExpression(inside, step)) + ", " + list.module.listInput(made) + ")"
}
