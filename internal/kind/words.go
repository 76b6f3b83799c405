// This file collects from the tables how the lines of eNMS differ: for the client, which translates the
// words of 4.7 to those of eNMS 5, and for plans, which refuse fields that the line does not have.

package kind

import (
	"maps"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Words returns what the client needs to know of kinds: the names on eNMS 5, and which types refer to which.
func Words(kinds []*Kind) object.Words {
	// The client reads the changelog, too, whose type is not a kind.
	w := object.Words{Renamed: map[string]map[string]string{"changelog": {"user": "author"}}, Inverses: map[string][]string{}, Texts: map[string][]string{}, References: map[string]map[string]string{}, Unreferred: unreferred(kinds)}
	set := func(table map[string]map[string]string, typ, field, word string) {
		if word == "" {
			return
		}
		if table[typ] == nil {
			table[typ] = map[string]string{}
		}
		table[typ][field] = word
	}
	add := func(k *Kind, typ string, a Attribute) {
		set(w.Renamed, typ, a.Name, a.Name5)
		set(w.Renamed, a.Of, a.Inverse, a.Inverse5)
		if a.Inverse5 != "" {
			w.Inverses[a.Of] = append(w.Inverses[a.Of], a.Inverse5)
		}
		if a.Type == Many {
			set(w.References, k.Namespace, a.Name, a.Of) // by namespace, not by type (object.Words)
		}
		if a.Text5 {
			w.Texts[typ] = append(w.Texts[typ], a.Name)
		}
	}
	for _, k := range kinds {
		for _, a := range slices.Concat(k.Table().All, k.ListedBy) {
			add(k, k.Name, a)
		}
		for _, table := range k.Subtypes {
			for _, a := range table.Fields {
				add(k, table.Name, a)
			}
		}
	}
	return w
}

// unreferred returns the types that no relation with an Inverse refers to.
func unreferred(kinds []*Kind) map[string]bool {
	var referred []string
	for _, k := range kinds {
		for _, a := range k.relations() {
			if a.Inverse != "" {
				referred = append(referred, a.Of)
			}
		}
	}
	types := map[string]bool{}
	for _, k := range kinds {
		if k.AnyType == nil && !slices.ContainsFunc(referred, k.MayBe) {
			for _, typ := range k.KnownTypes() {
				types[typ] = true
			}
		}
	}
	return types
}

// relations returns all rows that may be relations of a kind: its own relations, ListedBy, and all
// fields of its subtypes.
func (k *Kind) relations() []Attribute {
	rows := slices.Concat(k.Table().All, k.ListedBy)
	for _, table := range k.Subtypes {
		rows = append(rows, table.Fields...)
	}
	return rows
}

// MayBe reports whether a relation to instances of a type may contain one of the kind.
func (k *Kind) MayBe(typ string) bool {
	return typ == k.Name || typ == k.Namespace || slices.ContainsFunc(k.Subtypes, func(t SubtypeTable) bool { return t.Name == typ })
}

// LineField is a configured field that only one line of eNMS has, or whose value only one line reads.
type LineField struct {
	Attribute, Name string // Attribute is RowProperties for a property
	Line            int    // that line: 4 or 5
	MayBeOfSite     bool   // a site may have declared a custom property with this name
	Reason          string // what is wrong with the value on the other line; "" if that line has no such field
}

// OfOneLine returns the configured fields that only one line of eNMS has, or whose value only one line reads.
func (k *Kind) OfOneLine(config Values) (fields []LineField) {
	for _, a := range k.Table().Resource {
		if a.Line != 0 && !config[a.Name].IsNull() {
			fields = append(fields, LineField{Attribute: a.Name, Name: a.Name, Line: a.Line})
		}
		if a.LineOf != nil {
			if line, reason := a.LineOf(value.Text(config[a.Name])); line != 0 {
				fields = append(fields, LineField{Attribute: a.Name, Name: a.Name, Line: line, Reason: reason})
			}
		}
	}
	rows, _ := k.Table().Properties.Of(k.Path(config))
	members := value.Members(config[RowProperties])
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if a := rows[name]; a.Line != 0 && !a.Sample {
			fields = append(fields, LineField{Attribute: RowProperties, Name: name, Line: a.Line, MayBeOfSite: !a.IsRelation()})
		}
	}
	return fields
}
