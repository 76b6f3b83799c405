// Instances that a file has created, in an order in which what they name is there.

package simulator

import "slices"

// createAll creates entries as the user admin does by POST. Each waits for what it
// names. Where they wait for each other, one is created without the lists that have
// to wait, which follow at the end.
func createAll(c *command, entries []dataEntry) error {
	var later []dataEntry
	for len(entries) > 0 {
		waiting := []dataEntry{}
		for _, entry := range entries {
			if _, ready := entry.waitsFor(c.store); !ready {
				waiting = append(waiting, entry)
			} else if _, err := entry.create(c); err != nil {
				return err
			}
		}
		if len(waiting) == len(entries) {
			at := slices.IndexFunc(waiting, func(e dataEntry) bool { lists, _ := e.waitsFor(c.store); return lists.size() > 0 })
			if at < 0 {
				return waiting[0].nothingToWaitFor(c.store)
			}
			rest, err := waiting[at].createWithoutLists(c)
			if err != nil {
				return err
			}
			later, waiting = append(later, rest), slices.Delete(waiting, at, at+1)
		}
		entries = waiting
	}
	for _, entry := range later {
		if _, ready := entry.waitsFor(c.store); !ready {
			return entry.nothingToWaitFor(c.store)
		}
		if _, err := entry.create(c); err != nil {
			return err
		}
	}
	return nil
}

// waitsFor says whether everything is there that an entry names. If it is only lists
// that name what is missing, it gives them.
func (e dataEntry) waitsFor(db *store) (lists *dict, ready bool) {
	lists, ready = newDict(), true
	for _, r := range e.references(db) {
		if _, missing, _ := e.related(db, r); len(missing) == 0 {
			continue
		}
		ready = false
		if !r.many {
			return newDict(), false
		}
		lists.set(r.name, e.get(r.name))
	}
	return lists, ready
}

// references are the relations by which an entry may name others. A link may have the
// names of its ends in keys of their own (1.6).
func (e dataEntry) references(db *store) []*relation {
	var out []*relation
	for _, name := range e.model.order {
		if r := e.model.relations[name]; !r.unlisted && !db.lacks(e.model, name) {
			out = append(out, r)
		}
	}
	if e.model.class == "link" {
		out = append(out, &relation{name: "source_name", target: "device"}, &relation{name: "destination_name", target: "device"})
	}
	return out
}

// create posts an entry and gives the name that it got.
func (e dataEntry) create(c *command) (name any, err error) {
	name, err = c.upsert(e.model.name, newDict().merged(e.dict))
	if err == nil {
		err = c.commit()
	}
	if err != nil {
		c.rollback()
		return nil, e.failed("%w", err)
	}
	return name, nil
}

// createWithout creates an entry without the lists that name what is missing, and
// gives the entry that adds them.
func (e dataEntry) createWithoutLists(c *command) (rest dataEntry, err error) {
	lists, _ := e.waitsFor(c.store)
	part := dataEntry{model: e.model, dict: newDict().merged(e.dict)}
	for _, name := range lists.keys {
		part.pop(name)
	}
	name, err := part.create(c)
	return dataEntry{model: e.model, dict: pairs("name", name).merged(lists)}, err
}

// nothingToWaitFor is the error of an entry that names what will never be there.
func (e dataEntry) nothingToWaitFor(db *store) error {
	for _, r := range e.references(db) {
		if _, missing, _ := e.related(db, r); len(missing) > 0 {
			return e.failed("%s names the %s %s, which is not there", r.name, r.target, appendJSON(nil, missing[0]))
		}
	}
	return nil
}
