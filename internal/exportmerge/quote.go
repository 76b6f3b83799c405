// This file writes strings in quotes, such as the keys of instances in addresses.

package exportmerge

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Quote writes a string in quotes, as HCL reads it back.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	previous := rune(0)
	for i, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '"', r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case (r == '$' || r == '%') && strings.HasPrefix(s[i+1:], "{") && r == previous: // HCL reads "$$${" otherwise
			fmt.Fprintf(&b, `\u%04x`, r)
		case (r == '$' || r == '%') && strings.HasPrefix(s[i+1:], "{"):
			b.WriteRune(r)
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		previous = r
	}
	b.WriteByte('"')
	return b.String()
}

// Unquote returns the value of a string in quotes.
func Unquote(s string) string {
	if expr, diags := hclsyntax.ParseExpression([]byte(s), "", hcl.InitialPos); !diags.HasErrors() {
		if value, is := text(expr); is {
			return value
		}
	}
	return s
}

// text returns the value of an expression that is a string without references.
func text(expr hclsyntax.Expression) (string, bool) {
	v, diags := expr.Value(nil)
	if diags.HasErrors() || v.Type() != cty.String || !v.IsKnown() || v.IsNull() {
		return "", false
	}
	return v.AsString(), true
}
