// The recorded exchanges with a real eNMS, replayed against the simulator.

package simulator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

type scenario struct {
	Name string
	// Complete has every recorded field answered, however few clients read it.
	Complete bool
	Steps    []step
}

type step struct {
	Method, Path string
	Body         json.RawMessage
	Raw          *string
	Auth         *string
	ContentType  string `json:"content_type"`
	Status       int
	Response     any
	ResponseText string `json:"response_text"`
	ResponseType string `json:"response_type"`
	// Keep are fields of the answer that later steps of the scenario name: {{key}}.
	Keep map[string]string
	// Until are fields that the request is repeated for.
	Until map[string]any
}

func TestExchangesReplay(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]int{"exchanges.json": 161, "exchanges-breadth.json": 305, "exchanges-5.3.json": 197, "exchanges-5.3-breadth.json": 294} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			if count := replayFile(t, "testdata/"+file); count != want {
				t.Errorf("replayed %d exchanges, want %d", count, want)
			}
		})
	}
}

// replayFile plays all scenarios of a file against one server and counts the steps.
func replayFile(t *testing.T, file string) int {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var scenarios []scenario
	if err := json.Unmarshal(data, &scenarios); err != nil {
		t.Fatal(err)
	}
	version := V47
	if strings.Contains(file, "5.3") {
		version = V53
	}
	server := New(Options{Version: version, Now: ticking(time.Date(2026, 11, 21, 6, 33, 15, 0, time.UTC))})
	count := 0
	for _, scenario := range scenarios {
		kept := map[string]string{}
		for _, step := range scenario.Steps {
			count++
			t.Run(fmt.Sprintf("%03d %s/%s %s", count, scenario.Name, step.Method, step.Path), func(t *testing.T) {
				step.replay(t, server, kept, scenario.Complete)
			})
		}
	}
	return count
}

// ticking returns a clock that moves on by some milliseconds whenever it is looked at.
func ticking(at time.Time) func() time.Time {
	return func() time.Time {
		at = at.Add(3*time.Millisecond + 7*time.Microsecond)
		return at
	}
}

// tries is how often a request is made again that waits for an answer. The clock
// moves on with each, so that this is well beyond what a run takes.
const tries = 100

func (st step) replay(t *testing.T, server *Server, kept map[string]string, complete bool) {
	t.Helper()
	w := st.send(server, kept)
	got := st.check(t, w)
	for range tries {
		if arrived(got, st.Until) {
			break
		}
		got = st.check(t, st.send(server, kept))
	}
	c := comparison{deleted: st.Method == http.MethodDelete, alive: strings.HasSuffix(st.Path, "is_alive"),
		complete: complete, ordered: st.ordersRows()}
	c.values("", got, st.Response)
	for _, difference := range c.differences {
		t.Error(difference)
	}
	fields, _ := got.(map[string]any)
	for key, field := range st.Keep {
		kept[key], _ = fields[field].(string)
	}
}

// ordersRows says whether the rows of the answer stand in an order that was asked for.
func (st step) ordersRows() bool {
	var request struct{ Order []any }
	return json.Unmarshal(st.Body, &request) == nil && len(request.Order) > 0
}

func (st step) send(server *Server, kept map[string]string) *httptest.ResponseRecorder {
	path, body := st.Path, string(st.Body)
	if st.Raw != nil {
		body = *st.Raw
	}
	for key, value := range kept {
		path = strings.ReplaceAll(path, "{{"+key+"}}", url.PathEscape(value))
		body = strings.ReplaceAll(body, "{{"+key+"}}", value)
	}
	r := httptest.NewRequest(st.Method, path, strings.NewReader(body))
	contentType := "application/json"
	if st.ContentType != "" {
		contentType = st.ContentType
	}
	r.Header.Set("Content-Type", contentType)
	switch user, password, _ := strings.Cut(deref(st.Auth, "admin:admin"), ":"); {
	case user == "":
	case password == "":
		r.SetBasicAuth(user, user)
	default:
		r.SetBasicAuth(user, password)
	}
	w := httptest.NewRecorder()
	server.ServeHTTP(w, r)
	return w
}

// check compares status and type of an answer and gives its decoded body, for what
// is no JSON the recorded one.
func (st step) check(t *testing.T, w *httptest.ResponseRecorder) any {
	t.Helper()
	if w.Code != st.Status {
		t.Fatalf("status %d, recorded %d: %s", w.Code, st.Status, w.Body)
	}
	if got := w.Header().Get("Content-Type"); got != st.ResponseType {
		t.Fatalf("content type %q, recorded %q", got, st.ResponseType)
	}
	if st.ResponseType != "application/json" {
		return st.Response
	}
	var got any
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	return got
}

func arrived(got any, until map[string]any) bool {
	fields, _ := got.(map[string]any)
	for key, want := range until {
		if !reflect.DeepEqual(fields[key], want) {
			return false
		}
	}
	return true
}

func deref(s *string, otherwise string) string {
	if s == nil {
		return otherwise
	}
	return *s
}
