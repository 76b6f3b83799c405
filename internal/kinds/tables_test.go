// This file compares the tables of the kinds with those of the simulator, which were taken from real servers, row by row.

package kinds

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
)

// fieldOf returns the field of a type of the simulator, or of a type that it extends.
func fieldOf(typ *database.Type, name string) *database.Field {
	for ; typ != nil; typ = typ.Parent {
		if f := typ.Fields[name]; f != nil {
			return f
		}
	}
	return nil
}

// relationOf returns the relation of a type of the simulator, or of a type that it extends.
func relationOf(typ *database.Type, name string) *database.Relation {
	for ; typ != nil; typ = typ.Parent {
		if r := typ.Relations[name]; r != nil {
			return r
		}
	}
	return nil
}

// checkRelation compares a row with the relation.
func checkRelation(t *testing.T, at string, a kind.Attribute, line int, types map[string]*database.Type, r *database.Relation) {
	t.Helper()
	if r == nil {
		t.Errorf("%s: eNMS has no such relation", at)
		return
	}
	of, inverse := types[a.Of], a.Inverse
	if line == 5 {
		inverse = cmp.Or(kind.Words(All()).Renamed[a.Of][inverse], inverse)
		of = cmp.Or(of, types["device"]) // a node is a device
	}
	if of == nil || of.Table != types[r.Target].Table || r.Many != (a.Type == kind.Many) || inverse != "" && inverse != r.Reverse {
		t.Errorf("%s: a relation to %s (many: %v) with the inverse %q is one to %s (many: %v) with the inverse %q in eNMS", at, a.Of, a.Type == kind.Many, inverse, r.Target, r.Many, r.Reverse)
	}
}

// kindsOfFields are the kinds of fields in which a value of a type is stored.
var kindsOfFields = map[kind.ValueType][]database.Kind{
	kind.Text:    {database.KindText, database.KindProxy, database.KindComputed, database.KindSecret},
	kind.Number:  {database.KindInt},
	kind.Decimal: {database.KindFloat},
	kind.Flag:    {database.KindBool},
	kind.JSON:    {database.KindDict, database.KindJSON},
	kind.List:    {database.KindList, database.KindJSON},
	kind.Many:    {database.KindList}, // of strings
}

// Each row of a table is a field of eNMS, of the same type and with the same length and default, on each line that has the row.
func TestTables_rowsAreFields(t *testing.T) {
	t.Parallel()
	for line, version := range versions {
		types := model.Types(version)
		for _, k := range All() {
			tables := map[string][]kind.Attribute{k.Name: slices.Concat(k.Table().Fields, k.Properties)}
			for _, sub := range k.Subtypes {
				tables[sub.Name] = append(tables[sub.Name], sub.Fields...)
			}
			for name, rows := range tables {
				for _, a := range rows {
					field := a.Name
					if line == 5 && a.Name5 != "" {
						field = a.Name5
					}
					if k.OnLine(line) && (a.Line == 0 || a.Line == line) && !a.Sample && a.Holds == nil {
						if line == 5 && a.Default5 != nil {
							a.Default = a.Default5
						}
						at := fmt.Sprintf("line %d: %s.%s", line, name, a.Name)
						of := types[name]
						for _, sub := range k.Subtypes { // some have what the base of all does not
							if relationOf(of, field) == nil && fieldOf(of, field) == nil {
								of = types[sub.Name]
							}
						}
						if a.Of != "" {
							checkRelation(t, at, a, line, types, relationOf(of, field))
						} else {
							checkRow(t, at, a, fieldOf(of, field))
						}
					}
				}
			}
		}
	}
}

// checkRow compares a row with the field.
func checkRow(t *testing.T, at string, a kind.Attribute, f *database.Field) {
	t.Helper()
	kinds, compared := kindsOfFields[a.Type]
	if !compared || f == nil {
		if compared {
			t.Errorf("%s: eNMS has no such field", at)
		}
		return
	}
	if !slices.Contains(kinds, f.Kind) {
		t.Errorf("%s has the type %v, but the field is a %v", at, a.Type, f.Kind)
	}
	longest := map[int]int{0: kind.CommonLength, kind.Unbounded: 0}
	length, is := longest[a.MaxLength]
	if !is {
		length = a.MaxLength
	}
	if a.Type == kind.Text && !a.Closed && f.Kind == database.KindText && length != f.Limit {
		t.Errorf("%s may have %d characters, the field %d", at, length, f.Limit)
	}
	if a.Default != nil && a.OnCreate != f.Initial && f.Kind != database.KindSecret && fmt.Sprint(a.Default) != fmt.Sprint(f.Initial) {
		t.Errorf("%s has the default %v, the field %v", at, a.Default, f.Initial)
	}
}

// versions are the versions of eNMS whose tables the simulator has, by line.
var versions = map[int]model.Version{4: model.V47, 5: model.V53}

// fieldNames returns the names of the fields and of the relations that a type of the simulator shows.
func fieldNames(typ *database.Type) (names []string) {
	for ; typ != nil; typ = typ.Parent {
		names = slices.AppendSeq(names, maps.Keys(typ.Fields))
		for name, r := range typ.Relations {
			if !r.Unlisted {
				names = append(names, name)
			}
		}
	}
	return names
}

// Each field of eNMS is a row, or in a list of fields that are none. Otherwise, an import would configure what changes by
// itself, or what must not be sent.
func TestTables_fieldsArePlaced(t *testing.T) {
	t.Parallel()
	custom := []string{"managed_by", "cost_center", "device_property1", "device_property1_match", "device_property1_invert"} // those of the simulated site
	known := map[string]bool{"default_uuid": true, "serialized": true}                                                       // not simulated
	for line, version := range versions {
		types := model.Types(version)
		for _, typ := range types {
			for _, name := range fieldNames(typ) {
				known[name] = true
			}
		}
		for _, k := range All() {
			placed := slices.Concat(custom, k.Unwatched, k.NeverSent, k.Relations)
			for _, a := range slices.Concat(k.Rows(), k.Properties, k.ListedBy) {
				if a.Line != 0 && a.Line != line {
					continue
				}
				placed = append(placed, a.Name, a.Name5, a.IDField, a.AnswerField())
				for _, property := range a.Properties {
					placed = append(placed, a.Prefix+property, a.Prefix+property+"_match", a.Prefix+property+"_invert")
				}
			}
			for _, table := range append([]kind.SubtypeTable{{Name: k.Name}}, k.Subtypes...) {
				own := slices.Clone(placed)
				for _, a := range table.Fields {
					if a.Line == 0 || a.Line == line {
						own = append(own, a.Name, a.Name5)
					}
				}
				if types[table.Name] == nil && k.AnyType == nil && k.OnLine(line) {
					t.Errorf("line %d: eNMS has no type %s", line, table.Name)
				}
				for _, name := range fieldNames(types[table.Name]) {
					if !slices.Contains(own, name) && k.OnLine(line) {
						t.Errorf("line %d: the tables of a %s lack %s", line, table.Name, name)
					}
				}
			}
		}
	}
	for _, k := range All() {
		names := slices.Concat(k.Unwatched, k.NeverSent, k.Relations, k.Secrets)
		for _, a := range k.ListedBy {
			names = append(names, a.Name)
		}
		for _, name := range names {
			if !known[name] {
				t.Errorf("no type of eNMS has the field %s, which the table of a %s names", name, k.Name)
			}
		}
	}
}

// rightsOf returns the rights to instances of a type on a line, or on both lines if that is 0.
func rightsOf(typ string, line int) (rights []string) {
	for on, version := range versions {
		for _, name := range fieldNames(model.Types(version)[typ]) {
			isRight := strings.HasPrefix(name, "rbac_") && !strings.HasPrefix(name, "rbac_group_")
			if isRight && (line == 0 || line == on) && !slices.Contains(rights, name) {
				rights = append(rights, name)
			}
		}
	}
	return rights
}

// The choices of fields, and custom properties, are those of enms-rest.md; rights are those of the simulator.
func TestTables_choicesAreThoseOfForms(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../enms/enms-rest.md")
	if err != nil {
		t.Fatal(err)
	}
	document := strings.ReplaceAll(string(content), "`", "")
	lists := map[string]bool{}
	sorted := func(words []string) string { return strings.Join(slices.Sorted(slices.Values(words)), " ") }
	for _, list := range regexp.MustCompile(`[\w-]+(?:, [\w-]+)+`).FindAllString(document, -1) {
		lists[sorted(strings.Split(list, ", "))] = true
	}
	further := map[string][]string{ // what the document does not list there
		"validation_method": {"none"}, "skip_value": {brokenSkipValue}, "run_method": {"per_service_with_workflow_targets", "per_service_with_service_targets"},
		"menu": {"Clustering"}, "pages": {"Sessions", "Servers", "Data Store"}, "custom_json": {},
	}
	check := func(where string, a kind.Attribute) {
		more, isFurther := further[a.Name]
		choices := slices.DeleteFunc(slices.Clone(a.OneOf), func(x string) bool { return slices.Contains(more, x) })
		if typ, is := strings.CutSuffix(a.Name, "_access"); is && len(choices) > 0 {
			if rights := rightsOf(typ, a.Line); len(rights) > 0 && sorted(choices) != sorted(rights) {
				t.Errorf("%s offers %q, but the rights are %q", where, choices, rights)
			}
		} else if len(choices) > 0 && !a.Sample && a.Role != kind.Setting && !lists[sorted(choices)] {
			t.Errorf("%s offers %q", where, choices)
		}
		for _, x := range a.Suggest {
			if !strings.Contains(a.Name, "driver") && !slices.Contains(more, x) && !strings.Contains(document, x) {
				t.Errorf("%s suggests %q", where, x)
			}
		}
		custom := a.Name
		if byDefault, err := json.Marshal(a.Default); err == nil && !isFurther && where != "workflow.custom_property" {
			custom += " " + string(byDefault)
		}
		if a.Sample && !strings.Contains(document, custom) {
			t.Errorf("%s is no custom property: %s", where, custom)
		}
	}
	for _, k := range All() {
		for _, table := range append([]kind.SubtypeTable{{Name: k.Name, Fields: slices.Concat(k.Rows(), k.Properties)}}, k.Subtypes...) {
			for _, a := range table.Fields {
				check(table.Name+"."+a.Name, a)
				if a.OnlyWith != "" && !slices.ContainsFunc(slices.Concat(table.Fields, k.Properties), func(of kind.Attribute) bool { return of.Name == a.OnlyWith }) {
					t.Errorf("%s.%s is an option of %s, which is not there", table.Name, a.Name, a.OnlyWith)
				}
			}
		}
	}
}

// The names in the tables that are no rows are names in eNMS, too.
func TestTables_otherNamesAreKnown(t *testing.T) {
	t.Parallel()
	types4, types5 := model.Types(model.V47), model.Types(model.V53)
	unsimulated := []string{"service_log", "session"}
	for typ := range notManaged {
		if types4[typ] == nil && types5[typ] == nil && !slices.Contains(unsimulated, typ) {
			t.Errorf("eNMS has no type %q", typ)
		}
	}
	for prefix, properties := range map[string][]string{"device_": deviceProperties, "link_": linkProperties} {
		for _, property := range properties {
			if fieldOf(types4["pool"], prefix+property+"_match") == nil {
				t.Errorf("pools do not compare %s%s", prefix, property)
			}
		}
	}
	for attribute, properties := range numbers {
		for _, property := range properties {
			if f := fieldOf(types4[strings.TrimSuffix(attribute, "_criteria")], property); property != "id" && (f == nil || f.Kind != database.KindInt) {
				t.Errorf("%s of %s is no number", property, attribute)
			}
		}
	}
	for _, right := range userRights {
		if fieldOf(types4["user"], right) == nil {
			t.Errorf("users have no %s", right)
		}
	}
	for longer, plain := range plainTypes {
		if longer != "generic_"+plain || !slices.ContainsFunc(All(), func(k *kind.Kind) bool { return k.Name == plain }) {
			t.Errorf("%q is no other name of %q", longer, plain)
		}
	}
	for _, k := range All() {
		if !k.OnLine(5) {
			t.Errorf("no line has the type %s", k.Name)
		}
		if typ := types5[k.Name]; k.AnyType == nil && k.Namespace != typ.Names && k.Namespace+typ.Names != "nodedevice" {
			t.Errorf("the names of a %s are unique within %q, want %q", k.Name, k.Namespace, typ.Names)
		}
		for _, a := range k.ListedBy {
			checkRelation(t, k.Name+"."+a.Name, a, 4, types4, relationOf(types4[k.Name], a.Name))
		}
		attributes := slices.Collect(maps.Keys(k.Off))
		if k.Scope != nil {
			attributes = append(attributes, k.Scope.Attribute)
		}
		if k.Recompute != nil {
			attributes = slices.Concat(attributes, k.Recompute.Attributes, []string{k.Recompute.Setting})
		}
		if k.Place != nil {
			attributes = slices.Concat(attributes, k.Place.Attributes, k.Place.Ends, []string{k.Place.Container})
			checkRelation(t, "the place of a "+k.Name, kind.Attribute{Type: kind.Many, Of: k.Row(k.Place.Container).Of}, 4, types4, relationOf(types4[k.Place.Of], k.Place.Field))
		}
		for _, name := range attributes {
			if _, is := k.Table().ByName[name]; !is {
				t.Errorf("a %s has no attribute %s", k.Name, name)
			}
		}
		for _, a := range k.Rows() {
			if a.ReadFrom != "" && fieldOf(types4[k.Name], a.ReadFrom) == nil {
				t.Errorf("%s.%s is read from %s", k.Name, a.Name, a.ReadFrom)
			}
		}
		for _, a := range k.Attributes {
			if by := a.UsedIf; by != [2]string{} && !slices.ContainsFunc(k.Attributes, func(other kind.Attribute) bool {
				return other.Name == by[0] && (other.Default == by[1] || slices.Contains(other.OneOf, by[1]))
			}) {
				t.Errorf("%s of a %s is used if %q", a.Name, k.Name, by)
			}
			if holds := a.Holds; holds != nil {
				checkRelation(t, k.Name+"."+a.Name, kind.Attribute{Type: kind.Many, Of: holds.Of, Inverse: a.Inverse}, 4, types4, relationOf(types4[holds.Subtype], holds.Relation))
			}
		}
		if typ := types4[k.Name]; typ != nil && fieldOf(typ, "last_modified") == nil && !k.NoTimestamps {
			t.Errorf("a %s has no last_modified", k.Name)
		}
	}
}
