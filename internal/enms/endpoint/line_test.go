// Tests of what eNMS 5 says differently, against a server that answers as it does.

package endpoint

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// asking returns a client of a server that gives these answers.
func asking(t *testing.T, answers ...string) (*Client, *testserver.Script) {
	t.Helper()
	r := testserver.NewScript(t, answers...)
	words := object.Words{
		Renamed:    map[string]map[string]string{"network": {"nodes": "devices"}, "group": {"credentials": "rbac_use_credentials"}},
		Texts:      map[string][]string{"rest_call_service": {"payload"}},
		Unreferred: map[string]bool{"task": true},
	}
	c, err := New(rest.Config{BaseURL: r.URL, Username: "me", Password: "secret"}, words)
	if err != nil {
		t.Fatal(err)
	}
	return c, r
}

// The answers about the user by which the lines differ.
const (
	userOf4 = `[{"id": 1, "name": "me", "type": "user", "is_admin": true}]`
	userOf5 = `[{"id": 1, "name": "me", "type": "user", "is_admin": true, "creation_time": ""}]`
)

// What the lines write differently is not written while nothing tells which line this is: eNMS 5 would
// ignore what it does not know.
func TestLine_unknown(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	t.Cleanup(server.Close)
	c, err := New(rest.Config{BaseURL: server.URL, Username: "me", Password: "secret"}, object.Words{Renamed: map[string]map[string]string{"network": {"nodes": "devices"}}})
	if err != nil {
		t.Fatal(err)
	}
	if line, err := c.Line(t.Context()); err == nil || line != 0 {
		t.Errorf("line %d, %v", line, err)
	}
	if sent, err := c.Payload(t.Context(), "network", Object{"name": "n", "nodes": []any{"d"}}); err == nil {
		t.Errorf("sent %v", sent)
	}
	if _, err := c.LosesNames(t.Context()); err == nil {
		t.Error("it is known whether names are lost")
	}
}

// Payloads and searches are sent in the words of the line, and answers are read as those of 4.7.
func TestWords(t *testing.T) {
	t.Parallel()
	c, r := asking(t, userOf5, `{"id": 1, "name": "[Shared] Start", "type": "service", "high_performance": false, "creation_time": ""}`,
		`[{"id": 2, "name": "n", "type": "network", "devices": ["d"], "creation_time": ""}]`,
		`{"id": 3, "name": "r", "type": "rest_call_service", "payload": "{\"a\": 1}", "creation_time": ""}`,
		`[{"id": 4, "name": "d", "type": "generic_device"}, {"id": 5, "name": "l", "type": "generic_link"}]`)
	for _, test := range []struct {
		typ        string
		send, want Object
	}{
		{"network", Object{"name": "n", "nodes": []any{"d"}}, Object{"name": "n", "devices": []any{"d"}, "serialized": ""}},
		{"network", Object{"name": "n", "model": "m"}, Object{"name": "n", "model": "m", "serialized": ""}},
		{"rest_call_service", Object{"payload": map[string]any{"a": 1}}, Object{"payload": `{"a":1}`}},
		{"rest_call_service", Object{"payload": map[string]any{}}, Object{"payload": ""}},
		{"rest_call_service", Object{"payload": "text"}, Object{"payload": "text"}},
		{"service", Object{"name": "a", "new_name": "b", "scoped_name": "b"}, Object{"name": "a", "scoped_name": "b"}},
		{"device", Object{"name": "a", "new_name": "b"}, Object{"name": "a", "new_name": "b"}},
	} {
		if got, err := c.Payload(t.Context(), test.typ, test.send); err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: sent %v, want %v", test.typ, got, test.want)
		}
	}
	rows, err := c.Search(t.Context(), Search{Type: "network", Columns: []string{"nodes"}, Criteria: map[string]any{"nodes": []string{"d"}, "nodes_filter": "union"}})
	if err != nil || !reflect.DeepEqual(rows[0]["nodes"], []any{"d"}) {
		t.Errorf("rows %v, %v", rows, err)
	}
	if body := r.Asked[2]; !strings.Contains(body, `{"devices":["d"],"devices_filter":"union"}`) || strings.Contains(body, "nodes") {
		t.Errorf("asked %s", body)
	}
	row, err := c.Get(t.Context(), "rest_call_service", "r")
	if err != nil || !reflect.DeepEqual(row["payload"], map[string]any{"a": json.Number("1")}) {
		t.Errorf("row %v, %v", row, err)
	}
	if rows, err = c.Query(t.Context(), "device", nil); err != nil || rows[0]["type"] != "device" || rows[1]["type"] != "link" {
		t.Errorf("rows %v, %v", rows, err)
	}
}

// Networks are devices on eNMS 5: a search or query for devices does not return them, while one for what
// has a name does.
func TestDevices_withoutNetworks(t *testing.T) {
	t.Parallel()
	all := `[{"id": 1, "name": "n", "type": "network", "creation_time": ""}, {"id": 2, "name": "d", "type": "device", "creation_time": ""}]`
	devices := `[{"id": 2, "name": "d", "type": "device", "creation_time": ""}]`
	c, r := asking(t, all, devices, devices, all, all, all)
	for i, test := range []struct {
		typ  string
		ask  func(typ string) ([]Object, error)
		want int
	}{
		{"device", func(typ string) ([]Object, error) { return c.Search(t.Context(), Search{Type: typ, Limit: 10}) }, 1},
		{"device", func(typ string) ([]Object, error) { return c.Search(t.Context(), Search{Type: typ, Limit: 10}) }, 1},
		{"node", func(typ string) ([]Object, error) { return c.Search(t.Context(), Search{Type: typ, Limit: 10}) }, 2},
		{"device", func(typ string) ([]Object, error) { return c.Query(t.Context(), typ, nil) }, 1},
		{"node", func(typ string) ([]Object, error) { return c.Query(t.Context(), typ, nil) }, 2},
	} {
		if rows, err := test.ask(test.typ); err != nil || len(rows) != test.want {
			t.Errorf("%d, %s: %v, %v", i, test.typ, rows, err)
		}
	}
	for _, asked := range r.Asked[1:3] {
		if !strings.Contains(asked, `{"type":"network","type_filter":"equality","type_invert":true}`) {
			t.Errorf("asked %s", asked)
		}
	}
}

// eNMS 5 stores positions with what contains the members, and replaces all of them: those of others
// are sent along.
func TestPositions(t *testing.T) {
	t.Parallel()
	workflow := `[{"id": 1, "name": "w", "type": "workflow", "creation_time": "", "positions": {"[w] a": [1.5, 2], "[w] b": [3, 4]}}]`
	service := `[{"id": 2, "name": "[w] a", "type": "ping_service", "creation_time": ""}]`
	c, r := asking(t, service, workflow, service, workflow, workflow, `{"success": ["w"]}`)
	want := map[string]any{"w": []any{json.Number("1.5"), json.Number("2")}}
	for _, criteria := range []map[string]any{{"workflows": []string{"w"}}, {}} {
		rows, err := c.Search(t.Context(), Search{Type: "service", Columns: []string{"positions"}, Criteria: criteria})
		if err != nil || !reflect.DeepEqual(rows[0]["positions"], want) {
			t.Errorf("rows %v, %v", rows, err)
		}
	}
	written, err := c.Write(t.Context(), "service", [][]byte{[]byte(`{"name": "[w] b", "positions": {"w": [5, 6]}}`)}, Repeatable)
	if err != nil || !reflect.DeepEqual(written.Success, []string{"[w] b"}) {
		t.Errorf("written %v, %v", written, err)
	}
	r.Answers = []string{`[{"id": 3, "name": "n", "type": "network", "creation_time": "", "positions": {}}]`, `{"success": ["n"]}`}
	if _, err = c.Write(t.Context(), "device", [][]byte{[]byte(`{"name": "d", "positions": {"n": [1, 2]}}`)}, Repeatable); err != nil {
		t.Error(err)
	}
	if got, want := r.Asked[7], `POST /rest/instance/network {"id":3,"name":"n","positions":{"d":[1,2]},"serialized":""}`; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
	if got, want := r.Asked[5], `POST /rest/instance/workflow {"id":1,"name":"w","positions":{"[w] a":[1.5,2],"[w] b":[5,6]}}`; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
}

// The answer to a deletion has columns alone on eNMS 5.3, and no positions of members on 5.2: what referred
// to the instance is read before, if anything can refer to it.
func TestDelete_relations(t *testing.T) {
	t.Parallel()
	c, _ := asking(t, userOf5, `{"id": 1, "name": "d", "type": "device", "tasks": ["t"], "port": 22}`, `{"id": 1, "name": "d", "type": "device", "port": 22}`,
		`{"id": 2, "name": "w", "type": "workflow", "services": ["s", "t"]}`, `{"id": 2, "name": "w", "type": "workflow", "positions": {"s": [1, 2]}}`,
		`{"id": 2, "name": "w", "type": "workflow", "services": ["s", "t"]}`,
		`{"id": 2, "name": "w", "type": "workflow", "positions": {"s": [1, 2]}, "services": [{"id": 4, "name": "s"}, {"id": 5, "name": "t"}]}`,
		`{"id": 3, "name": "t", "type": "task"}`)
	_, _ = c.Line(t.Context())
	deleted, _, err := c.Delete(t.Context(), "device", "d")
	if err != nil || !reflect.DeepEqual(deleted["tasks"], []any{Object{"name": "t"}}) {
		t.Errorf("deleted %v, %v", deleted, err)
	}
	at := map[string]any{"w": []any{json.Number("1"), json.Number("2")}}
	for _, version := range []string{"5.3", "5.2"} {
		deleted, _, err = c.Delete(t.Context(), "service", "w")
		if err != nil || !reflect.DeepEqual(deleted["services"], []any{Object{"name": "s", "positions": at}, Object{"name": "t"}}) {
			t.Errorf("%s: deleted %v, %v", version, deleted, err)
		}
	}
	if _, _, err = c.Delete(t.Context(), "task", "t"); err != nil {
		t.Error(err)
	}
}
