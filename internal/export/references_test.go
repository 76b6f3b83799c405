// This file tests what names become that are no references.

package export

import (
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// What every eNMS 4 has from its first start is not exported. Where eNMS 5 does not have it, the report says
// that a server needs it.
func TestReferences_builtInOfENMS4(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of, name string
		line     int
		told     string
	}{
		{"service", "cluster_monitoring", 4, "an eNMS 5 needs one"},
		{"service", "[Shared] Start", 4, ""},
		{"service", "cluster_monitoring", 5, "which does not exist"},
	} {
		r := &report{}
		refs := newReferences(newIndex(kinds.All(), nil), nil, nil, &inventory{line: c.line, kinds: kinds.All(), readKinds: kinds.All()}, r)
		refs.literal("enms_task.t", c.of, c.of, c.name)
		told := ""
		for _, f := range append(r.Expected, r.Kept...) {
			told += f.What
		}
		if (told == "") != (c.told == "") || !strings.Contains(told, c.told) {
			t.Errorf("%s of an eNMS %d: the report says %q, want %q", c.name, c.line, told, c.told)
		}
	}
}
