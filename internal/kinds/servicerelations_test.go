// Tests of what services refer to by one name: named_credential.

package kinds_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// When a credential is deleted, SQLite leaves its id with the services that used it, which
// then could not be read.
func TestService_namedCredentialDeleted(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	acctest.SkipOn(t, "it refuses to delete a credential that a service uses", "postgresql", "mariadb")
	config := func(credential string) string {
		return s.HCL(`
			resource "enms_credential" "c1" {
			  name     = "NAME-c1"
			  username = "NAME-1" # no credential of another test has the same values
			}
			resource "enms_service" "show" {
			  name       = "NAME-show"
			  type       = "netmiko_commands_service"
			  properties = { credentials = "object", commands = "show version" }
			  ` + credential + `
			}`)
	}
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
