// This file promotes a workflow to a server that has it already.

package export_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// onlyOneChange matches a plan that imports what there is and changes one object.
var onlyOneChange = regexp.MustCompile(`Plan: (\d+) to import, 0 to add, 1 to change, 0 to destroy\.`)

// A server that has the workflow already, with edges of other names, is exported as well: its
// calls and import blocks fit the modules of the first server. The plan imports everything and
// changes what differs.
func TestExport_promotionToExisting(t *testing.T) {
	t.Parallel()
	dev, w := newSource(t)
	prod := acctest.NewServerWith(t, "simulator", simulator.Options{})
	fillDev(dev)
	fillDev(prod)
	edges := prod.All("workflow_edge")
	if len(edges) == 0 {
		t.Fatal("the server has no edges")
	}
	for n, edge := range edges { // as the Workflow Builder would have named them
		prod.Put("workflow_edge", enms.Object{"name": edge["name"], "new_name": fmt.Sprintf("drawn on prod %d", n)})()
	}
	dev.Put("python_snippet_service", enms.Object{"name": "[Site check] Compare", "source_code": hostileScript + "\nprint('changed')"})()
	for name, s := range map[string]*acctest.Server{"dev": dev, "prod": prod} {
		exports(s, w, "-modules", "-workflow", "Site check", filepath.Join(w.Dir, name))
	}
	root := w.In(filepath.Join(w.Dir, "prod"), prod)
	calls := tree(t, root.Dir)["main.tf"]
	if err := os.RemoveAll(filepath.Join(root.Dir, "modules")); err != nil {
		t.Fatal(err)
	}
	root.Configure(strings.ReplaceAll(calls, `"./modules/`, `"../dev/modules/`))
	get(root)
	prod.Simulator.ResetRequests()
	code, out := root.Run("plan", "-no-color", "-out=plan")
	all := slices.DeleteFunc(planned(out), func(line string) bool { return strings.HasSuffix(line, " will be imported") })
	if code != 0 || !onlyOneChange.MatchString(out) || !slices.Equal(all, []string{"module.site_check.enms_service.compare will be updated in-place"}) {
		t.Fatalf("the plan ended with %d and changes %q:\n%s", code, all, out)
	}
	prod.NoWrites()
	if code, out := root.Run("apply", "-no-color", "plan"); code != 0 {
		t.Fatalf("apply ended with %d:\n%s", code, out)
	}
	root.PlanNothing()
	if named, err := prod.Client.Endpoint().Query(prod.Context(), "workflow_edge", map[string]string{"name": "drawn on prod 0"}); err != nil || len(named) != 1 {
		t.Errorf("an edge has lost its name: %v, %v", named, err)
	}
}
