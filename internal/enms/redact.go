// What must not be shown: secrets are taken out of lines that came from
// outside, and left out when the client itself is printed.

package enms

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

const (
	// minSecret is how long a secret is that is taken out of a line; shorter
	// ones would tear ordinary words apart without hiding anything.
	minSecret = 3
	// minToken is the same for a part of a header, whose other parts are words
	// such as "Bearer".
	minToken = 8
)

// Format prints the configuration without its secrets, whatever the verb.
func (cfg Config) Format(f fmt.State, _ rune) {
	host := ""
	if base, err := url.Parse(cfg.BaseURL); err == nil {
		host = base.Host
	}
	fmt.Fprintf(f, "enms.Config{%s}", host)
}

// Format prints the client without its secrets, whatever the verb.
func (c Client) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "enms.Client{%s}", c.host) }

// Format prints the exchanger without the secrets that it sends.
func (x exchanger) Format(f fmt.State, _ rune) { fmt.Fprint(f, "enms.exchanger{}") }

// redact takes out of a line that came from outside what must not be shown, in
// case the other side echoed it: the client's own secrets and those of a
// payload.
func (c *Client) redact(line string, payload Object) string {
	secrets := append(c.cfg.secrets(), secretsOf(payload, false)...)
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

// secrets are the client's own, in every form in which they travel.
func (cfg Config) secrets() []string {
	secrets := []string{cfg.Password, base64.StdEncoding.EncodeToString([]byte(cfg.Username + ":" + cfg.Password))}
	for _, value := range cfg.Headers {
		secrets = append(secrets, value)
		for _, part := range strings.Fields(value) {
			if len(part) >= minToken {
				secrets = append(secrets, part)
			}
		}
	}
	if proxy, err := url.Parse(cfg.ProxyURL); err == nil && proxy.User != nil {
		password, _ := proxy.User.Password()
		secrets = append(secrets, password, base64.StdEncoding.EncodeToString([]byte(proxy.User.Username()+":"+password)))
	}
	return secrets
}

// secretsOf are the texts in a payload that are under a secret field.
func secretsOf(value any, secret bool) []string {
	var found []string
	switch value := value.(type) {
	case Object:
		return secretsOf(map[string]any(value), secret)
	case map[string]any:
		for key, member := range value {
			found = append(found, secretsOf(member, secret || secretField(key))...)
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

// secretField tells whether a field is one of the secrets of enms-rest.md 1.2,
// or named like one.
func secretField(key string) bool {
	for _, word := range []string{"password", "private_key", "token", "secret"} {
		if strings.Contains(key, word) {
			return true
		}
	}
	return false
}
