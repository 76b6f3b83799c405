// Tests of names that are nearly right, and of sentences.

package checks

import "testing"

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"commands", "command", "content", "enable_mode"}
	for name, want := range map[string]string{"comands": "commands", "comads": "commands", "commnad": "command", "enable": "", "enablemode": "enable_mode", "zzz": "", "": "", "COMMAND": "command", "conetnt": "content", "cntnt": "", "entable_mode": "enable_mode"} {
		if got := Nearest(name, known); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestAbbreviated(t *testing.T) {
	t.Parallel()
	known := []string{"ip_address", "latitude", "longitude", "operating_system", "os_version", "model"}
	for short, want := range map[string]string{
		"ip": "ip_address", "IP": "ip_address", "address": "ip_address", "lat": "latitude", "lon": "longitude", "os": "", "l": "", "m": "", "": "", "x": "", "mod": "model",
	} {
		if got := Abbreviated(short, known); got != want {
			t.Errorf("%q abbreviates %q, want %q", short, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for pair, want := range map[[2]string]int{
		{"", ""}: 0, {"abc", "abc"}: 0, {"", "ab"}: 2, {"ab", ""}: 2, {"ab", "ba"}: 1, {"abc", "ac"}: 1, {"ac", "abc"}: 1, {"üb", "ub"}: 1, {"abcd", "badc"}: 2,
		{"abc", "bca"}: 2, {"abc", "cab"}: 2, {"kitten", "sitting"}: 3, {"ax", "xb"}: 2, {"xa", "bx"}: 2, {"abcdef", "fedcba"}: 5,
	} {
		if got := distance(pair[0], pair[1]); got != want {
			t.Errorf("%q: %d, want %d", pair, got, want)
		}
	}
}

func TestSentence(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{"": "", "it is wrong": "It is wrong.", "done. ": "Done.", "eNMS is down.": "eNMS is down."} {
		if got := Sentence(s); got != want {
			t.Errorf("%q becomes %q", s, got)
		}
	}
}
