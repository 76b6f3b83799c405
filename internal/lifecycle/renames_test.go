// Tests of names that instances have for a moment.

package lifecycle

import (
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// A rename waits for another one that gives up its new name, unless that one waits in turn.
func TestRenamesThatWait(t *testing.T) {
	t.Parallel()
	all, taken := &renames{}, error(&enms.ExistsError{Type: "device", Name: "B"})
	device := func(name string) objectKey { return objectKey{"device", name} }
	a := all.begin(device("A"), device("B"), nil)
	if found, _ := all.blocker(a); found != nil {
		t.Errorf("A waits for %v, which has not begun", found)
	}
	b, c := all.begin(device("B"), device("C"), nil), all.begin(device("C"), device("A"), nil)
	for _, test := range []struct {
		waits, want *rename
		circle      bool
	}{{a, b, false}, {b, c, false}, {c, a, true}} {
		if found, circle := all.blocker(test.waits); found != test.want || circle != test.circle {
			t.Errorf("%s waits for %v, a circle: %t", test.waits.from, found, circle)
		}
	}
	if found, _ := all.blocker(all.begin(objectKey{"service", "A"}, objectKey{"service", "B"}, nil)); found != nil {
		t.Error("a name of another namespace is waited for")
	}
	c.release()
	<-c.free
	all.end(b, nil)
	<-b.free
	if found, _ := all.blocker(a); found != nil {
		t.Error("a rename that is done is waited for")
	}
	// One that failed is known to those that come later, and has not to be waited for.
	all.end(a, taken)
	if found, circle := all.blocker(c); found != a || circle {
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
