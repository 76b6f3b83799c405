// This file selects the rows of further fields, those that are written in
// `properties`, and leaves eNMS's defaults out of what an import brings.

package kind

import (
	"bytes"
	"encoding/json"
)

// further are the rows of a kind's further fields.
type further struct {
	common    map[string]Attribute            // those of every subtype
	subtypes  map[string]map[string]Attribute // those of each subtype that is known, the common ones included
	relations []string                        // fields that are relations, with a row or without
	objects   []string                        // fields that hold an object which eNMS replaces as a whole
}

// SubtypeTable is what instances of a subtype have beyond the kind's own rows.
type SubtypeTable struct {
	Name   string      // the subtype, as the instance type of paths
	Doc    string      // what instances of the subtype do, in Markdown: whole sentences
	Fields []Attribute // the rows of its properties
}

// selectFurther selects the rows.
func selectFurther(relations []string, common []Attribute, subtypes []SubtypeTable) further {
	f := further{common: map[string]Attribute{}, subtypes: map[string]map[string]Attribute{}}
	f.relations = append(f.relations, relations...)
	add := func(to map[string]Attribute, rows []Attribute) {
		for _, a := range rows {
			to[a.Name] = a
			if a.isRelation() {
				f.relations = append(f.relations, a.Name)
			}
			// Into the objects of custom properties, eNMS may merge what is sent, so
			// that only the members that are configured are watched (enms-rest.md 1.1).
			if (a.Type == JSON || a.Type == Anything) && !a.Sample {
				f.objects = append(f.objects, a.Name)
			}
		}
	}
	add(f.common, common)
	for _, table := range subtypes {
		f.subtypes[table.Name] = map[string]Attribute{}
		add(f.subtypes[table.Name], table.Fields)
		for name, a := range f.common {
			f.subtypes[table.Name][name] = a
		}
	}
	return f
}

// of returns the rows of a subtype; known is false when there may be others.
func (f further) of(subtype string) (rows map[string]Attribute, known bool) {
	if rows, known := f.subtypes[subtype]; known {
		return rows, true
	}
	return f.common, false
}

// createdJSON returns what an instance has that was created without the field.
func (a Attribute) createdJSON() any {
	if a.OnCreate != nil {
		return a.OnCreate
	}
	return a.defaultJSON()
}

// defaultJSON is eNMS's default as an answer holds it.
func (a Attribute) defaultJSON() any {
	switch {
	case a.Default == nil && (a.Type == JSON || a.Type == Anything):
		return map[string]any{}
	case a.Default == nil && (a.Type == List || a.Type == Many):
		return []any{}
	}
	document, err := json.Marshal(a.Default)
	if err != nil {
		panic("kind: the default of " + a.Name + " is no JSON value: " + err.Error())
	}
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var x any
	_ = decoder.Decode(&x) // It was just encoded.
	return x
}
