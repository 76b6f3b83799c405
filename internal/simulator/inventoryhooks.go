// What devices, networks and links do beyond keeping values, and what many types do.

package simulator

// updateTouched is for types that only note the change.
func updateTouched(t *session, o *object, entry *dict) (func() error, error) {
	return func() error {
		if !imported(entry) {
			t.touch(o)
		}
		return nil
	}, nil
}

// updateInventory is for devices, networks and links.
func updateInventory(t *session, o *object, entry *dict) (func() error, error) {
	if o.model.class == "link" {
		if err := t.linkEnds(entry); err != nil {
			return nil, err
		}
	} else if err := mergePositions(o, entry); err != nil {
		return nil, err
	}
	return func() error {
		if o.model.class != "network" && !imported(entry) {
			t.touch(o)
		}
		return nil
	}, nil
}

// linkEnds takes the two ends by their names, which must come together (1.6).
func (t *session) linkEnds(entry *dict) error {
	source, sent := entry.lookup("source_name")
	if !sent {
		return nil
	}
	from, err := t.fetchByName("device", source)
	if err != nil {
		return err
	}
	destination, sent := entry.lookup("destination_name")
	if !sent {
		return raise("KeyError", "'destination_name'")
	}
	to, err := t.fetchByName("device", destination)
	if err != nil {
		return err
	}
	entry.pop("source_name")
	entry.pop("destination_name")
	entry.set("source", from.id)
	entry.set("destination", to.id)
	return nil
}

// updateNetwork is for a network that an entry found by its id calls otherwise.
func updateNetwork(t *session, o *object, entry *dict) (func() error, error) {
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

// removeInventory: the counters of the pools follow a device or link that is
// deleted itself, not one that is deleted along with another.
func removeInventory(t *session, o *object) (string, error) {
	if o.model.class == "network" {
		return "", nil
	}
	for _, pool := range o.members("pools") {
		t.addTo(pool, o.model.class+"_number", -1)
	}
	return "", nil
}
