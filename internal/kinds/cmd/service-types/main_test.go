// Tests of the page about service types.

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// TestPage holds the page in docs against the tables, and looks for every type and
// field in it.
func TestPage(t *testing.T) {
	t.Parallel()
	written, err := os.ReadFile("../../../../docs/guides/service-types.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds.All() {
		if k.Name != "service" {
			continue
		}
		text := page(k)
		if text != string(written) {
			t.Error("docs/guides/service-types.md is not what the tables say: run make generate")
		}
		for _, table := range k.Subtypes {
			_, section, found := strings.Cut(text, "## `"+table.Name+"`\n")
			section, _, _ = strings.Cut(section, "\n## ")
			if !found {
				t.Errorf("no section %s", table.Name)
			}
			for _, a := range table.Fields {
				if !a.Sample && !strings.Contains(section, "| `"+a.Name+"` |") {
					t.Errorf("%s has no field %s", table.Name, a.Name)
				}
			}
		}
	}
}
