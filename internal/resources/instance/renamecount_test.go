// Acceptance tests of count over names: the removal or the insertion of one shifts the names of all after it.

package instance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// Services and their tasks are renamed in one apply when one of them is removed or inserted: each takes the name of the
// next or the previous one, which the apply renames or deletes, perhaps later. Of more than ten, Terraform may begin
// only such as wait for others; the error then says what to do.
func TestRename_countShifts(t *testing.T) {
	t.Parallel()
	for _, most := range []int{3, 8} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			config := func(names ...string) string {
				return s.HCL(`
					locals {
					  names = ["` + strings.Join(names, `", "`) + `"]
					}
					resource "enms_service" "s" {
					  count = length(local.names)
					  name  = "NAME-${local.names[count.index]}"
					}
					resource "enms_task" "t" {
					  count   = length(local.names)
					  name    = "NAME-task ${local.names[count.index]}"
					  service = enms_service.s[count.index].name
					}`)
			}
			var all []string
			for n := range most {
				all = append(all, fmt.Sprintf("n%02d", n))
			}
			inserted := append([]string{"first", all[0], "second"}, all[1:]...)
			check := func(names []string) resource.TestCheckFunc {
				var checks []resource.TestCheckFunc
				for _, name := range names {
					checks = append(checks, s.Holds("task", "NAME-task "+name, "service", "NAME-"+name))
				}
				return resource.ComposeTestCheckFunc(checks...)
			}
			s.Run(
				resource.TestStep{Config: config(all...), Check: check(all)},
				resource.TestStep{Config: config(all[1:]...), Check: resource.ComposeTestCheckFunc(check(all[1:]), s.Absent("service", "NAME-"+all[0]))},
				resource.TestStep{Config: config(all...), Check: check(all)},
				resource.TestStep{Config: config(inserted...), Check: check(inserted)},
				resource.TestStep{Config: config(all...), Check: check(all)},
			)
		})
	}
}
