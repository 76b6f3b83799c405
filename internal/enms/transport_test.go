// Tests of what answers come to, and of secrets in what they say.

package enms

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// newHandler serves a handler and gives its address.
func newHandler(t testing.TB, handle http.HandlerFunc) string {
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	return server.URL
}

func TestErrorsOfAnswers(t *testing.T) {
	t.Parallel()
	type test struct {
		status     int
		kind, body string
		want       func(error) bool
	}
	answer := func(err error) bool { _, ok := errors.AsType[*AnswerError](err); return ok }
	field := func(err error) bool { _, ok := errors.AsType[*FieldError](err); return ok }
	for what, test := range map[string]test{
		"403":        {403, "application/json", `{}`, func(err error) bool { return errors.Is(err, ErrForbidden) && !errors.Is(err, ErrNotFound) }},
		"object":     {200, "application/json", `{"message": "x"}`, answer},
		"null":       {200, "application/json", `null`, answer},
		"not rows":   {200, "application/json", `[1]`, answer},
		"bad name":   {200, "application/json", `[{"id":1,"name":null,"type":"device"}]`, field},
		"bad id":     {200, "application/json", `[{"id":"1","name":"a","type":"device"}]`, field},
		"huge id":    {200, "application/json", `[{"id":99999999999999999999,"name":"a","type":"device"}]`, field},
		"broken id":  {200, "application/json", `[{"id":1.5,"name":"a","type":"device"}]`, field},
		"bad type":   {200, "application/json", `[{"id":1,"name":"a","type":[]}]`, field},
		"other name": {200, "application/json", `[{"id":1,"name":"b","type":"device"}]`, func(err error) bool { return errors.Is(err, ErrNotFound) }},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			at := newHandler(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", test.kind)
				w.Header().Set("Location", "/login?next=secret")
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.body)
			})
			c := newTestClient(t, at)
			for name, do := range map[string]func() error{
				"query": func() error { _, err := c.queryOne(t.Context(), "device", "name", "a"); return err },
				"find":  func() error { _, err := c.Find(t.Context(), "device", "a", nil); return err },
			} {
				err := do()
				if err == nil || !test.want(err) || strings.ContainsAny(err.Error(), "\n<") || strings.Contains(err.Error(), "secret") {
					t.Errorf("%s: %T %v", name, err, err)
				}
			}
		})
	}
}

func TestForbiddenAndAbsent(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.Add(t, "device", Object{"name": "there"})
	c := f.client(t)
	if _, err := c.Get(t.Context(), "device", "gone"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, err := c.Delete(t.Context(), "device", "gone"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	_, err := c.Delete(t.Context(), "service", "[Shared] Start")
	if refused, ok := errors.AsType[*RefusedError](err); !ok || !strings.Contains(refused.Reason, "not allowed to delete") {
		t.Error(err)
	}
	id := fmt.Sprint(f.Get(t, "device", "there")["id"])
	if row, err := c.FindByID(t.Context(), "device", id); err != nil || row["name"] != "there" {
		t.Error(row, err)
	}
	if _, err := c.FindByID(t.Context(), "device", "99"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	// A user who may see the device and ask for it in queries only.
	f.Add(t, "group", Object{"name": "g", "get_requests": []string{"/rest/query"}})
	f.Add(t, "user", Object{"name": "bob", "password": "bob", "groups": []string{"g"}})
	f.Add(t, "device", Object{"name": "there", "rbac_read": []string{"g"}})
	c = f.client(t, func(cfg *Config) { cfg.Username, cfg.Password = "bob", "bob" })
	if _, err := c.Get(t.Context(), "device", "there"); !errors.Is(err, ErrForbidden) || errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, err := c.Delete(t.Context(), "device", "there"); !errors.Is(err, ErrForbidden) {
		t.Error(err)
	}
	if f.Count("HEAD") != 0 {
		t.Error("HEAD makes eNMS fail")
	}
}

// Neither errors nor the log may hold a secret, whatever the server echoes.
func TestSecrets(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var logged strings.Builder
	f := newServer(t, simulator.Options{})
	f.Add(t, "user", Object{"name": "keeper", "password": "s3cret-password", "is_admin": true})
	c := f.client(t, func(cfg *Config) {
		cfg.Username, cfg.Password = "keeper", "s3cret-password"
		cfg.Headers = map[string]string{"X-Gateway": "gateway-secret"}
		cfg.Logger = func(_ context.Context, msg string, fields map[string]any) {
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintln(&logged, msg, fields)
		}
	})
	// eNMS quotes the name of the group that it does not have.
	payload := Object{"name": "a", "password": "instance-secret", "groups": []string{"instance-secret"}}
	err := create(t.Context(), c, "credential", payload)
	if refused, ok := errors.AsType[*RefusedError](err); !ok || !strings.Contains(refused.Reason, "***") {
		t.Error(err)
	}
	f.Intercept(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		http.Redirect(w, r, "/login?next=s3cret-password", http.StatusFound)
		return true
	})
	_, redirected := c.endpoint.Query(t.Context(), "credential", map[string]string{"name": "a"})
	all := fmt.Sprint(err, redirected, logged.String())
	for _, secret := range []string{"s3cret-password", "gateway-secret", "instance-secret", "Traceback"} {
		if strings.Contains(all, secret) {
			t.Errorf("%s in %s", secret, all)
		}
	}
	for _, field := range []string{"method:POST", "path:/rest/instance/credential", "entries:1", "status:200", "attempt:1", "duration:"} {
		if !strings.Contains(all, field) {
			t.Errorf("%s is not in the log: %s", field, all)
		}
	}
}
