// Tests of what must not be shown: nothing that the client prints, and no line
// that it passes on, holds a secret.

package enms

import (
	"fmt"
	"strings"
	"testing"
)

func TestPrintedWithoutSecrets(t *testing.T) {
	t.Parallel()
	cfg := Config{
		BaseURL: "https://enms.example.com", Username: "u", Password: "hidden-password", ProxyURL: "http://u:hidden-proxy@p:1",
		Headers: map[string]string{"X-Token": "hidden-token"},
	}
	c, err := New(cfg, Words{})
	if err != nil {
		t.Fatal(err)
	}
	inside := struct {
		Config Config
		Client *Client
	}{cfg, c}
	bad := cfg
	bad.BaseURL = "https://u:hidden-password@enms.example.com?hidden"
	for _, value := range []any{cfg, &cfg, c, *c, inside, &inside, bad, []Config{cfg}, map[string]*Config{"a": &cfg}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
			if out := fmt.Sprintf(verb, value); strings.Contains(out, "hidden") || strings.Contains(out, fmt.Sprintf("%x", "hidden")) {
				t.Errorf("%s of %T: %s", verb, value, out)
			}
		}
	}
}
