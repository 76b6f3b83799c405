// Tests over every attribute of every kind, made from the tables: whatever eNMS
// or something before it answers for a field, nothing panics, and the state has
// either that value, if it is one that the field may have, or what it had, with
// an error that names the field and the instance.

package faultstest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// hostileValues are what a field is answered with, as JSON, or not quite.
var hostileValues = []string{
	acctest.FieldMissing, "null", `""`, `"hostile"`, `"22"`, `"true"`, `"a\u0000\r\nb"`, `"\ud800"`,
	"0", "7", "-1", "-0", "22.0", "22.5", "1e2", "1e-400", "1e400", "1e999999999", "-1e999999999",
	"9223372036854775807", "9223372036854775808", "99999999999999999999", strings.Repeat("9", 5000),
	"true", "false", "NaN", "Infinity", "[]", "[1]", `["hostile"]`, `["hostile",null]`, `[["hostile"]]`, `[{"name":"hostile"}]`,
	"{}", `{"a":null}`, `{"a":1e400}`, `{"a":[1e999999999]}`, `{"a":99999999999999999999,"":[1,"x",{}]}`, `{"name":"hostile"}`,
	strings.Repeat("[", 100) + strings.Repeat("]", 100), strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100),
	strings.Repeat("[", 300) + strings.Repeat("]", 300),
}

// ofPython are those that Python's json writes although they are no JSON, or no Unicode,
// and what Terraform has of them in an attribute that may hold anything.
var ofPython = map[string]string{"NaN": "NaN", "Infinity": "Infinity", `"\ud800"`: "\ufffd"}

// unreadable returns those that make the whole answer unreadable, so that no field can be
// named.
func unreadable(value string) bool {
	_, python := ofPython[value]
	return value != acctest.FieldMissing && !python && (!json.Valid([]byte(value)) || strings.HasPrefix(value, strings.Repeat("[", 201)))
}

// anyField is one that no type has, for what an import and a data source find.
const anyField = "hostile_field"

// TestHostileAnswers_everyFieldWithEveryValue returns every wrong value for every attribute of every kind, during
// every operation. Whatever eNMS returns, the instance stays in the state until eNMS
// says that it is gone, and no wrong value enters the state:
//   - A row without a name, with another instance's name, or found by its id under a
//     name that eNMS then does not find, does not mean that the instance is gone.
//   - A row without an id or a type is an error: with a null type, an import would plan
//     a replacement.
//   - A string that is not Unicode (a lone surrogate) is not stored as U+FFFD.
//   - A number that no state can hold (1e400) is an error: it must neither become a
//     string nor cost hundreds of megabytes.
//   - A relation that is null is an error, not null in the state.
//   - A criterion that is a number does not count as empty.
func TestHostileAnswers_everyFieldWithEveryValue(t *testing.T) {
	t.Parallel()
	var cases atomic.Int64
	attributes := 0
	t.Cleanup(func() { t.Logf("%d hostile answers", cases.Load()) })
	for _, k := range acctest.Kinds() {
		for _, a := range k.Rows() {
			if a.Role == kind.Setting || a.Role == kind.Secret || acctest.UnknownField(k.Name, a.Name) || a.Type == kind.Properties && !acctest.HasUntabledField(k) {
				continue
			}
			if a.Holds != nil {
				continue // no field of the instance: what it contains is found by a search of its own
			}
			attributes++
			turn := attributes
			t.Run(k.Name+"."+a.Name, func(t *testing.T) {
				t.Parallel()
				newVictim(t, k, a).suffer(turn, &cases)
			})
		}
	}
}

// The ids of relations get hostile responses, of which searches answer no names: the state keeps
// what it had, or has the name of another instance, or there is an error on the attribute.
func TestHostileAnswers_idsOfRelations(t *testing.T) {
	t.Parallel()
	for _, k := range acctest.Kinds() {
		for _, a := range k.Rows() {
			if a.IDField == "" || a.ReadFrom != "" {
				continue
			}
			t.Run(k.Name+"."+a.IDField, func(t *testing.T) {
				t.Parallel()
				v := newVictim(t, k, a)
				for _, value := range hostileValues {
					v.proxy.SetRewrite(acctest.RewriteField(v.name(), a.IDField, value))
					state, diags := v.core.Refresh(v.typ, v.state)
					name := state.Text(t, a.Name)
					number := json.Valid([]byte(value)) && value[0] >= '0' && value[0] <= '9'
					switch {
					case diags.Failed() && !unreadable(value) && !strings.Contains(diags.String(), "AttributeName(\""+a.Name+"\")"):
						t.Errorf("%s = %.40s: the error is not on %s: %s", a.IDField, value, a.Name, diags)
					case diags.Failed() && !state.Value.Equal(v.state.Value):
						t.Errorf("%s = %.40s: an error, and another state", a.IDField, value)
					case !diags.Failed() && name != v.state.Text(t, a.Name) && !number && value != "null":
						t.Errorf("%s = %.40s: the state has %q", a.IDField, value, name)
					}
				}
			})
		}
	}
}

// victim is an attribute of an instance that has hostile responses.
type victim struct {
	*acctest.Server
	t          *testing.T
	proxy      *acctest.Proxy
	core       *acctest.Core
	kind       *kind.Kind
	a          kind.Attribute
	typ, field string
	stored     string // the field as eNMS calls it
	config     acctest.Attributes
	state      acctest.ResourceState
}

func newVictim(t *testing.T, k *kind.Kind, a kind.Attribute) *victim {
	t.Helper()
	s, l := acctest.NewServerBehindProxy(t)
	v := &victim{Server: s, t: t, proxy: l, core: s.Core(acctest.Attributes{"max_retries": 0}), kind: k, a: a, typ: "enms_" + k.Name}
	v.config = v.configNo(0, "NAME-v")
	for _, config := range []acctest.Attributes{v.config, v.configNo(1, "NAME-w")} {
		for _, i := range acctest.NamedBy(s, k, config) {
			i.Put(s)
		}
	}
	v.field = a.Name
	if a.Type == kind.Properties {
		v.field = acctest.UntabledField
	}
	if a.Type == kind.Criteria {
		v.field = a.Prefix + acctest.CriterionProperty
	}
	if a.ReadFrom != "" {
		v.field = a.ReadFrom
	}
	v.stored = acctest.Field(a.Name5, v.field)
	var diags acctest.Problems
	if v.state, diags = v.core.Apply(v.typ, v.config, v.core.NoState(v.typ)); diags.Failed() {
		t.Fatal(diags)
	}
	return v
}

// name returns the name of the instance.
func (v *victim) name() string { return v.config["name"].(string) }

// configNo returns the configuration of an instance, other ones for other numbers.
func (v *victim) configNo(n int, name string) acctest.Attributes {
	config := acctest.LeastConfigNumber(n, v.Server, v.kind, v.a)
	config["name"] = acctest.NameOf(v.kind, name)
	if v.kind.AnyType != nil { // of one type, which is what is looked for
		config[v.kind.SubtypeRow()] = acctest.LeastConfig(v.Server, v.kind, v.a)[v.kind.SubtypeRow()]
	}
	switch {
	case v.a.Type == kind.Properties:
		config[v.a.Name] = map[string]any{acctest.UntabledField: "somebody"}
	case v.a.Type == kind.Criteria:
		config[v.a.Name] = acctest.Criteria(map[string]acctest.Attributes{acctest.CriterionProperty: {"value": "Cisco"}})
	case !v.a.ReadOnly && v.a.Role != kind.Key:
		config[v.a.Name] = acctest.Samples(v.Server, v.kind, v.a)[0]
	}
	if _, ok := config["scoped_name"]; ok {
		config["scoped_name"] = name
	}
	return config
}

// suffer goes through the values: each attribute through every ninth, and with
// writes, which take the most time, through every fifty-fourth, in turns; those of kinds
// that are not in thorough through an eighth of that. All go through all with
// ENMS_TEST_LONG=1.
func (v *victim) suffer(turn int, cases *atomic.Int64) {
	v.t.Helper()
	for i, value := range hostileValues {
		every := 1
		if !slices.Contains(acctest.ThoroughKinds, v.kind.Name) {
			every = 8
		}
		if acctest.Long() || (i+turn)%(9*every) == 0 {
			cases.Add(3)
			v.reads(value)
		}
		if acctest.Long() || (i+turn)%(54*every) == 0 {
			cases.Add(2)
			v.writes(value)
			v.creates(value)
		}
		if v.t.Failed() {
			return
		}
	}
}

// reads refreshes, imports and looks up.
func (v *victim) reads(value string) {
	v.t.Helper()
	v.proxy.SetRewrite(acctest.RewriteField(v.name(), v.stored, value))
	state, diags := v.core.Refresh(v.typ, v.state)
	v.check("read", value, v.state.Value, state.Value, diags)
	if !diags.Failed() && !state.Value.IsNull() {
		v.onlyThisChanged(value, state.Value)
	}
	if v.a.Type == kind.Properties {
		v.proxy.SetRewrite(acctest.RewriteField(v.name(), anyField, value))
	}
	if state, diags = v.core.ImportByName(v.typ, acctest.ImportIDOf(v.kind, v.config)); diags.Failed() {
		state = v.core.NoState(v.typ)
	}
	v.check("import", value, v.core.NoState(v.typ).Value, state.Value, diags)
	if !v.a.DataOnly {
		v.proxy.SetRewrite(nil)
		if _, diags = v.core.Refresh(v.typ, state); diags.Failed() && !state.Value.IsNull() && v.a.Role != kind.Key {
			v.t.Errorf("%s %s = %.40s: after the import: %s", v.typ, v.field, value, diags)
		}
	}
	field := v.stored
	if v.a.Type == kind.Properties {
		field = anyField
	}
	v.proxy.SetRewrite(acctest.RewriteField(v.name(), field, value))
	data, diags := v.core.ReadDataSourceBy(v.typ, acctest.SourceOf(v.kind, v.config))
	v.check("data", value, tftypes.Value{}, data, diags)
	v.proxy.SetRewrite(nil)
}

// writes updates, and mends it with true responses.
func (v *victim) writes(value string) {
	v.t.Helper()
	v.proxy.SetRewrite(acctest.RewriteField(v.name(), v.stored, value))
	state, diags := v.core.Apply(v.typ, acctest.AnotherConfig(v.kind, v.config), v.state)
	v.check("update", value, v.state.Value, state.Value, diags)
	v.proxy.SetRewrite(nil)
	v.state = v.converge("update", value, v.config, state)
}

// creates creates another instance, mends it with true responses, and destroys it.
func (v *victim) creates(value string) {
	v.t.Helper()
	name := acctest.NameOf(v.kind, "NAME-w")
	v.proxy.SetRewrite(acctest.RewriteField(name, v.stored, value))
	config := acctest.AnotherConfig(v.kind, v.configNo(1, "NAME-w"))
	state, diags := v.core.Apply(v.typ, config, v.core.NoState(v.typ))
	v.check("create", value, tftypes.Value{}, state.Value, diags)
	v.proxy.SetRewrite(nil)
	state = v.converge("create", value, config, state)
	if _, diags := v.core.Apply(v.typ, nil, state); diags.Failed() {
		v.t.Fatalf("%s %s = %.40s: destroy: %s", v.typ, v.field, value, diags)
	}
	if rows, err := v.Client.Endpoint().Query(v.Context(), acctest.TypeOf(v.kind, v.config), map[string]string{"name": name}); err != nil || len(rows) > 0 {
		v.t.Fatalf("%s %s = %.40s: %v is there after the destroy (%v)", v.typ, v.field, value, rows, err)
	}
}

// converge applies with true responses, after which a plan is empty and there is
// exactly one instance.
func (v *victim) converge(what, value string, config acctest.Attributes, state acctest.ResourceState) acctest.ResourceState {
	v.t.Helper()
	for range 2 {
		var diags acctest.Problems
		if state, diags = v.core.Refresh(v.typ, state); diags.Failed() {
			v.t.Fatalf("%s %s = %.40s: refresh after the %s: %s", v.typ, v.field, value, what, diags)
		}
		if state, diags = v.core.Apply(v.typ, config, state); diags.Failed() {
			v.t.Fatalf("%s %s = %.40s: apply after the %s: %s", v.typ, v.field, value, what, diags)
		}
	}
	if p, diags := v.core.Plan(v.typ, config, state); diags.Failed() || !p.Noop {
		v.t.Fatalf("%s %s = %.40s: the plan after the %s is not empty: %s%s", v.typ, v.field, value, what, diags, p.Value)
	}
	rows, err := v.Client.Endpoint().Query(v.Context(), acctest.TypeOf(v.kind, v.config), nil)
	found := 0
	for _, row := range rows {
		if row["name"] == config["name"] {
			found++
		} else if name := fmt.Sprint(row["name"]); strings.HasPrefix(name, "None") || strings.Contains(name, "hostile") {
			v.t.Errorf("%s %s = %.40s: there is a %q", v.typ, v.field, value, name)
		}
	}
	if err != nil || found != 1 {
		v.t.Fatalf("%s %s = %.40s: %d instances after the %s (%v)", v.typ, v.field, value, found, what, err)
	}
	return state
}

// check holds a state against what it may be.
func (v *victim) check(what, value string, before, after tftypes.Value, diags acctest.Problems) {
	v.t.Helper()
	where := fmt.Sprintf("%s of %s with %s = %.40s", what, v.typ, v.field, value)
	if diags.Failed() {
		v.checkError(where, what, value, before, after, diags)
		return
	}
	if after.IsNull() {
		v.t.Errorf("%s: the instance is gone", where)
		return
	}
	got := acctest.Members(v.t, after)[v.a.Name]
	field := acctest.UntabledField
	if what == "import" || what == "data" {
		field = anyField
	}
	want, legal := v.legal(value, what)
	if v.a.DataOnly && what != "data" {
		return
	}
	content := acctest.GoValue(v.t, got)
	if v.a.Type == kind.Properties {
		all, _ := content.(map[string]any)
		content = all[field]
	}
	if v.a.Type == kind.Criteria {
		all, _ := content.(map[string]any)
		one, _ := all[acctest.CriterionProperty].(map[string]any)
		content = one["value"]
	}
	if what == "import" && content == nil && acctest.LeftOut(diags, v.a.Name) {
		return // no configuration may hold it
	}
	if v.a.Role == kind.Identity && what == "update" { // as planned, if nothing else differs: a restore changes ids (enms-rest.md 0.6)
		want = acctest.GoValue(v.t, acctest.Members(v.t, before)[v.a.Name])
	}
	if s, is := want.(string); is && what == "import" { // imports end lines with LF
		want = strings.ReplaceAll(s, "\r\n", "\n")
	}
	if !legal || !reflect.DeepEqual(content, want) {
		v.t.Errorf("%s: the state has %.200v, want %.200v (legal: %t)\n%s", where, content, want, legal, diags)
	}
}

// checkError looks at an error: it names field and instance, and leaves the
// state as it was, or with what was planned or answered.
func (v *victim) checkError(where, what, value string, before, after tftypes.Value, diags acctest.Problems) {
	v.t.Helper()
	said := diags.String()
	field := fmt.Sprintf("ield %q", v.field)
	if v.a.Type == kind.Properties && (what == "import" || what == "data") {
		field = fmt.Sprintf("ield %q", anyField)
	}
	if !strings.Contains(said, field) && !strings.Contains(said, "did not keep the configured "+v.a.Name+" of") && !unreadable(value) && v.a.Role == kind.Field {
		v.t.Errorf("%s: the error does not say %q: %s", where, field, said)
	}
	if !strings.Contains(said, acctest.TypeOf(v.kind, v.config)+" \""+acctest.NameOf(v.kind, "NAME-")) {
		v.t.Errorf("%s: the error does not name the instance: %s", where, said)
	}
	if len(said) > 2000 || strings.Contains(said, "goroutine") {
		v.t.Errorf("%s: %d bytes of error: %.2000s", where, len(said), said)
	}
	if what == "read" && !after.Equal(before) {
		v.t.Errorf("%s: failed and changed the state to %s", where, after)
	}
}

// onlyThisChanged holds every other attribute against what it was.
func (v *victim) onlyThisChanged(value string, after tftypes.Value) {
	v.t.Helper()
	was := acctest.Members(v.t, v.state.Value)
	for name, now := range acctest.Members(v.t, after) {
		if name != v.a.Name && !now.Equal(was[name]) {
			v.t.Errorf("read of %s with %s = %.40s: %s changed from %s to %s", v.typ, v.field, value, name, was[name], now)
		}
	}
}

// legal returns what the state must hold of an answered value, if the attribute may have it at
// all.
func (v *victim) legal(value, what string) (content any, legal bool) {
	if v.a.Automatic != nil && what == "import" && v.automatic(value) {
		return nil, true
	}
	if v.a.Type == kind.Criteria && (value == acctest.FieldMissing || value == "null" || value == `""`) {
		if what == "read" && value != acctest.FieldMissing {
			return "", true // a configured one stays, without a value
		}
		return nil, what != "create" && what != "update" || value != acctest.FieldMissing // no condition
	}
	imported := what == "import" || what == "data"
	switch {
	case imported && value == acctest.FieldMissing && v.a.IDField != "" && v.a.ReadFrom != "":
		return v.config[v.a.Name], true // it is looked up by its id
	case what == "import" && value == acctest.FieldMissing && v.kind.AnyType != nil && v.a.Role == kind.Subtype:
		return v.config[v.a.Name], true // the import says it
	case imported && strings.HasPrefix(value, "[") && v.kind.AnyType != nil && v.a.Type == kind.Properties:
		return nil, true // a list of an unknown type may be a relation
	}
	if value == acctest.FieldMissing {
		return v.left(what), v.a.Role == kind.Field || what == "read" || what == "update" || what == "create" && v.a.Role != kind.Identity
	}
	searched := what == "create" || what == "update" || what == "read" && v.a.IDField != "" && v.a.ReadFrom == ""
	if (v.a.Type == kind.Many || v.a.Type == kind.One && v.a.ReadFrom == "") && searched {
		return v.left(what), true // a search, which answers no names of relations, was enough
	}
	if text, is := ofPython[value]; is {
		return text, v.a.Type == kind.Properties
	}
	if unreadable(value) {
		return nil, false
	}
	var x any
	decoder := json.NewDecoder(strings.NewReader(value))
	decoder.UseNumber()
	if decoder.Decode(&x) != nil {
		return nil, false
	}
	x, ok := acctest.Exact(x)
	if !ok {
		return nil, false
	}
	if (what == "create" || what == "update") && v.a.ChangesOnWrite {
		return v.config[v.a.Name], true
	}
	if x == nil {
		return nil, v.a.Role == kind.Field && v.a.Type != kind.Many
	}
	switch v.a.Type {
	case kind.Text, kind.One, kind.Criteria:
		if v.a.Role == kind.Identity {
			n, _ := x.(acctest.Number)
			return string(n), n.Whole() && !strings.ContainsAny(value, ".e")
		}
		_, ok = x.(string)
	case kind.Number:
		n, _ := x.(acctest.Number)
		ok = n.Whole()
	case kind.Flag:
		_, ok = x.(bool)
	case kind.Many:
		ok = value == "[]" || value == `["hostile"]`
	case kind.JSON:
		_, ok = x.(map[string]any)
	}
	return x, ok
}

// automatic reports whether an import takes an answered value for eNMS's own.
func (v *victim) automatic(value string) bool {
	var list []any
	_ = json.Unmarshal([]byte(value), &list)
	return value == acctest.FieldMissing || value == "null" || value == "[]" || v.a.Automatic(map[string]any{v.a.Name: list, "manually_defined": true})
}

// left returns what a field that is not answered is left as.
func (v *victim) left(what string) any {
	switch {
	case what == "read", what == "update", what == "create":
		was := acctest.Members(v.t, v.state.Value)[v.a.Name]
		if v.a.Type == kind.Properties {
			return sentProperty(v.kind, what)
		}
		if v.a.Role == kind.Key && what == "create" {
			return acctest.NameOf(v.kind, "NAME-w")
		}
		if v.a.Name == acctest.Alterable(v.kind) && what != "read" {
			return "another"
		}
		if v.a.Name == "scoped_name" && what == "create" {
			return "NAME-w"
		}
		if what == "create" && v.config[v.a.Name] == nil && v.a.Role == kind.Field {
			return v.unset()
		}
		return acctest.GoValue(v.t, was)
	case v.a.Type == kind.Properties:
		return nil
	case v.a.IDField != "" && v.a.ReadFrom == "":
		return v.config[v.a.Name] // The id tells the name.
	}
	return v.unset()
}

// sentProperty returns the property that was sent.
func sentProperty(k *kind.Kind, what string) any {
	if acctest.Alterable(k) == kind.RowProperties && what != "read" {
		return "another"
	}
	return "somebody"
}

func (v *victim) unset() any {
	if v.a.Type == kind.Many {
		return []any{}
	}
	return nil
}
