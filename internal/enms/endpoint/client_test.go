// Tests of each request: what is asked, and what the answer comes to.

package endpoint

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// searching is the beginning of a search as eNMS gets it, criteria and all.
func searching(columns, criteria string, limit, start int, order, typ string) string {
	return fmt.Sprintf(`POST /rest/search {"columns":["id","name","type","soft_deleted","creation_time"%s],"maximum_return_records":%d,"order":[{"column":0,"dir":%q}],`+
		`"search_criteria":{%s},"start":%d,"type":%q}`, columns, limit, order, criteria, start, typ)
}

func TestRequests(t *testing.T) {
	t.Parallel()
	const (
		statusError, answerError, fieldError, notJSON = "*rest.StatusError", "*endpoint.AnswerError", "*object.FieldError", "*rest.NotJSONError"
		fails, broken, forbidden                      = `500 {"alert": "x"}`, `[`, `403 {}`
		device, device5                               = `{"id": 1, "name": "a", "type": "device"}`, `{"creation_time": "", "id": 1, "name": "a", "type": "device"}`
		getA, deleteA, askUser                        = "GET /rest/instance/device/a", "DELETE /rest/instance/device/a", "GET /rest/query/user?name=me"
		compact, compact5                             = `{"id":1,"name":"a","type":"device"}`, `{"creation_time":"","id":1,"name":"a","type":"device"}`
	)
	get := func(c *Client) (any, error) { return c.Get(t.Context(), "device", "a") }
	query := func(c *Client) (any, error) {
		rows, err := c.Query(t.Context(), "device", map[string]string{"name": "a"})
		return len(rows), err
	}
	search := func(s Search) func(c *Client) (any, error) {
		return func(c *Client) (any, error) {
			rows, err := c.Search(t.Context(), s)
			return rows, err
		}
	}
	write := func(typ string, bodies ...string) func(c *Client) (any, error) {
		return func(c *Client) (any, error) {
			var all [][]byte
			for _, body := range bodies {
				all = append(all, []byte(body))
			}
			return c.Write(t.Context(), typ, all, AtMostOnce)
		}
	}
	remove := func(c *Client) (any, error) {
		deleted, lost, err := c.Delete(t.Context(), "device", "a")
		if lost {
			return nil, fmt.Errorf("lost: %w", err)
		}
		return deleted, err
	}
	after := func(first, then func(c *Client) (any, error)) func(c *Client) (any, error) {
		return func(c *Client) (any, error) { _, _ = first(c); return then(c) }
	}
	line := func(c *Client) (any, error) { return c.Line(t.Context()) }
	self := func(c *Client) (any, error) { return c.Self(t.Context()) }
	payload := func(typ string, of Object) func(c *Client) (any, error) {
		return func(c *Client) (any, error) { return c.Payload(t.Context(), typ, of) }
	}
	ofObject := Object{"payload": map[string]any{"a": 1}}
	positions := Search{Type: "service", Columns: []string{"positions"}}
	const containers = `[{"id": 5, "name": "w"}, {"id": 6, "name": "v"}]`
	const service5, asksWorkflows = `[{"id": 1, "name": "s", "type": "x_service", "creation_time": ""}]`, `,"positions"`
	for name, test := range map[string]struct {
		do      func(c *Client) (any, error)
		answers []string
		want    string
		asked   []string // nil: as many requests as answers, whatever they are
	}{
		"get":                       {get, []string{device}, compact, []string{getA}},
		"get, fails":                {get, []string{fails}, statusError, nil},
		"get, no object":            {get, []string{`[]`}, answerError, nil},
		"get, cut off":              {get, []string{broken}, notJSON, nil},
		"get, of no type":           {get, []string{`{"type": ""}`}, fieldError, nil},
		"query":                     {query, []string{"[" + device + "]"}, "1", []string{"GET /rest/query/device?name=a"}},
		"query, fails":              {query, []string{fails, fails}, statusError, nil},
		"query, no list":            {query, []string{`{}`}, answerError, nil},
		"query, no objects":         {query, []string{`[1]`}, answerError, nil},
		"query, cut off":            {query, []string{broken}, notJSON, nil},
		"query, of no id":           {query, []string{`[{"id": "1"}]`}, fieldError, nil},
		"query, forbidden":          {query, []string{forbidden, forbidden}, statusError, []string{"GET /rest/query/device?name=a", "GET /rest/query/device?allow_none=1&name=a"}},
		"query, none was forbidden": {after(query, query), []string{forbidden, "[]", "[]"}, "0", []string{"GET /rest/query/device?name=a", "GET /rest/query/device?allow_none=1&name=a", "GET /rest/query/device?allow_none=1&name=a"}},
		"query, forbidden later":    {after(query, query), []string{forbidden, "[]", forbidden}, statusError, nil},
		"query, forbidden twice":    {after(query, query), []string{forbidden, forbidden, forbidden, "[]"}, "0", nil},
		"query of nodes": {func(c *Client) (any, error) { rows, err := c.Query(t.Context(), "node", nil); return len(rows), err }, []string{userOf4, "[]"}, "0",
			[]string{askUser, "GET /rest/query/node"}},
		"query of nodes of eNMS 5": {func(c *Client) (any, error) { rows, err := c.Query(t.Context(), "node", nil); return len(rows), err }, []string{userOf5, "[]"}, "0",
			[]string{askUser, "GET /rest/query/device"}},
		"query of nodes, fails": {func(c *Client) (any, error) { return c.Query(t.Context(), "node", nil) }, []string{`400 {}`}, statusError, nil},
		"self":                  {after(self, self), []string{userOf4}, `{"id":1,"is_admin":true,"name":"me","type":"user"}`, []string{askUser}},
		"self, hidden":          {after(self, self), []string{`[]`}, "null", nil},
		"self, twice":           {self, []string{`[{"name": "me"}, {"name": "Me"}]`}, "null", nil},
		"self, forbidden":       {after(self, self), []string{forbidden, forbidden}, "null", nil},
		"self, 500":             {after(self, self), []string{fails, fails}, "null", nil},
		"self, 400":             {after(self, self), []string{`400 {}`, `400 {}`}, statusError, nil},
		"line, 400":             {line, []string{`400 {}`}, statusError, nil},
		"line, asked for once":  {after(line, line), []string{userOf5}, "5", []string{askUser}},
		"line, by a search":     {after(search(Search{Type: "pool"}), line), []string{`[{"name": "p", "type": "pool"}]`}, "4", []string{searching("", "", 0, 0, "asc", "pool")}},
		"line, by an instance":  {after(get, line), []string{device5}, "5", []string{getA}},
		"line, hidden":          {line, []string{`[]`}, "4", []string{askUser}},
		"search": {search(Search{Type: "pool", Columns: []string{"type", "x", "b"}, Criteria: map[string]any{"name": "a"}, Start: 3, Limit: 4, Latest: true}), []string{"[]"}, "[]",
			[]string{searching(`,"b","x"`, `"name":"a"`, 4, 3, "desc", "pool")}},
		"search, ascending":                        {search(Search{Type: "pool"}), []string{"[" + device5 + "]"}, "[" + compact5 + "]", []string{searching("", "", 0, 0, "asc", "pool")}},
		"search, fails":                            {search(Search{Type: "pool"}), []string{fails, fails}, statusError, nil},
		"search, of which a row is deleted":        {search(Search{Type: "pool"}), []string{fails, "[]"}, "[]", nil},
		"search, which eNMS may be unable to make": {search(Search{Type: "pool", Once: true}), []string{fails}, statusError, nil},
		"search, cut off":                          {search(Search{Type: "pool"}), []string{broken}, notJSON, nil},
		"search, unsendable":                       {search(Search{Type: "pool", Criteria: map[string]any{"a": func() {}}}), []string{}, "*json.UnsupportedTypeError", nil},
		"search of nodes":                          {search(Search{Type: "node"}), []string{`400 {}`}, statusError, nil},
		"search for all":                           {func(c *Client) (any, error) { return c.SearchAll(t.Context(), Search{Type: "pool"}) }, []string{"[]"}, "[]", []string{searching("", "", 1<<31-1, 0, "asc", "pool")}},
		"search, of no name":                       {func(c *Client) (any, error) { return c.SearchNamed(t.Context(), Search{Type: "pool"}) }, []string{`[{"id": 1}]`}, fieldError, nil},
		"search named, fails":                      {func(c *Client) (any, error) { return c.SearchNamed(t.Context(), Search{Type: "pool"}) }, []string{fails, fails}, statusError, nil},
		"search for devices by type": {search(Search{Type: "device", Criteria: map[string]any{"type": "network"}}), []string{`[{"name": "n", "type": "network", "creation_time": ""}]`}, `[{"creation_time":"","name":"n","type":"network"}]`,
			[]string{searching("", `"type":"network"`, 0, 0, "asc", "device")}},
		"search in other words, of eNMS 4": {search(Search{Type: "network", Columns: []string{"nodes", "x"}, Criteria: map[string]any{"nodes": "d", "nodes_invert": true}}), []string{userOf4, "[]"}, "[]",
			[]string{askUser, searching(`,"nodes","x"`, `"nodes":"d","nodes_invert":true`, 0, 0, "asc", "network")}},
		"search in other words, of eNMS 5": {search(Search{Type: "network", Columns: []string{"nodes", "x"}, Criteria: map[string]any{"nodes": "d", "nodes_invert": true}}), []string{userOf5, "[]"}, "[]",
			[]string{askUser, searching(`,"devices","x"`, `"devices":"d","devices_invert":true`, 0, 0, "asc", "network")}},
		"search for columns in other words": {search(Search{Type: "network", Columns: []string{"nodes", "x"}}), []string{userOf5, "[]"}, "[]", []string{askUser, searching(`,"devices","x"`, "", 0, 0, "asc", "network")}},
		"search in other words, fails":      {search(Search{Type: "network", Columns: []string{"nodes"}}), []string{`400 {}`}, statusError, nil},
		"no positions":                      {search(positions), []string{"[]"}, "[]", nil},
		"positions of eNMS 4":               {search(positions), []string{`[{"name": "s", "positions": {}}]`}, `[{"name":"s","positions":{}}]`, nil},
		"positions of an unknown line":      {search(Search{Type: "gateway", Columns: []string{"positions"}}), []string{`[{"name": "s", "positions": {}}]`, `400 {}`}, statusError, nil},
		"positions cannot be read":          {search(positions), []string{service5, `400 {}`}, statusError, []string{searching(asksWorkflows, "", 0, 0, "asc", "service"), searching(asksWorkflows, "", 1<<31-1, 0, "asc", "workflow")}},
		"positions in a network":            {search(Search{Type: "gateway", Columns: []string{"positions"}, Criteria: map[string]any{"networks": []string{"n"}}}), []string{service5, `[{"name": "n", "positions": {"s": 1}}]`}, `[{"creation_time":"","id":1,"name":"s","positions":{"n":1},"type":"x_service"}]`, []string{searching(asksWorkflows, `"networks":["n"]`, 0, 0, "asc", "gateway"), searching(asksWorkflows, `"name":"^(n)$","name_filter":"regex"`, 1<<31-1, 0, "asc", "network")}},
		"write":                             {write("device", `{"name":"a"}`), []string{`{"success": ["a"]}`}, `{"Success":["a"],"Failures":null}`, []string{`POST /rest/instance/device {"name":"a"}`}},
		"write a list":                      {write("device", `{"name":"a"}`, `{"name":"b"}`), []string{`{"success": ["b"], "failure": [[{"name": "a", "x": 1}, "no"]]}`}, `{"Success":["b"],"Failures":[{"Name":"a","Message":"no"}]}`, []string{`POST /rest/instance/device [{"name":"a"},{"name":"b"}]`}},
		"write, fails":                      {write("device", `{}`), []string{fails}, statusError, nil},
		"write, no object":                  {write("device", `{}`), []string{`[]`}, answerError, nil},
		"write, no list":                    {write("device", `{}`), []string{`{"failure": {}}`}, answerError, nil},
		"write, no name":                    {write("device", `{}`), []string{`{"success": [1]}`}, answerError, nil},
		"write, no pair":                    {write("device", `{}`), []string{`{"failure": ["a"]}`}, answerError, nil},
		"write, a short pair":               {write("device", `{}`), []string{`{"failure": [[{}]]}`}, answerError, nil},
		"write, no echo":                    {write("device", `{}`), []string{`{"failure": [[1, "no"]]}`}, answerError, nil},
		"write, no message":                 {write("device", `{}`), []string{`{"failure": [[{}, 1]]}`}, answerError, nil},
		"move, of an unknown line":          {write("service", `{"positions":{}}`), []string{`400 {}`}, statusError, nil},
		"move, of eNMS 4":                   {write("service", `{"positions":{}}`), []string{userOf4, `{}`}, `{"Success":null,"Failures":null}`, []string{askUser, `POST /rest/instance/service {"positions":{}}`}},
		"move, nowhere":                     {write("service", `{"name":"s","id":7,"positions":{}}`), []string{userOf5}, `{"Success":["s"],"Failures":null}`, nil},
		"move, the rest is not positions":   {write("service", `{"x":1,"name":"s"}`, `{"name":"t","positions":{}}`), []string{userOf5, `{}`}, `{"Success":null,"Failures":null}`, []string{askUser, `POST /rest/instance/service [{"x":1,"name":"s"},{"name":"t"}]`}},
		"move, one has nothing":             {write("service", `{"name":"s"}`, `{"name":"t","positions":{}}`), []string{userOf5, `{}`}, `{"Success":null,"Failures":null}`, nil},
		"move, and more":                    {write("service", `{"name":"s","big":12345678901234567890,"positions":{"w":[1,2]}}`), []string{userOf5, `[{"id": 5, "name": "w"}]`, `{"success": ["w"]}`, `{}`}, `{"Success":null,"Failures":null}`, []string{askUser, searching(asksWorkflows, `"name":"^(w)$","name_filter":"regex"`, 1<<31-1, 0, "asc", "workflow"), `POST /rest/instance/workflow {"id":5,"name":"w","positions":{"s":[1,2]}}`, `POST /rest/instance/service {"big":12345678901234567890,"name":"s"}`}},
		"move, the container fails":         {write("service", `{"name":"s","positions":{"w":[1,2]}}`), []string{userOf5, containers, fails}, statusError, nil},
		"move, unaccounted for":             {write("service", `{"name":"s","positions":{"w":[1,2]}}`), []string{userOf5, containers, `{}`}, answerError, nil},
		"move, a container is refused":      {write("service", `{"name":"s","positions":{"w":[1,2]}}`, `{"name":"t","positions":{"v":[1,2]}}`), []string{userOf5, containers, `{"success": ["v"], "failure": [[{"name": "w"}, "no"]]}`}, `{"Success":["t"],"Failures":[{"Name":"s","Message":"no"}]}`, nil},
		"move and more, one is refused":     {write("service", `{"name":"s","x":1,"positions":{"w":[1,2]}}`, `{"name":"t","x":1}`), []string{userOf5, containers, `{"failure": [[{"name": "w"}, "no"]], "success": ["v"]}`, `{"success": ["t"]}`}, `{"Success":["t"],"Failures":[{"Name":"s","Message":"no"}]}`, nil},
		"move, it cannot be read":           {write("service", `{"name":"s","positions":{"w":[1,2]}}`), []string{userOf5, `400 {}`}, statusError, nil},
		"delete":                            {remove, []string{`{"id": 1, "name": "a", "delete_aborted": false}`}, `{"delete_aborted":false,"id":1,"name":"a"}`, []string{deleteA}},
		"delete, refused": {func(c *Client) (any, error) {
			_, _, err := c.Delete(t.Context(), "device", "a")
			return err, nil
		}, []string{`{"delete_aborted": true, "log": "no\nmore"}`}, `{"Op":"delete","Type":"device","Name":"a","Reason":"no more","Missing":null,"UnknownType":"","UnknownID":false}`, nil},
		"delete on eNMS 5, nothing before": {after(line, remove), []string{userOf5, `{"name": "a", "tasks": ["t"]}`, `{"id": 1}`}, "*fmt.wrapError", nil},
		"delete, fails":                    {remove, []string{fails}, statusError, nil},
		"delete, lost":                     {remove, []string{`429 {}`}, "*fmt.wrapError", nil},
		"delete, aborted":                  {remove, []string{`{"id": 1, "name": "a", "delete_aborted": true, "log": "no"}`}, "*endpoint.RefusedError", nil},
		"delete, neither":                  {remove, []string{`{"id": 1, "name": "a", "delete_aborted": 1}`}, "*fmt.wrapError", nil},
		"delete, another":                  {remove, []string{`{"id": 1, "name": "b"}`}, "*fmt.wrapError", nil},
		"delete, of no type":               {remove, []string{`{"id": 1, "name": "a", "type": ""}`}, "*fmt.wrapError", nil},
		"delete, cut off":                  {remove, []string{broken}, "*fmt.wrapError", nil},
		"delete, by its upgraded type":     {remove, []string{`{"name": "a", "type": "generic_device"}`}, `{"name":"a","type":"device"}`, nil},
		"delete on eNMS 5, unreadable":     {after(line, remove), []string{userOf5, `400 {}`, device5}, compact5, []string{askUser, getA, deleteA}},
		"delete on eNMS 5, fails":          {after(line, remove), []string{userOf5, device5, fails}, statusError, nil},
		"call":                             {func(c *Client) (any, error) { return c.Call(t.Context(), rest.Request{Method: "GET", Path: "/rest/x"}) }, []string{"[1]"}, "[1]", []string{"GET /rest/x"}},
		"call, fails":                      {func(c *Client) (any, error) { return c.Call(t.Context(), rest.Request{Method: "GET", Path: "/rest/x"}) }, []string{fails}, statusError, nil},
		"an object of 5.2":                 {payload("rest_call_service", ofObject), []string{userOf5, fails}, statusError, []string{askUser, "GET /rest/instance/service/%5BShared%5D%20Start"}},
		"an object of 5.3, hidden":         {payload("rest_call_service", ofObject), []string{userOf5, forbidden}, `{"payload":"{\"a\":1}"}`, nil},
		"an object of no service":          {payload("rest_call_service", Object{"payload": map[string]any{"a": 1}, "x": []any{}}), []string{userOf5, `{"name": "[Shared] Start"}`}, `{"payload":{"a":1},"x":[]}`, nil},
		"criteria stay as they are": {func(c *Client) (any, error) {
			criteria := map[string]any{"name": "a"}
			_, err := c.Search(t.Context(), Search{Type: "device", Criteria: criteria})
			return criteria, err
		}, []string{`[{"name": "n", "type": "network", "creation_time": ""}]`, "[]"}, `{"name":"a"}`, []string{searching("", `"name":"a"`, 0, 0, "asc", "device"), searching("", `"name":"a","type":"network","type_filter":"equality","type_invert":true`, 0, 0, "asc", "device")}},
		"a payload in other words": {payload("group", Object{"credentials": []any{"b", "a"}, "rbac_use_credentials": []any{"c", "a"}}), []string{userOf5}, `{"rbac_use_credentials":["a","b","c"]}`, nil},
		"a payload of eNMS 4":      {payload("network", Object{"nodes": []any{"d"}}), []string{userOf4}, `{"nodes":["d"]}`, []string{askUser}},
		"a payload of either line": {payload("device", Object{"gateways": []any{"g"}, "port": 22}), nil, `{"gateways":["g"],"port":22}`, []string{}},
		"a text for an object":     {payload("rest_call_service", Object{"payload": "x"}), nil, `{"payload":"x"}`, []string{}},
		"the name of results":      {func(c *Client) (any, error) { return c.ResultName(t.Context(), "[w] s", "s") }, []string{userOf4}, `"s"`, nil},
		"the full name":            {func(c *Client) (any, error) { return c.ResultName(t.Context(), "[w] s", "s") }, []string{userOf5}, `"[w] s"`, nil},
		"no name of results":       {func(c *Client) (any, error) { return c.ResultName(t.Context(), "[w] s", "s") }, []string{`400 {}`}, statusError, nil},
		"stores first":             {func(c *Client) (any, error) { return c.StoresFirst(t.Context()), nil }, []string{userOf5}, "true", nil},
		"does not":                 {func(c *Client) (any, error) { return c.StoresFirst(t.Context()), nil }, []string{userOf4}, "false", nil},
		"may limit": {func(c *Client) (any, error) {
			before := c.MayLimit()
			_, _ = c.Line(t.Context())
			return []bool{before, c.MayLimit()}, nil
		}, []string{userOf4}, "[true,false]", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, r := asking(t, test.answers...)
			if got := testserver.Outcome(test.do(c)); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			if test.asked != nil && !slices.Equal(r.Asked, test.asked) || len(r.Answers) != 0 {
				t.Errorf("asked %q, want %q", r.Asked, test.asked)
			}
		})
	}
	if _, err := New(rest.Config{}, object.Words{}); err == nil {
		t.Error("a client without an address")
	}
}

// A row may lack its id, name and type, but what it has is sound; a listed one has a name and an id.
func TestCheck(t *testing.T) {
	t.Parallel()
	for row, want := range map[string]string{ // the fields at fault of any row, of one with a name, and of a listed one
		`{"id": 1, "name": "a", "type": "t"}`: "  ", `{"name": "a", "type": "t"}`: "  id", `{"id": 1}`: " name name", `{"name": 1}`: "name name name",
		`{"name": "a", "type": 1}`: "type type type", `{"name": "a", "type": ""}`: "type type type", `{"name": "a", "id": 9223372036854775807}`: "  ",
		`{"name": "a", "id": 9223372036854775808}`: "id id id", `{"name": "a", "id": 10.5}`: "id id id", `{"name": "a", "id": "1"}`: "id id id",
	} {
		rows, err := decodeRows("device", &rest.Answer{Body: []byte("[" + row + "]")})
		if err != nil {
			t.Fatal(err)
		}
		var at []string
		for _, err := range []error{CheckIdentity("device", rows[0]), CheckNamed("device", rows), CheckListed("device", rows)} {
			field, _ := errors.AsType[*object.FieldError](err)
			if field == nil {
				field = &object.FieldError{}
			} else if field.Type != "device" || field.Name != String(rows[0], "name") {
				t.Errorf("%s: %+v", row, field)
			}
			at = append(at, field.Field)
		}
		if got := strings.Join(at, " "); got != want {
			t.Errorf("%s: %q, want %q", row, got, want)
		}
	}
	if !Deleted(Object{softDeleted: true}) || Deleted(Object{softDeleted: false}) || Deleted(Object{}) {
		t.Error("deleted rows")
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for err, lost := range map[error]bool{
		&object.FieldError{}: true, &AnswerError{}: true, &rest.StatusError{Status: 503}: true, &rest.StatusError{Status: 500}: false, io.EOF: false, &NotFoundError{}: false,
	} {
		if Lost(err) != lost {
			t.Errorf("%T: lost is %t", err, !lost)
		}
	}
	for want, err := range map[string]error{
		`there is no such instance in eNMS: device "a"`:                                                         &NotFoundError{Type: "device", Name: "a"},
		`there is no such instance in eNMS: device "a"; it has "A", which its database takes for the same name`: &NotFoundError{Type: "device", Name: "a", Spelling: "A"},
		"the answer is empty": &AnswerError{Reason: "is empty"}, "the answer about device is empty": &AnswerError{Type: "device", Reason: "is empty"},
	} {
		if err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
	for _, answer := range []string{`{}`, `{"name": "b"}`} {
		c, _ := asking(t, answer)
		_, lost, err := c.Delete(t.Context(), "device", "a")
		if want := `the answer about device does not say that "a" was deleted`; !lost || err == nil || err.Error() != want {
			t.Errorf("%s: lost is %t, %v, want %q", answer, lost, err, want)
		}
	}
	if err := (&NotFoundError{}); !err.Is(ErrNotFound) || err.Is(io.EOF) {
		t.Error("not found")
	}
}

// The reason of a refusal is one line without secrets; references and types are read from the original one.
func TestRefusal(t *testing.T) {
	t.Parallel()
	c, _ := asking(t)
	for message, want := range map[string]RefusedError{
		"x\neNMS.database.RbacError: There is no pool in the database with the following characteristics: {'name': 'my secret'}": {Missing: &Reference{"pool", "my secret"}, Reason: "There is no pool in the database with the following characteristics: {'name': 'my ***'}"},
		"KeyError: 'nosuch_service'": {UnknownType: "nosuch_service", Reason: "KeyError: 'nosuch_service'"},
		"ValueError: no\rx":          {Reason: "ValueError: no"},
	} {
		got := c.Refusal("create", "device", "a", Failure{Message: message})
		if want.Op, want.Type, want.Name = "create", "device", "a"; testserver.Outcome(got, nil) != testserver.Outcome(&want, nil) {
			t.Errorf("%q: %s, want %s", message, testserver.Outcome(got, nil), testserver.Outcome(&want, nil))
		}
	}
}

// eNMS 5 is known by any row of it, 4 by a named row of a type that is dated on eNMS 5.
func TestLearn(t *testing.T) {
	t.Parallel()
	named, dated5 := Object{"name": "a"}, Object{"name": "a", "creation_time": nil}
	for _, typ := range []string{"user", "device", "link", "service", "pool", "task", "credential", "group", "network"} {
		for i, test := range []struct {
			rows []Object
			want int32
		}{{nil, 0}, {[]Object{{"id": 1}}, 0}, {[]Object{named}, object.Line4}, {[]Object{named, dated5}, object.Line5}, {[]Object{dated5, named}, object.Line5}} {
			if typ == "network" && test.want == object.Line4 {
				test.want = 0
			}
			l := &line{}
			if l.learn(typ, test.rows...); l.number.Load() != test.want {
				t.Errorf("%s, %d: line %d", typ, i, l.number.Load())
			}
		}
	}
}

func TestDiffers(t *testing.T) {
	t.Parallel()
	for i, test := range []struct {
		number  int32
		typ     string
		payload Object
		want    bool
	}{
		{0, "device", Object{"name": "a"}, false}, {0, "device", Object{"new_name": "a"}, false}, {0, "service", Object{"scoped_name": "a"}, false},
		{0, "service", Object{"new_name": "a", "scoped_name": "a"}, true}, {0, "network", Object{}, false}, {object.Line4, "network", Object{}, false},
		{object.Line5, "network", Object{}, true}, {object.Line5, "device", Object{}, false}, {0, "t", Object{"old": 1}, true}, {0, "t", Object{"text": "x"}, false}, {0, "t", Object{"text": map[string]any{}}, true},
	} {
		l := &line{words: object.Words{Renamed: map[string]map[string]string{"t": {"old": "new"}}, Texts: map[string][]string{"t": {"text"}}}}
		l.number.Store(test.number)
		if l.differs(test.typ, test.payload) != test.want {
			t.Errorf("%d: differs is %t", i, !test.want)
		}
	}
	row := Object{"type": "t", "new": 1, "inverse": 2}
	l := &line{words: object.Words{Renamed: map[string]map[string]string{"t": {"old": "new", "other": "inverse"}}, Inverses: map[string][]string{"t": {"inverse"}}, References: map[string]map[string]string{"t": {"d": "device", "p": "pool"}}}}
	if l.like4(row); testserver.Outcome(row, nil) != `{"inverse":2,"old":1,"other":2,"type":"t"}` {
		t.Error(row)
	}
	c := &Client{line: line{words: l.words}}
	if c.Reference("t", "d") != "node" || c.Reference("t", "p") != "pool" || c.Reference("t", "x") != "" {
		t.Error("references")
	}
}

// What an answer to a deletion has as columns stays; relations that it lacks come from the row before.
func TestAddRelations(t *testing.T) {
	t.Parallel()
	deleted := Object{"name": "w", "list": []any{"x"}, "objects": []any{map[string]any{"id": 1}}, "positions": map[string]any{"s": 1}}
	addRelations(deleted, Object{"name": "w", "port": 22, "list": []any{"y"}, "objects": []any{"s"}, "tasks": []any{"s", "t"}})
	if got := testserver.Outcome(deleted, nil); got != `{"list":["x"],"name":"w","objects":[{"name":"s","positions":{"w":1}}],"tasks":[{"name":"s","positions":{"w":1}},{"name":"t"}]}` {
		t.Error(got)
	}
}

func TestContainerOf(t *testing.T) {
	t.Parallel()
	for typ, want := range map[string]string{"node": "network", "device": "network", "gateway": "network", "router": "network", "network": "network", "service": "workflow", "ping_service": "workflow"} {
		if got := containerOf(typ); got.typ != want || got.relation != want+"s" {
			t.Errorf("%s: %+v", typ, got)
		}
	}
}
