// Tests of what each function does with and without its fault, and of what is recorded.

package mut

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFaults(t *testing.T) {
	for name, test := range map[string]struct {
		does         func() any
		right, wrong any
	}{
		"1 < 1":  {func() any { return Less(7, 1, 1) }, false, true},
		"1 <= 1": {func() any { return AtMost(7, 1, 1) }, true, false},
		"1 > 1":  {func() any { return Greater(7, 1, 1) }, false, true},
		"1 >= 1": {func() any { return AtLeast(7, 1, 1) }, true, false},
		"6 + 2":  {func() any { return Add(7, 6, 2) }, 8, 4},
		"6 - 2":  {func() any { return Subtract(7, 6, 2) }, 4, 8},
		"6 * 2":  {func() any { return Multiply(7, 6, 2) }, 12, 3},
		"6 / 2":  {func() any { return Divide(7, 6, 2) }, 3, 12},
		"a":      {func() any { return Or(7, "a", "b") }, "a", "b"},
	} {
		for of, want := range map[int]any{0: test.right, 6: test.right, 7: test.wrong} {
			chosen = of
			if have := test.does(); have != want {
				t.Errorf("%s is %v with fault %d, want %v", name, have, of, want)
			}
		}
	}
}

func TestOn_records(t *testing.T) {
	path := filepath.Join(t.TempDir(), "record")
	record = open(path)
	defer func() { _, record = record.Close(), nil }()
	for _, fault := range []int{3, 5, 3} {
		On(fault)
	}
	if text, err := os.ReadFile(path); string(text) != "3\n5\n" {
		t.Errorf("%q is recorded: %v", text, err)
	}
}
