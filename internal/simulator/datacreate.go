// Instances that a file has created, in an order in which what they name is there.

package simulator

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// createAll creates entries as the user admin does by POST. Each waits for what it
// names. Where they wait for each other, one is created without the lists that have
// to wait, which follow at the end.
func createAll(c *command, entries []dataEntry) error {
	var later []dataEntry
	for len(entries) > 0 {
		waiting := []dataEntry{}
		for _, entry := range entries {
			if _, ready := entry.waitsFor(c.Database); !ready {
				waiting = append(waiting, entry)
			} else if _, err := entry.create(c); err != nil {
				return err
			}
		}
		if len(waiting) == len(entries) {
			at := slices.IndexFunc(waiting, func(e dataEntry) bool { lists, _ := e.waitsFor(c.Database); return lists.Size() > 0 })
			if at < 0 {
				return waiting[0].nothingToWaitFor(c.Database)
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
		if _, ready := entry.waitsFor(c.Database); !ready {
			return entry.nothingToWaitFor(c.Database)
		}
		if _, err := entry.create(c); err != nil {
			return err
		}
	}
	return nil
}

// waitsFor says whether everything is there that an entry names. If it is only lists
// that name what is missing, it gives them.
func (e dataEntry) waitsFor(db *database.Database) (lists *python.Dict, ready bool) {
	lists, ready = python.NewDict(), true
	for _, r := range e.references(db) {
		if _, missing, _ := e.related(db, r); len(missing) == 0 {
			continue
		}
		ready = false
		if !r.Many {
			return python.NewDict(), false
		}
		lists.Set(r.Name, e.Get(r.Name))
	}
	return lists, ready
}

// references are the relations by which an entry may name others. A link may have the
// names of its ends in keys of their own (1.6).
func (e dataEntry) references(db *database.Database) []*database.Relation {
	var out []*database.Relation
	for _, name := range e.model.Order {
		if r := e.model.Relations[name]; !r.Unlisted && !db.Lacks(e.model, name) {
			out = append(out, r)
		}
	}
	if e.model.Class == "link" {
		out = append(out, &database.Relation{Name: "source_name", Target: "device"}, &database.Relation{Name: "destination_name", Target: "device"})
	}
	return out
}

// create posts an entry and gives the name that it got.
func (e dataEntry) create(c *command) (name any, err error) {
	name, err = c.upsert(e.model.Name, python.NewDict().Merged(e.Dict))
	if err == nil {
		err = c.Commit()
	}
	if err != nil {
		c.Rollback()
		return nil, e.failed("%w", err)
	}
	return name, nil
}

// createWithout creates an entry without the lists that name what is missing, and
// gives the entry that adds them.
func (e dataEntry) createWithoutLists(c *command) (rest dataEntry, err error) {
	lists, _ := e.waitsFor(c.Database)
	part := dataEntry{model: e.model, Dict: python.NewDict().Merged(e.Dict)}
	for _, name := range lists.Keys {
		part.Pop(name)
	}
	name, err := part.create(c)
	return dataEntry{model: e.model, Dict: python.Pairs("name", name).Merged(lists)}, err
}

// nothingToWaitFor is the error of an entry that names what will never be there.
func (e dataEntry) nothingToWaitFor(db *database.Database) error {
	for _, r := range e.references(db) {
		if _, missing, _ := e.related(db, r); len(missing) > 0 {
			return e.failed("%s names the %s %s, which is not there", r.Name, r.Target, python.AppendJSON(nil, missing[0]))
		}
	}
	return nil
}
