// Endpoints that change many objects at once: members of pools, rights on devices, lists of relations.

package simulator

import (
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// updateAllPools recomputes every pool that the caller may edit. If one criterion of any pool fails, no
// pool is recomputed.
func (c *command) updateAllPools([]string, *python.Dict) (any, error) {
	for _, pool := range c.All("pool") {
		if !c.May("edit", pool) {
			continue
		}
		if err := c.ComputePool(pool); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// updateDeviceRights rebuilds every group's rights on devices from the group's pools (0, update_device_rbac).
func (c *command) updateDeviceRights([]string, *python.Dict) (any, error) {
	for _, group := range c.All("group") {
		for _, right := range model.DeviceRights {
			var devices []*database.Object
			for _, pool := range group.Members("rbac_pool_" + right) {
				devices = append(devices, pool.Members("devices")...)
			}
			c.SetMany(group, group.Type.Relations[right+"_devices"], database.NewSet(devices).List)
		}
	}
	return nil, nil
}

// addInBulk is POST /rest/add_instances_in_bulk. It adds objects to a relation, if all of them exist.
func (c *command) addInBulk(_ []string, data *python.Dict) (any, error) {
	text := func(key string) string { s, _ := data.Get(key).(string); return s }
	target, err := c.fetch(text("target_type"), text("target_name"), "edit")
	if err != nil {
		return nil, err
	}
	if target.Type.Name == "pool" && !target.Is("manually_defined") {
		return python.NewRecord("alert", "Adding objects to a dynamic pool is not allowed."), nil
	}
	r := target.Type.Relations[text("property")]
	names, sent := data.Get("names").(string)
	if !sent || r == nil || !r.Many || c.Type(text("model")) == nil {
		return nil, python.ErrServer
	}
	wanted := strings.Split(names, ",")
	if names == "" {
		wanted = nil
	}
	members, unknown := slices.Clone(target.Members(r.Name)), []string{}
	for _, name := range wanted {
		if o, err := c.FetchByName(text("model"), strings.TrimSpace(name)); err != nil {
			unknown = append(unknown, strings.TrimSpace(name))
		} else if !slices.Contains(members, o) {
			members = append(members, o)
		}
	}
	if len(unknown) > 0 {
		return python.NewRecord("alert", "These "+text("model")+"s do not exist: "+strings.Join(unknown, ", ")+"."), nil
	}
	added := len(members) - len(target.Members(r.Name))
	c.Remember(target, r.Name, slices.Clone(target.Members(r.Name)))
	c.SetMany(target, r, members)
	c.Stamp(target, data)
	return python.NewRecord("number", int64(added), "target", python.NewRecord("id", target.ID, "name", target.Name(), "type", target.Type.Name)), nil
}
