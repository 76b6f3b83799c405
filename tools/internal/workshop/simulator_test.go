// This file tests how the simulator's words are read.

package workshop

import (
	"strings"
	"testing"
)

func TestListening(t *testing.T) {
	t.Parallel()
	match := listening.FindStringSubmatch("listening on http://127.0.0.1:5000 (user admin, password admin)")
	if match == nil || match[1] != "http://127.0.0.1:5000" {
		t.Errorf("got %q", match)
	}
	if listening.MatchString("listen tcp 127.0.0.1:5000: bind: address already in use") {
		t.Error("an error was taken for an address")
	}
}

func TestCountsRequestsOnly(t *testing.T) {
	t.Parallel()
	var s Simulator
	s.count(strings.NewReader("POST \"/rest/instance/device\" 200 entries=1 2ms\n" +
		"a line that is none\n" +
		"GET \"/rest/query/device\" 200 entries=3 1ms\n"))
	if n := s.requests.Load(); n != 2 {
		t.Errorf("counted %d requests, not 2", n)
	}
}
