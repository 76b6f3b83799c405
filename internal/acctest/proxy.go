// A proxy between the provider and a simulator, which replaces responses in the tests of hostile responses.

package acctest

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
)

// Rewrite returns another response body for a request to which eNMS would respond with the
// status and the body that act returns; nil leaves the response as it is. The request reaches
// eNMS only if act is called, or if nil is returned.
type Rewrite func(r *http.Request, act func() (status int, body []byte)) []byte

// Proxy stands between the provider and a simulator.
type Proxy struct {
	simulator http.Handler
	mu        sync.Mutex
	rewrite   Rewrite
}

// NewServerBehindProxy returns a server that the provider reaches through a proxy only, and the
// test itself without it. The server is a simulator.
func NewServerBehindProxy(t *testing.T) (*Server, *Proxy) {
	t.Helper()
	OwnSimulator(t)
	sim, url := simtest.Start(t, ServerOptions())
	p := &Proxy{simulator: sim}
	proxied := httptest.NewServer(p)
	t.Cleanup(proxied.Close)
	client := newClient(t, url, "admin", "admin")
	return &Server{T: t, URL: proxied.URL, User: "admin", Password: "admin", Client: client, Simulator: sim, Prefix: "NAME-"}, p
}

// SetRewrite sets what rewrites responses from now on; with nil, only those of aboutUser are replaced.
func (p *Proxy) SetRewrite(rewrite Rewrite) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rewrite = rewrite
}

// ServeHTTP responds as the simulator does, unless rewrite returns another response, or the request is about the user.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	rewrite := p.rewrite
	p.mu.Unlock()
	var answered *httptest.ResponseRecorder
	act := func() (int, []byte) {
		if answered == nil {
			answered = httptest.NewRecorder()
			p.simulator.ServeHTTP(answered, r)
		}
		return answered.Code, answered.Body.Bytes()
	}
	var body []byte
	sent, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(sent))
	if rewrite != nil {
		body = rewrite(r, act)
	}
	if about := aboutUser(r, sent); about != nil {
		body = about
	}
	if body == nil {
		act()
		w.Header().Set("Content-Type", answered.Header().Get("Content-Type"))
		w.WriteHeader(answered.Code)
		_, _ = w.Write(answered.Body.Bytes())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body)
}

// FailEach calls play with a server that refuses no request, and then once for each different request that play has sent,
// with a server that refuses this one. refused returns the request that was refused, or "" if none was: what shares a
// request differs from time to time. The server is a simulator.
func FailEach(s *Server, play func(s *Server, refused func() string)) {
	s.T.Helper()
	s.OnlySimulated("requests fail")
	var mu sync.Mutex
	failing, refused, sent := "", "", map[string]bool{}
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		request := r.Method + " " + r.URL.String() + " " + string(body)
		mu.Lock()
		fails := request == failing
		if failing == "" {
			sent[request] = true
		} else if fails {
			refused = request
		}
		mu.Unlock()
		if fails {
			http.Error(w, "no", http.StatusBadRequest)
		} else {
			s.Simulator.ServeHTTP(w, r)
		}
	}))
	s.T.Cleanup(served.Close)
	through := *s
	through.URL = served.URL
	whichRefused := func() string {
		mu.Lock()
		defer mu.Unlock()
		return refused
	}
	play(&through, whichRefused)
	for _, request := range slices.Sorted(maps.Keys(sent)) {
		mu.Lock()
		failing, refused = request, ""
		mu.Unlock()
		play(&through, whichRefused)
	}
}

// IsForMark reports whether a request asks for the newest row of the changelog. Whoever cannot have that does without.
func IsForMark(request string) bool {
	return strings.Contains(request, `"search_criteria":{},`) && strings.Contains(request, `"changelog"`)
}

// aboutUser returns the response to one of two requests about the user, or nil for any other request. The user is no
// administrator, so that the provider reads relations by a GET each, which can be rewritten. The group of the user may
// read everything: so what is missing is gone.
func aboutUser(r *http.Request, sent []byte) []byte {
	switch {
	case r.URL.Path == "/rest/query/user" && r.URL.Query().Get("name") == "admin":
		line := ByLine("", `, "creation_time": "2026-01-01 00:00:00"`) // by which the client tells the line
		return []byte(`[{"id": 1, "name": "admin", "type": "user", "is_admin": false` + line + `}]`)
	case r.URL.Path == "/rest/search" && bytes.Contains(sent, []byte(`"search_criteria":{"users":["admin"]}`)):
		return []byte(`[{"id": 1, "name": "g", "type": "group", "force_read_access": true}]`)
	}
	return nil
}

// FieldMissing as the value makes RewriteField remove the field from the response.
const FieldMissing = "missing"

// RewriteField rewrites a field of one instance in all responses: in rows that hold it, and in
// single instances even if they do not.
func RewriteField(name, field, value string) Rewrite {
	rewrite := func(row map[string]json.RawMessage) {
		var is string
		if json.Unmarshal(row["name"], &is) != nil || is != name {
			return
		}
		row[field] = json.RawMessage(value)
		if value == FieldMissing {
			delete(row, field)
		}
	}
	return func(r *http.Request, act func() (int, []byte)) []byte {
		single := strings.HasPrefix(r.URL.Path, "/rest/instance/")
		if r.Method == http.MethodDelete || single && r.Method == http.MethodPost {
			return nil
		}
		status, body := act()
		if status != http.StatusOK {
			return nil
		}
		var rows []map[string]json.RawMessage
		if !single && json.Unmarshal(body, &rows) == nil {
			var written [][]byte
			for _, row := range rows {
				if _, has := row[field]; has {
					rewrite(row)
				}
				written = append(written, marshal(row))
			}
			return slices.Concat([]byte("["), bytes.Join(written, []byte(",")), []byte("]"))
		}
		var row map[string]json.RawMessage
		if json.Unmarshal(body, &row) != nil {
			return nil
		}
		rewrite(row)
		return marshal(row)
	}
}

// marshal writes an object in JSON with its members as they are, also those that encoding/json would refuse to
// write.
func marshal(row map[string]json.RawMessage) []byte {
	var members [][]byte
	for name, value := range row {
		label, _ := json.Marshal(name)
		members = append(members, slices.Concat(label, []byte(":"), value))
	}
	return slices.Concat([]byte("{"), bytes.Join(members, []byte(",")), []byte("}"))
}
