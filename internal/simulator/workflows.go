// The names of services in workflows (1.5), and where services, devices and networks stand:
// positions, keyed by the name of the workflow or network (1.16).

package simulator

import (
	"slices"
)

// mergePositions adds what was sent to the positions there are.
func mergePositions(o *object, entry *dict) error {
	sent, ok := entry.lookup("positions")
	present := o.dict("positions")
	if !ok || present == nil || len(present.keys) == 0 {
		return nil
	}
	d, ok := sent.(*dict)
	if !ok {
		return raise("TypeError", "'%s' object is not a mapping", typeName(sent))
	}
	entry.set("positions", present.merged(d))
	return nil
}

// copyPosition has an object stand under a new name where it stands under the old
// one, which is kept.
func (t *session) copyPosition(o *object, oldName, newName string) {
	if at, placed := o.dict("positions").lookup(oldName); placed && oldName != newName {
		t.place(o, newName, at)
	}
}

func (t *session) place(o *object, name string, at any) {
	t.set(o, "positions", o.dict("positions").merged(pairs(name, at)))
}

// ancestors are the workflows above a service, itself not included.
func ancestors(o *object, seen []*object) []*object {
	for _, workflow := range o.members("workflows") {
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
func (t *session) setServiceName(o *object, depth int) error {
	if depth > recursionLimit {
		return errRecursion
	}
	prefix := ""
	switch workflows := o.members("workflows"); {
	case o.is("shared"):
		prefix = "[Shared] "
	case len(workflows) > 0:
		prefix = "[" + workflows[0].name() + "] "
	}
	scoped := "None"
	if v := o.get("scoped_name"); v != nil {
		scoped = v.(string)
	}
	oldName, name := o.name(), prefix+scoped
	if oldName != name {
		t.set(o, "name", name)
	}
	for _, member := range o.members("services") {
		if !member.is("shared") {
			if err := t.setServiceName(member, depth+1); err != nil {
				return err
			}
		}
		t.copyPosition(member, oldName, o.name())
	}
	return nil
}

// protectedServices cannot be deleted.
var protectedServices = []string{"[Shared] Start", "[Shared] End", "[Shared] Placeholder"}
