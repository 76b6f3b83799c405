// This file writes strings in quotes, such as the keys of instances in addresses.

package exportmerge

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// Quote writes a string in quotes, as HCL reads it back.
func Quote(s string) string {
	quoted := string(hclwrite.TokensForValue(cty.StringVal(s)).Bytes())
	return strings.NewReplacer("$$${", `$\u0024{`, "%%%{", `%\u0025{`).Replace(quoted) // HCL reads "$$${" otherwise
}

// Unquote returns the value of a string in quotes, and any other text as it is.
func Unquote(s string) string {
	if expr, diags := hclsyntax.ParseExpression([]byte(s), "", hcl.InitialPos); !diags.HasErrors() {
		if value, is := text(expr); is {
			return value
		}
	}
	return s
}

// text returns the value of an expression that is a string without references. is is false for any other expression.
func text(expr hclsyntax.Expression) (s string, is bool) {
	v, diags := expr.Value(nil)
	if diags.HasErrors() || v.Type() != cty.String || v.IsNull() {
		return "", false
	}
	return v.AsString(), true
}
