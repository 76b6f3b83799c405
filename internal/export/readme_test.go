// Tests of README.md.

package export

import "testing"

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
