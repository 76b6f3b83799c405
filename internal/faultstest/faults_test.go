// The matrix of faults: every operation, with every fault, before and after the
// server has acted, at each of the operation's requests once and at all of them.
// An apply either succeeds or fails with a clear error, and the next one without
// faults converges: exactly one instance of each, with the right content.
//
// The request that is at fault once is, by default, the first write, each write of
// a creation, or the first request where there is no write; ENMS_TEST_LONG=1 takes
// every request in its turn.

package faultstest

import (
	"context"
	"fmt"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
)

const (
	// faultyTimeout is the provider's patience with faults that nothing else ends.
	// A sound answer takes a millisecond; one that is late all the same is only
	// another fault.
	faultyTimeout = 250 * time.Millisecond
	faultyRetries = 2
	// faultyPlayers is how many cases are played at a time: most of them wait.
	faultyPlayers = 24
	// shortShare is that every so many'th case is played without ENMS_TEST_LONG=1.
	shortShare = 9
)

// lasting stands for the number of a request where all are at fault.
const lasting = 0

// faultyCase is a field of the matrix.
type faultyCase struct {
	operation faultyOperation
	kind      string
	fault     faults.Fault
	when      faults.When
	request   int // counted from 1, or lasting
}

func (c faultyCase) String() string {
	span := fmt.Sprintf("request %d", c.request)
	if c.request == lasting {
		span = "all requests"
	}
	return fmt.Sprintf("%s/%s/%s/%s/%s", c.operation.name, c.kind, c.fault, c.when, span)
}

// lie tells a fault that says that nothing was done although it was, in a way
// that nobody can see through: a server that redirects every single request is
// no eNMS, and eNMS's own 500 means that a name is taken, maybe by another run
// that creates the same at this moment. A creation then leaves an instance that
// nothing tells from somebody else's. To take it over unasked would be worse than
// to say that the name is taken and show the import block, so this is where the
// next apply does not converge by itself; it does once the import that the error
// shows is done.
func (c faultyCase) lie() bool {
	if !c.operation.creates || c.operation.taken || c.when != faults.After {
		return false
	}
	if c.request == lasting {
		return c.fault == faults.Redirect
	}
	return c.fault == faults.Error500
}

// TestFaults_everyOperationWithEveryFault runs every operation with every fault, before and after the server
// has acted:
//   - A creation whose response was lost, or that timed out, is remembered: eNMS may
//     have done it, or may still do it.
//   - An equal instance that somebody else created earlier is not taken for the result
//     of a creation ("create of a taken name"): its last_modified must be of that
//     moment, by this user.
//   - A rename that ended in 500 after it took effect is not reported as a taken name,
//     and one that changed other attributes too is recognised after a lost response.
//
// In two cases the next apply converges only with the import block of the error. If
// every single request was redirected, the base URL may be wrong, and then nothing may
// stay in the state. If eNMS responded with its own 500, it says that nothing was kept,
// so what has the name may be what another run has just created.
func TestFaults_everyOperationWithEveryFault(t *testing.T) {
	acctest.OwnSimulator(t)
	t.Parallel()
	cases := make(chan faultyCase)
	var played, unreached atomic.Int64
	var players sync.WaitGroup
	for range faultyPlayers {
		players.Go(func() {
			for c := range cases {
				t.Run(c.String(), func(t *testing.T) {
					p := newFaultyPlay(t, c)
					p.play()
					played.Add(1)
					if p.injector.Injected() == 0 {
						unreached.Add(1)
					}
				})
			}
		})
	}
	share := shortShare
	if acctest.Long() {
		share = 1
	}
	for n, c := range faultyCases(t) {
		if (n+n/len(faults.All()))%share == 0 { // not always the same faults
			cases <- c
		}
	}
	close(cases)
	players.Wait()
	t.Logf("%d cases, of which %d met no fault, because they made fewer requests than when those were counted", played.Load(), unreached.Load())
	if unreached.Load()*20 > played.Load() {
		t.Errorf("%d of %d cases met no fault", unreached.Load(), played.Load())
	}
}

// A rename that eNMS did and whose answer was a redirect is known again by the next apply,
// although the instance has another content, too: also of kinds that are renamed by id,
// whose renames the client sends as updates.
func TestFaults_renameWhoseAnswerIsARedirect(t *testing.T) {
	t.Parallel()
	for _, name := range allKinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := faultyCase{operation: operationNamed("rename and update"), kind: name, fault: faults.Redirect, when: faults.After}
			for _, write := range newFaultyPlay(t, c).measure() {
				c.request = write
				newFaultyPlay(t, c).play()
			}
		})
	}
}

// alike are the faults between which no call of the client makes a difference, as
// TestFaultsOfEachCall shows: the short form plays one of each list in turn.
var alike = [][]faults.Fault{
	{faults.Refuse, faults.Reset, faults.Cut},
	{faults.BadGateway, faults.Unavailable, faults.GatewayTimeout},
	{faults.HTML, faults.Truncated, faults.Malformed, faults.Empty, faults.Huge},
	{faults.Delay, faults.Endless},
}

// takesTurn reports whether a fault is played in a turn.
func takesTurn(fault faults.Fault, turn int) bool {
	for _, list := range alike {
		if i := slices.Index(list, fault); i >= 0 {
			return i == turn%len(list)
		}
	}
	return true
}

// faultyCases returns all fields of the matrix with ENMS_TEST_LONG=1. Otherwise one of the faults
// that are alike; of kinds that are not in thorough, each fault once with the operations of which
// each kind has its own part.
func faultyCases(t *testing.T) (cases []faultyCase) {
	t.Helper()
	turn := 0
	thin := func(kind string) bool {
		return !acctest.Long() && !slices.Contains(acctest.ThoroughKinds, kind) && kind != "thorough kinds"
	}
	requestsOf := measureAll(t, func(c faultyCase) bool { return c.operation.everyKind || !thin(c.kind) })
	for _, operation := range faultyOperations {
		for _, kind := range operation.kinds {
			requests, is := requestsOf[[2]string{operation.name, kind}]
			if !is {
				continue
			}
			thin := thin(kind)
			var all []faultyCase
			for _, when := range []faults.When{faults.Before, faults.After} {
				for _, request := range append(requests, lasting) {
					turn++
					for _, fault := range faults.All() {
						if fault == faults.Flood || fault == faults.Late && when == faults.After {
							continue // the client's own tests have the one; the other is no different
						}
						if thin || acctest.Long() || takesTurn(fault, turn) {
							all = append(all, faultyCase{operation, kind, fault, when, request})
						}
					}
				}
			}
			if thin {
				all = oneOfEachFault(len(cases), all)
			}
			cases = append(cases, all...)
		}
	}
	return cases
}

// measureAll returns the requests of operations that may be at fault, by the names of operation and kind. Most of the time
// of a play is waiting, so they are played together.
func measureAll(t *testing.T, wanted func(faultyCase) bool) map[[2]string][]int {
	t.Helper()
	var mu sync.Mutex
	requests := map[[2]string][]int{}
	var players sync.WaitGroup
	for _, operation := range faultyOperations {
		for _, kind := range operation.kinds {
			c := faultyCase{operation: operation, kind: kind}
			if !wanted(c) {
				continue
			}
			players.Go(func() {
				t.Run("measure "+c.String(), func(t *testing.T) {
					measured := newFaultyPlay(t, c).measure()
					mu.Lock()
					defer mu.Unlock()
					requests[[2]string{operation.name, kind}] = measured
				})
			})
		}
	}
	players.Wait()
	return requests
}

// oneOfEachFault takes one case of each fault, others for other turns.
func oneOfEachFault(turn int, all []faultyCase) (some []faultyCase) {
	byFault := map[faults.Fault][]faultyCase{}
	for _, c := range all {
		byFault[c.fault] = append(byFault[c.fault], c)
	}
	for i, fault := range slices.Sorted(maps.Keys(byFault)) {
		some = append(some, byFault[fault][(turn+i)%len(byFault[fault])])
	}
	return some
}

// faultyPlay is one case under way, with an eNMS of its own.
type faultyPlay struct {
	t        *testing.T
	c        faultyCase
	s        *acctest.Server // sees the simulator without the faults
	injector *faults.Injector
	url      string        // of the injector
	sound    *acctest.Core // see core
	managed  []*managed
	others   []string // names of instances that are there and not managed
}

// managed is one resource of the configuration.
type managed struct {
	kind   *kind.Kind
	config acctest.Attributes // nil when it is to be destroyed
	state  acctest.ResourceState
	was    string // its name before the operation, "" when there was none
}

func (m *managed) typ() string { return "enms_" + m.kind.Name }

// found returns the type by which eNMS finds the instance.
func (m *managed) found() string { return acctest.TypeOf(m.kind, m.config) }

func (m *managed) name() string { return m.config["name"].(string) }

func newFaultyPlay(t *testing.T, c faultyCase) *faultyPlay {
	t.Helper()
	acctest.OwnSimulator(t)
	p := &faultyPlay{t: t, c: c}
	p.s, p.injector, p.url = newFaulty(t, acctest.ServerOptions())
	p.s.Former = []string{p.url}
	return p
}

// newFaulty returns a simulated eNMS, and an injector of faults with its address.
func newFaulty(t *testing.T, options simulator.Options) (s *acctest.Server, injector *faults.Injector, url string) {
	t.Helper()
	s = &acctest.Server{T: t, User: "admin", Password: "admin"}
	s.Simulator, s.URL = simtest.Start(t, options)
	injector, err := faults.New(s.Simulator)
	if err == nil {
		s.Client, err = enms.New(enms.Config{BaseURL: s.URL, Username: "admin", Password: "admin"}, kind.Words(kinds.All()))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Client.Close)
	served := httptest.NewServer(injector)
	t.Cleanup(served.Close)
	return s, injector, served.URL
}

// core returns a provider that sees no faults. It stands for all of Terraform's runs before
// and after the one with faults.
func (p *faultyPlay) core() *acctest.Core {
	if p.sound == nil {
		p.sound = p.s.Core(acctest.Attributes{"adopt_existing": p.c.operation.adopts})
	}
	return p.sound
}

// faultyCore returns a provider that sees the faults.
func (p *faultyPlay) faultyCore() *acctest.Core {
	block := acctest.Attributes{"adopt_existing": p.c.operation.adopts}
	block["base_url"], block["username"], block["password"] = p.url, p.s.User, p.s.Password
	block["former_base_urls"] = []string{p.s.URL}
	block["max_retries"] = faultyRetries
	if slices.Contains([]faults.Fault{faults.Delay, faults.Late, faults.Endless}, p.c.fault) {
		block["request_timeout"] = faultyTimeout.String()
	}
	return acctest.NewCoreOf(p.t, acctest.ProviderWithoutWaits(), block)
}

// measure plays the operation without a fault and gives the numbers of the
// requests that are to be at fault, one at a time.
func (p *faultyPlay) measure() []int {
	p.t.Helper()
	p.c.operation.begin(p)
	p.s.Simulator.ResetRequests()
	if diags := p.operate(p.faultyCore()); diags.Failed() != p.c.operation.taken {
		p.t.Fatalf("%s without a fault: %s", p.c, diags)
	}
	var all, writes []int
	for i, r := range p.s.Simulator.Requests() {
		all = append(all, i+1)
		if strings.HasPrefix(r.Path, "/rest/instance/") && r.Method != "GET" {
			writes = append(writes, i+1)
		}
	}
	switch {
	case acctest.Long():
		return all
	case len(writes) == 0:
		return all[:1]
	}
	if !p.c.operation.creates {
		return writes[:1]
	}
	return writes
}

// play plays the case.
func (p *faultyPlay) play() {
	p.t.Helper()
	p.c.operation.begin(p)
	faulty := p.faultyCore()
	rule := faults.Rule{Fault: p.c.fault, When: p.c.when, Nth: p.c.request}
	if p.c.request != lasting {
		rule.Count = 1
	}
	if err := p.injector.Set(rule); err != nil {
		p.t.Fatal(err)
	}
	p.s.Simulator.ResetRequests()
	diags := p.operate(faulty)
	if p.c.operation.taken && !diags.Failed() {
		p.t.Error("took over what was there")
	}
	if err := p.injector.Set(); err != nil {
		p.t.Fatal(err)
	}
	p.injector.Wait()
	if sent := len(p.s.Simulator.Requests()); p.injector.Injected() == 0 && !diags.Failed() && sent >= p.c.request {
		p.t.Errorf("nothing went wrong in %d requests", sent) // how many share one depends on how busy the machine is
	}
	p.t.Logf("the apply said: %s", diags)
	if p.c.lie() {
		p.age() // the next apply is not in the same moment
	}
	p.checkErrors(diags)
	for _, m := range p.managed {
		p.converge(m)
	}
	p.checkServer()
}

// operate does the operation on all resources at the same time.
func (p *faultyPlay) operate(c *acctest.Core) acctest.Problems {
	p.t.Helper()
	found := make([]acctest.Problems, len(p.managed))
	c = c.NewRun()
	var callers sync.WaitGroup
	for i, m := range p.managed {
		callers.Go(func() {
			before := m.state
			if !before.Value.IsNull() {
				m.was = before.Text(p.t, "name")
			}
			m.state, found[i] = p.c.operation.do(c, m)
			if !found[i].Failed() && !p.c.operation.deletes && m.state.Value.IsNull() {
				p.t.Errorf("%s succeeded without a state", p.c.operation.name)
			}
			if p.c.operation.reads && !before.Value.IsNull() && !m.state.Value.Equal(before.Value) {
				p.t.Errorf("reading changed the state to %s", m.state.Value)
			}
		})
	}
	callers.Wait()
	return slices.Concat(found...)
}

// checkErrors sees to it that each error is clear: one line that names the
// instance, or says that all are concerned, and nothing that is only for programmers. A warning names it in the detail:
// Terraform shows those with the same summary as one.
func (p *faultyPlay) checkErrors(diags acctest.Problems) {
	p.t.Helper()
	for _, d := range diags {
		names := d.Summary
		if d.Severity == tfprotov6.DiagnosticSeverityWarning {
			names += d.Detail
		}
		named := strings.Contains(d.Summary, " of every ") || slices.ContainsFunc(p.managed, func(m *managed) bool {
			return strings.Contains(names, fmt.Sprintf("%q", m.was)) || m.config != nil && strings.Contains(names, fmt.Sprintf("%q", m.name()))
		})
		if !named || strings.ContainsAny(d.Summary, "\n\r") || len(d.Summary) > 150 || len(d.Detail) < 20 || len(d.Detail) > 1500 {
			p.t.Errorf("not a clear error: %s: %s", d.Summary, d.Detail)
		}
		for _, word := range []string{"Traceback", "panic", "goroutine", "%!", "<nil>", "<html", "<title", "nil pointer"} {
			if strings.Contains(d.Summary+d.Detail, word) {
				p.t.Errorf("%q in an error: %s: %s", word, d.Summary, d.Detail)
			}
		}
	}
}

// converge refreshes and applies without faults, until a plan is empty, with the import that an
// error shows.
func (p *faultyPlay) converge(m *managed) {
	p.t.Helper()
	c := p.core()
	p.refresh(c, m)
	var diags acctest.Problems
	if m.state, diags = c.Apply(m.typ(), m.config, m.state); diags.Failed() {
		text := diags.String()
		if !p.c.lie() && !p.c.operation.taken || !strings.Contains(text, fmt.Sprintf("import it with the id %q", acctest.ImportIDOf(m.kind, m.config))) {
			p.t.Fatalf("the next apply failed: %s", text)
		}
		p.t.Logf("had to be imported: %s %q", m.kind.Name, m.name())
		if m.state, diags = c.ImportByName(m.typ(), acctest.ImportIDOf(m.kind, m.config)); diags.Failed() {
			p.t.Fatalf("the import that the error shows failed: %s", diags)
		}
		if m.state, diags = c.Apply(m.typ(), m.config, m.state); diags.Failed() {
			p.t.Fatalf("the apply after the import failed: %s", diags)
		}
	}
	p.refresh(c, m)
	if again, diags := c.Plan(m.typ(), m.config, m.state); diags.Failed() || !again.Noop {
		p.t.Errorf("the plan after the apply is not empty: %s\n%s\n%s", diags, m.state.Value, again.Value)
	}
}

func (p *faultyPlay) refresh(c *acctest.Core, m *managed) {
	p.t.Helper()
	m.state = c.Refreshed(m.typ(), m.state)
}

// initialNames are the names that every eNMS has, of the kinds' types.
var initialNames = sync.OnceValues(func() ([]string, error) {
	server := httptest.NewServer(simulator.New(acctest.ServerOptions()))
	defer server.Close()
	client, err := enms.New(enms.Config{BaseURL: server.URL, Username: "admin", Password: "admin"}, kind.Words(kinds.All()))
	if err != nil {
		return nil, err
	}
	defer client.Close()
	return allNames(client)
})

// allNames returns the names of all that an eNMS holds of the kinds' types.
func allNames(client *enms.Client) (names []string, err error) {
	var types []string
	for _, k := range acctest.Kinds() {
		if namespace := acctest.Namespace(k); k.AnyType == nil && !slices.Contains(types, namespace) {
			types = append(types, namespace)
		}
	}
	for _, typ := range types {
		rows, err := client.Endpoint().Query(context.Background(), typ, nil)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			names = append(names, fmt.Sprint(row["name"]))
		}
	}
	slices.Sort(names)
	return names, nil
}

// checkServer looks at all that eNMS holds: exactly what is managed and what was
// there, with the right content.
func (p *faultyPlay) checkServer() {
	p.t.Helper()
	initial, err := initialNames()
	if err != nil {
		p.t.Fatal(err)
	}
	want := append(slices.Clone(initial), p.others...)
	for _, m := range p.managed {
		if m.config != nil {
			want = append(want, m.name())
			p.checkContent(m)
		}
	}
	got, err := allNames(p.s.Client)
	if err != nil {
		p.t.Fatal(err)
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		p.t.Errorf("eNMS holds %q, want %q", got, want)
	}
}

// checkContent compares an instance with its configuration.
func (p *faultyPlay) checkContent(m *managed) {
	p.t.Helper()
	held := p.s.Get(m.found(), m.name())
	if id := m.state.Text(p.t, "id"); id != fmt.Sprint(held["id"]) {
		p.t.Errorf("the id of %s %q is %s in the state and %v in eNMS", m.kind.Name, m.name(), id, held["id"])
	}
	for _, a := range m.kind.Rows() {
		switch want := m.config[a.Name].(type) {
		case nil:
		case map[string]any:
			for name, want := range want {
				p.same(m, name, held[name], want)
			}
		case tftypes.Value: // criteria, and secrets, which eNMS never answers
			for property, criterion := range acctest.Members(p.t, want) {
				if a.Type == kind.Criteria {
					p.same(m, a.Prefix+property, held[a.Prefix+property], acctest.GoValue(p.t, acctest.Members(p.t, criterion)["value"]))
				}
			}
		default:
			if a.Role != kind.Secret && a.Role != kind.Setting {
				p.same(m, a.Name, held[a.Name], want)
			}
		}
	}
}

// same compares a field with what it should be.
func (p *faultyPlay) same(m *managed, field string, got, want any) {
	p.t.Helper()
	if want == nil {
		want = ""
	}
	if names, many := want.([]string); many { // in any order
		got, want = acctest.Sorted(got), slices.Sorted(slices.Values(names))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		p.t.Errorf("%s of %s %q is %v, want %v", field, m.kind.Name, m.name(), got, want)
	}
}
