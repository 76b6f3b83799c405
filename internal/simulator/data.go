// The instances of a server as a file: written as it holds them, and taken up by a server that has
// just started. Those that a server held are put back as they were. Others are created in an order
// in which what they name is there.

package simulator

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// Load takes up the instances of a file: a JSON object with a list for each
// instance type, whose members are as POST /rest/instance takes them or as GET
// answers them.
//
// A member with an id is an instance that a server held. It is put back as it was:
// with its id, its name and its timestamps, and without what a POST brings about.
// A member without an id is created as by a POST of the user admin, in an order in
// which what a relation names is there. A list that is empty, or that has members
// with ids, is all there is of its type: what a fresh installation has of it goes,
// but for the user admin.
//
// It is for a server that has just been made. After an error the server holds a
// part of the file.
func (s *Server) Load(file io.Reader) error {
	text, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	lists, err := readLists(s.db.Schema, text)
	if err != nil {
		return err
	}
	var stored, sent []dataEntry
	for _, list := range lists {
		for _, entry := range list.entries {
			if entry.stored() {
				stored = append(stored, entry)
			} else {
				sent = append(sent, entry)
			}
		}
	}
	if err := s.eNMS.begin(s.db, nil).restoreAll(lists, stored); err != nil {
		return err
	}
	return createAll(s.eNMS.begin(s.db, s.db.ByName("user", "admin")), sent)
}

// Save writes the instances as Load reads them, an instance a line: its id, type
// and name, its relations, and every value that differs from the one that eNMS gives
// a new instance. Secrets are among them. Runs, their results and changelogs are not.
func (s *Server) Save(file io.Writer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	lists := map[string][]*database.Object{}
	for name, m := range s.db.Types {
		if slices.Contains(unsaved, m.Table) || s.db.Type(name) == nil {
			continue
		}
		lists[m.Class] = append(lists[m.Class], nil...)
		if m.Parent == nil {
			for _, o := range s.db.All(name) {
				lists[o.Type.Class] = append(lists[o.Type.Class], o)
			}
		}
	}
	w := bufio.NewWriter(file) // which keeps the first error
	between := "{"
	for _, class := range slices.Sorted(maps.Keys(lists)) {
		fmt.Fprintf(w, "%s\n%s: [", between, python.AppendJSON(nil, class))
		line := "\n"
		for _, o := range lists[class] {
			fmt.Fprintf(w, "%s%s", line, python.AppendJSON(nil, entryOf(s.db.Schema, o)))
			line = ",\n"
		}
		fmt.Fprint(w, "]")
		between = ","
	}
	fmt.Fprint(w, "\n}\n")
	return w.Flush()
}

// unsaved are the types that no file holds: what has happened, in which nobody finds anything by name.
var unsaved = []string{"run", "result", "changelog"}

// dataList is the list of one instance type.
type dataList struct {
	model   *database.Type
	entries []dataEntry
}

// whole reports whether a list is all there is of its type.
func (l dataList) whole() bool {
	return len(l.entries) == 0 || slices.ContainsFunc(l.entries, dataEntry.stored)
}

// dataEntry is one instance of a file.
type dataEntry struct {
	model *database.Type
	*python.Dict
}

// stored reports whether a server held the instance.
func (e dataEntry) stored() bool {
	return e.Get("id") != nil
}

func (e dataEntry) failed(format string, args ...any) error {
	return fmt.Errorf("%s %s: %w", e.model.Name, python.AppendJSON(nil, e.Get("name")), fmt.Errorf(format, args...))
}

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

// related returns the instances that a relation of the entry names. missing are the names
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

// entryOf returns an instance as a file holds it.
func entryOf(s *database.Schema, o *database.Object) python.Record {
	r := python.NewRecord("id", o.ID, "type", o.Type.Name)
	for name, value := range o.Values {
		if o.Type.Columns[name] == nil && !s.Lacks(o.Type, name) {
			r = r.With(name, value)
		}
	}
	for name, rel := range o.Type.Relations {
		names := []any{}
		if target := o.One(name); target != nil {
			r = r.With(name, target.Name())
			continue
		}
		for _, m := range o.Members(name) {
			names = append(names, m.Name())
		}
		if len(names) > 0 && !rel.Unlisted && !slices.Contains(unsaved, rel.Target) {
			r = r.With(name, names)
		}
	}
	return r
}

// restoreAll replaces what a fresh installation has of whole types, and puts back what
// a server held. Rows come first, as relations may go in circles.
func (c *command) restoreAll(lists []dataList, entries []dataEntry) error {
	for _, list := range lists {
		if list.whole() {
			for _, o := range c.All(list.model.Name) {
				if !isInstalledAdmin(o) {
					c.Erase(o)
				}
			}
		}
	}
	if err := c.Commit(); err != nil {
		return err
	}
	rows := make([]*database.Object, len(entries))
	for i, entry := range entries {
		var err error
		if rows[i], err = c.restoreRow(entry); err != nil {
			return entry.failed("%w", err)
		}
	}
	for i, entry := range entries {
		if err := c.restoreRelations(rows[i], entry); err != nil {
			return err
		}
	}
	for i, entry := range entries { // after the relations, whose members are counted on the way
		c.restoreValues(rows[i], entry)
	}
	if err := c.Commit(); err != nil {
		return err
	}
	return c.resumeAll(rows)
}

func isInstalledAdmin(o *database.Object) bool { return o.Type.Name == "user" && o.Name() == "admin" }

func (c *command) restoreRow(e dataEntry) (*database.Object, error) {
	name := e.Get("name").(string)
	if o := c.ByName(e.model.Name, name); o != nil && isInstalledAdmin(o) {
		return o, nil
	}
	return c.Restore(c.made(e.model), name, e.Get("id"))
}

// restoreRelations relates a row to those that its entry names, or refers to by id
// where it does not name them, as in the rows of a search.
func (c *command) restoreRelations(o *database.Object, entry dataEntry) error {
	for name, r := range o.Type.Relations {
		if slices.Contains(unsaved, r.Target) {
			continue
		}
		found, missing, sent := entry.related(c.Database, r)
		if len(missing) > 0 {
			return entry.failed("%s names the %s %s, which is not there", name, r.Target, python.AppendJSON(nil, missing[0]))
		}
		if id := entry.Get(r.Column); !sent && r.Column != "" && id != nil {
			if target := c.ByID(r.Target, id); target != nil {
				found = append(found, target)
			}
		}
		for _, m := range found {
			c.relateTo(o, r, m)
		}
	}
	return nil
}

// relateTo enters m into a relation of o, and o on the other side.
func (c *command) relateTo(o *database.Object, r *database.Relation, m *database.Object) {
	if !r.Many {
		c.SetOne(o, r, m)
	} else if single := m.Type.ColumnOf(r.Reverse); single != nil {
		c.SetOne(m, single, o)
	} else {
		c.Relate(o, r, m)
	}
}

// restoreValues sets the values of a row that are kept: not those that are computed
// or belong to another instance, nor those of which this server knows nothing.
func (c *command) restoreValues(o *database.Object, entry dataEntry) {
	for _, name := range entry.Keys {
		f := o.Type.Fields[name]
		if f == nil || f.Kind == database.KindComputed || f.Kind == database.KindProxy || o.Type.Columns[name] != nil || c.Lacks(o.Type, name) {
			continue
		}
		c.Set(o, name, entry.Get(name))
	}
}

// resumeAll hands the active tasks to the scheduler, and has the process adopt the
// settings of its server object.
func (c *command) resumeAll(rows []*database.Object) error {
	for _, o := range rows {
		switch o.Type.Name {
		case "server":
			c.AllowedAutomation = o.Get("allowed_automation")
		case "task":
			c.Resume(o)
		}
	}
	return c.Commit()
}

// createAll creates entries as the user admin does by POST. Each waits for what it
// names. Where they wait for each other, one is created without the lists that have
// to wait, which follow at the end.
func createAll(c *command, entries []dataEntry) error {
	var later []dataEntry
	for len(entries) > 0 {
		waiting := []dataEntry{}
		for _, entry := range entries {
			if _, ready := entry.missing(c.Database); !ready {
				waiting = append(waiting, entry)
			} else if _, err := entry.create(c); err != nil {
				return err
			}
		}
		if len(waiting) == len(entries) {
			at := slices.IndexFunc(waiting, func(e dataEntry) bool { lists, _ := e.missing(c.Database); return lists.Size() > 0 })
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
		if _, ready := entry.missing(c.Database); !ready {
			return entry.nothingToWaitFor(c.Database)
		}
		if _, err := entry.create(c); err != nil {
			return err
		}
	}
	return nil
}

// missing returns the lists of an entry that name what is not there. They are empty if nothing is
// missing, and if more than lists name what is; complete tells these apart.
func (e dataEntry) missing(db *database.Database) (lists *python.Dict, complete bool) {
	lists, complete = python.NewDict(), true
	for _, r := range e.references(db) {
		if _, missing, _ := e.related(db, r); len(missing) == 0 {
			continue
		}
		complete = false
		if !r.Many {
			return python.NewDict(), false
		}
		lists.Set(r.Name, e.Get(r.Name))
	}
	return lists, complete
}

// references returns the relations by which an entry may name others. A link may have the
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

// createWithoutLists creates an entry without the lists that name what is missing, and
// returns the entry that adds them.
func (e dataEntry) createWithoutLists(c *command) (rest dataEntry, err error) {
	lists, _ := e.missing(c.Database)
	part := dataEntry{model: e.model, Dict: python.NewDict().Merged(e.Dict)}
	for _, name := range lists.Keys {
		part.Pop(name)
	}
	name, err := part.create(c)
	return dataEntry{model: e.model, Dict: python.Pairs("name", name).Merged(lists)}, err
}

// nothingToWaitFor returns the error of an entry that names what will never be there.
func (e dataEntry) nothingToWaitFor(db *database.Database) error {
	for _, r := range e.references(db) {
		if _, missing, _ := e.related(db, r); len(missing) > 0 {
			return e.failed("%s names the %s %s, which is not there", r.Name, r.Target, python.AppendJSON(nil, missing[0]))
		}
	}
	return nil
}
