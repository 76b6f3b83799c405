// The answer to a write: which entries were written, and why others were not.

package enms

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// failure is an entry of "failure": the name that eNMS echoes, and its message.
// The rest of the echo may hold secrets and is dropped (enms-rest.md 0.1).
type failure struct {
	name, message string
}

// envelope is the answer to POST /rest/instance (enms-rest.md 0.1).
type envelope struct {
	success  []string
	failures []failure
}

// decodeEnvelope reads the answer to an upsert of instances of typ.
func decodeEnvelope(typ string, a *rest.Answer) (*envelope, error) {
	value, err := a.Value()
	if err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, wrongAnswer(typ, value, "an object")
	}
	result := &envelope{}
	for _, field := range []string{"success", "failure"} {
		value, has := object[field]
		list, ok := value.([]any)
		if has && !ok {
			return nil, wrongAnswer(typ, value, "a list of "+field)
		}
		for _, element := range list {
			if !result.add(field, element) {
				return nil, wrongAnswer(typ, element, "an entry of "+field)
			}
		}
	}
	return result, nil
}

// add takes one element of "success" or "failure"; false when it is malformed.
func (e *envelope) add(field string, element any) bool {
	if field == "success" {
		name, ok := element.(string)
		e.success = append(e.success, name)
		return ok
	}
	pair, ok := element.([]any)
	if !ok || len(pair) != 2 {
		return false
	}
	echo, isObject := pair[0].(map[string]any)
	message, isText := rest.Text(pair[1])
	e.failures = append(e.failures, failure{name: text(echo, "name"), message: message})
	return isObject && isText
}

var (
	// exception matches the line of a Python traceback that tells the error.
	exception = regexp.MustCompile(`^((?:\w+\.)*)(\w*(?:Error|Exception|Warning|Exists|Interrupt))(?:: (.*))?$`)
	// missing and unknownType match the reasons that RefusedError tells apart.
	missing     = regexp.MustCompile(`^There is no (\w+) in the database with the following characteristics: \{'name': '(.*)'\}`)
	unknownType = regexp.MustCompile(`^KeyError: '([a-z0-9_]+)'$`)
)

// newRefusedError makes the error of a message, of which pick takes the one line that
// helps. Secrets are in no line that is shown; but what the line says does not change with
// them.
func (c *Client) newRefusedError(op, typ, name, message string, pick func(string) string) *RefusedError {
	refused, reason := &RefusedError{Op: op, Type: typ, Name: name, Reason: pick(c.rest.Redact(message))}, pick(message)
	if match := missing.FindStringSubmatch(reason); match != nil {
		refused.Missing = &Reference{Type: match[1], Name: match[2]}
	}
	if match := unknownType.FindStringSubmatch(reason); match != nil {
		refused.UnknownType = match[1]
	}
	return refused
}

// reason takes from the message of a failure the one line that helps: the last
// that tells an exception, or else the last. The lines around it can hold SQL
// with the values of the payload.
func reason(message string) string {
	lines := strings.FieldsFunc(message, func(r rune) bool { return r == '\n' || r == '\r' })
	last := ""
	for _, line := range slices.Backward(lines) {
		if found := exception.FindStringSubmatch(line); found != nil {
			return rest.OneLine(withoutClass(found[1], found[2], found[3]))
		}
		last = cmp.Or(last, strings.TrimSpace(line))
	}
	return rest.OneLine(last)
}

// withoutClass drops the class of an exception where its text speaks for
// itself. Python's own classes stay: "KeyError: 'x'" without them says nothing.
func withoutClass(path, class, text string) string {
	switch {
	case text == "" && class == "RbacError":
		return "the user may not do this (RbacError)"
	case text == "":
		return class
	case path != "" || class == "Exception":
		return text
	}
	return class + ": " + text
}
