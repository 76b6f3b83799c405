// Acceptance tests of what services refer to by one name: named_credential and
// superworkflow.

package kinds_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

const connecting = `
resource "enms_credential" "c1" {
  name     = "NAME-c1"
  username = "NAME-1" # no credential of another test has the same values
}
resource "enms_credential" "c2" {
  name     = "NAME-c2"
  username = "NAME-2"
}
resource "enms_service" "around" {
  name = "NAME-around"
  type = "workflow"
}
resource "enms_service" "show" {
  name             = "NAME-show"
  type             = "netmiko_commands_service"
  %s
  properties       = { credentials = "object", commands = "show version" }
}
resource "enms_service" "w" {
  name          = "NAME-w"
  type          = "workflow"
  %s
}`

// A named credential and a superworkflow were in properties, so that lists, imports and
// generated configuration left them out, and nothing took them back.
func TestService_namedCredentialAndSuperworkflow(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	config := func(credential, superworkflow string) string {
		return s.HCL(fmt.Sprintf(connecting, credential, superworkflow))
	}
	set := config(`named_credential = enms_credential.c1.name`, `superworkflow = enms_service.around.name`)
	s.Run(
		resource.TestStep{Config: set, Check: resource.ComposeAggregateTestCheckFunc(
			s.Holds("service", "NAME-show", "named_credential", "NAME-c1"), s.Holds("service", "NAME-w", "superworkflow", "NAME-around"))},
		resource.TestStep{PreConfig: s.Put("netmiko_commands_service", enms.Object{"name": "NAME-show", "named_credential": "NAME-c2"}),
			Config: set, PlanOnly: true, ExpectNonEmptyPlan: true},
		resource.TestStep{Config: config(`named_credential = enms_credential.c2.name`, ""), Check: resource.ComposeAggregateTestCheckFunc(
			s.Holds("service", "NAME-show", "named_credential", "NAME-c2"), s.Holds("service", "NAME-w", "superworkflow", "<nil>"),
			s.Holds("service", "NAME-w", "superworkflow_id", "<nil>"),
			resource.TestCheckNoResourceAttr("enms_service.w", "superworkflow"))},
		resource.TestStep{Config: config("", ""), Check: s.Holds("service", "NAME-show", "named_credential_id", "<nil>")},
	)
}

// When a credential is deleted, SQLite leaves its id with the services that used it, which
// then could not be read.
func TestService_namedCredentialDeleted(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	acctest.SkipOn(t, "it refuses to delete a credential that a service uses", "postgresql", "mariadb")
	config := func(credential string) string { return s.HCL(fmt.Sprintf(connecting, credential, "")) }
	s.Run(
		resource.TestStep{Config: config(`named_credential = "NAME-c1"` + "\n depends_on = [enms_credential.c1]")},
		resource.TestStep{PreConfig: func() {
			s.Put("credential", enms.Object{"name": "NAME-c3"})() // so that the id is not given again
			s.Drop("credential", "NAME-c1")()
		},
			Config: config(`named_credential = "NAME-c1"` + "\n depends_on = [enms_credential.c1]"),
			Check:  s.Holds("service", "NAME-show", "named_credential", "NAME-c1")},
		resource.TestStep{PreConfig: s.Drop("credential", "NAME-c1"), Config: config("")},
	)
}
