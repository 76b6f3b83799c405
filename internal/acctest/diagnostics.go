// Checks of diagnostics.

package acctest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// ErrorOn reports whether an error stands on an attribute, or on a member of it.
func ErrorOn(p Problems, attribute string) bool {
	return slices.ContainsFunc(p.Errors(), func(d *tfprotov6.Diagnostic) bool { return isOn(d, attribute) })
}

// LeftOut reports whether an import warns that it leaves out an attribute, or a member of one.
func LeftOut(p Problems, attribute string) bool {
	return slices.ContainsFunc(p, func(d *tfprotov6.Diagnostic) bool {
		return d.Severity == tfprotov6.DiagnosticSeverityWarning && strings.HasPrefix(d.Summary, "Left out of ") && isOn(d, attribute)
	})
}

// isOn reports whether a diagnostic stands on an attribute, or on a member of it.
func isOn(d *tfprotov6.Diagnostic, attribute string) bool {
	return d.Attribute != nil && len(d.Attribute.Steps()) > 0 && d.Attribute.Steps()[0] == tftypes.AttributeName(attribute)
}

// WrittenPath returns a path as a configuration writes it.
func WrittenPath(p *tftypes.AttributePath) string {
	var b strings.Builder
	for i, step := range p.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			b.WriteString(strings.Repeat(".", min(i, 1)) + string(step))
		case tftypes.ElementKeyString:
			fmt.Fprintf(&b, "[%q]", string(step))
		case tftypes.ElementKeyInt:
			fmt.Fprintf(&b, "[%d]", int64(step))
		}
	}
	return b.String()
}

// CheckSays fails the test unless the text of the diagnostics contains the words, one after another.
func CheckSays(p Problems, t *testing.T, words ...string) {
	t.Helper()
	text := p.String()
	for _, word := range words {
		at := strings.Index(text, word)
		if at < 0 {
			t.Errorf("%q does not follow in: %s", word, p)
			return
		}
		text = text[at+len(word):]
	}
}
