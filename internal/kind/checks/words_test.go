// Tests of names that are nearly right.

package checks_test

import (
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"commands", "command", "content", "enable_mode"}
	for name, want := range map[string]string{"comands": "commands", "commnad": "command", "enable": "", "enablemode": "enable_mode", "zzz": "", "": "", "COMMAND": "command", "conetnt": "content", "cntnt": "", "entable_mode": "enable_mode"} {
		if got := checks.Nearest(name, known); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
