// Legal configurations of every kind, made from the tables, for the tests that go
// through all kinds. What a table cannot tell is said here and nowhere else.

package acctest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// CriterionProperty is the property whose criterion the tests of hostile responses rewrite.
const CriterionProperty = "vendor"

// BesideAttribute holds the attributes that a legal instance needs beside an attribute, by its kind and name.
var BesideAttribute = map[string]Attributes{
	"task.crontab_expression": {"scheduling_mode": "cron"},
	"task.scheduling_mode":    {"crontab_expression": "0 2 * * *"},
	"task.is_active":          {"start_date": "01/01/2035 00:00:00"},
	"instance.properties_wo":  {"properties_wo_version": 1},

	"service.named_credential": {"type": "netmiko_commands_service"},
	"service.superworkflow":    {"type": "workflow"},
	"service.placeholder":      {"type": "workflow"},
}

// full holds the attributes that FullConfig adds to those from the table of a kind.
var full = map[string]Attributes{
	"task": {"scheduling_mode": "cron", "crontab_expression": "0 2 * * *", "is_active": true},
}

// texts are the samples of a string that may be anything.
var texts = []any{"text", "", "0", "false", "null", " blanks ", "Ünïcode → ✓", "line\nline\r\n", `"quotes" \ / '`, "${not} %{a} template"}

// SamplesInTurn returns the samples of an attribute. Of a string that may be anything, it returns the first two
// samples and one other, which turn selects, because all strings are sent and read alike. With
// ENMS_TEST_LONG=1, it returns all.
func SamplesInTurn(turn int, s *Server, k *kind.Kind, a kind.Attribute) []any {
	all := Samples(s, k, a)
	if Long() || a.Type != kind.Text || !slices.Equal(all, texts) {
		return all
	}
	others := texts[2:]
	return []any{texts[0], texts[1], others[turn%len(others)]}
}

// Samples are legal values of an attribute: ordinary, empty and falsy ones.
func Samples(s *Server, k *kind.Kind, a kind.Attribute) []any {
	switch key := k.Name + "." + a.Name; {
	case key == "device.ip_address":
		return []any{"10.0.0.1", "::1", ""}
	case a.Name == "latitude", a.Name == "longitude":
		return []any{"48.1", "0", ""}
	case key == "task.crontab_expression":
		return []any{"*/15 * * * 2,4", "0 0 * * 0"}
	case key == "task.scheduling_mode":
		return []any{"cron"}
	case key == "task.start_date", key == "task.end_date":
		return []any{"01/01/2035 00:00:00", "1/1/2035 0:0:0", ""}
	case a.Name == "scoped_name":
		return []any{s.Expand("NAME-v")}
	case k.Namespace == dataStore && a.Name == "store":
		return []any{nil} // the name says which
	case key == "service.type":
		return []any{"service", "workflow", "python_snippet_service"}
	case key == "service.shared":
		return []any{false}
	case key == "service.workflows":
		return []any{[]string{}}
	case key == "service.skip_value":
		return []any{"success", "failure", "discard", "True"}
	case key == "service.log_level":
		return []any{4, 0, -1}
	case key == "instance.type":
		return []any{"credential", "pool"}
	case key == "instance.properties_wo":
		return []any{ObjectValue(map[string]any{"password": "hidden"})}
	case key == "workflow_edge.source":
		return []any{"[Shared] Start", "[Shared] End"}
	case key == "workflow_edge.destination":
		return []any{"[Shared] End", "[Shared] Start"}
	case key == "pool.device_criteria":
		return []any{Criteria(map[string]Attributes{"vendor": {"value": "Cisco", "match": "equality"}, "port": {"value": "22", "match": "equality", "invert": true}, "location": {"match": "empty"}}),
			Criteria(map[string]Attributes{"name": {"value": "(?i)^r[0-9]+", "match": "regex"}, "vendor": {"value": "Juniper"}}), Criteria(nil)}
	case key == "pool.link_criteria":
		return []any{Criteria(map[string]Attributes{"source_name": {"value": "DALLAS"}}), Criteria(nil)}
	case len(a.OneOf) > 0 && a.Type == kind.Many:
		return []any{a.OneOf, a.OneOf[:1], []string{}}
	case len(a.OneOf) > 0:
		out := []any{}
		for _, v := range a.OneOf {
			out = append(out, v)
		}
		return out
	}
	switch a.Type {
	case kind.Text:
		return slices.Clone(texts)
	case kind.Number:
		return []any{7, 0, 1}
	case kind.Flag:
		return []any{true, false}
	case kind.One:
		return []any{s.Expand("NAME-" + a.Of + "2"), s.Expand("NAME-" + a.Of + "1")}
	case kind.Many:
		return []any{[]string{s.Expand("NAME-" + a.Of + "2"), s.Expand("NAME-" + a.Of + "1")}, []string{}}
	case kind.JSON:
		return []any{ObjectValue(nil), ObjectValue(map[string]any{"a": []any{1, 2.5, "x", true, nil, []any{}, map[string]any{}}, "b": "", "c": 0, "d": false}),
			tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"k": tftypes.NewValue(tftypes.String, "v")}), nil}
	case kind.Properties:
		return []any{ObjectValue(nil), nil}
	}
	return nil
}

// LeastConfig returns the attributes that an instance needs beside its attribute a: the name, what is required,
// and those of BesideAttribute.
func LeastConfig(s *Server, k *kind.Kind, a kind.Attribute) Attributes {
	return LeastConfigNumber(0, s, k, a)
}

// LeastConfigNumber is LeastConfig with other samples for each n, so that several instances can exist at the
// same time.
func LeastConfigNumber(n int, s *Server, k *kind.Kind, a kind.Attribute) Attributes {
	config := Attributes{"name": NameOf(k, s.Expand("NAME-v"))}
	for _, needed := range k.Rows() {
		if (needed.Required || needed.Needed) && needed.Role != kind.Key {
			all := Samples(s, k, needed)
			config[needed.Name] = all[n%len(all)]
		}
	}
	maps.Copy(config, BesideAttribute[k.Name+"."+a.Name])
	return config
}

// ThoroughKinds are the kinds with the most rules. Without ENMS_TEST_LONG=1, the tests of faults and of hostile
// responses go through more cases for these kinds than for others.
var ThoroughKinds = []string{"device", "service", "task"}

// UntabledField is a field that no table has: tests write it in properties. The kinds for which HasUntabledField is
// true have it.
const UntabledField = "creator"

// HasUntabledField reports whether eNMS has fields of a kind that its table lacks. The table of edges has all.
func HasUntabledField(k *kind.Kind) bool { return k.Name != "workflow_edge" }

// readBySearches are the kinds of which FullConfig leaves out relations, as most users do, so that the provider
// reads them by searches.
var readBySearches = []string{"device", "service"}

// FullConfig returns an instance with something in all ordinary attributes, in criteria, in
// relations, in secrets and in a property.
func FullConfig(n int, s *Server, k *kind.Kind) Attributes {
	config := LeastConfigNumber(n, s, k, kind.Attribute{})
	for _, a := range k.Rows() {
		ordinary := a.Role == kind.Field && a.Holds == nil && a.Default != nil && !a.Derived && !a.InName && !a.ReadOnly && len(a.Checks) == 0 && !UnknownField(k.Name, a.Name)
		related := a.Type == kind.Many && a.Of != ""
		_, given := config[a.Name]
		if given || k.Name == "task" && a.Name == "start_date" { // cron ignores the date
			continue
		}
		switch {
		case a.Name == kind.RowProperties && HasUntabledField(k):
			config[a.Name] = map[string]any{UntabledField: "somebody"}
		case a.Role == kind.Secret:
			config[a.Name] = "hidden"
			if a.Type == kind.Properties { // eNMS ignores a field that the type does not have
				config[a.Name] = ObjectValue(map[string]any{"librenms_token": "hidden"})
			}
			config[a.Name+"_version"] = 1
		case ordinary, a.Type == kind.Criteria, related && a.Automatic == nil && !slices.Contains(readBySearches, k.Name):
			config[a.Name] = Samples(s, k, a)[0]
		}
	}
	maps.Copy(config, full[k.Name])
	return config
}

// AnotherConfig returns a configuration with another value in an attribute that has no part in anything else.
func AnotherConfig(k *kind.Kind, config Attributes) Attributes {
	another := maps.Clone(config)
	another[Alterable(k)] = "another"
	if Alterable(k) == kind.RowProperties {
		another[kind.RowProperties] = map[string]any{UntabledField: "another"}
	}
	return another
}

// Alterable returns the attribute that AnotherConfig changes.
func Alterable(k *kind.Kind) string {
	for _, a := range k.Rows() {
		if a.Name == "description" || a.Name == "label" {
			return a.Name
		}
	}
	return kind.RowProperties
}

// TypeOf returns the type by which eNMS finds the instance of a configuration.
func TypeOf(k *kind.Kind, config Attributes) string {
	if k.AnyType != nil {
		return config[k.SubtypeRow()].(string)
	}
	return k.Name
}

// PathOf returns the type by which another actor creates the instance of a configuration.
func PathOf(k *kind.Kind, config Attributes) string {
	if typ, ok := config[k.SubtypeRow()].(string); ok {
		return typ
	}
	return k.Name
}

// ImportIDOf returns the import ID of the instance of a configuration.
func ImportIDOf(k *kind.Kind, config Attributes) string {
	if k.AnyType != nil {
		return TypeOf(k, config) + "/" + config["name"].(string)
	}
	return config["name"].(string)
}

// SourceOf returns the configuration of a data source that reads the instance of a configuration.
func SourceOf(k *kind.Kind, config Attributes) Attributes {
	if k.AnyType != nil {
		return Attributes{"name": config["name"], k.SubtypeRow(): TypeOf(k, config)}
	}
	return Attributes{"name": config["name"]}
}

// PayloadOfOthers returns the payload by which another actor creates an instance with the name
// of a configuration, and with other relations.
func PayloadOfOthers(s *Server, k *kind.Kind, config Attributes) enms.Object {
	payload := enms.Object{"name": config["name"]}
	for _, a := range k.Rows() {
		if (a.Required || a.Needed) && a.Role == kind.Field {
			all := Samples(s, k, a)
			payload[a.Name] = all[len(all)-1]
		}
		if a.Name == "scoped_name" { // without which eNMS makes another name
			payload[a.Name] = strings.TrimPrefix(config["name"].(string), ">")
		}
	}
	return payload
}

// Instance is an instance that a relation names.
type Instance struct{ typ, Name string }

// Put creates the instance, unless every eNMS has it, and reports whether it did.
func (i Instance) Put(s *Server) (made bool) {
	s.T.Helper()
	if strings.HasPrefix(i.Name, "[Shared] ") {
		return false
	}
	typ, payload := i.typ, enms.Object{"name": i.Name}
	if typ == "node" { // what devices and networks are
		typ = "device"
	}
	if slices.Contains([]string{"service", "workflow", "store"}, typ) {
		payload["scoped_name"] = strings.TrimPrefix(i.Name, ">")
	}
	s.Put(typ, payload)()
	return true
}

// NamedBy returns the instances that a configuration refers to, and those of PayloadOfOthers.
func NamedBy(s *Server, k *kind.Kind, config Attributes) (named []Instance) {
	all := []map[string]any{config, PayloadOfOthers(s, k, config)}
	for _, a := range k.Rows() {
		if a.Of == "" {
			continue
		}
		for _, values := range all {
			names, _ := values[a.Name].([]string)
			if name, one := values[a.Name].(string); one {
				names = []string{name}
			}
			for _, name := range names {
				if i := (Instance{a.Of, name}); !slices.Contains(named, i) {
					named = append(named, i)
				}
			}
		}
	}
	return named
}

// PutRelated creates the instances that the samples of relations name.
func PutRelated(s *Server) {
	s.T.Helper()
	made := map[string]bool{}
	for _, k := range Kinds() {
		for _, a := range k.Rows() {
			if a.Of == "" || made[a.Of] {
				continue
			}
			made[a.Of] = true
			for n := range 2 {
				i := Instance{a.Of, NameOf(kind.Named(kinds.All(), a.Of), s.Expand(fmt.Sprintf("NAME-%s%d", a.Of, n+1)))}
				i.Put(s)
				if s.Simulator == nil {
					s.T.Cleanup(s.Drop(TypeName(i.typ), i.Name))
				}
			}
		}
	}
}

// Criteria returns the value of an attribute with criteria, by property.
func Criteria(all map[string]Attributes) tftypes.Value {
	members := map[string]tftypes.Value{}
	for property, criterion := range all {
		members[property] = ValueOf(kind.CriterionType, map[string]any(criterion))
	}
	return tftypes.NewValue(kind.CriteriaType, members)
}
