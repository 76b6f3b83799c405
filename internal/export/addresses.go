// This file makes labels of blocks and names of files from the names of objects.

package export

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"golang.org/x/text/unicode/norm"
)

// longestIdentifier is how many characters of a name an identifier keeps.
const longestIdentifier = 48

// reservedFile matches names that no file or directory can have on Windows.
var reservedFile = regexp.MustCompile(`^(con|prn|aux|nul|com\d|lpt\d)$`)

// identifier converts a name to an identifier that may be the name of a file, too: lower case, with an
// underscore for anything but letters and digits, and of at most longestIdentifier characters.
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
	case reservedFile.MatchString(string(made)):
		return string(made) + "_"
	case !hclsyntax.ValidIdentifier(string(made)):
		return "_" + string(made)
	}
	return string(made)
}

// naming holds the parts from which the label of a block is made.
type naming struct {
	name      string // the unique name
	short     string // the label consists of this,
	qualifier string // and, if other labels are the same, of this; may be empty
}

// labelForm is a form of a label. Each form is longer than the one before, and less likely to be the
// label of another name.
type labelForm int

const (
	labelShort      labelForm = iota // short
	labelQualified                   // short_qualifier
	labelDigest                      // short_qualifier_1a2b3c
	labelLongDigest                  // the same with the whole digest
)

// label returns the label of a naming in a form.
func (n naming) label(form labelForm) string {
	made := identifier(n.short)
	if form >= labelQualified && n.qualifier != "" {
		made += "_" + identifier(n.qualifier)
	}
	digest := sha256.Sum256([]byte(n.name))
	switch form {
	case labelDigest:
		made += "_" + hex.EncodeToString(digest[:3])
	case labelLongDigest:
		made += "_" + hex.EncodeToString(digest[:])
	}
	return made
}

// labels returns a unique label for each naming. While several labels are the same, those with the shortest form get
// a longer one: all of them, so that the result does not depend on the order.
func labels(namings []naming) []string {
	forms := make([]labelForm, len(namings))
	for {
		made, byLabel := make([]string, len(namings)), map[string][]int{}
		for i, n := range namings {
			made[i] = n.label(forms[i])
			byLabel[made[i]] = append(byLabel[made[i]], i)
		}
		clash := false
		for _, same := range byLabel {
			if len(same) < 2 {
				continue
			}
			lowest := labelLongDigest
			for _, i := range same {
				lowest = min(lowest, forms[i])
			}
			for _, i := range same {
				if forms[i] == lowest && lowest < labelLongDigest {
					forms[i]++
					clash = true
				}
			}
		}
		if !clash {
			return made
		}
	}
}
