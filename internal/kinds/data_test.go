// Tests of what the data store of eNMS 5 contains: names are paths, and follow the stores.

package kinds_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// newDataServer returns a server with a data store.
func newDataServer(t *testing.T) *acctest.Server {
	t.Helper()
	return acctest.NewServerWith(t, "enms-5.3", simulator.Options{Version: simulator.V53})
}

// dataHCL is a store in a store, whose name %s completes, with a secret and a VLAN in it.
const dataHCL = `
resource "enms_store" "outer" {
  name        = ">NAME-%s"
  description = "NAME-outer"
}
resource "enms_store" "inner" {
  name        = "${enms_store.outer.name}>inner"
  description = "NAME-inner"
}
resource "enms_secret" "token" {
  name                    = "${enms_store.inner.name}>token"
  secret_value_wo         = "hidden"
  secret_value_wo_version = 1
}
resource "enms_instance" "vlan" {
  type = "vlan"
  name = "${enms_store.inner.name}>v10"
  properties = {
    store       = enms_store.inner.name
    scoped_name = "v10"
    vlan_id     = 10
  }
}
resource "enms_instances" "ports" {
  type = "port"
  instances = {
    "${enms_store.inner.name}>p1" = { store = enms_store.inner.name, scoped_name = "p1", speed = "1G" }
  }
}`

// When a store is renamed, what it contains follows, and keeps its ids. When another user renames it,
// the names are put back. All of it is destroyed afterwards.
func TestData_storeIsRenamed(t *testing.T) {
	t.Parallel()
	s := newDataServer(t)
	var before map[string]string
	same := func(prefix string) resource.TestCheckFunc {
		return func(*terraform.State) error {
			after := idsOfData(s, prefix)
			if before == nil {
				before = after
			}
			if len(after) != 5 || !maps.Equal(before, after) {
				return fmt.Errorf("the ids were %v and are %v", before, after)
			}
			return nil
		}
	}
	s.Run(
		resource.TestStep{Config: s.HCL(fmt.Sprintf(dataHCL, "a")), Check: same(">NAME-a")},
		resource.TestStep{Config: s.HCL(fmt.Sprintf(dataHCL, "b")), Check: same(">NAME-b")},
		resource.TestStep{PreConfig: s.Put("store", enms.Object{"name": ">NAME-b", "new_name": ">NAME-x", "scoped_name": "NAME-x"}),
			Config: s.HCL(fmt.Sprintf(dataHCL, "b")), Check: same(">NAME-b")},
	)
	if left := idsOfData(s, ">NAME-"); len(left) > 0 {
		t.Errorf("after destroy there are %v", left)
	}
}

// idsOfData returns the ids of the data whose names have a prefix, by the rest of the names.
func idsOfData(s *acctest.Server, prefix string) map[string]string {
	s.T.Helper()
	rows := s.All("data")
	ids := map[string]string{}
	for _, row := range rows {
		if rest, is := strings.CutPrefix(fmt.Sprint(row["name"]), s.Expand(prefix)); is {
			ids[rest] = fmt.Sprint(row["id"])
		}
	}
	return ids
}

// A secret moves to another store and out of all stores by its name alone.
func TestData_move(t *testing.T) {
	t.Parallel()
	s := newDataServer(t)
	for _, store := range []string{"NAME-a", "NAME-b"} {
		s.Put("store", enms.Object{"name": ">" + store, "scoped_name": store})()
		t.Cleanup(s.Drop("store", ">"+store))
	}
	c := s.Core(nil)
	state, id := c.NoState("enms_secret"), ""
	for _, name := range []string{">NAME-a>s", ">NAME-b>s", ">NAME-s", ">NAME-a>t"} {
		name = s.Expand(name)
		config := acctest.Attributes{"name": name, "description": "moves"}
		state = c.Refreshed("enms_secret", c.Applied("enms_secret", config, state))
		c.PlansNothing("enms_secret", config, state)
		if now := state.Text(t, "id"); id != "" && now != id {
			t.Errorf("%s has the id %s, and had %s", name, now, id)
		}
		id = state.Text(t, "id")
	}
	c.Applied("enms_secret", nil, state)
}

// eNMS 4 has no data store: the plan of each of its types says so, and so does every read.
func TestData_onLine4(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	acctest.SkipOn(t, "it has a data store", "enms-5.3")
	c := s.Core(nil)
	for resource, config := range map[string]acctest.Attributes{
		"enms_store": {"name": ">ds"}, "enms_secret": {"name": ">ds>s"},
		"enms_instance": {"type": "vlan", "name": ">v10", "properties": acctest.ObjectValue(map[string]any{"scoped_name": "v10"})},
	} {
		if _, diags := c.Plan(resource, config, c.NoState(resource)); !strings.Contains(diags.String(), "only eNMS 5 has it") {
			t.Errorf("%s: %s", resource, diags)
		}
	}
	if _, diags := c.ReadDataSource("enms_store", ">ds"); !strings.Contains(diags.String(), `This eNMS has no type "store"`) {
		t.Errorf("the data source: %s", diags)
	}
	s.Run(s.Failing(s.HCL(`data "enms_secrets" "all" {}`), "only eNMS 5 has it"))
}
