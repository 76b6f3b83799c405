// Tests of the page about the properties of a kind.

package schemas

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// A page has the fields that are worth a section of their own once, and links from each type to them.
func TestPropertiesMarkdown(t *testing.T) {
	t.Parallel()
	number := func(names string, byDefault any) (fields []kind.Attribute) {
		for _, name := range names {
			fields = append(fields, kind.Attribute{Name: string(name), Type: kind.Number, Default: byDefault, Doc: "How many."})
		}
		return fields
	}
	k := &kind.Kind{Name: "toy",
		Properties: []kind.Attribute{{Name: "pin", Doc: "A or B: a|b.", Default: ""}, {Name: "house_rule", Type: kind.Flag, Default: true, Sample: true, Doc: "A rule."}},
		Subtypes: []kind.SubtypeTable{
			{Name: "doll", Doc: "A doll.", Fields: number("bacdef", 1)},
			{Name: "train", Doc: "A train.", Fields: append(number("bacdef", 1), kind.Attribute{Name: "owner", Type: kind.One, Of: "user", Doc: "Whose it is."})},
			{Name: "ball", Doc: "A ball."},
			{Name: "kite", Doc: "A kite.", Fields: append(number("a", 2), kind.Attribute{Name: "tail", Type: kind.JSON, Sample: true, Doc: "Its tail."})},
		},
		Secrets: []string{"pin"},
	}
	const head = "| Field | Type | Default | Meaning |\n|---|---|---|---|\n"
	same := ""
	for _, name := range "abcdef" {
		same += fmt.Sprintf("| `%c` | whole number | `1` | How many. |\n", name)
	}
	want := "## Fields of every toy\n\n" + head + "| `pin` | string | a secret: eNMS never returns it | A or B: a\\|b. |\n\n" +
		"## Their Parts\n\nThese types have the fields of the table: [`doll`](#doll) and [`train`](#train).\n\n" + head + same + "\n" +
		"## `doll`\n\nA doll.\n\nIts fields are those of [Their Parts](#their-parts).\n\n" +
		"## `train`\n\nA train.\n\nIt has the fields of [Their Parts](#their-parts), and these:\n\n" + head + "| `owner` | name (`user`) | none | Whose it is. |\n\n" +
		"## `ball`\n\nA ball.\n\nIt has no fields of its own.\n\n" +
		"## `kite`\n\nA kite.\n\n" + head + "| `a` | whole number | `2` | How many. |\n\n" +
		"## Custom properties of eNMS's sample configuration\n\nYour eNMS has these unless they were removed. They may be declared differently there, so their values are not checked.\n\n" +
		head + "| `house_rule` | true or false | `true` | A rule. |\n| `tail` | object | `{}` | Its tail. |\n"
	if got, err := PropertiesMarkdown(k, map[string]string{"b": "Their Parts"}); err != nil || got != want {
		t.Errorf("%v; the page is\n%s\nand not\n%s", err, got, want)
	}
	for _, titles := range []map[string]string{{}, {"x": "None"}, {"b": "Their Parts", "x": "None"}} {
		if _, err := PropertiesMarkdown(k, titles); err == nil || !strings.Contains(err.Error(), "title") {
			t.Errorf("titles %v: %v", titles, err)
		}
	}
	if got := inWords([]string{"a", "b", "c"}); got != "a, b and c" {
		t.Error(got)
	}
}

// Each letter is a field of a subtype. A set is the subtypes that have it, by their numbers, and its fields.
func TestDivide(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct{ subtypes, sets, own string }{
		"too few are saved":         {"abcde abcde", "", "abcde abcde"},
		"just enough":               {"abcdef xabcdef", "01:abcdef", " x"},
		"one field of many":         {"a a a a a a a a", "", "a a a a a a a a"},
		"two fields of four":        {"ab ab bay ab", "0123:ab", "  y "},
		"two have most":             {"abcdefgh123 abcdefgh123 123", "01:abcdefgh123", "  123"},
		"three have most":           {"abcdef1234567 abcdef1234567 1234567", "012:1234567 01:abcdef", "  "},
		"equal savings":             {"abcdef abcdef uvwxyz uvwxyz", "01:abcdef 23:uvwxyz", "   "},
		"only four have it by four": {"123pqrwxy 123pstwxz 123qsuwyz 123rtuxyz", "0123:123", "pqrwxy pstwxz qsuwyz rtuxyz"},
	} {
		var names []string
		rows := map[string][]described{}
		for i, fields := range strings.Split(c.subtypes, " ") {
			name := strconv.Itoa(i)
			names = append(names, name)
			for _, field := range fields {
				rows[name] = append(rows[name], described{line: string(field)})
			}
		}
		lines := func(rows []described) (all string) {
			for _, d := range rows {
				all += d.line
			}
			return all
		}
		found, left := divide(names, rows)
		var sets, own []string
		for _, set := range found {
			sets = append(sets, strings.Join(set.subtypes, "")+":"+lines(set.rows))
		}
		for _, name := range names {
			own = append(own, lines(left[name]))
		}
		if got := strings.Join(sets, " "); got != c.sets {
			t.Errorf("%s: the sets are %q, want %q", what, got, c.sets)
		}
		if got := strings.Join(own, " "); got != c.own {
			t.Errorf("%s: what is left is %q, want %q", what, got, c.own)
		}
	}
}
