// The members of a file of instances, and the references in them.

package simulator

import (
	"fmt"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// dataList is the list of one instance type.
type dataList struct {
	model   *database.Type
	entries []dataEntry
}

// whole says whether a list is all there is of its type.
func (l dataList) whole() bool {
	return len(l.entries) == 0 || slices.ContainsFunc(l.entries, dataEntry.stored)
}

// dataEntry is one instance of a file.
type dataEntry struct {
	model *database.Type
	*python.Dict
}

// stored says whether a server held the instance.
func (e dataEntry) stored() bool {
	return e.Get("id") != nil
}

// failed is what is wrong with an entry, for whoever wrote the file.
func (e dataEntry) failed(format string, args ...any) error {
	return fmt.Errorf("%s %s: %w", e.model.Name, python.AppendJSON(nil, e.Get("name")), fmt.Errorf(format, args...))
}

// readLists reads the text of a file.
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
		if list.model == nil || list.model.Table == "run" {
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

// readEntry reads a member of a list. Answers tell the subtype in type, which no
// POST may be sent: there the path names it.
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

// related are the instances that a relation of the entry names. missing are the names
// of which there is no instance; sent is false where the entry does not have the
// relation.
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
