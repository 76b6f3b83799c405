// A record of what a provider sends.

package acctest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// PathOfPools is where eNMS computes all pools.
const PathOfPools = "/rest/update_all_pools"

// Written is one instance of a write, or a call of another endpoint.
type Written struct {
	Path    string
	Payload map[string]any // nil where the body is no object
}

// Watched records the writes that a provider sends, in their order.
type Watched struct {
	mu  sync.Mutex
	all []Written
	Raw []string // the bodies
}

// NewWatched returns a server, and the record of what is written to it through its URL. Names begin with NAME-.
func NewWatched(t *testing.T) (*Server, *Watched) {
	t.Helper()
	s, proxy := NewServerBehindProxy(t)
	w := &Watched{}
	proxy.SetRewrite(func(r *http.Request, _ func() (int, []byte)) []byte {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		w.add(r, body)
		return nil // the response stays as it is
	})
	return s, w
}

// add records a request if it is a write or a call of another endpoint.
func (w *Watched) add(r *http.Request, body []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.Method != http.MethodPost || r.URL.Path == "/rest/search" {
		return
	}
	w.Raw = append(w.Raw, string(body))
	var several []map[string]any
	var one map[string]any
	if json.Unmarshal(body, &several) == nil {
		for _, payload := range several {
			w.all = append(w.all, Written{r.URL.Path, payload})
		}
		return
	}
	_ = json.Unmarshal(body, &one)
	w.all = append(w.all, Written{r.URL.Path, one})
}

// To returns the writes since the last Forget to paths with a suffix.
func (w *Watched) To(suffix string) (found []Written) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, x := range w.all {
		if strings.HasSuffix(x.Path, suffix) {
			found = append(found, x)
		}
	}
	return found
}

// About returns the writes of an instance since the last Forget.
func (w *Watched) About(name string) (found []Written) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, x := range w.all {
		if x.Payload["name"] == name || x.Payload["new_name"] == name {
			found = append(found, x)
		}
	}
	return found
}

// Forget forgets what was written until now.
func (w *Watched) Forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all, w.Raw = nil, nil
}

// Refusing returns a Rewrite by which all writes to a path fail.
func Refusing(path string) Rewrite {
	return func(r *http.Request, _ func() (int, []byte)) []byte {
		if r.Method == http.MethodPost && r.URL.Path == path {
			return []byte(`{"failure":[[{},"Refused."]],"success":[]}`)
		}
		return nil
	}
}

// CountRequests does something and returns the requests that this took. It fails the test, with a log, if
// there are more than the limit.
func CountRequests(s *Server, what string, limit int, do func()) []simulator.Request {
	s.T.Helper()
	s.Simulator.ResetRequests()
	do()
	requests := s.Simulator.Requests()
	s.T.Logf("%s: %d requests, at most %d", what, len(requests), limit)
	if len(requests) > limit {
		var log strings.Builder
		for _, r := range requests[:min(len(requests), 200)] {
			fmt.Fprintf(&log, "%s %s %s %s: %d, %d entries, %d answered\n", r.At.Format("05.000"), r.Method, r.Path, r.RawQuery, r.Status, r.Entries, r.Answered)
		}
		s.T.Errorf("%s: %d requests, want at most %d:\n%s", what, len(requests), limit, &log)
	}
	return requests
}
