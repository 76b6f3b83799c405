// This file is what lies between the provider and the simulator in the tests
// of hostile answers: it lets eNMS act, or not, and answers something else.

package provider_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
)

// lie is another answer for a request that eNMS would answer with the status
// and the body given; nil leaves the answer as it is. Nothing reaches eNMS
// when the lie does not call act.
type lie func(r *http.Request, act func() (status int, body []byte)) []byte

// liar answers in the place of a simulator.
type liar struct {
	simulator http.Handler
	mu        sync.Mutex
	lie       lie
}

// newLiar returns a server whose provider speaks to a liar, while the test itself speaks to
// the simulator.
func newLiar(t *testing.T) (*server, *liar) {
	t.Helper()
	sim, honest := simtest.Start(t, serverOptions())
	l := &liar{simulator: sim}
	lying := httptest.NewServer(l)
	t.Cleanup(lying.Close)
	client, err := enms.New(enms.Config{BaseURL: honest, Username: "admin", Password: "admin"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &server{t: t, url: lying.URL, user: "admin", password: "admin", client: client, simulator: sim, prefix: "NAME-"}, l
}

// tell makes it lie from now on; nil makes it honest.
func (l *liar) tell(lie lie) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lie = lie
}

func (l *liar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	lie := l.lie
	l.mu.Unlock()
	var answered *httptest.ResponseRecorder
	act := func() (int, []byte) {
		if answered == nil {
			answered = httptest.NewRecorder()
			l.simulator.ServeHTTP(answered, r)
		}
		return answered.Code, answered.Body.Bytes()
	}
	var body []byte
	if lie != nil {
		body = lie(r, act)
	}
	if r.URL.Path == "/rest/query/user" && r.URL.Query().Get("name") == "admin" {
		body = []byte("[]") // Who sees not everything reads relations by a GET each, which can be lied about.
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

// missing is the value of a field that the answer leaves out.
const missing = "missing"

// about rewrites a field of one instance wherever it is answered: in rows that
// hold it, and in single instances even when they do not.
func about(name, field, value string) lie {
	rewrite := func(row map[string]json.RawMessage, always bool) {
		var is string
		_, has := row[field]
		if json.Unmarshal(row["name"], &is) != nil || is != name || !has && !always {
			return
		}
		if row[field] = json.RawMessage(value); value == missing {
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
			for _, row := range rows {
				rewrite(row, false)
			}
			return marshal(rows)
		}
		var row map[string]json.RawMessage
		if json.Unmarshal(body, &row) != nil {
			return nil
		}
		rewrite(row, true)
		return marshal(row)
	}
}

// marshal writes JSON without looking into raw members, which need not be
// anything that encoding/json would write.
func marshal(x any) []byte {
	var out bytes.Buffer
	switch x := x.(type) {
	case []map[string]json.RawMessage:
		out.WriteByte('[')
		for i, row := range x {
			out.WriteString([]string{"", ","}[min(i, 1)])
			out.Write(marshal(row))
		}
		out.WriteByte(']')
	case map[string]json.RawMessage:
		out.WriteByte('{')
		for name, value := range x {
			label, _ := json.Marshal(name)
			out.WriteString([]string{"", ","}[min(out.Len()-1, 1)])
			out.Write(label)
			out.WriteByte(':')
			out.Write(value)
		}
		out.WriteByte('}')
	}
	return out.Bytes()
}

// data reads a data source by a name.
func (c *core) data(typ, name string) (tftypes.Value, problems) {
	c.t.Helper()
	return c.dataOf(typ, attributes{"name": name})
}

// dataOf reads a data source.
func (c *core) dataOf(typ string, config attributes) (tftypes.Value, problems) {
	c.t.Helper()
	schemas, err := c.server.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		c.t.Fatal(err)
	}
	schema := schemas.DataSourceSchemas[typ]
	resp, err := c.server.ReadDataSource(context.Background(), &tfprotov6.ReadDataSourceRequest{
		TypeName: typ, Config: c.encode(objectOf(c.t, schema, config))})
	if err != nil {
		c.t.Fatal(err)
	}
	if resp.State == nil {
		return tftypes.NewValue(schema.ValueType(), nil), resp.Diagnostics
	}
	v, err := resp.State.Unmarshal(schema.ValueType())
	if err != nil {
		c.t.Fatal(err)
	}
	return v, resp.Diagnostics
}
