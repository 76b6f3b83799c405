// This file finds names that the database of this eNMS treats as equal.

package planning

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// SameNames returns the names that the database of this eNMS treats as equal to an earlier name, each
// with that name. It asks eNMS only if some database would treat any of them as equal. If the request
// fails, they count as different: eNMS then refuses the second one.
func (r *Checker) SameNames(ctx context.Context, names []string) map[string]string {
	p := r.Provider
	if !p.Ready() || len(alike(names, enms.Comparison{Case: true, Accents: true, TrailingBlanks: true})) == 0 {
		return nil
	}
	ignored, err := p.Client.Comparison(ctx)
	if err != nil {
		return nil
	}
	return alike(names, ignored)
}

// alike returns the names that differ from an earlier name only in what the database ignores, each with
// that earlier name. The names are compared in alphabetical order.
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

// comparedForm returns a name without what the database ignores. A letter loses only the accent that is
// part of it, as in the collations of MariaDB, which compare character by character.
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
