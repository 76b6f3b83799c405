// This file applies the examples of running services, by the real Terraform.

package docstest

import (
	"path/filepath"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// The example of enms_service_run and the configurations of the guide Running services
// succeed on a simulator that holds the devices which they name, also where it cannot run
// their code.
func TestExamples_serviceRunsSucceed(t *testing.T) {
	t.Parallel()
	example := readFile(t, filepath.Join(acctest.Repository, "examples", "resources", "enms_service_run", "resource.tf"))
	guide := readPage(t, filepath.Join(acctest.Repository, "docs", "guides", "running-services.md"))
	var shown []fence
	for _, f := range guide.fences {
		if f.isConfiguration() {
			shown = append(shown, f)
		}
	}
	if len(shown) < 3 {
		t.Fatalf("the guide shows %d configurations", len(shown))
	}
	for _, f := range append(shown, fence{code: example, line: 1}) {
		found, err := declarations(f.code, guide.path, f.line)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(found[0].addresses[0], func(t *testing.T) {
			t.Parallel()
			s, w := acctest.NewServerWith(t, "of the pages", simulator.Options{}), acctest.NewWorkspace(t)
			if lacks := step(found).tooNewFor(w); lacks != "" {
				t.Skip(lacks)
			}
			if f.line > 1 {
				guide.surround(t, s, w, "enms.json")
			}
			w.Environment = append(w.Environment, at(s)...)
			declare(w, found, s)
			w.Apply(10)
			w.PlanNothing()
		})
	}
}
