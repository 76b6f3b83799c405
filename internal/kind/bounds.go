// This file refuses, before anything is sent, what not every database of eNMS
// holds: too long a text, and the character NUL (enms-rest.md 1.1).

package kind

import (
	"fmt"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// checkBounds looks at what is configured. What an existing instance holds already
// may stay, with a warning: SQLite holds more than others.
func (p *Plan) checkBounds() {
	for _, a := range p.kind.rows().remote {
		if p.config[a.Name].IsNull() {
			continue
		}
		anew := p.anew(a)
		found := a.unfit(anew)
		if len(found) == 0 {
			found = asWarnings(a.unfit(value.ToJSON(p.planned[a.Name])))
		}
		p.Diagnostics.Append(found...)
	}
}

// unfit tells what of a value not every database holds.
func (a Attribute) unfit(x any) (found diag.Diagnostics) {
	at := path.Root(a.Name)
	if within, is := value.FindNUL(x); is {
		found.AddAttributeError(at, fmt.Sprintf("%s holds a NUL", a.Name), fmt.Sprintf("There is a NUL (U+0000) in %s%s. %s", a.Name, within, noNUL))
	}
	s, isText := x.(string)
	if !isText || a.Type != Text || a.Role == Key { // names have a check of their own
		return found
	}
	if wrong := a.tooLong(s); wrong != "" {
		found.AddAttributeError(at, fmt.Sprintf("%s is too long", a.Name), wrong)
	}
	return found
}

// tooLong tells that a text does not fit into its column, "" when it does.
func (a Attribute) tooLong(s string) string {
	length, most := utf8.RuneCountInString(s), a.maxLength()
	if most == Unbounded || length <= most {
		return ""
	}
	return fmt.Sprintf("It has %d characters, of which at most %d fit: eNMS's column is no longer, and PostgreSQL and MariaDB refuse what does not fit. Only SQLite would take it. Make it shorter by %d.", length, most, length-most)
}

// anew is what would be written of an attribute that is not in the state yet, as
// far as it is known; nil when there is nothing.
func (p *Plan) anew(a Attribute) any {
	planned, prior := p.planned[a.Name], p.prior[a.Name]
	if len(p.replace) > 0 { // another instance is created
		prior = tftypes.NewValue(planned.Type(), nil)
	}
	switch {
	case p.repeats(a):
		return nil
	case a.Type == Fields:
		return a.newFields(planned, prior)
	}
	return value.ToJSON(planned)
}
