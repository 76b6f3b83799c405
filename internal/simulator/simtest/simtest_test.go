// The start and the end of a simulator in a test.

package simtest

import (
	"net/http"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// TestStart serves, and is silent once the test that started it is over.
func TestStart(t *testing.T) {
	t.Parallel()
	var url string
	t.Run("serves", func(t *testing.T) {
		var server *simulator.Server
		server, url = Start(t, simulator.Options{})
		answer, err := http.Get(url + "/rest/is_alive")
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusOK || len(server.Requests()) != 1 {
			t.Errorf("status %d, %d requests", answer.StatusCode, len(server.Requests()))
		}
	})
	if answer, err := http.Get(url + "/rest/is_alive"); err == nil {
		_ = answer.Body.Close()
		t.Error("still serving after the test")
	}
}
