// This file tests canonical forms of expressions, and strings in quotes.

package exportmerge

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// All ways to write a value or a reference have one form. Only what an export could have written is plain.
func TestCanonical(t *testing.T) {
	t.Parallel()
	moved := map[string]string{"enms_device.new": "enms_device.old", `enms_workflow_edge.w["new"]`: `enms_workflow_edge.w["old"]`}
	for _, test := range []struct {
		form  string
		plain bool
		exprs []string
	}{
		{`1`, true, []string{"1", "1.0", "(1)"}},
		{`-1`, true, []string{"-1", "- 1"}},
		{`null`, true, []string{"null"}},
		{`"a\nb"`, true, []string{`"a\nb"`, `"${"a"}\nb"`, `chomp("a\nb\r\n")`, "chomp(<<EOT\na\nb\nEOT\n)"}},
		{`["a",enms_device.a.name]`, true, []string{`["a", enms_device.a.name]`, "[\n  \"a\", # first\n  enms_device.a.name,\n]"}},
		{`{(enms_device.a.name)=2,a=1}`, true, []string{`{ a = 1, (enms_device.a.name) = 2 }`, `{ (enms_device.a.name) : 2, "a" : 1 }`, `{ (enms_device.a.name) = 2, ("a") = 1 }`}},
		{`{(a)=1}`, true, []string{`{ (a) = 1 }`}},
		{`"${enms_device.a.name}"`, true, []string{`"${enms_device.a.name}"`}},
		{`""[",${module.w.x},"]",${enms_device.a.name},"`, true, []string{`"[${module.w.x}]${enms_device.a.name}"`}},
		{`enms_device.old.name`, true, []string{"enms_device.new.name", "(enms_device.new . name)"}},
		{`enms_device.old`, true, []string{"enms_device.new"}},
		{`enms_workflow_edge.w["old"]`, true, []string{`enms_workflow_edge.w["new"]`}},
		{`enms_workflow_edge.w["old"].name`, true, []string{`enms_workflow_edge.w["new"].name`}},
		{`enms_workflow_edge.w[0].name`, true, []string{`enms_workflow_edge.w[0].name`}},
		{`file("${path.module},"/code/a.py",")`, true, []string{`file("${path.module}/code/a.py")`}},
		{`file("a.py")`, false, []string{`file("a.py")`}},
		{`chomp("a","b")`, false, []string{`chomp("a", "b")`}},
		{`chomp(var.a)`, false, []string{`chomp(var.a)`}},
		{`-var.a`, false, []string{`-var.a`}},
		{`-true`, false, []string{`!true`}},
		{`-enms_device.a.port`, false, []string{`-enms_device.a.port`}},
		{`var.a`, false, []string{`var.a`, "(var . a)"}},
		{`""a",${var.a},"`, false, []string{`"a${var.a}"`}},
		{`""a",${enms_device.a.name},${var.a},${enms_device.a.name},"`, false, []string{`"a${enms_device.a.name}${var.a}${enms_device.a.name}"`}},
		{`[var.a,1]`, false, []string{`[var.a, 1]`}},
		{`{a=var.a,b=1}`, false, []string{`{ b = 1, a = var.a }`, `{ a = var.a, b = 1 }`}},
		{`a+b`, false, []string{"a+b", "(a # one\n + # two\n b)"}},
		{`[for a in b:a.c]`, false, []string{"[for a in b : a.c]", "[\n  for a in b :\n  a . c # all\n]"}},
	} {
		for _, text := range test.exprs {
			f := &file{name: "main.tf", text: []byte(text), recorded: moved}
			expr, diags := hclsyntax.ParseExpression(f.text, f.name, hcl.InitialPos)
			if diags.HasErrors() {
				t.Fatalf("%s: %v", text, diags)
			}
			if form, plain := canonical(f, expr); form != test.form || plain != test.plain {
				t.Errorf("%s is %s, plain %t, and not %s, plain %t", text, form, plain, test.form, test.plain)
			}
		}
	}
}

// Keys and names are read back as they are, whatever has to be escaped in them.
func TestQuote(t *testing.T) {
	t.Parallel()
	for s, quoted := range map[string]string{
		"a": `"a"`, `say "x"`: `"say \"x\""`, "A <-> B & C": `"A <-> B & C"`, "tab\t": `"tab\t"`, "${a} %{a}": `"$${a} %%{a}"`,
		"$${a}": `"$\u0024{a}"`, "%%{a}": `"%\u0025{a}"`, "$$${a} %%%{a}": "", "\u2028": "", "": `""`,
	} {
		if have := Quote(s); have != quoted && quoted != "" || Unquote(have) != s {
			t.Errorf("%q is written as %s and read as %q", s, have, Unquote(have))
		}
	}
	for _, other := range []string{"", "a", "a.b", "1", "[", `"a`, "null", `"${a}"`, `[["a"]]`, `"a${null}"`, `false ? "a" : null`} {
		if have := Unquote(other); have != other {
			t.Errorf("%q is read as %q", other, have)
		}
	}
}
