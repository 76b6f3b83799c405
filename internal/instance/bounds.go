// This file refuses, before anything is sent, what not every database of eNMS
// holds: too long a text, and the character NUL (enms-rest.md 1.1).

package instance

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// noNUL is why the character NUL is refused.
const noNUL = "PostgreSQL cannot hold that character: there eNMS would refuse the whole instance, without a reason. Take it out."

// checkBounds looks at what is configured and would be written anew. What an
// existing instance holds already may stay: SQLite holds more than others.
func (p *Plan) checkBounds() {
	for _, a := range p.kind.Rows() {
		if a.Role == Setting || a.DataOnly || p.config[a.Name].IsNull() {
			continue
		}
		anew := p.anew(a)
		if at, found := findNUL(anew); found {
			p.Error(a.Name, fmt.Sprintf("%s holds a NUL", a.Name), fmt.Sprintf("There is a NUL (U+0000) in %s%s. %s", a.Name, at, noNUL))
		}
		if s, ok := anew.(string); ok && a.Meaning == Text && a.Role != Key { // names have a check of their own
			p.checkLength(a, utf8.RuneCountInString(s))
		}
	}
}

func (p *Plan) checkLength(a Attribute, length int) {
	if most := a.maxLength(); most != Unbounded && length > most {
		p.Error(a.Name, fmt.Sprintf("%s is too long", a.Name),
			fmt.Sprintf("It has %d characters, of which at most %d fit: eNMS's column is no longer, and PostgreSQL and MariaDB refuse what does not fit. Only SQLite would take it. Make it shorter by %d.", length, most, length-most))
	}
}

// anew is what would be written of an attribute that is not in the state yet, as
// far as it is known; nil when there is nothing.
func (p *Plan) anew(a Attribute) any {
	planned, prior := p.planned[a.Name], p.prior[a.Name]
	switch {
	case planned.Equal(prior):
		return nil
	case a.Meaning == Fields:
		return a.newFields(planned, prior)
	}
	return toJSON(planned)
}

func holdsNUL(s string) bool { return strings.ContainsRune(s, 0) }

// findNUL looks for a NUL in a value of any depth. at is the way there, as HCL
// writes it; values are left out of it, because they may be secret.
func findNUL(x any) (at string, found bool) {
	switch x := x.(type) {
	case string:
		return "", holdsNUL(x)
	case []any:
		for i, member := range x {
			if at, found := findNUL(member); found {
				return fmt.Sprintf("[%d]%s", i, at), true
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(x)) {
			if holdsNUL(name) {
				return step(name), true
			}
			if at, found := findNUL(x[name]); found {
				return step(name) + at, true
			}
		}
	}
	return "", false
}

var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// step is the way to a member of an object.
func step(name string) string {
	if plainKey.MatchString(name) {
		return "." + name
	}
	return "[" + strconv.Quote(name) + "]"
}
