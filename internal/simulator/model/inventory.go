// The tables of devices, networks, links and pools (1.4, 1.6, 1.7, 1.12), and what eNMS does with them apart
// from storing values.

package model

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// ConfigurationProperties are the properties that services collect from a device.
var ConfigurationProperties = []string{"configuration", "operational_data", "specialized_data"}

// collections declares when and with what outcome services last collected each of these properties.
func collections(m *database.Type) {
	for _, property := range ConfigurationProperties {
		for _, suffix := range []string{"status", "update", "failure", "runtime", "duration"} {
			text("Never", "last_"+property+"_"+suffix)(m)
		}
		since53(text("Never", "last_"+property+"_success"))(m)
	}
}

// PoolCriteria are the properties a pool can select devices and links by (1.7).
var PoolCriteria = map[string][]string{
	"device": {"name", "description", "creator", "subtype", "model", "location", "vendor", "icon",
		"operating_system", "os_version", "netmiko_driver", "napalm_driver", "scrapli_driver", "netconf_driver",
		"ip_address", "port", "latitude", "longitude", "property1",
		"configuration", "operational_data", "specialized_data"},
	"link": {"name", "description", "creator", "subtype", "model", "location", "vendor", "color",
		"source_name", "destination_name"},
}

// poolCriteria declares the fields of a pool for each property in PoolCriteria, the numbers of its members, and
// the groups that get rights on its devices.
func poolCriteria(m *database.Type) {
	for class, properties := range PoolCriteria {
		for _, property := range properties {
			text("", class+"_"+property)(m)
			text("inclusion", class+"_"+property+"_match")(m)
			flag(false, class+"_"+property+"_invert")(m)
		}
		integer(int64(0), class+"_number")(m)
	}
	for _, right := range DeviceRights {
		many("rbac_group_"+right, "group", "rbac_pool_"+right)(m)
	}
}

// customJSON is a custom property that comes with 5.3 as an example.
func customJSON(m *database.Type) {
	mapping("custom_json")(m)
	m.Fields["custom_json"].Merges = true
}

func inventoryTypes(c catalog) {
	c.root("object",
		text("", "creator", "last_modified", "last_modified_by", "subtype", "description",
			"model", "location", "vendor"),
		func(m *database.Type) { m.Nameless = true })
	// Devices and networks, which share a namespace, are nodes on 4.7; on 5.3, networks are devices.
	located, parent := join(namedApart, text("0.0", "latitude", "longitude")), "object"
	if c.version == V47 {
		parent = "node"
		c.sub(parent, "object", located, mapping("positions"), many("networks", "network", "nodes"))
	}
	c.sub("device", parent, since53(located, many("networks", "network", "devices"), logged("device"), flag(false, "admin_only"), customJSON,
		addRelation(database.Relation{Name: "ports", Target: "port", Many: true, Reverse: "device", Unlisted: true})),
		text("router", "icon"), text("", "operating_system", "os_version", "ip_address"),
		integer(int64(22), "port"), text("cisco_ios", "netmiko_driver"), text("ios", "napalm_driver"),
		text("cisco_iosxe", "scrapli_driver"), text("default", "netconf_driver"),
		text("", ConfigurationProperties...), collections, hidden(ConfigurationProperties...), custom,
		many("gateways", "gateway", "devices"), many("target_services", "service", "target_devices"),
		many("runs", "run", "target_devices"), many("tasks", "task", "devices"), many("pools", "pool", "devices"),
		addRelation(database.Relation{Name: "source", Target: "link", Many: true, Reverse: "source", Unlisted: true, Orphans: true}),
		addRelation(database.Relation{Name: "destination", Target: "link", Many: true, Reverse: "destination", Unlisted: true, Orphans: true}),
		rightsOn("device"))
	c.sub("gateway", "device", since53(hidden(ConfigurationProperties...)), integer(int64(1), "priority"), many("devices", "device", "gateways"),
		listed("source", "destination"))
	c.sub("router", "device", since53(hidden(ConfigurationProperties...)), text("", "serial_number"), listed("source", "destination"))
	c.sub("network", map[Version]string{V47: "node", V53: "device"}[c.version],
		text("", "category", "path"), mapping("labels"), many("links", "link", "networks"),
		until47(text("network", "icon"), many("nodes", "node", "networks"), rightsOn("network")),
		since53(func(m *database.Type) { m.Class = "network" }, logged("network"), mapping("positions"), listed("source", "destination"),
			many("devices", "device", "networks"), many("device_changelogs", "changelog", "networks")),
		searchAdds("path", "scoped_name"))
	c.sub("link", "object",
		namedApart, custom, text("#000000", "color"), one("source", "device", "source"), one("destination", "device", "destination"),
		proxy("source_name", "source"), proxy("destination_name", "destination"),
		many("pools", "pool", "links"), many("networks", "network", "links"), rightsOn("link"),
		since53(flag(false, "admin_only"), logged("link")))
	if c.version == V53 {
		c.sub("generic_device", "device", hidden(ConfigurationProperties...), listed("source", "destination"))
		c.sub("generic_link", "link")
	}
	c.sub("ethernet_link", "link", text("", "speed", "standard"))
	c.root("pool",
		flag(false, "manually_defined", "admin_only"),
		text("", "creator", "last_modified", "last_modified_by", "description"), poolCriteria,
		many("target_services", "service", "target_pools"), many("runs", "run", "target_pools"),
		many("tasks", "task", "pools"), many("credential_devices", "credential", "device_pools"),
		counted("devices", "device", "pools", "device_number"), counted("links", "link", "pools", "link_number"),
		rightsOn("pool"), since53(flag(false, "include_networks"), logged("pool")), searchAdds("device_number", "link_number"))
}

// touchAfterwards is the Update of types for which eNMS only records who changed the object, and when: after the
// assignments, and not for an object that a migration imports.
func touchAfterwards(s *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	return func() error {
		if !imported(entry) {
			s.touch(o)
		}
		return nil
	}, nil
}

// updateInventory finds the ends of links, and merges the positions of devices and networks. After the assignments, it
// records who changed the object, unless that is a network or imported.
func updateInventory(s *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	if o.Type.Class == "link" {
		if err := s.linkEnds(entry); err != nil {
			return nil, err
		}
	} else if err := mergePositions(o, entry); err != nil {
		return nil, err
	}
	return func() error {
		if o.Type.Class != "network" && !imported(entry) {
			s.touch(o)
		}
		return nil
	}, nil
}

// linkEnds replaces the names of the two ends of a link in an entry by their ids (1.6). A source alone is an error.
// A destination alone stays in the entry: assigning it renames the device.
func (s *Session) linkEnds(entry *python.Dict) error {
	source, sent := entry.Lookup("source_name")
	if !sent {
		return nil
	}
	from, err := s.FetchByName("device", source)
	if err != nil {
		return err
	}
	destination, sent := entry.Lookup("destination_name")
	if !sent {
		return python.Raise("KeyError", "'destination_name'")
	}
	to, err := s.FetchByName("device", destination)
	if err != nil {
		return err
	}
	entry.Pop("source_name")
	entry.Pop("destination_name")
	entry.Set("source", from.ID)
	entry.Set("destination", to.ID)
	return nil
}

// updateNetwork is updateInventory for a network. If the entry gives the network another name (which needs its id),
// the nodes get their positions under that name, too.
func updateNetwork(s *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	oldName := o.Name()
	after, err := updateInventory(s, o, entry)
	if err != nil {
		return nil, err
	}
	return func() error {
		if err := after(); err != nil {
			return err
		}
		for _, node := range o.Members("nodes") {
			s.copyPosition(node, oldName, o.Name())
		}
		return nil
	}, nil
}

// removeInventory subtracts a device or link from the counters of its pools. Links that are deleted together
// with a device remain counted.
func removeInventory(s *Session, o *database.Object) (string, error) {
	if o.Type.Class == "network" {
		return "", nil
	}
	for _, pool := range o.Members("pools") {
		s.AddTo(pool, o.Type.Class+"_number", -1)
	}
	return "", nil
}

// updateLocated finds the ends of links. If a device or network gets another name, and is not imported, the networks
// that it is in store its position under that name.
func updateLocated(s *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	if o.Type.Class == "link" {
		return nil, s.linkEnds(entry)
	}
	oldName := o.Name()
	return func() error {
		if o.Name() == oldName || imported(entry) {
			return nil
		}
		return s.movePositions(o.Members("networks"), oldName, o.Name())
	}, nil
}

// placeNetwork computes the path of a network: the ids of the networks above it, if it is in one only, and its own.
func placeNetwork(s *Session, o *database.Object) error {
	path, above := IDText(o), o.Members("networks")
	if len(above) == 1 {
		path = above[0].Text("path") + ">" + path
	}
	s.Set(o, "path", path)
	return nil
}

// ComputePool computes the members of a pool, or counts the members of a pool that is defined by hand.
func (s *Session) ComputePool(pool *database.Object) error {
	for _, class := range []string{"device", "link"} {
		relation := pool.Type.Relations[class+"s"]
		if !pool.Is("manually_defined") {
			members, err := s.poolMembers(pool, class)
			if err != nil {
				return err
			}
			s.SetMany(pool, relation, members)
		}
		s.Set(pool, class+"_number", int64(len(pool.Members(relation.Name))))
	}
	return nil
}

// poolMembers returns the objects of a class that meet the criteria of a pool, none if it has no criteria. Rights
// of the caller do not count. Networks are members on 4.7, and on 5.3 if include_networks is set.
func (s *Session) poolMembers(pool *database.Object, class string) ([]*database.Object, error) {
	form := python.NewDict()
	for _, property := range PoolCriteria[class] {
		value, match := pool.Get(class+"_"+property), pool.Get(class+"_"+property+"_match")
		if !python.Truthy(value) && match != "empty" {
			continue
		}
		if s.Types[class].Fields[property] == nil {
			return nil, nil // property1, a custom property that no simulated object has
		}
		form.Set(property, value)
		form.Set(property+"_filter", match)
		form.Set(property+"_invert", pool.Get(class+"_"+property+"_invert"))
	}
	if form.Size() == 0 {
		return nil, nil
	}
	conditions, err := s.Conditions(s.Types[class], form)
	if err != nil {
		return nil, err
	}
	takesNetworks := s.Version == V47 || pool.Is("include_networks")
	counts := func(o *database.Object) bool { return takesNetworks || o.Type.Name != "network" }
	return database.Filtered(s.All(class), conditions, counts)
}
