// Tests of what is kept of how names are spelled.

package enms

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// Names of many related instances are learned together, and a write does not forget them.
func TestSpellingsAreLearnedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, c := serverOf(t, simulator.Options{})
		f.addDevices(t, 200)
		for i := range 20 {
			var names []string
			for j := range 10 {
				names = append(names, testserver.Device(10*i+j))
			}
			if err := c.Spelled(t.Context(), "device", names); err != nil {
				t.Error(err)
			}
			if err := c.Upsert(t.Context(), Type{Name: "pool", Namespace: "pool"}, Object{"name": fmt.Sprint("pool ", i)}); err != nil {
				t.Fatal(err)
			}
		}
		// Ten names are worth a page, of which there is one.
		if got := f.Count("POST /rest/search"); got != 1 {
			t.Errorf("%d searches for 200 names", got)
		}
	})
}

// What is known of a type says nothing of another, and a page nothing of names that it
// does not have.
func TestSpellingsAreOfAType(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{Database: simulator.MariaDB})
	f.addDevices(t, 100)
	f.Add(t, "device", Object{"name": "muller"})
	f.Add(t, "pool", Object{"name": "müller"})
	c := f.client(t)
	for i := range 100 {
		if err := c.Spelled(t.Context(), "device", []string{testserver.Device(i), "muller", "none"}); err != nil {
			t.Fatal(err)
		}
	}
	for typ, test := range map[string]struct{ name, spelling string }{
		"pool": {"muller", "müller"}, "device": {"MULLER", "muller"},
	} {
		err := c.Spelled(t.Context(), typ, []string{test.name})
		if other, ok := errors.AsType[*NotFoundError](err); !ok || other.Spelling != test.spelling {
			t.Errorf("%s %s: %v", typ, test.name, err)
		}
	}
}
