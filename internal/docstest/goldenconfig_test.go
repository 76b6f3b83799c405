// This file plays the walk of the guide "Golden configuration", from the page alone.

package docstest

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// goldenReport is the JSON of the report.
type goldenReport struct {
	Counts  map[string]int
	Devices map[string]any
}

// What the guide shows is what comes of its files: the report, the warning, the JSON, the commands. The state
// has no line that no feature selects, and nothing runs unless somebody names a device.
func TestGoldenConfiguration_walkOfTheGuide(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("the names of the guide have no prefix")
	p := readPage(t, filepath.Join(acctest.Repository, "docs", "guides", "golden-configuration.md"))
	written := map[string][]string{} // what fences hold, by their language
	for _, f := range p.fences {
		written[f.language] = append(written[f.language], f.code)
	}
	if err := s.Simulator.Load(strings.NewReader(written["json"][0])); err != nil {
		t.Fatal(err)
	}
	w := acctest.NewWorkspace(t)
	w.NeedsVersion(1, 8, "functions of providers")
	w.Environment = append(w.Environment, at(s)...)
	copyDirectory(t, filepath.Join(w.Dir, "modules"), moduleDirectory)
	for i, name := range []string{"ntp.tftpl", "loopback.tftpl"} {
		writeBelow(t, w.Dir, "templates/"+name, written[""][i])
	}
	config := ownModule.ReplaceAllString(written["terraform"][0], `"./$1"`)
	w.Configure(config)
	succeeds(w, "get", "-no-color")
	says(t, succeeds(w, "apply", "-no-color", "-auto-approve"), written[""][2])
	w.PlanNothing()

	markdown := succeeds(w, "output", "-raw", "report")
	for line := range strings.Lines(markdown) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "|") && !slices.Contains(p.lines, line) {
			t.Errorf("the guide does not show the row %s", line)
		}
	}
	for _, diff := range written["diff"] {
		if !strings.Contains(markdown, "```diff\n"+diff+"```\n") {
			t.Errorf("the guide shows\n%s", diff)
		}
	}
	checkStateHoldsNo(w, "enable")
	checkStateHoldsNo(w, "$9$")
	checkStateHoldsNo(w, "094F471A1A0A")

	var shown, is goldenReport
	if err := json.Unmarshal([]byte(written["json"][1]), &shown); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(succeeds(w, "output", "-raw", "json")), &is); err != nil {
		t.Fatal(err)
	}
	features := is.Devices["R2"].(map[string]any)["features"].(map[string]any)
	delete(features, "ntp") // which the guide leaves out
	if !reflect.DeepEqual(shown.Counts, is.Counts) || !reflect.DeepEqual(shown.Devices["R2"], is.Devices["R2"]) {
		t.Errorf("the guide shows\n%v, and it is\n%v", shown, is)
	}

	w.Configure(config + written["terraform"][1])
	w.Apply(10)
	if strings.Contains(contentOf(w, "terraform.tfstate"), `"enms_service_run"`) {
		t.Error("a service ran, though nobody named a device")
	}
	says(t, succeeds(w, "apply", "-no-color", "-auto-approve", `-var=remediate=["R2"]`), written[""][3])

	succeeds(w, "plan", "-no-color", "-out=golden.plan")
	checkGoldenPlan(t, []byte(succeeds(w, "show", "-json", "golden.plan")), markdown)
}

// says checks that an output has each line of a text.
func says(t *testing.T, out, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); !strings.Contains(out, line) {
			t.Errorf("there is no %q in\n%s", line, out)
		}
	}
}

// checkGoldenPlan checks what the job in CI takes out of a plan: the report, and the checks that fail.
func checkGoldenPlan(t *testing.T, plan []byte, report string) {
	t.Helper()
	var decoded struct {
		PlannedValues struct {
			Outputs map[string]struct{ Value any }
		} `json:"planned_values"`
		Checks []struct {
			Address struct{ Name string }
			Status  string
		}
	}
	if err := json.NewDecoder(bytes.NewReader(plan)).Decode(&decoded); err != nil {
		t.Fatalf("%v:\n%s", err, plan)
	}
	if value := decoded.PlannedValues.Outputs["report"].Value; value != report {
		t.Errorf("the report of the plan is\n%v", value)
	}
	var failed []string
	for _, check := range decoded.Checks {
		if check.Status != "pass" {
			failed = append(failed, check.Address.Name+" "+check.Status)
		}
	}
	if !slices.Equal(failed, []string{"golden_configuration fail"}) {
		t.Errorf("these checks do not pass: %q", failed)
	}
}
