// What devices, networks and links do beyond keeping values, and what many types do.

package model

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// updateTouched is for types that only note the change.
func updateTouched(t *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	return func() error {
		if !imported(entry) {
			t.touch(o)
		}
		return nil
	}, nil
}

// updateInventory is for devices, networks and links.
func updateInventory(t *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	if o.Type.Class == "link" {
		if err := t.linkEnds(entry); err != nil {
			return nil, err
		}
	} else if err := mergePositions(o, entry); err != nil {
		return nil, err
	}
	return func() error {
		if o.Type.Class != "network" && !imported(entry) {
			t.touch(o)
		}
		return nil
	}, nil
}

// linkEnds takes the two ends by their names, which must come together (1.6).
func (t *Session) linkEnds(entry *python.Dict) error {
	source, sent := entry.Lookup("source_name")
	if !sent {
		return nil
	}
	from, err := t.FetchByName("device", source)
	if err != nil {
		return err
	}
	destination, sent := entry.Lookup("destination_name")
	if !sent {
		return python.Raise("KeyError", "'destination_name'")
	}
	to, err := t.FetchByName("device", destination)
	if err != nil {
		return err
	}
	entry.Pop("source_name")
	entry.Pop("destination_name")
	entry.Set("source", from.ID)
	entry.Set("destination", to.ID)
	return nil
}

// updateNetwork is for a network that an entry found by its id calls otherwise.
func updateNetwork(t *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	oldName := o.Name()
	after, err := updateInventory(t, o, entry)
	if err != nil {
		return nil, err
	}
	return func() error {
		if err := after(); err != nil {
			return err
		}
		for _, node := range o.Members("nodes") {
			t.copyPosition(node, oldName, o.Name())
		}
		return nil
	}, nil
}

// removeInventory: the counters of the pools follow a device or link that is
// deleted itself, not one that is deleted along with another.
func removeInventory(t *Session, o *database.Object) (string, error) {
	if o.Type.Class == "network" {
		return "", nil
	}
	for _, pool := range o.Members("pools") {
		t.AddTo(pool, o.Type.Class+"_number", -1)
	}
	return "", nil
}
