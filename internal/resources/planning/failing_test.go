// Tests of single checks of plans, some with a request that fails.

package planning

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/reading"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/resourcetest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// checker returns the checker of plans of a kind, for a server.
func checker(t *testing.T, s *testserver.Server, typ string) Checker {
	t.Helper()
	return Checker{reading.New(kind.Named(kinds.All(), typ), resourcetest.Provider(t, s))}
}

// A new instance has a target, may have one, or needs none.
func TestHasTarget(t *testing.T) {
	t.Parallel()
	text := func(v any) tftypes.Value { return tftypes.NewValue(tftypes.String, v) }
	names := func(v any) tftypes.Value { return tftypes.NewValue(value.StringSet, v) }
	properties := func(name string, v any) tftypes.Value {
		return tftypes.NewValue(tftypes.Object{AttributeTypes: map[string]tftypes.Type{name: tftypes.String}}, map[string]tftypes.Value{name: text(v)})
	}
	unknown := tftypes.UnknownValue
	for what, test := range map[string]struct {
		typ    string
		values kind.Values
		want   bool
	}{
		"a service":                     {"service", nil, false},
		"a service with devices":        {"service", kind.Values{"target_devices": names([]tftypes.Value{text("d")})}, true},
		"a service with unknown pools":  {"service", kind.Values{"target_pools": names(unknown)}, true},
		"a service without devices":     {"service", kind.Values{"target_devices": names([]tftypes.Value{})}, false},
		"a service that runs once":      {"service", kind.Values{"run_method": text("once")}, true},
		"a service per device":          {"service", kind.Values{"run_method": text("per_device")}, false},
		"a service that runs somehow":   {"service", kind.Values{"run_method": text(unknown)}, true},
		"a service with a query":        {"service", kind.Values{"properties": properties("device_query", "devices")}, true},
		"a service with an empty query": {"service", kind.Values{"properties": properties("device_query", "")}, false},
		"a service with some query":     {"service", kind.Values{"properties": properties("device_query", unknown)}, true},
		"a service with another field":  {"service", kind.Values{"properties": properties("vendor", "x")}, false},
		"a service with some fields":    {"service", kind.Values{"properties": tftypes.NewValue(tftypes.DynamicPseudoType, unknown)}, true},
		"a task":                        {"task", nil, false},
		"a task with pools":             {"task", kind.Values{"pools": names([]tftypes.Value{text("p")})}, true},
		"a device, which has no target": {"device", nil, true},
	} {
		planned := kind.Values{"run_method": text("per_device")}
		maps.Copy(planned, test.values)
		if got := hasTarget(&kind.Plan{Kind: kind.Named(kinds.All(), test.typ), Config: test.values, Planned: planned}); got != test.want {
			t.Errorf("%s: %t", what, got)
		}
	}
	for typ, want := range map[string]string{"task": "service", "service": "", "device": ""} {
		row, of := runnerRow(kind.Named(kinds.All(), typ), kinds.All())
		if row != want || (of == nil) != (want == "") {
			t.Errorf("a %s runs its %s", typ, row)
		}
	}
}

// A service in eNMS needs a target and has none, if that is certain.
func TestIsUntargeted(t *testing.T) {
	t.Parallel()
	s := testserver.New(t, simulator.Options{})
	s.Add(t, "device", testserver.Object{"name": "d"})
	s.Add(t, "pool", testserver.Object{"name": "p"})
	for name, fields := range map[string]testserver.Object{
		"none": {}, "device": {"target_devices": []string{"d"}}, "pool": {"target_pools": []string{"p"}}, "once": {"run_method": "once"}, "query": {"device_query": "devices"},
	} {
		fields["name"] = name
		s.Add(t, "service", fields)
	}
	r := checker(t, s, "task")
	for name, want := range map[string]bool{"none": true, "device": false, "pool": false, "once": false, "query": false, "absent": false} {
		if got := r.isUntargeted(t.Context(), kind.Named(kinds.All(), "service"), name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
	s.Refuse("/rest/")
	failing := checker(t, s, "task")
	if failing.isUntargeted(t.Context(), kind.Named(kinds.All(), "service"), "none") {
		t.Error("what could not be read has no target")
	}
}

// An instance that others have renamed gets its old name back, unless another instance has that by now.
func TestCheckIdentityToUpdate(t *testing.T) {
	t.Parallel()
	s := resourcetest.New(t, simulator.V47)
	mark := s.Client.TakeMark(t.Context())
	s.Add(t, "device", testserver.Object{"name": "a", "new_name": "theirs"})
	s.Add(t, "device", testserver.Object{"name": "a"}, testserver.Object{"name": "c"})
	s.Add(t, "device", testserver.Object{"name": "b", "new_name": "free"})
	s.Add(t, "device", testserver.Object{"name": "c", "new_name": "b"})
	r := checker(t, s.Server, "device")
	renamed := func(from string) reading.Identity {
		return reading.Identity{Renamed: &failures.Renamed{From: from, To: "theirs"}}
	}
	since := func(name string) record.Record { return record.Record{Origin: &record.Origin{Name: name, Mark: mark}} }
	for what, test := range map[string]struct {
		found   reading.Identity
		rec     record.Record
		planned string
		want    []string
	}{
		"as in the state":           {planned: "a"},
		"nobody tells":              {found: reading.Identity{Untold: "Its id is lost"}, planned: "a", want: []string{"Its id is lost"}},
		"another name is planned":   {found: renamed("a"), planned: "x"},
		"the old name is free":      {found: renamed("x"), planned: "x"},
		"it has the old name again": {found: renamed("theirs"), planned: "theirs"},
		"another was created":       {found: renamed("a"), rec: since("a"), planned: "a", want: []string{`The name "a" belongs to another device`, `, made by user "admin"`}},
		"another was renamed":       {found: renamed("b"), rec: since("b"), planned: "b", want: []string{`The name "b" belongs to another device`, `, which got this name from user "admin"`}},
		"the mark is missing":       {found: renamed("a"), rec: record.Record{Origin: &record.Origin{Name: "a"}}, planned: "a", want: []string{`The name "a" belongs to another device`}},
		"the origin is missing":     {found: renamed("a"), planned: "a", want: []string{`The name "a" belongs to another device`}},
	} {
		prior := resourcetest.Texts(map[string]string{"id": s.IDs["a"], "name": "a"})
		r.Provider.Lookups.Found.Store(resources.Instance{Type: "node", ID: s.IDs["a"]}, test.found)
		got := resourcetest.Text(r.CheckIdentityToUpdate(t.Context(), resourcetest.Texts(map[string]string{"name": test.planned}), prior, test.rec))
		if (got == "") != (test.want == nil) || slices.ContainsFunc(test.want, func(words string) bool { return !strings.Contains(got, words) }) || test.rec.Origin == nil && strings.Contains(got, "user") {
			t.Errorf("%s: %q", what, got)
		}
	}
	planned, prior := resourcetest.Texts(map[string]string{"name": "a"}), resourcetest.Texts(map[string]string{"id": s.IDs["a"], "name": "a"})
	r.Provider.Lookups.Found.Store(resources.Instance{Type: "node", ID: s.IDs["a"]}, renamed("a"))
	s.Refuse("/rest/")
	if diags := r.CheckIdentityToUpdate(t.Context(), planned, prior, record.Record{}); !diags.HasError() || strings.Contains(resourcetest.Text(diags), "belongs to another") {
		t.Errorf("while eNMS cannot be asked: %s", diags)
	}
	r.Provider.Run.Plans.StartApply()
	if diags := r.CheckIdentityToUpdate(t.Context(), planned, prior, record.Record{}); len(diags) > 0 {
		t.Errorf("in the apply: %s", diags)
	}
}

// A state has the members that eNMS adds by force if it comes from an import. A plan keeps those, and no others.
func TestWithForced(t *testing.T) {
	t.Parallel()
	s := resourcetest.New(t, simulator.V53)
	s.Add(t, "group", testserver.Object{"name": "forced", "force_read_access": true}, testserver.Object{"name": "other"})
	groups := func(names ...string) kind.Values {
		members := []tftypes.Value{}
		for _, name := range names {
			members = append(members, tftypes.NewValue(tftypes.String, name))
		}
		return kind.Values{"rbac_read": tftypes.NewValue(value.StringSet, members)}
	}
	r, unasked, refusing := checker(t, s.Server, "device"), checker(t, s.Server, "device"), checker(t, s.Server, "device")
	unasked.Provider.Client = nil
	for what, test := range map[string]struct {
		r                   Checker
		config, prior, want kind.Values
	}{
		"a creation":                       {unasked, groups("other"), nil, groups("other")},
		"a creation without groups":        {unasked, groups(), nil, groups()},
		"the same":                         {unasked, groups("other"), groups("other"), groups("other")},
		"fewer in the state":               {unasked, groups("other", "forced"), groups("other"), groups("other", "forced")},
		"while a setting is unknown":       {unasked, groups("other"), groups("other", "forced"), groups("other")},
		"one more, which eNMS forces":      {r, groups("other"), groups("other", "forced"), groups("other", "forced")},
		"one more, which nobody forces":    {r, groups(), groups("other"), groups()},
		"two more, of which one is forced": {r, groups(), groups("other", "forced"), groups()},
	} {
		if got, diags := test.r.WithForced(t.Context(), test.config, test.prior); len(diags) > 0 || !got["rbac_read"].Equal(test.want["rbac_read"]) {
			t.Errorf("%s: %s %s", what, got, diags)
		}
	}
	s.Refuse("/rest/")
	if _, diags := refusing.WithForced(t.Context(), groups("other"), groups("other", "forced")); !diags.HasError() {
		t.Error("the groups could not be read, and nobody says so")
	}
}

// A new task that nothing gives a target is warned of once, with the service that has none either.
func TestCheckAndRecordTargets(t *testing.T) {
	t.Parallel()
	s := resourcetest.New(t, simulator.V47)
	texts := resourcetest.Texts
	task := kind.Values{"service": texts(map[string]string{"x": "[w] s"})["x"]}
	for what, test := range map[string]struct {
		typ             string
		prior, planned  kind.Values
		adopts, warns   bool
		applying        bool
		plans, untarget bool // this run plans the service, without a target
	}{
		"a new task":                               {typ: "task", planned: task, warns: true},
		"one that exists":                          {typ: "task", planned: task, prior: task},
		"one that may exist":                       {typ: "task", planned: task, adopts: true},
		"without its service":                      {typ: "task", planned: kind.Values{}},
		"in the apply":                             {typ: "task", planned: task, applying: true},
		"its service is planned":                   {typ: "task", planned: task, plans: true},
		"its service is planned, without a target": {typ: "task", planned: task, plans: true, untarget: true, warns: true},
		"a new service":                            {typ: "service", planned: texts(map[string]string{"name": "new", "run_method": "per_device"})},
	} {
		r := checker(t, s.Server, test.typ)
		r.Provider.AdoptExisting = test.adopts
		service := applying.Name{Namespace: "service", Text: "[w] s"}
		if test.plans {
			r.Provider.Run.Plans.Planned.Add(service)
		}
		if test.untarget {
			r.Provider.Run.Plans.Untargeted.Add(service)
		}
		if test.applying {
			r.Provider.Run.Plans.StartApply()
		}
		p := &kind.Plan{Kind: r.Kind, Prior: test.prior, Config: test.planned, Planned: test.planned}
		if diags := r.CheckAndRecordTargets(t.Context(), p); (len(diags) > 0) != test.warns {
			t.Errorf("%s: %s", what, diags)
		}
		if recorded := r.Provider.Run.Plans.Untargeted.Has(applying.Name{Namespace: "service", Text: "new"}); recorded != (test.typ == "service") {
			t.Errorf("%s is recorded: %t", what, recorded)
		}
	}
}

// Criteria that the database cannot evaluate, or of which eNMS does not say so, are refused before they are written.
func TestTryCriteria(t *testing.T) {
	t.Parallel()
	criterion := func(match string) kind.Values {
		return kind.Values{"device_criteria": tftypes.NewValue(kind.CriteriaType, map[string]tftypes.Value{"mine": tftypes.NewValue(kind.CriterionType, map[string]tftypes.Value{
			kind.CriterionValue: tftypes.NewValue(tftypes.String, "x"), kind.CriterionMatch: tftypes.NewValue(tftypes.String, match), kind.CriterionInvert: tftypes.NewValue(tftypes.Bool, false)})})}
	}
	for _, test := range []struct {
		planned, prior kind.Values
		status         int
		says           string
	}{
		{planned: criterion(kind.MatchRegex)}, {planned: criterion(kind.MatchRegex), prior: criterion(kind.MatchRegex), status: http.StatusInternalServerError},
		{planned: criterion(kind.MatchRegex), status: http.StatusInternalServerError, says: "Use a regular expression that the database"},
		{planned: criterion(kind.MatchRegex), status: http.StatusBadRequest, says: `eNMS answered "x"`},
	} {
		s := testserver.New(t, simulator.Options{})
		s.Intercept(func(w http.ResponseWriter, _ *http.Request, body []byte) bool {
			fails := test.status != 0 && strings.Contains(string(body), "mine_filter")
			if fails {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, `{"alert": "x"}`)
			}
			return fails
		})
		r := checker(t, s, "pool")
		if says := resourcetest.Text(r.TryCriteria(t.Context(), failures.Plan, test.planned, test.prior)); (says == "") != (test.says == "") || !strings.Contains(says, test.says) {
			t.Errorf("after %d: %s", test.status, says)
		}
	}
}

// Names are looked up in plans, if there are any.
func TestCheckName(t *testing.T) {
	t.Parallel()
	s := resourcetest.New(t, simulator.V47)
	for name, warns := range map[string]bool{"a": true, "x": false, "": false} {
		r := checker(t, s.Server, "device")
		before := len(s.Requests())
		diags := r.CheckName(t.Context(), resourcetest.Texts(map[string]string{"name": name}))
		if asked := len(s.Requests()) > before; len(diags) > 0 != warns || asked != (name != "") {
			t.Errorf("%q: %s, asked %t", name, diags, asked)
		}
	}
}

// The names of all types that share a namespace are looked up at once, except where not every eNMS can search them.
func TestSearchedType(t *testing.T) {
	t.Parallel()
	anyType := kinds.All()[slices.IndexFunc(kinds.All(), func(k *kind.Kind) bool { return k.AnyType != nil })]
	for typ, want := range map[string]string{"router": "router", "python_snippet_service": "service", "pool": "pool"} {
		of := anyType.For(kind.Values{anyType.SubtypeRow(): tftypes.NewValue(tftypes.String, typ)})
		if got := (&Checker{reading.New(of, nil)}).searchedType(); got != want {
			t.Errorf("a %s is searched as %s", typ, got)
		}
	}
	for _, typ := range []string{"device", "store"} {
		if got := (&Checker{reading.New(kind.Named(kinds.All(), typ), nil)}).searchedType(); got != typ {
			t.Errorf("a %s is searched as %s", typ, got)
		}
	}
}

// A device that no task and no service runs on costs one request, however many relations to it there are, and what
// nothing can run on costs none.
func TestLastTargets_requests(t *testing.T) {
	t.Parallel()
	s := resourcetest.New(t, simulator.V47)
	for typ, requests := range map[string]int{"device": 1, "link": 0} {
		r := checker(t, s.Server, typ)
		before := len(s.Requests())
		if diags := r.LastTargets(t.Context(), Deletion{State: resourcetest.Texts(map[string]string{"name": "b"})}); len(diags) > 0 {
			t.Errorf("a %s: %s", typ, diags)
		}
		if got := len(s.Requests()) - before; got != requests {
			t.Errorf("a %s: %d requests", typ, got)
		}
	}
}

// A kind that cannot be disabled needs another policy than the provider's "disable", unless its own is unknown yet.
func TestCheckPolicy(t *testing.T) {
	t.Parallel()
	p := &resources.Provider{DeletionPolicy: kind.PolicyDisable}
	for _, test := range []struct {
		typ     string
		policy  any
		refused bool
	}{{"device", nil, true}, {"device", kind.PolicyDelete, false}, {"device", tftypes.UnknownValue, false}, {"service", nil, false}} {
		r := Checker{reading.New(kind.Named(kinds.All(), test.typ), p)}
		if diags := r.CheckPolicy(kind.Values{kind.RowDeletionPolicy: tftypes.NewValue(tftypes.String, test.policy)}); diags.HasError() != test.refused {
			t.Errorf("a %s with the policy %v: %s", test.typ, test.policy, diags)
		}
	}
}
