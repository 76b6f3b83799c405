// The data store of 5.3: named values, in stores, which may be in other stores.

package model

import (
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

func dataTypes(c catalog) {
	if c.version == V47 {
		return
	}
	c.root("data", text("", "creator", "description", "path", "scoped_name", "persistent_id"), flag(false, "admin_only"),
		one("store", "store", "data"), computed(nil, "ui_name"), rightsOn("data"), logged("data"), searchAdds("persistent_id"))
	c.sub("store", "data", text("store", "data_type"), many("data", "data", "store"))
	c.sub("secret", "data", secret("secret_value"))
	c.sub("json", "data", anyJSON("value"))
	c.sub("vlan", "data", integer(int64(1), "vlan_id"), text("", "role", "group"))
	c.sub("ip_address", "data", text("", "address", "role", "vrf_instance"))
	c.sub("port", "data", text("", "label", "speed"), flag(false, "connected"), one("device", "device", "ports"), proxy("device_name", "device"))
	c.sub("cable", "data", text("", "label", "color"), decimal(0, "length"),
		one("source_port", "port", ""), proxy("source_port_name", "source_port"),
		one("destination_port", "port", ""), proxy("destination_port_name", "destination_port"))
}

// updateData computes path and name after the assignments. After the commit, Posted computes them once more.
func updateData(s *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	return func() error {
		if imported(entry) {
			return nil
		}
		return setDataName(s, o)
	}, nil
}

// setDataName computes the path of an object, below that of its store, and its name from the path. If a store gets
// another name, so do the objects in it.
func setDataName(s *Session, o *database.Object) error {
	old, path := o.Name(), "/"+scopedName(o)
	if store := o.One("store"); store != nil {
		path = store.Text("path") + path
	}
	s.Set(o, "path", path)
	s.Set(o, "name", strings.ReplaceAll(path, "/", ">"))
	if o.Type.Name != "store" || o.Name() == old {
		return nil
	}
	for _, member := range o.Members("data") {
		if err := setDataName(s, member); err != nil {
			return err
		}
	}
	return nil
}
