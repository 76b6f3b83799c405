// The kinds of server that tests run against. The environment variable ENMS_TEST_SERVER names the kind of the
// simulated servers of this run, or of the real server if ENMS_BASE_URL is set.

package acctest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
)

// ServerKinds are the options of the simulator for each kind of server.
var ServerKinds = simtest.Servers

// ServerKind returns the kind of the servers of this run.
func ServerKind() string { return simtest.ServerName() }

// ServerOptions returns the options of the simulators of this run.
func ServerOptions() simulator.Options { return ServerKinds[ServerKind()] }

// SkipOn skips a test on kinds of servers on which it cannot hold; the cause says why.
func SkipOn(t testing.TB, cause string, names ...string) {
	t.Helper()
	if slices.Contains(names, ServerKind()) {
		t.Skipf("not on %s: %s", ServerKind(), cause)
	}
}

// UnknownField reports whether the servers of this run lack a field of a type.
func UnknownField(typ, field string) bool {
	for _, k := range kinds.All() {
		for _, a := range k.Rows() {
			if k.Name == typ && a.Name == field && a.Line != 0 && a.Line != Line() {
				return true
			}
		}
	}
	return slices.Contains(ServerOptions().MissingFields, typ+"."+field)
}

// Kinds returns the kinds of which the servers of this run have the type.
func Kinds() []*kind.Kind {
	return slices.DeleteFunc(kinds.All(), func(k *kind.Kind) bool { return !k.OnLine(Line()) })
}

// NameOf returns a name as instances of a kind have it: those of the data store are paths.
func NameOf(k *kind.Kind, name string) string {
	if k.Namespace == dataStore {
		return ">" + name
	}
	return name
}

// dataStore is the namespace of the kinds of the data store.
const dataStore = "data"

// Line returns the line of eNMS of the servers of this run: 4 or 5.
func Line() int { return ByLine(4, 5) }

// ByLine returns the first value on servers of eNMS 4, and the second one on servers of eNMS 5.
func ByLine[T any](four, five T) T {
	if ServerOptions().Version == simulator.V53 {
		return five
	}
	return four
}

// Namespace returns the type within which the names of a kind are unique.
func Namespace(k *kind.Kind) string { return TypeName(k.Namespace) }

// TypeName returns the name that the servers of this run give a type.
func TypeName(typ string) string {
	if typ == "node" {
		return ByLine("node", "device")
	}
	return typ
}

// Field returns the name of a field on the servers of this run; name5 is its name on eNMS 5, or empty if that
// is the same.
func Field(name5, name string) string { return ByLine(name, cmp.Or(name5, name)) }

// checkTestServer returns an error if ENMS_TEST_SERVER names no kind of server, so that no run of
// the tests passes by mistake.
func checkTestServer() error {
	if _, known := ServerKinds[ServerKind()]; !known {
		return fmt.Errorf("ENMS_TEST_SERVER=%s is none of %s", ServerKind(),
			strings.Join(slices.Sorted(maps.Keys(ServerKinds)), ", "))
	}
	return nil
}
