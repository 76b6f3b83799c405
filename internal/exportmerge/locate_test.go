// This file tests where the objects of a server are in the code, and what of them the next record keeps.

package exportmerge

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// objects returns objects that are given by "kind name id address", or with the file of their row behind that.
func objects(all string) (made []*Object) {
	for object := range strings.SplitSeq(all, ",") {
		if f := append(strings.Fields(object), ""); len(f) > 1 {
			o := &Object{Kind: f[0], Name: f[1], ID: f[2], Address: f[3], Table: f[4], Type: "enms_" + f[0], NameIn: "name"}
			if o.Table != "" {
				o.Rows = o.Kind
			}
			made = append(made, o)
		}
	}
	return made
}

// moves returns what Match has found about addresses and rows: "At" of each object, and what is not empty of m.
func moves(m *Matching, now []*Object) string {
	var all []string
	for _, o := range now {
		all = append(all, o.Name+"@"+o.At)
	}
	add := func(kind string, pairs map[string]string) {
		for _, key := range slices.Sorted(maps.Keys(pairs)) {
			all = append(all, kind+" "+key+"<"+pairs[key])
		}
	}
	keys := func(set map[string]bool) map[string]string {
		all := map[string]string{}
		for key, in := range set {
			if in {
				all[key] = ""
			}
		}
		return all
	}
	tables := map[string]string{}
	for typ, t := range m.Tables {
		tables[typ] = t.Address + " " + t.Table
	}
	add("gone", keys(m.Gone))
	add("renewed", keys(m.Renewed))
	add("moved", m.Moved)
	add("row", m.RowNames)
	add("rowgone", keys(m.RowsGone))
	add("table", tables)
	return strings.Join(all, "; ")
}

// Objects are where the record has them, or where people have moved them or written them anew. No two are at the same address.
func TestMatch_locates(t *testing.T) {
	t.Parallel()
	const (
		a       = "resource \"enms_device\" \"a\" { name = \"a\" }\n"
		moved   = "resource \"enms_device\" \"core\" { name = \"a\" }\nmoved {\n  from = enms_device.a\n  to   = enms_device.core\n}\n"
		devices = "resource \"enms_instances\" \"devices\" {}\n-- devices.csv --\nname\n"
		row     = " enms_instances.devices devices.csv"
	)
	for _, test := range []struct{ code, before, left, now, told, want string }{
		{a, "device a 1 enms_device.a", "", "device a 1 enms_device.a", "", "a@enms_device.a"},
		{moved, "device a 1 enms_device.a", "", "device a 1 -", "", "a@enms_device.core; moved enms_device.core<enms_device.a"},
		{a, "device a 1 enms_device.a", "", "", "", "gone enms_device.a<"},
		{moved, "device a 1 enms_device.a", "", "", "", "gone enms_device.core<; moved enms_device.core<enms_device.a"},
		{a, "device a 1 enms_device.a", "", "device a 9 -", "-a", "a@; gone enms_device.a<; renewed enms_device.a<"},
		{a, "device a 1 enms_device.a", "", "device b 1 -", "-a", "b@; gone enms_device.a<"},
		// What an object has left at an earlier export:
		{moved, "", "enms_device.a", "", "", "gone enms_device.core<; moved enms_device.core<enms_device.a"},
		{moved, "", "enms_device.b", "", "", ""},
		{a, "device a 1 enms_device.a", "enms_device.a", "device a 1 -", "", "a@enms_device.a"},
		// Nothing else is where an object is of which nobody tells what became of it:
		{strings.Replace(a, `name = "a"`, `name = "n"`, 1), "device a 1 enms_device.a", "", "device b 1 -,device n 9 -", "", "b@; n@"},
		{a, "device a 1 enms_device.a", "", "device a 9 -,device z 1 -", "", "a@enms_device.a; z@"},
		// People have written blocks:
		{strings.Replace(a, `"a"`, `"mine"`, 1), "device a 1 enms_device.a", "", "device a 1 -", "", "a@enms_device.mine; moved enms_device.mine<enms_device.a"},
		{strings.Replace(a, `"a"`, `"mine"`, 1), "device a 1" + row, "", "device a 1 -", "", "a@"},
		{a, "", "", "device a 1 -,device a 2 -,device b 3 -", "", "a@enms_device.a; a@; b@"},
		{"-- modules/own/main.tf --\n" + a, "", "", "device a 1 -", "", "a@"},
		{"-- modules/w/main.tf --\n" + a, "device b 2 module.w.enms_device.b", "", "device a 1 -", "", "a@module.w.enms_device.a"},
		// Blocks and instances move:
		{
			"resource \"enms_edge\" \"v\" { for_each = { x = 1, z = 1 } }\nmoved {\n  from = enms_edge.w\n  to   = enms_edge.v\n}\nmoved {\n  from = enms_edge.v[\"y\"]\n  to   = enms_edge.v[\"z\"]\n}\n",
			`edge 1 1 enms_edge.w["x"],edge 2 2 enms_edge.v["y"]`, "", "edge 1 1 -,edge 2 2 -", "",
			`1@enms_edge.v["x"]; 2@enms_edge.v["z"]; moved enms_edge.v<enms_edge.w; moved enms_edge.v["x"]<enms_edge.w["x"]; moved enms_edge.v["z"]<enms_edge.v["y"]`,
		},
		{"resource \"enms_edge\" \"v\" { for_each = { x = 1 } }\nmoved {\n  from = enms_edge.w[\"x\"]\n  to   = enms_edge.v[\"x\"]\n}\n", `edge 1 1 enms_edge.w["x"]`, "", "edge 1 1 -", "", `1@enms_edge.v["x"]; moved enms_edge.v<enms_edge.w; moved enms_edge.v["x"]<enms_edge.w["x"]`},
		{"resource \"enms_device\" \"a\" { count = 0 }\nmoved {\n  from = enms_device.mine\n  to   = enms_device.a\n}\n", "", "", "", "", ""},
		// Rows:
		{devices + "a\n", "device a 1" + row, "", "device a 1" + row, "", "a@enms_instances.devices; row row devices.csv a<a; table device<enms_instances.devices devices.csv"},
		{devices + "a\n", "device a 1" + row, "", "device b 1" + row + ",device a 2" + row, "a>b", "b@enms_instances.devices; a@; row row devices.csv a<b; table device<enms_instances.devices devices.csv"},
		{devices + "a\n", "device a 1" + row, "", "device a 9" + row, "-a", "a@; rowgone row devices.csv a<; table device<enms_instances.devices devices.csv"},
		{devices + "b\n", "", "", "device a 1" + row + ",device b 2" + row, "", "a@; b@enms_instances.devices; table device<enms_instances.devices devices.csv"},
		{devices + "b\n" + "-- main_too.tf --\n" + a, "device a 1 enms_device.a", "", "device a 1" + row + ",device b 2" + row, "", "a@enms_device.a; b@enms_instances.devices; table device<enms_instances.devices devices.csv"},
		{strings.Replace(devices, ".csv", "_new.csv", 1) + "-- theirs.csv --\nname\na\n", "device a 1 enms_instances.devices theirs.csv", "", "device b 2" + row + ",device a 1" + row + ",device c 3" + row, "", "b@; a@enms_instances.devices; c@; row row theirs.csv a<a; table device<enms_instances.devices theirs.csv"},
		{a + "-- devices.csv --\nname\na\n", "", "", "device a 1" + row, "", "a@enms_device.a"},
		{devices + "x,y\n", "", "", "device a 1" + row, "", "error: devices.csv: record on line 2"},
	} {
		code := codeOf(t, filesOf(test.code))
		record := &Record{Objects: objects(test.before), Left: strings.Fields(test.left), Written: map[string]map[string]string{}}
		for _, o := range record.Objects {
			base, _ := splitKey(o.Address)
			record.Written[blockID(base)] = map[string]string{"name": "1"}
		}
		now := objects(test.now)
		m, err := Match(code, record, now, asked(all(test.told)...))
		if err != nil {
			if want, is := strings.CutPrefix(test.want, "error: "); !is || !strings.Contains(err.Error(), want) {
				t.Errorf("of %s, %q and %q: %v", test.code, test.before, test.now, err)
			}
			continue
		}
		if have := moves(m, now); have != test.want {
			t.Errorf("of %s, %q and %q, it is\n%s\nand not\n%s", test.code, test.before, test.now, have, test.want)
		}
	}
}

// Addresses that are in use, in the code or in the record, are taken; labels follow `moved` blocks.
func TestMatching_addresses(t *testing.T) {
	t.Parallel()
	code := codeOf(t, filesOf("resource \"enms_service\" \"s\" { a = file(\"${path.module}/code/w/old.py\") }\nmoved {\n  from = module.w.enms_service.s\n  to   = module.w.enms_service.new\n}\n"))
	record := &Record{Objects: objects(`edge e 1 enms_edge.w["x"]`), Written: map[string]map[string]string{"resource enms_service s": {"name": "1"}}}
	m := match(t, code, record, nil, nil)
	taken := slices.Sorted(maps.Keys(m.Taken()))
	for _, in := range m.Taken() {
		if !in {
			t.Error("a taken address is free")
		}
	}
	have := fmt.Sprint(taken, m.Label("module.w.enms_service.s"), m.Label("enms_service.s"), m.Texts("enms_service.s"), m.Texts("enms_service.none"), m.Wrote("enms_service.s", "name"), m.Wrote("enms_service.s", "x"))
	if want := "[enms_edge.w enms_service.s module.w.enms_service.s] newscode/w/oldtruefalse"; strings.ReplaceAll(have, " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("it is %s, and not %s", have, want)
	}
}

// The next record has what was not exported, or is still in the code, and the digests that belong to that.
func TestMatching_Carry_objects(t *testing.T) {
	t.Parallel()
	const (
		a   = "device a 1 enms_device.a"
		b   = "device b 2 enms_device.b"
		row = "device r 3 enms_instances.devices devices.csv"
	)
	code := "resource \"enms_device\" \"a\" {}\nresource \"enms_device\" \"core\" {}\nresource \"enms_device\" \"left\" {}\nresource \"enms_instances\" \"devices\" {}\nmoved {\n  from = enms_device.b\n  to   = enms_device.core\n}\n-- devices.csv --\nname\nr\n"
	written := map[string]map[string]string{"resource enms_device b": {"b": "1"}, "import enms_device.b": {"i": "1"}, "row devices.csv r": {"r": "1"}, "resource enms_device a": {"a": "old", "p.x": "old"}}
	for name, test := range map[string]struct {
		before, now, told string
		exported          int // how many of now are exported
		merged            Result
		want              string
	}{
		"all are exported":           {a + "," + b, a + "," + b, "", 2, Result{}, "objects device a 1 enms_device.a, device b 2 enms_device.b"},
		"one is not":                 {a + "," + b, a + ",device bb 2 -", "b>bb", 1, Result{}, "objects device a 1 enms_device.a, device bb 2 enms_device.b; import enms_device.b [i:1]; resource enms_device b [b:1]"},
		"a row is not":               {row, "device rr 3 enms_instances.devices devices.csv", "r>rr", 0, Result{}, "objects device rr 3 enms_instances.devices devices.csv; row devices.csv rr [r:1]"},
		"one is untold":              {b, "device bb 2 -", "", 0, Result{}, "objects device b 2 enms_device.b; import enms_device.b [i:1]; resource enms_device b [b:1]"},
		"one is gone":                {b, "", "", 0, Result{}, "objects "},
		"one is gone and kept":       {b, "", "", 0, Result{Kept: map[string]bool{"enms_device.core": true}}, "objects device b  enms_device.b; import enms_device.b [i:1]; resource enms_device b [b:1]"},
		"another is kept":            {b, "", "", 0, Result{Kept: map[string]bool{"enms_device.a": true}}, "objects "},
		"one is made anew":           {b, "device b 9 enms_device.b2", "-b", 1, Result{Kept: map[string]bool{"enms_device.core": true}}, "objects device b 9 enms_device.b2; left enms_device.b"},
		"one is in another block":    {b, "device b 2 enms_device.b2", "", 1, Result{Kept: map[string]bool{"enms_device.core": true}}, "objects device b 2 enms_device.b2; left enms_device.b"},
		"a row is made anew":         {row, "device r 9 enms_device.r", "-r", 1, Result{Kept: map[string]bool{"enms_instances.devices": true}}, "objects device r 9 enms_device.r"},
		"a left block is kept":       {"", "", "", 0, Result{Kept: map[string]bool{"enms_device.left": true}}, "objects ; left enms_device.left"},
		"a row is gone":              {row, "", "", 0, Result{Files: map[string][]byte{"devices.csv": []byte("name\n")}}, "objects "},
		"a row is gone and kept":     {row, "", "", 0, Result{}, "objects device r  enms_instances.devices devices.csv; row devices.csv r [r:1]"},
		"another database":           {a + "," + b, "device a 1 -,device c 7 -", "other", 0, Result{}, "mark 1; objects device a 1 enms_device.a, device b 2 enms_device.b; import enms_device.b [i:1]; resource enms_device b [b:1]"},
		"another database, all told": {a, a, "other", 1, Result{}, "objects device a 1 enms_device.a"},
		"a value is not merged":      {a, a, "", 1, Result{Unmerged: []Unmerged{{"resource enms_device a", "p", map[string]string{"p.x": "old", "px": "old", "a": "old"}}}}, "objects device a 1 enms_device.a; resource enms_device a [a:new p.x:old]"},
		"a block is not written":     {a, a, "", 1, Result{Unwritten: []string{"resource enms_device a"}}, "objects device a 1 enms_device.a; nothing"},
	} {
		record := &Record{Objects: objects(test.before), Written: written, Mark: &Mark{ID: 1}, Left: []string{"enms_device.left"}}
		now := objects(test.now)
		m := match(t, codeOf(t, filesOf(code)), record, now, asked(all(test.told)...))
		next := &Record{Objects: now[:test.exported], Written: map[string]map[string]string{"resource enms_device a": {"a": "new", "p.y": "new"}}}
		m.Carry(next, &test.merged)
		var have strings.Builder
		if next.Mark != nil {
			fmt.Fprintf(&have, "mark %d; ", next.Mark.ID)
		}
		var carried []string
		for _, o := range next.Objects {
			carried = append(carried, strings.TrimSpace(strings.Join([]string{o.Kind, o.Name, o.ID, o.Address, o.Table}, " ")))
		}
		have.WriteString("objects " + strings.Join(carried, ", "))
		if len(next.Left) > 0 {
			have.WriteString("; left " + strings.Join(next.Left, " "))
		}
		if len(next.Written) == 0 {
			have.WriteString("; nothing")
		}
		for _, id := range slices.Sorted(maps.Keys(next.Written)) {
			if !maps.Equal(next.Written[id], map[string]string{"a": "new", "p.y": "new"}) {
				have.WriteString(strings.NewReplacer("map", "; "+id+" ").Replace(fmt.Sprint(next.Written[id])))
			}
		}
		if have.String() != test.want {
			t.Errorf("%s: the next record has\n%s\nand not\n%s", name, have.String(), test.want)
		}
	}
}
