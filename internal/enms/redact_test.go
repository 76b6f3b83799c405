// Tests of what must not be shown: nothing that the client prints, and no line
// that it passes on, holds a secret.

package enms

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

func TestPrintedWithoutSecrets(t *testing.T) {
	t.Parallel()
	cfg := Config{
		BaseURL: "https://enms.example.com", Username: "u", Password: "hidden-password", ProxyURL: "http://u:hidden-proxy@p:1",
		Headers: map[string]string{"X-Token": "hidden-token"},
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	inside := struct {
		Config Config
		Client *Client
	}{cfg, c}
	bad := cfg
	bad.BaseURL = "https://u:hidden-password@enms.example.com?hidden"
	for _, value := range []any{cfg, &cfg, c, *c, inside, &inside, bad, &exchanger{cfg: cfg}, []Config{cfg}, map[string]*Config{"a": &cfg}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
			if out := fmt.Sprintf(verb, value); strings.Contains(out, "hidden") || strings.Contains(out, fmt.Sprintf("%x", "hidden")) {
				t.Errorf("%s of %T: %s", verb, value, out)
			}
		}
	}
}

func TestRedact(t *testing.T) {
	t.Parallel()
	const password, proxy, token = `pass"wo/rd\1 +`, "proxy-pass", "abcdefghij"
	c := &Client{cfg: Config{Username: "u", Password: password, ProxyURL: "http://v:" + proxy + "@p", Headers: map[string]string{"X": "Bearer " + token}}}
	payload := Object{"name": "n", "custom_password": "field-secret", "custom_json": map[string]any{"api_token": []any{"nested-secret", 1}, "x": "kept"}, "pin_password": "12"}
	for _, line := range []string{
		"no " + password + " please", "is " + fmt.Sprintf("%q", password), url.QueryEscape(password), url.PathEscape(password), strings.ReplaceAll(password, `\`, `\\`),
		"Basic " + base64.StdEncoding.EncodeToString([]byte("u:"+password)), "via " + proxy, base64.StdEncoding.EncodeToString([]byte("v:" + proxy)),
		"Bearer " + token, "only " + token, "field-secret", "['nested-secret']",
	} {
		if got := c.redact(line, payload); !strings.Contains(got, "***") || strings.Contains(got, "ord") || strings.Contains(got, proxy) || strings.Contains(got, token) || strings.Contains(got, "-secret") {
			t.Errorf("%s: %s", line, got)
		}
	}
	if got := c.redact("n is kept 12 times by the Bearer", payload); got != "n is kept 12 times by the Bearer" {
		t.Error(got)
	}
}
