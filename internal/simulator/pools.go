// Members of dynamic pools, computed only when somebody asks for it (2.4).

package simulator

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// updateAllPools recomputes every pool the caller may edit. One criterion that
// breaks, in any pool, breaks it all.
func (c *command) updateAllPools([]string, *python.Dict) (any, error) {
	for _, pool := range c.All("pool") {
		if !c.May("edit", pool) {
			continue
		}
		if err := c.computePool(pool); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func (c *command) computePool(pool *database.Object) error {
	for _, class := range []string{"device", "link"} {
		relation := pool.Type.Relations[class+"s"]
		if !pool.Is("manually_defined") {
			members, err := c.poolMembers(pool, class)
			if err != nil {
				return err
			}
			c.SetMany(pool, relation, members)
		}
		c.Set(pool, class+"_number", int64(len(pool.Members(relation.Name))))
	}
	return nil
}

func (c *command) poolMembers(pool *database.Object, class string) ([]*database.Object, error) {
	form := python.NewDict()
	for _, property := range model.PoolCriteria[class] {
		value, match := pool.Get(class+"_"+property), pool.Get(class+"_"+property+"_match")
		if !python.Truthy(value) && match != "empty" {
			continue
		}
		if c.Types[class].Fields[property] == nil {
			return nil, nil // a custom property, which no simulated object has: nothing contains it
		}
		form.Set(property, value)
		form.Set(property+"_filter", match)
		form.Set(property+"_invert", pool.Get(class+"_"+property+"_invert"))
	}
	if form.Size() == 0 {
		return nil, nil
	}
	conditions, err := c.Conditions(c.Types[class], form)
	if err != nil {
		return nil, err
	}
	everything := func(*database.Object) bool { return true } // whoever recomputes a pool
	return database.Filtered(c.All(class), conditions, everything)
}

// updateDeviceRights rebuilds every group's rights on devices from the group's
// pools (0, update_device_rbac).
func (c *command) updateDeviceRights([]string, *python.Dict) (any, error) {
	for _, group := range c.All("group") {
		for _, right := range model.RightsOf["device"] {
			var devices []*database.Object
			for _, pool := range group.Members("rbac_pool_" + right) {
				devices = append(devices, pool.Members("devices")...)
			}
			c.SetMany(group, group.Type.Relations[right+"_devices"], database.Distinct(devices).List)
		}
	}
	return nil, nil
}
