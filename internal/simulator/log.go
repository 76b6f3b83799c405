// The log of the requests: never credentials, never bodies.

package simulator

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// Request is one request as the server's log has it.
type Request struct {
	// Method and Path are what was asked for, the path decoded and without the query.
	Method, Path string
	// RawQuery is the query as it was sent, without the question mark.
	RawQuery string
	// Type is the instance type, "" where a request has none.
	Type string
	// Status is the HTTP status of the answer.
	Status int
	// Entries is the number of list members in the body: 1 for an object, 0 for
	// none, for an empty one, or for a body that is no JSON.
	Entries int
	// Answered is the number of rows of a list, 1 for an object, the number of names
	// in success for an upsert, 0 for an error.
	Answered int
	// Duration is real time, waiting for the server's core included.
	Duration time.Duration
	// At is when the request was taken up, by the server's clock.
	At time.Time
}

// requestLog has a lock of its own so that tests can look while a request runs.
type requestLog struct {
	to io.Writer // nil for none

	mu       sync.Mutex // guards requests
	requests []Request
}

// Requests returns a copy of the log since New or the last ResetRequests.
func (l *requestLog) Requests() []Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.requests)
}

// ResetRequests empties the log.
func (l *requestLog) ResetRequests() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = nil
}

func (l *requestLog) note(r Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = append(l.requests, r)
	if l.to != nil {
		_, _ = fmt.Fprintf(l.to, "%s %q %d entries=%d %s\n", r.Method, r.Path, r.Status, r.Entries,
			r.Duration.Round(time.Microsecond))
	}
}

// describe notes what a request is about.
func (r *Request) describe(path []string, keywords *python.Dict) {
	switch path[0] {
	case "instance", "query":
		if len(path) > 1 {
			r.Type = path[1]
		}
	case "search":
		r.Type, _ = keywords.Get("type").(string)
	}
	if r.Method != "POST" || keywords.Size() == 0 {
		return
	}
	r.Entries = 1
	if list, ok := keywords.Get("list_data").([]any); ok {
		r.Entries = len(list)
	}
}

// answered returns Request.Answered for an answer.
func answered(a reply) int {
	rows, isList := a.value.([]python.Record)
	r, isRecord := a.value.(python.Record)
	switch {
	case a.status != http.StatusOK || !isList && !isRecord:
		return 0
	case isList:
		return len(rows)
	}
	entries := 1
	for _, m := range r {
		names, isList := m.Value.([]any)
		if isList && m.Key == "success" {
			return len(names)
		}
		if isList && m.Key == "failure" {
			entries = 0
		}
	}
	return entries
}
