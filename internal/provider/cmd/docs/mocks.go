// This file makes mock data for `terraform test`: what a new instance of each kind has that its configuration
// does not set.

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/schemas"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// mocksIntroduction is what the file says before the data.
const mocksIntroduction = `# Mock data for terraform test: what a new instance has that its configuration does not set.
# Written by make generate. Copy the directory, and name it in a test:
#
#   mock_provider "enms" {
#     source = "./tests/mocks"
#   }
`

// mocks returns the mock data of all kinds.
func mocks() string {
	var b strings.Builder
	b.WriteString(mocksIntroduction)
	for _, k := range kinds.All() {
		fmt.Fprintf(&b, "\nmock_resource %q {\n  defaults = {\n", k.TypeName())
		values := defaults(k)
		width := 0
		for name := range values {
			width = max(width, len(name))
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			fmt.Fprintf(&b, "    %-*s = %s\n", width, name, values[name])
		}
		b.WriteString("  }\n}\n")
	}
	return b.String()
}

// defaults returns the value of each attribute that eNMS fills in, in the syntax of a configuration.
func defaults(k *kind.Kind) map[string]string {
	values, attributes := map[string]string{}, schemas.Resource(k).Attributes
	for _, a := range k.Rows() {
		attribute, is := attributes[a.Name]
		if !is || !attribute.IsComputed() || a.Role == kind.Setting {
			continue
		}
		if value, has := defaultOf(a, attribute); has {
			values[a.Name] = value
		}
	}
	return values
}

// defaultOf returns the default of a row, or the empty value of its type. has is false if the type has none.
func defaultOf(a kind.Attribute, attribute resourceschema.Attribute) (value string, has bool) {
	if value := cmp.Or(a.OnCreate, a.Default); value != nil {
		text, err := json.Marshal(value)
		if err != nil {
			return "", false
		}
		return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(string(text)), true
	}
	if a.Type == kind.Many {
		return "[]", true
	}
	switch attribute.GetType() {
	case types.StringType:
		if a.Name == kind.RowID {
			return `"1"`, true
		}
		return `""`, true
	case types.BoolType:
		return "false", true
	case types.Int64Type, types.NumberType, types.Float64Type:
		return "0", true
	}
	return "", false
}
