// This file tests the module netbox with a stand-in for NetBox.

package docstest

import (
	"fmt"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// netBox answers /api/dcim/devices/ in the shape of NetBox: count and results.
type netBox struct {
	*sourceOfTruth
	page int // how many are asked for at once
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

// read gives the module all pages of devices.
func (n *netBox) read() {
	n.t.Helper()
	var pages []string
	for offset := 0; offset < n.count(); offset += n.page {
		results := []any{}
		for i := offset; i < min(offset+n.page, n.count()); i++ {
			results = append(results, n.shape(i))
		}
		pages = append(pages, n.jsonOf(map[string]any{"count": n.count(), "next": nil, "previous": nil, "results": results}))
	}
	n.set(map[string]any{"devices": pages})
}

// The devices of several pages become as many in eNMS; those without a name or an address are
// left out and told. A removed one is deleted; more deletions than max_deletions are an error of
// the plan, and none is done. ENMS_TEST_LONG=1 takes 1,500 devices.
func TestModules_netboxPages(t *testing.T) {
	t.Parallel()
	total, page := 60, 25
	if acctest.Long() {
		total, page = 1500, 500
	}
	n := &netBox{newSourceOfTruth(t, "netbox", total), page}
	n.read()
	n.says(0, "Devices without a name are left out; their ids in NetBox are: 1003.", "apply", "-auto-approve")
	n.says(0, "Devices without a primary address are left out: R0004.", "plan", "-detailed-exitcode")
	n.has("device", total-leftOut)

	n.removed = 1
	n.read()
	n.says(0, fmt.Sprintf("deletes 1 of the %d instances", total-leftOut), "apply", "-auto-approve")
	n.has("device", total-leftOut-1)

	n.removed = 30
	n.read()
	n.refusesToChange("max_deletions")
	n.has("device", total-leftOut-1)
}
