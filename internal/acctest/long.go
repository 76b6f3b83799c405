// The long forms of tests, which `make test-long` plays.

package acctest

import (
	"os"
	"testing"
)

// Long reports whether the long forms of tests are wanted, as in `make test-long`.
func Long() bool { return os.Getenv("ENMS_TEST_LONG") == "1" }

// OnlyLong skips a test that takes too long for `make test`, for the reason given.
func OnlyLong(t *testing.T, why string) {
	t.Helper()
	if !Long() {
		t.Skipf("only with ENMS_TEST_LONG=1: %s", why)
	}
}
