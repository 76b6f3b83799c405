// The worst that a server can do to one write, as the table in doc.go says.

package enms

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// firstPause is the pause before the first retry, by default.
const firstPause = 500 * time.Millisecond

// adversary answers so that a write takes as many requests as it can.
type adversary struct {
	retries int
	answer  func(r *http.Request) (status int, body string)

	requests int
	refused  map[string]int // by method and path: in a row, and of creations in all
	pauses   time.Duration  // the longest that the client may wait between the requests
}

// handle answers a request: with 503 as often as the client asks again, then as the case says.
func (a *adversary) handle(w http.ResponseWriter, r *http.Request, body []byte) bool {
	a.requests++
	status, answer, key := http.StatusServiceUnavailable, "", r.Method+r.URL.Path
	if a.refused[key] < a.retries {
		a.pauses += firstPause << a.refused[key]
		a.refused[key]++
	} else {
		if !bytes.Contains(body, []byte("must_be_new")) {
			a.refused[key] = 0
		}
		status, answer = a.answer(r)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprint(w, answer)
	return true
}

const (
	internalError = `{"alert": "500"}`
	misses        = `{"failure": [[{"name": "x"}, "Exception: There is no gateway in the database with the following characteristics: {'name': 'g'}"]]}`
	found         = `[{"id": 1, "name": "x", "type": "device"}]`
	otherSpelling = `[{"id": 1, "name": "X", "type": "device"}]`
)

// worstCreate answers creations: the first is refused without a reason, those after it for want of
// what this client has written, and the last one again without a reason. Each question for the name
// finds another spelling, which is gone at the next.
func worstCreate() func(r *http.Request) (int, string) {
	writes, spelled := 0, false
	return func(r *http.Request) (int, string) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/search"):
			return http.StatusOK, "[]"
		case r.Method == http.MethodGet:
			if spelled = !spelled; spelled {
				return http.StatusOK, otherSpelling
			}
			return http.StatusOK, "[]"
		}
		if writes++; writes == 1 || writes == staleTries+1 {
			return http.StatusInternalServerError, internalError
		}
		return http.StatusOK, misses
	}
}

func worstUpdate() func(r *http.Request) (int, string) {
	writes := 0
	return func(*http.Request) (int, string) {
		if writes++; writes == 1 {
			return http.StatusInternalServerError, internalError
		}
		return http.StatusOK, misses
	}
}

// worstDelete forbids a deletion, and misses the instance until the last question.
func worstDelete() func(r *http.Request) (int, string) {
	asked := 0
	return func(r *http.Request) (int, string) {
		if r.Method == http.MethodDelete {
			return http.StatusForbidden, ""
		}
		if asked++; asked < staleTries {
			return http.StatusOK, "[]"
		}
		return http.StatusOK, found
	}
}

func TestWorstCases(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("doc.go")
	testserver.Must(t, err)
	payload := Object{"name": "x", "gateways": []string{"g"}}
	for _, c := range []struct {
		name, formula string
		requests      func(m int) int
		written       []string // by this client, before
		answer        func() func(r *http.Request) (int, string)
		write         func(ctx context.Context, c *Client) error
	}{
		{"create of a name that nobody has taken", "m² + 8m + 15", func(m int) int { return m*m + 8*m + 15 }, []string{"g"}, worstCreate,
			func(ctx context.Context, c *Client) error { return create(ctx, c, "device", payload) }},
		{"update", "9(m+1)", func(m int) int { return 9 * (m + 1) }, []string{"g"}, worstUpdate,
			func(ctx context.Context, c *Client) error { return c.Upsert(ctx, typeOf("device"), payload) }},
		{"delete", "16(m+1)", func(m int) int { return 16 * (m + 1) }, []string{"x"}, worstDelete,
			func(ctx context.Context, c *Client) error { _, err := c.Delete(ctx, "device", "x"); return err }},
	} {
		for _, retries := range []int{0, 1, 3} {
			t.Run(fmt.Sprint(c.name, " with ", retries), func(t *testing.T) {
				t.Parallel()
				s := newServer(t, simulator.Options{})
				client := s.client(t, func(cfg *Config) { cfg.MaxRetries = retries })
				for _, name := range c.written {
					testserver.Must(t, client.Upsert(t.Context(), typeOf("gateway"), Object{"name": name}))
				}
				worst, mu := adversary{retries: retries, answer: c.answer(), refused: map[string]int{}}, sync.Mutex{}
				s.Intercept(func(w http.ResponseWriter, r *http.Request, body []byte) bool {
					mu.Lock()
					defer mu.Unlock()
					return worst.handle(w, r, body)
				})
				if err := c.write(t.Context(), client); !rest.InternalServerError(err) && !errors.Is(err, ErrForbidden) && !rest.Is[*RefusedError](err) {
					t.Errorf("the error is %T %v", err, err)
				}
				if want := c.requests(retries); worst.requests != want {
					t.Errorf("%d requests, want %s = %d", worst.requests, c.formula, want)
				}
				line := fmt.Sprintf("//\t%-39s  %-16s  %8d  %5.1f s\n", c.name, c.formula, worst.requests, worst.pauses.Seconds())
				if retries == 3 && !strings.Contains(string(doc), line) {
					t.Errorf("doc.go has no line %q", line)
				}
			})
		}
	}
}
