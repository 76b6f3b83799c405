// This file is what acceptance tests stand on: each has an eNMS of its own, a
// simulator unless ENMS_BASE_URL names a server, and plays another actor there
// through the REST interface.

package provider_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/acctest"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
)

// factories serve the provider in this process.
var factories = map[string]func() (tfprotov6.ProviderServer, error){
	"enms": func() (tfprotov6.ProviderServer, error) { return provider.NewServer("test") },
}

// server is the eNMS of one test.
type server struct {
	t         *testing.T
	url       string
	user      string
	password  string
	client    *enms.Client
	simulator *simulator.Server // nil when the test runs against a real server
	prefix    string            // begins every name, so that tests can share a server
}

// newServer starts a simulator, or takes the server that ENMS_BASE_URL names.
func newServer(t *testing.T) *server {
	t.Helper()
	return newServerLike(t, testServer(), serverOptions())
}

// newServerLike is newServer for a test that only shows on one kind of server: a
// real server counts as that kind when ENMS_TEST_SERVER says so. A name that is
// not in testServers is a simulator's alone.
func newServerLike(t *testing.T, name string, options simulator.Options) *server {
	t.Helper()
	s := &server{t: t, user: "admin", password: "admin", prefix: "acc-" + strings.ToLower(acctest.RandString(8)) + "-"}
	if s.url = os.Getenv("ENMS_BASE_URL"); s.url != "" {
		if name != testServer() {
			t.Skipf("needs a server of the kind %q: ENMS_TEST_SERVER does not say that this is one", name)
		}
		s.user, s.password = os.Getenv("ENMS_USERNAME"), os.Getenv("ENMS_PASSWORD")
	} else {
		s.simulator, s.url = simtest.Start(t, options)
	}
	client, err := enms.New(enms.Config{BaseURL: s.url, Username: s.user, Password: s.password})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	s.client = client
	return s
}

// parallelIfSimulated lets a test run beside others only where each has a server of its
// own: it makes what all tests of a real server would see.
func parallelIfSimulated(t *testing.T) {
	t.Helper()
	if os.Getenv("ENMS_BASE_URL") == "" {
		t.Parallel()
	}
}

// onlySimulated skips a test on a real server, for the reason given.
func (s *server) onlySimulated(reason string) {
	s.t.Helper()
	if s.simulator == nil {
		s.t.Skip("needs the simulator: " + reason)
	}
}

// hcl is a configuration: the provider block and the body, in which NAME-
// stands for the test's prefix.
func (s *server) hcl(body string) string {
	return s.block("") + s.expand(body)
}

// block is the provider block with further settings.
func (s *server) block(settings string) string {
	return fmt.Sprintf("provider \"enms\" {\n  base_url = %q\n  username = %q\n  password = %q\n  %s\n}\n", s.url, s.user, s.password, settings)
}

func (s *server) expand(text string) string { return strings.ReplaceAll(text, "NAME-", s.prefix) }

// run plays the steps; each must end in an empty plan unless it says otherwise.
func (s *server) run(steps ...resource.TestStep) {
	s.t.Helper()
	resource.UnitTest(s.t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: steps})
}

// ctx is the context of what a test does itself.
func (s *server) ctx() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	s.t.Cleanup(cancel)
	return ctx
}

// put writes an instance as another actor would.
func (s *server) put(typ string, payload enms.Object) func() {
	if s.simulator == nil {
		s.t.Cleanup(func() { s.forget(typ, payload) })
	}
	return func() {
		s.t.Helper()
		for key, x := range payload {
			if text, ok := x.(string); ok {
				payload[key] = s.expand(text)
			}
		}
		if err := s.client.Upsert(s.ctx(), enms.Type{Name: typ}, payload); err != nil {
			s.t.Fatal(err)
		}
	}
}

// forget deletes what a test has put on a real server, if it is still there. What eNMS
// refuses to delete, because of what other tests do, stays.
func (s *server) forget(typ string, payload enms.Object) {
	if name, _ := payload["name"].(string); strings.HasPrefix(name, s.prefix) {
		_, _ = s.client.Delete(s.ctx(), typ, name)
	}
}

// drop deletes an instance as another actor would.
func (s *server) drop(typ, name string) func() {
	return func() {
		s.t.Helper()
		if _, err := s.client.Delete(s.ctx(), typ, s.expand(name)); err != nil && !errors.Is(err, enms.ErrNotFound) {
			s.t.Fatal(err)
		}
	}
}

// get is what eNMS holds of an instance.
func (s *server) get(typ, name string) enms.Object {
	s.t.Helper()
	object, err := s.client.Get(s.ctx(), typ, s.expand(name))
	if err != nil {
		s.t.Fatal(err)
	}
	return object
}

// find is what a search answers of an instance.
func (s *server) find(typ, name string, columns ...string) enms.Object {
	s.t.Helper()
	row, err := s.client.Find(s.ctx(), typ, s.expand(name), columns)
	if err != nil {
		s.t.Fatal(err)
	}
	return row
}

// holds checks that eNMS holds a value, as JSON writes it.
func (s *server) holds(typ, name, field, want string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		if got := fmt.Sprint(s.get(typ, name)[field]); got != s.expand(want) {
			return fmt.Errorf("%s of %s %q is %s in eNMS, want %s", field, typ, name, got, want)
		}
		return nil
	}
}

// absent checks that eNMS has no such instance.
func (s *server) absent(typ, name string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		_, err := s.client.Get(s.ctx(), typ, s.expand(name))
		if !errors.Is(err, enms.ErrNotFound) {
			return fmt.Errorf("%s %q should be gone: %w", typ, name, cmp.Or(err, errors.New("it is there")))
		}
		return nil
	}
}

// failing is a step that ends in an error; the words are looked for one after
// another, whatever the line breaks of Terraform's boxes.
func (s *server) failing(config string, words ...string) resource.TestStep {
	return resource.TestStep{Config: config, ExpectError: s.says(words...)}
}

// bad is a set of attributes that the plan must refuse, and words of the error.
type bad struct {
	attributes string // on lines of their own, or separated by ", "
	words      []string
}

// refuses plans one resource for each case, all at once, and finds the error of
// each. Terraform plans only what it found valid, so cases of both sorts need a
// call each. Nothing may be sent.
func (s *server) refuses(typ string, cases ...bad) {
	s.t.Helper()
	config := s.hcl("")
	for i, c := range cases {
		config += fmt.Sprintf("resource %q \"bad_%d\" {\n%s\n}\n", typ, i, s.expand(lines(c.attributes)))
	}
	resource.UnitTest(s.t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps:                    []resource.TestStep{{Config: config, PlanOnly: true}},
		ErrorCheck: func(err error) error {
			boxes := strings.Split(err.Error(), "Error: ")
			for i, c := range cases {
				if !slices.ContainsFunc(boxes, func(box string) bool {
					return strings.Contains(box, fmt.Sprintf("%s.bad_%d,", typ, i)) && s.says(c.words...).MatchString(box)
				}) {
					s.t.Errorf("%s: no error says %q", c.attributes, c.words)
				}
			}
			if s.t.Failed() {
				s.t.Log(err)
			}
			return nil
		},
	})
	s.noWrites()
}

func (s *server) says(words ...string) *regexp.Regexp {
	parts := make([]string, len(words))
	for i, w := range words {
		fields := strings.Fields(s.expand(w))
		for j, f := range fields {
			fields[j] = regexp.QuoteMeta(f)
		}
		parts[i] = strings.Join(fields, `[\s│]+`)
	}
	return regexp.MustCompile(`(?s)` + strings.Join(parts, `.*`))
}

// keep notes an attribute of the state.
func keep(address, attribute string, value *string) resource.TestCheckFunc {
	return resource.TestCheckResourceAttrWith(address, attribute, func(v string) error {
		*value = v
		return nil
	})
}

// kept checks that an attribute is still what keep noted.
func kept(address, attribute string, value *string) resource.TestCheckFunc {
	return resource.TestCheckResourceAttrWith(address, attribute, func(v string) error {
		if v != *value {
			return fmt.Errorf("%s of %s is %s, was %s", attribute, address, v, *value)
		}
		return nil
	})
}

// lines puts attributes that are separated by ", name = " on lines of their own.
func lines(attributes string) string {
	return regexp.MustCompile(`, (\w+ = )`).ReplaceAllString(attributes, "\n$1")
}

// noWrites checks that the server saw no write.
func (s *server) noWrites() {
	s.t.Helper()
	if s.simulator == nil {
		return
	}
	for _, r := range s.simulator.Requests() {
		if r.Method != "GET" && r.Path != "/rest/search" {
			s.t.Errorf("%s %s was sent", r.Method, r.Path)
		}
	}
}
