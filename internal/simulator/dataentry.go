// An instance in the file of a server: how it is read, and how it is created if it is not from a server.

package simulator

import (
	"fmt"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// unsaved are the types that the file never contains. They record what happened, and no other instance names them.
var unsaved = []string{"run", "result", "changelog"}

// dataList is the list of one instance type.
type dataList struct {
	model   *database.Type
	entries []dataEntry
}

// whole reports whether a list has all instances of its type.
func (l dataList) whole() bool {
	return len(l.entries) == 0 || slices.ContainsFunc(l.entries, dataEntry.stored)
}

// dataEntry is one instance of a file.
type dataEntry struct {
	model *database.Type
	*python.Dict
}

// stored reports whether the instance comes from a server, and was not written by hand.
func (e dataEntry) stored() bool {
	return e.Get("id") != nil
}

// failed returns an error that names the instance.
func (e dataEntry) failed(format string, args ...any) error {
	return fmt.Errorf("%s %s: %w", e.model.Name, python.AppendJSON(nil, e.Get("name")), fmt.Errorf(format, args...))
}

// readLists reads a file, and checks all that does not need the instances of the server.
func readLists(s *database.Schema, text []byte) ([]dataList, error) {
	value, err := python.Decode(text)
	if err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	top, ok := value.(*python.Dict)
	if !ok {
		return nil, fmt.Errorf("not an object with a list for each instance type")
	}
	lists := make([]dataList, 0, top.Size())
	for _, name := range top.Keys {
		list := dataList{model: s.Type(name)}
		if list.model == nil || slices.Contains(unsaved, list.model.Table) {
			return nil, fmt.Errorf("%q is no instance type that a file can hold", name)
		}
		members, ok := top.Get(name).([]any)
		if !ok {
			return nil, fmt.Errorf("%q is not a list", name)
		}
		for i, member := range members {
			entry, err := readEntry(s, list.model, member)
			if err != nil {
				return nil, fmt.Errorf("%s, member %d: %w", name, i+1, err)
			}
			list.entries = append(list.entries, entry)
		}
		lists = append(lists, list)
	}
	return lists, nil
}

// readEntry reads a member of a list. Answers of eNMS have the subtype in "type", which a POST must not have (0.2):
// there the path names the subtype.
func readEntry(s *database.Schema, m *database.Type, member any) (dataEntry, error) {
	entry, ok := member.(*python.Dict)
	if !ok {
		return dataEntry{}, fmt.Errorf("not an object")
	}
	if python.TypeName(entry.Get("name")) != "str" {
		return dataEntry{}, fmt.Errorf("has no name")
	}
	if value, typed := entry.Pop("type"); typed {
		name, _ := value.(string)
		subtype := s.Type(name)
		if subtype == nil || !subtype.IsA(m.Name) {
			return dataEntry{}, fmt.Errorf("%s is no type of %s", python.AppendJSON(nil, value), m.Name)
		}
		m = subtype
	}
	if id := entry.Get("id"); id != nil && python.TypeName(id) != "int" {
		return dataEntry{}, fmt.Errorf("the id %s is not an integer", python.AppendJSON(nil, id))
	}
	return dataEntry{model: m, Dict: entry}, nil
}

// related returns the instances that a relation of the entry names. missing are the names without an
// instance. sent is false if the entry does not have the relation, or has it as null.
func (e dataEntry) related(db *database.Database, r *database.Relation) (found []*database.Object, missing []any, sent bool) {
	value, sent := e.Lookup(r.Name)
	if !sent || value == nil {
		return nil, nil, false
	}
	names, ok := value.([]any)
	if !ok {
		names = []any{value}
	}
	for _, name := range names {
		text, _ := name.(string)
		if o := db.ByName(r.Target, text); o != nil {
			found = append(found, o)
		} else {
			missing = append(missing, name)
		}
	}
	return found, missing, true
}

// unresolved returns the relations by which the entry names missing instances.
func (e dataEntry) unresolved(db *database.Database) []*database.Relation {
	return slices.DeleteFunc(e.references(db), func(r *database.Relation) bool {
		_, missing, _ := e.related(db, r)
		return len(missing) == 0
	})
}

// needsOne reports whether the entry names a missing instance in a relation to one, which it cannot be created without.
func (e dataEntry) needsOne(db *database.Database) bool {
	return slices.ContainsFunc(e.unresolved(db), func(r *database.Relation) bool { return !r.Many })
}

// references returns the relations by which an entry may name other instances. A link may have the names
// of its ends in fields of their own (1.6).
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

// create creates the instance as a POST does, and returns the name that eNMS gives it.
func (e dataEntry) create(c *command) (name any, err error) {
	o, err := c.upsert(e.model.Name, python.NewDict().Merged(e.Dict))
	if err == nil {
		err = c.commitWritten(o)
	}
	if err != nil {
		c.Rollback()
		return nil, e.failed("%w", err)
	}
	return o.Get("name"), nil
}

// createWithoutLists creates an entry without the lists that name missing instances, and returns an
// entry that adds these lists.
func (e dataEntry) createWithoutLists(c *command) (rest dataEntry, err error) {
	part, lists := python.NewDict().Merged(e.Dict), python.NewDict()
	for _, r := range e.unresolved(c.Database) {
		list, _ := part.Pop(r.Name)
		lists.Set(r.Name, list)
	}
	name, err := dataEntry{e.model, part}.create(c)
	return dataEntry{e.model, python.Pairs("name", name).Merged(lists)}, err
}

// nothingToWaitFor returns the error of an entry that names an instance that the file does not have either.
func (e dataEntry) nothingToWaitFor(db *database.Database) error {
	r := e.unresolved(db)[0]
	_, missing, _ := e.related(db, r)
	return e.failed("%s names the %s %s, which is not there", r.Name, r.Target, python.AppendJSON(nil, missing[0]))
}
