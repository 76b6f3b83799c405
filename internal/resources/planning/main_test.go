// This file sets up the tests that run the program and Terraform.

package planning_test

import (
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

func TestMain(m *testing.M) { acctest.Main(m) }
