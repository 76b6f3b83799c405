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

// netBox answers /api/dcim/devices/ in the shape of NetBox: limit, offset, count and results.
type netBox struct {
	*httptest.Server
	removed   atomic.Int64 // how many of the last devices are deleted
	truncated atomic.Bool  // the second page lacks its last device
}

// netBoxDevices is how many devices there are, netBoxPage the most that NetBox answers at once.
const netBoxDevices, netBoxPage = 1500, 1000

func newNetBox(t *testing.T) *netBox {
	t.Helper()
	n := &netBox{}
	n.Server = httptest.NewServer(n)
	t.Cleanup(n.Close)
	return n
}

func (n *netBox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	count := netBoxDevices - int(n.removed.Load())
	if !strings.HasPrefix(r.URL.Path, "/api/dcim/devices/") {
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
		if n.truncated.Load() && i == 999 {
			continue
		}
		site := i % 12
		results = append(results, map[string]any{
			"id": 1000 + i, "name": fmt.Sprintf("R%04d", i), "status": map[string]any{"value": "active", "label": "Active"},
			"site":       map[string]any{"id": site, "name": fmt.Sprintf("Site%02d", site), "slug": fmt.Sprintf("site%02d", site)},
			"role":       map[string]any{"id": 1, "name": "Router", "slug": "router"},
			"platform":   map[string]any{"id": 1, "name": "Cisco IOS", "slug": "cisco-ios"},
			"primary_ip": map[string]any{"id": i, "address": fmt.Sprintf("10.1.%d.%d/24", i/250, i%250+1)},
		})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"count": count, "next": nil, "previous": nil, "results": results}) // the client is gone
}

// pages reads the devices as the README of the module does, and writes them where Terraform
// finds the module's variables.
func (n *netBox) pages(w *acctest.Workspace) {
	w.T.Helper()
	count := netBoxDevices - int(n.removed.Load())
	var pages []string
	for offset := 0; offset < count; offset += 500 {
		resp, err := http.Get(fmt.Sprintf("%s/api/dcim/devices/?ordering=id&limit=500&offset=%d", n.URL, offset))
		if err != nil {
			w.T.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close() // was read
		if err != nil {
			w.T.Fatal(err)
		}
		pages = append(pages, string(body))
	}
	raw, err := json.Marshal(map[string]any{"devices": pages})
	if err != nil {
		w.T.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.Dir, "terraform.tfvars.json"), raw, 0o600); err != nil {
		w.T.Fatal(err)
	}
}

// 1,500 devices become as many in eNMS. A removed one is deleted, a truncated page is an error
// of the plan, and so are more deletions than max_deletions.
func TestModules_netboxWith1500Devices(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	w := newModuleWorkspace(t, s, "netbox")
	n := newNetBox(t)
	devices := func() int {
		rows, err := s.Client.Search(s.Context(), "device", []string{"name"}, map[string]any{})
		if err != nil {
			t.Fatal(err)
		}
		return len(rows)
	}
	n.pages(w)
	w.Apply(10)
	w.PlanNothing()
	if got := devices(); got != netBoxDevices {
		t.Errorf("eNMS has %d devices", got)
	}
	n.truncated.Store(true)
	n.pages(w)
	code, out := w.Run("plan", "-no-color")
	if code != 1 || !strings.Contains(strings.Join(strings.Fields(strings.ReplaceAll(out, "│", "")), " "), "NetBox counts 1500 devices, and the pages hold 1499") {
		t.Errorf("with a truncated page, plan ended with %d:\n%s", code, out)
	}
	n.truncated.Store(false)
	n.removed.Store(1)
	n.pages(w)
	w.Apply(10)
	if got := devices(); got != netBoxDevices-1 {
		t.Errorf("after one was removed eNMS has %d devices", got)
	}
	n.removed.Store(100)
	n.pages(w)
	if code, out := w.Run("apply", "-no-color", "-auto-approve"); code != 1 || !strings.Contains(out, "max_deletions") || devices() != netBoxDevices-1 {
		t.Errorf("with 99 more removed, apply ended with %d, and eNMS has %d devices:\n%s", code, devices(), out)
	}
}
