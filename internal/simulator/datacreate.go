// Instances that a file has created, in an order in which what they name is there.

package simulator

import "slices"

// createAll creates entries as the user admin does by POST. Each waits for what it
// names. Where they wait for each other, one is created without the lists that have
// to wait, which follow at the end.
func (s *Server) createAll(entries []dataEntry) error {
	var later []dataEntry
	for len(entries) > 0 {
		waiting := []dataEntry{}
		for _, entry := range entries {
			if _, ready := s.waitsFor(entry); !ready {
				waiting = append(waiting, entry)
			} else if _, err := s.create(entry); err != nil {
				return err
			}
		}
		if len(waiting) == len(entries) {
			at := slices.IndexFunc(waiting, func(e dataEntry) bool { lists, _ := s.waitsFor(e); return len(lists.keys) > 0 })
			if at < 0 {
				return s.nothingToWaitFor(waiting[0])
			}
			rest, err := s.createWithout(waiting[at])
			if err != nil {
				return err
			}
			later, waiting = append(later, rest), slices.Delete(waiting, at, at+1)
		}
		entries = waiting
	}
	for _, entry := range later {
		if _, ready := s.waitsFor(entry); !ready {
			return s.nothingToWaitFor(entry)
		}
		if _, err := s.create(entry); err != nil {
			return err
		}
	}
	return nil
}

// waitsFor says whether everything is there that an entry names. If it is only lists
// that name what is missing, it gives them.
func (s *Server) waitsFor(entry dataEntry) (lists *dict, ready bool) {
	lists, ready = newDict(), true
	for _, r := range s.references(entry) {
		if _, missing, _ := s.related(entry, r); len(missing) == 0 {
			continue
		}
		ready = false
		if !r.many {
			return newDict(), false
		}
		lists.set(r.name, entry.values[r.name])
	}
	return lists, ready
}

// references are the relations by which an entry may name others. A link may have the
// names of its ends in keys of their own (1.6).
func (s *Server) references(entry dataEntry) []*relation {
	var out []*relation
	for _, name := range entry.model.order {
		if r := entry.model.relations[name]; !r.unlisted && !s.lacks(entry.model, name) {
			out = append(out, r)
		}
	}
	if entry.model.class == "link" {
		out = append(out, &relation{name: "source_name", target: "device"}, &relation{name: "destination_name", target: "device"})
	}
	return out
}

// create posts an entry and gives the name that it got.
func (s *Server) create(entry dataEntry) (name any, err error) {
	t := s.begin(s.byName(models["user"], "admin"))
	name, err = t.upsert(entry.model.name, newDict().merged(entry.dict))
	if err == nil {
		err = t.commit()
	}
	if err != nil {
		t.rollback()
		return nil, entry.failed("%w", err)
	}
	return name, nil
}

// createWithout creates an entry without the lists that name what is missing, and
// gives the entry that adds them.
func (s *Server) createWithout(entry dataEntry) (rest dataEntry, err error) {
	lists, _ := s.waitsFor(entry)
	part := dataEntry{model: entry.model, dict: newDict().merged(entry.dict)}
	for _, name := range lists.keys {
		part.pop(name)
	}
	name, err := s.create(part)
	return dataEntry{model: entry.model, dict: pairs("name", name).merged(lists)}, err
}

// nothingToWaitFor is the error of an entry that names what will never be there.
func (s *Server) nothingToWaitFor(entry dataEntry) error {
	for _, r := range s.references(entry) {
		if _, missing, _ := s.related(entry, r); len(missing) > 0 {
			return entry.failed("%s names the %s %s, which is not there", r.name, r.target, appendJSON(nil, missing[0]))
		}
	}
	return nil
}
