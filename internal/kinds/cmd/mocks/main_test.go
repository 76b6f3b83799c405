// Tests of the mock data.

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// The file among the examples is what the tables say, and has every kind.
func TestPage(t *testing.T) {
	t.Parallel()
	written, err := os.ReadFile("../../../../examples/mocks/enms.tfmock.hcl")
	if err != nil {
		t.Fatal(err)
	}
	text := page(kinds.All())
	if text != string(written) {
		t.Error("examples/mocks/enms.tfmock.hcl is not what the tables say: run make generate")
	}
	for _, k := range kinds.All() {
		if !strings.Contains(text, "mock_resource \""+k.TypeName()+"\"") {
			t.Errorf("there is no mock data for %s", k.TypeName())
		}
	}
	if !strings.Contains(text, "skip_value            = \"success\"") {
		t.Error("the value that the provider sends at creation is not the default")
	}
}
