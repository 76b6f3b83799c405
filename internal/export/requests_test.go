// This file counts the requests of exports.

package export_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	exportpackage "github.com/terraform-provider-enms/terraform-provider-enms/internal/export"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// An export of a large server takes few requests: each costs eNMS a quarter of a second. One of a
// workflow does not read devices.
func TestExport_requests(t *testing.T) {
	t.Parallel()
	s, w := newSource(t)
	const devices, links, workflows = 3000, 600, 30
	s.Fill("device", devices, func(i int) enms.Object {
		return enms.Object{"name": fmt.Sprintf("r%05d", i), "ip_address": fmt.Sprintf("10.0.%d.%d", i/256, i%256)}
	})
	s.Fill("link", links, func(i int) enms.Object {
		return enms.Object{"name": fmt.Sprintf("l%05d", i), "source": fmt.Sprintf("r%05d", i), "destination": fmt.Sprintf("r%05d", i+1)}
	})
	put := putOn(s)
	for i := range workflows {
		name := fmt.Sprintf("w%d", i)
		put("workflow", enms.Object{"name": name, "scoped_name": name})
		for _, own := range []string{"a", "b", "c", "d", "e"} {
			put("python_snippet_service", enms.Object{"name": "[" + name + "] " + own, "scoped_name": own, "workflows": []string{name}, "source_code": "x = 1", "target_devices": []string{"r00007"}})
			put("workflow_edge", enms.Object{"name": name + own, "workflow": name, "source": "[Shared] Start", "destination": "[" + name + "] " + own, "subtype": "success"})
		}
	}
	for n, c := range []struct {
		args    []string
		atMost  int
		objects string
	}{
		{nil, 100, "3930 objects"},                      // with the pages of 1,000 instances
		{[]string{"-workflow", "w3"}, 40, "11 objects"}, // a busy machine begins a batch before all have asked
	} {
		s.Simulator.ResetRequests()
		code, out := export(s, w, append(c.args, filepath.Join(w.Dir, fmt.Sprint(n)))...)
		count := map[string]int{}
		for _, r := range s.Simulator.Requests() {
			count[r.Method+" "+r.Path]++
		}
		if n := len(s.Simulator.Requests()); code != 0 || n > c.atMost || !strings.Contains(out, c.objects) {
			t.Errorf("%q ended with %d after %d requests, want 0, at most %d, and %s: %v\n%s", c.args, code, n, c.atMost, c.objects, count, out)
		} else {
			t.Logf("%q: %d requests", c.args, n)
		}
	}
}

// An export of which a request fails says so, whichever request it is. It does without the newest row of the changelog,
// and a new export without any.
func TestExport_failingRequests(t *testing.T) {
	t.Parallel()
	s, w := newSource(t)
	fillDev(s)
	dir := filepath.Join(w.Dir, "export")
	exports(s, w, dir)
	s.Drop("device", "dev-1")()
	for what, args := range map[string][]string{"into code": {"-another-server", "-check", dir}, "new": {"-check", dir + "-new"}} {
		acctest.FailEach(s, func(from *acctest.Server, refused func() string) {
			code, out := exportFrom(from, args...)
			failing := refused()
			isNeeded := !strings.Contains(failing, "/query/") && (what != "new" && !acctest.IsForMark(failing) || !strings.Contains(failing, `"changelog"`))
			if (code == 1) == (failing == "") && isNeeded {
				t.Errorf("an export %s without %s ended with %d:\n%s", what, failing, code, out)
			}
		})
	}
}

// An export that has to wait because the server limits requests says for how long, once for each pause.
func TestExport_reportsThatItWaits(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "simulator", simulator.Options{RequestLimit: 4, RequestWindow: time.Second})
	s.OnlySimulated("it limits the requests")
	var out, messages bytes.Buffer
	code := exportpackage.Main(t.Context(), []string{filepath.Join(t.TempDir(), "export")}, "dev", &out, &messages, func() (*resources.Provider, []string, error) {
		client, err := enms.New(enms.Config{BaseURL: s.URL, Username: s.User, Password: s.Password, MaxRetries: 2}, kind.Words(kinds.All()))
		return &resources.Provider{Kinds: kinds.All(), Client: client}, nil, err
	})
	const waits = "The server limits requests: waiting for 1s\n"
	if n, windows := strings.Count(messages.String(), waits), len(s.Simulator.Requests())/4; code != 0 || n == 0 || n > windows {
		t.Errorf("it ended with %d, and told %d times in %d pauses that it waits:\n%s", code, n, windows, &messages)
	}
}
