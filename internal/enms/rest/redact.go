// What must not be shown: secrets are taken out of lines that came from outside.

package rest

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// minSecret is how long a secret is that is taken out of a line; shorter ones
// would tear ordinary words apart without hiding anything.
const minSecret = 3

// redact replaces secrets in a line, in each form in which it may quote them.
func redact(line string, secrets []string) string {
	var forms []string
	for _, secret := range secrets {
		if len(secret) < minSecret {
			continue
		}
		quoted, err := json.Marshal(secret)
		if err == nil {
			forms = append(forms, string(quoted[1:len(quoted)-1]))
		}
		forms = append(forms, secret, url.QueryEscape(secret), url.PathEscape(secret), strings.ReplaceAll(secret, `\`, `\\`))
	}
	// The longer go first, so that no part of one is left.
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	for _, form := range forms {
		line = strings.ReplaceAll(line, form, "***")
	}
	return line
}

// secretsOf are the texts in a payload that are under a secret field.
func secretsOf(value any, secret bool) []string {
	var found []string
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			found = append(found, secretsOf(member, secret || SecretField(key))...)
		}
	case []any:
		for _, member := range value {
			found = append(found, secretsOf(member, secret)...)
		}
	case string:
		if secret {
			found = append(found, value)
		}
	}
	return found
}

// SecretField tells whether a field is one of the secrets of enms-rest.md 1.2,
// or named like one. It serves errors, and searches that must not ask for secrets;
// what is kept out of the private state is told by kind.Kind.Secrets.
func SecretField(key string) bool {
	for _, word := range []string{"password", "private_key", "token", "secret"} {
		if strings.Contains(key, word) {
			return true
		}
	}
	return false
}
