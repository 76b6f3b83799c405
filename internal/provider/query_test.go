// Tests of the list resources, which `terraform query` asks. They speak the protocol, so
// that any Terraform will do.

package provider_test

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
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
)

// query is what Terraform asks a list resource for.
type query struct {
	typ    string
	config attributes
	limit  int64 // 0 for none
	whole  bool  // with the resources
}

// stream asks a list resource, and gives its results as they come.
func (c *core) stream(ctx context.Context, q query) iter.Seq[tfprotov6.ListResourceResult] {
	c.t.Helper()
	schema, err := c.server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		c.t.Fatal(err)
	}
	config := c.encode(objectOf(c.t, schema.ListResourceSchemas[q.typ], q.config))
	lists, is := c.server.(tfprotov6.ListResourceServer)
	if !is {
		c.t.Fatal("the server lists nothing")
	}
	valid, err := lists.ValidateListResourceConfig(ctx, &tfprotov6.ValidateListResourceConfigRequest{TypeName: q.typ, Config: config})
	if err != nil || problems(valid.Diagnostics).failed() {
		c.t.Fatal(err, valid)
	}
	stream, err := lists.ListResource(ctx, &tfprotov6.ListResourceRequest{TypeName: q.typ, Config: config, Limit: q.limit, IncludeResource: q.whole})
	if err != nil {
		c.t.Fatal(err)
	}
	return stream.Results
}

// queried are the names of the results, and what went wrong.
func (c *core) queried(ctx context.Context, q query) (names []string, diags problems) {
	c.t.Helper()
	for result := range c.stream(ctx, q) {
		if diags = append(diags, result.Diagnostics...); !problems(result.Diagnostics).failed() {
			names = append(names, c.identityTexts(q.typ, result.Identity)["name"])
		}
	}
	return names, diags
}

// numbered are the names of devices that fill made of the function devices.
func (s *server) numbered(count int) (names []string) {
	for i := range count {
		names = append(names, s.expand(fmt.Sprint("NAME-", i)))
	}
	return slices.Sorted(slices.Values(names))
}

// A query finds an instance of every kind, with what an import brings of it when that is
// wanted.
func TestQueryOfEveryKind(t *testing.T) {
	t.Parallel()
	ofEveryKind(t, func(t *testing.T, s *server, c *core, k *kind.Kind) {
		typ := "enms_" + k.Name
		config := fullConfig(0, s, k)
		state := c.applied(typ, config, c.none(typ))
		imported, diags := c.importByName(typ, importIDOf(k, config))
		if diags.failed() {
			t.Fatal(diags)
		}
		q := query{typ: typ, config: attributes{"filter": filter(map[string]any{"name": config["name"]})}}
		if k.AnyType {
			q.config[k.SubtypeRow()] = config[k.SubtypeRow()]
		}
		for _, q.whole = range []bool{false, true} {
			results := slices.Collect(c.stream(t.Context(), q))
			if len(results) != 1 || len(results[0].Diagnostics) > 0 {
				t.Fatalf("%d results: %v", len(results), results)
			}
			if got, want := c.identityTexts(typ, results[0].Identity), c.wantIdentity(typ, state); !maps.Equal(got, want) {
				t.Errorf("the identity is %v, want %v", got, want)
			}
			if results[0].DisplayName != importIDOf(k, config) {
				t.Errorf("it is shown as %q", results[0].DisplayName)
			}
			switch {
			case !q.whole && results[0].Resource != nil:
				t.Error("the resource was not asked for")
			case q.whole && !c.decode(typ, results[0].Resource).Equal(imported.value):
				t.Errorf("%s\nimported as %s", c.decode(typ, results[0].Resource), imported.value)
			}
		}
		c.applied(typ, nil, state)
	})
}

// A limit of 7 delivers exactly 7 of 40, and reads no more than that.
func TestQueryLimit(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("requests are counted")
	s.fill("device", 40, devices)
	c := s.core(nil)
	for _, test := range []struct {
		query    query
		requests int
	}{
		{query{typ: "enms_device", limit: 7}, 1},
		{query{typ: "enms_device", limit: 7, whole: true}, 1 + 7},
		{query{typ: "enms_device", limit: 17, whole: true}, 1 + 17},
		{query{typ: "enms_device", limit: 40}, 1},
		{query{typ: "enms_device", limit: 41}, 1},
		{query{typ: "enms_device"}, 1},
		{query{typ: "enms_device", limit: 7, config: attributes{"filter": filter(map[string]any{"name": "3"}), "match": "inclusion"}}, 1},
	} {
		s.counted("query", test.requests, func() {
			names, diags := c.queried(t.Context(), test.query)
			want := int(test.query.limit)
			if want == 0 || want > 40 {
				want = 40
			}
			if diags.failed() || len(names) != want || len(slices.Compact(slices.Sorted(slices.Values(names)))) != want {
				t.Errorf("%v: %d results, want %d: %q%s", test.query, len(names), want, names, diags)
			}
		})
	}
}

// The first results come before the second page is asked for, and whoever stops asks for
// no more.
func TestQueryIsStreamed(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("requests are counted")
	const many = 2500
	s.fill("device", many, devices)
	c := s.core(nil)
	next, stop := iter.Pull(c.stream(t.Context(), query{typ: "enms_device"}))
	take := func(count int) {
		for range count {
			if result, more := next(); !more || len(result.Diagnostics) > 0 {
				t.Fatal(result)
			}
		}
	}
	s.counted("the first page", 1, func() { take(1000) })
	s.counted("one more", 1, func() { take(1) })
	s.counted("none", 0, stop)
	names, diags := c.queried(t.Context(), query{typ: "enms_device"})
	if slices.Sort(names); diags.failed() || !slices.Equal(names, s.numbered(many)) {
		t.Errorf("%d of %d%s", len(names), many, diags)
	}
}

// What is deleted while pages are read makes none of the others get lost.
func TestQueryWhileOthersDelete(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("queries hold everything that is there")
	const many = 2500
	s.fill("device", many, devices)
	c := s.core(nil)
	var names []string
	for result := range c.stream(t.Context(), query{typ: "enms_device"}) {
		if len(result.Diagnostics) > 0 {
			t.Fatal(problems(result.Diagnostics))
		}
		if names = append(names, result.DisplayName); len(names) == 10 || len(names) == 1500 {
			for _, name := range names[len(names)-7:] {
				s.drop("device", name)()
			}
		}
	}
	if slices.Sort(names); !slices.Equal(names, s.numbered(many)) {
		t.Errorf("%d of %d", len(names), many)
	}
}

// What is deleted between a page and the reading of its instances is left out.
func TestQueryOfWhatIsGone(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("queries hold everything that is there")
	s.fill("device", 30, devices)
	c := s.core(nil)
	var names []string
	for result := range c.stream(t.Context(), query{typ: "enms_device", whole: true, limit: 25}) {
		if len(result.Diagnostics) > 0 {
			t.Fatal(problems(result.Diagnostics))
		}
		if names = append(names, result.DisplayName); len(names) == 1 {
			for _, row := range s.all(func(typ string, row enms.Object) string {
				if typ != "device" {
					return ""
				}
				return fmt.Sprint(row["name"])
			}) {
				if row != "" && !slices.Contains(names, row) && strings.HasSuffix(row, "5") {
					s.drop("device", row)()
				}
			}
		}
	}
	if len(names) != 25 && len(names) != 27 {
		t.Errorf("%d: %q", len(names), names)
	}
}

// A page that fails is an error after the results of the pages before.
func TestQueryWithAPageThatFails(t *testing.T) {
	t.Parallel()
	s, l := newLiar(t)
	s.fill("device", 1200, devices)
	c := s.core(nil)
	var searches atomic.Int32
	l.tell(func(r *http.Request, _ func() (int, []byte)) []byte {
		if r.URL.Path == "/rest/search" && searches.Add(1) > 1 {
			return []byte(`[{`)
		}
		return nil
	})
	names, diags := c.queried(t.Context(), query{typ: "enms_device"})
	if len(names) != 1000 || !strings.Contains(diags.String(), "Cannot read devices") {
		t.Errorf("%d results: %s", len(names), diags)
	}
	l.tell(about("NAME-7", "port", `"ssh"`))
	if _, diags := c.queried(t.Context(), query{typ: "enms_device", whole: true, config: attributes{"filter": filter(map[string]any{"name": "NAME-7"})}}); !strings.Contains(diags.String(), `"port" of device "NAME-7"`) {
		t.Error(diags)
	}
	l.tell(func(r *http.Request, act func() (int, []byte)) []byte { // the first page for every page
		if r.URL.Path != "/rest/search" {
			return nil
		}
		return firstPage(&searches, act)
	})
	if _, diags := c.queried(t.Context(), query{typ: "enms_device"}); !strings.Contains(diags.String(), "the same instances to every page") {
		t.Error(diags)
	}
}

// firstPages are the answers that firstPage repeats, by the counter of their test.
var firstPages sync.Map

func firstPage(of *atomic.Int32, act func() (int, []byte)) []byte {
	if page, is := firstPages.Load(of); is {
		return page.([]byte)
	}
	_, page := act()
	firstPages.Store(of, page)
	return page
}

// An interrupted query ends at once, and does not look complete.
func TestInterruptedQuery(t *testing.T) {
	t.Parallel()
	s, l := newLiar(t)
	s.fill("device", 40, devices)
	c := s.core(nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	count, told := 0, problems{}
	for result := range c.stream(ctx, query{typ: "enms_device"}) {
		if told = append(told, result.Diagnostics...); !told.failed() {
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
		l.tell(func(r *http.Request, _ func() (int, []byte)) []byte {
			if !strings.HasPrefix(r.URL.Path, path) {
				return nil
			}
			_, _ = io.Copy(io.Discard, r.Body) // without which nobody notices that the client goes away
			cancel()
			<-r.Context().Done()
			return []byte("[]")
		})
		names, diags := c.queried(ctx, query{typ: "enms_device", whole: true})
		if len(names) > 0 || !strings.Contains(diags.String(), "interrupted") {
			t.Errorf("%s: %q %s", path, names, diags)
		}
		cancel()
	}
}

// Conditions are those of the data sources, and so is what they refuse.
func TestQueryConditions(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("queries hold everything that is there")
	s.inventory()
	c := s.core(nil)
	for _, test := range []struct {
		typ    string
		config attributes
		want   []string // sorted
		says   string
	}{
		{"enms_device", nil, []string{"d1", "d2", "d3", "g1", "g2"}, ""},
		{"enms_device", attributes{"type": "gateway"}, []string{"g1", "g2"}, ""},
		{"enms_device", attributes{"filter": filter(map[string]any{"vendor": "Cisco"})}, []string{"d2", "g2"}, ""},
		{"enms_device", attributes{"filter": filter(map[string]any{"creator": "somebody"})}, []string{"d3", "g1"}, ""},
		{"enms_device", attributes{"filter": filter(map[string]any{"creator": "2"})}, nil, ""},
		{"enms_device", attributes{"gateways": []string{"g1"}}, []string{"d1", "d2"}, ""},
		{"enms_device", attributes{"gateways": []string{"g1", "g2"}}, []string{"d1", "d2", "d3"}, ""},
		{"enms_device", attributes{"gateways": []string{}}, nil, ""},
		{"enms_instance", attributes{"type": "device"}, []string{"d1", "d2", "d3", "g1", "g2"}, ""},
		{"enms_instance", attributes{"type": "server"}, nil, ""},
		{"enms_service", nil, []string{"[Shared] off", "[Shared] on"}, ""},
		{"enms_device", attributes{"filter": filter(map[string]any{"vendr": "Cisco"})}, nil, "No device has a property vendr"},
		{"enms_device", attributes{"filter": filter(map[string]any{"port": "ssh"})}, nil, "Cannot search by port"},
		{"enms_device", attributes{"filter": filter(map[string]any{"vendr": "Cis"}), "match": "inclusion"}, nil, "eNMS cannot search by the property vendr"},
		{"enms_instance", attributes{"type": "devise"}, nil, `Unknown type "devise"`},
	} {
		names, diags := c.queried(t.Context(), query{typ: test.typ, config: test.config})
		if slices.Sort(names); !slices.Equal(names, test.want) || diags.failed() != (test.says != "") || !strings.Contains(diags.String(), test.says) {
			t.Errorf("%s %v: %q, want %q: %s", test.typ, test.config, names, test.want, diags)
		}
	}
}

// What every eNMS has from its first start is listed only when that is asked for, and what
// cannot be managed never. A real server may hold more, which is not looked at.
func TestQueryOfWhatIsBuiltIn(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	for typ, want := range map[string][]string{
		"device": nil, "link": nil, "network": nil, "workflow_edge": nil, "group": nil, "credential": nil, "server": nil,
		"pool":    {"All objects", "Devices only", "Links only"},
		"service": {"[Shared] End", "[Shared] Placeholder", "[Shared] Start", "cluster_monitoring"},
		"task":    {"Cluster Monitoring"},
		"user":    {"admin"},
	} {
		queries := []query{{typ: "enms_instance", config: attributes{"type": typ}}}
		switch {
		case typ == "service": // enms_service refuses what all workflows use
			queries = append(queries, query{typ: "enms_instance", config: attributes{"type": "swiss_army_knife_service"}})
		case c.schemas["enms_"+typ] != nil:
			queries = append(queries, query{typ: "enms_" + typ, config: attributes{}})
		}
		for _, q := range queries {
			for builtIn, want := range map[bool][]string{false: nil, true: want} {
				q.config["built_in"] = builtIn
				names, diags := c.queried(t.Context(), q)
				if s.simulator == nil {
					names = slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(everyFreshServerHas, name) })
				}
				if slices.Sort(names); !slices.Equal(names, want) || diags.failed() {
					t.Errorf("%s %v: %q, want %q: %s", q.typ, q.config, names, want, diags)
				}
			}
		}
	}
	for builtIn, want := range map[bool][]string{false: nil, true: {"cluster_monitoring"}} {
		names, diags := c.queried(t.Context(), query{typ: "enms_service", config: attributes{"built_in": builtIn, "type": "swiss_army_knife_service"}})
		if !slices.Equal(names, want) || diags.failed() {
			t.Errorf("enms_service with built_in = %v: %q, want %q: %s", builtIn, names, want, diags)
		}
	}
}

// everyFreshServerHas are the names of what eNMS holds after its first start.
var everyFreshServerHas = []string{"[Shared] Start", "[Shared] End", "[Shared] Placeholder", "cluster_monitoring", "Cluster Monitoring",
	"All objects", "Devices only", "Links only", "admin", "Localhost"}

// What Terraform generates of a query is imported as it is.
func TestQueryInTerraform(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	w := newWorkspace(t)
	w.needs(1, 14, "terraform query")
	if w.openTofu() {
		t.Skip("OpenTofu has no query")
	}
	for i := range 12 {
		s.put("device", enms.Object{"name": fmt.Sprint("NAME-", i), "location": "NAME-L", "port": 22 + i%2})()
		t.Cleanup(s.drop("device", fmt.Sprint("NAME-", i)))
	}
	w.configure(s.block(""))
	search := s.expand(`
		list "enms_device" "found" {
		  provider = enms
		  limit    = 7
		  config {
		    filter = { location = "NAME-L" }
		  }
		}`)
	if err := os.WriteFile(filepath.Join(w.dir, "devices.tfquery.hcl"), []byte(search), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out := w.run("query", "-no-color", "-generate-config-out=generated.tf"); code != 0 || strings.Count(out, "list.enms_device.found") != 7 {
		t.Fatalf("query ended with %d:\n%s", code, out)
	}
	generated, err := os.ReadFile(filepath.Join(w.dir, "generated.tf"))
	if err != nil || strings.Count(string(generated), `location      = "`+s.expand("NAME-L")+`"`) != 7 || strings.Contains(string(generated), "22") {
		t.Errorf("%v:\n%s", err, generated)
	}
	if code, out := w.run("plan", "-no-color"); code != 0 || !strings.Contains(out, "7 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("plan ended with %d:\n%s", code, out)
	}
}

// A query tells which setting of the provider it waits for.
func TestQueryWithUnknownSettings(t *testing.T) {
	noEnvironment(t)
	_, url := simtest.Start(t, simulator.Options{})
	c, diags := tryCore(t, provider.New("test"), needed(attributes{"base_url": url, "username": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}))
	if diags.failed() {
		t.Fatal(diags)
	}
	if _, diags := c.queried(t.Context(), query{typ: "enms_device"}); !strings.Contains(diags.String(), "In the provider block, username is still unknown.") {
		t.Error(diags)
	}
}
