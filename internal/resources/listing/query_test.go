// Tests of the list resources, which `terraform query` asks. They speak the protocol, so
// that any Terraform will do.

package listing_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
)

// queried returns the names of the results, and what went wrong.
func queried(ctx context.Context, c *acctest.Core, q acctest.Query) (names []string, diags acctest.Problems) {
	c.T.Helper()
	for result := range acctest.StreamQuery(ctx, c, q) {
		if diags = append(diags, result.Diagnostics...); !acctest.Problems(result.Diagnostics).Failed() {
			names = append(names, acctest.IdentityTexts(c, q.Type, result.Identity)["name"])
		}
	}
	return names, diags
}

// numberedNames returns the names of devices that fill made of the function devices.
func numberedNames(s *acctest.Server, count int) (names []string) {
	for i := range count {
		names = append(names, s.Expand(fmt.Sprint("NAME-", i)))
	}
	return slices.Sorted(slices.Values(names))
}

// A query finds an instance of every kind, with what an import brings of it when that is
// wanted.
func TestQuery_ofEveryKind(t *testing.T) {
	t.Parallel()
	acctest.OfEveryKind(t, func(t *testing.T, s *acctest.Server, c *acctest.Core, k *kind.Kind) {
		typ := "enms_" + k.Name
		config := acctest.FullConfig(0, s, k)
		state := c.Applied(typ, config, c.NoState(typ))
		imported := c.Imported(typ, acctest.ImportIDOf(k, config))
		q := acctest.Query{Type: typ, Config: acctest.Attributes{"filter": acctest.Filter(map[string]any{"name": config["name"]})}}
		if k.AnyType != nil {
			q.Config[k.SubtypeRow()] = config[k.SubtypeRow()]
		}
		for _, q.Whole = range []bool{false, true} {
			results := slices.Collect(acctest.StreamQuery(t.Context(), c, q))
			if len(results) != 1 || len(results[0].Diagnostics) > 0 {
				t.Fatalf("%d results: %v", len(results), results)
			}
			if got, want := acctest.IdentityTexts(c, typ, results[0].Identity), acctest.IdentityOfState(c, typ, state); !maps.Equal(got, want) {
				t.Errorf("the identity is %v, want %v", got, want)
			}
			if results[0].DisplayName != acctest.ImportIDOf(k, config) {
				t.Errorf("it is shown as %q", results[0].DisplayName)
			}
			switch {
			case !q.Whole && results[0].Resource != nil:
				t.Error("the resource was not asked for")
			case q.Whole && !c.Decode(typ, results[0].Resource).Equal(imported.Value):
				t.Errorf("%s\nimported as %s", c.Decode(typ, results[0].Resource), imported.Value)
			}
		}
		c.Applied(typ, nil, state)
	})
}

// A limit of 7 delivers exactly 7 of 40, and reads no more than that.
func TestQuery_limit(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("requests are counted")
	s.Fill("device", 40, acctest.NumberedDevice)
	c := s.Core(nil)
	for _, test := range []struct {
		query    acctest.Query
		requests int
	}{
		{acctest.Query{Type: "enms_device", Limit: 7}, 1},
		{acctest.Query{Type: "enms_device", Limit: 7, Whole: true}, 1 + 7},
		{acctest.Query{Type: "enms_device", Limit: 17, Whole: true}, 1 + 17},
		{acctest.Query{Type: "enms_device", Limit: 40}, 1},
		{acctest.Query{Type: "enms_device", Limit: 41}, 1},
		{acctest.Query{Type: "enms_device"}, 1},
		{acctest.Query{Type: "enms_device", Limit: 7, Config: acctest.Attributes{"filter": acctest.Filter(map[string]any{"name": "3"}), "match": "inclusion"}}, 1},
	} {
		acctest.CountRequests(s, "query", test.requests, func() {
			names, diags := queried(t.Context(), c, test.query)
			want := int(test.query.Limit)
			if want == 0 || want > 40 {
				want = 40
			}
			if diags.Failed() || len(names) != want || len(slices.Compact(slices.Sorted(slices.Values(names)))) != want {
				t.Errorf("%v: %d results, want %d: %q%s", test.query, len(names), want, names, diags)
			}
		})
	}
}

// The first results come before the second page is asked for, and whoever stops asks for
// no more.
func TestQuery_isStreamed(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("requests are counted")
	const many = 2500
	s.Fill("device", many, acctest.NumberedDevice)
	c := s.Core(nil)
	next, stop := iter.Pull(acctest.StreamQuery(t.Context(), c, acctest.Query{Type: "enms_device"}))
	take := func(count int) {
		for range count {
			if result, more := next(); !more || len(result.Diagnostics) > 0 {
				t.Fatal(result)
			}
		}
	}
	acctest.CountRequests(s, "the first page", 1, func() { take(1000) })
	acctest.CountRequests(s, "one more", 1, func() { take(1) })
	acctest.CountRequests(s, "none", 0, stop)
	names, diags := queried(t.Context(), c, acctest.Query{Type: "enms_device"})
	if slices.Sort(names); diags.Failed() || !slices.Equal(names, numberedNames(s, many)) {
		t.Errorf("%d of %d%s", len(names), many, diags)
	}
}

// What is deleted while pages are read makes none of the others get lost.
func TestQuery_whileOthersDelete(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("queries hold everything that is there")
	const many = 2500
	s.Fill("device", many, acctest.NumberedDevice)
	c := s.Core(nil)
	var names []string
	for result := range acctest.StreamQuery(t.Context(), c, acctest.Query{Type: "enms_device"}) {
		if len(result.Diagnostics) > 0 {
			t.Fatal(acctest.Problems(result.Diagnostics))
		}
		if names = append(names, result.DisplayName); len(names) == 10 || len(names) == 1500 {
			for _, name := range names[len(names)-7:] {
				s.Drop("device", name)()
			}
		}
	}
	if slices.Sort(names); !slices.Equal(names, numberedNames(s, many)) {
		t.Errorf("%d of %d", len(names), many)
	}
}

// What is deleted between a page and the reading of its instances is left out.
func TestQuery_ofWhatIsGone(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("queries hold everything that is there")
	s.Fill("device", 30, acctest.NumberedDevice)
	c := s.Core(nil)
	var names []string
	for result := range acctest.StreamQuery(t.Context(), c, acctest.Query{Type: "enms_device", Whole: true, Limit: 25}) {
		if len(result.Diagnostics) > 0 {
			t.Fatal(acctest.Problems(result.Diagnostics))
		}
		if names = append(names, result.DisplayName); len(names) == 1 {
			for _, row := range s.All("device") {
				if name := fmt.Sprint(row["name"]); name != names[0] && strings.HasSuffix(name, "5") {
					s.Drop("device", name)()
				}
			}
		}
	}
	if len(names) != 25 && len(names) != 27 {
		t.Errorf("%d: %q", len(names), names)
	}
}

// A page that fails is an error after the results of the pages before.
func TestQuery_pageThatFails(t *testing.T) {
	t.Parallel()
	s, l := acctest.NewServerBehindProxy(t)
	s.Fill("device", 1200, acctest.NumberedDevice)
	c := s.Core(nil)
	var searches atomic.Int32
	l.SetRewrite(func(r *http.Request, _ func() (int, []byte)) []byte {
		if r.URL.Path == "/rest/search" && searches.Add(1) > 1 {
			return []byte(`[{`)
		}
		return nil
	})
	names, diags := queried(t.Context(), c, acctest.Query{Type: "enms_device"})
	if len(names) != 1000 || !strings.Contains(diags.String(), "Cannot read devices") {
		t.Errorf("%d results: %s", len(names), diags)
	}
	l.SetRewrite(acctest.RewriteField("NAME-7", "port", `"ssh"`))
	if _, diags := queried(t.Context(), c, acctest.Query{Type: "enms_device", Whole: true, Config: acctest.Attributes{"filter": acctest.Filter(map[string]any{"name": "NAME-7"})}}); !strings.Contains(diags.String(), `"port" of device "NAME-7"`) {
		t.Error(diags)
	}
	var first atomic.Pointer[[]byte]
	l.SetRewrite(func(r *http.Request, act func() (int, []byte)) []byte { // the first page for every page
		if r.URL.Path != "/rest/search" {
			return nil
		}
		_, page := act()
		first.CompareAndSwap(nil, &page)
		return *first.Load()
	})
	if _, diags := queried(t.Context(), c, acctest.Query{Type: "enms_device"}); !strings.Contains(diags.String(), "the same instances to every page") {
		t.Error(diags)
	}
}

// An interrupted query ends at once, and does not look complete.
func TestQuery_interrupted(t *testing.T) {
	t.Parallel()
	s, l := acctest.NewServerBehindProxy(t)
	s.Fill("device", 40, acctest.NumberedDevice)
	c := s.Core(nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	count, told := 0, acctest.Problems{}
	for result := range acctest.StreamQuery(ctx, c, acctest.Query{Type: "enms_device"}) {
		if told = append(told, result.Diagnostics...); !told.Failed() {
			count++
		}
		if count == 3 {
			cancel()
		}
	}
	if count != 3 || !strings.Contains(told.String(), "interrupted") {
		t.Errorf("%d results: %s", count, told)
	}
	for _, path := range []string{"/rest/search", "/rest/query/"} {
		ctx, cancel := context.WithCancel(t.Context())
		l.SetRewrite(func(r *http.Request, _ func() (int, []byte)) []byte {
			if !strings.HasPrefix(r.URL.Path, path) {
				return nil
			}
			_, _ = io.Copy(io.Discard, r.Body) // without which nobody notices that the client goes away
			cancel()
			<-r.Context().Done()
			return []byte("[]")
		})
		names, diags := queried(ctx, c, acctest.Query{Type: "enms_device", Whole: true})
		if len(names) > 0 || !strings.Contains(diags.String(), "interrupted") {
			t.Errorf("%s: %q %s", path, names, diags)
		}
		cancel()
	}
}

// Conditions are those of the data sources, and so is what they refuse.
func TestQuery_conditions(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("queries hold everything that is there")
	putListed(s)
	c := s.Core(nil)
	for _, test := range []struct {
		typ    string
		config acctest.Attributes
		want   []string // sorted
		says   string
	}{
		{"enms_device", nil, []string{"d1", "d2", "d3", "g1", "g2"}, ""},
		{"enms_device", acctest.Attributes{"gateways": []string{"g1", "g2"}}, []string{"d1", "d2", "d3"}, ""},
		{"enms_instance", acctest.Attributes{"type": "device"}, []string{"d1", "d2", "d3", "g1", "g2"}, ""},
		{"enms_instance", acctest.Attributes{"type": "server"}, nil, ""},
		{"enms_device", acctest.Attributes{"filter": acctest.Filter(map[string]any{"vendr": "Cisco"})}, nil, "No device has a property vendr"},
	} {
		names, diags := queried(t.Context(), c, acctest.Query{Type: test.typ, Config: test.config})
		if slices.Sort(names); !slices.Equal(names, test.want) || diags.Failed() != (test.says != "") || !strings.Contains(diags.String(), test.says) {
			t.Errorf("%s %v: %q, want %q: %s", test.typ, test.config, names, test.want, diags)
		}
	}
}

// What every eNMS has from its first start is listed only when that is asked for, and what
// cannot be managed never. A real server may hold more, which is not looked at.
func TestQuery_ofWhatIsBuiltIn(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	services := []string{"[Shared] End", "[Shared] Placeholder", "[Shared] Start"}
	monitoring := acctest.ByLine([]string{"cluster_monitoring"}, nil)
	for typ, want := range map[string][]string{
		"device": nil, "link": nil, "network": nil, "workflow_edge": nil, "group": nil, "credential": nil, "server": nil,
		"pool":    acctest.ByLine([]string{"All objects", "Devices only", "Links only"}, nil),
		"service": slices.Concat(services, monitoring),
		"task":    acctest.ByLine([]string{"Cluster Monitoring"}, nil),
		"user":    {"admin"},
	} {
		queries := []acctest.Query{{Type: "enms_instance", Config: acctest.Attributes{"type": typ}}}
		switch {
		case typ == "service": // enms_service refuses what all workflows use
			queries = append(queries, acctest.Query{Type: "enms_instance", Config: acctest.Attributes{"type": "swiss_army_knife_service"}})
		case c.Schemas["enms_"+typ] != nil:
			queries = append(queries, acctest.Query{Type: "enms_" + typ, Config: acctest.Attributes{}})
		}
		for _, q := range queries {
			for builtIn, want := range map[bool][]string{false: nil, true: want} {
				q.Config["built_in"] = builtIn
				names, diags := queried(t.Context(), c, q)
				if names = ofANewServer(s, names); !slices.Equal(names, want) || diags.Failed() {
					t.Errorf("%s %v: %q, want %q: %s", q.Type, q.Config, names, want, diags)
				}
			}
		}
	}
	for builtIn, want := range map[bool][]string{false: nil, true: monitoring} {
		names, diags := queried(t.Context(), c, acctest.Query{Type: "enms_service", Config: acctest.Attributes{"built_in": builtIn, "type": "swiss_army_knife_service"}})
		if names = ofANewServer(s, names); !slices.Equal(names, want) || diags.Failed() {
			t.Errorf("enms_service with built_in = %v: %q, want %q: %s", builtIn, names, want, diags)
		}
	}
}

// everyNewServerHas are the names of what eNMS holds after its first start.
var everyNewServerHas = []string{"[Shared] Start", "[Shared] End", "[Shared] Placeholder", "cluster_monitoring", "Cluster Monitoring",
	"All objects", "Devices only", "Links only", "admin", "Localhost"}

// ofANewServer returns the names in order, on a real server without what other tests made.
func ofANewServer(s *acctest.Server, names []string) []string {
	if s.Simulator == nil {
		names = slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(everyNewServerHas, name) })
	}
	slices.Sort(names)
	return names
}

// What Terraform generates of a query is imported as it is.
func TestQuery_withTerraform(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	w := acctest.NewWorkspace(t)
	w.NeedsVersion(1, 14, "terraform query")
	if w.OpenTofu() {
		t.Skip("OpenTofu has no query")
	}
	for i := range 12 {
		s.Put("device", enms.Object{"name": fmt.Sprint("NAME-", i), "location": "NAME-L", "port": 22 + i%2})()
	}
	w.Configure(s.Block(""))
	search := s.Expand(`
		list "enms_device" "found" {
		  provider = enms
		  limit    = 7
		  config {
		    filter = { location = "NAME-L" }
		  }
		}`)
	if err := os.WriteFile(filepath.Join(w.Dir, "devices.tfquery.hcl"), []byte(search), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out := w.Run("query", "-no-color", "-generate-config-out=generated.tf"); code != 0 || strings.Count(out, "list.enms_device.found") != 7 {
		t.Fatalf("query ended with %d:\n%s", code, out)
	}
	generated, err := os.ReadFile(filepath.Join(w.Dir, "generated.tf"))
	if err != nil || strings.Count(string(generated), `location      = "`+s.Expand("NAME-L")+`"`) != 7 || strings.Contains(string(generated), "22") {
		t.Errorf("%v:\n%s", err, generated)
	}
	if code, out := w.Run("plan", "-no-color"); code != 0 || !strings.Contains(out, "7 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("plan ended with %d:\n%s", code, out)
	}
}

// A query tells which setting of the provider it waits for.
func TestQuery_whileSettingsAreUnknown(t *testing.T) {
	acctest.NoEnvironment(t)
	_, url := simtest.Start(t, simulator.Options{})
	c, diags := acctest.TryCore(t, provider.New("test"), acctest.NeededSettings(acctest.Attributes{"base_url": url, "username": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}))
	if diags.Failed() {
		t.Fatal(diags)
	}
	if _, diags := queried(t.Context(), c, acctest.Query{Type: "enms_device"}); !strings.Contains(diags.String(), "In the provider block, username is still unknown.") {
		t.Error(diags)
	}
}
