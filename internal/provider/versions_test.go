// What other versions of eNMS answer otherwise (enms-rest.md 8), each shown by a
// simulator with the one switch for it.

package provider_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// life creates, changes, renames, reads and destroys a device and a service.
func (c *core) life(t *testing.T, s *server) {
	t.Helper()
	for typ, change := range map[string]attributes{"enms_device": {"ip_address": "10.0.0.1"}, "enms_service": {"priority": 3}} {
		config := attributes{"name": s.expand("NAME-one")}
		state := c.applied(typ, config, c.none(typ))
		for name, value := range change {
			config[name] = value
		}
		state = c.applied(typ, config, state)
		config["name"] = s.expand("NAME-two")
		state = c.refreshed(typ, c.applied(typ, config, state))
		if p, diags := c.plan(typ, config, state); diags.failed() || !p.noop {
			t.Errorf("%s: the plan is not empty: %s%s", typ, diags, p.value)
		}
		imported, diags := c.importByName(typ, s.expand("NAME-two"))
		if diags.failed() || imported.text(t, "id") != state.text(t, "id") {
			t.Errorf("%s: import: %s", typ, diags)
		}
		if _, diags := c.importByName(typ, s.expand("NAME-absent")); !diags.on("name") {
			t.Errorf("%s: import of what is absent: %s", typ, diags)
		}
		if _, diags := c.apply(typ, nil, state); diags.failed() {
			t.Errorf("%s: %s", typ, diags)
		}
		if gone := c.refreshed(typ, state); !gone.value.IsNull() {
			t.Errorf("%s: it is still there: %s", typ, gone.value)
		}
		c.applied(typ, config, c.none(typ))
		config["description"] = "another, so that it cannot be taken for the first after a lost answer"
		if _, diags := c.apply(typ, config, c.none(typ)); !strings.Contains(diags.String(), "already has a") {
			t.Errorf("%s: a taken name: %s", typ, diags)
		}
	}
}

// Differences of versions that the provider recognises from responses are invisible to
// users. eNMS 4.4, for example, responds with 403 to a query without a match: that does
// not mean that the query is forbidden.
func TestVersionsThatAreToldFromAnswers(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]simulator.Options{
		"403 for a query without a match": {NoMatch403: true},
		"no type node":                    {NoNode: true},
		"generic_device":                  {GenericDevice: true},
		"commit errors as failure":        {CommitFailures: true},
		"commit errors of PostgreSQL":     {CommitFailures: true, Database: simulator.PostgreSQL},
		"commit errors of MariaDB":        {CommitFailures: true, Database: simulator.MariaDB},
		"a limit of requests":             {RequestLimit: 5, RequestWindow: 300 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServerLike(t, name, options)
			s.core(nil).life(t, s)
		})
	}
}

// Once it is known that a query without a match answers 403, each costs one
// request again.
func TestQueriesThatAllowNone(t *testing.T) {
	t.Parallel()
	s := newServerLike(t, "enms-4.4", testServers["enms-4.4"])
	s.onlySimulated("requests are counted")
	for range 3 {
		if _, err := s.client.Find(s.ctx(), "device", "absent", nil); err == nil {
			t.Error("found")
		}
	}
	queries := 0
	for _, r := range s.simulator.Requests() {
		if strings.HasPrefix(r.Path, "/rest/query") {
			queries++
		}
	}
	if queries != 4 {
		t.Errorf("%d queries, want 1 that is refused and 3", queries)
	}
}

// Where allow_none breaks a query, a 403 means what it says.
func TestBuildsThatBreakOnAllowNone(t *testing.T) {
	t.Parallel()
	s := newServerLike(t, "allow_none 500", simulator.Options{AllowNone500: true})
	s.core(nil).life(t, s)
}

// A field that this eNMS does not have is an error on the attribute, and is not
// taken for written; deletion_policy = "disable" does not succeed without it.
func TestFieldThatIsMissing(t *testing.T) {
	t.Parallel()
	s := newServerLike(t, "enms-4.4", testServers["enms-4.4"])
	c := s.core(nil)
	t.Cleanup(s.drop("service", "NAME-s"))
	service := attributes{"name": s.expand("NAME-s"), "disabled": true}
	state, diags := c.apply("enms_service", service, c.none("enms_service"))
	if !diags.on("disabled") || !strings.Contains(diags.String(), `has no field "disabled"`) {
		t.Errorf("create: %s", diags)
	}
	if !members(t, state.value)["disabled"].IsNull() {
		t.Errorf("it counts as written: %s", state.value)
	}
	delete(service, "disabled")
	state = c.applied("enms_service", service, state)
	service["disabled"] = true
	for range 2 {
		if state, diags = c.apply("enms_service", service, state); !diags.on("disabled") {
			t.Errorf("update: %s%s", diags, state.value)
		}
	}
	service["deletion_policy"] = "disable"
	delete(service, "disabled")
	state = c.applied("enms_service", service, c.refreshed("enms_service", state))
	if _, diags := c.apply("enms_service", nil, state); !strings.Contains(diags.String(), `has no field "disabled"`) {
		t.Errorf("switched off: %s", diags)
	}
	if _, err := s.client.Get(s.ctx(), "service", s.expand("NAME-s")); err != nil {
		t.Error(err)
	}
}

// A rename that eNMS ignores is an error, and the state keeps the old name.
func TestNewNameThatIsIgnored(t *testing.T) {
	t.Parallel()
	s := newServerLike(t, "new_name is ignored", simulator.Options{IgnoreNewName: true})
	c := s.core(nil)
	device := attributes{"name": s.expand("NAME-a")}
	state := c.applied("enms_device", device, c.none("enms_device"))
	device["name"], device["vendor"] = s.expand("NAME-b"), "Nokia"
	for range 2 {
		var diags problems
		if state, diags = c.apply("enms_device", device, state); !diags.on("name") || !strings.Contains(diags.String(), "older than version 4.2") {
			t.Error(diags)
		}
		if state.text(t, "name") != s.expand("NAME-a") || state.text(t, "vendor") != "Nokia" {
			t.Errorf("the state is %s", state.value)
		}
	}
}

// What was deleted in the Workflow Builder of eNMS 5 is gone, but its name is still
// taken.
func TestSoftDeleted(t *testing.T) {
	t.Parallel()
	s := newServerLike(t, "soft_deleted", simulator.Options{SoftDeleted: true})
	c := s.core(nil)
	service := attributes{"name": s.expand("NAME-s"), "type": "workflow"}
	state := c.applied("enms_service", service, c.none("enms_service"))
	s.put("workflow", enms.Object{"name": "NAME-s", "scoped_name": "NAME-s", "soft_deleted": true})()
	if gone := c.refreshed("enms_service", state); !gone.value.IsNull() {
		t.Errorf("it is there: %s", gone.value)
	}
	if _, diags := c.importByName("enms_service", s.expand("NAME-s")); !diags.on("name") {
		t.Errorf("import: %s", diags)
	}
	if _, diags := c.data("enms_service", s.expand("NAME-s")); !diags.on("name") {
		t.Errorf("data source: %s", diags)
	}
	if _, diags := c.apply("enms_service", service, c.none("enms_service")); !diags.on("name") || !strings.Contains(diags.String(), "Workflow Builder") {
		t.Errorf("create: %s", diags)
	}
	if _, diags := c.apply("enms_service", nil, state); diags.failed() {
		t.Errorf("destroy: %s", diags)
	}
}

// What no version that this provider works with does gets advice that says so.
func TestServersThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		options simulator.Options
		advice  string
	}{
		"no REST interface": {simulator.Options{NoREST: true}, "works with 4.2 and newer"},
		"broken login":      {simulator.Options{BrokenLogin: true}, "Werkzeug"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServerLike(t, name, test.options)
			c := s.core(nil)
			device := attributes{"name": s.expand("NAME-d")}
			if _, diags := c.apply("enms_device", device, c.none("enms_device")); !diags.failed() || !strings.Contains(diags.String(), test.advice) {
				t.Errorf("create: %s", diags)
			}
			if _, diags := c.importByName("enms_device", s.expand("NAME-d")); !strings.Contains(diags.String(), test.advice) {
				t.Errorf("import: %s", diags)
			}
		})
	}
}

// An eNMS that answers 500 to every deletion, as version 3 does, is told apart.
func TestDeletionsThatFail(t *testing.T) {
	t.Parallel()
	s := newServerLike(t, "500 to DELETE", simulator.Options{})
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodDelete {
			s.simulator.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprint(w, `{"alert":"Error 500 - Internal Server Error."}`)
	}))
	t.Cleanup(refusing.Close)
	s.url = refusing.URL
	c := s.core(nil)
	state := c.applied("enms_device", attributes{"name": "d"}, c.none("enms_device"))
	after, diags := c.apply("enms_device", nil, state)
	if !strings.Contains(diags.String(), "Versions before 4.0 answer so to every deletion") || after.value.IsNull() {
		t.Errorf("%s%s", diags, after.value)
	}
}
