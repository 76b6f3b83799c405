// Acceptance tests of creation and adoption: nothing is taken over unasked, and
// what a failed creation leaves behind is known.

package provider_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

func TestCreateRefusesTakenName(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	t.Cleanup(s.drop("device", "NAME-DALLAS"))
	s.put("device", enms.Object{"name": "NAME-DALLAS", "ip_address": "10.5.5.5", "vendor": "Cisco"})()
	s.run(
		s.failing(s.hcl(device), `Cannot create device "NAME-DALLAS"`, "Nothing was changed", "import {",
			"to = enms_device.", `id = "NAME-DALLAS"`, "adopt_existing"),
		resource.TestStep{Config: s.hcl(""), Check: resource.ComposeAggregateTestCheckFunc(
			s.holds("device", "NAME-DALLAS", "ip_address", "10.5.5.5"),
			s.holds("device", "NAME-DALLAS", "vendor", "Cisco"))},
	)
}

func TestCreateRefusesNameOfAnotherType(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	t.Cleanup(s.drop("device", "NAME-gw"))
	t.Cleanup(s.drop("service", "NAME-s"))
	s.put("gateway", enms.Object{"name": "NAME-gw"})()
	s.put("workflow", enms.Object{"name": "NAME-s", "scoped_name": "NAME-s"})()
	s.run(
		s.failing(s.hcl(`resource "enms_device" "d" { name = "NAME-gw" }`), `It is a gateway, not a device`, `type = "gateway"`, "import {"),
		s.failing(s.hcl(`resource "enms_service" "s" { name = "NAME-s" }`), `It is a workflow, not a service`, `type = "workflow"`, "import {"),
	)
}

func TestAdopt(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]struct{ block, attribute string }{
		"resource": {"", "adopt_existing = true"},
		"provider": {"adopt_existing = true", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			s.put("device", enms.Object{"name": "NAME-DALLAS", "ip_address": "10.5.5.5", "vendor": "Cisco"})()
			id := s.get("device", "NAME-DALLAS")["id"]
			s.run(resource.TestStep{Config: s.block(in.block) + s.expand(`
				resource "enms_device" "dallas" {
				  name       = "NAME-DALLAS"
				  ip_address = "10.0.0.1"
				  `+in.attribute+`
				}
				resource "enms_task" "none" {
				  name    = "NAME-none"
				  service = "[Shared] Start"
				}`), Check: resource.ComposeAggregateTestCheckFunc(
				resource.TestCheckResourceAttr("enms_device.dallas", "id", sprintf("%v", id)),
				resource.TestCheckResourceAttr("enms_device.dallas", "vendor", "Cisco"),
				s.holds("device", "NAME-DALLAS", "ip_address", "10.0.0.1"),
				s.holds("device", "NAME-DALLAS", "vendor", "Cisco"))})
		})
	}
}

func TestAdoptService(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.put("workflow", enms.Object{"name": "NAME-wf", "scoped_name": "NAME-wf", "run_method": "once", "target_devices": []string{}})()
	s.run(
		s.failing(s.hcl(`resource "enms_service" "wf" {
		  name           = "NAME-wf"
		  adopt_existing = true
		}`), `type = "workflow"`),
		resource.TestStep{Config: s.hcl(`resource "enms_service" "wf" {
		  name           = "NAME-wf"
		  type           = "workflow"
		  adopt_existing = true
		}`), Check: resource.ComposeAggregateTestCheckFunc(
			s.holds("service", "NAME-wf", "run_method", "once"),
			s.holds("service", "NAME-wf", "skip_value", "True"))},
	)
}

// A creation that eNMS reports as failed although it stored the instance: positions
// are an object, not a list, and the relation before them makes the workflow stay
// (enms-rest.md 0.1).
func TestFailedCreateLeavesTaintedInstance(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.run(
		s.failing(s.hcl(`
			resource "enms_service" "wf" {
			  name       = "NAME-wf"
			  type       = "workflow"
			  properties = { positions = ["x"] }
			}`), `Cannot create service "NAME-wf"`, "positions"),
		resource.TestStep{PreConfig: func() { s.get("service", "NAME-wf") }, Config: s.hcl(`
			resource "enms_service" "wf" {
			  name       = "NAME-wf"
			  type       = "workflow"
			  properties = { services = ["[Shared] Start"] }
			}`), Check: s.holds("service", "NAME-wf", "services", "[[Shared] Start]")},
	)
	if err := s.absent("service", "NAME-wf")(nil); err != nil {
		t.Error(err)
	}
}

// A failed update does not forget which attributes it had set: they go back to eNMS's
// defaults afterwards.
func TestFailedUpdateKeepsTruth(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.run(
		resource.TestStep{Config: s.hcl(service)},
		s.failing(s.hcl(`
			resource "enms_service" "backup" {
			  name        = "NAME-backup"
			  type        = "python_snippet_service"
			  description = "changed"
			  properties  = { positions = "no object", source_code = "pass" }
			}`), `Cannot update service "NAME-backup"`, "positions"),
		resource.TestStep{Config: s.hcl(service), Check: resource.ComposeAggregateTestCheckFunc(
			s.holds("service", "NAME-backup", "description", ""),
			s.holds("service", "NAME-backup", "source_code", "results['success'] = True"))},
	)
}

// answering is a server that gives every request the same answer.
func answering(t *testing.T, status int, contentType, body string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Location", "/login")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Servers that are not eNMS, or not there at all.
func TestApplyAgainstOtherServers(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	closed := httptest.NewServer(nil)
	closed.Close()
	for name, test := range map[string]struct {
		url   string
		words []string
	}{
		"html":     {answering(t, 200, "text/html", "<html>Welcome</html>"), []string{"text/html", "Check that base_url"}},
		"redirect": {answering(t, 302, "text/html", ""), []string{"web pages", "Set base_url"}},
		"refused":  {closed.URL, []string{"annot reach eNMS", "connection refused", "Check base_url"}},
	} {
		c := newCore(t, attributes{"base_url": test.url, "username": "admin", "password": "admin", "max_retries": 0})
		_, diags := c.apply("enms_device", attributes{"name": "x"}, c.none("enms_device"))
		if words := append([]string{`Cannot plan device "x"`}, test.words...); !s.says(words...).MatchString(diags.String()) {
			t.Errorf("%s: %s", name, diags)
		}
	}
}

func TestApplyErrors(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.run(
		s.failing(s.hcl(`resource "enms_task" "t" {
			  name    = "NAME-t"
			  service = "NAME-missing"
			}`), `Cannot create task "NAME-t"`, `There is no such instance in eNMS: service "NAME-missing"`, "Create it first"),
		s.failing(s.hcl(`resource "enms_task" "t" {
			  name    = "NAME-t"
			  service = "[Shared] Start"
			  devices = ["NAME-missing"]
			}`), `Cannot create task "NAME-t"`, "There is no such instance in eNMS: device", "NAME-missing"),
		s.failing(s.hcl(`data "enms_device" "d" { name = "NAME-missing" }`), `There is no device "NAME-missing"`),
		s.failing(s.block("max_retries = 0")+`provider "enms" {
			  alias    = "wrong"
			  base_url = "`+s.url+`"
			  username = "admin"
			  password = "wrong"
			}
			resource "enms_device" "d" {
			  provider = enms.wrong
			  name     = "`+s.prefix+`d"
			}`, "Cannot plan device", "user name or the password", "ENMS_PASSWORD"),
		resource.TestStep{Config: s.hcl(""), Check: s.absent("task", "NAME-t")},
	)
}

// A taken name is no reason to import an instance that is managed already, as in a
// rename, nor to adopt one of another type.
func TestTakenNameAdvice(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	s.put("gateway", enms.Object{"name": "NAME-taken"})()
	t.Cleanup(s.drop("device", "NAME-taken"))
	state := c.applied("enms_device", attributes{"name": s.expand("NAME-d")}, c.none("enms_device"))
	state, diags := c.apply("enms_device", attributes{"name": s.expand("NAME-taken")}, state)
	if text := diags.String(); !s.says(`Cannot rename device "NAME-d"`, "delete the other instance first", "apply again").MatchString(text) || strings.Contains(text, "import {") {
		t.Error(text)
	}
	_, diags = c.apply("enms_device", attributes{"name": s.expand("NAME-taken"), "adopt_existing": true}, c.none("enms_device"))
	if text := diags.String(); !s.says("(id ", "It is a gateway, not a device", `type = "gateway" to take it over`).MatchString(text) || strings.Contains(text, "(id )") {
		t.Error(text)
	}
	c.applied("enms_device", nil, state)
}

// A base URL that ends in /rest is an error that leaves nothing in the state.
func TestBaseURLWithTooMuch(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for end, words := range map[string][]string{
		"/rest":  {"404", "without /rest"},
		"/login": {"Check that base_url"},
	} {
		c := newCore(t, attributes{"base_url": s.url + end, "username": s.user, "password": s.password, "max_retries": 0})
		for kind, config := range map[string]attributes{"enms_device": {"name": "x"}, "enms_task": {"name": "x", "service": "y"}} {
			state, diags := c.apply(kind, config, c.none(kind))
			if !s.says(words...).MatchString(diags.String()) || !state.value.IsNull() {
				t.Errorf("%s %s: %s %s", end, kind, state.value, diags)
			}
		}
	}
}

// Who may not read a device is not told to import or to adopt it, which cannot help: its
// name is known because eNMS shows all devices as nodes.
func TestTakenNameOfAHiddenInstance(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for _, put := range []struct {
		typ     string
		payload enms.Object
	}{
		{"user", enms.Object{"name": "NAME-ann", "password": "pw"}},
		{"group", enms.Object{"name": "NAME-g", "users": []string{s.expand("NAME-ann")}, "menu": []string{}, "pages": []string{}, "delete_requests": []string{},
			"get_requests": []string{"/rest/instance", "/rest/query"}, "post_requests": []string{"/rest/instance", "/rest/search"}}},
		{"device", enms.Object{"name": "NAME-d"}},
	} {
		s.put(put.typ, put.payload)()
		t.Cleanup(s.drop(put.typ, s.expand(put.payload["name"].(string))))
	}
	ann := s.core(attributes{"username": s.expand("NAME-ann"), "password": "pw"})
	entry := attributes{"type": "device", "instances": object(map[string]any{s.expand("NAME-d"): map[string]any{"vendor": "x"}})}
	for _, adopt := range []any{nil, true} {
		for typ, config := range map[string]attributes{"enms_device": {"name": s.expand("NAME-d")}, "enms_instances": entry} {
			config["adopt_existing"] = adopt
			_, diags := ann.apply(typ, config, ann.none(typ))
			diags.says(t, "Cannot create device", "which this user may not read", "rbac_edit")
			if said := diags.String(); strings.Contains(said, "import {") || strings.Contains(said, "set adopt_existing") {
				t.Errorf("%s, adopt_existing = %v: %s", typ, adopt, said)
			}
		}
	}
}
