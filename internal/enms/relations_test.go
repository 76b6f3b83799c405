// Tests of relations that are read by searches instead of a Get for each instance.

package enms

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/groups"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// behind returns the relation of devices to gateways, as it is expected.
func behind(gateways ...string) []Relation {
	return []Relation{{Name: "gateways", Of: "gateway", Inverse: "devices", Members: gateways}}
}

// addDevices puts so many devices there, each behind gateways g0 and g1.
func (s *server) addDevices(t testing.TB, count int) {
	t.Helper()
	s.Add(t, "gateway", Object{"name": "g0"}, Object{"name": "g1"}, Object{"name": "unused"})
	rows := make([]Object, count)
	for i := range rows {
		rows[i] = Object{"name": testserver.Device(i), "gateways": []string{"g0", "g1"}}
	}
	s.Add(t, "device", rows...)
	s.Set(t)
}

// patientClient returns a client whose batches wait half a second for further callers: on a busy machine, callers that
// are meant to come together may come a few dozen milliseconds after each other.
func (s *server) patientClient(t testing.TB) *Client {
	t.Helper()
	return s.client(t, func(cfg *rest.Config) { cfg.Window = 500 * time.Millisecond })
}

// compared asks for the relations of so many devices at a time, and counts the answers
// that were not known, and those that say otherwise.
func compared(t testing.TB, c *Client, from, count int, expected []Relation) (unknown, otherwise int) {
	t.Helper()
	type answer struct{ has, known bool }
	answers := make([]answer, count)
	testserver.Together(count, func(i int) error {
		answers[i].has, answers[i].known = c.HasRelations(t.Context(), "device", testserver.Device(from+i), expected, nil)
		return nil
	})
	for _, a := range answers {
		if !a.known {
			unknown++
		} else if !a.has {
			otherwise++
		}
	}
	return unknown, otherwise
}

func TestRelationsAreSharedBySearches(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]simulator.Options{"sqlite": {}, "postgresql": {Database: simulator.PostgreSQL}, "mariadb": {Database: simulator.MariaDB}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, options)
			s.addDevices(t, 100)
			s.Add(t, "device", Object{"name": testserver.Device(7), "gateways": []string{"g1", "g0"}}, Object{"name": testserver.Device(42), "gateways": []string{"g0"}},
				Object{"name": testserver.Device(43), "gateways": []string{"g0", "g1", "unused"}})
			c, others := s.patientClient(t), 0
			for from := 0; from < 100; from += 20 {
				unknown, otherwise := compared(t, c, from, 20, behind("g0", "g1"))
				if others += otherwise; unknown > 0 {
					t.Errorf("%d of 20 are not known", unknown)
				}
			}
			if others != 2 {
				t.Errorf("%d devices have other gateways, want 2", others)
			}
			// The user, a page of devices, the gateways (on PostgreSQL three requests), and
			// the devices of each.
			if n := s.Count(""); n > 8 {
				t.Errorf("%d requests: %q", n, s.Requests())
			}
			if has, known := c.HasRelations(t.Context(), "device", testserver.Device(42), behind("g0"), nil); !known || !has {
				t.Errorf("known %t, as expected %t", known, has)
			}
			atLeast := behind("g0")
			atLeast[0].AtLeast = true
			if has, known := c.HasRelations(t.Context(), "device", testserver.Device(1), atLeast, nil); !known || !has {
				t.Errorf("more than is expected at least: known %t, as expected %t", known, has)
			}
		})
	}
}

// GETs of groups tell who has which rights: the groups are listed, and only one that was not read is searched for.
func TestRelationsToldByGETs(t *testing.T) {
	t.Parallel()
	s := newServer(t, simulator.Options{})
	s.Add(t, "group", Object{"name": "g0"}, Object{"name": "g1"}, Object{"name": "g2"}, Object{"name": "unread"})
	rights := func(name string, members ...string) Relation {
		return Relation{Name: name, Of: "group", Inverse: name + "_devices", Members: members}
	}
	expected := []Relation{rights("rbac_connect", "g0"), rights("rbac_edit", "g0", "unread"), rights("rbac_read", "g2"), rights("rbac_target")}
	for i := range 12 {
		row := Object{"name": testserver.Device(i)}
		for _, r := range expected {
			row[r.Name] = append([]string{}, r.Members...)
		}
		if i == 5 {
			row["rbac_target"] = []string{"g1"}
		}
		s.Add(t, "device", row)
	}
	s.Set(t)
	c := s.patientClient(t)
	for _, name := range []string{"g0", "g1", "g2"} {
		_, err := c.Get(t.Context(), "group", name)
		testserver.Must(t, err)
	}
	if unknown, otherwise := compared(t, c, 0, 12, expected); unknown > 0 || otherwise != 1 {
		t.Errorf("%d of 12 are not known, %d differ", unknown, otherwise)
	}
	// Three groups, the user, a page of devices, the groups with two of the rights, all groups, and who has the one unread.
	if n := s.Count(""); n > 11 {
		t.Errorf("%d requests: %q", n, s.Requests())
	}
	id := endpoint.IDText(s.Query(t, "group", url.Values{"name": {"g1"}})[0]["id"])
	before := s.Count("")
	if name, err := c.NameOf(t.Context(), "group", id); name != "g1" || err != nil {
		t.Error(name, err)
	}
	if r := rights("rbac_read"); !c.KnowsMember("device", testserver.Device(3), r, "g2") || c.KnowsMember("device", testserver.Device(3), r, "g1") {
		t.Error("a member is not known, or one is that is none")
	}
	if s.Count("") > before {
		t.Error("what a GET has told is asked for")
	}
	c.Forget()
	if c.KnowsMember("device", testserver.Device(3), rights("rbac_read"), "g2") {
		t.Error("it is known after a write")
	}
}

// What searches have shown is known although others have begun to write meanwhile: a GET for each
// would ask again what was asked after the callers' own writes.
func TestRelationsAreKnownBesideWrites(t *testing.T) {
	t.Parallel()
	s := newServer(t, simulator.Options{})
	s.addDevices(t, 50)
	c := s.patientClient(t)
	s.Intercept(func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		if strings.HasSuffix(r.URL.Path, "/search") {
			c.Forget() // as a write does when it begins
		}
		return false
	})
	if unknown, otherwise := compared(t, c, 0, 20, behind("g0", "g1")); unknown > 0 || otherwise > 0 {
		t.Errorf("%d of 20 are not known, %d differ", unknown, otherwise)
	}
	shared(t, s, c, 50)
	if n := s.Count("GET /rest/instance/"); n > 50 { // those that shared compares with
		t.Errorf("%d instances were read alone", n-50)
	}
}

// On PostgreSQL many related instances are told apart from those that are related to
// nothing.
func TestRelationsToFewOfMany(t *testing.T) {
	t.Parallel()
	s := newServer(t, simulator.Options{Database: simulator.PostgreSQL})
	s.addDevices(t, 50)
	var tasks []Object
	for i := range 40 {
		tasks = append(tasks, Object{"name": testserver.Device(i), "devices": []string{testserver.Device(1), testserver.Device(2)}})
	}
	s.Add(t, "task", tasks...)
	s.Add(t, "task", Object{"name": testserver.Device(9), "devices": []string{testserver.Device(1), testserver.Device(3)}})
	s.Set(t)
	c, answers := s.patientClient(t), make([]bool, 40)
	testserver.Together(40, func(i int) error {
		expected := []Relation{{Name: "devices", Of: "device", Inverse: "tasks", Members: []string{testserver.Device(2), testserver.Device(1)}}}
		has, known := c.HasRelations(t.Context(), "task", testserver.Device(i), expected, nil)
		if answers[i] = has; !known {
			t.Errorf("task %d is not known", i)
		}
		return nil
	})
	for i, has := range answers {
		if has != (i != 9) {
			t.Errorf("task %d: as expected %t", i, has)
		}
	}
	if n := s.Count(""); n > 8 {
		t.Errorf("%d requests: %q", n, s.Requests())
	}
}

// One instance, or few with many members, are cheaper by a Get each.
func TestRelationsThatAreCheaperByGet(t *testing.T) {
	t.Parallel()
	s := newServer(t, simulator.Options{})
	s.addDevices(t, 10)
	c := s.client(t)
	if unknown, _ := compared(t, c, 0, 1, behind("g0", "g1")); unknown != 1 || s.Count("") != 0 {
		t.Errorf("one device: %d not known, after %q", unknown, s.Requests())
	}
	var gateways []Object
	var all []string
	for i := range 40 {
		gateways, all = append(gateways, Object{"name": fmt.Sprint("many", i)}), append(all, fmt.Sprint("many", i))
	}
	s.Add(t, "gateway", gateways...)
	s.Add(t, "device", Object{"name": testserver.Device(3), "gateways": all})
	c = s.client(t)
	if unknown, _ := compared(t, c, 0, 10, behind("g0", "g1")); unknown != 10 || s.Count("") > 4 {
		t.Errorf("ten devices with 42 gateways: %d not known, after %q", unknown, s.Requests())
	}
	// Whoever goes on asking is served by searches in the end, and before then not
	// troubled by many of them.
	s.Set(t)
	gets := 0
	for range 20 {
		unknown, _ := compared(t, c, 0, 10, behind("g0", "g1"))
		gets += unknown
	}
	if gets == 0 || gets > 110 || s.Count("") > 60 {
		t.Errorf("%d are not known, after %d requests", gets, s.Count(""))
	}
}

// From those who are no administrators eNMS hides related instances.
func TestRelationsOfHiddenInstances(t *testing.T) {
	t.Parallel()
	s := newServer(t, simulator.Options{})
	s.addDevices(t, 20)
	s.Add(t, "user", Object{"name": "ann", "password": "ann"})
	s.Add(t, "group", Object{"name": "g", "users": []string{"ann"}, "menu": []string{}, "pages": []string{}, "delete_requests": []string{},
		"get_requests": []string{"/rest/instance", "/rest/query"}, "post_requests": []string{"/rest/search"}})
	c := s.client(t, func(cfg *Config) { cfg.Username, cfg.Password = "ann", "ann" })
	for range 3 {
		if unknown, _ := compared(t, c, 0, 20, behind()); unknown != 20 {
			t.Errorf("%d of 20 are not known", unknown)
		}
	}
	if n := s.Count(""); n != 1 {
		t.Errorf("%q, want one question who the user is", s.Requests())
	}
}

// No answer that is missing, cut off or short of rows makes an instance look as it is
// expected, when it is not.
func TestRelationsWithFaults(t *testing.T) {
	t.Parallel()
	for _, fault := range []faults.Fault{faults.Error500, faults.HTML, faults.Truncated, faults.Cut, faults.Empty, faults.Malformed, faults.Unavailable, faults.Reset} {
		for nth := range 5 {
			t.Run(fmt.Sprint(fault, nth), func(t *testing.T) {
				t.Parallel()
				s := newServer(t, simulator.Options{})
				s.addDevices(t, 20)
				s.Set(t, faults.Rule{Fault: fault, Nth: nth + 1})
				c := s.client(t)
				if _, otherwise := compared(t, c, 0, 20, behind("g0", "g1")); otherwise > 0 {
					t.Errorf("%d of 20 look as if they had other gateways", otherwise)
				}
				if unknown, otherwise := compared(t, c, 0, 20, behind("g0")); unknown+otherwise != 20 {
					t.Errorf("%d of 20 look as if they had one gateway", 20-unknown-otherwise)
				}
			})
		}
	}
}

// A search that misses or repeats rows is not believed when it contradicts what is
// expected, and does not hide what is otherwise.
func TestRelationsWithRowsMissing(t *testing.T) {
	t.Parallel()
	for _, repeat := range []bool{false, true} {
		s := newServer(t, simulator.Options{})
		s.addDevices(t, 20)
		s.Add(t, "device", Object{"name": testserver.Device(4), "gateways": []string{"g0"}})
		s.Intercept(func(w http.ResponseWriter, r *http.Request, body []byte) bool {
			var asked struct {
				Criteria map[string]any `json:"search_criteria"`
			}
			if json.Unmarshal(body, &asked) != nil || asked.Criteria["gateways"] == nil {
				return false
			}
			var rows []any
			s.Ask(t, "", r.Method, r.URL.Path, json.RawMessage(body), &rows)
			if repeat {
				rows = append(rows, rows...)
			} else {
				rows = rows[:len(rows)/2]
			}
			return json.NewEncoder(w).Encode(rows) == nil
		})
		_, otherwise := compared(t, s.client(t), 0, 20, behind("g0", "g1"))
		if want := 1; repeat && otherwise != want || !repeat && otherwise <= want {
			t.Errorf("repeated %t: %d have other gateways", repeat, otherwise)
		}
	}
}

// A page is asked for what others of the type will want, so that it answers them too.
func TestPagesHoldTheColumnsOfOthers(t *testing.T) {
	t.Parallel()
	s := newServer(t, simulator.Options{})
	s.addDevices(t, 100)
	c := s.client(t)
	find := func(from, count int, column string) {
		for _, err := range testserver.Together(count, func(i int) error {
			c.HasRelations(t.Context(), "device", testserver.Device(from+i), nil, []string{"vendor", "port"})
			_, err := c.Find(t.Context(), "device", testserver.Device(from+i), []string{column})
			return err
		}) {
			testserver.Must(t, err)
		}
	}
	for from := 0; from < 50; from += 10 {
		find(from, 10, "vendor")
	}
	before := s.Count("")
	for from := 50; from < 100; from += 10 {
		find(from, 10, "port")
	}
	if after := s.Count(""); after != before {
		t.Errorf("%d further requests: %q", after-before, s.Requests())
	}
}

func TestRelationsToManyByGroups(t *testing.T) {
	t.Parallel()
	s := newServer(t, simulator.Options{})
	const count = 60
	var workflows, services []Object
	for i := range count {
		workflows = append(workflows, Object{"name": fmt.Sprint("w", i)})
		services = append(services, Object{"name": fmt.Sprintf("[w%d] s", i), "scoped_name": "s", "workflows": []string{fmt.Sprint("w", i)}})
	}
	s.Add(t, "workflow", workflows...)
	s.Add(t, "python_snippet_service", services...)
	s.Add(t, "python_snippet_service", Object{"name": "[Shared] s", "scoped_name": "s", "shared": true, "workflows": []string{"w3", "w4"}})
	s.Set(t)
	c := s.patientClient(t)
	has := func(name string, workflows ...string) (has, known bool) {
		return c.HasRelations(t.Context(), "service", name, []Relation{{Name: "workflows", Of: "workflow", Inverse: "services", Members: workflows}}, nil)
	}
	for i, err := range testserver.Together(count, func(i int) error {
		expected := fmt.Sprint("w", i)
		if i == 7 {
			expected = "w8"
		}
		if has, known := has(fmt.Sprintf("[w%d] s", i), expected); !known || has != (i != 7) {
			return fmt.Errorf("known %t, as expected %t", known, has)
		}
		return nil
	}) {
		if err != nil {
			t.Errorf("service %d: %v", i, err)
		}
	}
	// The user, a page, the workflows, and their groups.
	scheme, _ := groups.For(count, 1)
	if n := s.Count(""); n > 3+scheme.Groups() {
		t.Errorf("%d requests: %q", n, s.Requests())
	}
	if _, known := has("[Shared] s", "w3", "w4"); known {
		t.Error("the groups tell of a service in two workflows")
	}
}
