// What the databases of eNMS do differently (enms-rest.md 10): names that count
// as the same, values that cannot be held, searches that are refused, snapshots
// that are old.

package provider_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// A device can be destroyed on PostgreSQL, which refuses searches of links by
// several names; what would go along is found there, too.
func TestDestroyOnEachDatabase(t *testing.T) {
	t.Parallel()
	for name, options := range testServers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServerLike(t, name, options)
			c := s.core(nil)
			var states []resourceState
			for i := range 3 {
				states = append(states, c.applied("enms_device", attributes{"name": s.expand(fmt.Sprintf("NAME-%d", i))}, c.none("enms_device")))
			}
			s.put("link", enms.Object{"name": "NAME-link", "source": "NAME-0", "destination": "NAME-1"})()
			t.Cleanup(s.drop("link", "NAME-link"))
			for i, state := range states[:2] {
				if _, diags := c.apply("enms_device", nil, state); !s.says("Cannot delete device", `link "NAME-link"`).MatchString(diags.String()) {
					t.Errorf("device %d of the link: %s", i, diags)
				}
			}
			if _, diags := c.apply("enms_device", nil, states[2]); diags.failed() {
				t.Error(diags)
			}
			cascading := c.applied("enms_device", attributes{"name": s.expand("NAME-0"), "deletion_policy": "cascade"}, states[0])
			for _, state := range []resourceState{cascading, states[1]} {
				if _, diags := c.apply("enms_device", nil, state); diags.failed() {
					t.Error(diags)
				}
			}
			if err := s.absent("link", "NAME-link")(nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// The deletions of several devices share the searches for what goes along.
func TestRequestsOfDeletions(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("requests are counted")
	var body strings.Builder
	for i := range 10 {
		fmt.Fprintf(&body, "resource \"enms_device\" \"d%d\" {\n  name = \"NAME-%d\"\n}\n", i, i)
	}
	s.run(
		resource.TestStep{Config: s.hcl(body.String())},
		resource.TestStep{Config: s.hcl(""), PreConfig: s.simulator.ResetRequests},
	)
	var deletions, others int
	for _, r := range s.simulator.Requests() {
		switch {
		case r.Method == http.MethodDelete:
			deletions++
		case r.Path == "/rest/search":
			others++
		}
	}
	if deletions != 10 || others > 12 {
		t.Errorf("%d deletions, %d searches", deletions, others)
	}
}

// On MariaDB two names may count as the same, such as "müller" and "muller". The
// instance with the other spelling is neither ours nor gone: the error says how eNMS
// spells it, and nothing of it enters the state.
func TestNamesThatCountAsTheSame(t *testing.T) {
	t.Parallel()
	s := newServerLike(t, "mariadb", testServers["mariadb"])
	s.put("device", enms.Object{"name": "NAME-müller"})()
	t.Cleanup(s.drop("device", "NAME-müller"))
	c := s.core(nil)
	theirs := s.expand("NAME-müller")
	for _, name := range []string{s.expand("NAME-muller"), s.expand("NAME-MÜLLER"), s.expand("NAME-müller ")} {
		for _, adopt := range []bool{false, true} {
			state, diags := c.apply("enms_device", attributes{"name": name, "ip_address": "10.0.0.1", "adopt_existing": adopt}, c.none("enms_device"))
			if !state.value.IsNull() || !diags.on("name") || !strings.Contains(diags.String(), fmt.Sprintf("already has a device named %q", theirs)) {
				t.Errorf("create %q, adopt %v: %s%s", name, adopt, state.value, diags)
			}
		}
		if _, diags := c.importByName("enms_device", name); !strings.Contains(diags.String(), fmt.Sprintf("it has %q", theirs)) {
			t.Errorf("import %q: %s", name, diags)
		}
		if _, diags := c.data("enms_device", name); !strings.Contains(diags.String(), fmt.Sprintf("it has %q", theirs)) {
			t.Errorf("data source %q: %s", name, diags)
		}
	}
	other := attributes{"name": s.expand("NAME-other")}
	state := c.applied("enms_device", other, c.none("enms_device"))
	other["name"] = s.expand("NAME-Müller")
	after, diags := c.apply("enms_device", other, state)
	if !diags.on("name") || !strings.Contains(diags.String(), fmt.Sprintf("already has a device named %q", theirs)) || after.text(t, "name") != s.expand("NAME-other") {
		t.Errorf("rename: %s%s", after.value, diags)
	}
	other["name"] = s.expand("NAME-OTHER")
	after = c.applied("enms_device", other, after)
	if got := s.get("device", "NAME-OTHER"); fmt.Sprint(got["id"]) != state.text(t, "id") {
		t.Errorf("a rename of the case alone made %v", got)
	}
	if _, diags := c.apply("enms_device", nil, after); diags.failed() {
		t.Error(diags)
	}
}

// What has another spelling of the name is never deleted for ours, not even when
// nobody looked before (-refresh=false).
func TestAnotherSpellingIsNotDeleted(t *testing.T) {
	t.Parallel()
	s := newServerLike(t, "mariadb", testServers["mariadb"])
	c := s.core(nil)
	state := c.applied("enms_device", attributes{"name": s.expand("NAME-muller")}, c.none("enms_device"))
	s.drop("device", "NAME-muller")()
	s.put("device", enms.Object{"name": "NAME-MÜLLER"})()
	t.Cleanup(s.drop("device", "NAME-MÜLLER"))
	if _, diags := c.apply("enms_device", nil, state); diags.failed() {
		t.Error(diags)
	}
	s.get("device", "NAME-MÜLLER") // fails the test when it is gone
	if after := c.refreshed("enms_device", state); !after.value.IsNull() {
		t.Errorf("what is gone stayed: %s", after.value)
	}
}

// A relation in another spelling is an error that tells the right one, before
// anything is sent.
func TestRelationInAnotherSpelling(t *testing.T) {
	t.Parallel()
	s := newServerLike(t, "mariadb", testServers["mariadb"])
	s.put("gateway", enms.Object{"name": "NAME-e4-gw"})()
	t.Cleanup(s.drop("gateway", "NAME-e4-gw"))
	c := s.core(nil)
	device := attributes{"name": s.expand("NAME-d"), "gateways": []string{s.expand("NAME-E4-GW")}}
	state, diags := c.apply("enms_device", device, c.none("enms_device"))
	if !state.value.IsNull() || !diags.on("gateways") || !strings.Contains(diags.String(), fmt.Sprintf("%q", s.expand("NAME-e4-gw"))) {
		t.Errorf("%s%s", state.value, diags)
	}
	if err := s.absent("device", "NAME-d")(nil); err != nil {
		t.Error(err)
	}
	delete(device, "gateways")
	state = c.applied("enms_device", device, c.none("enms_device"))
	t.Cleanup(s.drop("device", "NAME-d"))
	device["gateways"] = []string{s.expand("NAME-E4-GW")}
	if _, diags := c.apply("enms_device", device, state); !diags.on("gateways") {
		t.Error(diags)
	}
	device["gateways"] = []string{s.expand("NAME-e4-gw")}
	state = c.refreshed("enms_device", c.applied("enms_device", device, state))
	if p, diags := c.plan("enms_device", device, state); !p.noop || diags.failed() {
		t.Errorf("%s%s", p.value, diags)
	}
}

// A name that the database can neither hold nor compare is in no state, and its
// neighbours, which eNMS undoes although it answers success, are there.
func TestNameThatTheDatabaseCannotHold(t *testing.T) {
	t.Parallel()
	s := newServerLike(t, "mariadb-utf8", simulator.Options{Database: simulator.MariaDBUTF8})
	device := func(label, name string) string {
		return fmt.Sprintf("resource \"enms_device\" %q {\n  name = %q\n}\n", label, name)
	}
	good := device("a", "NAME-a") + device("b", "NAME-b") + device("c", "NAME-c")
	s.run(
		s.failing(s.hcl(good+device("emoji", "NAME-\U0001F600")), "Cannot create device"),
		resource.TestStep{Config: s.hcl(good)},
	)
}

// newServerWithSnapshots is a server of so many workers, each of which can be made
// to answer from an old snapshot.
func newServerWithSnapshots(t *testing.T, workers int) *server {
	t.Helper()
	s := newServerLike(t, "mariadb-rr", simulator.Options{Database: simulator.MariaDB, Workers: workers, StaleReads: true})
	s.onlySimulated("snapshots are held at chosen moments")
	return s
}

// A read of a snapshot from before a write is repeated: it must not count as gone, as
// forbidden, or as another value.
func TestStaleReads(t *testing.T) {
	t.Parallel()
	s := newServerWithSnapshots(t, 3)
	c := s.core(nil)
	hold := s.simulator.HoldSnapshots
	hold()
	gateway := c.applied("enms_device", attributes{"name": "gw", "type": "gateway"}, c.none("enms_device"))
	hold()
	service := attributes{"name": "S", "description": "first"}
	serviceState := c.applied("enms_service", service, c.none("enms_service"))
	for i := range 12 {
		device := attributes{"name": fmt.Sprintf("d%d", i), "ip_address": "10.0.0.1", "gateways": []string{"gw"}}
		hold()
		state := c.applied("enms_device", device, c.none("enms_device"))
		device["ip_address"], device["gateways"] = fmt.Sprintf("10.0.1.%d", i), []string{}
		hold()
		state = c.applied("enms_device", device, state)
		device["name"] = fmt.Sprintf("r%d", i)
		hold()
		state = c.applied("enms_device", device, state)
		hold()
		service["description"] = fmt.Sprintf("the %dth", i)
		serviceState = c.applied("enms_service", service, serviceState)
		hold()
		task := attributes{"name": fmt.Sprintf("t%d", i), "service": "S", "devices": []string{device["name"].(string)}}
		taskState := c.applied("enms_task", task, c.none("enms_task"))
		hold()
		if state = c.refreshed("enms_device", state); state.value.IsNull() {
			t.Fatal("a device counts as gone")
		}
		hold()
		for typ, state := range map[string]resourceState{"enms_task": taskState, "enms_device": state} {
			if _, diags := c.apply(typ, nil, state); diags.failed() {
				t.Error(diags)
			}
		}
	}
	for typ, state := range map[string]resourceState{"enms_device": gateway, "enms_service": serviceState} {
		if _, diags := c.apply(typ, nil, state); diags.failed() {
			t.Error(diags)
		}
	}
	if left, err := s.client.Query(s.ctx(), "device", nil); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

// A deletion that a worker refuses, because its snapshot holds relations that are
// gone, or the instance itself, is sent again.
func TestDeletionThatAWorkerRefuses(t *testing.T) {
	t.Parallel()
	// As many that the looks before the deletion do not make all of them fresh.
	s := newServerWithSnapshots(t, 8)
	c := s.core(nil)
	gateway := c.applied("enms_device", attributes{"name": "gw", "type": "gateway"}, c.none("enms_device"))
	c.applied("enms_device", attributes{"name": "d", "gateways": []string{"gw"}}, c.none("enms_device"))
	s.simulator.HoldSnapshots()
	s.drop("device", "d")()
	if _, diags := c.apply("enms_device", nil, gateway); diags.failed() {
		t.Error(diags)
	}
	device := c.applied("enms_device", attributes{"name": "d"}, c.none("enms_device"))
	s.simulator.HoldSnapshots()
	s.drop("device", "d")()
	if _, diags := c.apply("enms_device", nil, device); diags.failed() {
		t.Error(diags)
	}
}

// What a worker with an old snapshot misses, or still has, of what this run has
// written or deleted is no reason to refuse a relation, or a deletion.
func TestRelationsOnOldSnapshots(t *testing.T) {
	t.Parallel()
	s := newServerWithSnapshots(t, 6)
	c := s.core(nil).newRun()
	service := c.applied("enms_service", attributes{"name": "S"}, c.none("enms_service"))
	s.simulator.HoldSnapshots()
	device := c.applied("enms_device", attributes{"name": "d"}, c.none("enms_device"))
	task := c.applied("enms_task", attributes{"name": "t", "service": "S", "devices": []string{"d"}}, c.none("enms_task"))
	s.simulator.HoldSnapshots()
	if _, diags := c.apply("enms_task", nil, task); diags.failed() {
		t.Error(diags)
	}
	for typ, state := range map[string]resourceState{"enms_service": service, "enms_device": device} {
		if _, diags := c.apply(typ, nil, state); diags.failed() {
			t.Error(diags)
		}
	}
}

// An update on a worker whose snapshot holds the new values already, because
// somebody else changed them since, writes nothing and is answered with success:
// it is sent again.
func TestUpdateThatWroteNothing(t *testing.T) {
	t.Parallel()
	s := newServerWithSnapshots(t, 2)
	c := s.core(nil)
	device := attributes{"name": "d", "ip_address": "10.0.0.2"}
	changed := c.applied("enms_device", device, c.none("enms_device"))
	device["ip_address"] = "10.0.0.1"
	c.applied("enms_device", device, changed)
	s.simulator.HoldSnapshots()
	s.put("device", enms.Object{"name": "d", "ip_address": "10.0.0.2"})()
	c.applied("enms_device", device, changed)
	if got := s.get("device", "d")["ip_address"]; got != "10.0.0.1" {
		t.Errorf("eNMS holds %v", got)
	}
}

// Two entries whose names MariaDB holds for the same cannot both be created. The plan says
// so: of a creation that fails in part, Terraform taints the resource. Where the database
// tells them apart, both are created, and nobody is asked who need not be.
func TestEntriesWithTheSameName(t *testing.T) {
	t.Parallel()
	for name, options := range testServers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServerLike(t, name, options)
			devices := func(names string) string {
				return s.hcl(fmt.Sprintf("resource \"enms_instances\" \"all\" {\n  type = \"device\"\n  instances = { for n in [%s] : n => {} }\n}\n", names))
			}
			both := resource.TestStep{Config: devices(`"NAME-R1", "NAME-r1", "NAME-other"`)}
			if name == "mariadb" {
				both.ExpectError = s.says("Two entries have the same name", s.expand(`takes "NAME-R1" and "NAME-r1"`))
			}
			s.run(both)
			if name != "mariadb" {
				return
			}
			s.noWrites()
			s.run(
				resource.TestStep{Config: devices(`"NAME-R1", "NAME-R2"`)},
				resource.TestStep{Config: devices(`"NAME-R1", "NAME-R2", "NAME-ŕ2"`), ExpectError: s.says("Two entries have the same name")},
			)
		})
	}
}
