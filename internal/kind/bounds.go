// This file refuses, before anything is sent, what not every database of eNMS
// holds: too long a text, and the character NUL (enms-rest.md 1.1).

package kind

import (
	"fmt"
	"unicode/utf8"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// checkBounds looks at what is configured and would be written anew. What an
// existing instance holds already may stay: SQLite holds more than others.
func (p *Plan) checkBounds() {
	for _, a := range p.kind.rows().remote {
		if p.config[a.Name].IsNull() {
			continue
		}
		anew := p.anew(a)
		if at, found := value.FindNUL(anew); found {
			p.Error(a.Name, fmt.Sprintf("%s holds a NUL", a.Name), fmt.Sprintf("There is a NUL (U+0000) in %s%s. %s", a.Name, at, noNUL))
		}
		if s, ok := anew.(string); ok && a.Type == Text && a.Role != Key { // names have a check of their own
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
	case a.Type == Fields:
		return a.newFields(planned, prior)
	}
	return value.ToJSON(planned)
}
