// Acceptance tests of parameterized_form, which eNMS's web form fills in and its REST
// interface does not (enms-rest.md 1.5).

package kinds_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// A service that was drawn in eNMS has the form that the web form proposes, and generated
// configuration leaves it out: rebuilt from that, it had none. What is created without one
// has it now, too.
func TestService_formOfNewOnes(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	forms := func(want string) resource.TestCheckFunc {
		return func(*terraform.State) error {
			form, _ := s.Get("service", "NAME-s")["parameterized_form"].(string)
			if !strings.HasPrefix(form, want) || want == "" && form != "" {
				return fmt.Errorf("the form is %q, want %q", form, want)
			}
			return nil
		}
	}
	config := func(properties string) string {
		return s.HCL(`
			resource "enms_service" "s" {
			  name       = "NAME-s"
			  type       = "python_snippet_service"
			  properties = { source_code = "pass"` + properties + ` }
			}`)
	}
	s.Run(
		resource.TestStep{Config: config(""), Check: forms("name = StringField('Name', [InputRequired()])\ninitial_payload = ")},
		resource.TestStep{Config: config(`, parameterized_form = ""`), Check: forms("")},
		resource.TestStep{Config: config(""), Check: forms("")}, // what leaves properties stays in eNMS
		resource.TestStep{PreConfig: s.Put("service", enms.Object{"name": "NAME-s", "parameterized_form": "a = 1"}), Config: config(""), PlanOnly: true},
	)
	s.Run(resource.TestStep{Config: config(`, parameterized_form = ""`), Check: forms("")})
}
