// This file tests when an export into existing code refuses a server, what it leaves as it is, and what the command says.

package export

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// More than a third of the objects gone at once is an error that names the option which allows it, and
// so is a server that has none of them.
func TestCheckGone(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		before, gone int
		option       string
		refused      bool
	}{
		{0, 0, "", false}, {30, 0, "", false}, {30, 10, "", false}, {30, 11, "", true}, {30, 11, goneRemoved, false}, {30, 11, goneKeep, false},
		{8, 5, "", false}, {3, 3, "", true}, {3, 3, goneDelete, false},
	} {
		r, now := &record{}, []*exportmerge.Object{{Kind: "device", Name: "new", ID: "99"}}
		for n := range test.before {
			o := exportmerge.Object{Kind: "device", Name: fmt.Sprint("d", n), ID: fmt.Sprint(n)}
			r.Objects = append(r.Objects, &o)
			if same := o; n >= test.gone {
				now = append(now, &same)
			}
		}
		m, err := exportmerge.Match(&exportmerge.Code{}, &r.Record, now, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = checkGone(m, now, r, options{gone: test.option, directory: "network"})
		if test.refused != (err != nil && strings.Contains(err.Error(), "-gone removed")) {
			t.Errorf("%d of %d are gone, with -gone %q: %v", test.gone, test.before, test.option, err)
		}
	}
}

// The record knows the address of its server, if it is not that of an older export. Another one has to be allowed.
func TestRecord_checkServer(t *testing.T) {
	t.Parallel()
	r, older := &record{Record: exportmerge.Record{Salt: "s", Server: exportmerge.Digest("s", "a")}}, &record{}
	for n, test := range []struct {
		r       *record
		o       options
		refused bool
	}{{r, options{server: "a"}, false}, {r, options{server: "b"}, true}, {r, options{server: "b", anotherServer: true}, false}, {older, options{server: "b"}, false}, {nil, options{server: "b"}, false}} {
		if err := test.r.checkServer(test.o); (err != nil) != test.refused || err != nil && !strings.Contains(err.Error(), "-another-server") {
			t.Errorf("%d: %v", n, err)
		}
	}
}

// The options of the last export are used again, unless others of its kind are given. Modules and an export without them do
// not mix.
func TestOptions_withRecorded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ recorded, given, want string }{
		{"-type=device -inventory=csv", "", "[device] csv  false"}, {"-type=device -inventory=csv", "-type link", "[link]   false"}, {"-identify-by=name", "", "[]  name false"},
		{"-identify-by=name", "-identify-by id", "[]  id false"}, {"-modules", "", "[]   true"}, {"-modules -type=device", "-modules -type link", "[link]   true"},
		{"", "-modules", "was exported without it"}, {"-modules", "-type link", "was exported with it"}, {"-type", "", "are not valid"},
	} {
		o, err := parse(append(strings.Fields(test.given), "dir"), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		o, err = o.withRecorded(&record{Record: exportmerge.Record{Options: strings.Fields(test.recorded)}})
		have := fmt.Sprint(o.selection.types, " ", o.inventory, " ", o.identifyBy, " ", o.selection.modules)
		if err != nil {
			have = err.Error()
		}
		if !strings.Contains(have, test.want) {
			t.Errorf("%q after %q: it is %s, and not %s", test.given, test.recorded, have, test.want)
		}
	}
}

// An object in the code that cannot be read is an error, whether it is the same by its name or by its id.
func TestRecord_checkUnread(t *testing.T) {
	t.Parallel()
	r := &record{}
	r.Objects = []*exportmerge.Object{{Kind: "device", Name: "a", ID: "1"}, {Kind: "device", Name: "b"}}
	for _, test := range []struct {
		kind, name, id string
		refused        bool
	}{{"device", "a", "2", true}, {"device", "c", "1", true}, {"device", "c", "", false}, {"link", "a", "1", false}} {
		all := []unread{{&object{kind: &kind.Kind{Name: test.kind}, name: test.name, id: test.id}, "why"}}
		if err := r.checkUnread(all, "network"); (err != nil) != test.refused {
			t.Errorf("%v: %v", test, err)
		}
		var none *record
		if err := none.checkUnread(all, "network"); err != nil {
			t.Error(err)
		}
	}
}

// The README.md of an export is written again until somebody has edited, written or deleted it.
func TestExporter_putReadme(t *testing.T) {
	t.Parallel()
	digest := func(s string) string { return exportmerge.Digest("", s) }
	for _, test := range []struct {
		have, recorded string // "" if there is none
		written        bool
		next           string
	}{
		{"", "", true, digest("new")}, {"new", "", false, digest("new")}, {"mine", "", false, ""},
		{"old", digest("old"), true, digest("new")}, {"mine", digest("old"), false, digest("old")}, {"", digest("old"), false, digest("old")}, {"new", digest("old"), false, digest("new")},
	} {
		files := map[string]string{}
		if test.have != "" {
			files[fileReadme] = test.have
		}
		e := &exporter{options: options{root: temporary(t, files)}, files: map[string][]byte{fileReadme: []byte("new")}}
		merged, next := &exportmerge.Result{Files: map[string][]byte{}}, &exportmerge.Record{Readme: digest("new")}
		var r *record
		if test.recorded != "" {
			r = &record{Record: exportmerge.Record{Readme: test.recorded}}
		}
		e.putReadme(merged, next, r)
		if written := merged.Files[fileReadme] != nil; written != test.written || next.Readme != test.next {
			t.Errorf("%q, recorded as %q: it is written: %t, and recorded as %q", test.have, test.recorded, written, next.Readme)
		}
	}
}

// New devices go into the table that the code has, or into a new one on request, unless the code has blocks of devices.
func TestDecided_fill(t *testing.T) {
	t.Parallel()
	routers := func(adopts bool) *table {
		return &table{typ: "device", label: "routers", file: "r.csv", adopts: adopts}
	}
	for _, test := range []struct {
		asked   string
		table   *table
		asBlock bool
		at      string
		want    string
	}{
		{"", nil, false, "", ""}, {inventoryCSV, nil, true, "", ""}, {inventoryCSV, nil, false, "enms_device.a", ""}, {"", routers(false), false, "enms_device.a", ""},
		{inventoryCSV, nil, false, "", "enms_instances.devices devices.csv false"},
		{"", routers(false), true, "", "enms_instances.routers r.csv true"},
		{"", routers(false), false, "enms_instances.routers", "enms_instances.routers r.csv false"},
		{"", routers(true), false, "enms_instances.routers", "enms_instances.routers r.csv true"},
	} {
		o := &object{kind: kind.Named(kinds.All(), "device"), typ: "device", name: "a", table: "earlier", match: &exportmerge.Object{At: test.at}}
		o.config = kind.Values{kind.RowName: tftypes.NewValue(tftypes.String, "a")}
		d := &decided{tables: map[string]*table{}, asBlock: map[string]bool{"device": test.asBlock}}
		if test.table != nil {
			d.tables["device"] = test.table
		}
		have := ""
		for _, t := range d.fill([]*object{o}, test.asked) {
			have += fmt.Sprint(t.address(), " ", t.path(), " ", t.adopts)
		}
		if address, _, _ := strings.Cut(have, " "); have != test.want || o.table != address {
			t.Errorf("%v: it is in %q, by its own account in %q", test, have, o.table)
		}
	}
}

// The label of an object is that of its block. A layout that people have removed gets its old one again.
func TestInCode(t *testing.T) {
	t.Parallel()
	before := &exportmerge.Object{Address: "module.w.enms_x.old"}
	for _, test := range []struct {
		match *exportmerge.Object
		want  string
	}{
		{nil, "|"}, {&exportmerge.Object{At: "enms_device.a", NameIn: kind.RowName}, "|a"}, {&exportmerge.Object{At: `module.m.enms_edge.e["k"]`, Before: before, NameIn: kind.RowName}, `m|e["k"]`},
		{&exportmerge.Object{Before: before, NameIn: kind.RowName}, "|"}, {&exportmerge.Object{Before: before, NameIn: workflowType}, "w|old"}, {&exportmerge.Object{At: "enms_x.new", Before: before, NameIn: workflowType}, "|new"},
	} {
		if module, label := inCode(test.match); module+"|"+label != test.want {
			t.Errorf("%v: it is %s in the module %q, and not %q", test.match, label, module, test.want)
		}
	}
}

// Nothing new gets a label that the code has, in any form, nor one that this export has given.
func TestDecided_labels(t *testing.T) {
	t.Parallel()
	n := naming{name: "a", short: "a", qualifier: "w"}
	d := &decided{taken: map[string]bool{"enms_device.a": true, "enms_link.a_2": true}, modules: map[string]string{"Other": "w"}}
	for _, want := range []string{n.label(labelQualified), n.label(labelDigest), n.label(labelDigest) + "_2", n.label(labelDigest) + "_3"} {
		if have := d.free("enms_device", n, "a"); have != want {
			t.Errorf("the label is %q, want %q", have, want)
		}
	}
	if have := d.free("enms_link", n, "a"); have != "a" || !d.take("code", "a") || d.take("code", "a") {
		t.Errorf("the label is %q, or two objects have the same texts", have)
	}
	for _, test := range [][2]string{{"W", "w_2"}, {"V", "w_3"}, {"W", "w_2"}, {"Other", "w"}} {
		if have := d.module(test[0], "w"); have != test[1] {
			t.Errorf("%s has the label %q, want %q", test[0], have, test[1])
		}
	}
	i := &inventory{kinds: kinds.All(), readKinds: []*kind.Kind{kind.Named(kinds.All(), "device"), kind.Named(kinds.All(), "service")}}
	for namespace, want := range map[string]bool{"node": false, "service": true, "link": false} {
		if i.isWhole(namespace) != want {
			t.Errorf("%s is whole: %t", namespace, !want)
		}
	}
	for typ, want := range map[string]bool{"device": true, "gateway": true, "workflow": true, "network": false} {
		if i.isRead(typ) != want {
			t.Errorf("%s is read: %t", typ, !want)
		}
	}
}

// A new repository keeps its README.md. A finding is in the report once. Without -workflow, no services are read for others.
func TestExporter_small(t *testing.T) {
	t.Parallel()
	e := newExporter(&inventory{}, options{root: temporary(t, map[string]string{fileReadme: "mine"})}, nil, func(string) {})
	e.files[fileReadme], e.files[fileGit] = []byte("new"), []byte("new")
	if e.keepExisting(); e.files[fileReadme] != nil || e.files[fileGit] == nil {
		t.Errorf("it writes %v", e.files)
	}
	for _, f := range []finding{{At: "a", What: "x"}, {At: "b", What: "x"}, {At: "a", What: "y"}, {At: "a", What: "x"}} {
		e.report.add(&e.report.Kept, f.At, f.What)
	}
	if len(e.report.Kept) != 3 {
		t.Errorf("the report has %v", e.report.Kept)
	}
	if read := (selection{types: []string{"link"}}).reads(kinds.All(), nil); len(read) != 1 || read[0].Name != "link" {
		t.Errorf("%d kinds are read for links", len(read))
	}
}

// What the code has and this export writes elsewhere is deleted from the code. A task of a module is moved, as
// Terraform would delete it otherwise; what has a row in a table is left to the table.
func TestAddLeft(t *testing.T) {
	t.Parallel()
	device := kind.Named(kinds.All(), "device")
	w := &module{label: "w"}
	for name, test := range map[string]struct {
		o         object
		gone      string
		elsewhere string
	}{
		"new":                 {o: object{}},
		"where it was":        {o: object{match: &exportmerge.Object{At: "enms_device.x"}}},
		"in a module":         {o: object{module: w, match: &exportmerge.Object{At: "enms_device.x"}}, gone: "enms_device.x"},
		"in the same module":  {o: object{module: w, match: &exportmerge.Object{At: "module.w.enms_device.y"}}},
		"in another one":      {o: object{module: w, match: &exportmerge.Object{At: "module.v.enms_device.x"}}, gone: "module.v.enms_device.x"},
		"in no module":        {o: object{match: &exportmerge.Object{At: "module.v.enms_device.x"}}, gone: "module.v.enms_device.x"},
		"in the table of one": {o: object{table: "module.w.enms_instances.all", match: &exportmerge.Object{At: "enms_device.x"}}},
		"into a variable":     {o: object{module: w, passed: true, match: &exportmerge.Object{At: "enms_device.x"}}, elsewhere: "enms_device.x"},
		"from a variable":     {o: object{match: &exportmerge.Object{At: `module.w.enms_device.x["k"]`}}, elsewhere: `module.w.enms_device.x["k"]`},
		"with a layout":       {o: object{layoutMatch: &exportmerge.Object{At: "enms_network_layout.y"}}},
		"without its layout":  {o: object{layoutMatch: &exportmerge.Object{At: "enms_network_layout.z"}}, gone: "enms_network_layout.z"},
		"without any layout":  {o: object{layoutMatch: &exportmerge.Object{}}},
	} {
		o := test.o
		o.kind, o.label = device, "x"
		if o.match == nil {
			o.match = &exportmerge.Object{}
		}
		m := &exportmerge.Matching{Moves: exportmerge.Moves{Gone: map[string]bool{}, Elsewhere: map[string]string{}}}
		(&exporter{objects: []*object{&o}, layouts: map[*object]string{&o: "enms_network_layout.y"}}).addLeft(m)
		if len(m.Gone) > 1 || m.Gone[test.gone] != (test.gone != "") || len(m.Elsewhere) > 1 || (m.Elsewhere[test.elsewhere] == o.address()) != (test.elsewhere != "") {
			t.Errorf("%s: gone are %v, elsewhere %v", name, m.Gone, m.Elsewhere)
		}
	}
}

// The command says how much of everything the report has, and shows the first of findings that prevent an export.
func TestSummary(t *testing.T) {
	t.Parallel()
	all := []finding{{At: "a", What: "w."}}
	made := &result{hasCode: true, changes: []string{"c"}, files: map[string][]byte{"f": nil, "g": nil}, report: &report{
		Objects: map[string]int{"device": 1, "link": 1}, Lines: 1, Names: nameCounts{References: 1, NotExported: 1},
		LeftOut: all, Omitted: all, Kept: all, Expected: all, Circles: make([]circle, 2), Secrets: make([]secret, 1), Check: all, Unclear: all, NotUpdated: all, Ahead: all}}
	const want = `2 objects, 1 line of configuration in DIR, after 1.2s
1 change of the code in 2 files
1 of 2 names of objects are references
     1 object left out (see report.json)
     1 value left out (see report.json)
     1 thing that another server must have (see report.json)
     1 name of objects that were not exported (see report.json)
     2 circular references broken (see report.json)
     1 secret that another server needs (see report.json)
     1 to be checked (see report.json)
     1 object of the last export not identified (see report.json)
     1 not compared or not changed (see report.json)
     1 where the code differs from the server, which has not changed (see report.json)
`
	if got := made.summary("DIR", 1234*time.Millisecond); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := (&result{report: &report{}}).summary("DIR", 0); got != "0 objects, 0 lines of configuration in DIR, after 0s\n" {
		t.Errorf("of nothing: %s", got)
	}
	if got, more := firstOf(all), firstOf(append(all, all...)); got != "a: w." || more != "a: w. And 1 more, see report.json." {
		t.Errorf("%q, %q", got, more)
	}
}
