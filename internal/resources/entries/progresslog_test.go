// This file tests what the log of the real Terraform says of long work of enms_instances.

package entries_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// With TF_LOG_PROVIDER=INFO, the log says what a plan will do and what came of it, and holds
// neither requests nor values. The plan says how long many deletions take.
func TestInstances_progressInTheLog(t *testing.T) {
	t.Parallel()
	s, w := acctest.NewServer(t), acctest.NewWorkspace(t)
	s.OnlySimulated("it leaves hundreds of devices")
	log := filepath.Join(w.Dir, "terraform.log")
	w.Environment = append(w.Environment, "TF_LOG_PROVIDER=INFO", "TF_LOG_PATH="+log)
	configure := func(count int, name string) {
		w.Configure(s.HCL(fmt.Sprintf(`
			resource "enms_instances" "many" {
			  type      = "device"
			  instances = { for i in range(%d) : format("NAME-%s%%03d", i) => { description = "in no log" } }
			  renames   = { for i in range(%d) : format("NAME-A%%03d", i) => format("NAME-%s%%03d", i) if %t }
			}`, count, name, count, name, name != "A")))
	}
	line := regexp.MustCompile(`enms_instances: (the plan .*? requests|.*? after)`)
	for _, step := range []struct {
		count     int
		prefix    string
		arguments []string
		want      []string // in the log, each once or more
		warns     string
	}{
		{320, "A", []string{"apply", "-auto-approve"}, []string{
			"320 of 320 instances of type device created after",
			"the plan creates 320, updates 0, renames 0 and deletes 0 instances of type device, in at least 1 requests",
		}, ""},
		{10, "B", []string{"plan"}, []string{
			"the plan creates 0, updates 0, renames 10 and deletes 310 instances of type device, in at least 321 requests",
		}, "the apply takes at least 310 requests. With TF_LOG_PROVIDER=INFO"},
	} {
		if err := os.RemoveAll(log); err != nil {
			t.Fatal(err)
		}
		configure(step.count, step.prefix)
		code, out := w.Run(append(step.arguments, "-no-color")...)
		if said := strings.Join(strings.Fields(strings.ReplaceAll(out, "│", "")), " "); code != 0 || !strings.Contains(said, step.warns) {
			t.Fatalf("%v ended with %d, and must say %q:\n%s", step.arguments, code, step.warns, said)
		}
		written, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, match := range line.FindAllStringSubmatch(string(written), -1) {
			got = append(got, match[1])
		}
		slices.Sort(got)
		// A plan is made again in the apply, and slow work is told more than once.
		if got = slices.Compact(got); !slices.Equal(slices.DeleteFunc(got, func(told string) bool { return !slices.Contains(step.want, told) }), step.want) {
			t.Errorf("%v: the log says %q, want %q", step.arguments, got, step.want)
		}
		for _, hidden := range []string{"in no log", "eNMS request", "Authorization"} {
			if strings.Contains(string(written), hidden) {
				t.Errorf("%v: the log holds %q", step.arguments, hidden)
			}
		}
	}
}
