// This file tests that what is written is read as what it was.

package export

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// awkwardParts are parts of texts that HCL may read otherwise.
var awkwardParts = []string{"a", "EOT", "EOT2", " ", "  ", "\t", "\n", "\n", "\r\n", "\r", "$", "%", "{", "}", "${", "%{", "$${", "%%{", "\\", "\"", "\\n", "é", "日本", "\U0001F600", "\u200b", "\x00", "\x7f", "<<EOT", "#", "//", "~", "${~", "~}"}

// awkwardText draws a text of awkward parts.
func awkwardText(t *rapid.T) string {
	return norm.NFC.String(strings.Join(rapid.SliceOfN(rapid.SampledFrom(awkwardParts), 0, 20).Draw(t, "parts"), ""))
}

// evaluated returns the value of an attribute of a file, as its text.
func evaluated(t *rapid.T, content []byte, attribute string) string {
	file, diags := hclparse.NewParser().ParseHCL(content, "x.tf")
	if diags.HasErrors() {
		t.Fatalf("%s\n%s", diags, content)
	}
	attributes, diags := file.Body.JustAttributes()
	if diags.HasErrors() {
		t.Fatalf("%s\n%s", diags, content)
	}
	v, diags := attributes[attribute].Expr.Value(&hcl.EvalContext{Functions: textFunctions})
	if diags.HasErrors() {
		t.Fatalf("%s\n%s", diags, content)
	}
	return v.AsString()
}

// A text is the same byte for byte, wherever it stands, and the file is formatted.
func TestText_isReadAsItWas(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := awkwardText(t)
		c := newConfiguration()
		set(c.Body(), []attribute{{"first", "x"}, {"a_longer_name", s}, {"b", true}}, 0)
		content := c.content()
		if got := evaluated(t, content, "a_longer_name"); got != s {
			t.Fatalf("%q is read as %q from\n%s", s, got, content)
		}
		if again := hclwrite.Format(content); !bytes.Equal(again, content) {
			t.Fatalf("formatted again, it is\n%s\nand not\n%s", again, content)
		}
	})
}

// An empty line is between blocks, and none before the first.
func TestConfiguration_block(t *testing.T) {
	t.Parallel()
	c := newConfiguration()
	c.block("locals", nil, nil)
	c.comment("of b")
	c.add("locals", nil, nil)
	if have, want := string(c.content()), "locals {\n}\n\n# of b\nlocals {\n}\n"; have != want {
		t.Errorf("it is\n%s\nand not\n%s", have, want)
	}
}

func TestText_readsWell(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"a":                        `"a"`,
		"a\nb\n":                   "<<-EOT\n  a\n  b\n  EOT",
		"a\nb":                     "chomp(<<-EOT\n  a\n  b\n  EOT\n  )",
		"a\r\nb\r\n":               "replace(<<-EOT\n  a\n  b\n  EOT\n  , \"\\n\", \"\\r\\n\")",
		"a\n\n  EOT\n":             "<<-EOT2\n  a\n\n    EOT\n  EOT2",
		"if ${x} and %{y}:\n\tz\n": "<<-EOT\n  if $${x} and %%{y}:\n  \tz\n  EOT",
		"  a\n  b\n":               "<<EOT\n  a\n  b\nEOT",
		"a\r\nb\n":                 `"a\r\nb\n"`,
		"\u200b\n":                 `"\u200b\n"`,
		"$${":                      `"$\u0024{"`,
	} {
		if got := text(s, 2); got != want {
			t.Errorf("%q is written as\n%s\nwant\n%s", s, got, want)
		}
	}
}

func TestExpression(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value any
		want  string
	}{
		{map[string]any{"for": true, "a": nil, "b c": []any{"x"}}, `{ a = null, "b c" = ["x"], "for" = true }`},
		{map[string]any{"null": source("x.y")}, `{ "null" = x.y }`},
		{[]any{}, "[]"},
		{map[string]any{}, "{}"},
		{[]any{strings.Repeat("x", 60), "a\nb\n", strings.Repeat("y", 30)}, "[\n  \"" + strings.Repeat("x", 60) + "\",\n  \"a\\nb\\n\",\n  \"" + strings.Repeat("y", 30) + "\",\n]"},
		{map[string]any{"a": "b\nc\n"}, "{\n  a = <<-EOT\n  b\n  c\n  EOT\n}"},
		{[]any{map[string]any{"a": "b\nc\n"}}, "[\n  {\n    a = <<-EOT\n    b\n    c\n    EOT\n  },\n]"},
	} {
		if got := expression(c.value, 0); got != c.want {
			t.Errorf("%v is written as\n%s\nwant\n%s", c.value, got, c.want)
		}
	}
}
