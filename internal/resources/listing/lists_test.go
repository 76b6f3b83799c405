// Acceptance tests of the data sources that list instances: what they find on each
// database, what they refuse, and what they cost.

package listing_test

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// checkListed checks the names that a list data source answers, in their order.
func checkListed(c *acctest.Core, typ string, config acctest.Attributes, want ...string) {
	c.T.Helper()
	instances, diags := acctest.Listed(c, typ, config)
	if diags.Failed() {
		c.T.Errorf("%s %v: %s", typ, config, diags)
		return
	}
	var names []string
	for _, instance := range instances {
		names = append(names, acctest.TextOf(c.T, instance["name"]))
	}
	if !slices.Equal(names, want) {
		c.T.Errorf("%s %v: %q, want %q", typ, config, names, want)
	}
}

// putListed puts gateways, devices and pools there for lists.
func putListed(s *acctest.Server) {
	s.T.Helper()
	for _, instance := range []struct {
		typ     string
		payload enms.Object
	}{
		{"gateway", enms.Object{"name": "g1", "priority": 3, "creator": "somebody"}},
		{"gateway", enms.Object{"name": "g2", "vendor": "Cisco"}},
		{"device", enms.Object{"name": "d2", "vendor": "Cisco", "port": 0, "gateways": []string{"g1", "g2"}}},
		{"device", enms.Object{"name": "d1", "vendor": "cisco", "port": 2022, "gateways": []string{"g1"}}},
		{"device", enms.Object{"name": "d3", "vendor": "Cisco Systems", "creator": "somebody", "gateways": []string{"g2"}}},
		{"pool", enms.Object{"name": "p1", "manually_defined": true, "devices": []string{"d1", "d2"}}},
		{"pool", enms.Object{"name": "p2", "manually_defined": true, "devices": []string{"d2", "d3"}}},
		{"python_snippet_service", enms.Object{"name": "[Shared] on", "scoped_name": "on", "shared": true}},
		{"python_snippet_service", enms.Object{"name": "[Shared] off", "scoped_name": "off", "shared": true, "disabled": true, "vendor": "V"}},
		{"link", enms.Object{"name": "l1", "source": "d1", "destination": "d2"}},
		{"link", enms.Object{"name": "l2", "source": "d2", "destination": "d3"}},
	} {
		s.Put(instance.typ, instance.payload)()
	}
}

// A list is what its conditions say on every database: also by what eNMS takes no
// notice of.
func TestList_conditions(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("lists hold everything that is there")
	putListed(s)
	c := s.Core(nil)
	all := []string{"d1", "d2", "d3", "g1", "g2"}
	for _, test := range []struct {
		config acctest.Attributes
		want   []string
	}{
		{acctest.Attributes{"limit": 2}, all[:2]},
		{acctest.Attributes{"type": "device"}, all[:3]},
		{acctest.Attributes{"filter": acctest.Filter(map[string]any{"vendor": "Cisco"})}, []string{"d2", "g2"}},
		{acctest.Attributes{"filter": acctest.Filter(map[string]any{"vendor": ""})}, []string{"g1"}},
		{acctest.Attributes{"filter": acctest.Filter(map[string]any{"port": "0"})}, []string{"d2"}},
		{acctest.Attributes{"filter": acctest.Filter(map[string]any{"port": "22"}), "match": "inclusion"}, []string{"d1", "d3", "g1", "g2"}},
		{acctest.Attributes{"filter": acctest.Filter(map[string]any{"name": "^[dg]1$"}), "match": "regex"}, []string{"d1", "g1"}},
		{acctest.Attributes{"filter": acctest.Filter(map[string]any{"creator": "somebody", "name": "d3"})}, []string{"d3"}},
		{acctest.Attributes{"filter": acctest.Filter(map[string]any{"creator": "true"}), "match": "inclusion"}, nil},
		{acctest.Attributes{"filter": acctest.Filter(map[string]any{"priority": "3"}), "match": "regex", "type": "gateway"}, []string{"g1"}},
		{acctest.Attributes{"gateways": []string{"g1", "g2", "g2"}, "pools": []string{"p1"}}, []string{"d1", "d2"}},
		{acctest.Attributes{"gateways": []string{"g1", "g2"}, "pools": []string{"p1", "p2"}, "filter": acctest.Filter(map[string]any{"vendor": "Cisco"})}, []string{"d2"}},
		{acctest.Attributes{"pools": []string{"p1", "none"}}, []string{"d1", "d2"}},
		{acctest.Attributes{"pools": []string{}}, nil},
	} {
		checkListed(c, "enms_devices", test.config, test.want...)
	}
	checkListed(c, "enms_links", acctest.Attributes{"source": []string{"d1", "d3"}}, "l1")
	checkListed(c, "enms_links", acctest.Attributes{"filter": acctest.Filter(map[string]any{"source_name": "d2"})}, "l2")
	checkListed(c, "enms_pools", acctest.Attributes{"devices": []string{"d3"}}, "p2")
	checkListed(c, "enms_networks", nil)
	checkListed(c, "enms_networks", acctest.Attributes{"filter": acctest.Filter(map[string]any{"of_no_network": "x"})})
	checkListed(c, "enms_instances", acctest.Attributes{"type": "device", "filter": acctest.Filter(map[string]any{"vendor": "Cisco"})}, "d2", "g2")
	checkListed(c, "enms_instances", acctest.Attributes{"type": "gateway", "filter": acctest.Filter(map[string]any{"priority": "3"})}, "g1")
	checkListed(c, "enms_instances", acctest.Attributes{"type": "device", "relations": tftypes.NewValue(tftypes.Map{ElementType: tftypes.List{ElementType: tftypes.String}},
		map[string]tftypes.Value{"pools": acctest.ValueOf(tftypes.List{ElementType: tftypes.String}, []string{"p2"})})}, "d2", "d3")
	checkListed(c, "enms_services", acctest.Attributes{"filter": acctest.Filter(map[string]any{"vendor": "V"})}, "[Shared] off")
	if acctest.UnknownField("service", "disabled") {
		return
	}
	checkListed(c, "enms_services", acctest.Attributes{"filter": acctest.Filter(map[string]any{"disabled": "true"})}, "[Shared] off")
	checkListed(c, "enms_instances", acctest.Attributes{"type": "service", "filter": acctest.Filter(map[string]any{"disabled": "false", "name": "[Shared] on"})}, "[Shared] on")
}

// The instances of a list have what searches answer, and the properties asked for. Edges name their ends, which searches
// answer as ids.
func TestList_attributes(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("lists hold everything that is there")
	putListed(s)
	c := s.Core(nil)
	links, diags := acctest.Listed(c, "enms_links", nil)
	if diags.Failed() || len(links) != 2 || acctest.TextOf(t, links[0]["source"]) != "d1" || acctest.TextOf(t, links[0]["destination"]) != "d2" {
		t.Fatalf("%v %s", links, diags)
	}
	s.Put("workflow", enms.Object{"scoped_name": "W", "name": "W"})()
	for _, subtype := range []string{"success", "failure"} {
		s.Put("workflow_edge", enms.Object{"name": subtype, "workflow": "W", "subtype": subtype, "source": "[Shared] Start", "destination": "[Shared] End"})()
	}
	acctest.CountRequests(s, "list edges", 5, func() {
		edges, diags := acctest.Listed(c, "enms_workflow_edges", acctest.Attributes{"workflow": []string{"W"}})
		if diags.Failed() || len(edges) != 2 || acctest.TextOf(t, edges[0]["source"]) != "[Shared] Start" || acctest.TextOf(t, edges[0]["workflow"]) != "W" {
			t.Errorf("%v%s", edges, diags)
		}
	})
	gateways, diags := acctest.Listed(c, "enms_devices", acctest.Attributes{"type": "gateway", "limit": 1, "properties": []string{"priority", "creator", "none"}})
	if !diags.Failed() || !strings.Contains(diags.String(), "No gateway has a property none") {
		t.Errorf("%v %s", gateways, diags)
	}
	gateways, diags = acctest.Listed(c, "enms_devices", acctest.Attributes{"type": "gateway", "limit": 1, "properties": []string{"priority", "creator"}})
	if diags.Failed() || len(gateways) != 1 {
		t.Fatal(diags)
	}
	texts := map[string]string{}
	for name, v := range acctest.Members(t, gateways[0]["properties"]) {
		texts[name] = acctest.TextOf(t, v)
	}
	if want := map[string]string{"priority": "3", "creator": "somebody"}; !reflect.DeepEqual(texts, want) {
		t.Errorf("%v, want %v", texts, want)
	}
	for name, want := range map[string]string{"name": "g1", "type": "gateway", "port": "22", "id": fmt.Sprint(s.Get("gateway", "g1")["id"])} {
		if got := acctest.TextOf(t, gateways[0][name]); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// What eNMS would answer with everything is an error.
func TestList_refusedConditions(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("lists hold everything that is there")
	putListed(s)
	c := s.Core(nil)
	relations := tftypes.NewValue(tftypes.Map{ElementType: tftypes.List{ElementType: tftypes.String}},
		map[string]tftypes.Value{"pols": acctest.ValueOf(tftypes.List{ElementType: tftypes.String}, []string{"p2"})})
	for _, test := range []struct {
		typ    string
		config acctest.Attributes
		words  []string
	}{
		{"enms_devices", acctest.Attributes{"filter": acctest.Filter(map[string]any{"vendr": "Cisco"})}, []string{`No device has a property vendr`, "Did you mean `vendor`?"}},
		{"enms_devices", acctest.Attributes{"filter": acctest.Filter(map[string]any{"vendr": "Cis"}), "match": "inclusion"}, []string{"eNMS cannot search by the property vendr", "Did you mean `vendor`?"}},
		{"enms_devices", acctest.Attributes{"filter": acctest.Filter(map[string]any{"priority": "3"}), "match": "regex"}, []string{"eNMS cannot search by the property priority", "set type to one of them"}},
		{"enms_devices", acctest.Attributes{"filter": acctest.Filter(map[string]any{"vendor": "("}), "match": "regex"}, []string{"Cannot read devices", "a regular expression that the database cannot parse"}},
		{"enms_services", acctest.Attributes{"filter": acctest.Filter(map[string]any{"custom_password": "x"})}, []string{"Cannot search by custom_password", "secret"}},
		{"enms_instances", acctest.Attributes{"type": "device", "filter": acctest.Filter(map[string]any{"vendr": "Cisco"})}, []string{"No device has a property vendr"}},
		{"enms_instances", acctest.Attributes{"type": "device", "relations": relations}, []string{"eNMS cannot search by the relation pols"}},
		{"enms_services", acctest.Attributes{"named_credential": []string{"c"}}, []string{"eNMS cannot search by the relation named_credential", "set type to one of them"}},
		{"enms_instances", acctest.Attributes{"type": "devise"}, []string{`Unknown type "devise"`, `Did you mean "device"?`}},
	} {
		_, diags := acctest.Listed(c, test.typ, test.config)
		for _, words := range test.words {
			if !strings.Contains(diags.String(), words) {
				t.Errorf("%s %v: %q is not in %s", test.typ, test.config, words, diags)
			}
		}
	}
}

// What MariaDB takes for the same is not the same.
func TestList_comparesExactly(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "mariadb", acctest.ServerKinds["mariadb"])
	s.OnlySimulated("lists hold everything that is there")
	for _, name := range []string{"müller", "b"} {
		s.Put("device", enms.Object{"name": name, "vendor": map[string]string{"müller": "ZÜRICH", "b": "Zurich "}[name]})()
	}
	s.Put("pool", enms.Object{"name": "Pöol", "manually_defined": true, "devices": []string{"b"}})()
	c := s.Core(nil)
	checkListed(c, "enms_devices", acctest.Attributes{"filter": acctest.Filter(map[string]any{"name": "muller"})})
	checkListed(c, "enms_devices", acctest.Attributes{"filter": acctest.Filter(map[string]any{"name": "müller"})}, "müller")
	checkListed(c, "enms_devices", acctest.Attributes{"filter": acctest.Filter(map[string]any{"vendor": "zurich"})})
	checkListed(c, "enms_devices", acctest.Attributes{"filter": acctest.Filter(map[string]any{"vendor": "ZÜRICH"})}, "müller")
	checkListed(c, "enms_devices", acctest.Attributes{"filter": acctest.Filter(map[string]any{"vendor": "zurich"}), "match": "inclusion"}, "b", "müller")
	checkListed(c, "enms_devices", acctest.Attributes{"pools": []string{"Pöol"}}, "b")
	if _, diags := acctest.Listed(c, "enms_devices", acctest.Attributes{"pools": []string{"pool"}}); !strings.Contains(diags.String(), `Use the spelling of eNMS: "Pöol".`) {
		t.Error(diags)
	}
}

// Ten thousand devices take one search, whatever is asked for.
func TestList_ofTenThousandDevices(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("requests are counted")
	const many = 10000
	s.Fill("device", many, func(i int) enms.Object {
		return enms.Object{"name": fmt.Sprintf("d%05d", i), "vendor": fmt.Sprint("V", i%10), "creator": fmt.Sprint("C", i%5)}
	})
	c := s.Core(nil)
	for _, test := range []struct {
		config acctest.Attributes
		want   int
	}{
		{nil, many},
		{acctest.Attributes{"filter": acctest.Filter(map[string]any{"vendor": "V3"})}, many / 10},
		{acctest.Attributes{"filter": acctest.Filter(map[string]any{"creator": "C3"})}, many / 5},
		{acctest.Attributes{"filter": acctest.Filter(map[string]any{"port": "22", "vendor": "V3"}), "limit": 7}, 7},
	} {
		acctest.CountRequests(s, "list devices", 1, func() {
			instances, diags := acctest.Listed(c, "enms_devices", test.config)
			if diags.Failed() || len(instances) != test.want {
				t.Errorf("%v: %d%s", test.config, len(instances), diags)
			}
		})
	}
}

// A relation that an older eNMS does not have is an error: it would answer everything.
func TestList_byRelationOfNewerVersions(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "without rights", simulator.Options{MissingFields: []string{"device.rbac_read"}})
	s.OnlySimulated("the server lacks a relation")
	s.Put("device", enms.Object{"name": "d"})()
	c := s.Core(nil)
	_, diags := acctest.Listed(c, "enms_devices", acctest.Attributes{"rbac_read": []string{"Admin"}})
	if !strings.Contains(diags.String(), "eNMS cannot search by the relation rbac_read") || !acctest.ErrorOn(diags, "rbac_read") {
		t.Error(diags)
	}
}

// Checks of relations are made once for all lists.
func TestList_checksOfRelationsAreShared(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("requests are counted")
	putListed(s)
	c := s.Core(nil)
	acctest.CountRequests(s, "list by a relation", 3, func() { checkListed(c, "enms_devices", acctest.Attributes{"gateways": []string{"g1"}}, "d1", "d2") })
	acctest.CountRequests(s, "list by it again", 1, func() {
		checkListed(c, "enms_devices", acctest.Attributes{"gateways": []string{"g1"}, "limit": 1}, "d1")
	})
	acctest.CountRequests(s, "list by a name that nothing has", 1, func() { checkListed(c, "enms_devices", acctest.Attributes{"gateways": []string{"none"}}) })
	acctest.CountRequests(s, "list by two names", 3, func() {
		checkListed(c, "enms_devices", acctest.Attributes{"gateways": []string{"g1", "g2"}}, "d1", "d2", "d3")
	})
}

// A request that fails is an error of a list and of a query, whichever it is. A search for a name is made again.
func TestList_failingRequests(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	putListed(s)
	s.Put("workflow", enms.Object{"scoped_name": "W", "name": "W"})()
	s.Put("workflow_edge", enms.Object{"name": "e", "workflow": "W", "subtype": "success", "source": "[Shared] Start", "destination": "[Shared] End"})()
	for typ, config := range map[string]acctest.Attributes{
		"enms_devices":        {"gateways": []string{"g1", "g2"}, "filter": acctest.Filter(map[string]any{"creator": "admin"})},
		"enms_workflow_edges": {"workflow": []string{"W"}},
	} {
		acctest.FailEach(s, func(from *acctest.Server, refused func() string) {
			instances, diags := acctest.Listed(from.Core(nil), typ, config)
			if failing := refused(); diags.Failed() == (failing == "") && !strings.Contains(failing, `"name_filter"`) {
				t.Errorf("%s without %s: %v %s", typ, failing, instances, diags)
			}
		})
		acctest.FailEach(s, func(from *acctest.Server, refused func() string) {
			names, diags := queried(t.Context(), from.Core(nil), acctest.Query{Type: strings.TrimSuffix(typ, "s"), Whole: true, Config: config})
			if failing := refused(); diags.Failed() == (failing == "") && !strings.Contains(failing, `"name_filter"`) {
				t.Errorf("a query of %s without %s: %q %s", typ, failing, names, diags)
			}
		})
	}
}

// Answers that cannot be are errors, and rows that come twice are listed once.
func TestList_hostileAnswers(t *testing.T) {
	t.Parallel()
	s, l := acctest.NewServerBehindProxy(t)
	putListed(s)
	c := s.Core(nil)
	searched := func(answer func(body []byte) []byte) acctest.Rewrite {
		return func(r *http.Request, act func() (int, []byte)) []byte {
			if r.URL.Path != "/rest/search" {
				return nil
			}
			_, body := act()
			return answer(body)
		}
	}
	l.SetRewrite(searched(func(body []byte) []byte {
		rows := strings.TrimSpace(string(body))
		return []byte("[" + strings.Trim(rows, "[]") + "," + strings.Trim(rows, "[]") + "]")
	}))
	checkListed(c, "enms_devices", acctest.Attributes{"type": "device"}, "d1", "d2", "d3")
	for name, lie := range map[string]acctest.Rewrite{
		`"port" of device "d1"`: acctest.RewriteField("d1", "port", `"ssh"`),
		`"name"`:                acctest.RewriteField("d1", "name", `7`),
		`"id"`:                  acctest.RewriteField("d1", "id", acctest.FieldMissing),
		"null where a list":     searched(func([]byte) []byte { return []byte("null") }),
		"a string where an obj": searched(func([]byte) []byte { return []byte(`["d1"]`) }),
		"Cannot read devices":   searched(func(body []byte) []byte { return body[:len(body)/2] }),
	} {
		l.SetRewrite(lie)
		if instances, diags := acctest.Listed(c, "enms_devices", nil); !strings.Contains(diags.String(), name) || !strings.Contains(diags.String(), "Cannot read devices") {
			t.Errorf("%s: %v%s", name, instances, diags)
		}
	}
}
