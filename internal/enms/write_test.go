// Tests of coalesced writes: who gets which result, how many requests it takes.

package enms

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

func TestOneBadNeighbour(t *testing.T) {
	t.Parallel()
	for what, check := range map[string]struct {
		bad  Object
		want func(error) bool
	}{
		"refused": {Object{"pools": []string{"nobody"}}, func(err error) bool {
			_, ok := errors.AsType[*RefusedError](err)
			return ok && strings.Contains(err.Error(), "There is no pool")
		}},
		"taken": {Object{"name": "taken"}, func(err error) bool {
			exists, ok := errors.AsType[*ExistsError](err)
			return ok && exists.ID != "" && exists.FoundType == "gateway" && exists.Name == "taken"
		}},
		"poisoned": {Object{"description": testserver.Poison}, func(err error) bool {
			status, ok := errors.AsType[*StatusError](err)
			return ok && status.Status == 500
		}},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			f := newServer(t, simulator.Options{})
			f.Add(t, "gateway", Object{"name": "taken"})
			c := f.client(t)
			errs := testserver.Together(300, func(i int) error {
				payload := Object{"name": testserver.Device(i)}
				if i == 137 {
					for key, value := range check.bad {
						payload[key] = value
					}
				}
				return create(t.Context(), c, "device", payload)
			})
			for i, err := range errs {
				if i == 137 && !check.want(err) || i != 137 && err != nil {
					t.Errorf("creation %d: %v", i, err)
				}
			}
			if n := len(f.Names(t, "device")); n != 299+1 {
				t.Errorf("%d instances beside the gateway", n-1)
			}
			if n := f.Count(""); n > 40 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func TestRename(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.Add(t, "device", Object{"name": "a"}, Object{"name": "b"})
	c := f.client(t)
	if err := c.Upsert(t.Context(), typeOf("device"), Object{"name": "a", "new_name": "c"}); err != nil {
		t.Error(err)
	}
	err := c.Upsert(t.Context(), typeOf("device"), Object{"name": "b", "new_name": "c"})
	if exists, ok := errors.AsType[*ExistsError](err); !ok || exists.Name != "c" || exists.ID != fmt.Sprint(f.Get(t, "device", "c")["id"]) {
		t.Error(err)
	}
	// The name may be that of an instance of another type, in the same name space.
	f.Add(t, "gateway", Object{"name": "g"})
	err = c.Upsert(t.Context(), typeOf("device"), Object{"name": "b", "new_name": "g"})
	if exists, ok := errors.AsType[*ExistsError](err); !ok || exists.FoundType != "gateway" || exists.ID != fmt.Sprint(f.Get(t, "gateway", "g")["id"]) {
		t.Error(err)
	}
	testserver.Must(t, c.Upsert(t.Context(), typeOf("device"), Object{"name": "b", "vendor": "x"}))
	if made := c.Renames("device"); !slices.Equal(made, []Rename{{From: "a", To: "c"}}) || c.Renames("workflow") != nil {
		t.Errorf("the renames of devices that were made are %v, those of workflows %v", made, c.Renames("workflow"))
	}
	err = create(t.Context(), c, "workflow", Object{"name": "x", "scoped_name": "y"})
	if renamed, ok := errors.AsType[*RenamedError](err); !ok || renamed.Asked != "x" || renamed.Got != "y" {
		t.Error(err)
	}
}

// What conflicts, and how large a batch may be.
func TestBatches(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.Add(t, "device", Object{"name": "a"})
	c := f.client(t)
	// Both must land, one after the other, in whatever order.
	for _, err := range testserver.Together(2, func(i int) error {
		return c.Upsert(t.Context(), typeOf("device"), Object{"name": "a", "port": i})
	}) {
		testserver.Must(t, err)
	}
	if n := f.Count("POST /rest/instance"); n != 2 {
		t.Errorf("two writes of one name took %d requests", n)
	}
	big := strings.Repeat("x", maxListBytes/2)
	for _, err := range testserver.Together(3, func(i int) error {
		return create(t.Context(), c, "device", Object{"name": testserver.Device(i), "description": big})
	}) {
		testserver.Must(t, err)
	}
	for _, r := range f.Server.Server.Requests() {
		if r.Entries > 1 {
			t.Errorf("a list of %d entries is too large", r.Entries)
		}
	}
}

// once returns a fault of the first write by a method.
func once(fault faults.Fault, when faults.When, method string) faults.Rule {
	return faults.Rule{Fault: fault, When: when, Count: 1, Method: method, Path: "/rest/instance"}
}

// Positions of one instance in several workflows or networks go in one list.
func TestPositionsShareAList(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.addDevices(t, 1)
	c, before := f.patientClient(t), f.Count("POST /rest/instance")
	for _, err := range testserver.Together(3, func(i int) error {
		return c.Upsert(t.Context(), typeOf("device"), Object{"name": testserver.Device(0), "positions": map[string]any{fmt.Sprint("n", i): []int{i, i}}})
	}) {
		if err != nil {
			t.Error(err)
		}
	}
	row, err := c.Find(t.Context(), "device", testserver.Device(0), []string{"positions"})
	if at, _ := row["positions"].(map[string]any); err != nil || len(at) != 3 || f.Count("POST /rest/instance") != before+1 {
		t.Errorf("%v in %d writes, %v", row, f.Count("POST /rest/instance")-before, err)
	}
}

// What only says how eNMS draws an instance leaves the known names as they are.
func TestDraws(t *testing.T) {
	t.Parallel()
	for field, want := range map[string]bool{"positions": true, "labels": true, "new_name": false, "description": false} {
		if got := draws(&write{payload: Object{"name": "a", "id": "1", field: "x"}}); got != want {
			t.Errorf("%s: %t", field, got)
		}
	}
}

// Of several positions of one instance, the one that eNMS refuses is the one that gets the error.
func TestPositionsShareAList_oneIsRefused(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.addDevices(t, 1)
	c, name := f.client(t), testserver.Device(0)
	f.Intercept(func(w http.ResponseWriter, r *http.Request, body []byte) bool {
		if r.Method != http.MethodPost || !strings.Contains(r.URL.Path, "/instance") || !strings.Contains(string(body), `"n1"`) {
			return false
		}
		success := slices.Repeat([]string{name}, strings.Count(string(body), `"positions"`)-1)
		w.Header().Set("Content-Type", "application/json")
		testserver.Must(t, json.NewEncoder(w).Encode(map[string]any{"success": success, "failure": []any{[]any{Object{"name": name}, "Exception: no"}}}))
		return true
	})
	for i, err := range testserver.Together(4, func(i int) error {
		return c.Upsert(t.Context(), typeOf("device"), Object{"name": name, "positions": map[string]any{fmt.Sprint("n", i): []int{i, i}}})
	}) {
		if e, refused := errors.AsType[*RefusedError](err); refused != (i == 1) || refused && e.Op != "update" {
			t.Errorf("position %d: %v", i, err)
		}
	}
	row, err := c.Find(t.Context(), "device", name, []string{"positions"})
	if at, _ := row["positions"].(map[string]any); err != nil || len(at) != 3 || at["n1"] != nil {
		t.Errorf("%v, %v", row, err)
	}
}

// When the answer is lost and the name belongs to somebody else, it is not ours.
func TestLostAnswerAndTakenName(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.Add(t, "device", Object{"name": "a", "port": 830})
	f.Set(t, once(faults.Reset, faults.Before, http.MethodPost))
	err := create(t.Context(), f.client(t), "device", Object{"name": "a", "port": 22})
	if _, ok := errors.AsType[*ExistsError](err); !ok {
		t.Error(err)
	}
}

func TestAnswerThatDoesNotAccount(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	var first atomic.Bool
	f.Intercept(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		if !strings.Contains(r.URL.Path, "/instance") || first.Swap(true) {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"success":["one","too","many"]}`))
		return true
	})
	c := f.client(t)
	f.Add(t, "device", Object{"name": "a"})
	err := c.Upsert(t.Context(), typeOf("device"), Object{"name": "a", "port": 1})
	if !errors.Is(err, errUnaccounted) {
		t.Error(err)
	}
	first.Store(false)
	if err := create(t.Context(), c, "device", Object{"name": "b", "port": 1}); err != nil {
		t.Error(err) // settled by reading, and sent again
	}
}

// An update that eNMS undoes because of another one in its list is sent again.
func TestUpsert_undoneByAnother(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.Add(t, "device", Object{"name": "a"}, Object{"name": "b"})
	f.Intercept(func(w http.ResponseWriter, r *http.Request, body []byte) bool {
		if r.Method != http.MethodPost || r.URL.Path != "/rest/instance/device" || !strings.Contains(string(body), `"a"`) || !strings.Contains(string(body), `"b"`) {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"failure":[[{"name":"a"},"(sqlalchemy.exc.IntegrityError) x"]],"success":["b"]}`))
		return true
	})
	c, names := f.patientClient(t), []string{"a", "b"}
	errs := testserver.Together(2, func(i int) error {
		return c.Upsert(t.Context(), typeOf("device"), Object{"name": names[i], "port": 1})
	})
	if refused, is := errors.AsType[*RefusedError](errs[0]); !is || refused.Op != "update" || errs[1] != nil || fmt.Sprint(f.Get(t, "device", "b")["port"]) != "1" {
		t.Errorf("%v; eNMS has %v", errs, f.Get(t, "device", "b")["port"])
	}
}

func TestEncode(t *testing.T) {
	t.Parallel()
	body, err := encode(Object{"devices": []string{"d"}, "name": "n", "b": nil, "a": 1, "z": map[string]any{}, "must_be_new": false}, true)
	if want := `{"name":"n","a":1,"b":null,"devices":["d"],"z":{},"must_be_new":true}`; err != nil || string(body) != want {
		t.Errorf("%s %v", body, err)
	}
	if _, err := encode(Object{"name": make(chan int)}, false); err == nil {
		t.Error("a channel is no JSON")
	}
	c, err := New(Config{BaseURL: "http://127.0.0.1:1"}, Words{})
	if err != nil {
		t.Fatal(err)
	}
	for _, payload := range []Object{{}, {"name": ""}, {"name": 5}, {"name": "x", "f": func() {}}} {
		err := c.Upsert(t.Context(), typeOf("device"), payload)
		if _, ok := errors.AsType[*PayloadError](err); !ok || !Unacted(err) {
			t.Errorf("%v was taken: %v", payload["name"], err)
		}
	}
}

// eNMS 5 stores a whole number beyond 64 bits, and can then neither return nor delete the instance. In a
// field that eNMS 5 stores as text, the number does no harm.
func TestUpsert_numberBeyond64Bits(t *testing.T) {
	t.Parallel()
	for version, refuses := range map[simulator.Version]bool{simulator.V53: true, simulator.V47: false} {
		c := newServer(t, simulator.Options{Version: version}).client(t)
		for number, beyond := range map[string]bool{"18446744073709551616": true, "-9223372036854775809": true, "18446744073709551615": false, "-9223372036854775808": false, "1e30": false, "3.14159265358979323846": false} {
			payload := map[string]any{"a": []any{map[string]any{"b": json.Number(number)}}}
			err := c.Upsert(t.Context(), typeOf("service"), Object{"name": "s", "scoped_name": "s", "initial_payload": payload})
			if _, refused := errors.AsType[*PayloadError](err); refused != (beyond && refuses) || err != nil && !refused {
				t.Errorf("%v, %s: %v", version, number, err)
			}
			if err != nil && (!strings.Contains(err.Error(), "`initial_payload`") || strings.Contains(err.Error(), number)) {
				t.Errorf("the field is not named, or the number is shown, which may be a secret: %v", err)
			}
		}
	}
}

// A write did not happen if a gateway has refused both the write and the read that looked for it. If the read failed
// otherwise, nothing is known.
func TestFinishUnread(t *testing.T) {
	t.Parallel()
	limited, redirect := &rest.StatusError{Status: http.StatusTooManyRequests}, &rest.RedirectError{}
	for what, test := range map[string]struct {
		cause, reading error
		known          bool
	}{
		"limited": {limited, limited, true}, "redirected": {redirect, redirect, true},
		"limited, and lost": {limited, io.ErrUnexpectedEOF, false}, "lost, and limited": {io.ErrUnexpectedEOF, limited, false},
		"redirected, and lost": {redirect, io.ErrUnexpectedEOF, false}, "limited, and redirected": {limited, redirect, false},
	} {
		o := &write{name: "a"}
		writing{key: writeKey{typ: Type{Name: "device"}}}.finishUnread([]*write{o}, test.cause, test.reading)
		if known := !errors.As(o.Err(), new(*AmbiguousError)); known != test.known || !errors.Is(o.Err(), test.cause) {
			t.Errorf("%s: %v", what, o.Err())
		}
	}
}
