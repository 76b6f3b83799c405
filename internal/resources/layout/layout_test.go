// This file tests positions as Terraform computes and eNMS keeps them, labels, and the record of both.

package layout

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

// A coordinate that Terraform has computed, such as 100 / 3, has more digits than eNMS
// keeps: that is no difference.
func TestComputedPosition(t *testing.T) {
	t.Parallel()
	third, _, err := big.ParseFloat("33.3333333333333333333333333333333333333333333333333333333", 10, 512, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	planned := positionModel{types.NumberValue(third), types.NumberValue(big.NewFloat(-20))}.position()
	sent, err := json.Marshal(planned.payload())
	if err != nil || string(sent) != "[33.333333333333336,-20]" {
		t.Fatalf("%s, %v is sent", sent, err)
	}
	var answer any
	d := json.NewDecoder(bytes.NewReader(sent))
	d.UseNumber()
	if err := d.Decode(&answer); err != nil {
		t.Fatal(err)
	}
	kept, ok := positionOf(answer)
	if !ok || !kept.equal(planned) || kept.equal(position{"33.4", "-20"}) {
		t.Errorf("%v, %v is not what was planned, %v", kept, ok, planned)
	}
	if model, ok := positionModelOf(kept); !ok || !model.position().equal(planned) {
		t.Errorf("%v, %v is not what was planned, %v", model, ok, planned)
	}
}

func TestWhatIsNoPosition(t *testing.T) {
	t.Parallel()
	for _, x := range []any{nil, "0,0", []any{}, []any{json.Number("1")}, []any{json.Number("1"), "2"}, []any{json.Number("1"), nil}, map[string]any{"x": 1}} {
		if p, ok := positionOf(x); ok {
			t.Errorf("%v is %v", x, p)
		}
	}
}

// A number that Terraform cannot represent is no position, and no label.
func TestModels_ofWrongNumbers(t *testing.T) {
	t.Parallel()
	for p, want := range map[position]bool{{"1", "2"}: true, {"x", "2"}: false, {"1", "x"}: false} {
		if _, ok := positionModelOf(p); ok != want {
			t.Errorf("%v is a position: %t", p, ok)
		}
		if _, ok := labelModelOf(label{at: p, size: "14"}); ok != want {
			t.Errorf("%v is the place of a label: %t", p, ok)
		}
	}
	if _, ok := labelModelOf(label{at: position{"1", "2"}, size: "x"}); ok {
		t.Error("x is a size")
	}
}

// Labels are read as any client writes them. Those without a text or a place, or with a key that no configuration can
// have, are not among them.
func TestLabelOf(t *testing.T) {
	t.Parallel()
	one, two := json.Number("1"), json.Number("2.5")
	labelWith := func(key string, x any) map[string]any {
		all := map[string]any{"content": "a", "positions": []any{one, two}, "alignment": "left", "size": json.Number("20")}
		if all[key] = x; x == nil {
			delete(all, key)
		}
		return all
	}
	for _, test := range []struct {
		stored any
		want   string // "" if it is no label
	}{
		{labelWith("", ""), "a left 1 2.5 20"}, {labelWith("alignment", ""), "a center 1 2.5 20"}, {labelWith("alignment", 5), "a center 1 2.5 20"}, {labelWith("alignment", nil), "a center 1 2.5 20"},
		{labelWith("size", "x"), "a left 1 2.5 14"}, {labelWith("size", nil), "a left 1 2.5 14"}, {labelWith("size", " 30 "), "a left 1 2.5 30"}, {labelWith("positions", []any{"1", " 7 "}), "a left 1 7 20"},
		{labelWith("content", ""), " left 1 2.5 20"}, {labelWith("content", nil), ""}, {labelWith("content", 5), ""}, {labelWith("positions", nil), ""}, {labelWith("positions", []any{one}), ""},
		{labelWith("positions", []any{one, two, one}), ""}, {labelWith("positions", []any{"x", two}), ""}, {labelWith("positions", []any{one, "x"}), ""}, {labelWith("positions", []any{one, nil}), ""},
		{labelWith("positions", []any{true, two}), ""}, {nil, ""}, {"a", ""},
	} {
		l, is := labelOf(test.stored)
		if have := strings.Join([]string{l.text, l.alignment, l.at.x.String(), l.at.y.String(), l.size.String()}, " "); is != (test.want != "") || is && have != test.want {
			t.Errorf("%v is %q, %t", test.stored, have, is)
		}
	}
	const uuid = "0b1c2d3e-4f50-4a1b-8c2d-0123456789ab"
	all := labels{enmsKey("a"): labelWith("", ""), "raw": labelWith("", ""), uuid: labelWith("", ""), "a b": labelWith("", ""), enmsKey("no"): "text", strings.Repeat("x", 36): labelWith("", ""), "-y" + strings.Repeat("-", 34): labelWith("", "")}
	stored := Stored{labels: map[string]labels{"w": all}}
	keys, fields := stored.Labels("w")
	if !slices.Equal(keys, []string{uuid, "a", "raw"}) || stored.Unusable("w") != 4 || stored.Unusable("none") != 0 {
		t.Errorf("the keys are %q, and %d are unusable", keys, stored.Unusable("w"))
	}
	if have := fmt.Sprint(fields["a"]); have != "[{text a} {x 1} {y 2.5} {size 20} {alignment left}]" {
		t.Errorf("the fields are %s", have)
	}
	stored.labels["w"] = labels{"a": map[string]any{"content": "b\r\n", "positions": []any{one, two}}}
	if _, fields = stored.Labels("w"); fmt.Sprintf("%q", fields["a"]) != `[{"text" "b\n"} {"x" "1"} {"y" "2.5"}]` {
		t.Errorf("the fields are %q", fields["a"])
	}
}

// Labels are changed under the keys that eNMS has for them, and only if they look different.
func TestLabels_with(t *testing.T) {
	t.Parallel()
	a := label{text: "a", alignment: "left", at: position{"1", "2"}, size: "14"}
	other := func(change func(l *label)) label {
		l := a
		change(&l)
		return l
	}
	stored := labels{enmsKey("a"): a.payload(), "raw": a.payload(), enmsKey("b"): a.payload()}
	for _, test := range []struct {
		wanted  map[string]label
		removed []string
		want    labels // nil if nothing changes
	}{
		{map[string]label{"a": a, "raw": a}, []string{"none"}, nil},
		{nil, []string{"raw", "b"}, labels{enmsKey("a"): a.payload()}},
		{map[string]label{"raw": other(func(l *label) { l.text = "c" })}, []string{"b"}, labels{enmsKey("a"): a.payload(), enmsKey("raw"): other(func(l *label) { l.text = "c" }).payload()}},
		{map[string]label{"b": other(func(l *label) { l.at.y = "3" })}, []string{"raw"}, labels{enmsKey("a"): a.payload(), enmsKey("b"): other(func(l *label) { l.at.y = "3" }).payload()}},
		{map[string]label{"b": other(func(l *label) { l.alignment = "right" })}, []string{"raw"}, labels{enmsKey("a"): a.payload(), enmsKey("b"): other(func(l *label) { l.alignment = "right" }).payload()}},
		{map[string]label{"b": other(func(l *label) { l.size = "15" })}, []string{"raw"}, labels{enmsKey("a"): a.payload(), enmsKey("b"): other(func(l *label) { l.size = "15" }).payload()}},
	} {
		all, changed := stored.with(test.wanted, test.removed)
		if changed != (test.want != nil) || changed && !reflect.DeepEqual(all, test.want) || len(stored) != 3 {
			t.Errorf("%v without %q: they are %v, changed: %t", test.wanted, test.removed, all, changed)
		}
	}
	if all, changed := labels(nil).with(map[string]label{"a": a}, nil); !changed || len(all) != 1 {
		t.Errorf("of none, they are %v", all)
	}
}

// The record has where members were before the layout has moved them for the first time, and where it has put them.
func TestLayoutRecord(t *testing.T) {
	t.Parallel()
	at := func(x, y json.Number) *position { return &position{x, y} }
	c := canvas{members: map[string]member{"a": {"1", "", at("1", "1")}, "b": {"2", "", nil}, "c": {"3", "", at("5", "5")}, "d": {"4", "", at("7", "7")}, servicename.End: {"5", "", nil}, "others": {"6", "", at("9", "9")}}}
	r := layoutRecord{before: map[string]any{"4": at("0", "1").payload(), "99": nil}, after: map[string]any{"99": at("1", "1").payload()}}
	r.addMoved(c, positions{"a": {"1", "1"}, "b": {"2", "2"}, "c": {"6", "6"}, "d": {"8", "8"}, servicename.End: {"3", "3"}, "none": {"4", "4"}})
	if have := fmt.Sprint(r.before, r.after); have != "map[2:<nil> 3:[5 5] 4:[0 1] 5:<nil>] map[1:[1 1] 2:[2 2] 3:[6 6] 4:[8 8] 5:[3 3]]" {
		t.Errorf("the record is %s", have)
	}
	for name, want := range map[string]bool{"a": true, "b": false, "c": false, "others": false, "none": false} {
		if r.isWherePut(c.members[name]) != want {
			t.Errorf("%s is where it was put: %t", name, !want)
		}
	}
	back := r.formerPositions(Workflows, c, []string{"a", "b", "c", "d", servicename.End, "others", "none"})
	if have := fmt.Sprint(back); have != "map[[Shared] End:{500 0} b:{0 0} c:{5 5} d:{0 1}]" {
		t.Errorf("they go back to %s", have)
	}
	if r.forget(c, back); len(r.before) > 0 {
		t.Errorf("after that, the record is %v", r.before)
	}
}

// The members of a layout are searched for together with those of others if their names alone show where they are.
func TestContent_sharing(t *testing.T) {
	t.Parallel()
	for _, b := range Builders {
		if k := kind.Named(kinds.All(), b.searchType); k == nil || k.Namespace != b.namespace {
			t.Errorf("%ss are not in the namespace %s", b.typ, b.namespace)
		}
	}
	for _, test := range []struct {
		of      Builder
		members []string
		want    sharing
	}{
		{Workflows, []string{"[w] a", "[Shared] Start", "[Shared] End"}, shared}, {Workflows, []string{"[w] Start"}, shared}, {Workflows, []string{"[v] a"}, alone}, {Workflows, []string{"[w] a", "[Shared] a"}, alone},
		{Workflows, []string{"Start"}, alone}, {Workflows, nil, alone}, {Networks, []string{"[w] a"}, alone},
	} {
		c := content{name: "w"}
		for _, name := range test.members {
			if c.positions == nil {
				c.positions = map[string]positionModel{}
			}
			c.positions[name] = positionModel{}
		}
		if have := c.sharing(test.of); have != test.want {
			t.Errorf("%q: shared: %t", test.members, have)
		}
	}
}

// What has the name of a workflow counts if it is one. Where eNMS does not tell, that is an error.
func TestBuilder_named(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		row  enms.Object
		err  error
		want string
	}{
		{enms.Object{typeField: "workflow"}, nil, "map[type:workflow] <nil>"}, {enms.Object{typeField: "ping_service"}, nil, "map[] <nil>"},
		{nil, fmt.Errorf("it is gone: %w", enms.ErrNotFound), "map[] <nil>"}, {nil, errors.New("no answer"), "map[] no answer"},
	} {
		row, err := Workflows.named(t.Context(), func(context.Context, string, string, []string) (enms.Object, error) { return test.row, test.err }, "w")
		if have := fmt.Sprint(row, err); have != test.want {
			t.Errorf("it is %s, want %s", have, test.want)
		}
	}
}
