// This file watches what a provider sends, for tests of requests.

package provider_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// written is one instance of a write, or a call of another endpoint.
type written struct {
	path    string
	payload map[string]any // nil where the body is no object
}

// watched are the writes that were sent, in their order.
type watched struct {
	mu  sync.Mutex
	all []written
	raw []string
}

// newWatched returns a server whose provider is watched. Names begin with NAME-.
func newWatched(t *testing.T) (*acctest.Server, *watched) {
	t.Helper()
	s, l := acctest.NewServerBehindProxy(t)
	w := &watched{}
	l.SetRewrite(func(r *http.Request, _ func() (int, []byte)) []byte {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		w.note(r, body)
		return nil // it is answered as it would be
	})
	return s, w
}

func (w *watched) note(r *http.Request, body []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.Method != http.MethodPost || r.URL.Path == "/rest/search" {
		return
	}
	w.raw = append(w.raw, string(body))
	var several []map[string]any
	var one map[string]any
	if json.Unmarshal(body, &several) == nil {
		for _, payload := range several {
			w.all = append(w.all, written{r.URL.Path, payload})
		}
		return
	}
	_ = json.Unmarshal(body, &one)
	w.all = append(w.all, written{r.URL.Path, one})
}

// to returns the writes to a path that ends so, since the last forget.
func (w *watched) to(path string) (found []written) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, x := range w.all {
		if strings.HasSuffix(x.path, path) {
			found = append(found, x)
		}
	}
	return found
}

// about returns the writes of an instance, since the last forget.
func (w *watched) about(name string) (found []written) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, x := range w.all {
		if x.payload["name"] == name || x.payload["new_name"] == name {
			found = append(found, x)
		}
	}
	return found
}

// forget forgets what was written until now.
func (w *watched) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all, w.raw = nil, nil
}

// refusing returns a lie that answers writes to a path with a failure that eNMS gives for what
// it does not do.
func refusing(path string) acctest.Rewrite {
	return func(r *http.Request, _ func() (int, []byte)) []byte {
		if r.Method == http.MethodPost && r.URL.Path == path {
			return []byte(`{"failure":[[{},"Refused."]],"success":[]}`)
		}
		return nil
	}
}
