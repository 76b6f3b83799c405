// The functions with which the tables of types are written.

package model

import (
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// Version is a version of eNMS that has other types, or does other things with them, than the others.
type Version int

// The versions. Elements of the tables say which version has a field, and hooksByType says what a version does.
const (
	V47 Version = iota
	V53
)

// The types and properties that only some servers have.
const (
	SoftDeleted   = "soft_deleted"
	SiteService   = "site_service"
	SiteRack      = "rack"
	SiteCollector = "collector"
)

// CustomProperties are the properties, by their types, that only a server with custom properties has.
var CustomProperties = map[string][]string{
	"device":  {"cost_center", "managed_by"},
	"link":    {"managed_by"},
	"service": {"managed_by"},
	"task":    {"managed_by"},
}

// custom adds the custom properties of a type.
func custom(m *database.Type) { text("", CustomProperties[m.Name]...)(m) }

// element declares a part of a type, such as some of its fields.
type element func(*database.Type)

// fieldsOf declares fields with an initial value. The functions below are fieldsOf for one kind of field.
func fieldsOf(k database.Kind, initial any, names []string) element {
	return func(m *database.Type) {
		for _, name := range names {
			m.Fields[name] = &database.Field{Name: name, Kind: k, Initial: initial, Limit: textLimit(m.Name, name)}
		}
	}
}

func text(initial any, names ...string) element    { return fieldsOf(database.KindText, initial, names) }
func integer(initial any, names ...string) element { return fieldsOf(database.KindInt, initial, names) }
func decimal(initial float64, names ...string) element {
	return fieldsOf(database.KindFloat, initial, names)
}
func flag(initial bool, names ...string) element { return fieldsOf(database.KindBool, initial, names) }
func mapping(names ...string) element            { return fieldsOf(database.KindDict, python.NewDict(), names) }
func list(names ...string) element               { return fieldsOf(database.KindList, []any{}, names) }
func anyJSON(names ...string) element            { return fieldsOf(database.KindJSON, python.NewDict(), names) }
func secret(names ...string) element             { return fieldsOf(database.KindSecret, nil, names) }

// proxy declares a field with the name of the object of a relation to one.
func proxy(name, relation string) element {
	return func(m *database.Type) {
		m.Fields[name] = &database.Field{Name: name, Kind: database.KindProxy, Relation: relation}
	}
}

// computed declares fields that are computed when they are read: by Hooks.Computed, or, with compute, by
// the database.
func computed(compute func(get func(string) any) any, names ...string) element {
	return func(m *database.Type) {
		for _, name := range names {
			m.Fields[name] = &database.Field{Name: name, Kind: database.KindComputed, Compute: compute}
		}
	}
}

// addRelation declares a relation, in place of the one of that name that the parent has, and its id column.
func addRelation(r database.Relation) element {
	return func(m *database.Type) {
		if _, ok := m.Relations[r.Name]; !ok {
			m.Order = append(m.Order, r.Name)
		}
		m.Relations[r.Name] = &r
		if r.Column != "" {
			m.Columns[r.Column] = &r
			m.Fields[r.Column] = &database.Field{Name: r.Column, Kind: database.KindInt}
		}
	}
}

// many declares a relation to many. reverse is the name of the relation on the other side, or "".
func many(name, target, reverse string) element {
	return addRelation(database.Relation{Name: name, Target: target, Many: true, Reverse: reverse})
}

// counted declares a relation to many, and the property that contains the number of its members.
func counted(name, target, reverse, counter string) element {
	return addRelation(database.Relation{Name: name, Target: target, Many: true, Reverse: reverse, Counter: counter})
}

// one declares a relation to one, and its id column.
func one(name, target, reverse string) element {
	return addRelation(database.Relation{Name: name, Target: target, Reverse: reverse, Column: name + "_id"})
}

// listed shows relations that the parent model accepts without showing them.
func listed(names ...string) element {
	return func(m *database.Type) {
		for _, name := range names {
			r := *m.Relations[name]
			r.Unlisted = false
			m.Relations[name] = &r
		}
	}
}

// until47 adds what eNMS 4.7 has and 5.3 has not; since53 adds what 5.3 has and 4.7 has not.
func until47(elements ...element) element { return only(V47, elements) }
func since53(elements ...element) element { return only(V53, elements) }

func only(v Version, elements []element) element {
	return func(m *database.Type) {
		if Version(m.Version) == v {
			join(elements...)(m)
		}
	}
}

// join makes one element of several.
func join(elements ...element) element {
	return func(m *database.Type) {
		for _, add := range elements {
			add(m)
		}
	}
}

// hidden leaves properties out of all answers (1.4).
func hidden(names ...string) element {
	return func(m *database.Type) {
		for _, name := range names {
			m.Unserialized[name] = true
		}
	}
}

// namedApart gives the objects of a subtype a namespace of their own.
func namedApart(m *database.Type) { m.Names, m.Nameless = m.Name, false }

// searchAdds declares the columns that a search adds to the requested ones.
func searchAdds(names ...string) element { return func(m *database.Type) { m.Additional = names } }

// catalog has the types of a version that are declared so far, by name.
type catalog struct {
	version Version
	types   map[string]*database.Type
}

// root declares a type with a table of its own, whose objects share a namespace.
func (c catalog) root(name string, elements ...element) {
	c.declare(&database.Type{Name: name, Class: name, Table: name, Names: name}, elements)
}

// sub declares a subtype: it has everything that its parent has, in the parent's table.
func (c catalog) sub(name, parent string, elements ...element) {
	p := c.types[parent]
	c.declare(&database.Type{Name: name, Parent: p, Class: p.Class, Table: p.Table, Names: p.Names, Additional: p.Additional}, elements)
}

// declare adds a type: what its parent has, a name, and the elements, which may change what came before them.
func (c catalog) declare(m *database.Type, elements []element) {
	m.Version = int(c.version)
	m.Fields, m.Relations = map[string]*database.Field{}, map[string]*database.Relation{}
	m.Columns, m.Unserialized = map[string]*database.Relation{}, map[string]bool{}
	if parent := m.Parent; parent != nil {
		maps.Copy(m.Fields, parent.Fields)
		maps.Copy(m.Relations, parent.Relations)
		maps.Copy(m.Columns, parent.Columns)
		m.Order = slices.Clone(parent.Order)
	}
	text("", "name")(m)
	join(elements...)(m)
	m.Properties = []string{"id", "type"}
	for name, f := range m.Fields {
		if f.Kind != database.KindSecret && !m.Unserialized[name] && !f.Merges {
			m.Properties = append(m.Properties, name)
		}
	}
	slices.Sort(m.Properties)
	c.types[m.Name] = m
}

// ListProperties are the menus and requests that groups grant to their users (1.10).
var ListProperties = []string{"menu", "pages", "get_requests", "post_requests", "delete_requests"}

// rights are the rights on the objects of each class (2.3).
var rights = [...]map[string][]string{
	V47: {
		"credential": {"rbac_read", "rbac_edit"},
		"device":     {"rbac_read", "rbac_configuration", "rbac_edit", "rbac_connect", "rbac_target"},
		"link":       {"rbac_read", "rbac_edit"},
		"network":    {"rbac_read", "rbac_edit"},
		"pool":       {"rbac_read", "rbac_edit"},
		"service":    {"rbac_read", "rbac_edit", "rbac_run"},
		"task":       {"rbac_read", "rbac_edit"},
	},
	V53: {
		"credential": {"rbac_read", "rbac_edit", "rbac_use"},
		"data":       {"rbac_read", "rbac_edit", "rbac_use"},
		"device":     {"rbac_read", "rbac_configuration", "rbac_edit", "rbac_connect", "rbac_target"},
		"link":       {"rbac_read", "rbac_edit"},
		"pool":       {"rbac_read", "rbac_edit"},
		"server":     {"rbac_read"},
		"service":    {"rbac_read", "rbac_edit", "rbac_run"},
		"task":       {"rbac_read", "rbac_edit"},
		"worker":     {"rbac_read"},
	},
}

// RightsOf returns the rights on objects of a type, or nil if the type needs none.
func RightsOf(m *database.Type) []string { return rights[m.Version][m.Class] }

// DeviceRights are the rights on devices that pools give to groups.
var DeviceRights = rights[V47]["device"]

// rightsOn adds owners and rights to a type, and makes it a class of its own.
func rightsOn(class string) element {
	return func(m *database.Type) {
		m.Class = class
		many("owners", "user", "user_"+class+"s")(m)
		for _, right := range RightsOf(m) {
			many(right, "group", right+"_"+class+"s")(m)
		}
	}
}

// logged adds the properties in which 5.3 records when an object was created and changed, and by whom, and the
// relation to its entries in the changelog, whose other side has the name class.
func logged(class string) element {
	return join(text("", "creation_time", "last_modified", "last_modified_by"), many("logs", "changelog", class))
}

const (
	tinyText   = 64
	smallText  = 255
	mediumText = 65535
	largeText  = 0
)

// tinyTexts hold 64 characters.
var tinyTexts = []string{"address", "authentication", "color", "commit_sha", "conversion_method", "creation_time", "crontab_expression",
	"disabled_info", "duration", "end_date", "frequency_unit", "icon", "ip_address", "iteration_devices_property",
	"last_modified", "last_restart", "latitude", "longitude", "mac_address", "man_minutes_type", "napalm_driver",
	"netconf_driver", "netmiko_driver", "path", "persistent_id", "postprocessing_mode", "report_format", "run_method", "runtime",
	"scheduler_address", "scheduling_mode", "scrapli_driver", "send_notification_method", "server_commit_sha",
	"server_version", "start_date", "status", "theme", "trigger", "validation_condition", "validation_method", "version"}

// largeTexts hold any number of characters.
var largeTexts = []string{"body", "code", "commands", "commit_message", "configuration", "confirmation1", "confirmation2",
	"confirmation3", "content", "content_match", "description", "device_query", "iteration_devices",
	"iteration_values", "labels", "match1", "match2", "match3", "notification_header", "operational_data",
	"parameterized_form", "parameterized_form_template", "postprocessing", "preprocessing", "private_key", "report",
	"rest_url", "secret_value", "signal_args", "skip_query", "source_code", "specialized_data", "validation_section", "workflow_args", "xml_filter"}

// otherTexts are columns that differ from those of the same name elsewhere.
var otherTexts = map[string]int{"server.role": tinyText, "workflow_edge.color": smallText,
	"ping_service.ip_address": smallText, "user.password": largeText, "service.version": smallText, "data.path": smallText, "file.path": smallText,
	"cable.color": smallText, "ip_address.role": tinyText, "rest_call_service.payload": largeText,
	"changelog.name": mediumText, "changelog.target_name": mediumText, "changelog.severity": tinyText, "changelog.time": tinyText}

// textLimit returns how many characters the column of a property holds, or 0 (largeText) for any number.
func textLimit(model, property string) int {
	if limit, known := otherTexts[model+"."+property]; known {
		return limit
	}
	switch {
	case model == "pool" && strings.HasSuffix(property, "_match"):
		return tinyText
	case model == "pool" && (strings.HasPrefix(property, "device_") || strings.HasPrefix(property, "link_")):
		return largeText
	case slices.Contains(tinyTexts, property):
		return tinyText
	case slices.Contains(largeTexts, property):
		return largeText
	default:
		return smallText
	}
}
