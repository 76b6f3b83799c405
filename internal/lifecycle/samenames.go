// This file finds names that the database of an eNMS holds for the same (enms-rest.md
// 10.3): two instances cannot have them.

package lifecycle

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// SameNames returns, by names that the database of this eNMS cannot tell from another of
// them, that other one. It asks eNMS only when there are such that some database cannot
// tell apart. What cannot be asked counts as different: eNMS then refuses the second one.
func (r *Instances) SameNames(ctx context.Context, names []string) map[string]string {
	p := r.provider
	if !p.Ready() || len(alike(names, enms.Comparison{Case: true, Accents: true, TrailingBlanks: true})) == 0 {
		return nil
	}
	ignored, err := p.Client.Comparison(ctx)
	if err != nil {
		return nil
	}
	return alike(names, ignored)
}

// alike returns, by the later ones of names that differ in what is ignored alone, the first
// one of each, in the order of their spelling.
func alike(names []string, ignored enms.Comparison) map[string]string {
	first, same := map[string]string{}, map[string]string{}
	for _, name := range slices.Sorted(slices.Values(names)) {
		form := comparedForm(name, ignored)
		if other, taken := first[form]; taken && other != name {
			same[name] = other
		} else {
			first[form] = name
		}
	}
	return same
}

// comparedForm returns a name without what is ignored. A letter loses its own accent, and no
// other character, as the collations of MariaDB compare them one by one.
func comparedForm(name string, ignored enms.Comparison) string {
	if ignored.TrailingBlanks {
		name = strings.TrimRight(name, " ")
	}
	return strings.Map(func(r rune) rune {
		if ignored.Accents && r > unicode.MaxASCII {
			r, _ = utf8.DecodeRuneInString(norm.NFD.String(string(r)))
		}
		if ignored.Accents && r == 'ß' {
			r = 's'
		}
		if ignored.Case {
			r = unicode.ToUpper(r)
		}
		return r
	}, name)
}
