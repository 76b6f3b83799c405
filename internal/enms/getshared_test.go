// Tests of whole instances that are put together from answers about many.

package enms

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// shared gets so many devices at a time, and compares each with what a Get answers.
func shared(t testing.TB, s *server, c *Client, count int) (requests int) {
	t.Helper()
	s.Set(t)
	rows := make([]Object, count)
	for i, err := range testserver.Together(count, func(i int) (err error) {
		rows[i], err = c.GetShared(t.Context(), "device", testserver.Device(i), behind())
		return err
	}) {
		testserver.Must(t, err)
		if gateways, ok := rows[i]["gateways"].([]any); !ok {
			t.Fatalf("device %d: no gateways in %v", i, rows[i])
		} else if !slices.IsSortedFunc(gateways, func(a, b any) int { return len(fmt.Sprint(a)) - len(fmt.Sprint(b)) }) {
			t.Errorf("device %d: %v", i, gateways)
		}
	}
	requests = s.Count("")
	for i, row := range rows {
		whole, err := c.Get(t.Context(), "device", testserver.Device(i))
		testserver.Must(t, err)
		for name, x := range whole {
			if _, isList := x.([]any); isList && name != "gateways" || name == "positions" {
				continue // another relation
			}
			if !reflect.DeepEqual(row[name], x) {
				t.Errorf("device %d: %s is %v, want %v", i, name, row[name], x)
			}
		}
	}
	return requests
}

func TestWholeInstancesAreShared(t *testing.T) {
	t.Parallel()
	s := newServer(t, simulator.Options{})
	s.addDevices(t, 50)
	s.Add(t, "device", Object{"name": testserver.Device(3), "gateways": []string{}, "vendor": "v"})
	c := s.client(t)
	if n := shared(t, s, c, 50); n > 7 {
		t.Errorf("%d requests", n)
	}
	if n := shared(t, s, c, 50); n > 0 {
		t.Errorf("%d requests for what is known", n)
	}
	testserver.Must(t, c.Upsert(t.Context(), typeOf("device"), Object{"name": testserver.Device(3), "vendor": "another"}))
	if n := shared(t, s, c, 5); n != 5 {
		t.Errorf("%d requests for five instances after a write", n)
	}
	if _, err := c.GetShared(t.Context(), "device", "none", behind()); err == nil {
		t.Error("an instance that does not exist was found")
	}
}
