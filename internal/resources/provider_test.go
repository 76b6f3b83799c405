package resources

import (
	"strings"
	"testing"
)

// Advice about a setting follows only if a setting is unknown.
func TestProvider_withoutClient(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]*Provider{
		"The provider block has not been read.": nil,
		"In the provider block, base_url, token is still unknown. Give it a value that is known when this is read.": {Unknown: []string{"base_url", "token"}},
	} {
		if diags := p.Readable("Cannot read"); len(diags) != 1 || strings.TrimSpace(diags[0].Detail()) != want {
			t.Errorf("got %v, want %q", diags, want)
		}
	}
}
