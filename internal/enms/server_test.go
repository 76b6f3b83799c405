// The server of the tests, and clients of it.

package enms

import (
	"context"
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// TestMain fails when a goroutine is left over by the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server is the server of a test.
type server struct{ *testserver.Server }

func newServer(t testing.TB, opts simulator.Options) *server {
	t.Helper()
	return &server{testserver.New(t, opts)}
}

// client makes a client that does not wait long before it tries again.
func (s *server) client(t testing.TB, change ...func(*Config)) *Client {
	t.Helper()
	return newTestClient(t, s.URL, change...)
}

func newTestClient(t testing.TB, at string, change ...func(*Config)) *Client {
	t.Helper()
	c, err := New(testserver.Config(at, change...), Words{})
	testserver.Must(t, err)
	t.Cleanup(c.Close)
	return c
}

// typeOf returns a type as the kinds' tables tell it.
func typeOf(name string) Type {
	isTask := name == "task"
	return Type{Name: name, Namespace: testserver.SpaceOf(name), NoTimestamps: isTask, CommittedOneByOne: isTask}
}

// create makes an instance as the provider does: one that is found after a lost
// answer is the one that was sent when its scalars are.
func create(ctx context.Context, c *Client, typ string, payload Object) error {
	payload = testserver.Complete(typ, payload)
	return c.Create(ctx, typeOf(typ), payload, func(row Object) bool {
		for key, sent := range payload {
			if got, has := row[key]; has && isScalar(sent) && fmt.Sprint(sent) != fmt.Sprint(got) {
				return false
			}
		}
		return true
	})
}
