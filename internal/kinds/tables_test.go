// This file compares the tables of the kinds with those of the simulator, which were taken from real servers, row by row.

package kinds

import (
	"cmp"
	"fmt"
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
	if of.Table != types[r.Target].Table || r.Many != (a.Type == kind.Many) || inverse != "" && inverse != r.Reverse {
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
	for line, version := range map[int]model.Version{4: model.V47, 5: model.V53} {
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
	for _, k := range All() {
		for _, a := range k.Table().Fields {
			if by := a.UsedIf; by != [2]string{} && !slices.ContainsFunc(k.Table().Fields, func(other kind.Attribute) bool {
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
