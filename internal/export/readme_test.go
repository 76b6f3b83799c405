// Tests of README.md.

package export

import (
	"regexp"
	"strings"
	"testing"
)

// README.md says what there is, and nothing about what there is not.
func TestReport_readme(t *testing.T) {
	t.Parallel()
	r := &report{
		types: []string{"site_b", "site_a"}, Objects: map[string]int{"link": 1, "device": 2}, Secrets: []secret{{Variable: "v", Object: "device a_b", Field: "f", Key: "k"}},
		Modules: []moduleReport{{Label: "m", Workflow: "W_1", Needed: []string{"a", "b"}}, {Label: "shared"}}, Kept: make([]finding, 3), Circles: make([]circle, 2),
	}
	full := string(r.readme([]string{"a.tf", "code/x.py"}, map[string]string{"W [x]": "flowchart\n"}))
	empty := string((&report{Check: make([]finding, 1)}).readme([]string{"a.tf"}, nil))
	for _, held := range []string{
		"\n**These types", "`Unknown type`:** `site_a`, `site_b`.", "\n| Type | Objects |\n| --- | ---: |\n| `device` | 2 |\n| `link` | 1 |\n", "\nsecret_versions = {\n  k = 1\n}\n", "\n| `v` | `k` | `f` of device a\\_b |\n",
		"\n| `modules/m` | W\\_1 | `a`, `b` |\n| `modules/shared` | (shared services) |  |\n", "\n| | |\n| ---: | --- |\n| 3 | things", "\n| 2 | circular", "\n## Workflows\n\n### W \\[x\\]\n\n```mermaid\nflowchart\n```\n",
	} {
		if !strings.Contains(full, held) || strings.Contains(empty, held) {
			t.Errorf("%q is in none or both of\n%s\n%s", held, full, empty)
		}
	}
	const headings = "# Exported from eNMS, ## Manage the server, ## Build another server, ## Secrets, ## Modules, ## To check, ## Code, ## Workflows, ### W \\[x\\]"
	if have := strings.Join(regexp.MustCompile(`(?m)^#+ .*$`).FindAllString(full, -1), ", "); have != headings {
		t.Errorf("the headings are %s, want %s", have, headings)
	}
	if !strings.Contains(empty, "\n| 1 | possible secrets") || strings.Contains(full, "possible secrets") {
		t.Errorf("what is to be checked is in\n%s\n%s", full, empty)
	}
	if empty = string((&report{types: []string{"x"}}).readme(nil, nil)); strings.Contains(empty, "To check") || !strings.Contains(empty, ":** `x`.") {
		t.Errorf("there is nothing to check, but a type:\n%s", empty)
	}
}

// What a designer has written into a name is shown, and is no link, image, HTML, heading or cell.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"[W] Site check":      `\[W\] Site check`,
		"![x](http://a.b/c)":  `\!\[x\](http:\//a.b/c)`,
		"<img src=x> &lt;":    `\<img src=x\> \&lt;`,
		"a\n# b\r\n| c":       `a \# b \| c`,
		"see www.example.com": `see www\.example.com`,
		"a_b *c* ~d~ `e` \\":  `a\_b \*c\* \~d\~ \` + "`e" + `\` + "`" + ` \\`,
	} {
		if got := markdown(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
