// The recorded exchanges with a real eNMS, replayed against the simulator and
// compared by the rules of the contract.

package simulator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

type scenario struct {
	Name  string
	Steps []step
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
}

func TestExchangesReplay(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/exchanges.json")
	if err != nil {
		t.Fatal(err)
	}
	var scenarios []scenario
	if err := json.Unmarshal(data, &scenarios); err != nil {
		t.Fatal(err)
	}
	server := New(Options{Now: ticking(time.Date(2026, 11, 21, 6, 33, 15, 0, time.UTC))})
	count := 0
	for _, scenario := range scenarios {
		for _, step := range scenario.Steps {
			count++
			t.Run(fmt.Sprintf("%03d %s/%s %s", count, scenario.Name, step.Method, step.Path), func(t *testing.T) {
				step.replay(t, server)
			})
		}
	}
	if count != 161 {
		t.Errorf("replayed %d exchanges, want 161", count)
	}
}

// ticking is a clock that moves on by some milliseconds whenever it is looked at.
func ticking(at time.Time) func() time.Time {
	return func() time.Time {
		at = at.Add(3*time.Millisecond + 7*time.Microsecond)
		return at
	}
}

func (st step) replay(t *testing.T, server *Server) {
	t.Helper()
	body := string(st.Body)
	if st.Raw != nil {
		body = *st.Raw
	}
	r := httptest.NewRequest(st.Method, st.Path, strings.NewReader(body))
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
	if w.Code != st.Status {
		t.Fatalf("status %d, recorded %d: %s", w.Code, st.Status, w.Body)
	}
	if got := w.Header().Get("Content-Type"); got != st.ResponseType {
		t.Fatalf("content type %q, recorded %q", got, st.ResponseType)
	}
	if st.ResponseType != "application/json" {
		return
	}
	var got any
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	c := comparison{deleted: st.Method == http.MethodDelete, alive: strings.HasSuffix(st.Path, "is_alive"),
		ordered: strings.HasSuffix(st.Path, "/search") || st.Method == http.MethodPost}
	c.values("", got, st.Response)
	for _, difference := range c.differences {
		t.Error(difference)
	}
}

func deref(s *string, otherwise string) string {
	if s == nil {
		return otherwise
	}
	return *s
}

// comparison finds where an answer differs from the recorded one beyond what the
// contract allows.
type comparison struct {
	deleted, alive, ordered bool
	differences             []string
}

func (c *comparison) differ(path string, got, want any) {
	c.differences = append(c.differences, fmt.Sprintf("%s: got %v, recorded %v", path, got, want))
}

func (c *comparison) values(path string, got, want any) {
	key := path[strings.LastIndex(path, ".")+1:]
	switch want := want.(type) {
	case map[string]any:
		c.objects(path, got, want)
	case []any:
		c.lists(path, got, want)
	case float64:
		_, isNumber := got.(float64)
		free := key == "id" || strings.HasSuffix(key, "_id") || c.alive && key == "name"
		if !isNumber || !free && got != want {
			c.differ(path, got, want)
		}
	case string:
		c.texts(path, key, got, want)
	default:
		if !reflect.DeepEqual(got, want) {
			c.differ(path, got, want)
		}
	}
}

func (c *comparison) objects(path string, got any, want map[string]any) {
	have, ok := got.(map[string]any)
	if !ok {
		c.differ(path, got, want)
		return
	}
	for key, value := range want {
		if v, ok := have[key]; ok {
			c.values(path+"."+key, v, value)
		} else {
			c.differences = append(c.differences, path+"."+key+": not answered")
		}
	}
	for key := range have {
		if _, recorded := want[key]; !recorded && !(c.deleted && key == "owners") {
			c.differences = append(c.differences, path+"."+key+": not recorded")
		}
	}
}

// lists compares in order where order was asked for, otherwise after sorting.
func (c *comparison) lists(path string, got any, want []any) {
	have, ok := got.([]any)
	if !ok || len(have) != len(want) {
		c.differ(path, got, want)
		return
	}
	if !c.ordered {
		have, want = sortedByName(have), sortedByName(want)
	}
	for i := range want {
		c.values(fmt.Sprintf("%s[%d]", path, i), have[i], want[i])
	}
}

func sortedByName(list []any) []any {
	name := func(v any) string {
		if object, ok := v.(map[string]any); ok {
			v = object["name"]
		}
		return fmt.Sprint(v)
	}
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(name(a), name(b)) })
	return list
}

var (
	emptyOrNot = regexp.MustCompile(`^(path|creator|last_modified|last_modified_by|last_scheduled_by|disabled_info)$`)
	dateText   = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`)
	leftText   = regexp.MustCompile(`^(-?\d+ days, )?\d+h:\d+m:\d+s$`)
)

func (c *comparison) texts(path, key string, got any, want string) {
	have, ok := got.(string)
	same := have == want
	switch {
	case emptyOrNot.MatchString(key):
		same = (have == "") == (want == "")
	case key == "next_run_time":
		same = same || dateText.MatchString(have) && dateText.MatchString(want)
	case key == "time_before_next_run":
		same = same || leftText.MatchString(have) && leftText.MatchString(want)
	case strings.HasPrefix(want, "Traceback … "):
		lines := strings.Split(strings.TrimSpace(have), "\n")
		same = strings.HasPrefix(have, "Traceback (most recent call last):\n") &&
			lines[len(lines)-1] == strings.TrimPrefix(want, "Traceback … ")
	}
	if !ok || !same {
		c.differ(path, got, want)
	}
}
