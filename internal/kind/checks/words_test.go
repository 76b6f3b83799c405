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

func TestAbbreviated(t *testing.T) {
	t.Parallel()
	known := []string{"ip_address", "latitude", "longitude", "operating_system", "os_version", "model"}
	for short, want := range map[string]string{
		"ip": "ip_address", "IP": "ip_address", "address": "ip_address", "lat": "latitude", "lon": "longitude", "os": "", "l": "", "": "", "x": "", "mod": "model",
	} {
		if got := checks.Abbreviated(short, known); got != want {
			t.Errorf("%q abbreviates %q, want %q", short, got, want)
		}
	}
}
