// Tests of the order of attributes on pages.

package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestDividedPage(t *testing.T) {
	t.Parallel()
	const before, after = "# x\n\n### Required\n\n- `name` (String) The name.\n", "\n### Read-Only\n\n- `id` (String) The number.\n"
	sections := []section{{"", []string{"id", "name", "b"}}, {"More", []string{"a", "c"}}, {"None", []string{"d"}}, {"Many", nil}}
	few := []string{"- `a` (String) With `b`.\n", "- `b` (String)\n", "- `c` (String)\n"}
	var many, rest string
	for i := range long - len(few) {
		line := fmt.Sprintf("- `m%d` (String)\n", i)
		sections[3].Attributes = append(sections[3].Attributes, fmt.Sprint("m", i))
		many, rest = many+line, rest+line
	}
	page := func(list string) string { return before + "\n### Optional\n\n> **NOTE**: First.\n\n" + list + after }
	for list, want := range map[string]string{
		strings.Join(few, ""):        few[1] + few[0] + few[2],
		strings.Join(few, "") + many: few[1] + "\n#### More\n\n" + few[0] + few[2] + "\n#### Many\n\n" + rest,
	} {
		got, err := dividedPage(page(list), removal, sections)
		if want := strings.Replace(page(want), "\n> **", "\n"+removal+"> **", 1); err != nil || got != want {
			t.Errorf("got %v:\n%s\nwant:\n%s", err, got, want)
		}
	}
	for _, bad := range []string{before + after, page("- `e` (String)\n")} {
		if _, err := dividedPage(bad, removal, sections); err == nil {
			t.Errorf("no error for\n%s", bad)
		}
	}
}
