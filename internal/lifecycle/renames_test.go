// Tests of names that instances have for a moment.

package lifecycle

import (
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// Whose new name is given up by another rename waits for it, unless that one waits in turn.
func TestRenamesThatWait(t *testing.T) {
	t.Parallel()
	all, taken := &renames{}, error(&enms.ExistsError{Type: "device", Name: "B"})
	a, b, c := &rename{from: "A", to: "B"}, &rename{from: "B", to: "C"}, &rename{from: "C", to: "A"}
	all.begin("node", a)
	if found, _ := all.blocker("node", a); found != nil {
		t.Errorf("A waits for %v, which has not begun", found)
	}
	all.begin("node", b)
	all.begin("node", c)
	for _, test := range []struct {
		waits, want *rename
		circle      bool
	}{{a, b, false}, {b, c, false}, {c, a, true}} {
		if found, circle := all.blocker("node", test.waits); found != test.want || circle != test.circle {
			t.Errorf("%s waits for %v, a circle: %t", test.waits.from, found, circle)
		}
	}
	if found, _ := all.blocker("service", a); found != nil {
		t.Error("a name of another name space is waited for")
	}
	all.steppedAside(c)
	<-c.free
	all.end("node", b, nil)
	<-b.free
	if found, _ := all.blocker("node", a); found != nil {
		t.Error("a rename that is done is waited for")
	}
	// One that failed is known to those that come later, and has not to be waited for.
	all.end("node", a, taken)
	if found, circle := all.blocker("node", c); found != a || circle {
		t.Errorf("C finds %v, a circle: %t", found, circle)
	}
	<-a.free
}

func TestTemporaryName(t *testing.T) {
	t.Parallel()
	name := temporaryName(strings.Repeat("ü", 300), "1234567890")
	if runes := len([]rune(name)); runes > 250 || kind.WrongName(name) != "" {
		t.Errorf("a temporary name of %d characters: %s", runes, kind.WrongName(name))
	}
}
