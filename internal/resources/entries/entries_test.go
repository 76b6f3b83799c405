// This file tests what needs no server: matching entries, import ids, paths, the order in which entries are worked on, and
// their outcomes.

package entries

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/instance"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

func text(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

// named are entries without properties.
func named(names ...string) map[string]entry {
	entries := map[string]entry{}
	for _, name := range names {
		entries[name] = entry{}
	}
	return entries
}

func TestRenamed(t *testing.T) {
	t.Parallel()
	byOthers := map[string]entry{"A": {"name": text("B")}, "C": {"name": text("D")}}
	for _, test := range []struct {
		name              string
		configured, prior map[string]entry
		renames           map[string]string
		want              string // new<old, sorted; or the names that are refused
		refused           bool
	}{
		{"to do", named("B"), named("A"), map[string]string{"A": "B"}, "B<A", false},
		{"done", named("B"), named("B"), map[string]string{"A": "B"}, "", false},
		{"done, and another has the old name", named("A", "B"), named("A", "B"), map[string]string{"A": "B"}, "", false},
		{"never there", named("B"), named("C"), map[string]string{"A": "B"}, "", false},
		{"a chain", named("B", "C"), named("A", "B"), map[string]string{"A": "B", "B": "C"}, "B<A C<B", false},
		{"an exchange", named("A", "B"), named("A", "B"), map[string]string{"A": "B", "B": "A"}, "A<B B<A", false},
		{"the old one stays", named("A", "B"), named("A"), map[string]string{"A": "B"}, "A", true},
		{"the old one is created", named("A"), named("C"), map[string]string{"A": "B"}, "A", true},
		{"both are created", named("A", "B"), named("C"), map[string]string{"A": "B"}, "", false},
		{"the new one is not wanted", named("C"), named("A"), map[string]string{"A": "B"}, "A", true},
		{"the new one is there", named("B"), named("A", "B"), map[string]string{"A": "B"}, "A", true},
		{"two become one", named("C"), named("A", "B"), map[string]string{"A": "C", "B": "C"}, "B", true},
		{"followed", named("B", "C"), byOthers, nil, "B<A", false},
		{"followed to a new version", named("A", "B"), map[string]entry{"A": {"name": text("B")}}, nil, "B<A", false},
		{"followed to a new version, and renames says so", named("A", "B"), map[string]entry{"A": {"name": text("B")}}, map[string]string{"A": "B"}, "B<A", false},
		{"followed along a chain to a new version", named("A", "B", "C"), map[string]entry{"A": {"name": text("B")}, "B": {"name": text("C")}}, nil, "B<A C<B", false},
		{"followed along a chain", named("B", "C"), map[string]entry{"A": {"name": text("B")}, "B": {"name": text("C")}}, nil, "B<A C<B", false},
		{"not followed to an entry that stays", named("B"), map[string]entry{"A": {"name": text("B")}, "B": {"name": text("C")}}, nil, "", false},
		{"exchanged by others, as renames says", named("A", "B"), map[string]entry{"A": {"name": text("B")}, "B": {"name": text("A")}}, map[string]string{"A": "B", "B": "A"}, "A<B B<A", false},
		{"exchanged by others, and only values say so", map[string]entry{"A": {"v": text("2")}, "B": {"v": text("1")}}, map[string]entry{"A": {"v": text("1"), "name": text("B")}, "B": {"v": text("2"), "name": text("A")}}, nil, "", false},
		{"somebody gave another one the name", named("D"), map[string]entry{"A": {}, "C": {"name": text("D")}}, map[string]string{"A": "D"}, "A", true},
		{"not followed, nor the one behind it", named("B", "C"), map[string]entry{"A": {"name": text("B")}, "B": {"name": text("C")}, "C": {"name": text("D")}}, nil, "", false},
		{"followed, and said so", named("B"), byOthers, map[string]string{"A": "B"}, "B<A", false},
		{"followed, and renamed to another key", named("B", "C"), map[string]entry{"A": {"name": text("B")}}, map[string]string{"A": "C"}, "C<A", false},
	} {
		from, diags := renamed(test.configured, test.prior, test.renames)
		var got []string
		for to, old := range from {
			got = append(got, to+"<"+old)
		}
		if test.refused {
			got = nil
			for _, d := range diags {
				got = append(got, strings.Trim(d.(diag.DiagnosticWithPath).Path().Steps()[1].String(), `[]"`))
			}
		}
		slices.Sort(got)
		if strings.Join(got, " ") != test.want || diags.HasError() != test.refused {
			t.Errorf("%s: %v, %v", test.name, got, diags)
		}
		if byOthers := test.refused && strings.Contains(diags[0].Detail(), "somebody renamed"); byOthers != strings.HasPrefix(test.name, "somebody") {
			t.Errorf("%s: %v", test.name, diags)
		}
	}
}

func TestImportIDs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ id, want string }{
		{"device/R1", "device [R1] <nil>"},
		{"device/R1,R 2", "device [R1 R 2] <nil>"},
		{`{"type":"device","names":["R1","a, b"]}`, "device [R1 a, b] <nil>"},
		{`{"type":"device","names":["R1"],"properties":["vendor"]}`, "device [R1] <nil> properties vendor"},
		{"R1", "empty"}, {"device/", "empty"}, {"/R1", "missing"}, {"device/R1,,R2", "empty"}, {"device/a/b", "slash"},
		{`{"type":"device"}`, "missing"}, {`{"type":"device","names":"R1"}`, `invalid JSON: "names" cannot hold a string`}, {`{"type":"device","nams":["R1"]}`, `invalid JSON: unknown field "nams"`}, {`{"type":"device","names":["R1"],"instances":{"R2":{}}}`, "beside"}, {`{"type":"device","properties":["vendor"],"instances":{"R2":{}}}`, "beside"}, {`{`, "invalid JSON: unexpected EOF"},
	} {
		parsed, err := parseID(c.id)
		got := fmt.Sprint(parsed.Type, " ", parsed.Names, " ", err)
		if parsed.Properties != nil {
			got += " properties " + strings.Join(parsed.Properties, " ")
		}
		if got != c.want && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %s", c.id, got)
		}
	}
}

func TestPathsOfEntries(t *testing.T) {
	t.Parallel()
	for want, on := range map[string]path.Path{
		`instances["R1"]`:                   path.Root("name"),
		`instances["R1"]["vendor"]`:         path.Root("vendor"),
		`instances["R1"]["site"]`:           path.Root("properties").AtMapKey("site"),
		`instances["R1"]["gateways"][1]`:    path.Root("gateways").AtListIndex(1),
		`deletion_policy`:                   path.Root("deletion_policy"),
		`instances["R1"]["criteria"].match`: path.Root("criteria").AtName("match"),
	} {
		if got := pathInEntry("R1", on).String(); got != want {
			t.Errorf("%s became %s, want %s", on, got, want)
		}
	}
	for _, where := range []path.Path{path.Empty(), path.Root(attrInstances), path.Root(attrRenames).AtMapKey("R1")} {
		if got := entryName(where); got != "" {
			t.Errorf("%s is of the entry %q", where, got)
		}
	}
	if got := label(pathInEntry("R1", path.Root("gateways").AtListIndex(1).AtName("match"))); got != `instances["R1"].gateways[1].match` {
		t.Errorf("the label is %s", got)
	}
}

// Each diagnostic about an entry says which, also where Terraform shows no path. Of many that
// say the same, the first error or ten, and one warning, are shown, and the others are named.
func TestManyAlikeAreSummedUp(t *testing.T) {
	t.Parallel()
	var diags diag.Diagnostics
	for i := range 50 {
		name := fmt.Sprintf("R-%02d", i)
		diags.AddAttributeError(pathInEntry(name, path.Root("port")), "Invalid value for port", fmt.Sprintf("It is %q.", fmt.Sprint("x", i)))
	}
	for i := range 1000 {
		diags.AddAttributeWarning(at(fmt.Sprintf("W-%03d", i)).AtMapKey("icon"), "Unknown value for icon", "Did you mean \"router\"?")
	}
	diags.AddAttributeError(at("R-01"), `Cannot create device "R-01"`, "It is there.")
	diags.AddAttributeWarning(pathInEntry("R-02", path.Root("properties").AtMapKey("a b")), "Unknown", "It is new.")
	diags.AddAttributeWarning(at("R-03"), `About "R-03"`, "It is old.")
	diags.AddAttributeError(path.Root("renames").AtMapKey("R-1"), "Cannot rename", "No.")
	all := diagnosticsOf(diags)
	if len(all) != mostAlike+5 || !strings.Contains(all[mostAlike].Detail, `And 999 more: instances["W-001"].icon`) {
		t.Fatalf("%d diagnostics", len(all))
	}
	for i, want := range map[int]string{
		0:             `Invalid value for port|instances["R-00"].port: It is "x0".`,
		mostAlike + 1: `Cannot create device "R-01"|instances["R-01"]: It is there.`,
		mostAlike + 2: `Unknown in instances["R-02"]["a b"]|instances["R-02"]["a b"]: It is new.`,
		mostAlike + 3: `About "R-03"|instances["R-03"]: It is old.`,
		mostAlike + 4: `Cannot rename|No.`,
	} {
		if got := all[i].Summary + "|" + all[i].Detail; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	last := all[mostAlike-1].Detail
	if !strings.Contains(last, `And 40 more: instances["R-10"].port, instances["R-11"].port`) || !strings.HasSuffix(last, `instances["R-29"].port, ...`) {
		t.Errorf("the last one says %q", last)
	}
	if got := all[0].Attribute.String(); got != `AttributeName("instances").ElementKeyString("R-00").ElementKeyString("port")` {
		t.Errorf("the first is on %s", got)
	}
}

// plannedItem returns an item that is planned as told: before and after are names, empty for
// none, and refs the related names.
func plannedItem(before, after string, refsBefore, refsAfter []string) *item {
	values := func(name string, refs []string) kind.Values {
		names := make([]tftypes.Value, len(refs))
		for n, ref := range refs {
			names[n] = text(ref)
		}
		return kind.Values{kind.RowName: text(name), "workflows": tftypes.NewValue(value.StringSet, names)}
	}
	i := &item{name: after, removed: after == ""}
	if before != "" {
		i.prior = &priorEntry{name: before, state: values(before, refsBefore)}
	}
	if after != "" {
		i.planned = values(after, refsAfter)
	} else {
		i.name = before
	}
	return i
}

// What frees a name or a dependent comes first; what exchanges names needs a temporary one.
func TestOrder(t *testing.T) {
	t.Parallel()
	c := &collection{kinds: kinds.All(), kind: kind.Named(kinds.All(), "workflow"), typ: "workflow"}
	for _, test := range []struct {
		name  string
		items []*item
		want  string
	}{
		{"nothing depends", []*item{plannedItem("a", "", nil, nil), plannedItem("b", "b", nil, nil), plannedItem("", "c", nil, nil)}, "a, b, c"},
		{"a removal frees a name", []*item{plannedItem("b", "a", nil, nil), plannedItem("a", "", nil, nil)}, "a, b>a"},
		{"a chain of renames", []*item{plannedItem("a", "b", nil, nil), plannedItem("b", "c", nil, nil)}, "b>c, a>b"},
		{"an exchange", []*item{plannedItem("a", "b", nil, nil), plannedItem("b", "a", nil, nil)}, "temporary a>b, b>a, a>b"},
		{"a circle of three", []*item{plannedItem("a", "b", nil, nil), plannedItem("b", "c", nil, nil), plannedItem("c", "a", nil, nil), plannedItem("d", "x", nil, nil)},
			"d>x, temporary a>b, c>a, b>c, a>b"},
		{"one that waits for an exchange", []*item{plannedItem("a", "b", nil, nil), plannedItem("b", "a", nil, nil), plannedItem("0", "1", nil, []string{"b"})}, "temporary a>b, b>a, a>b, 0>1"},
		{"dependents are removed first", []*item{plannedItem("w", "", nil, nil), plannedItem("s", "", []string{"w"}, nil)}, "s, w"},
		{"a change frees a dependent", []*item{plannedItem("w", "", nil, nil), plannedItem("s", "s", []string{"w"}, []string{"v"})}, "s, w"},
		{"a dependent that stays does not wait", []*item{plannedItem("w", "", nil, nil), plannedItem("s", "s", []string{"w"}, []string{"w"})}, "w, s"},
		{"a change into what is created", []*item{plannedItem("s", "s", []string{"w"}, []string{"v"}), plannedItem("", "v", nil, nil), plannedItem("w", "", nil, nil)}, "v, s, w"},
		{"removed ones that refer to each other", []*item{plannedItem("x", "", []string{"y"}, nil), plannedItem("y", "", []string{"x"}, nil)}, "x y"},
		{"created ones that refer to each other", []*item{plannedItem("", "x", nil, []string{"y"}), plannedItem("", "y", nil, []string{"x"})}, "x y"},
	} {
		var got []string
		for pending := test.items; len(pending) > 0; {
			needs := c.prerequisites(pending)
			ready := needs.free(pending)
			if blocking := needs.inCircle(); len(ready) == 0 && blocking != nil {
				got = append(got, "temporary "+shown(blocking))
				blocking.prior.state[kind.RowName] = text(blocking.nameBefore() + " (temporary)")
				continue
			}
			if len(ready) == 0 {
				ready = pending
			}
			var names []string
			for _, i := range ready {
				names = append(names, shown(i))
			}
			got, pending = append(got, strings.Join(names, " ")), without(pending, ready...)
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s: the order is %q, want %q", test.name, strings.Join(got, ", "), test.want)
		}
	}
}

// shown returns an item in the table of TestOrder.
func shown(i *item) string {
	if i.prior != nil && !i.removed && i.prior.name != i.name {
		return i.prior.name + ">" + i.name
	}
	return i.name
}

func TestInstancesKeepTheirTerraformType(t *testing.T) {
	t.Parallel()
	object := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"vendor": tftypes.String}}
	like := tftypes.NewValue(tftypes.Map{ElementType: object}, map[string]tftypes.Value{})
	fits := map[string]entry{"A": {"vendor": text("x")}, "B": {"vendor": text("y")}}
	if got := instancesOf(fits, like); !got.Type().Is(like.Type()) {
		t.Errorf("a map became %s", got.Type())
	}
	fits["B"]["name"] = text("C")
	if got := instancesOf(fits, like); got.Type().Is(like.Type()) {
		t.Errorf("another object is in %s", got.Type())
	}
	texts := tftypes.NewValue(tftypes.Map{ElementType: tftypes.Map{ElementType: tftypes.String}}, map[string]tftypes.Value{})
	if got := instancesOf(fits, texts); !got.Type().Is(texts.Type()) {
		t.Errorf("a map of maps became %s", got.Type())
	}
	numbered := map[string]entry{"A": {"port": tftypes.NewValue(tftypes.Number, 1)}}
	if got := instancesOf(numbered, texts); got.Type().Is(texts.Type()) {
		t.Errorf("a number is in %s", got.Type())
	}
	back, known, diags := entriesOf(instancesOf(fits, like))
	if !known || diags.HasError() || len(back) != 2 || !sameWords(back["B"], fits["B"]) || sameWords(back["A"], fits["B"]) {
		t.Errorf("%v, %v", back, diags)
	}
	if number := tftypes.NewValue(tftypes.Number, 1); sameWords(entry{"port": text("")}, entry{"port": number}) || sameWords(entry{"port": number}, entry{"port": text("")}) {
		t.Error("a number is the same as an empty string")
	}
}

// The deletion of a state without a type, which somebody has edited, or by a policy that the type does not have, is an
// error of the plan already.
func TestPlanDeletion_stateWithoutType(t *testing.T) {
	t.Parallel()
	values := kind.Values{}
	for name, typ := range objectType.(tftypes.Object).AttributeTypes {
		values[name] = tftypes.NewValue(typ, nil)
	}
	diags, err := New(nil, nil).planDeletion(t.Context(), encode(values), privateState{})
	if err != nil || !diags.HasError() || diags[0].Summary() != "Missing type" {
		t.Errorf("the plan says %v, %v", diags, err)
	}
	disabling := func() *resources.Provider { return &resources.Provider{DeletionPolicy: kind.PolicyDisable} }
	values[attrType], values[attrInstances] = text("device"), value.ObjectOf(nil)
	if diags, err := New(kinds.All(), disabling).planDeletion(t.Context(), encode(values), privateState{}); err != nil || len(diags) != 1 || diags[0].Summary() != "A device cannot be disabled" {
		t.Errorf("with a policy of other types, the plan says %v, %v", diags, err)
	}
	values[attrType] = tftypes.NewValue(tftypes.String, nil)
	if diags = (&resourcePlan{server: New(nil, nil), prior: values}).checkReplacement(t.Context()); len(diags) != 1 || diags[0].Summary() != "Missing type" {
		t.Errorf("the plan of a replacement says %v", diags)
	}
	if diags = (&resourcePlan{server: New(nil, nil), config: values}).checkDeletionAgain(); len(diags) != 1 || diags[0].Summary() != "Missing type" {
		t.Errorf("the second plan of a replacement says %v", diags)
	}
}

// A call with a value that does not fit the schema is an error, and a damaged private state, or one of another eNMS, one
// that the user sees. Nothing is sent: nobody is at the address.
func TestCalls_unreadable(t *testing.T) {
	t.Parallel()
	client, err := enms.New(enms.Config{BaseURL: "http://127.0.0.1:1"}, enms.Words{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	var defaults map[string]kind.Values
	s := New(kinds.All(), func() *resources.Provider { return &resources.Provider{Client: client, Defaults: defaults} })
	values := kind.Values{}
	for name, typ := range objectType.(tftypes.Object).AttributeTypes {
		values[name] = tftypes.NewValue(typ, nil)
	}
	values[attrType], values[attrInstances] = text("device"), value.ObjectOf(entry{"R1": value.ObjectOf(nil)})
	good, null := encode(values), encode(nil)
	bad, ctx := &tfprotov6.DynamicValue{MsgPack: []byte{0xa1, 'x'}}, t.Context()
	plan := func(config, proposed, prior *tfprotov6.DynamicValue) error {
		_, err := s.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{Config: config, ProposedNewState: proposed, PriorState: prior})
		return err
	}
	apply := func(config, prior *tfprotov6.DynamicValue) error {
		_, err := s.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{Config: config, PriorState: prior})
		return err
	}
	read := func(state *tfprotov6.DynamicValue, private string) (*tfprotov6.ReadResourceResponse, error) {
		return s.ReadResource(ctx, &tfprotov6.ReadResourceRequest{CurrentState: state, Private: []byte(private)})
	}
	generate := func(state *tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error) {
		resp, err := s.GenerateResourceConfig(ctx, &tfprotov6.GenerateResourceConfigRequest{State: state})
		return resp.Config, err
	}
	_, ofConfig := s.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{Config: bad})
	_, ofState := read(bad, "")
	_, ofGenerated := generate(bad)
	for what, err := range map[string]error{"configuration": ofConfig, "read state": ofState, "generated state": ofGenerated,
		"planned configuration": plan(bad, good, null), "prior state of a plan": plan(good, good, bad), "proposed state": plan(good, &tfprotov6.DynamicValue{}, null), "deleted state": plan(null, null, bad),
		"applied configuration": apply(bad, good), "prior state of an apply": apply(good, bad)} {
		if err == nil {
			t.Errorf("the %s is no error", what)
		}
	}
	if resp, err := s.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{Config: null}); err != nil || len(resp.Diagnostics) > 0 {
		t.Errorf("of no configuration: %v, %v", resp, err)
	}
	if resp, err := read(null, "{}"); err != nil || len(resp.Diagnostics) > 0 || resp.NewState != null {
		t.Errorf("a read of nothing: %v, %v", resp, err)
	}
	for private, want := range map[string]string{"{": "Cannot read the private state", `{"origins":[{"server":"http://other"}]}`: "This state belongs to another eNMS"} {
		if resp, err := read(good, private); err != nil || len(resp.Diagnostics) != 1 || resp.Diagnostics[0].Summary != want || resp.NewState != good {
			t.Errorf("a read with the private state %s: %v, %v", private, resp, err)
		}
		resp, err := s.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{Config: good, ProposedNewState: good, PriorState: good, PriorPrivate: []byte(private)})
		if err != nil || len(resp.Diagnostics) != 1 || resp.Diagnostics[0].Summary != want {
			t.Errorf("a plan with the private state %s: %v, %v", private, resp, err)
		}
		applied, err := s.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{Config: good, PriorState: good, PlannedState: good, PlannedPrivate: []byte(private)})
		if err != nil || len(applied.Diagnostics) != 1 || applied.Diagnostics[0].Summary != want {
			t.Errorf("an apply with the private state %s: %v, %v", private, applied, err)
		}
	}
	for _, state := range []*tfprotov6.DynamicValue{null, good} {
		if config, err := generate(state); err != nil || config != state {
			t.Errorf("generated: %v, %v", config, err)
		}
	}
	values[attrInstances] = value.ObjectOf(entry{"R1": text("x")})
	noObject := encode(values)
	if resp, err := s.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{Config: noObject, ProposedNewState: noObject, PriorState: null}); err != nil || len(resp.Diagnostics) != 1 || resp.Diagnostics[0].Summary != "Not an object" {
		t.Errorf("a plan of an entry that becomes known as a string: %v, %v", resp, err)
	}
	values[attrInstances] = value.ObjectOf(entry{"R1": value.ObjectOf(nil)})
	defaults = map[string]kind.Values{"device": {"vendor": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}}
	if resp, err := s.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{Config: good, PriorState: null}); err != nil || len(resp.Diagnostics) != 1 || resp.Diagnostics[0].Summary != "The provider is not configured" || resp.NewState != null {
		t.Errorf("with unknown defaults: %v, %v", resp, err)
	}
	values[attrDefaults] = value.ObjectOf(entry{"vendor": text("x")})
	config, err := generate(encode(values))
	if got, _ := decode(config); err != nil || !got[attrDefaults].IsNull() || !got[attrInstances].Equal(values[attrInstances]) {
		t.Errorf("with defaults: %v, %v", got, err)
	}
}

// What is unknown, and what others may have, is no default.
func TestDefaults_ofItems(t *testing.T) {
	t.Parallel()
	none, some := kind.Values{}, kind.Values{"vendor": text("x")}
	if got := membersOf(kind.Values{"vendor": text("x"), "model": tftypes.NewValue(tftypes.String, nil), "port": tftypes.NewValue(tftypes.Number, tftypes.UnknownValue)}); len(got) != 1 || got["vendor"] != "x" {
		t.Errorf("the members are %v", got)
	}
	for name, test := range map[string]struct {
		defaults kind.Values
		item     item
		unknown  bool
	}{
		"an entry":                            {some, item{entry: entry{}}, false},
		"an entry with defaults":              {some, item{entry: entry{}, defaults: value.Object{"vendor": "x"}}, false},
		"an unknown entry":                    {some, item{}, true},
		"an unknown entry without defaults":   {none, item{}, false},
		"one that is removed, which has none": {some, item{removed: true}, false},
	} {
		c := &collection{defaults: test.defaults}
		if got := c.plannedDefaults([]*item{&test.item}, noDefaults); got.IsKnown() == test.unknown || got.IsNull() != (!test.unknown && test.item.defaults == nil) {
			t.Errorf("%s: the defaults are %s", name, got)
		}
	}
	i := &item{prior: &priorEntry{instance: record.Record{Managed: []string{"vendor", "properties.site"}}}}
	for member, want := range map[string]bool{"vendor": false, "site": false, "model": true} {
		if got := i.imported(member); got != want {
			t.Errorf("%s is imported: %t", member, got)
		}
	}
}

func TestCheckType(t *testing.T) {
	t.Parallel()
	for typ, good := range map[string]bool{"x0_service": true, "x9": true, "az": true, "x/": false, "x:": false, "x{": false, "x`": false, "Device": false} {
		c := &collection{kinds: kinds.All(), kind: kind.Named(kinds.All(), typ), typ: typ}
		if diags := c.checkType(); diags.HasError() == good {
			t.Errorf("%s: %v", typ, diags)
		}
	}
}

// What an apply has left to do is done by the next one, also if the configuration is as before.
func TestNeedsApply(t *testing.T) {
	t.Parallel()
	c := &collection{kinds: kinds.All(), kind: kind.Named(kinds.All(), "device"), typ: "device"}
	x, _ := c.configOf("a", entry{"vendor": text("x")})
	y, _ := c.configOf("a", entry{"vendor": text("y")})
	left := entryRecord{Instance: &record.Record{Unfinished: &record.Unfinished{}}}
	for name, test := range map[string]struct {
		config, state kind.Values
		defaults      kind.Values // of the provider block
		prior         priorEntry
		want          bool
	}{
		"nothing":                 {x, x, nil, priorEntry{entry: entry{}}, false},
		"what was left":           {x, x, nil, priorEntry{entry: entry{}, record: left}, true},
		"another value":           {y, y, nil, priorEntry{entry: entry{}}, true},
		"another value in eNMS":   {x, y, nil, priorEntry{entry: entry{}}, true},
		"its own name":            {x, x, nil, priorEntry{entry: entry{"name": text("a")}}, false},
		"another name":            {x, x, nil, priorEntry{entry: entry{"name": text("b")}}, true},
		"other defaults":          {x, x, nil, priorEntry{entry: entry{}, record: entryRecord{Defaults: value.Object{"vendor": "x"}}}, true},
		"defaults that are known": {x, x, kind.Values{"model": text("m")}, priorEntry{entry: entry{}}, false},
		"defaults that are not":   {x, x, kind.Values{"model": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}, priorEntry{entry: entry{}}, true},
	} {
		c.defaults = test.defaults
		test.prior.name, test.prior.config, test.prior.state, test.prior.instance = "a", x, test.state, record.Record{Managed: []string{"vendor"}}
		if got := c.needsApply(&item{name: "a", config: test.config, planned: test.config, prior: &test.prior}); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// The record of an instance is kept beside its entry only if it says more than the entry.
func TestRecordOf(t *testing.T) {
	t.Parallel()
	c := &collection{kinds: kinds.All(), kind: kind.Named(kinds.All(), "device"), typ: "device"}
	config, _ := c.configOf("a", entry{"vendor": text("x")})
	for name, test := range map[string]struct {
		instance record.Record
		kept     bool
	}{
		"nothing more": {record.Record{Managed: plans.Managed(c.kind, config, config, nil)}, false}, "other attributes": {record.Record{}, true},
		"a pending one": {record.Record{Managed: plans.Managed(c.kind, config, config, nil), Unfinished: &record.Unfinished{}}, true},
		"one untold":    {record.Record{Managed: plans.Managed(c.kind, config, config, nil), Untold: "why"}, true},
		"a dropped one": {record.Record{Managed: plans.Managed(c.kind, config, config, nil), Dropped: true}, true},
	} {
		test.instance.Origin = &record.Origin{Name: "a"}
		if got := recordOf(c.kind, config, config, test.instance); (got.Instance != nil) != test.kept || got.Origin == nil || test.kept && got.Instance.Origin != nil {
			t.Errorf("%s: %v", name, got.Instance)
		}
	}
}

// A default that the provider block no longer has is reset.
func TestConfigToPlan_resets(t *testing.T) {
	t.Parallel()
	device := kind.Named(kinds.All(), "device")
	c := &collection{kinds: kinds.All(), kind: device, typ: "device", instances: instance.New(device, &resources.Provider{Kinds: kinds.All()})}
	state, _ := c.configOf("a", entry{"site": text("x"), "room": text("y")})
	i := &item{name: "a", entry: entry{}, prior: &priorEntry{name: "a", state: state, record: entryRecord{Defaults: value.Object{"site": "x"}}}}
	config, diags := c.configToPlan(t.Context(), i)
	if properties := kind.ValuesOf(config[kind.RowProperties]); diags.HasError() || len(properties) != 1 || !properties["site"].Equal(text("")) {
		t.Errorf("the configuration is %v, %v", config, diags)
	}
}

// The second plan of a replacement tells the plans of what refers to an entry that it is replaced: with -replace, the first
// one was the plan of an update.
func TestCheckCreations_again(t *testing.T) {
	t.Parallel()
	p := &resources.Provider{Kinds: kinds.All(), DeletionPolicy: kind.PolicyCascade}
	c := &collection{typ: "device", instances: instance.New(kind.Named(kinds.All(), "device"), p)}
	for _, again := range []bool{false, true} {
		plan := &resourcePlan{collection: c, again: again, items: []*item{{name: "a", planned: kind.Values{kind.RowName: text("a")}}}}
		if diags := plan.checkCreations(t.Context()); len(diags) > 0 || p.Run.Plans.TakesAlong(applying.Reference{Type: "device", Name: "a"}, false) != again {
			t.Errorf("again: %t: %v", again, diags)
		}
	}
}

// What an entry has by default is in its record.
func TestSplit(t *testing.T) {
	t.Parallel()
	o := outcome{entry: entry{"vendor": text("x"), "model": text("y")}}.split(value.Object{"vendor": "z", "site": "s"})
	if left := unset(entry{"vendor": text("x"), "model": tftypes.NewValue(tftypes.String, nil)}, value.Object{"vendor": "y", "model": "m"}); len(left) != 1 || left["model"] != "m" {
		t.Errorf("an entry has %v by default", left)
	}
	if !slices.Equal(sorted(o.entry), []string{"model"}) || len(o.record.Defaults) != 1 || o.record.Defaults["vendor"] != "x" {
		t.Errorf("the entry is %v, the defaults are %v", o.entry, o.record.Defaults)
	}
}

func TestDefaultsAttribute(t *testing.T) {
	t.Parallel()
	members := map[string]any{"vendor": "x"}
	whole := value.FromJSON(members)
	asMap := tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"vendor": text("x")})
	for name, test := range map[string]struct {
		members      map[string]any
		before, want tftypes.Value
	}{
		"none": {nil, whole, noDefaults}, "the first ones": {members, noDefaults, whole}, "others": {members, value.FromJSON(map[string]any{"vendor": "y"}), whole},
		"once unknown": {members, tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue), whole}, "the same": {members, asMap, asMap},
	} {
		if got := defaultsAttribute(test.members, test.before); !got.Equal(test.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Entries are planned, and problems told, in the order of their keys.
func TestItemsOf_order(t *testing.T) {
	t.Parallel()
	names := strings.Split("a b c d e f g h", " ")
	items, _ := (&collection{kinds: kinds.All(), kind: kind.Named(kinds.All(), "device")}).itemsOf(named(names[4:]...), named(names[:4]...), privateState{}, nil)
	if !slices.IsSortedFunc(items, func(x, y *item) int { return strings.Compare(x.name, y.name) }) || len(items) != len(names) {
		t.Errorf("%v", items)
	}
}

// A service that leaves a workflow for one with another name is not deleted: eNMS has renamed it with its workflow.
func TestDeletions_ofRenamedWorkflow(t *testing.T) {
	t.Parallel()
	service := kind.Named(kinds.All(), "service")
	c := &collection{kind: service, instances: instance.New(service, &resources.Provider{DeletionPolicy: kind.PolicyDelete})}
	var items []*item
	for _, name := range []string{"[v] s", "[v] new"} {
		items = append(items, &item{name: name})
	}
	for _, name := range []string{"[u] s", "[w] s", "[w] t"} {
		items = append(items, &item{name: name, removed: true, prior: &priorEntry{name: name}})
	}
	if got := c.deletions(items); !slices.Equal(got, []string{"[w] s", "[w] t"}) {
		t.Errorf("%q are deleted", got)
	}
}

// Null and "" are not the same value.
func TestSameWords(t *testing.T) {
	t.Parallel()
	null, unknown := tftypes.NewValue(tftypes.String, nil), tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	values := []tftypes.Value{null, unknown, text(""), text("x"), value.ObjectOf(nil)}
	for n, x := range values {
		for m, y := range values {
			if got := sameWords(entry{"a": x}, entry{"a": y}); got != (n == m) {
				t.Errorf("%s and %s: %t", x, y, got)
			}
		}
	}
	if sameWords(nil, nil) || sameWords(entry{}, nil) || sameWords(nil, entry{}) || !sameWords(entry{}, entry{}) {
		t.Error("an unknown entry is the same as another")
	}
}

// An import leaves out what no configuration may have, and warns of it.
func TestLeaveOutInvalid(t *testing.T) {
	t.Parallel()
	c := &collection{kinds: kinds.All(), kind: kind.Named(kinds.All(), "device"), typ: "device"}
	e := entry{"vendor": text("x"), "model": text("\x00"), "rack": text("\x00")}
	if diags := c.leaveOutInvalid("d", e); len(diags) != 2 || diags.HasError() || !slices.Equal(sorted(e), []string{"vendor"}) {
		t.Errorf("the entry is %v, %v", e, diags)
	}
}

// A rename is proposed if the values prove it of exactly one pair.
func TestLikelyRenames(t *testing.T) {
	t.Parallel()
	c := &collection{kinds: kinds.All(), kind: kind.Named(kinds.All(), "device"), typ: "device"}
	x, y := entry{"vendor": text("x")}, entry{"vendor": text("y")}
	many, besideOthers, others := map[string]entry{"a": x}, map[string]entry{"a": x}, map[string]entry{"b": x}
	for n := range mostCompared {
		many[fmt.Sprint("other", n)], besideOthers[fmt.Sprint("old", n)], others[fmt.Sprint("new", n)] = y, entry{}, entry{}
	}
	for name, test := range map[string]struct {
		before, configured map[string]entry
		want               int
	}{
		"one": {map[string]entry{"a": x, "c": y}, map[string]entry{"b": x}, 1}, "to two": {map[string]entry{"a": x}, map[string]entry{"b": x, "c": x}, 0},
		"of two": {map[string]entry{"a": x, "c": x}, map[string]entry{"b": x}, 0}, "without values": {map[string]entry{"a": {}}, map[string]entry{"b": {}}, 0},
		"of many": {many, map[string]entry{"b": x}, 0}, "beside many without values": {besideOthers, others, 1}, "of more values": {map[string]entry{"a": x}, map[string]entry{"b": {"vendor": text("x"), "model": text("m")}}, 0}, "of fewer values": {map[string]entry{"a": {"vendor": text("x"), "model": text("m")}}, map[string]entry{"b": x}, 0},
	} {
		var items []*item
		for old := range test.before {
			items = append(items, &item{name: old, removed: true})
		}
		for now := range test.configured {
			items = append(items, &item{name: now})
		}
		if got := c.likelyRenames(items, test.before, test.configured); len(got) != test.want || test.want > 0 && got["a"] != "b" {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A creation that fails, also beside its entries, gives up what it has adopted.
func TestEndCreation(t *testing.T) {
	t.Parallel()
	wrong := diag.Diagnostics{diag.NewErrorDiagnostic("S", "D")}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	notBegun := failures.Subject{Kind: &kind.Kind{Name: "device"}}.Failed(failures.Create, "b", nil, context.Canceled)
	for name, test := range map[string]struct {
		ctx         context.Context
		of, beside  diag.Diagnostics
		released    int
		interrupted bool
	}{
		"nothing fails": {t.Context(), nil, nil, 0, false}, "an entry": {t.Context(), wrong, nil, 1, false}, "what is beside": {t.Context(), nil, wrong, 1, false},
		"an interrupt": {canceled, notBegun, nil, 0, true}, "an interrupt, and what is beside": {canceled, notBegun, wrong, 1, false}, "an interrupt of another": {t.Context(), notBegun, nil, 1, false},
	} {
		next, released := &outcomes{}, 0
		next.set("a", outcome{entry: entry{}, adopted: true})
		next.set("b", outcome{diags: test.of})
		interrupted := next.endCreation(test.ctx, &test.beside, func(string, string) { released++ })
		if interrupted && next.failed() {
			t.Errorf("%s: an entry has errors: %v", name, next.of)
		}
		if released != test.released || interrupted != test.interrupted || (next.of["a"].entry == nil) != (released > 0) {
			t.Errorf("%s: %d released, interrupted: %t, %v", name, released, interrupted, next.of)
		}
	}
}

func TestPrivateState(t *testing.T) {
	t.Parallel()
	kept := record.Record{Managed: []string{"vendor"}}
	var diags diag.Diagnostics
	raw := privateState{Records: map[string]entryRecord{"A": {ID: "7", Rest: value.Object{"port": json.Number("830")}, Instance: &kept}, "B": {ID: "8"}, "C": {ID: "9", Origin: &record.Origin{Server: "s", Name: "was"}}}}.encode(&diags)
	p, found := readPrivate(raw)
	if c := p.Records["C"].Origin; c == nil || c.Server != "s" || c.Name != "was" || p.Records["A"].Origin != nil || p.Records["B"].Origin != nil {
		t.Errorf("%s became %+v", raw, p)
	}
	if a := p.Records["A"]; found.HasError() || a.ID != "7" || a.Rest["port"] != json.Number("830") || a.Instance == nil ||
		!slices.Equal(a.Instance.Managed, []string{"vendor"}) || p.Records["B"].Instance != nil || p.pending() {
		t.Errorf("%s became %+v, %v", raw, p, found)
	}
	pending := []byte(`{"records":{"A":{"kept":{"pending_create":{"sent":{"name":"A"}}}}}}`)
	if p, found = readPrivate(pending); found.HasError() || !p.Records["A"].pending() {
		t.Errorf("a pending creation became %+v, %v", p, found)
	}
	if again, found := readPrivate(p.encode(&diags)); found.HasError() || !again.pending() || !again.Records["A"].pending() {
		t.Errorf("it became %+v, %v", again, found)
	}
	if p, found = readPrivate([]byte(`{"records":{"A":{"at":1}}}`)); found.HasError() || p.Records["A"].Origin != nil {
		t.Errorf("a record of an origin that is missing became %+v, %v", p, found)
	}
	tainted := kind.Values{attrInstances: value.ObjectOf(entry{"A": value.ObjectOf(entry{kind.RowID: text("7"), "vendor": text("x")}), "B": tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue)})}
	p = privateState{}
	if entries, hadIDs, found := p.entriesOf(tainted); found.HasError() || !hadIDs || !slices.Equal(sorted(entries["A"]), []string{"vendor"}) || entries["B"] != nil || p.Records["A"].ID != "7" {
		t.Errorf("the entries of a tainted resource are %v, %+v, %v", entries, p, found)
	}
	for _, damaged := range []string{"{", `{"records":[]}`, `{"records":{"A":{"kept":{"pending_create":{}}}}}`} {
		if _, found := readPrivate([]byte(damaged)); !found.HasError() {
			t.Errorf("%s is no error", damaged)
		}
	}
}

// What others have changed is compared with what was there before, in its own words.
func TestChangesOfOthers(t *testing.T) {
	t.Parallel()
	names := func(names ...tftypes.Value) tftypes.Value {
		return tftypes.NewValue(tftypes.Set{ElementType: tftypes.String}, names)
	}
	before := entry{"vendor": text("Cisco"), "port": text("22"), "model": text("C9300"), "groups": names(text("a"), text("b"))}
	after := entry{"vendor": tftypes.NewValue(tftypes.String, nil), "port": text("23"), "model": text("C9300"), "groups": names(), kind.RowName: text("another")}
	raw, err := json.Marshal(changes(before, after))
	if want := `{"groups":["a","b"],"port":"22","vendor":"Cisco"}`; err != nil || string(raw) != want {
		t.Errorf("%s %v, not %s", raw, err, want)
	}
	var decoded value.Object
	if err := json.Unmarshal(raw, &decoded); err != nil {
		t.Fatal(err)
	}
	before[kind.RowName] = after[kind.RowName]
	got := beforeChanges(after, decoded)
	for member, want := range before {
		if !got[member].Equal(want) {
			t.Errorf("%s is %s, was %s", member, got[member], want)
		}
	}
	delete(after, "vendor") // which the configuration has removed
	if got, is := beforeChanges(after, decoded)["vendor"]; is {
		t.Errorf("an entry without a vendor has the vendor %s", got)
	}
}

// A warning of deletions says how many requests they take, if they take long.
func TestCheckDeletions_many(t *testing.T) {
	t.Parallel()
	names := make([]string, 301)
	for i := range names {
		names[i] = fmt.Sprintf("R%03d", i)
	}
	noLimit := tftypes.NewValue(tftypes.Number, nil)
	for count, want := range map[int]bool{300: false, 301: true} {
		diags := (&collection{typ: "device"}).checkDeletions(names[:count], 1000, noLimit, nil)
		if len(diags) != 1 || diags[0].Severity() != diag.SeverityWarning ||
			strings.Contains(diags[0].Detail(), fmt.Sprintf("at least %d requests.", count)) != want {
			t.Errorf("%d: %v", count, diags)
		}
	}
}

// A rename that failed stays under its old key, unless that is another's by now.
func TestKeysOfOutcomes(t *testing.T) {
	t.Parallel()
	prior := func(name string) *priorEntry { return &priorEntry{name: name} }
	a, b, c := &item{name: "B", prior: prior("A")}, &item{name: "C", prior: prior("B")}, &item{name: "D", prior: prior("X")}
	next := &outcomes{}
	next.set(a.name, outcome{key: "A", entry: entry{}})
	next.set(b.name, outcome{entry: entry{}})
	next.set(c.name, outcome{key: "C", entry: entry{}})
	entries, records, _ := next.all()
	if got := sorted(entries); !slices.Equal(got, []string{"A", "C", "D"}) || len(records) != 3 {
		t.Errorf("the keys are %q", got)
	}
	if moved := value.Text(entries["D"][kind.RowName]); moved != "C" {
		t.Errorf("the entry whose old key is taken is called %q", moved)
	}
	// N is not there: the rename of M is still to come. That of V was done before.
	renames := map[string]string{"A": "B", "B": "C", "M": "N", "V": "W"}
	if got := next.renamed(renames, map[string]string{"V": "W"}, entries, []*item{a, b}); len(got) != 2 || got["B"] != "C" || got["V"] != "W" || len(renames) != 4 {
		t.Errorf("done are %v", got)
	}
}

// An entry that has to stay under its configured key may take the key of another one, which then stays, too.
func TestKeysOfOutcomes_takenInTurn(t *testing.T) {
	t.Parallel()
	next := &outcomes{}
	for name, key := range map[string]string{"a": "", "b": "c", "c": "d", "d": "a"} {
		next.set(name, outcome{key: key, entry: entry{}, record: entryRecord{ID: name}})
	}
	next.set("e", outcome{key: "a", entry: entry{kind.RowName: text("by others")}, record: entryRecord{ID: "e"}})
	entries, records, _ := next.all()
	for name, called := range map[string]string{"a": "", "b": "c", "c": "d", "d": "a", "e": "by others"} {
		if records[name].ID != name || value.Text(entries[name][kind.RowName]) != called {
			t.Errorf("under %s is the entry of %q, called %q, want %q", name, records[name].ID, value.Text(entries[name][kind.RowName]), called)
		}
	}
}

// Only a creation that an interrupt has cut short, and that has created something, is not a failure: without any
// entry, Terraform would keep a resource that has none.
func TestOnlyInterrupted(t *testing.T) {
	t.Parallel()
	device := failures.Subject{Kind: &kind.Kind{Name: "device"}}
	interrupted := device.Failed(failures.Create, "R1", nil, context.Canceled)
	failed := device.Failed(failures.Create, "R1", nil, errors.New("failed"))
	created, notBegun := outcome{entry: entry{}}, outcome{diags: interrupted}
	for name, test := range map[string]struct {
		of   []outcome
		want bool
	}{
		"some created":                 {[]outcome{created, notBegun}, true},
		"none created":                 {[]outcome{notBegun, notBegun}, false},
		"all created":                  {[]outcome{created, created}, false},
		"one failed":                   {[]outcome{created, notBegun, {diags: failed}}, false},
		"one interrupted when created": {[]outcome{created, notBegun, {entry: entry{}, diags: interrupted}}, false},
	} {
		next := &outcomes{}
		for n, o := range test.of {
			next.set(fmt.Sprint(n), o)
		}
		if got := next.onlyInterrupted(); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Of two entries that exchange their keys, both are under their new keys when one has failed.
func TestRenamed_halfAnExchange(t *testing.T) {
	t.Parallel()
	failed, other := &item{name: "A", prior: &priorEntry{name: "B"}}, &item{name: "B", prior: &priorEntry{name: "A"}}
	next := &outcomes{}
	next.set(failed.name, outcome{key: "B", entry: entry{}})
	next.set(other.name, outcome{entry: entry{}})
	entries, _, _ := next.all()
	renames := map[string]string{"A": "B", "B": "A"}
	if got := next.renamed(renames, nil, entries, []*item{failed, other}); !maps.Equal(got, renames) {
		t.Errorf("done are %v: the next apply would exchange the keys again", got)
	}
	// In the next apply the first one fails again, now under its new key.
	failed.prior.name, other.prior.name = "A", "B"
	next.set(failed.name, outcome{key: "A", entry: entry{}})
	entries, _, _ = next.all()
	if got := next.renamed(renames, renames, entries, []*item{failed, other}); !maps.Equal(got, renames) {
		t.Errorf("done are %v after a failed update: the next apply would exchange the keys again", got)
	}
}

// Two entries are to exchange their keys, and others have deleted one of them and taken its name: neither rename is done.
// That of the deleted one is no longer possible, but without it, the plan would refuse the other one.
func TestRenamed_exchangeWithWhatIsGone(t *testing.T) {
	t.Parallel()
	failed, created := &item{name: "C", prior: &priorEntry{name: "D"}}, &item{name: "D"}
	next := &outcomes{}
	next.set(failed.name, outcome{key: "D", entry: entry{}})
	next.set(created.name, outcome{})
	entries, _, _ := next.all()
	renames := map[string]string{"C": "D", "D": "C"}
	done := next.renamed(renames, nil, entries, []*item{failed, created})
	if len(done) != 0 {
		t.Errorf("done are %v", done)
	}
	if from, diags := renamed(map[string]entry{"C": {}, "D": {}}, entries, undone(renames, done)); diags.HasError() || from["C"] != "D" {
		t.Errorf("the next plan renames %v: %v", from, diags)
	}
}
