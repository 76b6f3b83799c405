// This file writes values on one line.

package existing

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// literal writes a value on one line.
func literal(x any) string {
	switch x := x.(type) {
	case string:
		return string(hclQuoted(x))
	case json.Number:
		return x.String()
	case []any:
		var members []string
		for _, m := range x {
			members = append(members, literal(m))
		}
		return "[" + strings.Join(members, ", ") + "]"
	case map[string]any:
		var members []string
		for _, name := range slices.Sorted(maps.Keys(x)) {
			members = append(members, objectKey(name)+" = "+literal(x[name]))
		}
		if len(members) == 0 {
			return "{}"
		}
		return "{ " + strings.Join(members, ", ") + " }"
	case nil:
		return "null"
	}
	return fmt.Sprint(x)
}

// hclQuoted writes a string in quotes.
func hclQuoted(s string) []byte { return hclwrite.TokensForValue(cty.StringVal(s)).Bytes() }

// objectKey writes the key of an object.
func objectKey(name string) string {
	if hclsyntax.ValidIdentifier(name) && !slices.Contains([]string{"for", "null", "true", "false"}, name) {
		return name
	}
	return string(hclQuoted(name))
}
