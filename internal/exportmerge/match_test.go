// This file finds the objects of a server in records and code, by tables.

package exportmerge

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// devices returns devices that are given by "name id", on eNMS 5 by "name id creation_time", or by a name alone.
func devices(all ...string) (made []*Object) {
	for _, device := range all {
		fields := append(strings.Fields(device), "", "")
		made = append(made, &Object{Kind: "device", Name: fields[0], ID: fields[1], Created: fields[2], Subtype: "device", Type: "enms_device", NameIn: "name", Address: "enms_device." + fields[0]})
	}
	return made
}

// asked returns an Ask that answers from a list of what the changelog tells: "a>b" for a rename, and "-a" for a deletion.
// "other" means that another database answers.
func asked(told ...string) Ask {
	return func(questions []Question) (fates []Fate, isOther bool, err error) {
		for _, q := range questions {
			fates = append(fates, Fate{Renamed: slices.Contains(told, q.Name+">"+q.NameNow), Deleted: slices.Contains(told, "-"+q.Name)})
		}
		if slices.Contains(told, "other") {
			return nil, true, nil
		}
		return fates, false, nil
	}
}

// all returns words that a comma separates.
func all(words string) []string {
	return strings.FieldsFunc(words, func(r rune) bool { return r == ',' })
}

// match is Match in a test that expects no error.
func match(t *testing.T, code *Code, record *Record, objects []*Object, ask Ask) *Matching {
	t.Helper()
	m, err := Match(code, record, objects, ask)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Who an object is, is told by ids, names, creation times and the changelog, or by the user.
func TestMatch(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before, now, told string
		// The address of each object, by its name: "" for a new one, and "?" for one that is not written. Then the
		// entries of the record that are gone, and those of which nobody tells.
		byID, gone, untold string
		byName, goneByName string
	}{
		"nothing":           {"a 1", "a 1", "", "a:a", "", "", "a:a", ""},
		"renamed":           {"a 1", "b 1", "a>b", "b:a", "", "", "b:", "a"},
		"gone":              {"a 1,c 2", "c 2", "", "c:c", "a", "", "c:c", "a"},
		"a new version":     {"a 1", "a 2,z 1", "a>z", "a: z:a", "", "", "a:a z:", ""},
		"a chain":           {"a 1,b 2", "b 1,z 2", "a>b,b>z", "b:a z:b", "", "", "b:b z:", "a"},
		"exchanged":         {"a 1,b 2", "b 1,a 2", "a>b,b>a", "a:b b:a", "", "", "a:a b:b", ""},
		"a circle":          {"a 1,b 2,c 3", "b 1,c 2,a 3", "a>b,b>c,c>a", "a:c b:a c:b", "", "", "a:a b:b c:c", ""},
		"made anew":         {"a 1,c 2", "a 9,c 2", "-a", "a: c:c", "a", "", "a:a c:c", ""},
		"its id is reused":  {"a 1,c 2", "b 1,c 2", "-a", "b: c:c", "a", "", "b: c:c", "a"},
		"its name is taken": {"a 1,b 2", "a 2", "b>a", "a:b", "a", "", "a:a", "b"},

		"silent: renamed":        {"a 1,c 2", "b 1,c 2", "", "b:? c:c", "", "a", "b: c:c", "a"},
		"silent: a new version":  {"a 1,c 2", "a 9,b 1,c 2", "", "a:a b:? c:c", "", "a", "a:a b: c:c", ""},
		"silent: made anew":      {"a 1,c 2", "a 9,c 2", "", "a:a c:c", "", "a", "a:a c:c", ""},
		"silent: exchanged":      {"a 1,b 2", "b 1,a 2", "", "a:a b:b", "", "a b", "a:a b:b", ""},
		"restored in place":      {"a 1,b 2,c 3", "c 1,b 7,a 2,n 8", "", "a:a b:b c:c n:", "", "a b c", "a:a b:b c:c n:", ""},
		"restored, without one":  {"a 1,b 2", "b 1,n 2", "", "b:b n:?", "", "a b", "b:b n:", "a"},
		"restored, with another": {"a 1,b 2", "a 2,n 1,b 7", "", "a:a b:b n:?", "", "a b", "a:a b:b n:", ""},
		"kept, and made anew":    {"a,c 2", "a 9,c 2", "", "a:a c:c", "", "", "a:a c:c", ""},
		"another database":       {"a 1,b 2,c 3,d 4", "b 1,a 2,c 3,n 4", "other,a>b", "a:a b:b c:c n:", "", "a b d", "a:a b:b c:c n:", "d"},

		"5: renamed":              {"a 1 x", "b 1 x", "", "b:a", "", "", "b:", "a"},
		"5: a new version":        {"a 1 x", "a 2 y,z 1 x", "", "a: z:a", "", "", "a:a z:", ""},
		"5: restored":             {"a 1 x,b 2 y", "b 1 y,a 2 x", "", "a:a b:b", "", "", "a:a b:b", ""},
		"5: restored, alike":      {"a 1 x,b 2 x,c 3 x", "b 1 x,a 2 x", "other", "a:a b:b", "", "c", "a:a b:b", "c"},
		"5: exchanged, alike":     {"a 1 x,b 2 x", "b 1 x,a 2 x", "a>b,b>a", "a:b b:a", "", "", "a:a b:b", ""},
		"5: its id is reused":     {"a 1 x,c 2 x", "b 1 y,c 2 x", "", "b: c:c", "a", "", "b: c:c", "a"},
		"5: made anew":            {"a 1 x,c 2 x", "a 1 y,c 2 x", "-a", "a: c:c", "a", "", "a:a c:c", ""},
		"5: silent, made anew":    {"a 1 x,c 2 x", "a 1 y,c 2 x", "", "a:a c:c", "", "a", "a:a c:c", ""},
		"5: a new version, alike": {"a 1 x", "a 2 x,z 1 x", "a>z", "a: z:a", "", "", "a:a z:", ""},
		"5: another, alike":       {"a 1 x,c 2 x", "b 7 x,c 2 x", "", "b: c:c", "a", "", "b: c:c", "a"},
		"4: of a record of 5":     {"a 1 x", "b 1", "a>b", "b:a", "", "", "b:", "a"},
		"5: of an old record":     {"a 1,c 2", "a 1 x,b 2 x", "", "a:a b:?", "", "c", "a:a b:", "c"},
	} {
		for _, ask := range []Ask{asked(all(test.told)...), nil} {
			want := strings.Join([]string{test.byID, test.gone, test.untold}, "; ")
			if ask == nil {
				want = strings.Join([]string{test.byName, test.goneByName, ""}, "; ")
			}
			record := &Record{Objects: devices(all(test.before)...)}
			objects := devices(all(test.now)...)
			m := match(t, &Code{}, record, objects, ask)
			slices.SortFunc(objects, func(x, y *Object) int { return strings.Compare(x.Name, y.Name) })
			var found, gone, untold []string
			for _, o := range objects {
				address := map[bool]string{true: "?"}[o.Unclear]
				if o.Before != nil {
					address = o.Before.Name
				}
				found = append(found, o.Name+":"+address)
			}
			for _, r := range m.Lost {
				gone = append(gone, r.Name)
			}
			for _, u := range m.Untold {
				untold = append(untold, u.Name)
			}
			have := strings.Join([]string{strings.Join(found, " "), strings.Join(gone, " "), strings.Join(untold, " ")}, "; ")
			if have != want {
				t.Errorf("%s, by name %t: it is %q, want %q", name, ask == nil, have, want)
			}
			if restored := slices.Contains([]string{"restored in place", "silent: exchanged"}, name); ask != nil && restored != m.Restored && !m.IsOther && len(m.Untold) > 0 {
				t.Errorf("%s: that it is a restore is %t", name, m.Restored)
			}
			for _, o := range objects {
				if ask != nil && m.untold[o.Before] && o.ID != o.Before.ID {
					t.Errorf("%s: the id of %s is %q, and not that of the record", name, o.Name, o.ID)
				}
			}
		}
	}
}

// Edges are their workflow, ends and subtype, and layouts their workflow, whatever their names are: as the objects are
// followed, which are not devices with such names.
func TestMatch_ends(t *testing.T) {
	t.Parallel()
	edge := func(name, id string, ends ...string) *Object {
		return &Object{Kind: "workflow_edge", Name: name, ID: id, Ends: ends, EndsOf: []string{"", "service", "service"}, Address: "enms_workflow_edge." + name}
	}
	layout := func(of string) *Object {
		return &Object{Kind: "enms_workflow_layout", Name: of, Ends: []string{of}, EndsOf: []string{"service"}, Address: "enms_workflow_layout.a"}
	}
	service := func(name, id string) *Object { return &Object{Kind: "service", Name: name, ID: id} }
	device := func(name, id string) *Object { return &Object{Kind: "device", Name: name, ID: id} }
	for name, test := range map[string]struct {
		now        []*Object
		ask        Ask
		was        string // the names that the objects had
		gone, kept int
	}{
		"renamed": {
			[]*Object{service("B", "1"), device("C", "1"), service("success", "3"), edge("e9", "7", "success", "B", "End"), layout("B")},
			asked("A>B", "A>C"), "A A success e1 A", 0, 0,
		},
		"a new version": {
			[]*Object{service("A", "9"), service("old", "1"), device("A", "1"), service("success", "3"), edge("e1", "5", "success", "A", "End"), edge("e2", "6", "success", "old", "End"), layout("A"), layout("old")},
			asked("A>old"), "- A A success - e1 - A", 0, 0,
		},
		"a new version, by name": {
			[]*Object{service("A", "9"), service("old", "1"), device("A", "1"), service("success", "3"), edge("e1", "5", "success", "old", "End"), layout("A"), layout("old")},
			nil, "A - A success - A -", 1, 0,
		},
		"another subtype": {
			[]*Object{service("A", "1"), device("A", "1"), service("success", "3"), edge("e1", "5", "failure", "A", "End"), layout("A")},
			asked(), "A A success - A", 1, 0,
		},
		"untold": {
			[]*Object{service("old", "1"), device("A", "1"), service("success", "3"), edge("e1", "5", "success", "old", "End"), layout("old")},
			asked(), "? A success ? ?", 0, 2,
		},
		"two alike": {
			[]*Object{service("A", "1"), device("A", "1"), service("success", "3"), edge("e1", "5", "success", "A", "End"), edge("e6", "6", "success", "A", "End"), layout("A")},
			asked(), "A A success e1 - A", 0, 0,
		},
		"untold, and elsewhere": {
			[]*Object{service("old", "1"), device("success", "1"), service("success", "3"), edge("e3", "8", "success", "success", "End"), layout("success")},
			asked(), "? ? success - -", 0, 2,
		},
		"gone":                       {[]*Object{service("A", "1"), device("A", "1"), service("success", "3")}, asked(), "A A success", 2, 0},
		"gone from another database": {[]*Object{service("A", "1"), device("A", "1"), service("success", "3")}, asked("other"), "A A success", 0, 2},
		"made anew": {
			[]*Object{service("A", "9"), device("A", "1"), service("success", "3"), edge("e1", "5", "success", "A", "End"), layout("A")},
			asked("-A"), "- A success - -", 3, 0,
		},
	} {
		record := &Record{Objects: []*Object{service("A", "1"), device("A", "1"), service("success", "3"), edge("e1", "5", "success", "A", "End"), layout("A")}}
		for _, o := range append(slices.Clone(record.Objects), test.now...) {
			if o.Kind == "service" || o.Kind == "device" {
				o.Subtype = o.Kind
			}
		}
		m := match(t, &Code{}, record, test.now, test.ask)
		var was []string
		for _, o := range test.now {
			before := map[bool]string{false: "-", true: "?"}[o.Unclear]
			if o.Before != nil {
				before = o.Before.Name
			}
			was = append(was, before)
		}
		if have := strings.Join(was, " "); have != test.was || len(m.Lost) != test.gone || len(m.untold)-len(m.Untold) != test.kept {
			t.Errorf("%s: the objects were %q, %d are gone, and %d are kept; want %q, %d and %d", name, have, len(m.Lost), len(m.untold)-len(m.Untold), test.was, test.gone, test.kept)
		}
	}
}

// Of which objects the changelog is asked, and when not at all.
func TestMatch_asks(t *testing.T) {
	t.Parallel()
	for now, want := range map[string]string{"a 1,b 2": "[]", "a 1,b 2,c 3": "[]", "a 1,c 2": "[? b c]", "a 1": "[? b  ?]", "b 1,a 2": "[? a b b a]", "a 1,c 2 x": "[? b  ?]", "a 1,b 2,link": "[?]"} {
		var names []string
		record := &Record{Objects: devices("a 1", "b 2 y")}
		if strings.HasSuffix(now, "link") {
			record.Objects = append(record.Objects, &Object{Kind: "workflow_edge", Name: "link", Ends: []string{"a"}})
		}
		_, err := Match(&Code{}, record, devices(all(strings.TrimSuffix(now, ",link"))...), func(questions []Question) ([]Fate, bool, error) {
			names = append(names, "?")
			for _, q := range questions {
				names = append(names, q.Name, q.NameNow)
			}
			return make([]Fate, len(questions)), false, nil
		})
		if have := fmt.Sprint(names); err != nil || have != want {
			t.Errorf("for %s, it asks %s, and not %s: %v", now, have, want, err)
		}
	}
	failure := errors.New("no answer")
	if _, err := Match(&Code{}, &Record{Objects: devices("a 1")}, nil, func(questions []Question) ([]Fate, bool, error) {
		if len(questions) == 0 {
			return nil, false, nil
		}
		return nil, false, failure
	}); !errors.Is(err, failure) {
		t.Errorf("the error is %v", err)
	}
}

// A new name that people have written into the block, or into the row in place of the old one, tells which object it is, but
// not in another database.
func TestMatch_writtenByPeople(t *testing.T) {
	t.Parallel()
	const table = "resource \"enms_instances\" \"devices\" {\n}\n-- devices.csv --\nname\n"
	for _, test := range []struct {
		files, told string
		want        bool
	}{
		{"resource \"enms_device\" \"a\" {\n  name = \"b\"\n}\n", "", true},
		{"resource \"enms_device\" \"a\" {\n  name = \"b\"\n}\n", "other", false},
		{"resource \"enms_device\" \"a\" {\n  name = \"c\"\n}\n", "", false},
		{table + "b\n", "", true},
		{table + "b\n", "other", false},
		{table + "a\nb\n", "", false},
		{table + "c\n", "", false},
		{table + "a\n", "", false},
	} {
		record, objects := &Record{Objects: devices("a 1")}, devices("b 1", "a 2")
		if strings.HasPrefix(test.files, table) {
			record.Objects[0].Address, record.Objects[0].Table = "enms_instances.devices", "devices.csv"
		}
		m := match(t, codeOf(t, filesOf(test.files)), record, objects, asked(all(test.told)...))
		if is := objects[0].Before == record.Objects[0]; is != test.want || is != (len(m.Untold) == 0) || is && objects[1].Before != nil {
			t.Errorf("%q, %q: the objects were %v and %v, and untold are %v", test.files, test.told, objects[0].Before, objects[1].Before, m.Untold)
		}
	}
}

// An id belongs to another object if its type is another one.
func TestHasID(t *testing.T) {
	t.Parallel()
	for subtype, want := range map[string]bool{"": true, "x": true, "y": false} {
		if is := hasID(&Object{ID: "1", Subtype: "x"}, &Object{ID: "1", Subtype: subtype}); is != want {
			t.Errorf("with the type %q, it is %t", subtype, is)
		}
	}
}

// A record is read as it was written, and shows names as they are.
func TestRecord_document(t *testing.T) {
	t.Parallel()
	r := recordOf(t, map[string][]byte{"main.tf": []byte(lastExport)})
	r.Server, r.Options = "s", []string{"-modules"}
	r.Objects = []*Object{{Kind: "workflow_edge", Name: "e1", Address: `enms_workflow_edge.w["A -> B"]`}, {Kind: "device", Name: "c", Address: "x"}, {Kind: "device", Name: "c", Address: "w"}, {Kind: "device", Name: "b", Address: "x"}}
	document, err := r.Document()
	if err != nil {
		t.Fatal(err)
	}
	read, err := ReadRecord(document)
	if err != nil {
		t.Fatalf("%v\n%s", err, document)
	}
	names := func(all []*Object) (names []string) {
		for _, o := range all {
			names = append(names, o.Kind+" "+o.Name+" "+o.Address)
		}
		return names
	}
	if sorted := []string{"device b x", "device c w", "device c x", `workflow_edge e1 enms_workflow_edge.w["A -> B"]`}; !slices.Equal(names(read.Objects), sorted) || len(read.Written) == 0 || !maps.EqualFunc(read.Written, r.Written, maps.Equal) || read.About != aboutRecord {
		t.Errorf("it has %q and %v, about %q", names(read.Objects), read.Written, read.About)
	}
	again, err := read.Document()
	if err != nil || !bytes.Equal(again, document) || !strings.Contains(string(document), "A -> B") {
		t.Errorf("%v: the record is\n%s\nand was\n%s", err, again, document)
	}
	empty, err := (&Record{}).Document()
	if err == nil {
		_, err = ReadRecord(empty)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, empty)
	}
}

// Digests depend on a salt and on the place, and are long; there is none of what may be a secret.
func TestRecord_digests(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{
		"main.tf":     []byte("resource \"enms_device\" \"a\" {\n  name = \"x\"\n  vendor = \"x\"\n  token = \"1234\"\n  tokens = [\"5678\"]\n}\n"),
		"devices.csv": []byte("name,token\nx,1234\n"),
		"code/a.py":   []byte("token='1234'\n"),
	}
	secret := func(path, text string) bool { return strings.Contains(path+text, "token") }
	all := map[string]bool{}
	for _, salt := range []string{"one", "two"} {
		r := &Record{Salt: salt}
		if err := r.SetWritten(files, secret); err != nil {
			t.Fatal(err)
		}
		for id, values := range r.Written {
			for path, d := range values {
				switch isSecret := strings.Contains(id+path, "token") || strings.HasPrefix(id, "file "); {
				case isSecret != (d == secretDigest):
					t.Errorf("the digest of %s %s is %s", id, path, d)
				case !isSecret && (len(d) != 20 || all[d] && !strings.HasPrefix(id, "row ")):
					t.Errorf("the digest of %s %s is %s, which is short or that of another value", id, path, d)
				}
				all[d] = true
			}
		}
	}
}

// The record has the paths of values, of members of objects and of lists, and the files that configuration reads.
func TestRecord_SetWritten(t *testing.T) {
	t.Parallel()
	r := recordOf(t, filesOf("locals {}\nresource \"enms_pool\" \"p\" {\n  a = {\n    b = 1\n    c = {}\n    \"d.e\" = [\"x\"]\n  }\n  f = []\n  lifecycle {\n    ignore_changes = [g]\n  }\n}\n-- code/a.csv --\nname\nx\n-- a.csv --\nname,b,c\nx,,1\n-- a.txt --\nname\nx\n"))
	var have []string
	for id, values := range r.Written {
		have = append(have, id)
		for path, d := range values {
			have = append(have, id+" "+path+map[bool]string{true: " in"}[d == "in"])
		}
	}
	slices.Sort(have)
	member := func(at, form string) string { return at + "." + Digest("salt", at, form) + " in" }
	p := "resource enms_pool p"
	want := []string{"file code/a.csv", "file code/a.csv ", "locals", p, p + " a.b", p + " a.c", p + " " + member("a.d.e", `"x"`), p + " f", p + " " + member("lifecycle/ignore_changes", "g"), "row a.csv x", "row a.csv x c", "row a.csv x name"}
	if slices.Sort(want); !slices.Equal(have, want) {
		t.Errorf("it has\n%q\nand not\n%q", have, want)
	}
}

// The variable of a secret keeps its name when people rename the block; one of their own is not the
// export's.
func TestMatching_Variable(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"variables.tf": []byte("variable \"credential_a_password\" {\n}\n"), "modules/w/variables.tf": []byte("variable \"inner\" {\n}\n")}
	record := recordOf(t, files)
	code := codeOf(t, map[string][]byte{
		"main.tf":           []byte("resource \"enms_credential\" \"ours\" {\n  password_wo = var.credential_a_password\n  private_key_wo = var.theirs\n}\n"),
		"modules/w/main.tf": []byte("resource \"enms_service\" \"s\" {\n  secrets_wo = { token = var.inner, other = \"x\" }\n}\n"),
	})
	m := match(t, code, record, nil, asked())
	for want, at := range map[string][]string{
		"credential_a_password": {"enms_credential.ours", "password_wo"}, "inner": {"module.w.enms_service.s", "secrets_wo", "token"},
	} {
		if have := m.Variable(at[0], at[1:]...); have != want {
			t.Errorf("%v is %q, and not %q", at, have, want)
		}
	}
	for _, at := range [][]string{{"enms_credential.ours", "private_key_wo"}, {"enms_credential.ours", "enable_password_wo"}, {"module.w.enms_service.s", "secrets_wo", "other"}, {"enms_credential.none", "password_wo"}} {
		if have := m.Variable(at[0], at[1:]...); have != "" {
			t.Errorf("%v is %q", at, have)
		}
	}
}

// A block whose label people have changed is that of the record also while it has no instances.
func TestMatch_renamedWithoutInstances(t *testing.T) {
	t.Parallel()
	const before = "resource \"enms_task\" \"tasks\" {\n  for_each = var.tasks\n}\n"
	record := recordOf(t, map[string][]byte{"modules/w/tasks.tf": []byte(before)})
	code := codeOf(t, map[string][]byte{"modules/w/tasks.tf": []byte(strings.Replace(before, "\"tasks\"", "\"theirs\"", 1) + "\nmoved {\n  from = enms_task.tasks\n  to   = enms_task.theirs\n}\n")})
	if at := match(t, code, record, nil, asked()).Moved["module.w.enms_task.theirs"]; at != "module.w.enms_task.tasks" {
		t.Errorf("it has moved from %q", at)
	}
}

// A cell that both sides have changed keeps its digest also if its row is renamed at the same time: once people
// undo their change, the server's value is taken.
func TestMatching_Carry_renamedRow(t *testing.T) {
	t.Parallel()
	const before = "name,model\na,N9K\n"
	record := recordOf(t, map[string][]byte{"devices.csv": []byte(before)})
	record.Objects = []*Object{{Kind: "device", Name: "a", ID: "1", Address: "enms_instances.devices", Table: "devices.csv"}}
	for _, step := range []struct{ code, want string }{
		{"name,model\na,N5K\n", "name,model\nb,N5K\n"},
		{"name,model\nb,N9K\n", "name,model\nb,N7K\n"},
	} {
		code := codeOf(t, map[string][]byte{"main.tf": []byte("resource \"enms_instances\" \"devices\" {\n}\n"), "devices.csv": []byte(step.code)})
		now := []*Object{{Kind: "device", Name: "b", ID: "1", Type: "enms_device", NameIn: "name", Rows: "device", Address: "enms_instances.devices", Table: "devices.csv"}}
		m := match(t, code, record, now, asked("a>b"))
		exported := map[string][]byte{"devices.csv": []byte("name,model\nb,N7K\n")}
		made, err := Apply(code, Input{Exported: exported, Record: record, Moves: m.Moves})
		if err != nil {
			t.Fatal(err)
		}
		if have := string(made.Files["devices.csv"]); have != step.want {
			t.Fatalf("the file is %q and not %q", have, step.want)
		}
		next := &Record{Salt: record.Salt, Objects: now}
		if err := next.SetWritten(exported, nil); err != nil {
			t.Fatal(err)
		}
		m.Carry(next, made)
		record = next
	}
}

// Rows are found in a CSV file with blank lines and a byte order mark. A file that cannot be read is an error, also if
// all of its objects are gone: otherwise the record would lose them. A file that people have removed is none.
func TestMatch_tables(t *testing.T) {
	t.Parallel()
	const block = "resource \"enms_instances\" \"devices\" {}\n"
	for _, test := range []struct{ block, csv, want string }{
		{block, "name\na\n", ""},
		{block, byteOrderMark + "name\r\n\r\na\r\n\r\n", ""},
		{block, "", "removed"},
		{block, "name\na,b\n", "devices.csv: record on line 2: wrong number of fields"},
		{block, "name;vendor\na;b\n", `devices.csv: it has no column "name"`},
		{block, "name\n\"a\n", "devices.csv: parse error on line 2"},
		{"", "hostname\na\n", "removed"}, // people's own file, by another block
	} {
		for _, isGone := range []bool{false, true} {
			files := map[string][]byte{"devices.tf": []byte(test.block)}
			if test.csv != "" {
				files["devices.csv"] = []byte(test.csv)
			}
			record := &Record{Objects: []*Object{{Kind: "device", Name: "a", ID: "1", Address: "enms_instances.devices", Table: "devices.csv"}}}
			now := []*Object{{Kind: "device", Name: "a", ID: "1", Rows: "device"}}
			if isGone {
				now = nil
			}
			_, err := Match(codeOf(t, files), record, now, nil)
			switch wanted := test.want; {
			case wanted == "" || wanted == "removed":
				if err != nil {
					t.Errorf("%q: %v", test.csv, err)
				} else if !isGone && now[0].IsTakenOut() != (wanted == "removed") {
					t.Errorf("%q: the device is at %q", test.csv, now[0].At)
				}
			case err == nil || !strings.Contains(err.Error(), wanted):
				t.Errorf("%q, gone %t: %v, and not %q", test.csv, isGone, err, wanted)
			}
		}
	}
}
