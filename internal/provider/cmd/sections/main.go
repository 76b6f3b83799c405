// Command sections writes the sections of the pages about the resources and the provider, as
// the tables have them: a JSON object with those of each resource, and of "provider".
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/schemas"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
)

func main() {
	if err := json.NewEncoder(os.Stdout).Encode(sections()); err != nil {
		fmt.Fprintln(os.Stderr, "sections:", err)
		os.Exit(1)
	}
}

func sections() map[string][]schemas.Section {
	all := map[string][]schemas.Section{"provider": provider.Sections()}
	for _, k := range kinds.All() {
		all[k.TypeName()] = schemas.Sections(k)
	}
	return all
}
