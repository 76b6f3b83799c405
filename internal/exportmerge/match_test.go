// This file finds the objects of a server in records and code, by tables.

package exportmerge

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// found returns the names of devices of the record, by the names of those on the server that are the
// same, "" for a new one; the record is given by "name id content".
func found(before, now []string) map[string]string {
	devices := func(all []string) (made []*Object) {
		for _, device := range all {
			fields := strings.Fields(device)
			made = append(made, &Object{Kind: "device", Name: fields[0], ID: fields[1], Content: fields[2], Type: "enms_device", NameIn: "name"})
		}
		return made
	}
	objects := devices(now)
	Match(&Code{}, &Record{Objects: devices(before)}, objects)
	names := map[string]string{}
	for _, o := range objects {
		names[o.Name] = ""
		if o.Before != nil {
			names[o.Name] = o.Before.Name
		}
	}
	return names
}

// Objects are known by name and content, then by id and content, then by name.
func TestMatch(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before, now []string
		want        map[string]string
	}{
		"nothing":                     {[]string{"a 1 x"}, []string{"a 1 x"}, map[string]string{"a": "a"}},
		"edited":                      {[]string{"a 1 x"}, []string{"a 1 y"}, map[string]string{"a": "a"}},
		"renamed":                     {[]string{"a 1 x"}, []string{"b 1 x"}, map[string]string{"b": "a"}},
		"a new version":               {[]string{"a 1 x"}, []string{"a 2 y", "a-old 1 x"}, map[string]string{"a": "", "a-old": "a"}},
		"a new version that is alike": {[]string{"a 1 x"}, []string{"a 2 x", "a-old 1 x"}, map[string]string{"a": "a", "a-old": ""}},
		"a chain":                     {[]string{"a 1 x", "b 2 y"}, []string{"b 1 x", "z 2 y"}, map[string]string{"b": "a", "z": "b"}},
		"exchanged names":             {[]string{"a 1 x", "b 2 y"}, []string{"b 1 x", "a 2 y"}, map[string]string{"b": "a", "a": "b"}},
		"a circle of three":           {[]string{"a 1 x", "b 2 y", "c 3 z"}, []string{"b 1 x", "c 2 y", "a 3 z"}, map[string]string{"b": "a", "c": "b", "a": "c"}},
		"deleted and made anew":       {[]string{"a 1 x"}, []string{"a 9 y"}, map[string]string{"a": "a"}},
		"renamed and edited":          {[]string{"a 1 x"}, []string{"b 1 y"}, map[string]string{"b": ""}},
		"a restore":                   {[]string{"a 1 x", "b 2 x", "c 3 y"}, []string{"c 1 y", "b 3 x", "a 2 x"}, map[string]string{"a": "a", "b": "b", "c": "c"}},
		"a restore and an edit":       {[]string{"a 1 x", "b 2 x", "c 3 y"}, []string{"c 1 z", "b 3 x", "a 2 x"}, map[string]string{"a": "a", "b": "b", "c": "c"}},
		"a restore and new twins":     {[]string{"a 1 x", "b 2 x", "c 3 y"}, []string{"c 1 y", "b 3 x", "d 1 x"}, map[string]string{"b": "b", "c": "c", "d": ""}},
	} {
		if have := found(test.before, test.now); !maps.Equal(have, test.want) {
			t.Errorf("%s: the server has %v, want %v", name, have, test.want)
		}
	}
}

// Edges and layouts have the names of what they belong to, which is not a device with such a name.
func TestMatch_ends(t *testing.T) {
	t.Parallel()
	record := &Record{Objects: []*Object{
		{Kind: "service", Name: "A", ID: "1", Content: "a"}, {Kind: "device", Name: "A", ID: "1", Content: "d"},
		{Kind: "workflow_edge", Name: "e1", ID: "5", Ends: []string{"A", "End"}, Address: `enms_workflow_edge.w["A -> End"]`},
		{Kind: "enms_workflow_layout", Name: "A", Ends: []string{"A"}, Address: "enms_workflow_layout.a"},
	}}
	objects := []*Object{
		{Kind: "service", Name: "B", ID: "1", Content: "a"}, {Kind: "device", Name: "C", ID: "1", Content: "d"},
		{Kind: "workflow_edge", Name: "e9", ID: "7", Ends: []string{"B", "End"}, EndsOf: "service"},
		{Kind: "enms_workflow_layout", Name: "B", Ends: []string{"B"}, EndsOf: "service"},
	}
	m := Match(&Code{}, record, objects)
	for n, o := range objects {
		if o.Before != record.Objects[n] {
			t.Errorf("%s %s was %v", o.Kind, o.Name, o.Before)
		}
	}
	if len(m.Lost) > 0 {
		t.Errorf("these are lost: %v", m.Lost)
	}
}

// What the merge has left alone keeps its digests, whatever its block is called now, so that the next
// export reports it again.
func TestMatching_Carry(t *testing.T) {
	t.Parallel()
	const fresh = "resource \"enms_device\" \"core\" {\n  name = \"a\"\n  vendor = \"Arista\"\n  properties = { x = 3 }\n}\n"
	record := recordOf(t, map[string][]byte{"main.tf": []byte(strings.NewReplacer("core", "a", "Arista", "Cisco", "3", "1, y = 2").Replace(fresh))})
	record.Objects = []*Object{{Kind: "device", Name: "a", ID: "1", Content: "x", Address: "enms_device.a"}}
	for range 2 {
		code := codeOf(t, map[string][]byte{"main.tf": []byte(strings.NewReplacer("Arista", "Nokia", "{ x = 3 }", "var.x").Replace(fresh) + "moved {\n  from = enms_device.a\n  to = enms_device.core\n}\n")})
		now := []*Object{{Kind: "device", Name: "a", ID: "1", Content: "y", Type: "enms_device", NameIn: "name"}}
		m := Match(code, record, now)
		in := Input{Fresh: map[string][]byte{"main.tf": []byte(fresh)}, Record: record, Places: m.Places}
		made, err := Apply(code, in)
		if err != nil {
			t.Fatal(err)
		}
		if len(made.Left) != 2 || len(made.Files) > 0 || !strings.Contains(made.Left[0].What, "somebody has changed it in the code, too. The server has \"Arista\"") {
			t.Fatalf("it reports %v and changes %v", made.Left, made.Changes)
		}
		now[0].Address = now[0].At
		next := &Record{Salt: record.Salt, Objects: now}
		if err := next.Write(in.Fresh, nil); err != nil {
			t.Fatal(err)
		}
		m.Carry(next, made)
		record = next
	}
}

// A record is read as it was written, and shows names as they are.
func TestRecord_document(t *testing.T) {
	t.Parallel()
	r := recordOf(t, map[string][]byte{"main.tf": []byte(exported)})
	r.Server, r.Options = "s", []string{"-modules"}
	r.Objects = []*Object{{Kind: "workflow_edge", Name: "e1", Address: `enms_workflow_edge.w["A -> B"]`}}
	document, err := r.Document()
	if err != nil {
		t.Fatal(err)
	}
	read, err := ReadRecord(document)
	if err != nil {
		t.Fatalf("%v\n%s", err, document)
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
		if err := r.Write(files, secret); err != nil {
			t.Fatal(err)
		}
		for id, values := range r.Written {
			for path, d := range values {
				switch isSecret := strings.Contains(id+path, "token") || strings.HasPrefix(id, "file "); {
				case isSecret != (d == secretDigest):
					t.Errorf("the digest of %s %s is %s", id, path, d)
				case !isSecret && (len(d) < 20 || all[d] && !strings.HasPrefix(id, "row ")):
					t.Errorf("the digest of %s %s is %s, which is short or that of another value", id, path, d)
				}
				all[d] = true
			}
		}
	}
}

// A secret that differs is reported and not changed, because nobody knows who has changed it.
func TestApply_secretsDiffer(t *testing.T) {
	t.Parallel()
	const before = "resource \"enms_service\" \"a\" {\n  token = \"one\"\n  other = \"one\"\n}\n"
	secret := func(path, _ string) bool { return path == "token" }
	record := &Record{Salt: "salt"}
	if err := record.Write(map[string][]byte{"main.tf": []byte(before)}, secret); err != nil {
		t.Fatal(err)
	}
	code := codeOf(t, map[string][]byte{"main.tf": []byte(before)})
	made, err := Apply(code, Input{Fresh: map[string][]byte{"main.tf": []byte(strings.ReplaceAll(before, "one", "two"))}, Record: record, Secret: secret})
	if err != nil {
		t.Fatal(err)
	}
	want := Finding{At: "main.tf:2 enms_service.a token", What: "It is not changed, because it may be a secret, of which no digest is kept. The server has " + hidden + "."}
	if len(made.Left) != 1 || made.Left[0].At != want.At || made.Left[0].What != want.What || !strings.Contains(string(made.Files["main.tf"]), "token = \"one\"\n  other = \"two\"") {
		t.Errorf("it reports %v and writes\n%s", made.Left, made.Files["main.tf"])
	}
}

// Changes name the file and the line, and what was added to lists and removed from them.
func TestApply_changes(t *testing.T) {
	t.Parallel()
	record := recordOf(t, map[string][]byte{"main.tf": []byte(exported)})
	code := codeOf(t, map[string][]byte{"main.tf": []byte(strings.Replace(exported, "[enms_device.a.name, enms_device.b.name]", "[enms_device.a.name, enms_device.b.name, var.c]", 1))})
	made, err := Apply(code, Input{Fresh: map[string][]byte{"main.tf": []byte(strings.NewReplacer("enms_device.a.name, ", "\"R4\", ", "Cisco", "A -> B").Replace(exported))}, Record: record})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`main.tf:4: enms_device.a: vendor = "A -> B", which was "Cisco"`, `main.tf:14: enms_pool.p: devices + "R4" - enms_device.a.name`}
	if !slices.Equal(made.Changes, want) {
		t.Errorf("it tells %q, and not %q", made.Changes, want)
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
	m := Match(code, record, nil)
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
	if at := Match(code, record, nil).Moved["module.w.enms_task.theirs"]; at != "module.w.enms_task.tasks" {
		t.Errorf("it has moved from %q", at)
	}
}

// A cell that both sides have changed keeps its digest also if its row is renamed at the same time: once people
// undo their change, the server's value is taken.
func TestMatching_Carry_renamedRow(t *testing.T) {
	t.Parallel()
	const before = "name,model\na,N9K\n"
	record := recordOf(t, map[string][]byte{"devices.csv": []byte(before)})
	record.Objects = []*Object{{Kind: "device", Name: "a", ID: "1", Content: "x", Address: "enms_instances.devices", Table: "devices.csv"}}
	for _, step := range []struct{ code, want string }{
		{"name,model\na,N5K\n", "name,model\nb,N5K\n"},
		{"name,model\nb,N9K\n", "name,model\nb,N7K\n"},
	} {
		code := codeOf(t, map[string][]byte{"main.tf": []byte("resource \"enms_instances\" \"devices\" {\n}\n"), "devices.csv": []byte(step.code)})
		now := []*Object{{Kind: "device", Name: "b", ID: "1", Content: "x", Type: "enms_device", NameIn: "name", Rows: "device", Address: "enms_instances.devices", Table: "devices.csv"}}
		m := Match(code, record, now)
		fresh := map[string][]byte{"devices.csv": []byte("name,model\nb,N7K\n")}
		made, err := Apply(code, Input{Fresh: fresh, Record: record, Places: m.Places})
		if err != nil {
			t.Fatal(err)
		}
		if have := string(made.Files["devices.csv"]); have != step.want {
			t.Fatalf("the file is %q and not %q", have, step.want)
		}
		next := &Record{Salt: record.Salt, Objects: now}
		if err := next.Write(fresh, nil); err != nil {
			t.Fatal(err)
		}
		m.Carry(next, made)
		record = next
	}
}

// A row whose object is gone and that -gone keep keeps stays in the record, even if another row of its file
// changes: without -gone keep, the next export removes it.
func TestMatching_Carry_keptRow(t *testing.T) {
	t.Parallel()
	row := func(name string) *Object {
		return &Object{Kind: "device", Name: name, ID: name, Content: name, Type: "enms_device", NameIn: "name", Rows: "device", Address: "enms_instances.devices", Table: "devices.csv"}
	}
	content := "name,model\na,N9K\nb,N5K\n"
	record := recordOf(t, map[string][]byte{"devices.csv": []byte(content)})
	record.Objects = []*Object{row("a"), row("b")}
	for _, keep := range []bool{true, false} {
		code := codeOf(t, map[string][]byte{"main.tf": []byte("resource \"enms_instances\" \"devices\" {\n}\n"), "devices.csv": []byte(content)})
		now := []*Object{row("a")}
		m := Match(code, record, now)
		fresh := map[string][]byte{"devices.csv": []byte("name,model\na,N7K\n")}
		made, err := Apply(code, Input{Fresh: fresh, Record: record, Places: m.Places, Keep: keep})
		if err != nil {
			t.Fatal(err)
		}
		if changed, is := made.Files["devices.csv"]; is {
			content = string(changed)
		}
		if is := strings.Contains(content, "\nb,N5K\n"); is != keep {
			t.Fatalf("with -gone keep %t, the file is %q", keep, content)
		}
		if told := strings.Contains(fmt.Sprint(made.Left), `devices.csv "b" The server no longer has it. It is kept`); told != keep {
			t.Errorf("with -gone keep %t, the report has %v", keep, made.Left)
		}
		next := &Record{Salt: record.Salt, Objects: now}
		if err := next.Write(fresh, nil); err != nil {
			t.Fatal(err)
		}
		m.Carry(next, made)
		record = next
	}
}
