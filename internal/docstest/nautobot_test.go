// This file tests the module nautobot with a stand-in for Nautobot's GraphQL interface.

package docstest

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// nautobot answers a query in the shape of Nautobot 2's GraphQL: with the fields that the query asks for. Cables join
// R0000 with R0001, and R0001 with R0002.
type nautobot struct {
	*sourceOfTruth
	renamed  bool // R0000 is called CORE-0
	uncabled bool // the cable of R0000 is removed
	reversed bool // lists have the opposite order
}

// devices returns the devices as Nautobot does.
func (n *nautobot) devices() []any {
	all := []any{}
	for i := range n.count() {
		d := n.device(i)
		if i == 0 && n.renamed {
			d.name = "CORE-0"
		}
		var address any
		if d.address != nil {
			address = map[string]any{"address": d.address}
		}
		site := nautobotLocation(fmt.Sprintf("site-%d", d.site), d.siteName, "Site", nautobotLocation("region", "Texas", "Region", nil))
		all = append(all, map[string]any{
			"id": nautobotID(i), "name": d.name, "primary_ip4": address, "primary_ip6": nil,
			"role":        map[string]any{"name": "Router"},
			"platform":    map[string]any{"name": "Cisco IOS", "network_driver": "cisco_ios"},
			"device_type": map[string]any{"model": "C9300", "manufacturer": map[string]any{"name": "Cisco"}},
			"location":    nautobotLocation(fmt.Sprintf("floor-%d", d.site), "Floor 1", "Floor", site),
		})
	}
	return all
}

func nautobotID(i int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", i) }

func nautobotLocation(id, name, kind string, parent any) map[string]any {
	return map[string]any{"id": id, "name": name, "location_type": map[string]any{"name": kind}, "parent": parent}
}

// interfaces returns the interfaces with cables: those at both ends of each.
func (n *nautobot) interfaces() []any {
	all := []any{}
	for i := range min(2, n.count()-1) {
		if i == 0 && n.uncabled {
			continue
		}
		cable := map[string]any{"id": fmt.Sprintf("c%d", i), "termination_a_id": fmt.Sprintf("i%d-a", i)}
		a, b := map[string]any{"id": nautobotID(i)}, map[string]any{"id": nautobotID(i + 1)}
		all = append(all,
			map[string]any{"id": fmt.Sprintf("i%d-a", i), "cable": cable, "device": a, "cable_peer_interface": map[string]any{"device": b}},
			map[string]any{"id": fmt.Sprintf("i%d-b", i), "cable": cable, "device": b, "cable_peer_interface": map[string]any{"device": a}})
	}
	return all
}

// selection is what a GraphQL query asks for of an object: the names of fields, each with what is
// asked for of its value.
type selection map[string]selection

var (
	graphQLTokens = regexp.MustCompile(`[{}]|\w+`)
	arguments     = regexp.MustCompile(`\([^)]*\)`)
)

// parseSelection returns a selection up to its closing brace, and the tokens after it.
func parseSelection(tokens []string) (found selection, rest []string) {
	found = selection{}
	last := ""
	for len(tokens) > 0 {
		token := tokens[0]
		tokens = tokens[1:]
		switch token {
		case "}":
			return found, tokens
		case "{":
			found[last], tokens = parseSelection(tokens)
		default:
			last = token
			found[last] = nil
		}
	}
	return found, nil
}

// of returns what the selection asks for of a value. A field that the value lacks is an error, as
// is an object of which nothing is asked for.
func (s selection) of(t *testing.T, value any) any {
	t.Helper()
	switch value := value.(type) {
	case []any:
		all := make([]any, len(value))
		for i, element := range value {
			all[i] = s.of(t, element)
		}
		return all
	case map[string]any:
		if len(s) == 0 {
			t.Fatal("an object must have a selection of subfields")
		}
		fields := map[string]any{}
		for name, further := range s {
			field, is := value[name]
			if !is {
				t.Fatalf("cannot query field %q", name)
			}
			fields[name] = further.of(t, field)
		}
		return fields
	}
	return value
}

// read gives the module the answer to its query.
func (n *nautobot) read(renames map[string]string) {
	n.t.Helper()
	text := readFile(n.t, filepath.Join(n.w.Dir, "query.graphql"))
	query, _ := parseSelection(graphQLTokens.FindAllString(arguments.ReplaceAllString(text, ""), -1))
	devices, interfaces := n.devices(), n.interfaces()
	if n.reversed {
		slices.Reverse(devices)
		slices.Reverse(interfaces)
	}
	data := query["query"].of(n.t, map[string]any{"devices": devices, "interfaces": interfaces})
	answer := []string{n.jsonOf(map[string]any{"data": data})}
	n.set(map[string]any{"devices": answer, "cables": answer, "location_type": "Site", "renames": renames})
}

// What changes in Nautobot changes in eNMS: a renamed device is renamed, and keeps its link; a
// removed cable and a removed device are deleted, and nothing if too many devices are missing.
func TestModules_nautobotChanges(t *testing.T) {
	t.Parallel()
	const total = 30
	n := &nautobot{sourceOfTruth: newSourceOfTruth(t, "nautobot", total)}
	n.read(nil)
	n.says(0, "their ids in Nautobot are: "+nautobotID(3)+".", "apply", "-auto-approve")
	n.has("device", total-leftOut)
	n.has("link", 2)
	n.reversed = true
	n.read(nil)
	n.says(0, "Devices without a primary address are left out: R0004.", "plan", "-detailed-exitcode")
	if got := n.enms.Get("device", "R0000"); got["location"] != "Site00" || got["netmiko_driver"] != "cisco_ios" || got["vendor"] != "Cisco" {
		t.Errorf("R0000 is %v", got)
	}

	n.removed = 20
	n.read(nil)
	n.refusesToChange("max_deletions")
	n.removed = 0

	id := n.enms.Get("device", "R0000")["id"]
	n.renamed = true
	n.read(nil)
	n.says(0, `write renames = { "R0000" = "CORE-0" }`, "plan")
	n.read(map[string]string{"R0000": "CORE-0"})
	n.says(0, "CORE-0", "apply", "-auto-approve")
	if got := n.enms.Get("device", "CORE-0")["id"]; got != id {
		t.Errorf("the renamed device has the id %v, want %v", got, id)
	}
	n.says(0, "No changes", "plan")
	n.has("device", total-leftOut)
	n.has("link", 2)

	n.uncabled = true
	n.read(nil)
	n.says(0, "1 destroyed", "apply", "-auto-approve")
	n.has("link", 1)

	n.removed = 1
	n.read(nil)
	n.says(0, fmt.Sprintf("deletes 1 of the %d instances", total-leftOut), "apply", "-auto-approve")
	n.has("device", total-leftOut-1)
	n.has("link", 1)
}
