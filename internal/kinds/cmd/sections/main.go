// Command sections writes the sections of the pages about resources, as the tables have
// them: a JSON object with those of each resource.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

func main() {
	if err := json.NewEncoder(os.Stdout).Encode(sections()); err != nil {
		fmt.Fprintln(os.Stderr, "sections:", err)
		os.Exit(1)
	}
}

func sections() map[string][]kind.Section {
	all := map[string][]kind.Section{}
	for _, k := range kinds.All() {
		all[k.TypeName()] = k.Sections()
	}
	return all
}
