// This file merges new exports into code that people have edited, by tables of files.

package exportmerge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// lastExport is what the last export wrote.
const lastExport = `resource "enms_device" "a" {
  name       = "a"
  ip_address = "10.0.0.1"
  vendor     = "Cisco"
}

resource "enms_device" "b" {
  name       = "b"
  ip_address = "10.0.0.2"
}

resource "enms_pool" "p" {
  name       = "p"
  devices    = [enms_device.a.name, enms_device.b.name]
  properties = { x = 1, y = "two" }
}
`

// firstDevice is its first block, with the empty line behind it.
var firstDevice, _, _ = strings.Cut(lastExport, "resource \"enms_device\" \"b\"")

// recordOf returns the record of an export of these files.
func recordOf(t *testing.T, files map[string][]byte) *Record {
	t.Helper()
	r := &Record{Salt: "salt"}
	if err := r.SetWritten(files, nil); err != nil {
		t.Fatal(err)
	}
	return r
}

// codeOf returns the code in these files.
func codeOf(t *testing.T, files map[string][]byte) *Code {
	t.Helper()
	code, err := parse(files)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// filesOf returns the files in a text: that before the first line "-- NAME --" is main.tf.
func filesOf(text string) map[string][]byte {
	files, name := map[string][]byte{}, "main.tf"
	for line := range strings.Lines(text) {
		if next, is := strings.CutPrefix(line, "-- "); is {
			name = strings.TrimSuffix(next, " --\n")
			continue
		}
		files[name] = append(files[name], line...)
	}
	return files
}

// mergeTest is a merge. exported and code are made from before, or lastExport, by replacing texts; want is made from code.
type mergeTest struct {
	before               string   // the files of the last export, for filesOf
	exported, code, want []string // pairs: old, new
	in                   func(*Input)
	left                 string   // parts of what is reported; "" if nothing is left alone
	says                 []string // further parts of the report; with "!", what it must not have
}

// TestMerge has one case for each thing that the server or people can change in a file.
func TestMerge(t *testing.T) {
	t.Parallel()
	runMerges(t, map[string]mergeTest{
		"nothing": {},
		"the server changes a value": {
			exported: []string{`"10.0.0.1"`, `"10.9.9.9"`}, want: []string{`"10.0.0.1"`, `"10.9.9.9"`},
		},
		"people change a value": {code: []string{`"10.0.0.1"`, `var.address`}},
		"both change the same value": {
			exported: []string{`"10.0.0.1"`, `"10.9.9.9"`}, code: []string{`"10.0.0.1"`, `"10.7.7.7"`},
			left: `main.tf enms_device.a ip_address|somebody has changed it in the code, too. The server has "10.9.9.9".`,
		},
		"both change it in the same way": {exported: []string{`"10.0.0.1"`, `"10.9.9.9"`}, code: []string{`"10.0.0.1"`, `"10.9.9.9"`}},
		"comments, formatting and the order stay": {
			exported: []string{`"10.0.0.1"`, `"10.9.9.9"`},
			code:     []string{"  ip_address = \"10.0.0.1\"\n  vendor     = \"Cisco\"\n", "  vendor=\"Cisco\" # theirs\n  /* here */ ip_address=\"10.0.0.1\" // there\n"},
			want:     []string{`"10.0.0.1"`, `"10.9.9.9"`},
		},
		"a value is new": {
			exported: []string{"  vendor     = \"Cisco\"\n", "  port       = 23\n  vendor     = \"Cisco\"\n"},
			want:     []string{"  vendor     = \"Cisco\"\n", "  port       = 23\n  vendor     = \"Cisco\"\n"},
		},
		"a value goes back to the default": {exported: []string{"  vendor     = \"Cisco\"\n", ""}, want: []string{"  vendor     = \"Cisco\"\n", ""}},
		"people have taken a value out":    {code: []string{"  vendor     = \"Cisco\"\n", ""}},
		"people have taken it out, and the server changes it": {
			code: []string{"  vendor     = \"Cisco\"\n", ""}, exported: []string{`"Cisco"`, `"Arista"`}, left: `enms_device.a vendor|The server has "Arista".`,
		},
		"people have taken a block out": {code: []string{firstDevice, ""}},
		"a member that people have replaced because they have moved its block away": {
			exported: []string{"enms_device.b.name]", "\"b\", \"c\"]"}, code: []string{"enms_device.b.name]", "module.theirs.b]"}, want: []string{"module.theirs.b]", "\"c\", module.theirs.b]"},
			in: func(in *Input) { in.TakenOut = map[string][]string{"b": {"enms_device.b.name"}} },
		},
		"a key that people have replaced because they have moved its block away": {
			exported: []string{`x = 1, y`, `"b" = 1, y`}, code: []string{`x = 1, y`, `(module.theirs.b) = 1, y`},
			in: func(in *Input) {
				in.TakenOut = map[string][]string{"b": {"enms_device.b.name"}}
				in.Record.Written["resource enms_pool p"]["properties.(enms_device.b.name)"] = "1"
			},
		},
		"a list on several lines, with comments": {
			exported: []string{"[enms_device.a.name, enms_device.b.name]", "[enms_device.b.name, \"c\"]"},
			code:     []string{"[enms_device.a.name, enms_device.b.name]", "[\n    # the first\n    enms_device.a.name,\n    enms_device.b.name # the last\n  ]"},
			want:     []string{"    enms_device.a.name,\n", "", "enms_device.b.name # the last\n", "enms_device.b.name, # the last\n    \"c\",\n"},
		},
		"members of an object that people have changed": {
			exported: []string{`{ x = 1, y = "two" }`, `{ x = 2, y = "two", z = true }`},
			code:     []string{`{ x = 1, y = "two" }`, `{ x = 1, y = upper("two") }`},
			want:     []string{`{ x = 1, y = upper("two") }`, `{ x = 2, y = upper("two"), z = true }`},
		},
		"a label is renamed": {
			exported: []string{`"enms_device" "a"`, `"enms_device" "core"`, "enms_device.a.name", "enms_device.core.name", `"10.0.0.1"`, `"10.9.9.9"`},
			code:     []string{`"enms_device" "a"`, `"enms_device" "core"`, "enms_device.a.name", "enms_device.core.name"},
			want:     []string{`"10.0.0.1"`, `"10.9.9.9"`},
			in:       func(in *Input) { in.Moved = map[string]string{"enms_device.core": "enms_device.a"} },
		},
		"people ignore all changes": {
			exported: []string{`"10.0.0.1"`, `"10.9.9.9"`, "  vendor     = \"Cisco\"\n", "  port       = 23\n"},
			code:     []string{"  vendor     = \"Cisco\"\n", "  vendor     = \"Cisco\"\n\n  lifecycle {\n    ignore_changes = all\n  }\n"},
		},
		"people ignore changes of a quoted attribute": {
			exported: []string{`"10.0.0.1"`, `"10.9.9.9"`},
			code:     []string{"  vendor     = \"Cisco\"\n", "  vendor     = \"Cisco\"\n\n  lifecycle {\n    ignore_changes = [\"ip_address\"]\n  }\n"},
		},
		"people ignore the changes of what goes back to the default": {
			exported: []string{"  vendor     = \"Cisco\"\n", ""},
			code:     []string{"  vendor     = \"Cisco\"\n", "  vendor     = \"Cisco\"\n\n  lifecycle {\n    ignore_changes = [vendor]\n  }\n"},
		},
		"a block of another provider": {
			exported: []string{`"10.0.0.1"`, `"10.9.9.9"`}, code: []string{"  vendor     = \"Cisco\"\n", "  vendor     = \"Cisco\"\n  provider   = enms.lab\n"},
		},
		"a text on several lines, and a value behind it": {
			exported: []string{"  vendor     = \"Cisco\"\n", "  vendor     = \"Cisco\"\n  zone       = \"z\"\n"},
			code:     []string{"  vendor     = \"Cisco\"\n", "  vendor     = <<EOT\nC\nEOT\n"},
			want:     []string{"EOT\n}", "EOT\n  zone       = \"z\"\n}"},
		},
		"a nested block comes, and goes": {
			exported: []string{"  vendor     = \"Cisco\"\n", "  vendor     = \"Cisco\"\n\n  lifecycle {\n    ignore_changes = [port]\n  }\n"},
			want:     []string{"  vendor     = \"Cisco\"\n", "  vendor     = \"Cisco\"\n\n  lifecycle {\n    ignore_changes = [port]\n  }\n"},
		},
		"an object that is gone": {
			exported: []string{firstDevice, "", "enms_device.a.name, ", ""},
			code:     []string{"resource \"enms_device\" \"b\"", "# The second.\nresource \"enms_device\" \"b\""},
			want:     []string{firstDevice, "", "enms_device.a.name, ", ""},
			in:       func(in *Input) { in.Gone = map[string]bool{"enms_device.a": true} },
		},
		"an object that is gone and is to be kept": {
			exported: []string{firstDevice, "", "enms_device.a.name, ", ""},
			want:     []string{"enms_device.a.name, ", ""},
			in:       func(in *Input) { in.Keep, in.Gone = true, map[string]bool{"enms_device.a": true} },
			left:     "main.tf enms_device.a|It is kept, as -gone keep says",
		},
		"an object that is gone and referred to": {
			exported: []string{firstDevice, "", "enms_device.a.name, ", ""},
			code:     []string{"\"enms_pool\" \"p\" {\n", "\"enms_pool\" \"p\" {\n  description = enms_device.a.vendor\n"},
			want:     []string{"enms_device.a.name, ", ""},
			in:       func(in *Input) { in.Gone = map[string]bool{"enms_device.a": true} },
			left:     "main.tf enms_device.a|enms_pool.p in main.tf refers to it",
		},
		"without a record, the server is right": {
			exported: []string{`"10.0.0.1"`, `"10.9.9.9"`}, code: []string{`"Cisco"`, `local.vendor`}, want: []string{`"10.0.0.1"`, `"10.9.9.9"`},
			in:   func(in *Input) { in.Record = nil },
			left: "main.tf enms_device.a vendor|it is more than a value or a reference",
		},
		"a secret that differs: nobody knows who has changed it": {
			exported: []string{`"Cisco"`, `"Nokia"`, `"10.0.0.1"`, `"10.9.9.9"`}, want: []string{`"10.0.0.1"`, `"10.9.9.9"`},
			in: func(in *Input) {
				in.Record.Written["resource enms_device a"]["vendor"] = secretDigest
				in.Secret = func(path, _ string) bool { return path == "vendor" }
			},
			left: "main.tf enms_device.a vendor|It is not changed, because it may be a secret|The server has " + hidden,
		},
		"ends of lines": {
			exported: []string{`"10.0.0.1"`, `"10.9.9.9"`}, code: []string{"\n", "\r\n"}, want: []string{`"10.0.0.1"`, `"10.9.9.9"`},
		},
	})
}

func runMerges(t *testing.T, tests map[string]mergeTest) {
	t.Helper()
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := cmp.Or(test.before, lastExport)
			in := Input{Exported: filesOf(replaced(before, test.exported)), Record: recordOf(t, filesOf(before))}
			if test.in != nil {
				test.in(&in)
			}
			text := replaced(before, test.code)
			files, dir := filesOf(text), fstest.MapFS{}
			for name, content := range files {
				dir[name] = &fstest.MapFile{Data: content}
			}
			code, err := Read(dir)
			if err != nil {
				t.Fatal(err)
			}
			made, err := Apply(code, in)
			if err != nil {
				t.Fatal(err)
			}
			maps.Copy(files, made.Files)
			if have, want := textOf(files), textOf(filesOf(replaced(text, test.want))); have != want {
				t.Errorf("the code is\n%s\nand not\n%s\n%v", have, want, made.Changes)
			}
			all := report(made)
			for part := range strings.SplitSeq(test.left, "|") {
				if !strings.Contains(all, part) || (test.left == "") != (len(made.Left) == 0) {
					t.Errorf("it reports\n%s\nand not %q", all, test.left)
				}
			}
			for _, part := range test.says {
				part, not := strings.CutPrefix(part, "!")
				if strings.Contains(all, part) == not {
					t.Errorf("it reports\n%s\nthe contrary of %q", all, part)
				}
			}
		})
	}
}

// textOf is the inverse of filesOf, without empty files.
func textOf(files map[string][]byte) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if len(files[name]) > 0 {
			b.WriteString("-- " + name + " --\n" + string(files[name]))
		}
	}
	return b.String()
}

// report returns all that a merge tells, each on a line.
func report(made *Result) string {
	var b strings.Builder
	for _, change := range made.Changes {
		b.WriteString("change: " + change + "\n")
	}
	for kind, all := range map[string][]Finding{"left": made.Left, "ahead": made.Ahead} {
		for _, f := range all {
			b.WriteString(kind + ": " + f.At + "|" + f.What + "\n")
		}
	}
	for _, u := range made.Unmerged {
		b.WriteString("unmerged: " + u.ID + " " + u.Path + "\n")
	}
	for _, id := range made.Unwritten {
		b.WriteString("unwritten: " + id + "\n")
	}
	for address, kept := range made.Kept {
		fmt.Fprintf(&b, "kept: %s %t\n", address, kept)
	}
	return b.String()
}

// replaced replaces texts, given as pairs.
func replaced(text string, pairs []string) string {
	for pair := range slices.Chunk(pairs, 2) {
		text = strings.ReplaceAll(text, pair[0], pair[1])
	}
	return text
}

// Every pair of neighbours, and all blocks of a file, may go at once: nothing of the others is lost.
func TestMerge_neighboursAreGone(t *testing.T) {
	t.Parallel()
	const names, block, imported = "abcd", "resource \"enms_device\" %[1]q {\n  name = %[1]q\n}\n", "import {\n  to = enms_device.%[1]s\n  id = %[1]q\n}\n"
	const whole = 1<<len(names) - 1
	write := func(set int) (files map[string][]byte, gone map[string]bool) {
		var blocks, imports []string
		gone = map[string]bool{}
		for n, name := range strings.Split(names, "") {
			if set&(1<<n) == 0 {
				gone["enms_device."+name] = true
				continue
			}
			blocks, imports = append(blocks, fmt.Sprintf(block, name)), append(imports, fmt.Sprintf(imported, name))
		}
		return map[string][]byte{"devices.tf": []byte(strings.Join(blocks, "\n")), "imports.tf": []byte(strings.Join(imports, "\n"))}, gone
	}
	for set := range whole + 1 {
		all, _ := write(whole)
		want, gone := write(set)
		made, err := Apply(codeOf(t, all), Input{Exported: want, Record: recordOf(t, all), Moves: Moves{Gone: gone}})
		if err != nil {
			t.Fatal(err)
		}
		if maps.Copy(all, made.Files); textOf(all) != textOf(want) {
			t.Errorf("%04b: it is\n%q\nand not\n%q", set, textOf(all), textOf(want))
		}
	}
}

// No message shows a secret: neither of an attribute, nor inside of an object, a text or a cell.
func TestMerge_secrets(t *testing.T) {
	t.Parallel()
	const before = "resource \"enms_service\" \"a\" {\n  token = \"hush-1\"\n  properties = { x = 1, headers = { token = \"hush-2\" } }\n  script = \"pw hush-3\"\n}\n"
	const rows = "name,token\na,hush-4\n"
	old := map[string][]byte{"main.tf": []byte(before), "devices.csv": []byte(rows)}
	record := recordOf(t, old)
	for _, people := range []string{"hush", "theirs"} { // with theirs, it is reported instead of changed
		code := codeOf(t, map[string][]byte{"main.tf": []byte(strings.ReplaceAll(before, "hush", people)), "devices.csv": []byte(strings.ReplaceAll(rows, "hush", people))})
		made, err := Apply(code, Input{
			Exported: map[string][]byte{"main.tf": []byte(strings.ReplaceAll(before, "hush", "new")), "devices.csv": []byte(strings.ReplaceAll(rows, "hush", "new"))},
			Record:   record, Secret: func(path, text string) bool { return strings.Contains(path, "token") || strings.Contains(text, "pw ") },
		})
		if err != nil {
			t.Fatal(err)
		}
		told := strings.Join(made.Changes, "\n")
		for _, f := range made.Left {
			told += "\n" + f.What
		}
		for _, secret := range []string{"hush-", "new-", "theirs-"} {
			if strings.Contains(told, secret) || !strings.Contains(told, hidden) {
				t.Errorf("%s: it is told that\n%s", people, told)
			}
		}
	}
}

// Rows of CSV files keep their bytes, their order and people's columns.
func TestMerge_rows(t *testing.T) {
	t.Parallel()
	const before = "name,vendor,model\na,Cisco,N9K\nb,Cisco,\nc,,\n"
	record := recordOf(t, map[string][]byte{"devices.csv": []byte(before)})
	record.Objects = []*Object{{Kind: "device", Name: "a", Table: "devices.csv"}}
	for name, test := range map[string]struct{ exported, code, want, left string }{
		"a cell":                    {"name,vendor,model\na,Arista,N9K\nb,Cisco,\nc,,\n", before, "name,vendor,model\na,Arista,N9K\nb,Cisco,\nc,,\n", ""},
		"people's cell":             {before, "name,vendor,model\na,Cisco,N9000\nb,Cisco,\nc,,\n", "name,vendor,model\na,Cisco,N9000\nb,Cisco,\nc,,\n", ""},
		"both":                      {strings.Replace(before, "N9K", "N7K", 1), strings.Replace(before, "N9K", "N5K", 1), strings.Replace(before, "N9K", "N5K", 1), `The server has "N7K".`},
		"a new column":              {"name,vendor,model,port\na,Cisco,N9K,23\nb,Cisco,,\nc,,,\n", before, "name,vendor,model,port\na,Cisco,N9K,23\nb,Cisco,,\nc,,,\n", ""},
		"people's column and order": {strings.Replace(before, "b,Cisco", "b,Nokia", 1), "model,name,team,vendor\n,c,\"x, y\",\n,b,,Cisco\nN9K,a,,Cisco\n", "model,name,team,vendor\n,c,\"x, y\",\n,b,,Nokia\nN9K,a,,Cisco\n", ""},
		"a new row":                 {"name,vendor,model\na,Cisco,N9K\naa,,\nb,Cisco,\nc,,\n", before, "name,vendor,model\na,Cisco,N9K\naa,,\nb,Cisco,\nc,,\n", ""},
		"a row is gone":             {"name,vendor,model\na,Cisco,N9K\nc,,\n", before, "name,vendor,model\na,Cisco,N9K\nc,,\n", ""},
		"a row is gone, and kept":   {"name,vendor,model\na,Cisco,N9K\nc,,\n", before, before, "It is kept, as -gone keep says."},
		"all rows are gone":         {"", before + "theirs,,\n", "name,vendor,model\ntheirs,,\n", ""},
		"another has its name":      {"name,vendor,model\na,Nokia,\nb,Cisco,N9K\nc,,\n", before, "name,vendor,model\nb,Cisco,N9K\nc,,\na,Nokia,\n", ""},
		"another has it, and kept":  {"name,vendor,model\nb,Cisco,N9K\na,Nokia,\nc,,\n", before, "name,vendor,model\nb,Cisco,N9K\na,Nokia,\nc,,\n", ""},
		"a row is made anew":        {strings.Replace(before, "b,Cisco", "b,Nokia", 1), before, strings.Replace(before, "b,Cisco", "b,Nokia", 1), ""},
		"a row without a column":    {"name,vendor,model,port\na,Cisco,N9K,\naa,,,\nb,Cisco,,\nc,,,\n", before, "name,vendor,model\na,Cisco,N9K\naa,,\nb,Cisco,\nc,,\n", ""},
		"renamed in a chain":        {"name,vendor,model\nb,Cisco,N9K\nc,Cisco,\n", before, "name,vendor,model\nb,Cisco,N9K\nc,Cisco,\n", ""},
		"people's row is taken out": {before, "name,vendor,model\na,Cisco,N9K\nc,,\n", "name,vendor,model\na,Cisco,N9K\nc,,\n", ""},
		"CRLF":                      {strings.Replace(before, "N9K", "N7K", 1), strings.ReplaceAll(before, "\n", "\r\n"), strings.ReplaceAll(strings.Replace(before, "N9K", "N7K", 1), "\n", "\r\n"), ""},
		"mixed ends of lines":       {before, "name,vendor,model\r\na,Cisco,N9K\nb,Cisco,\nc,,", "name,vendor,model\r\na,Cisco,N9K\nb,Cisco,\nc,,", ""},
		"blank lines":               {before, before + "\n\n", before + "\n\n", ""},
		"a mark":                    {strings.Replace(before, "N9K", "N7K", 1), byteOrderMark + before + "\r\n", byteOrderMark + strings.Replace(before, "N9K", "N7K", 1), ""},
		"a mark and a new column":   {"name,vendor,model,port\na,Cisco,N9K,23\nb,Cisco,,\nc,,,\n", byteOrderMark + before, byteOrderMark + "name,vendor,model,port\na,Cisco,N9K,23\nb,Cisco,,\nc,,,\n", ""},
		"no CSV file":               {strings.Replace(before, "N9K", "N7K", 1), before + "d,\"x\n", before + "d,\"x\n", "not a CSV file"},
		"exchanged":                 {strings.Replace(before, "b,Cisco", "c,Cisco", 1), before, before, ""},
		"renamed":                   {strings.Replace(before, "b,Cisco", "bb,Cisco", 1), before, strings.Replace(before, "b,Cisco", "bb,Cisco", 1), ""},
	} {
		code := codeOf(t, map[string][]byte{"devices.csv": []byte(test.code)})
		in := Input{Exported: map[string][]byte{"devices.csv": []byte(test.exported)}, Record: record}
		in.Keep = strings.Contains(name, "kept")
		switch name {
		case "all rows are gone":
			in.Exported, in.RowsGone = map[string][]byte{}, map[string]bool{}
			for _, row := range []string{"a", "b", "c"} {
				in.RowsGone[rowID("devices.csv", row)] = true
			}
		case "exchanged":
			in.Exported["devices.csv"] = []byte(before)
			in.RowNames = map[string]string{rowID("devices.csv", "b"): "c", rowID("devices.csv", "c"): "b"}
		case "renamed in a chain": // a is b, b is c, and c is gone
			in.RowNames, in.RowsGone = map[string]string{rowID("devices.csv", "a"): "b", rowID("devices.csv", "b"): "c"}, map[string]bool{rowID("devices.csv", "c"): true}
		case "renamed":
			in.RowNames = map[string]string{rowID("devices.csv", "a"): "a", rowID("devices.csv", "b"): "bb"}
		case "another has its name", "another has it, and kept": // the row a is b now, b is gone, and a is new
			in.RowNames, in.RowsGone = map[string]string{rowID("devices.csv", "a"): "b"}, map[string]bool{rowID("devices.csv", "b"): true}
		case "a row is gone", "a row is gone, and kept", "a row is made anew":
			in.RowsGone = map[string]bool{rowID("devices.csv", "b"): true}
		}
		made, err := Apply(code, in)
		if err != nil {
			t.Fatal(err)
		}
		have := test.code
		if content, is := made.Files["devices.csv"]; is {
			have = string(content)
		}
		if have != test.want {
			t.Errorf("%s: the file is\n%q\nand not\n%q", name, have, test.want)
		}
		says := map[string]string{
			"exchanged": `renames = { "b" = "c", "c" = "b" }`, "a cell": `devices.csv "a" vendor = "Arista", which was "Cisco"`,
			"a row is gone": `devices.csv: "b" is gone`, "a new row": `devices.csv: "aa" is new`,
		}[name]
		if told := strings.Join(made.Changes, "\n"); !strings.Contains(told, says) || strings.Contains(told, "renames") != (name == "exchanged") {
			t.Errorf("%s: it says %q", name, made.Changes)
		}
		var left strings.Builder
		for _, f := range made.Left {
			left.WriteString(f.At + " " + f.What)
		}
		if !strings.Contains(left.String(), test.left) || (left.Len() == 0) != (test.left == "") {
			t.Errorf("%s: it reports %q, and not %q", name, left.String(), test.left)
		}
	}
}

// A new CSV file is written, unless people have removed the file, and one that is not in the new export loses its rows.
func TestMerge_rowsOfFiles(t *testing.T) {
	t.Parallel()
	const table = "-- devices.csv --\nname\na\n"
	runMerges(t, map[string]mergeTest{
		"a new one":                     {before: "# main\n", exported: []string{"# main\n", "# main\n" + table}, code: []string{}, want: []string{"# main\n", "# main\n" + table}, says: []string{"change: devices.csv: is new"}},
		"one that people have removed":  {before: "# main\n" + table, exported: []string{"a\n", "a\nb\n"}, code: []string{table, ""}},
		"no longer one, nor for people": {before: "# main\n" + table, exported: []string{table, ""}, code: []string{table, ""}, in: func(in *Input) { in.Record.Objects = objects("device a 1 - devices.csv") }},
		"a text of that type":           {before: "# code/a.csv\n-- code/a.csv --\nname\na\n", exported: []string{"a\n", "b\n"}, want: []string{"-- code/a.csv --\nname\na\n", "-- code/a.csv --\nname\nb\n"}},
	})
}

// A long value is cut for a message.
func TestShortened(t *testing.T) {
	t.Parallel()
	whole := strings.Repeat("ü", longestShown)
	if shortened(whole) != whole || shortened(whole+"x") != whole+"..." {
		t.Errorf("it is %q and %q", shortened(whole), shortened(whole+"x"))
	}
}
