// This file makes the JSON Schema of the files in a folder.

package yamldir

import (
	"maps"
	"reflect"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// dialect is the version of JSON Schema.
const dialect = "https://json-schema.org/draft/2020-12/schema"

// Options are what a site has that the tables do not know, and which files are described.
type Options struct {
	Properties []string // custom properties; any value is allowed
	Types      []string // types of its own; their objects may have any key
	Defaults   bool     // describe _defaults.yaml of a folder in place of the other files
}

// maker makes the schema of a folder.
type maker struct {
	Options
	folder Folder
	kind   *kind.Kind
}

// Schema returns the JSON Schema of the files in a folder.
func Schema(kinds []*kind.Kind, f Folder, o Options) map[string]any {
	m := maker{Options: o, folder: f, kind: kind.Named(kinds, f.Kind)}
	s := schema{"$schema": dialect, "title": f.Name + " of eNMS", "description": m.kind.Summary}
	if o.Defaults {
		s["title"] = "defaults for " + f.Name + " of eNMS"
		maps.Copy(s, m.object(m.ownTypes(), nil))
		return s
	}
	keys := schema{kind.RowName: name("The name. Changing it replaces the " + m.kind.Name + ", unless it is renamed by the variable renames.")}
	definitions := schema{}
	s["$defs"] = definitions
	if f.Steps {
		definitions["step"] = m.step()
		keys[KeySteps] = schema{"description": "The steps of the workflow, by name.", "type": "object",
			"propertyNames":        schema{"minLength": 1, "pattern": namePattern, "not": schema{"enum": []any{Start, End}}},
			"additionalProperties": schema{"$ref": "#/$defs/step"}}
		keys[KeyPositions] = schema{"description": "The positions of steps in the Workflow Builder, by their names: pairs [x, y]. Defaults to positions that follow from the edges.",
			"type": "object", "additionalProperties": position}
		keys[KeyLabels] = schema{"description": "The labels of the workflow in the Workflow Builder, by keys of your own.", "type": "object", "additionalProperties": label}
		keys[KeyStart] = names("The steps with which the workflow begins. Defaults to the step to which no other step leads.")
	}
	object := m.object(m.ownTypes(), keys)
	object["required"] = []any{kind.RowName}
	if f.Steps { // the module knows a workflow by its file
		maps.Copy(s, object)
		return s
	}
	definitions["object"] = object
	s["if"] = schema{"type": "array"}
	s["then"] = schema{"items": schema{"$ref": "#/$defs/object"}}
	s["else"] = schema{"$ref": "#/$defs/object"}
	return s
}

// ownTypes returns the types of the objects in the folder; none if the kind has no subtypes.
func (m maker) ownTypes() []string {
	if !m.kind.HasSubtypes() {
		return nil
	}
	if m.folder.Steps {
		return []string{workflowType}
	}
	return m.otherTypes()
}

// otherTypes returns the known types of the kind that are no workflows, and those of the site.
func (m maker) otherTypes() []string {
	return slices.Concat(slices.DeleteFunc(m.kind.KnownTypes(), func(typ string) bool { return typ == workflowType }), m.Types)
}

// object returns the schema of an object of one of the types. keys are its keys that are not attributes.
func (m maker) object(types []string, keys schema) schema {
	common := schema{}
	for _, rows := range [][]kind.Attribute{m.kind.Attributes, m.kind.Properties, m.kind.ListedBy} {
		m.addRows(common, rows)
	}
	for _, property := range m.Properties {
		common[property] = true
	}
	maps.Copy(common, keys)
	s := schema{"type": "object", "properties": common}
	if len(types) == 0 {
		s["additionalProperties"] = false
		return s
	}
	typeRow := m.kind.Table().Subtype
	common[typeRow.Name] = schema{"description": describe(typeRow), "enum": types}
	s["allOf"] = m.byType(types, common)
	return s
}

// step returns the schema of a step of a workflow.
func (m maker) step() schema {
	edges := schema{
		KeyOnSuccess: names("The steps that follow if this one succeeds, or End."),
		KeyOnFailure: names("The steps that follow if this one fails, or End."),
	}
	s := m.object(m.otherTypes(), edges)
	common := s["properties"].(schema)
	for _, attribute := range notOfSteps {
		delete(common, attribute)
	}
	branches := m.byType(m.otherTypes(), common)
	// A step without a type is a service of another file. Only its edges belong to the workflow.
	branches[len(branches)-1] = schema{"if": withoutType, "then": schema{"properties": permitted(edges), "additionalProperties": false}}
	s["allOf"] = branches
	return s
}

// position is the schema of coordinates, and label that of a label.
var (
	position = schema{"type": "array", "items": schema{"type": "number"}, "minItems": 2, "maxItems": 2}
	label    = schema{"type": "object", "required": []any{"text", KeyPosition}, "additionalProperties": false, "properties": schema{
		"text": schema{"type": "string"}, KeyPosition: position, "size": schema{"type": "number"}, "alignment": schema{"enum": []any{"left", "center", "right"}},
	}}
)

// withoutType is the condition of an object without a type.
var withoutType = schema{"not": schema{"required": []any{"type"}}}

// byType returns what an object may have by its type, and last, what it may have without one: the type may come from
// the defaults of its folder, so that the fields of each are allowed.
func (m maker) byType(types []string, common schema) (branches []any) {
	tables := map[string]kind.SubtypeTable{}
	for _, table := range m.kind.Subtypes {
		tables[table.Name] = table
	}
	all := permitted(common)
	for _, typ := range types {
		table, known := tables[typ]
		if !known && typ != m.kind.Name {
			continue // a type of the site, or one without a table: its fields are not known
		}
		own := schema{}
		m.addRows(own, table.Fields)
		for key, value := range own {
			if already, is := all[key]; is && !reflect.DeepEqual(already, value) {
				all[key] = either(already, value)
			} else {
				all[key] = value
			}
		}
		keys := permitted(common)
		maps.Copy(keys, own)
		branches = append(branches, schema{
			"if":   schema{"properties": schema{"type": schema{"const": typ}}, "required": []any{"type"}},
			"then": schema{"properties": keys, "additionalProperties": false},
		})
	}
	return append(branches, schema{"if": withoutType, "then": schema{"properties": all, "additionalProperties": false}})
}

// either returns the schema of values that one of two schemas allows.
func either(x, y any) any {
	if s, is := x.(schema); is {
		if of, is := s["anyOf"].([]any); is {
			return schema{"anyOf": append(slices.Clone(of), y)}
		}
	}
	return schema{"anyOf": []any{x, y}}
}

// permitted returns a schema that allows the keys of another one, which describes them.
func permitted(keys schema) schema {
	s := schema{}
	for key := range keys {
		s[key] = true
	}
	return s
}

// addRows adds the keys of rows, as far as an entry of enms_instances can have them.
func (m maker) addRows(to schema, rows []kind.Attribute) {
	for _, a := range rows {
		ofWorkflow := a.Name == "services" || a.Name == "edges" // the steps are those
		switch {
		case a.ReadOnly || ofWorkflow:
		case isSecret(m.kind, a):
			to[a.Name] = secret(a)
		default:
			to[a.Name] = valueOf(a)
			if a.MaxLength == kind.Unbounded {
				to[a.Name+FromFile] = schema{"type": "string", "minLength": 1, "description": "A file with the " + a.Name + ": a path that begins in the folder of this file."}
			}
		}
	}
}
