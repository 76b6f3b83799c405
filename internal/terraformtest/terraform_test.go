package terraformtest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// thingNamed returns a resource, with more arguments.
func thingNamed(label, name string, more ...string) string {
	return fmt.Sprintf("resource \"test_thing\" %q {\n  name = %s\n  %s\n}\n", label, name, strings.Join(more, "\n  "))
}

// Resources are created after what they refer to, through locals too, and destroyed before that.
// Outputs have the values of the state.
func TestTerraform_order(t *testing.T) {
	d := newDirectory(t)
	source := thingNamed("c", `"c"`, "note = local.of_b") + thingNamed("a", `"a"`) + thingNamed("b", `"b"`, "note = test_thing.a.id") +
		"locals {\n of_b = \"beside ${test_thing.b.id}\"\n}\noutput \"note\" {\n value = test_thing.c.note\n}\n"
	if got, want := d.applied(source, PlanOptions{}), "configure, create a, create b, create c"; got != want {
		t.Errorf("calls: %s, want %s", got, want)
	}
	if got, want := d.outputs(), `{"note":"beside id of b"}`; got != want {
		t.Errorf("outputs: %s, want %s", got, want)
	}
	if got, want := d.applied(source, PlanOptions{Destroy: true}), "configure, delete c, delete b, delete a"; got != want || len(d.State) > 0 {
		t.Errorf("calls: %s, want %s; %s", got, want, d.addresses())
	}
}

// What a plan does with a resource that is there already.
func TestTerraform_plans(t *testing.T) {
	const own = "id of a"
	for name, test := range map[string]struct {
		source string
		o      PlanOptions
		others func(d directory) // what somebody does meanwhile
		want   string
	}{
		"nothing":     {source: thingNamed("a", `"a"`)},
		"an update":   {source: thingNamed("a", `"a"`, `note = "n"`), want: "test_thing.a: update note <nil> -> n"},
		"a deletion":  {want: "test_thing.a: delete"},
		"replaced":    {source: thingNamed("a", `"a"`, `kind = "k"`), want: "test_thing.a: replace"},
		"asked for":   {source: thingNamed("a", `"a"`), o: PlanOptions{Replace: []string{"test_thing.a"}}, want: "test_thing.a: replace"},
		"destroyed":   {source: thingNamed("a", `"a"`), o: PlanOptions{Destroy: true}, want: "test_thing.a: delete"},
		"gone":        {source: thingNamed("a", `"a"`), others: func(d directory) { delete(d.things.made, own) }, want: "test_thing.a: create"},
		"not looked":  {source: thingNamed("a", `"a"`), o: PlanOptions{SkipRefresh: true}, others: func(d directory) { delete(d.things.made, own) }},
		"drift":       {source: thingNamed("a", `"a"`), others: func(d directory) { d.things.made[own] = with(d.things.made[own], "note", "x") }, want: "test_thing.a: update note x -> <nil>"},
		"ignored":     {source: thingNamed("a", `"b"`, "lifecycle {\n ignore_changes = [name]\n}")},
		"moved":       {source: thingNamed("b", `"a"`) + "moved {\n from = test_thing.a\n to = test_thing.b\n}\n"},
		"not moved":   {source: thingNamed("b", `"a"`), want: "test_thing.a: delete; test_thing.b: create"},
		"counted":     {source: thingNamed("a", `"a"`, "count = 1")},
		"forgotten":   {source: "removed {\n from = test_thing.a\n lifecycle {\n destroy = false\n }\n}\n", want: "test_thing.a: forget"},
		"an output":   {source: thingNamed("a", `"a"`) + "output \"o\" {\n value = 1\n}\n", want: "the output o"},
		"tainted":     {source: thingNamed("a", `"a"`), others: func(d directory) { d.State["test_thing.a"].Tainted = true }, want: "test_thing.a: replace"},
		"imported":    {source: thingNamed("a", `"a"`) + "import {\n to = test_thing.a\n id = \"id of a\"\n}\n", others: func(d directory) { clear(d.State) }},
		"not there":   {source: thingNamed("a", `"a"`) + "import {\n to = test_thing.a\n id = \"other\"\n}\n", others: func(d directory) { clear(d.State) }, want: "Cannot import non-existent remote object"},
		"invalid":     {source: thingNamed("a", `"invalid"`), want: "2:   name = \"invalid\""},
		"no name":     {source: "resource \"test_thing\" \"a\" {}\n", want: "Missing required argument"},
		"unsupported": {source: thingNamed("a", `"a"`, "x = 1"), want: "Unsupported argument"},
		"unknown":     {source: thingNamed("n", `"n"`) + thingNamed("a", `"a"`, "count = test_thing.n.id"), want: "Invalid count argument"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDirectory(t)
			d.applied(thingNamed("a", `"a"`), PlanOptions{})
			if test.others != nil {
				test.others(d)
			}
			if _, got := d.planned(test.source, test.o); !strings.Contains(got, test.want) || test.want == "" && got != "" {
				t.Errorf("planned: %s, want %s", got, test.want)
			}
		})
	}
}

// Instances of count and for_each have addresses and values of their own, and what is no longer counted is
// destroyed.
func TestTerraform_instances(t *testing.T) {
	d := newDirectory(t)
	source := func(n int) string {
		return fmt.Sprintf("variable \"n\" {\n type = number\n default = %d\n}\n", n) + thingNamed("counted", `"c${count.index}"`, "count = var.n") +
			thingNamed("each", `each.key`, `for_each = { x = "1", y = "2" }`, "note = each.value") +
			"output \"all\" {\n value = [test_thing.counted[*].name, [for key, t in test_thing.each : \"${key} ${t.note}\"]]\n}\n"
	}
	d.applied(source(2), PlanOptions{})
	if got, want := d.addresses(), `test_thing.counted[0] test_thing.counted[1] test_thing.each["x"] test_thing.each["y"]`; got != want {
		t.Errorf("state: %s, want %s", got, want)
	}
	if got, want := d.outputs(), `{"all":[["c0","c1"],["x 1","y 2"]]}`; got != want {
		t.Errorf("outputs: %s, want %s", got, want)
	}
	if got, want := d.applied(source(1), PlanOptions{}), "configure, delete c1"; got != want {
		t.Errorf("calls: %s, want %s", got, want)
	}
}

// A replacement destroys first, unless create_before_destroy says so; what depends on it follows, and
// replace_triggered_by replaces that as well.
func TestTerraform_replacements(t *testing.T) {
	for lifecycle, want := range map[string]string{
		"":                             "configure, delete a, create a, update b",
		"create_before_destroy = true": "configure, create a, update b, delete a",
	} {
		d := newDirectory(t)
		source := func(kind string) string {
			return thingNamed("a", `"a"`, kind, "lifecycle {\n"+lifecycle+"\n}") + thingNamed("b", `"b"`, "note = \"${test_thing.a.id} "+strings.ReplaceAll(kind, `"`, "")+`"`)
		}
		d.applied(source(`kind = "k"`), PlanOptions{})
		d.things.made["id of a"] = with(d.things.made["id of a"], "kind", "k")
		p, said := d.planned(source(`kind = "l"`), PlanOptions{})
		if p == nil {
			t.Fatal(said)
		}
		d.things.noted()
		if done := d.Apply(t.Context(), p); done.Found.Failed() {
			t.Fatal(done.Found)
		}
		if got := d.things.noted(); got != want {
			t.Errorf("%s: %s, want %s", lifecycle, got, want)
		}
	}
	d := newDirectory(t)
	source := func(note string) string {
		return thingNamed("a", `"a"`, note) + thingNamed("b", `"b"`, "lifecycle {\n replace_triggered_by = [test_thing.a.note]\n}")
	}
	d.applied(source(""), PlanOptions{})
	if got, want := d.applied(source(`note = "n"`), PlanOptions{}), "configure, delete b, update a, create b"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A data source is read in the plan, unless it depends on something that changes.
func TestTerraform_data(t *testing.T) {
	d := newDirectory(t)
	source := func(note string) string {
		return thingNamed("a", `"a"`, note) + "data \"test_thing\" \"free\" {\n name = \"f\"\n}\ndata \"test_thing\" \"after\" {\n name = test_thing.a.name\n}\n" +
			thingNamed("b", `"b"`, "note = data.test_thing.after.id")
	}
	if got, want := d.applied(source(""), PlanOptions{}), "configure, create a, read a, create b"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if _, got := d.planned(source(""), PlanOptions{}); got != "" || !strings.Contains(d.things.noted(), "read a") {
		t.Errorf("planned: %s", got)
	}
	if _, got := d.planned(source(`note = "n"`), PlanOptions{}); !strings.Contains(got, "data.test_thing.after: read") || !strings.Contains(got, "test_thing.b: update") {
		t.Errorf("planned: %s", got)
	}
}

// What depends on a failure is left out; what was created incompletely is tainted.
func TestTerraform_failures(t *testing.T) {
	d := newDirectory(t)
	d.things.broken["a"] = true
	source := thingNamed("a", `"a"`) + thingNamed("b", `"b"`, "note = test_thing.a.id") + thingNamed("c", `"c"`)
	if got := d.applied(source, PlanOptions{}); !strings.Contains(got, "Error: Cannot create a\n\n  with test_thing.a,") || d.addresses() != "test_thing.c" {
		t.Errorf("%s; the state has %s", got, d.addresses())
	}
}

// A provider that does not do what it says is found out.
func TestTerraform_checks(t *testing.T) {
	for note, want := range map[string]string{"planned otherwise": InvalidPlan, "applied otherwise": InconsistentResult} {
		d := newDirectory(t)
		p, said := d.planned(thingNamed("a", `"a"`, fmt.Sprintf("note = %q", note)), PlanOptions{})
		if p != nil {
			said = d.Apply(t.Context(), p).Found.Print(p.config)
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: %q", note, said)
		}
	}
}

// A configuration that needs more than the model has says so.
func TestParse_notInModel(t *testing.T) {
	_, p := newThings()
	for name, source := range map[string]string{
		"a module":          "module \"m\" {\n source = \"./m\"\n}\n",
		"a function":        "output \"o\" {\n value = timestamp()\n}\n",
		"an alias":          "provider \"test\" {\n alias = \"x\"\n}\n",
		"another provider":  "resource \"terraform_data\" \"d\" {}\n",
		"a condition":       thingNamed("a", `"a"`, "lifecycle {\n precondition {\n condition = true\n error_message = \"\"\n }\n}"),
		"a wrong reference": thingNamed("a", "test_thing.b.name"),
		"a circle":          thingNamed("a", "test_thing.b.name") + thingNamed("b", "test_thing.a.name"),
		"no HCL":            "resource {",
	} {
		if _, err := p.Parse(source, nil); !errors.Is(err, ErrNotInModel) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
