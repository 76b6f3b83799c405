// This file tests the module netbox with a stand-in for NetBox.

package docstest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// netBox answers /api/dcim/devices/ in the shape of NetBox: limit, offset, count and results. The
// fourth device has no name, and the fifth no address.
type netBox struct {
	*httptest.Server
	t         *testing.T
	total     int          // how many devices there are at first
	page      int          // how many are asked for at once
	removed   atomic.Int64 // how many of the last devices are deleted
	truncated atomic.Bool  // the second page lacks its last device
	refuses   atomic.Bool  // the token is not accepted
}

// netBoxPage is the most that NetBox answers at once.
const netBoxPage = 1000

// leftOut is how many of the devices eNMS cannot have.
const leftOut = 2

func newNetBox(t *testing.T, total, page int) *netBox {
	t.Helper()
	n := &netBox{t: t, total: total, page: page}
	n.Server = httptest.NewServer(n)
	t.Cleanup(n.Close)
	return n
}

func (n *netBox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if n.refuses.Load() {
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, `{"detail": "Invalid token"}`) // the client is gone
		return
	}
	count := n.count()
	if r.URL.Path != "/api/dcim/devices/" {
		count = 0
	}
	number := func(name string, fallback int) int {
		if i, err := strconv.Atoi(r.FormValue(name)); err == nil {
			return i
		}
		return fallback
	}
	limit, offset := min(number("limit", 50), netBoxPage), number("offset", 0)
	results := []any{}
	for i := offset; i < min(offset+limit, count); i++ {
		if n.truncated.Load() && i == 2*n.page-1 {
			continue
		}
		results = append(results, netBoxDevice(i))
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"count": count, "next": nil, "previous": nil, "results": results}) // the client is gone
}

// netBoxDevice returns a device as NetBox does.
func netBoxDevice(i int) map[string]any {
	site := i % 12
	device := map[string]any{
		"id": 1000 + i, "name": fmt.Sprintf("R%04d", i), "status": map[string]any{"value": "active", "label": "Active"},
		"site":       map[string]any{"id": site, "name": fmt.Sprintf("Site%02d", site), "slug": fmt.Sprintf("site%02d", site)},
		"role":       map[string]any{"id": 1, "name": "Router", "slug": "router"},
		"platform":   map[string]any{"id": 1, "name": "Cisco IOS", "slug": "cisco-ios"},
		"primary_ip": map[string]any{"id": i, "address": fmt.Sprintf("10.1.%d.%d/24", i/250, i%250+1)},
	}
	switch i {
	case 3:
		device["name"] = nil
	case 4:
		device["primary_ip"] = nil
	}
	return device
}

func (n *netBox) count() int { return n.total - int(n.removed.Load()) }

// read reads the devices as the README of the module does, and writes the answers where
// Terraform finds the module's variables.
func (n *netBox) read(w *acctest.Workspace) {
	n.t.Helper()
	var pages []string
	for offset := 0; offset < max(1, n.count()); offset += n.page {
		resp, err := http.Get(fmt.Sprintf("%s/api/dcim/devices/?ordering=id&limit=%d&offset=%d", n.URL, n.page, offset))
		if err != nil {
			n.t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close() // was read
		if err != nil {
			n.t.Fatal(err)
		}
		pages = append(pages, string(body))
	}
	raw, err := json.Marshal(map[string]any{"devices": pages})
	if err != nil {
		n.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.Dir, "terraform.tfvars.json"), raw, 0o600); err != nil {
		n.t.Fatal(err)
	}
}

// The devices of several pages become as many in eNMS; those without a name or an address are
// left out and told. A removed one is deleted. An incomplete, empty or refused answer is an error
// of the plan, as are more deletions than max_deletions, and none of them deletes anything.
// ENMS_TEST_LONG=1 takes 1,500 devices.
func TestModules_netboxPages(t *testing.T) {
	t.Parallel()
	total, page := 60, 25
	if acctest.Long() {
		total, page = 1500, 500
	}
	s := acctest.NewServer(t)
	w := newModuleWorkspace(t, s, "netbox")
	n := newNetBox(t, total, page)
	has := func(want int) {
		t.Helper()
		rows, err := s.Client.Search(s.Context(), "device", []string{"name"}, map[string]any{})
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != want {
			t.Errorf("eNMS has %d devices, want %d", len(rows), want)
		}
	}
	// says runs a command, which ends with an exit code and says some words.
	says := func(exitCode int, words string, command ...string) {
		t.Helper()
		code, out := w.Run(append(command, "-no-color")...)
		if text := unwrapped(out); code != exitCode || !strings.Contains(text, words) {
			t.Errorf("%s ended with %d and does not say %q:\n%s", command, code, words, text)
		}
	}
	n.read(w)
	says(0, "Devices without a name are left out; their ids in NetBox are: 1003.", "apply", "-auto-approve")
	says(0, "Devices without a primary address are left out: R0004.", "plan", "-detailed-exitcode")
	has(total - leftOut)

	n.truncated.Store(true)
	n.read(w)
	says(1, fmt.Sprintf("NetBox counts %d devices, and the pages hold %d", total, total-1), "plan")
	says(1, "are not complete", "apply", "-auto-approve")
	n.truncated.Store(false)

	n.removed.Store(int64(total))
	n.read(w)
	says(1, "NetBox has no devices.", "plan")
	says(1, "NetBox has no devices.", "apply", "-auto-approve")
	n.removed.Store(0)

	n.refuses.Store(true)
	n.read(w)
	says(1, "A page of devices is not an answer of NetBox", "plan")
	n.refuses.Store(false)
	has(total - leftOut)

	n.removed.Store(1)
	n.read(w)
	says(0, fmt.Sprintf("deletes 1 of the %d instances", total-leftOut), "apply", "-auto-approve")
	has(total - leftOut - 1)

	n.removed.Store(30)
	n.read(w)
	says(1, "max_deletions", "plan")
	says(1, "max_deletions", "apply", "-auto-approve")
	has(total - leftOut - 1)
}

// unwrapped returns what Terraform wrote without its frames and line ends.
func unwrapped(out string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(out, "│", "")), " ")
}
