// This file tests what is found to be wrong with edges.

package function

import (
	"slices"
	"strings"
	"testing"
)

func TestProblems(t *testing.T) {
	t.Parallel()
	const never = `No edges lead from "S" to "E": the workflow would never succeed.`
	for name, c := range map[string]struct {
		services, edges string
		want            []string
	}{
		"a line":                        {"a b", "S>a a>b b>E", nil},
		"nothing but the two":           {"", "S>E", nil},
		"a retry":                       {"a b", "S>a a>b b>a b>E", nil},
		"a step at which a run stops":   {"a b", "S>a a>E a>b", nil},
		"a circle that leads to a stop": {"a b c", "S>a a>b b>a b>c S>E", nil},
		"no edges at all":               {"", "", []string{never}},
		"nothing leads to a step":       {"a b", "S>a a>E b>E", []string{`No edges lead from "S" to "b": it would never run.`}},
		"a step and an edge twice": {"a b b", "S>a a>E a>x a>x", []string{
			`An edge leads from "a" to "x", but the workflow has no service "x".`,
			`No edges lead from "S" to "b": it would never run.`,
		}},
		"a step without edges": {"a b", "S>a a>E", []string{`No edges lead from "S" to "b": it would never run.`}},
		"a circle apart": {"a b c", "S>a a>E b>c c>b", []string{
			`No edges lead from "S" to "b": it would never run.`,
			`No edges lead from "S" to "c": it would never run.`,
			`A run that has come to "b" or "c" goes round in a circle: no edges lead out of it.`,
		}},
		"a circle without an exit":    {"a b c", "S>a a>E a>b b>c c>b", []string{`A run that has come to "b" or "c" goes round in a circle: no edges lead out of it.`}},
		"a step that leads to itself": {"a", "S>a a>a", []string{`A run that has come to "a" goes round in a circle: no edges lead out of it.`, never}},
		"unknown names": {"a", "S>a a>E a>x y>a", []string{
			`An edge leads from "a" to "x", but the workflow has no service "x".`,
			`An edge leads from "y" to "a", but the workflow has no service "y".`,
		}},
		"to Start, from End": {"a", "S>a a>E a>S E>a", []string{
			`An edge leads from "E" to "a", but the workflow is over at its end.`,
			`An edge leads from "a" to "S", where the workflow begins.`,
		}},
	} {
		var services []string
		for _, s := range strings.Fields(c.services) {
			services = append(services, full(s))
		}
		edges := parse(c.edges)
		got := Problems(services, edges)
		slices.Reverse(edges)
		slices.Reverse(services)
		if again := Problems(services, edges); !slices.Equal(got, again) {
			t.Errorf("%s: another order gives %q, not %q", name, again, got)
		}
		for i := range got {
			got[i] = strings.NewReplacer(start, "S", end, "E", "[W] ", "").Replace(got[i])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, c.want)
		}
	}
}

// Start and End are easily written without the prefix of shared services.
func TestProblems_startWithoutItsPrefix(t *testing.T) {
	t.Parallel()
	got := Problems([]string{"[W] a"}, []Edge{{Source: "Start", Destination: "[W] a", Subtype: "success"}})
	want := `An edge leads from "Start" to "[W] a", but the workflow has no service "Start". Did you mean "[Shared] Start"?`
	if len(got) == 0 || got[0] != want {
		t.Errorf("got %q\nwant %q first", got, want)
	}
}
