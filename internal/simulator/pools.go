// Members of dynamic pools, computed only when somebody asks for it (2.4).

package simulator

// updateAllPools recomputes every pool the caller may edit. One criterion that
// breaks, in any pool, breaks it all.
func (t *tx) updateAllPools() error {
	for _, pool := range t.s.all(models["pool"]) {
		if !t.may("edit", pool) {
			continue
		}
		if err := t.computePool(pool); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) computePool(pool *object) error {
	for _, class := range []string{"device", "link"} {
		relation := pool.model.relations[class+"s"]
		if !pool.is("manually_defined") {
			members, err := t.poolMembers(pool, class)
			if err != nil {
				return err
			}
			t.setMany(pool, relation, members)
		}
		t.set(pool, class+"_number", int64(len(pool.members(relation.name))))
	}
	return nil
}

func (t *tx) poolMembers(pool *object, class string) ([]*object, error) {
	form := newDict()
	for _, property := range criteria[class] {
		value, match := pool.get(class+"_"+property), pool.get(class+"_"+property+"_match")
		if !truthy(value) && match != "empty" {
			continue
		}
		if models[class].fields[property] == nil {
			return nil, nil // a custom property, which no simulated object has: nothing contains it
		}
		form.set(property, value)
		form.set(property+"_filter", match)
		form.set(property+"_invert", pool.get(class+"_"+property+"_invert"))
	}
	if len(form.keys) == 0 {
		return nil, nil
	}
	everything := *t
	everything.user = nil // pools see all objects, whoever recomputes them
	return everything.selected(models[class], form)
}

// updateDeviceRights rebuilds every group's rights on devices from the group's
// pools (0, update_device_rbac).
func (t *tx) updateDeviceRights() {
	for _, group := range t.s.all(models["group"]) {
		for _, right := range rightsOf["device"] {
			devices := newRefs(nil)
			for _, pool := range group.members("rbac_pool_" + right) {
				for _, device := range pool.members("devices") {
					if !devices.has(device) {
						devices.add(device)
					}
				}
			}
			t.setMany(group, group.model.relations[right+"_devices"], devices.list)
		}
	}
}
