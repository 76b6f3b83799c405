// What must hold for any name whatever. The seeds are in testdata/fuzz.

package failures

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
)

var identifier = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

// FuzzLabel makes labels and HCL strings of any name. "${" in a name must be escaped in
// the import block that an error shows.
func FuzzLabel(f *testing.F) {
	f.Fuzz(func(t *testing.T, name string) {
		if l := label(name); !identifier.MatchString(l) {
			t.Errorf("%q gives the label %q", name, l)
		}
		text := resources.Quoted(name)
		plain := strings.NewReplacer("$${", "${", "%%{", "%{").Replace(text)
		if back, err := strconv.Unquote(plain); err != nil || strings.ToValidUTF8(back, "") != strings.ToValidUTF8(name, "") {
			t.Errorf("%q is written %s", name, text)
		}
	})
}
