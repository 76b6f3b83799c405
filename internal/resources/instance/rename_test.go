// Tests of names that instances have for a moment.

package instance

import (
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

func TestTemporaryName(t *testing.T) {
	t.Parallel()
	name := temporaryName(strings.Repeat("ü", 300), "1234567890")
	if runes := len([]rune(name)); runes > 250 || kind.WrongName(name) != "" {
		t.Errorf("a temporary name of %d characters: %s", runes, kind.WrongName(name))
	}
}
