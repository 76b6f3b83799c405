// Acceptance tests of the data sources that list instances: what they find on each
// database, what they refuse, and what they cost.

package provider_test

import (
	"fmt"
	"math/big"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
)

// filter is a map of texts; nil members are null.
func filter(members map[string]any) tftypes.Value {
	values := map[string]tftypes.Value{}
	for name, v := range members {
		values[name] = tftypes.NewValue(tftypes.String, v)
	}
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, values)
}

// listed are the instances that a list data source answers.
func (c *core) listed(typ string, config attributes) ([]map[string]tftypes.Value, problems) {
	c.t.Helper()
	answer, diags := c.dataOf(typ, config)
	if diags.failed() {
		return nil, diags
	}
	var list []tftypes.Value
	if err := members(c.t, answer)["instances"].As(&list); err != nil {
		c.t.Fatal(err)
	}
	var instances []map[string]tftypes.Value
	for _, v := range list {
		instances = append(instances, members(c.t, v))
	}
	return instances, diags
}

// finds checks the names that a list data source answers, in their order.
func (c *core) finds(typ string, config attributes, want ...string) {
	c.t.Helper()
	instances, diags := c.listed(typ, config)
	if diags.failed() {
		c.t.Errorf("%s %v: %s", typ, config, diags)
		return
	}
	var names []string
	for _, instance := range instances {
		names = append(names, textOf(c.t, instance["name"]))
	}
	if !slices.Equal(names, want) {
		c.t.Errorf("%s %v: %q, want %q", typ, config, names, want)
	}
}

// textOf is a text, a number or a boolean as text.
func textOf(t testing.TB, v tftypes.Value) string {
	t.Helper()
	var text string
	if v.As(&text) == nil {
		return text
	}
	var number *big.Float
	if v.As(&number) == nil {
		return number.String()
	}
	var flag bool
	if err := v.As(&flag); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(flag)
}

// inventory puts gateways, devices and pools there for lists.
func (s *server) inventory() {
	s.t.Helper()
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
		s.put(instance.typ, instance.payload)()
	}
}

// A list is what its conditions say on every database: also by what eNMS takes no
// notice of.
func TestLists(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("lists hold everything that is there")
	s.inventory()
	c := s.core(nil)
	all := []string{"d1", "d2", "d3", "g1", "g2"}
	for _, test := range []struct {
		config attributes
		want   []string
	}{
		{nil, all},
		{attributes{"limit": 2}, all[:2]},
		{attributes{"type": "device"}, all[:3]},
		{attributes{"type": "gateway"}, all[3:]},
		{attributes{"filter": filter(map[string]any{"vendor": "Cisco"})}, []string{"d2", "g2"}},
		{attributes{"filter": filter(map[string]any{"vendor": "Cisco", "type": "device"})}, []string{"d2"}},
		{attributes{"filter": filter(map[string]any{"vendor": ""})}, []string{"g1"}},
		{attributes{"filter": filter(map[string]any{"vendor": nil})}, all},
		{attributes{"filter": filter(map[string]any{"vendor": "Juniper"})}, nil},
		{attributes{"filter": filter(map[string]any{"port": "0"})}, []string{"d2"}},
		{attributes{"filter": filter(map[string]any{"port": "2022"})}, []string{"d1"}},
		{attributes{"filter": filter(map[string]any{"port": "22"}), "match": "inclusion"}, []string{"d1", "d3", "g1", "g2"}},
		{attributes{"filter": filter(map[string]any{"name": "^[dg]1$"}), "match": "regex"}, []string{"d1", "g1"}},
		{attributes{"filter": filter(map[string]any{"vendor": "sco S"}), "match": "inclusion"}, []string{"d3"}},
		{attributes{"filter": filter(map[string]any{"vendor": ""}), "match": "inclusion"}, all},
		{attributes{"filter": filter(map[string]any{"creator": "somebody", "name": "d3"})}, []string{"d3"}},
		{attributes{"filter": filter(map[string]any{"creator": "^some", "name": "d3"}), "match": "regex"}, []string{"d3"}},
		{attributes{"filter": filter(map[string]any{"creator": "true"}), "match": "inclusion"}, nil},
		{attributes{"filter": filter(map[string]any{"creator": "2"})}, nil},
		{attributes{"filter": filter(map[string]any{"priority": "3"})}, []string{"g1"}},
		{attributes{"filter": filter(map[string]any{"priority": "3"}), "type": "device"}, nil},
		{attributes{"filter": filter(map[string]any{"priority": "3"}), "match": "regex", "type": "gateway"}, []string{"g1"}},
		{attributes{"gateways": []string{"g1"}}, []string{"d1", "d2"}},
		{attributes{"gateways": []string{"g1", "g2"}}, all[:3]},
		{attributes{"gateways": []string{"g1", "g2", "g2"}, "pools": []string{"p1"}}, []string{"d1", "d2"}},
		{attributes{"gateways": []string{"g1", "g2"}, "pools": []string{"p1", "p2"}, "filter": filter(map[string]any{"vendor": "Cisco"})}, []string{"d2"}},
		{attributes{"pools": []string{"p1", "none"}}, []string{"d1", "d2"}},
		{attributes{"pools": []string{"none"}}, nil},
		{attributes{"pools": []string{}}, nil},
	} {
		c.finds("enms_devices", test.config, test.want...)
	}
	c.finds("enms_links", attributes{"source": []string{"d1", "d3"}}, "l1")
	c.finds("enms_links", attributes{"filter": filter(map[string]any{"source_name": "d2"})}, "l2")
	c.finds("enms_pools", attributes{"devices": []string{"d3"}}, "p2")
	c.finds("enms_networks", nil)
	c.finds("enms_instances", attributes{"type": "device", "filter": filter(map[string]any{"vendor": "Cisco"})}, "d2", "g2")
	c.finds("enms_instances", attributes{"type": "gateway", "filter": filter(map[string]any{"priority": "3"})}, "g1")
	c.finds("enms_instances", attributes{"type": "device", "relations": tftypes.NewValue(tftypes.Map{ElementType: tftypes.List{ElementType: tftypes.String}},
		map[string]tftypes.Value{"pools": goValue(tftypes.List{ElementType: tftypes.String}, []string{"p2"})})}, "d2", "d3")
	c.finds("enms_services", attributes{"filter": filter(map[string]any{"vendor": "V"})}, "[Shared] off")
	if unknownField("service", "disabled") {
		return
	}
	c.finds("enms_services", attributes{"filter": filter(map[string]any{"disabled": "true"})}, "[Shared] off")
	c.finds("enms_services", attributes{"filter": filter(map[string]any{"disabled": "true", "name": "o"}), "match": "inclusion"}, "[Shared] off")
	c.finds("enms_instances", attributes{"type": "service", "filter": filter(map[string]any{"disabled": "true"})}, "[Shared] off")
	c.finds("enms_instances", attributes{"type": "service", "filter": filter(map[string]any{"disabled": "false", "name": "[Shared] on"})}, "[Shared] on")
}

// The instances of a list have what searches answer, and the properties asked for.
func TestListedAttributes(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("lists hold everything that is there")
	s.inventory()
	c := s.core(nil)
	links, diags := c.listed("enms_links", nil)
	if diags.failed() || len(links) != 2 || textOf(t, links[0]["source"]) != "d1" || textOf(t, links[0]["destination"]) != "d2" {
		t.Fatalf("%v %s", links, diags)
	}
	gateways, diags := c.listed("enms_devices", attributes{"type": "gateway", "limit": 1, "properties": []string{"priority", "creator", "none"}})
	if !diags.failed() || !strings.Contains(diags.String(), "No gateway has a property none") {
		t.Errorf("%v %s", gateways, diags)
	}
	gateways, diags = c.listed("enms_devices", attributes{"type": "gateway", "limit": 1, "properties": []string{"priority", "creator"}})
	if diags.failed() || len(gateways) != 1 {
		t.Fatal(diags)
	}
	texts := map[string]string{}
	for name, v := range members(t, gateways[0]["properties"]) {
		texts[name] = textOf(t, v)
	}
	if want := map[string]string{"priority": "3", "creator": "somebody"}; !reflect.DeepEqual(texts, want) {
		t.Errorf("%v, want %v", texts, want)
	}
	for name, want := range map[string]string{"name": "g1", "type": "gateway", "port": "22", "id": fmt.Sprint(s.get("gateway", "g1")["id"])} {
		if got := textOf(t, gateways[0][name]); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// What eNMS would answer with everything is an error.
func TestListsRefuse(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("lists hold everything that is there")
	s.inventory()
	c := s.core(nil)
	relations := tftypes.NewValue(tftypes.Map{ElementType: tftypes.List{ElementType: tftypes.String}},
		map[string]tftypes.Value{"pols": goValue(tftypes.List{ElementType: tftypes.String}, []string{"p2"})})
	for _, test := range []struct {
		typ    string
		config attributes
		words  []string
	}{
		{"enms_devices", attributes{"filter": filter(map[string]any{"vendr": "Cisco"})}, []string{`No device has a property vendr`, "Did you mean `vendor`?"}},
		{"enms_devices", attributes{"filter": filter(map[string]any{"vendr": ""})}, []string{"No device has a property vendr"}},
		{"enms_devices", attributes{"filter": filter(map[string]any{"vendr": "Cisco", "vendor": "Juniper"})}, []string{"No device has a property vendr"}},
		{"enms_devices", attributes{"filter": filter(map[string]any{"vendr": "Cisco"}), "pools": []string{}}, []string{"No device has a property vendr"}},
		{"enms_devices", attributes{"filter": filter(map[string]any{"vendr": "Cis"}), "match": "inclusion"}, []string{"eNMS cannot search by the property vendr", "Did you mean `vendor`?"}},
		{"enms_devices", attributes{"filter": filter(map[string]any{"priority": "3"}), "match": "regex"}, []string{"eNMS cannot search by the property priority", "type names one"}},
		{"enms_devices", attributes{"filter": filter(map[string]any{"vendor": "("}), "match": "regex"}, []string{"Cannot read devices", "a regular expression that its database cannot read"}},
		{"enms_devices", attributes{"filter": filter(map[string]any{"port": "ssh"})}, []string{"Cannot search by port", `whole number, not "ssh"`}},
		{"enms_devices", attributes{"filter": filter(map[string]any{"pools": "p1"})}, []string{"Cannot search by pools", "It is a relation"}},
		{"enms_services", attributes{"filter": filter(map[string]any{"disabled": "no"})}, []string{"Cannot search by disabled", "It is true or false"}},
		{"enms_services", attributes{"filter": filter(map[string]any{"custom_password": "x"})}, []string{"Cannot search by custom_password", "secret"}},
		{"enms_tasks", attributes{"filter": filter(map[string]any{"next_run_time": "2"}), "match": "inclusion"}, []string{"Cannot search by next_run_time", "eNMS computes it"}},
		{"enms_instances", attributes{"type": "device", "filter": filter(map[string]any{"vendr": "Cisco"})}, []string{"No device has a property vendr"}},
		{"enms_instances", attributes{"type": "device", "filter": filter(map[string]any{"pools": "p1"})}, []string{"No device has a property pools"}},
		{"enms_instances", attributes{"type": "device", "relations": relations}, []string{"eNMS cannot search by the relation pols"}},
		{"enms_instances", attributes{"type": "devise"}, []string{`Unknown type "devise"`, `Did you mean "device"?`}},
	} {
		_, diags := c.listed(test.typ, test.config)
		for _, words := range test.words {
			if !strings.Contains(diags.String(), words) {
				t.Errorf("%s %v: %q is not in %s", test.typ, test.config, words, diags)
			}
		}
	}
}

// What MariaDB takes for the same is not the same.
func TestListsCompareExactly(t *testing.T) {
	t.Parallel()
	s := newServerLike(t, "mariadb", testServers["mariadb"])
	s.onlySimulated("lists hold everything that is there")
	for _, name := range []string{"müller", "b"} {
		s.put("device", enms.Object{"name": name, "vendor": map[string]string{"müller": "ZÜRICH", "b": "Zurich "}[name]})()
	}
	s.put("pool", enms.Object{"name": "Pöol", "manually_defined": true, "devices": []string{"b"}})()
	c := s.core(nil)
	c.finds("enms_devices", attributes{"filter": filter(map[string]any{"name": "muller"})})
	c.finds("enms_devices", attributes{"filter": filter(map[string]any{"name": "müller"})}, "müller")
	c.finds("enms_devices", attributes{"filter": filter(map[string]any{"vendor": "zurich"})})
	c.finds("enms_devices", attributes{"filter": filter(map[string]any{"vendor": "ZÜRICH"})}, "müller")
	c.finds("enms_devices", attributes{"filter": filter(map[string]any{"vendor": "zurich"}), "match": "inclusion"}, "b", "müller")
	c.finds("enms_devices", attributes{"pools": []string{"Pöol"}}, "b")
	if _, diags := c.listed("enms_devices", attributes{"pools": []string{"pool"}}); !strings.Contains(diags.String(), `Write the name as eNMS has it: "Pöol".`) {
		t.Error(diags)
	}
}

// The edges of a list name their ends, which searches answer as ids.
func TestListOfEdges(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("requests are counted")
	s.put("workflow", enms.Object{"scoped_name": "W", "name": "W"})()
	for _, subtype := range []string{"success", "failure"} {
		s.put("workflow_edge", enms.Object{"name": subtype, "workflow": "W", "subtype": subtype, "source": "[Shared] Start", "destination": "[Shared] End"})()
	}
	c := s.core(nil)
	s.counted("list edges", 5, func() {
		edges, diags := c.listed("enms_workflow_edges", attributes{"workflow": []string{"W"}})
		if diags.failed() || len(edges) != 2 || textOf(t, edges[0]["source"]) != "[Shared] Start" || textOf(t, edges[0]["workflow"]) != "W" {
			t.Errorf("%v%s", edges, diags)
		}
	})
}

// Ten thousand devices take one search, whatever is asked for.
func TestListOfManyDevices(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("requests are counted")
	const many = 10000
	s.fill("device", many, func(i int) enms.Object {
		return enms.Object{"name": fmt.Sprintf("d%05d", i), "vendor": fmt.Sprint("V", i%10), "creator": fmt.Sprint("C", i%5)}
	})
	c := s.core(nil)
	for _, test := range []struct {
		config attributes
		want   int
	}{
		{nil, many},
		{attributes{"filter": filter(map[string]any{"vendor": "V3"})}, many / 10},
		{attributes{"filter": filter(map[string]any{"creator": "C3"})}, many / 5},
		{attributes{"filter": filter(map[string]any{"port": "22", "vendor": "V3"}), "limit": 7}, 7},
	} {
		s.counted("list devices", 1, func() {
			instances, diags := c.listed("enms_devices", test.config)
			if diags.failed() || len(instances) != test.want {
				t.Errorf("%v: %d%s", test.config, len(instances), diags)
			}
		})
	}
}

// A list data source tells which setting it waits for.
func TestListWithUnknownSettings(t *testing.T) {
	noEnvironment(t)
	sim, url := simtest.Start(t, simulator.Options{})
	c, diags := tryCore(t, provider.New("test"), needed(attributes{"base_url": url, "username": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}))
	if diags.failed() {
		t.Fatal(diags)
	}
	if _, diags := c.listed("enms_devices", nil); !strings.Contains(diags.String(), "Cannot read devices") || !strings.Contains(diags.String(), "In the provider block, username is still unknown.") {
		t.Error(diags)
	}
	if len(sim.Requests()) > 0 {
		t.Errorf("%d requests", len(sim.Requests()))
	}
}

// Terraform takes what is listed.
func TestListsInTerraform(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.run(s.failing(s.hcl(`data "enms_devices" "part" {
		  limit = 1.5
		}`), "Not a whole number", "limit is 1.5"), resource.TestStep{
		Config: s.hcl(`
			resource "enms_device" "d" {
			  count  = 3
			  name   = "NAME-${count.index}"
			  vendor = "NAME-V"
			  port   = 22 + count.index
			}
			data "enms_devices" "all" {
			  filter     = { vendor = enms_device.d[2].vendor, port = 23 }
			  properties = ["creator"]
			}
			data "enms_devices" "first" {
			  filter = { vendor = enms_device.d[2].vendor, name = "^NAME-" }
			  match  = "regex"
			  limit  = 2
			}`),
		Check: resource.ComposeAggregateTestCheckFunc(
			resource.TestCheckResourceAttr("data.enms_devices.all", "instances.#", "1"),
			resource.TestCheckResourceAttr("data.enms_devices.all", "instances.0.name", s.expand("NAME-1")),
			resource.TestCheckResourceAttr("data.enms_devices.first", "instances.#", "2"),
			resource.TestCheckResourceAttr("data.enms_devices.first", "instances.1.port", "23"))})
}

// What a list names can be imported in one go.
func TestImportOfAList(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for i := range 3 {
		s.put("device", enms.Object{"name": fmt.Sprint("NAME-", i), "location": "NAME-L", "ip_address": fmt.Sprint("10.0.0.", i)})()
		t.Cleanup(s.drop("device", fmt.Sprint("NAME-", i)))
	}
	w := newWorkspace(t)
	w.configure(s.hcl(`
		data "enms_devices" "l" {
		  filter = { location = "NAME-L" }
		}
		locals {
		  devices = { for d in data.enms_devices.l.instances : d.name => d }
		}
		import {
		  for_each = local.devices
		  to       = enms_device.l[each.key]
		  id       = each.key
		}
		resource "enms_device" "l" {
		  for_each   = local.devices
		  name       = each.key
		  ip_address = each.value.ip_address
		}`))
	if code, out := w.run("plan", "-no-color"); code != 0 || !strings.Contains(out, "3 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("plan ended with %d:\n%s", code, out)
	}
	w.apply(10)
	w.planNothing()
}

// A relation that an older eNMS does not have is an error: it would answer everything.
func TestListByRelationOfNewerVersions(t *testing.T) {
	t.Parallel()
	s := newServerLike(t, "without rights", simulator.Options{MissingFields: []string{"device.rbac_read"}})
	s.onlySimulated("the server lacks a relation")
	s.put("device", enms.Object{"name": "d"})()
	c := s.core(nil)
	_, diags := c.listed("enms_devices", attributes{"rbac_read": []string{"Admin"}})
	if !strings.Contains(diags.String(), "eNMS cannot search by the relation rbac_read") || !diags.on("rbac_read") {
		t.Error(diags)
	}
}

// Checks of relations are made once for all lists.
func TestRequestsOfListsByRelations(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("requests are counted")
	s.inventory()
	c := s.core(nil)
	s.counted("list by a relation", 3, func() { c.finds("enms_devices", attributes{"gateways": []string{"g1"}}, "d1", "d2") })
	s.counted("list by it again", 1, func() { c.finds("enms_devices", attributes{"gateways": []string{"g1"}, "limit": 1}, "d1") })
	s.counted("list by two names", 3, func() { c.finds("enms_devices", attributes{"gateways": []string{"g1", "g2"}}, "d1", "d2", "d3") })
}

// Answers that cannot be are errors, and rows that come twice are listed once.
func TestListsOfHostileAnswers(t *testing.T) {
	t.Parallel()
	s, l := newLiar(t)
	s.inventory()
	c := s.core(nil)
	searched := func(answer func(body []byte) []byte) lie {
		return func(r *http.Request, act func() (int, []byte)) []byte {
			if r.URL.Path != "/rest/search" {
				return nil
			}
			_, body := act()
			return answer(body)
		}
	}
	l.tell(searched(func(body []byte) []byte {
		rows := strings.TrimSpace(string(body))
		return []byte("[" + strings.Trim(rows, "[]") + "," + strings.Trim(rows, "[]") + "]")
	}))
	c.finds("enms_devices", attributes{"type": "device"}, "d1", "d2", "d3")
	for name, lie := range map[string]lie{
		`"port" of device "d1"`: about("d1", "port", `"ssh"`),
		`"name"`:                about("d1", "name", `7`),
		`"id"`:                  about("d1", "id", missing),
		"null where a list":     searched(func([]byte) []byte { return []byte("null") }),
		"a string where an obj": searched(func([]byte) []byte { return []byte(`["d1"]`) }),
		"Cannot read devices":   searched(func(body []byte) []byte { return body[:len(body)/2] }),
	} {
		l.tell(lie)
		if instances, diags := c.listed("enms_devices", nil); !strings.Contains(diags.String(), name) || !strings.Contains(diags.String(), "Cannot read devices") {
			t.Errorf("%s: %v%s", name, instances, diags)
		}
	}
}
