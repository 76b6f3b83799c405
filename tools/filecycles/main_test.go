// Tests of the cycles that are found.

package main

import (
	"strings"
	"testing"
)

func TestCheck_findsCycles(t *testing.T) {
	t.Parallel()
	const cycle = "/testdata/cycle: 3 of 4 files form a cycle:\n" +
		"    a.go uses times of b.go\n" +
		"    b.go uses side, square of a.go\n" +
		"    b.go uses double of c.go\n" +
		"    c.go uses area, side, square of a.go\n"
	const gone = "/testdata/none has no cycle any longer: take it off the list of -except\n"
	for _, test := range []struct {
		known  []string
		failed bool
		want   []string
	}{
		{nil, true, []string{cycle}},
		{[]string{""}, true, []string{cycle}},
		{[]string{"filecycles/testdata/cycle"}, false, []string{cycle}},
		{[]string{"testdata/cycle", "testdata/none"}, true, []string{cycle, gone}},
	} {
		var out strings.Builder
		failed, err := check(&out, "testdata", test.known)
		if err != nil {
			t.Fatal(err)
		}
		if failed != test.failed {
			t.Errorf("with %q known it fails: %t, want %t", test.known, failed, test.failed)
		}
		got := out.String()
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("with %q known it prints:\n%s\nwithout:\n%s", test.known, got, want)
			}
		}
		if lines := strings.Count(strings.Join(test.want, ""), "\n"); strings.Count(got, "\n") != lines {
			t.Errorf("with %q known it prints more than %d lines:\n%s", test.known, lines, got)
		}
	}
}

func TestCheck_brokenPackage(t *testing.T) {
	t.Parallel()
	if _, err := check(&strings.Builder{}, "testdata/missing", nil); err == nil {
		t.Error("a directory that does not exist passes")
	}
}
