package rest

import (
	"encoding/base64"
	"strings"
	"testing"
)

// The password of a proxy of the environment is a secret, like that of the setting: also in an
// address without a scheme, and in a malformed one, which the transport quotes.
func TestRedact_proxyOfTheEnvironment(t *testing.T) {
	header := base64.StdEncoding.EncodeToString([]byte("u:hidden-proxy"))
	for address, quoted := range map[string]string{
		"http://u:hidden-proxy@p:1":       header,
		"u:hidden-proxy@p:1":              header,
		"http://u:hidden%2Dproxy@p:1":     header,
		"http://u:hidden-proxy%zz@p:1":    "hidden-proxy%zz",
		"http://u:hidden proxy@p:1":       "hidden proxy",
		"http://hidden:hidden@hidden@p:1": "hidden@hidden",
	} {
		t.Setenv("https_proxy", address)
		c := newClient(t, Config{BaseURL: "https://enms.example.com", Username: "u", Password: "p-word"})
		text := "invalid proxy address " + address + ", " + quoted
		if shown := c.Redact(text); strings.Contains(shown, "hidden") || strings.Contains(shown, header) {
			t.Errorf("%s: %s", address, shown)
		}
	}
	t.Setenv("HTTP_PROXY", "http://u:hidden-proxy@p:1")
	t.Setenv("https_proxy", "http://u@p:1")
	c := newClient(t, Config{BaseURL: "https://enms.example.com", Username: "u"})
	if shown := c.Redact("u: no route to p by hidden-proxy"); shown != "u: no route to p by ***" {
		t.Error(shown)
	}
}
