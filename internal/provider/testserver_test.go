// The kinds of server that the tests run against, one at a time: the environment
// variable ENMS_TEST_SERVER names it. Together with ENMS_BASE_URL it says of what
// kind that server is.

package provider_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
)

// testServers are the simulated servers that stand for what people run.
var testServers = simtest.Servers

// testServer returns the name of the one that this run is about.
func testServer() string { return simtest.ServerName() }

// serverOptions returns the options of the simulators of this run.
func serverOptions() simulator.Options { return testServers[testServer()] }

// notOn skips a test on servers on which it cannot hold by their nature, which the
// cause names.
func notOn(t testing.TB, cause string, names ...string) {
	t.Helper()
	if slices.Contains(names, testServer()) {
		t.Skipf("not on %s: %s", testServer(), cause)
	}
}

// unknownField says whether the servers of this run have no such field.
func unknownField(kind, field string) bool {
	return slices.Contains(serverOptions().MissingFields, kind+"."+field)
}

// unlessOn returns a check that is left out on servers on which it cannot hold.
func unlessOn(check resource.TestCheckFunc, names ...string) resource.TestCheckFunc {
	if slices.Contains(names, testServer()) {
		return func(*terraform.State) error { return nil }
	}
	return check
}

// checkTestServer refuses a name that is none, so that no run passes by mistake.
func checkTestServer() error {
	if _, known := testServers[testServer()]; !known {
		return fmt.Errorf("ENMS_TEST_SERVER=%s is none of %s", testServer(),
			strings.Join(slices.Sorted(maps.Keys(testServers)), ", "))
	}
	return nil
}
