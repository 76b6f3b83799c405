// Tests of the questions whose answers decide what is deleted, overwritten or called gone: with each of their requests
// failing, in each way, from then on.

package enms

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// question is a question, asked by an administrator, or by ann, who sees what her group may read. ids are the ids that
// its instances have in the simulator.
type question struct {
	name string
	ann  bool
	ask  func(ctx context.Context, c *Client, ids map[string]string) (answer any, err error)
}

var questions = []question{
	{"which links a device has", false, func(ctx context.Context, c *Client, ids map[string]string) (any, error) {
		return c.RelatedByID(ctx, "link", "source_id", ids["a"])
	}},
	{"which services a workflow has", false, func(ctx context.Context, c *Client, _ map[string]string) (any, error) {
		return c.Related(ctx, "service", "workflows", "W")
	}},
	{"which tasks may have a device as a target", false, func(ctx context.Context, c *Client, _ map[string]string) (any, error) {
		return c.RelatedToAny(ctx, "task", "devices", "a", nil)
	}},
	{"whether a deletion deletes nothing else", false, func(ctx context.Context, c *Client, ids map[string]string) (any, error) {
		return c.Deletable(ctx, "device", "c", ids["c"], []Dependents{{Type: "link", Column: "source_id"}})
	}},
	{"whether a deletion deletes a link", false, func(ctx context.Context, c *Client, ids map[string]string) (any, error) {
		return c.Deletable(ctx, "device", "a", ids["a"], []Dependents{{Type: "link", Column: "source_id"}})
	}},
	{"who has a name", false, func(ctx context.Context, c *Client, _ map[string]string) (any, error) {
		return c.FindNow(ctx, "device", "a", nil)
	}},
	{"who has a free name", false, func(ctx context.Context, c *Client, _ map[string]string) (any, error) {
		return c.FindNow(ctx, "device", "free", nil)
	}},
	{"who has an id", false, func(ctx context.Context, c *Client, ids map[string]string) (any, error) {
		return c.FindByID(ctx, "device", ids["a"])
	}},
	{"who has an id, together", false, func(ctx context.Context, c *Client, ids map[string]string) (any, error) {
		return c.FindTogetherByID(ctx, "device", ids["a"])
	}},
	{"who has a free id, together", false, func(ctx context.Context, c *Client, _ map[string]string) (any, error) {
		return c.FindTogetherByID(ctx, "device", "987654")
	}},
	{"what an instance is", false, func(ctx context.Context, c *Client, _ map[string]string) (any, error) {
		object, err := c.Get(ctx, "device", "a")
		return endpoint.IDText(object["id"]), err
	}},
	{"what an instance is that ann does not see", true, func(ctx context.Context, c *Client, _ map[string]string) (any, error) {
		return c.Get(ctx, "device", "a")
	}},
	{"what an instance is that does not exist", true, func(ctx context.Context, c *Client, _ map[string]string) (any, error) {
		return c.Get(ctx, "device", "free")
	}},
	{"whether a device is gone", true, func(ctx context.Context, c *Client, ids map[string]string) (any, error) {
		return nil, c.ProveGone(ctx, "device", "node", "old", ids["a"])
	}},
	{"whether a device is gone that nobody has", true, func(ctx context.Context, c *Client, _ map[string]string) (any, error) {
		return nil, c.ProveGone(ctx, "device", "node", "old", "987654")
	}},
	{"whether a pool is gone", true, func(ctx context.Context, c *Client, _ map[string]string) (any, error) {
		return nil, c.ProveGone(ctx, "pool", "pool", "old", "987654")
	}},
	{"whether a pool is gone, for an administrator", false, func(ctx context.Context, c *Client, _ map[string]string) (any, error) {
		return nil, c.ProveGone(ctx, "pool", "pool", "old", "987654")
	}},
	{"what became of a renamed device", false, func(ctx context.Context, c *Client, _ map[string]string) (any, error) {
		fate, err := c.Fate(ctx, Subject{Type: "device", Name: "b", NameNow: "b2", Since: Mark{ID: 1}})
		return fate.Renamed != nil, err
	}},
	{"whether a mark is found", false, func(ctx context.Context, c *Client, _ map[string]string) (any, error) {
		return c.FindMark(ctx, Mark{ID: 987654, Time: "t"})
	}},
	{"whether a name is taken", false, func(ctx context.Context, c *Client, _ map[string]string) (any, error) {
		taken, err := c.Taken(ctx, "device", "a")
		return taken != nil, err
	}},
}

// spoiled are the ways in which a request fails for good. A 500 is eNMS's own answer to a type that it does not have, so
// that some questions take it for one.
var spoiled = []faults.Fault{faults.Reset, faults.Cut, faults.TooMany, faults.Unavailable, faults.Redirect, faults.HTML,
	faults.Truncated, faults.Malformed, faults.Empty}

// A question of which a request fails has the right answer, or an error that does not say that something does not exist.
func TestQuestions_whenARequestFails(t *testing.T) {
	t.Parallel()
	for _, q := range questions {
		t.Run(q.name, func(t *testing.T) {
			t.Parallel()
			s, ids := q.server(t)
			s.ResetRequests()
			right := q.answer(t, s, ids)
			requests := s.Count("")
			if requests == 0 {
				t.Fatal("no request was sent")
			}
			for nth := range requests {
				for _, fault := range spoiled {
					s.Set(t, faults.Rule{Nth: nth + 1, Fault: fault})
					if got := q.answer(t, s, ids); got != right && got != "an error" {
						t.Errorf("request %d of %d fails with %s: %s, want %s", nth+1, requests, fault, got, right)
					}
				}
			}
		})
	}
}

// server starts a server for a question.
func (q question) server(t *testing.T) (*server, map[string]string) {
	t.Helper()
	s := newServer(t, simulator.Options{})
	s.Add(t, "device", Object{"name": "a"}, Object{"name": "b"}, Object{"name": "c"})
	s.Add(t, "link", Object{"name": "l", "source_name": "a", "destination_name": "b"})
	s.Add(t, "workflow", Object{"name": "W"})
	s.Add(t, "python_snippet_service", Object{"name": "[W] S", "workflows": []string{"W"}})
	s.Add(t, "user", Object{"name": "ann", "password": "ann"})
	s.Add(t, "group", Object{"name": "g", "users": []string{"ann"}, "menu": []string{}, "pages": []string{}, "delete_requests": []string{},
		"get_requests": []string{"/rest/instance", "/rest/query"}, "post_requests": []string{"/rest/search"}})
	testserver.Must(t, s.client(t).Upsert(t.Context(), typeOf("device"), Object{"name": "b", "new_name": "b2"}))
	ids := map[string]string{}
	for _, name := range []string{"a", "c"} {
		ids[name] = idOf(t, s, "device", name)
	}
	return s, ids
}

// answer asks the question with a new client, and returns the answer as a text: "an error" if it says nothing about
// what is asked for.
func (q question) answer(t *testing.T, s *server, ids map[string]string) string {
	t.Helper()
	c := s.client(t, func(cfg *Config) {
		cfg.RequestTimeout, cfg.MaxRetries = 5*time.Second, 1
		if q.ann {
			cfg.Username, cfg.Password = "ann", "ann"
		}
	})
	answer, err := q.ask(t.Context(), c, ids)
	told := []error{ErrNotFound, ErrForbidden}
	switch hidden := new(*MaybeHiddenError); {
	case err == nil:
		return fmt.Sprint(answer)
	case errors.As(err, hidden), slices.ContainsFunc(told, func(is error) bool { return errors.Is(err, is) }):
		return err.Error()
	}
	return "an error"
}

// A row with another id than the one that was asked for is not taken for the instance.
func TestFindByID_anothersRow(t *testing.T) {
	t.Parallel()
	s := newServer(t, simulator.Options{})
	s.Add(t, "device", Object{"name": "a"})
	id := idOf(t, s, "device", "a")
	s.Intercept(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		isQuery := r.URL.Path == "/rest/query/device"
		if isQuery {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `[{"id": `+id+`9, "name": "b", "type": "device"}]`)
		}
		return isQuery
	})
	row, err := s.client(t).FindByID(t.Context(), "device", id)
	if wrong, is := errors.AsType[*FieldError](err); !is || wrong.Field != "id" {
		t.Errorf("the row %v, %v", row, err)
	}
}
