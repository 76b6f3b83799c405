// This file tests the module netbox with a stand-in for NetBox.

package docstest

import (
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// netBox answers /api/dcim/devices/ in the shape of NetBox: limit, offset, count and results.
type netBox struct {
	*sourceOfTruth
	page      int         // how many are asked for at once
	truncated atomic.Bool // the second page lacks its last device
}

// netBoxPage is the most that NetBox answers at once.
const netBoxPage = 1000

func newNetBox(t *testing.T, total, page int) *netBox {
	t.Helper()
	n := &netBox{page: page}
	n.sourceOfTruth = newSourceOfTruth(t, "netbox", total, n.respond)
	return n
}

func (n *netBox) respond(r *http.Request) (status int, body any) {
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
		results = append(results, n.shape(i))
	}
	return http.StatusOK, map[string]any{"count": count, "next": nil, "previous": nil, "results": results}
}

// shape returns a device as NetBox does.
func (n *netBox) shape(i int) map[string]any {
	d := n.device(i)
	shape := map[string]any{
		"id": 1000 + i, "name": d.name, "status": map[string]any{"value": "active", "label": "Active"},
		"site":        map[string]any{"id": d.site, "name": d.siteName, "slug": fmt.Sprintf("site%02d", d.site)},
		"role":        map[string]any{"id": 1, "name": "Router", "slug": "router"},
		"platform":    map[string]any{"id": 1, "name": "Cisco IOS", "slug": "cisco-ios"},
		"device_type": map[string]any{"id": 1, "model": "C9300", "manufacturer": map[string]any{"id": 1, "name": "Cisco"}},
		"primary_ip":  nil,
	}
	if d.address != nil {
		shape["primary_ip"] = map[string]any{"id": i, "address": d.address}
	}
	return shape
}

// read reads the devices as the README of the module does.
func (n *netBox) read() {
	n.t.Helper()
	var pages []string
	for offset := 0; offset < max(1, n.count()); offset += n.page {
		r, err := http.NewRequestWithContext(n.t.Context(), http.MethodGet, fmt.Sprintf("%s/api/dcim/devices/?ordering=id&limit=%d&offset=%d", n.URL, n.page, offset), http.NoBody)
		if err != nil {
			n.t.Fatal(err)
		}
		pages = append(pages, n.fetch(r))
	}
	n.set(map[string]any{"devices": pages})
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
	n := newNetBox(t, total, page)
	n.read()
	n.says(0, "Devices without a name are left out; their ids in NetBox are: 1003.", "apply", "-auto-approve")
	n.says(0, "Devices without a primary address are left out: R0004.", "plan", "-detailed-exitcode")
	n.has("device", total-leftOut)

	n.truncated.Store(true)
	n.read()
	n.says(1, fmt.Sprintf("NetBox counts %d devices, and the pages hold %d", total, total-1), "plan")
	n.says(1, "are not complete", "apply", "-auto-approve")
	n.truncated.Store(false)

	n.removed.Store(int64(total))
	n.read()
	n.refusesToChange("NetBox has no devices.")
	n.removed.Store(0)

	n.refuses.Store(true)
	n.read()
	n.says(1, "A page of devices is not an answer of NetBox", "plan")
	n.refuses.Store(false)
	n.has("device", total-leftOut)

	n.removed.Store(1)
	n.read()
	n.says(0, fmt.Sprintf("deletes 1 of the %d instances", total-leftOut), "apply", "-auto-approve")
	n.has("device", total-leftOut-1)

	n.removed.Store(30)
	n.read()
	n.refusesToChange("max_deletions")
	n.has("device", total-leftOut-1)
}
