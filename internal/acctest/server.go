// The eNMS of each acceptance test: a simulator, or the server that ENMS_BASE_URL names. Tests change it through
// the REST interface, as other users do.

package acctest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/acctest"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
)

// Server is the eNMS of one test.
type Server struct {
	T         *testing.T
	URL       string
	User      string
	Password  string
	Client    *enms.Client
	Simulator *simulator.Server // nil when the test runs against a real server
	Prefix    string            // begins every name, so that tests can share a server
	Former    []string          // further addresses of the server, which its providers accept in states
}

// NewServer starts a simulator, or takes the server that ENMS_BASE_URL names.
func NewServer(t *testing.T) *Server {
	t.Helper()
	return NewServerWith(t, ServerKind(), ServerOptions())
}

// NewServerWith is NewServer for a test of one kind of server. On a real server, the test is skipped unless
// ENMS_TEST_SERVER names that kind. A name that is not in ServerKinds is only that of a simulator.
func NewServerWith(t *testing.T, name string, options simulator.Options) *Server {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a server")
	}
	url := os.Getenv("ENMS_BASE_URL")
	if url != "" && name != ServerKind() {
		t.Skipf("needs a server of the kind %q: ENMS_TEST_SERVER does not say that this is one", name)
	}
	return newServer(t, url, options)
}

// NewSecondServer is NewServer for a test that needs two servers. A real one is named by
// ENMS_SECOND_BASE_URL, and has the user of the first.
func NewSecondServer(t *testing.T) *Server {
	t.Helper()
	url := os.Getenv("ENMS_SECOND_BASE_URL")
	if url == "" && os.Getenv("ENMS_BASE_URL") != "" {
		t.Skip("needs a second server: ENMS_SECOND_BASE_URL names none")
	}
	return newServer(t, url, ServerOptions())
}

// newServer starts a simulator, unless there is the URL of a server.
func newServer(t *testing.T, url string, options simulator.Options) *Server {
	t.Helper()
	s := &Server{T: t, URL: url, User: "admin", Password: "admin", Prefix: "acc-" + strings.ToLower(acctest.RandString(8)) + "-"}
	if url != "" {
		s.User, s.Password = os.Getenv("ENMS_USERNAME"), os.Getenv("ENMS_PASSWORD")
	} else {
		s.Simulator, s.URL = simtest.Start(t, options)
	}
	s.Client = newClient(t, s.URL, s.User, s.Password)
	if s.Simulator == nil {
		t.Cleanup(s.forgetRest)
	}
	return s
}

// newClient returns the client by which a test itself changes an eNMS.
func newClient(t *testing.T, url, user, password string) *enms.Client {
	t.Helper()
	client, err := enms.New(enms.Config{BaseURL: url, Username: user, Password: password}, kind.Words(kinds.All()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// ParallelIfSimulated is t.Parallel for a test whose objects affect other tests on the same server: on a real
// server, it runs by itself.
func ParallelIfSimulated(t *testing.T) {
	t.Helper()
	if os.Getenv("ENMS_BASE_URL") == "" {
		t.Parallel()
	}
}

// OnlySimulated skips a test on a real server, for the reason given.
func (s *Server) OnlySimulated(reason string) {
	s.T.Helper()
	if s.Simulator == nil {
		s.T.Skip("needs the simulator: " + reason)
	}
}

// OwnSimulator skips a test in a run against a real server, because the test starts its own simulators.
func OwnSimulator(t *testing.T) {
	t.Helper()
	if os.Getenv("ENMS_BASE_URL") != "" {
		t.Skip("needs the simulator: it has one of its own")
	}
}

// HCL returns a configuration: the provider block and the body, in which NAME- stands for the
// test's prefix.
func (s *Server) HCL(body string) string {
	return s.Block("") + s.Expand(body)
}

// Settings returns the settings of a provider that is connected to the server.
func (s *Server) Settings() map[string]string {
	return map[string]string{"base_url": s.URL, "username": s.User, "password": s.Password}
}

// Block returns the provider block with further settings.
func (s *Server) Block(settings string) string {
	return fmt.Sprintf("provider \"enms\" {\n  base_url = %q\n  username = %q\n  password = %q\n  %s\n}\n", s.URL, s.User, s.Password, settings)
}

// Expand replaces NAME- by the prefix of the test.
func (s *Server) Expand(text string) string { return strings.ReplaceAll(text, "NAME-", s.Prefix) }

// Run plays the steps; each must end in an empty plan unless it says otherwise.
func (s *Server) Run(steps ...resource.TestStep) {
	s.T.Helper()
	playSteps(s.T, steps)
}

// Context returns a context for the requests of a test.
func (s *Server) Context() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	s.T.Cleanup(cancel)
	return ctx
}

// Put returns a function that writes an instance, as another user would.
func (s *Server) Put(typ string, payload enms.Object) func() {
	if s.Simulator == nil {
		s.T.Cleanup(func() { s.Forget(typ, payload) })
	}
	return func() {
		s.T.Helper()
		for key, x := range payload {
			if text, ok := x.(string); ok {
				payload[key] = s.Expand(text)
			}
		}
		if err := s.Client.Upsert(s.Context(), enms.Type{Name: typ}, payload); err != nil {
			s.T.Fatal(err)
		}
	}
}

// Forget deletes what a test has put on a real server, if it is still there. What eNMS
// refuses to delete, because of what other tests do, stays.
func (s *Server) Forget(typ string, payload enms.Object) {
	if name, _ := payload["name"].(string); strings.HasPrefix(name, s.Prefix) {
		_, _ = s.Client.Delete(s.Context(), typ, name)
	}
}

// forgetRest deletes what a test has left on a real server and what would disturb other tests: after a rename, an
// instance is not recognized if another one has its values; and a group may get the right to read whatever they write.
func (s *Server) forgetRest() {
	ctx := s.Context()
	for _, typ := range []string{"group", "service", "credential", "pool", "link", "device"} {
		rows, _ := s.Client.Search(ctx, typ, []string{"name"}, map[string]any{"name": s.Prefix})
		for _, row := range rows {
			if name, _ := row["name"].(string); strings.Contains(name, s.Prefix) {
				_, _ = s.Client.Delete(ctx, typ, name)
			}
		}
	}
}

// Drop returns a function that deletes an instance, as another user would.
func (s *Server) Drop(typ, name string) func() {
	return func() {
		s.T.Helper()
		if _, err := s.Client.Delete(s.Context(), typ, s.Expand(name)); err != nil && !errors.Is(err, enms.ErrNotFound) {
			s.T.Fatal(err)
		}
	}
}

// Get returns an instance of eNMS with its relations.
func (s *Server) Get(typ, name string) enms.Object {
	s.T.Helper()
	object, err := s.Client.Get(s.Context(), typ, s.Expand(name))
	if err != nil {
		s.T.Fatal(err)
	}
	return object
}

// All returns all instances of a type, without their relations.
func (s *Server) All(typ string) []enms.Object {
	s.T.Helper()
	rows, err := s.Client.Endpoint().Query(s.Context(), typ, nil)
	if err != nil {
		s.T.Fatal(err)
	}
	return rows
}

// Find returns columns of an instance by a search.
func (s *Server) Find(typ, name string, columns ...string) enms.Object {
	s.T.Helper()
	row, err := s.Client.Find(s.Context(), typ, s.Expand(name), columns)
	if err != nil {
		s.T.Fatal(err)
	}
	return row
}

// Holds checks that eNMS holds a value, as JSON writes it.
func (s *Server) Holds(typ, name, field, want string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		if got := fmt.Sprint(s.Get(typ, name)[field]); got != s.Expand(want) {
			return fmt.Errorf("%s of %s %q is %s in eNMS, want %s", field, typ, name, got, want)
		}
		return nil
	}
}

// Check fails the test if a check fails.
func (s *Server) Check(check resource.TestCheckFunc) {
	s.T.Helper()
	if err := check(nil); err != nil {
		s.T.Error(err)
	}
}

// Absent checks that eNMS has no such instance.
func (s *Server) Absent(typ, name string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		_, err := s.Client.Get(s.Context(), typ, s.Expand(name))
		if !errors.Is(err, enms.ErrNotFound) {
			return fmt.Errorf("%s %q should be gone: %w", typ, name, cmp.Or(err, errors.New("it is there")))
		}
		return nil
	}
}

// Failing returns a step that must fail with an error that Says matches.
func (s *Server) Failing(config string, words ...string) resource.TestStep {
	return resource.TestStep{Config: config, ExpectError: s.Says(words...)}
}

// Says returns a regular expression that matches a text with these words one after another, whatever the line
// breaks in between.
func (s *Server) Says(words ...string) *regexp.Regexp {
	parts := make([]string, len(words))
	for i, w := range words {
		fields := strings.Fields(s.Expand(w))
		for j, f := range fields {
			fields[j] = regexp.QuoteMeta(f)
		}
		parts[i] = strings.Join(fields, `[\s│]+`)
	}
	return regexp.MustCompile(`(?s)` + strings.Join(parts, `.*`))
}

// NoWrites checks that the server saw no write.
func (s *Server) NoWrites() {
	s.T.Helper()
	if s.Simulator == nil {
		return
	}
	for _, r := range s.Simulator.Requests() {
		if r.Method != "GET" && r.Path != "/rest/search" {
			s.T.Errorf("%s %s was sent", r.Method, r.Path)
		}
	}
}

// managedTypes are the types of the instances in the examples.
var managedTypes = []string{"device", "link", "network", "pool", "group", "user", "credential", "service", "workflow_edge", "task"}

// AllInstances calls describe for each instance of the managedTypes, and returns the sorted results.
func (s *Server) AllInstances(describe func(typ string, row enms.Object) string) []string {
	s.T.Helper()
	var all []string
	for _, typ := range managedTypes {
		rows, err := s.Client.Search(s.Context(), typ, []string{"name", "id"}, map[string]any{})
		if err != nil {
			s.T.Fatal(err)
		}
		for _, row := range rows {
			all = append(all, describe(typ, row))
		}
	}
	slices.Sort(all)
	return all
}

// IDOf returns the id of a device in eNMS, "" when there is none.
func (s *Server) IDOf(name string) string {
	s.T.Helper()
	if s.Absent("device", name)(nil) == nil {
		return ""
	}
	return fmt.Sprint(s.Get("device", name)["id"])
}

// Fill creates instances in eNMS, as somebody else would.
func (s *Server) Fill(typ string, count int, payload func(i int) enms.Object) {
	s.T.Helper()
	var callers sync.WaitGroup
	for i := range count {
		callers.Go(func() { s.Put(typ, payload(i))() })
	}
	callers.Wait()
}

// NextRun returns when a task runs next. If eNMS says that the scheduler is unreachable, which may only be busy, it
// repeats the request.
func (s *Server) NextRun(name string) string {
	s.T.Helper()
	for range 20 {
		if next := fmt.Sprint(s.Get("task", name)["next_run_time"]); next != "Scheduler Unreachable" {
			return next
		}
	}
	s.T.Fatal("the scheduler is unreachable")
	return ""
}
