// Tests of what the command writes by itself.

package main

import (
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// The mock data has every kind, and what the provider sends at a creation in place of eNMS's default.
func TestMocks(t *testing.T) {
	t.Parallel()
	text := mocks()
	for _, k := range kinds.All() {
		if !strings.Contains(text, "mock_resource \""+k.TypeName()+"\"") {
			t.Errorf("there is no mock data for %s", k.TypeName())
		}
	}
	if !strings.Contains(text, "skip_value            = \"success\"") {
		t.Error("the value that the provider sends at creation is not the default")
	}
}
