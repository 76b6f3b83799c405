// What devices, networks and links do beyond keeping values, and what many types do.

package model

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// updateTouched only notes who changed the object, and when.
func updateTouched(s *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	return func() error {
		if !imported(entry) {
			s.touch(o)
		}
		return nil
	}, nil
}

// updateInventory reads the ends of links and merges the positions of devices and networks.
func updateInventory(s *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	if o.Type.Class == "link" {
		if err := s.linkEnds(entry); err != nil {
			return nil, err
		}
	} else if err := mergePositions(o, entry); err != nil {
		return nil, err
	}
	return func() error {
		if o.Type.Class != "network" && !imported(entry) {
			s.touch(o)
		}
		return nil
	}, nil
}

// linkEnds takes the two ends by their names, which must come together (1.6).
func (s *Session) linkEnds(entry *python.Dict) error {
	source, sent := entry.Lookup("source_name")
	if !sent {
		return nil
	}
	from, err := s.FetchByName("device", source)
	if err != nil {
		return err
	}
	destination, sent := entry.Lookup("destination_name")
	if !sent {
		return python.Raise("KeyError", "'destination_name'")
	}
	to, err := s.FetchByName("device", destination)
	if err != nil {
		return err
	}
	entry.Pop("source_name")
	entry.Pop("destination_name")
	entry.Set("source", from.ID)
	entry.Set("destination", to.ID)
	return nil
}

// updateNetwork moves the positions of nodes to the new name of a network that an entry
// renames, which it can when it has the id.
func updateNetwork(s *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	oldName := o.Name()
	after, err := updateInventory(s, o, entry)
	if err != nil {
		return nil, err
	}
	return func() error {
		if err := after(); err != nil {
			return err
		}
		for _, node := range o.Members("nodes") {
			s.copyPosition(node, oldName, o.Name())
		}
		return nil
	}, nil
}

// removeInventory subtracts a device or link from the counters of its pools. One that is
// deleted along with another stays counted.
func removeInventory(s *Session, o *database.Object) (string, error) {
	if o.Type.Class == "network" {
		return "", nil
	}
	for _, pool := range o.Members("pools") {
		s.AddTo(pool, o.Type.Class+"_number", -1)
	}
	return "", nil
}
