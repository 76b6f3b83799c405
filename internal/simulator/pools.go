// Members of dynamic pools, computed only when somebody asks for it (2.4).

package simulator

// updateAllPools recomputes every pool the caller may edit. One criterion that
// breaks, in any pool, breaks it all.
func (c *command) updateAllPools() error {
	for _, pool := range c.all("pool") {
		if !c.may("edit", pool) {
			continue
		}
		if err := c.computePool(pool); err != nil {
			return err
		}
	}
	return nil
}

func (c *command) computePool(pool *object) error {
	for _, class := range []string{"device", "link"} {
		relation := pool.model.relations[class+"s"]
		if !pool.is("manually_defined") {
			members, err := c.poolMembers(pool, class)
			if err != nil {
				return err
			}
			c.setMany(pool, relation, members)
		}
		c.set(pool, class+"_number", int64(len(pool.members(relation.name))))
	}
	return nil
}

func (c *command) poolMembers(pool *object, class string) ([]*object, error) {
	form := newDict()
	for _, property := range criteria[class] {
		value, match := pool.get(class+"_"+property), pool.get(class+"_"+property+"_match")
		if !truthy(value) && match != "empty" {
			continue
		}
		if c.types[class].fields[property] == nil {
			return nil, nil // a custom property, which no simulated object has: nothing contains it
		}
		form.set(property, value)
		form.set(property+"_filter", match)
		form.set(property+"_invert", pool.get(class+"_"+property+"_invert"))
	}
	if form.size() == 0 {
		return nil, nil
	}
	conditions, err := c.conditions(c.types[class], form)
	if err != nil {
		return nil, err
	}
	everything := func(*object) bool { return true } // whoever recomputes a pool
	return filtered(c.all(class), conditions, everything)
}

// updateDeviceRights rebuilds every group's rights on devices from the group's
// pools (0, update_device_rbac).
func (c *command) updateDeviceRights() {
	for _, group := range c.all("group") {
		for _, right := range rightsOf["device"] {
			var devices []*object
			for _, pool := range group.members("rbac_pool_" + right) {
				devices = append(devices, pool.members("devices")...)
			}
			c.setMany(group, group.model.relations[right+"_devices"], distinct(devices).members())
		}
	}
}
