// This file reads the values of settings from text, and checks them.

package provider

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"golang.org/x/net/http/httpguts"
)

// checkAuthorities returns an error if there is no certificate in PEM.
func checkAuthorities(pem []byte) error {
	if !x509.NewCertPool().AppendCertsFromPEM(pem) {
		return errors.New("it contains no certificate in PEM format")
	}
	return nil
}

// readFile reads the file of a setting. The error does not show the name, which may be the key
// itself if somebody has confused the settings.
func readFile(name string) ([]byte, error) {
	if strings.Contains(name, "-----BEGIN") {
		return nil, errors.New("this is the content of a file, not its name: use the setting that ends in _pem")
	}
	content, err := os.ReadFile(name)
	var at *fs.PathError
	if errors.As(err, &at) {
		return nil, fmt.Errorf("the file cannot be read: %w", at.Err)
	}
	return content, err
}

// mapLines returns a map of headers as lines of "Name: value". known is false if one of the values is unknown.
func mapLines(headers tftypes.Value) (lines string, known bool) {
	var elements map[string]tftypes.Value
	_ = headers.As(&elements)
	var list []string
	for name, v := range elements {
		if !v.IsKnown() {
			return "", false
		}
		var text string
		_ = v.As(&text)
		// A line break would begin another header: with NUL in its place, headerLines refuses the value.
		list = append(list, name+": "+strings.NewReplacer("\n", "\x00", "\r", "\x00").Replace(text))
	}
	slices.Sort(list)
	return strings.Join(list, "\n"), true
}

// ownHeaders are those that the provider or the HTTP client of Go sets for each request.
var ownHeaders = []string{"Accept", "Content-Length", "Content-Type", "Transfer-Encoding"}

// headerLines reads lines of "Name: value", without empty lines. The error does not show a value, which is
// secret.
func headerLines(lines string) (map[string]string, error) {
	headers := map[string]string{}
	for line := range strings.Lines(lines) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.TrimSpace(value)
		switch {
		case name == "" && !ok:
			continue
		case !ok || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value):
			return nil, errors.New("a header must have a name of letters, digits and dashes, and a value on one line")
		case strings.EqualFold(name, "Authorization"):
			return nil, errors.New("the header Authorization contains the user and password of eNMS: use another header for the token of a gateway")
		case slices.Contains(ownHeaders, http.CanonicalHeaderKey(name)):
			return nil, fmt.Errorf("the provider itself sets the header %s: remove it", http.CanonicalHeaderKey(name))
		}
		headers[http.CanonicalHeaderKey(name)] = value
	}
	return headers, nil
}

// checkURL checks the address of eNMS. Its error quotes no user and no password.
func checkURL(value string) error {
	u, err := url.Parse(value)
	switch {
	case strings.TrimSpace(value) != value:
		return fmt.Errorf("the address must not begin or end with a blank or a line break: remove it, for example with trimspace()")
	case !schemed.MatchString(value) && !strings.ContainsAny(value, "@?#"): // what may hold a secret is not quoted
		return fmt.Errorf("%q must begin with https:// or http://: write %q", value, "https://"+strings.TrimLeft(otherScheme.ReplaceAllString(value, ""), "/"))
	case err != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("the address must be like https://enms.example.com")
	case u.User != nil:
		return fmt.Errorf("the address must not contain a user or a password: set username and password instead")
	case u.RawQuery != "", u.Fragment != "":
		return fmt.Errorf("the address must not contain ? or #")
	}
	return nil
}

// listLines returns a list of strings as lines, without those that are null. known is false if one of the strings is
// unknown.
func listLines(list tftypes.Value) (lines string, known bool) {
	var elements []tftypes.Value
	_ = list.As(&elements)
	var texts []string
	for _, v := range elements {
		if !v.IsKnown() {
			return "", false
		}
		var text *string
		if _ = v.As(&text); text != nil {
			texts = append(texts, *text)
		}
	}
	return strings.Join(texts, "\n"), true
}

// urls reads addresses of eNMS, separated by white space or commas, which no address contains.
func urls(list string) ([]string, error) {
	all := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	for _, address := range all {
		if err := checkURL(address); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// positiveDuration reads a duration of more than 0.
func positiveDuration(value string) (time.Duration, error) {
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is not a duration such as 90s or 2m", value)
	}
	return d, nil
}

// checkOneOf checks a choice from the environment; the schema checks one in the configuration.
func checkOneOf(value string, choices []string) error {
	if !slices.Contains(choices, value) {
		return fmt.Errorf("%q is none of %s", value, strings.Join(choices, ", "))
	}
	return nil
}

// flag reads a Boolean.
func flag(value string) (bool, error) {
	b, err := strconv.ParseBool(value)
	if err != nil {
		return false, fmt.Errorf("%q is neither true nor false", value)
	}
	return b, nil
}

// atLeast reads a whole number that is not below a minimum.
func atLeast(minimum int, value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < minimum {
		return 0, fmt.Errorf("%q is not a number of at least %d", value, minimum)
	}
	return n, nil
}

// checkProxy checks the address of a proxy. The error does not show it, because it may hold a password.
func checkProxy(value string) error {
	if u, err := url.Parse(value); err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme) {
		return errors.New("the proxy must be like http://proxy.example.com:3128")
	}
	return nil
}

// What an address begins with: schemed matches a scheme that eNMS can have, and otherScheme any scheme.
var (
	schemed     = regexp.MustCompile(`(?i)^https?://`)
	otherScheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:/+`)
)
