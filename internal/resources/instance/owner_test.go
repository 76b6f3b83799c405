// Tests of operations that wait for each other, and of names that instances have for a moment.

package instance

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
)

// A deletion of what a creation has taken over waits until the creation is over: it leaves the
// object to that one, or, if that does not keep it, fails.
func TestDeletionWaitsForCreation(t *testing.T) {
	t.Parallel()
	for _, keeps := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			p := &resources.Provider{}
			k := &kind.Kind{Name: "device", Namespace: "node"}
			many := NewEntries(k, p)
			end := many.BeginCreation()
			many.recordOutcome(kind.Values{kind.RowName: tftypes.NewValue(tftypes.String, "d"), kind.RowID: tftypes.NewValue(tftypes.String, "7")}, "", applying.Ownership{Status: applying.Owned})
			over := false
			go func() {
				owned, err := New(k, p).leftToAnother(t.Context(), kind.PolicyDelete, "d", "7")
				if over = true; owned != keeps || failures.Is[*failures.Owned](err) == keeps {
					t.Errorf("owned by another: %t, %v", owned, err)
				}
			}()
			if synctest.Wait(); over {
				t.Error("it did not wait")
			}
			if !keeps {
				many.Release("d", "7")
			}
			end()
			if synctest.Wait(); !over {
				t.Error("it still waits")
			}
		})
	}
}

func TestTemporaryName(t *testing.T) {
	t.Parallel()
	name := temporaryName(strings.Repeat("ü", 300), "1234567890")
	if runes := len([]rune(name)); runes > 250 || kind.WrongName(name) != "" {
		t.Errorf("a temporary name of %d characters: %s", runes, kind.WrongName(name))
	}
}
