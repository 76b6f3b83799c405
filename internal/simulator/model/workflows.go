// The names of services in workflows (1.5), and where services, devices and networks stand:
// positions, keyed by the name of the workflow or network (1.16).

package model

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// mergePositions adds what was sent to the positions there are.
func mergePositions(o *database.Object, entry *python.Dict) error {
	sent, ok := entry.Lookup("positions")
	present := o.Dict("positions")
	if !ok || present == nil || len(present.Keys) == 0 {
		return nil
	}
	d, ok := sent.(*python.Dict)
	if !ok {
		return python.Raise("TypeError", "'%s' object is not a mapping", python.TypeName(sent))
	}
	entry.Set("positions", present.Merged(d))
	return nil
}

// copyPosition has an object stand under a new name where it stands under the old
// one, which is kept.
func (s *Session) copyPosition(o *database.Object, oldName, newName string) {
	if at, placed := o.Dict("positions").Lookup(oldName); placed && oldName != newName {
		s.place(o, newName, at)
	}
}

func (s *Session) place(o *database.Object, name string, at any) {
	s.Set(o, "positions", o.Dict("positions").Merged(python.Pairs(name, at)))
}

// ancestors returns the workflows above a service, itself not included.
func ancestors(o *database.Object, seen []*database.Object) []*database.Object {
	for _, workflow := range o.Members("workflows") {
		if !slices.Contains(seen, workflow) {
			seen = ancestors(workflow, append(seen, workflow))
		}
	}
	return seen
}

// recursionLimit is how deep Python follows workflows in each other.
const recursionLimit = 970

// setServiceName recomputes the name from scoped_name, shared and the first
// workflow, and hands it down to the members of a workflow (1.5, Name rules),
// which stand under the new name where they stood under the old one.
func (s *Session) setServiceName(o *database.Object, depth int) error {
	if depth > recursionLimit {
		return ErrRecursion
	}
	prefix := ""
	switch workflows := o.Members("workflows"); {
	case o.Is("shared"):
		prefix = "[Shared] "
	case len(workflows) > 0:
		prefix = "[" + workflows[0].Name() + "] "
	}
	scoped := "None"
	if v := o.Get("scoped_name"); v != nil {
		scoped = v.(string)
	}
	oldName, name := o.Name(), prefix+scoped
	if oldName != name {
		s.Set(o, "name", name)
	}
	for _, member := range o.Members("services") {
		if !member.Is("shared") {
			if err := s.setServiceName(member, depth+1); err != nil {
				return err
			}
		}
		s.copyPosition(member, oldName, o.Name())
	}
	return nil
}

// protectedServices cannot be deleted.
var protectedServices = []string{"[Shared] Start", "[Shared] End", "[Shared] Placeholder"}
