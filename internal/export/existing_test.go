// This file tests when an export into existing code refuses a server.

package export

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
)

// More than a third of the objects gone at once is an error that names the option which allows it, and
// so is a server that has none of them.
func TestCheckGone(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		before, gone int
		option       string
		refused      bool
	}{
		{30, 0, "", false}, {30, 10, "", false}, {30, 11, "", true}, {30, 11, goneRemoved, false}, {30, 11, goneKeep, false},
		{8, 5, "", false}, {3, 3, "", true}, {3, 3, goneDelete, false},
	} {
		r, now := &record{}, []*exportmerge.Object{{Kind: "device", Name: "new", ID: "99"}}
		for n := range test.before {
			o := exportmerge.Object{Kind: "device", Name: fmt.Sprint("d", n), ID: fmt.Sprint(n)}
			r.Objects = append(r.Objects, &o)
			if same := o; n >= test.gone {
				now = append(now, &same)
			}
		}
		m, err := exportmerge.Match(&exportmerge.Code{}, &r.Record, now, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = checkGone(m, now, r, options{gone: test.option, directory: "network"})
		if test.refused != (err != nil && strings.Contains(err.Error(), "-gone removed")) {
			t.Errorf("%d of %d are gone, with -gone %q: %v", test.gone, test.before, test.option, err)
		}
	}
}
