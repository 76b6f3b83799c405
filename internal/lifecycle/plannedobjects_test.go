// Tests of what plans of one run know of each other.

package lifecycle

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A plan that was made twice counted as two resources now and then, because the keys of a
// map were encoded in any order.
func TestFingerprints(t *testing.T) {
	t.Parallel()
	config := func(last string) tftypes.Value {
		members := map[string]tftypes.Value{"last": tftypes.NewValue(tftypes.String, last)}
		for i := range 20 {
			members[fmt.Sprint(i)] = tftypes.NewValue(tftypes.String, "x")
		}
		return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, members)
	}
	first := FingerprintOf("enms_pool", config("a"))
	for range 20 {
		if FingerprintOf("enms_pool", config("a")) != first {
			t.Fatal("the fingerprints of one configuration differ")
		}
	}
	if FingerprintOf("enms_pool", config("b")) == first || FingerprintOf("enms_link", config("a")) == first {
		t.Error("the fingerprints of two resources are the same")
	}
}
