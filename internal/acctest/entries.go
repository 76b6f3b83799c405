// Configurations of enms_instances, and checks of their instances.

package acctest

import (
	"fmt"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// TypeInstances is the resource with many instances.
const TypeInstances = "enms_instances"

// Entries returns a configuration of entries of a type, as objects of Go, in which NAME-
// stands for the test's prefix. On a real server they are deleted at the end.
func Entries(s *Server, typ string, entries map[string]any) Attributes {
	expanded := expandAll(s, entries).(map[string]any)
	if s.Simulator == nil {
		for name := range expanded {
			s.T.Cleanup(func() { s.Forget(typ, enms.Object{"name": name}) })
		}
	}
	return Attributes{"type": typ, "instances": ObjectValue(expanded)}
}

// expandAll expands the names in all strings and keys.
func expandAll(s *Server, x any) any {
	switch x := x.(type) {
	case string:
		return s.Expand(x)
	case []any:
		all := make([]any, len(x))
		for i, member := range x {
			all[i] = expandAll(s, member)
		}
		return all
	case map[string]any:
		all := map[string]any{}
		for name, member := range x {
			all[s.Expand(name)] = expandAll(s, member)
		}
		return all
	}
	return x
}

// WithRenames returns a configuration with renames.
func WithRenames(s *Server, a Attributes, renames map[string]string) Attributes {
	names := map[string]tftypes.Value{}
	for old, to := range renames {
		names[s.Expand(old)] = tftypes.NewValue(tftypes.String, s.Expand(to))
	}
	with := Attributes{"renames": tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, names)}
	maps.Copy(with, a)
	return with
}

// IDsOf returns the ids of instances, by their names.
func IDsOf(s *Server, typ string, names ...string) map[string]string {
	ids := map[string]string{}
	for _, name := range names {
		ids[name] = fmt.Sprint(s.Get(typ, name)["id"])
	}
	return ids
}

// PlanIsEmpty fails the test when a plan after a refresh is not empty, and returns the refreshed state.
func PlanIsEmpty(c *Core, typ string, config Attributes, state ResourceState) ResourceState {
	c.T.Helper()
	state = c.Refreshed(typ, state)
	c.PlansNothing(typ, config, state)
	return state
}

// IDsOfDevices returns the ids of all devices that the test has made.
func IDsOfDevices(s *Server) (ids []string) {
	s.T.Helper()
	rows, err := s.Client.Search(s.Context(), "device", []string{"name"}, map[string]any{"name": s.Prefix}) // without the prefix, other tests' deletions may cause a 500
	if err != nil {
		s.T.Fatal(err)
	}
	for _, r := range rows {
		if name, _ := r["name"].(string); strings.HasPrefix(name, s.Prefix) {
			ids = append(ids, fmt.Sprint(r["id"]))
		}
	}
	return ids
}
