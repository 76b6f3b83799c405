// Package simtest starts a simulated eNMS for the length of a test.
package simtest

import (
	"net/http/httptest"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// Start serves a new simulator on a port of its own and gives it with its base
// URL. It is closed when the test ends. The user is admin, the password admin.
func Start(t testing.TB, opts simulator.Options) (*simulator.Server, string) {
	t.Helper()
	s := simulator.New(opts)
	served := httptest.NewServer(s)
	t.Cleanup(served.Close)
	return s, served.URL
}
