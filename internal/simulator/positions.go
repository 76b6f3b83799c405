// Where services, devices and networks stand in workflows and networks: positions,
// keyed by the name of the workflow or network (1.16).

package simulator

import "slices"

// mergePositions adds what was sent to the positions there are.
func mergePositions(o *object, entry *dict) error {
	sent, ok := entry.get("positions")
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
func (t *tx) copyPosition(o *object, oldName, newName string) {
	if at, placed := o.dict("positions").get(oldName); placed && oldName != newName {
		t.place(o, newName, at)
	}
}

func (t *tx) place(o *object, name string, at any) {
	t.set(o, "positions", o.dict("positions").merged(pairs(name, at)))
}

// placeEnd gives End its place in a new workflow, unless it has one under that name.
func placeEnd(t *tx, workflow *object, entry *dict) {
	if imported(entry) {
		return
	}
	services := t.s.all(models["service"])
	at := slices.IndexFunc(services, func(o *object) bool { return o.text("scoped_name") == "End" })
	if at < 0 {
		return
	}
	if _, placed := services[at].dict("positions").get(workflow.name()); !placed {
		t.place(services[at], workflow.name(), []any{int64(500), int64(0)})
	}
}

// updateNetwork is for a network that an entry found by its id calls otherwise.
func updateNetwork(t *tx, o *object, entry *dict) (func() error, error) {
	oldName := o.name()
	after, err := updateInventory(t, o, entry)
	if err != nil {
		return nil, err
	}
	return func() error {
		if err := after(); err != nil {
			return err
		}
		for _, node := range o.members("nodes") {
			t.copyPosition(node, oldName, o.name())
		}
		return nil
	}, nil
}
