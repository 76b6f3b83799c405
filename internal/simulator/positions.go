// Where services, devices and networks stand in workflows and networks: positions,
// keyed by the name of the workflow or network (1.16).

package simulator

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
