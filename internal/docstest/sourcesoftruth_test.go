// This file tests the modules netbox and nautobot with what changes in the systems that they read. Which fields become what,
// and what incomplete, empty and refused answers do, is in the modules' own tests.

package docstest

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// sourceOfTruth is a workspace of a module that reads answers of another system.
type sourceOfTruth struct {
	t    *testing.T
	enms *acctest.Server
	w    *acctest.Workspace
}

func newSourceOfTruth(t *testing.T, module string) *sourceOfTruth {
	t.Helper()
	s := acctest.NewServer(t)
	return &sourceOfTruth{t, s, newModuleWorkspace(t, s, module)}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// set writes the variables of the module where Terraform finds them.
func (n *sourceOfTruth) set(variables map[string]any) {
	n.t.Helper()
	writeFile(n.t, filepath.Join(n.w.Dir, "terraform.tfvars.json"), jsonOf(n.t, variables))
}

// has checks how many instances of a type eNMS has.
func (n *sourceOfTruth) has(typ string, want int) {
	n.t.Helper()
	if got := len(n.enms.All(typ)); got != want {
		n.t.Errorf("eNMS has %d of type %s, want %d", got, typ, want)
	}
}

// says runs a command, which ends with an exit code and says some words.
func (n *sourceOfTruth) says(exitCode int, words string, command ...string) {
	n.t.Helper()
	code, out := n.w.Run(append(command, "-no-color")...)
	text := strings.Join(strings.Fields(strings.ReplaceAll(out, "│", "")), " ") // without its frames and line ends
	if code != exitCode || !strings.Contains(text, words) {
		n.t.Errorf("%s ended with %d and does not say %q:\n%s", command, code, words, text)
	}
}

// The devices of several pages become as many in eNMS. A removed one is deleted; more deletions than max_deletions are an
// error of the plan, and none is done. ENMS_TEST_LONG=1 takes 1,500 devices.
func TestModules_netboxPages(t *testing.T) {
	t.Parallel()
	total, page := 60, 25
	if acctest.Long() {
		total, page = 1500, 500
	}
	n := newSourceOfTruth(t, "netbox")
	read := func(count int) {
		var pages []string
		for from := 0; from < count; from += page {
			results := []any{}
			for i := from; i < min(from+page, count); i++ {
				results = append(results, map[string]any{"id": 1000 + i, "name": fmt.Sprintf("R%04d", i), "site": map[string]any{"name": fmt.Sprintf("Site%02d", i%12)},
					"primary_ip": map[string]any{"address": fmt.Sprintf("10.1.%d.%d/24", i/250, i%250+1)}})
			}
			pages = append(pages, jsonOf(t, map[string]any{"count": count, "results": results}))
		}
		n.set(map[string]any{"devices": pages})
	}
	read(total)
	n.says(0, "Apply complete!", "apply", "-auto-approve")
	n.says(0, "No changes", "plan", "-detailed-exitcode")
	n.has("device", total)

	read(total - 1)
	n.says(0, fmt.Sprintf("deletes 1 of the %d instances", total), "apply", "-auto-approve")
	n.has("device", total-1)

	read(total - 30)
	n.says(1, "max_deletions", "plan")
	n.says(1, "max_deletions", "apply", "-auto-approve")
	n.has("device", total-1)
}

// A device that is renamed in Nautobot is renamed in eNMS, and keeps its link. A cable that is removed there is deleted, and
// so are devices, unless too many are missing.
func TestModules_nautobotChanges(t *testing.T) {
	t.Parallel()
	n := newSourceOfTruth(t, "nautobot")
	type object = map[string]any
	read := func(names []string, cables int, settings object) {
		devices, interfaces := []any{}, []any{}
		for i, name := range names {
			devices = append(devices, object{"id": fmt.Sprint("d", i), "name": name, "primary_ip4": object{"address": fmt.Sprintf("10.1.0.%d/24", i+1)},
				"location": object{"id": "l", "name": "Dallas", "location_type": object{"name": "Site"}}})
		}
		for i := range cables {
			interfaces = append(interfaces, object{"id": fmt.Sprint("i", i), "device": object{"id": fmt.Sprint("d", i)},
				"cable": object{"id": fmt.Sprint("c", i), "termination_a_id": fmt.Sprint("i", i)}, "cable_peer_interface": object{"device": object{"id": fmt.Sprint("d", i+1)}}})
		}
		answer := []string{jsonOf(t, object{"data": object{"devices": devices, "interfaces": interfaces}})}
		variables := object{"devices": answer, "cables": answer}
		maps.Copy(variables, settings)
		n.set(variables)
	}
	read([]string{"R0", "R1", "R2"}, 2, nil)
	n.says(0, "Apply complete!", "apply", "-auto-approve")
	n.has("device", 3)
	n.has("link", 2)

	id := n.enms.Get("device", "R0")["id"]
	read([]string{"CORE-0", "R1", "R2"}, 2, object{"renames": object{"R0": "CORE-0"}})
	n.says(0, "CORE-0", "apply", "-auto-approve")
	if got := n.enms.Get("device", "CORE-0")["id"]; got != id {
		t.Errorf("the renamed device has the id %v, want %v", got, id)
	}
	n.says(0, "No changes", "plan")
	n.has("link", 2)

	read([]string{"CORE-0", "R1", "R2"}, 1, nil)
	n.says(0, "1 destroyed", "apply", "-auto-approve")
	n.has("link", 1)

	read([]string{"CORE-0", "R1"}, 1, object{"max_deletions": 0})
	n.says(1, "max_deletions", "apply", "-auto-approve")
	n.has("device", 3)
}

// graphQL are the words and braces of a query, and arguments what it has beside those.
var (
	graphQL   = regexp.MustCompile(`[{}]|\w+`)
	arguments = regexp.MustCompile(`\([^)]*\)`)
)

// The query asks Nautobot for the fields that the answer in the module's own tests has, and for no others. It follows
// locations further up than that answer.
func TestModules_nautobotQuery(t *testing.T) {
	t.Parallel()
	const upwards = ".parent.parent"
	asked, answered := map[string]bool{}, map[string]bool{}
	var open []string
	last := ""
	for _, token := range graphQL.FindAllString(arguments.ReplaceAllString(readFile(t, moduleDirectory+"/nautobot/query.graphql"), ""), -1) {
		switch token {
		case "{":
			open = append(open, last)
		case "}":
			open = open[:len(open)-1]
		default:
			last = token
			asked[strings.ReplaceAll(strings.Join(append(slices.Clone(open), token), "."), upwards, "")] = true
		}
	}
	var note func(path string, v any)
	note = func(path string, v any) {
		answered[strings.ReplaceAll(path, upwards, "")] = true
		switch v := v.(type) {
		case []any:
			for _, element := range v {
				note(path, element)
			}
		case map[string]any:
			for name, field := range v {
				note(path+"."+name, field)
			}
		}
	}
	quoted := regexp.MustCompile(`devices += \[(".*")\]`).FindStringSubmatch(readFile(t, moduleDirectory+"/nautobot/tests/nautobot.tftest.hcl"))
	answer, err := strconv.Unquote(quoted[1])
	var decoded struct{ Data any }
	if err == nil {
		err = json.Unmarshal([]byte(answer), &decoded)
	}
	if err != nil {
		t.Fatal(err)
	}
	if note("query", decoded.Data); !maps.Equal(asked, answered) {
		t.Errorf("the query asks for\n%q, and the answer has\n%q", slices.Sorted(maps.Keys(asked)), slices.Sorted(maps.Keys(answered)))
	}
}
