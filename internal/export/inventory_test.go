// This file tests when devices and links are written as CSV files.

package export

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// devices are devices with a description each.
func devices(descriptions ...string) (all []*object) {
	for n, description := range descriptions {
		name := fmt.Sprintf("R%d", n)
		all = append(all, &object{kind: kind.Named(kinds.All(), "device"), name: name, typ: "device",
			config: kind.Values{kind.RowName: tftypes.NewValue(tftypes.String, name), "description": tftypes.NewValue(tftypes.String, description)}})
	}
	return all
}

func TestChooseInventory(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		inventory string
		devices   int
		tables    bool
		told      bool
	}{
		{"", 199, false, false}, {"", 200, true, true}, {inventoryBlocks, 200, false, false}, {inventoryCSV, 1, true, false},
	} {
		told := ""
		e := newExporter(&inventory{}, options{inventory: c.inventory}, nil, func(s string) { told += s })
		e.chooseInventory(devices(make([]string, c.devices)...), index{}, nil)
		if len(e.tables) > 0 {
			t.Fatal("a device without a description fits into no table")
		}
		told = ""
		e.chooseInventory(devices(strings.Split(strings.Repeat("x,", c.devices-1)+"x", ",")...), index{}, nil)
		if is := len(e.tables) == 1; is != c.tables || strings.Contains(told, "-inventory blocks") != c.told {
			t.Errorf("%d devices and -inventory %q make %d tables, and this is told: %q", c.devices, c.inventory, len(e.tables), told)
		}
	}
}

// What a cell cannot hold stays a block.
func TestTables(t *testing.T) {
	t.Parallel()
	all := devices("fits", "", "lines\nfit", "a\rdoes not")
	all[0].config[kind.RowProperties] = value.FromJSON(map[string]any{"site": "Rome", "racks": []any{"a", "b"}, "up": true})
	all = append(all, devices("another type of a property", "an object")...)
	all[4].config[kind.RowProperties] = value.FromJSON(map[string]any{"up": "yes"})
	all[5].config[kind.RowProperties] = value.FromJSON(map[string]any{"o": map[string]any{}})
	all[2].config[kind.RowProperties] = value.FromJSON(map[string]any{"site": ""}) // most devices have such a property
	made := tables(all)
	if len(made) != 1 || len(made[0].objects) != 2 || made[0].objects[0] != all[0] || made[0].objects[1] != all[2] {
		t.Fatalf("%v", made)
	}
	refs := newReferences(newIndex(kinds.All(), all), all, nil, &inventory{kinds: kinds.All(), objects: all}, &report{})
	content, _ := made[0].write(refs)
	want := "name,description,racks,site,up\nR0,fits,a;b,Rome,true\nR2,\"lines\nfit\",,,\n"
	if string(content) != want {
		t.Errorf("the file holds\n%s\nwant\n%s", content, want)
	}
	for part, want := range map[string]bool{`in ["up"] : property => tobool(`: true, `in ["racks"] : property => split(";", `: true, "tonumber": false, `["name", "racks", "up"]`: true} {
		if expression := made[0].expression(); strings.Contains(expression, part) != want {
			t.Errorf("that the expression has %s is not %t:\n%s", part, want, expression)
		}
	}
}

// A cell holds strings, numbers, flags, and lists of strings that can be told apart.
func TestColumnTypeOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		value any
		typ   columnType
		fits  bool
	}{
		{"", textColumn, true}, {"a\n;", textColumn, true}, {"a\r", textColumn, false}, {json.Number("1"), numberColumn, true}, {false, flagColumn, true},
		{[]any{"a", "b"}, listColumn, true}, {[]any{}, listColumn, false}, {[]any{"a", ""}, listColumn, false}, {[]any{"a;b"}, listColumn, false}, {[]any{"a\r"}, listColumn, false},
		{[]any{json.Number("1")}, listColumn, false}, {map[string]any{}, textColumn, false}, {nil, textColumn, false},
	} {
		if typ, fits := columnTypeOf(test.value); typ != test.typ || fits != test.fits {
			t.Errorf("%#v is of the type %d, fits %t", test.value, typ, fits)
		}
	}
}

// A cell holds the name of what a device refers to: its block is read as a whole, and depends on
// what the cells name.
func TestCellsHoldNames(t *testing.T) {
	t.Parallel()
	all := devices("in a table")
	all[0].config["rbac_read"], _ = value.NameSet([]any{"Night shift"})
	group := &object{kind: kind.Named(kinds.All(), "group"), name: "Night shift", typ: "group", label: "night_shift",
		config: kind.Values{kind.RowName: tftypes.NewValue(tftypes.String, "Night shift")}}
	made := tables(all)
	both := slices.Concat(all, []*object{group})
	refs := newReferences(newIndex(kinds.All(), both), both, nil, nil, &report{})
	content, attributes := made[0].write(refs)
	if names := refs.report.Names; !strings.Contains(string(content), ",Night shift\n") || names != (nameCounts{InTables: 1}) {
		t.Errorf("the file is %q, and has %v", content, names)
	}
	if !strings.Contains(fmt.Sprint(attributes), "depends_on [enms_group.night_shift]") {
		t.Errorf("the block is %v", attributes)
	}
}
