// The simulated eNMS of a life: what it holds, what others do there, and what goes wrong
// on the way.

package lives

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// server is an eNMS of its own.
type server struct {
	simulator *simulator.Server
	faults    *faults.Injector
	url       string
	close     func()

	saved []byte // what the simulator held when it was last asked
	held  holdings
}

func newServer(options simulator.Options) *server {
	s := &server{simulator: simulator.New(options)}
	var err error
	if s.faults, err = faults.New(s.simulator); err != nil {
		panic(err)
	}
	served := httptest.NewServer(s.faults)
	s.url, s.close = served.URL, served.Close
	return s
}

// key identifies an instance for good: eNMS counts the ids of a family together.
type key struct {
	family string
	id     int64
}

// instance is what eNMS holds of an instance.
type instance struct {
	key
	typ, name string
	fields    map[string]any // without relations and what eNMS notes by itself
	relations map[string]any
}

func (i *instance) String() string { return fmt.Sprintf("%s %q (id %d)", i.typ, i.name, i.id) }

// holdings are the instances of a server.
type holdings map[key]*instance

// noted are fields that eNMS writes by itself.
var noted = []string{"id", "type", "last_modified", "last_modified_by", "last_run", "status", "runs", "next_run_time",
	"time_before_next_run", "positions", "creator", "device_number", "link_number", "path",
	// Relations to one, which follow the names of what they refer to.
	"source", "destination", "workflow", "service", "credential"}

// holds returns all instances, which must not be changed.
func (s *server) holds(t testing.TB) holdings {
	var file bytes.Buffer
	if err := s.simulator.Save(&file); err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(file.Bytes(), s.saved) {
		return s.held
	}
	s.saved = bytes.Clone(file.Bytes())
	var lists map[string][]map[string]any
	decoder := json.NewDecoder(&file)
	decoder.UseNumber()
	if err := decoder.Decode(&lists); err != nil {
		t.Fatal(err)
	}
	all := holdings{}
	for _, list := range lists {
		for _, row := range list {
			i := newInstance(row)
			all[i.key] = i
		}
	}
	s.held = all
	return all
}

func newInstance(row map[string]any) *instance {
	id, _ := row["id"].(json.Number).Int64()
	i := &instance{typ: fmt.Sprint(row["type"]), name: fmt.Sprint(row["name"]), fields: map[string]any{}, relations: map[string]any{}}
	i.key = key{familyOf(i.typ), id}
	for name, v := range row {
		_, isList := v.([]any)
		switch {
		case slices.Contains(noted, name):
		case isList:
			i.relations[name] = v
		default:
			i.fields[name] = v
		}
	}
	return i
}

// named finds an instance by its name, nil when there is none.
func (h holdings) named(family, name string) *instance {
	for _, i := range h {
		if i.family == family && i.name == name {
			return i
		}
	}
	return nil
}

// withID finds an instance by its name and id, as errors have them, nil when there is none.
func (h holdings) withID(name, id string) *instance {
	for k, i := range h {
		if i.name == name && fmt.Sprint(k.id) == id {
			return i
		}
	}
	return nil
}

// sorted returns the instances in order.
func (h holdings) sorted() []*instance {
	return slices.SortedFunc(maps.Values(h), func(a, b *instance) int {
		return strings.Compare(fmt.Sprintf("%s %6d", a.family, a.id), fmt.Sprintf("%s %6d", b.family, b.id))
	})
}

// request returns what another client does. It returns the status and the answer.
func (s *server) request(method, path string, body any) (int, string) {
	var content bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&content).Encode(body); err != nil {
			panic(err)
		}
	}
	r := httptest.NewRequest(method, path, &content)
	r.Header.Set("Content-Type", "application/json")
	r.SetBasicAuth("admin", "admin")
	w := httptest.NewRecorder()
	s.simulator.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// write creates or changes an instance as another client does.
func (s *server) write(typ string, fields map[string]any) (status int, answer string) {
	return s.request(http.MethodPost, "/rest/instance/"+typ, fields)
}

// remove deletes an instance as another client does.
func (s *server) remove(typ, name string) (status int, answer string) {
	return s.request(http.MethodDelete, "/rest/instance/"+typ+"/"+url.PathEscape(name), nil)
}
