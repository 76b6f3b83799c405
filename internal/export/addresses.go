// This file makes the labels of blocks and the names of files out of names.

package export

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"golang.org/x/text/unicode/norm"
)

// longestIdentifier is how many characters of a name an identifier keeps.
const longestIdentifier = 48

// identifier makes an identifier of a name: lower case, with an underscore for whatever is
// no letter and no digit.
func identifier(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(norm.NFC.String(name)) {
		switch {
		case (unicode.IsLetter(r) || unicode.IsDigit(r)) && hclsyntax.ValidIdentifier("a"+string(r)):
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	made := []rune(strings.Trim(norm.NFC.String(b.String()), "_"))
	if len(made) > longestIdentifier {
		made = []rune(strings.TrimRight(string(made[:longestIdentifier]), "_"))
	}
	switch {
	case len(made) == 0:
		return "unnamed"
	case !hclsyntax.ValidIdentifier(string(made)):
		return "_" + string(made)
	}
	return string(made)
}

// naming is what a label is made of.
type naming struct {
	name      string // what tells it from all others
	short     string // of which the label is made
	qualifier string // what is added first where others have the same label; may be empty
}

// How a label is made, from the shortest to the longest.
const (
	labelShort = iota
	labelQualified
	labelDigest
	labelLongDigest
)

// label makes the label at a level.
func (n naming) label(level int) string {
	made := identifier(n.short)
	if level >= labelQualified && n.qualifier != "" {
		made += "_" + identifier(n.qualifier)
	}
	digest := sha256.Sum256([]byte(n.name))
	switch level {
	case labelDigest:
		made += "_" + hex.EncodeToString(digest[:3])
	case labelLongDigest:
		made += "_" + hex.EncodeToString(digest[:])
	}
	return made
}

// labels returns a label for each naming, no two of them the same. Those whose short labels
// are the same are all told apart by a suffix, so that the order does not matter.
func labels(namings []naming) []string {
	levels := make([]int, len(namings))
	for {
		made, holders := make([]string, len(namings)), map[string][]int{}
		for i, n := range namings {
			made[i] = n.label(levels[i])
			holders[made[i]] = append(holders[made[i]], i)
		}
		clash := false
		for _, same := range holders {
			if len(same) < 2 {
				continue
			}
			lowest := labelLongDigest
			for _, i := range same {
				lowest = min(lowest, levels[i])
			}
			for _, i := range same {
				if levels[i] == lowest && lowest < labelLongDigest {
					levels[i]++
					clash = true
				}
			}
		}
		if !clash {
			return made
		}
	}
}
