// This file writes strings as HCL: quoted, or as a heredoc if that is readable. It evaluates a heredoc, to make
// sure that it is the same string, apart from Terraform's Unicode normalization.

package export

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
)

// text writes a string as an expression. indentation is that of the line on which it begins.
func text(s string, indentation int) string {
	if strings.Contains(s, "\n") {
		for _, flush := range []bool{true, false} {
			if written, ok := heredoc(s, indentation, flush); ok && evaluatesTo(written, s) {
				return written
			}
		}
	}
	return exportmerge.Quote(s)
}

// heredoc writes a string as a heredoc. If flush is set, the heredoc is indented like the block around
// it. ok is false if the string would not be readable, or if no heredoc can contain it.
func heredoc(s string, indentation int, flush bool) (written string, ok bool) {
	body := strings.ReplaceAll(s, "\r\n", "\n")
	returns := len(body) < len(s) // carriage returns
	if returns && strings.Count(s, "\r\n") < strings.Count(s, "\n") || !readable(body) {
		return "", false
	}
	chomped := !strings.HasSuffix(body, "\n")
	if chomped {
		body += "\n"
	}
	body = strings.NewReplacer("${", "$${", "%{", "%%{").Replace(body)
	space, operator := "", "<<"
	if flush {
		space, operator = strings.Repeat(" ", indentation), "<<-"
	}
	lines := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	mark := endMark(lines)
	var b strings.Builder
	b.WriteString(operator + mark + "\n")
	for _, line := range lines {
		if line != "" {
			b.WriteString(space + line)
		}
		b.WriteByte('\n')
	}
	b.WriteString(space + mark)
	written = b.String()
	if chomped {
		written = "chomp(" + written + "\n" + strings.Repeat(" ", indentation) + ")"
	}
	if returns {
		written = "replace(" + written + "\n" + strings.Repeat(" ", indentation) + `, "\n", "\r\n")`
	}
	return written, true
}

// readable reports whether an editor shows all characters of a string.
func readable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) })
}

// endMark returns an end mark that is different from all lines.
func endMark(lines []string) string {
	taken := map[string]bool{}
	for _, line := range lines {
		taken[strings.TrimSpace(line)] = true
	}
	mark := "EOT"
	for n := 2; taken[mark]; n++ {
		mark = fmt.Sprintf("EOT%d", n)
	}
	return mark
}

// textFunctions are the functions of Terraform that expressions for strings use.
var textFunctions = map[string]function.Function{"chomp": stdlib.ChompFunc, "replace": stdlib.ReplaceFunc}

// evaluatesTo reports whether the value of an expression is s, in the form to which Terraform normalizes every
// string (NFC).
func evaluatesTo(expression, s string) bool {
	parsed, diags := hclsyntax.ParseExpression([]byte(expression+"\n"), "", hcl.InitialPos) // the newline ends a heredoc
	if diags.HasErrors() {
		return false
	}
	v, diags := parsed.Value(&hcl.EvalContext{Functions: textFunctions})
	return !diags.HasErrors() && v.RawEquals(cty.StringVal(s))
}
