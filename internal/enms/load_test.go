// Load: 64 callers at a time, all kinds of calls, and one request in twenty goes
// wrong. What was told as written is there, what was told as failed is there or
// not, nothing is there twice, and no connection is left. About eight seconds;
// ENMS_TEST_LONG=1 makes it fifty.

package enms

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

const (
	loadCallers = 64
	// loadFaults is the share of requests that go wrong.
	loadFaults = 0.05
)

// loadRules returns all faults with the same chance. Left out are a request that
// eNMS acts on after its client has gone, which may undo what came later and is
// in the tables of faults, and a flood, which costs more than all the others.
func loadRules() (rules []faults.Rule) {
	list := slices.DeleteFunc(faults.All(), func(f faults.Fault) bool { return f == faults.Late || f == faults.Flood })
	for _, fault := range list {
		for _, when := range []faults.When{faults.Before, faults.After} {
			rules = append(rules, faults.Rule{Fault: fault, When: when, Probability: loadFaults / float64(2*len(list)), Seed: uint64(len(rules))})
		}
	}
	return rules
}

// loadServer is a simulator behind faults that knows its connections.
type loadServer struct {
	*simulator.Server
	injector *faults.Injector
	url      string
	requests atomic.Int64

	mu         sync.Mutex
	open       map[net.Conn]bool
	mostOpened int
}

func newLoadServer(t *testing.T) *loadServer {
	t.Helper()
	l := &loadServer{Server: simulator.New(simulator.Options{}), open: map[net.Conn]bool{}}
	var err error
	l.injector, err = faults.New(l.Server, loadRules()...)
	testserver.Must(t, err)
	served := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.requests.Add(1)
		l.injector.ServeHTTP(w, r)
	}))
	served.Config.ConnState = func(conn net.Conn, state http.ConnState) {
		l.mu.Lock()
		defer l.mu.Unlock()
		switch state {
		case http.StateNew:
			l.open[conn] = true
			l.mostOpened = max(l.mostOpened, len(l.open))
		case http.StateClosed, http.StateHijacked:
			delete(l.open, conn)
		}
	}
	served.Start()
	t.Cleanup(served.Close)
	l.url = served.URL
	return l
}

func (l *loadServer) connections() (now, most int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.open), l.mostOpened
}

// fate is what must be true of an instance in the end.
type fate struct {
	space, name string
	other       string   // the name that it may have instead, after a rename told as failed
	absent      bool     // it may be missing
	present     bool     // it may be there
	values      []string // the values that it may have, when it is there
}

// loadCaller is one of the callers.
type loadCaller struct {
	c          *Client
	id         int
	operations int
	failed     int
	fates      []fate
}

// loadKinds are the types, their name spaces, and what a creation needs.
var loadKinds = []struct {
	typ, space string
	payload    Object
}{
	{"device", "node", Object{}},
	{"python_snippet_service", "service", Object{"skip_value": "success"}},
	{"task", "task", Object{"service": "[Shared] Start"}},
}

// round lets an instance live: create, read, update, rename, read, and delete
// every other one. It ends at the first write that is told as failed.
func (l *loadCaller) round(ctx context.Context, n int) error {
	kind := loadKinds[(l.id+n)%len(loadKinds)]
	name := fmt.Sprintf("%s %d-%d", kind.typ, l.id, n)
	end := fate{space: kind.space, name: name, absent: true, present: true, values: []string{"first"}}
	defer func() { l.fates = append(l.fates, end) }()
	payload := func(name, value string, more Object) Object {
		p := Object{"name": name, "description": value}
		if kind.space == "service" {
			p["scoped_name"] = name
		}
		maps.Copy(p, more)
		return p
	}
	if !l.write(create(ctx, l.c, kind.typ, payload(name, "first", kind.payload))) {
		return nil
	}
	end.absent = false
	if err := l.read(ctx, kind.space, name, "first"); err != nil {
		return err
	}
	end.values = []string{"first", "second"}
	if !l.write(l.c.Upsert(ctx, typeOf(kind.typ), payload(name, "second", nil))) {
		return nil
	}
	end.values, end.other = []string{"second"}, name+" renamed"
	rename := payload(name, "second", Object{"new_name": end.other})
	if kind.space == "service" {
		rename["scoped_name"] = end.other
	}
	if !l.write(l.c.Upsert(ctx, typeOf(kind.typ), rename)) {
		return nil
	}
	end.name, end.other = end.other, ""
	if err := l.read(ctx, kind.space, end.name, "second"); err != nil {
		return err
	}
	if n%2 == 0 {
		return nil
	}
	end.absent = true
	_, err := l.c.Delete(ctx, kind.typ, end.name)
	end.present = !l.write(err)
	return nil
}

func (l *loadCaller) write(err error) bool {
	l.operations++
	if err != nil {
		l.failed++
	}
	return err == nil
}

// read reads what was just written, in two ways: it may fail, but not tell
// anything else, nor that it is not there.
func (l *loadCaller) read(ctx context.Context, space, name, value string) error {
	base := map[string]string{"node": "device"}[space]
	if base == "" {
		base = space
	}
	for _, ask := range []func() (Object, error){
		func() (Object, error) { return l.c.Find(ctx, base, name, []string{"description"}) },
		func() (Object, error) { return l.c.Get(ctx, base, name) },
	} {
		l.operations++
		row, err := ask()
		if errors.Is(err, ErrNotFound) || err == nil && row["description"] != value {
			return fmt.Errorf("%q was written and reads as %q, %w", name, row["description"], err)
		}
	}
	return nil
}

func TestLoad(t *testing.T) {
	t.Parallel()
	length := 8 * time.Second
	if os.Getenv("ENMS_TEST_LONG") == "1" {
		length = 50 * time.Second
	}
	server := newLoadServer(t)
	var clients []*Client
	for range 2 {
		c, err := New(Config{BaseURL: server.url, Username: "admin", Password: "admin", MaxRetries: 4,
			RetryWait: 2 * time.Millisecond, RequestTimeout: 2 * time.Second}, Words{})
		testserver.Must(t, err)
		clients = append(clients, c)
	}
	callers := make([]*loadCaller, loadCallers)
	begun := time.Now()
	for i, err := range testserver.Together(loadCallers, func(i int) error {
		callers[i] = &loadCaller{c: clients[i%2], id: i}
		for n := 0; time.Since(begun) < length; n++ {
			if err := callers[i].round(t.Context(), n); err != nil {
				return err
			}
		}
		return nil
	}) {
		if err != nil {
			t.Errorf("caller %d: %v", i, err)
		}
	}
	took, requests, spoiled := time.Since(begun), server.requests.Load(), server.injector.Injected()
	for _, c := range clients {
		c.Close()
	}
	server.settle(t)
	operations, failed, instances := 0, 0, server.checkFates(t, callers)
	for _, caller := range callers {
		operations, failed = operations+caller.operations, failed+caller.failed
	}
	_, most := server.connections()
	if most > 3*loadCallers {
		t.Errorf("%d connections at a time", most)
	}
	summary := fmt.Sprintf("load: %d operations by %d callers in %s: %d requests, which would take eNMS %.0f minutes, %d of them at fault (%.1f %%); %d writes told as failed, %d instances checked, none lost or doubled; at most %d connections at a time, none left",
		operations, loadCallers, took.Round(time.Second), requests, float64(requests)/4/60, spoiled, 100*float64(spoiled)/float64(requests), failed, instances, most)
	fmt.Println(summary)
	t.Log(summary)
}

// settle takes the faults away and waits until nothing is under way and no
// connection is open.
func (l *loadServer) settle(t *testing.T) {
	t.Helper()
	testserver.Must(t, l.injector.Set())
	l.injector.Wait()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if now, _ := l.connections(); now == 0 {
			return
		} else if time.Now().After(end) {
			t.Errorf("%d connections are left", now)
			return
		}
	}
}

// checkFates compares all that the callers were told with what is there, and
// gives the number of instances that it looked for.
func (l *loadServer) checkFates(t *testing.T, callers []*loadCaller) (looked int) {
	t.Helper()
	c, err := New(Config{BaseURL: l.url, Username: "admin", Password: "admin"}, Words{})
	testserver.Must(t, err)
	defer c.Close()
	there := map[string]map[string]any{}
	for _, kind := range loadKinds {
		rows, err := c.endpoint.Query(context.Background(), kind.space, nil)
		testserver.Must(t, err)
		there[kind.space] = map[string]any{}
		for _, row := range rows {
			name := endpoint.String(row, "name")
			if _, twice := there[kind.space][name]; twice || name == "" || name == "None" {
				t.Errorf("%q is there twice, or should not be", name)
			}
			there[kind.space][name] = row["description"]
		}
	}
	for _, caller := range callers {
		for _, end := range caller.fates {
			looked++
			value, has := there[end.space][end.name]
			other, hasOther := there[end.space][end.other]
			switch {
			case has && hasOther:
				t.Errorf("%q is there under its old name and its new one", end.name)
			case hasOther:
				value = other
			case !has && !end.absent:
				t.Errorf("%q is lost", end.name)
			case has && !end.present:
				t.Errorf("%q is there although its deletion was told as done", end.name)
			}
			if (has || hasOther) && !slices.Contains(end.values, fmt.Sprint(value)) {
				t.Errorf("%q holds %q, want one of %q", end.name, value, end.values)
			}
		}
	}
	return looked
}
