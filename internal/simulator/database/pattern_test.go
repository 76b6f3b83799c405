// Tests of the regular expressions of databases.

package database

import "testing"

// TestPythonPatterns: what Python's regular expressions mean, as far as Go knows it.
func TestPythonPatterns(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pattern, text string
		matches       bool
	}{
		{`^sr-\d+$`, "sr-12", true},
		{`^\d$`, "٣", true},
		{`^\w+$`, "größe_1", true},
		{`\W`, "größe", false},
		{`[[:alpha:]]`, "a", false},
		{`[[:alpha:]]`, "a]", true},
		{`^[]x]+$`, "]x]", true},
		{`^[^]]$`, "]", false},
		{`b\Z`, "ab", true},
		{`(?i)PARIS`, "paris", true},
		{`PARIS`, "paris", false},
		{`a\.b\-c\ü`, "a.b-cü", true},
		{`^\s\s$`, "\u2003\v", true},
		{`\S`, "\u00a0", false},
		{`\bÜbersee\b`, "in Übersee", true},
		{`\bin\sÜ`, "in\u0085Übersee", true},
		{`Z\b`, "Zürich", false},
		{`Z\B`, "Zürich", true},
		{`^[\w\s]+[^\d]$`, "größe\u00a0x", true},
		{`^[\W]$`, "-", true},
		{`^\u00fc[\u00fc\U0001F600]\U0001F600$`, "üü😀", true},
		{`^\\u00fc$`, `\u00fc`, true},
	} {
		matches, err := Compile(fromPython(test.pattern))
		if err != nil {
			t.Errorf("%s: %v", test.pattern, err)
		} else if got := matches(test.text); got != test.matches {
			t.Errorf("%s in %q: %v, want %v", test.pattern, test.text, got, test.matches)
		}
	}
	for _, pattern := range []string{`a**`, `(`, `[a`, `\`, `\pL`, `\z`, `\Qa\E`, `a\`, `\u00f`, `[\U0001F60]`} {
		if _, err := Compile(fromPython(pattern)); err == nil {
			t.Errorf("%s compiles", pattern)
		}
	}
}
