// The instances of a server as a file. Save writes it, and Load reads it into a server that has just
// started. Instances that a server had are restored as they were. Other instances are created in an
// order in which each comes after those that it names.

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

// Load adds the instances of a file to a server that has just been made. The file is a JSON object with a list for
// each instance type. The members of a list are as POST /rest/instance accepts them, or as GET returns them.
//
// A member with an id is an instance that a server had. It is restored as it was: with its id, its name and its
// timestamps, and without the effects of a POST. A member without an id is created as by a POST of the user admin,
// after the instances that it names. A list that is empty, or that has a member with an id, replaces all instances
// of its type, except for the user admin.
//
// After an error, the server has a part of the file.
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
	restored := s.eNMS.quietly(func() error { return s.eNMS.begin(s.db, nil).restoreAll(lists, stored) })
	if restored != nil {
		return restored
	}
	return createAll(s.eNMS.begin(s.db, s.db.ByName("user", "admin")), sent)
}

// Save writes the instances as Load reads them, each on a line: its id, type and name, its relations, and the
// values that were set. It writes secrets, but no runs, results and changelogs.
func (s *Server) Save(file io.Writer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	lists := map[string][]*database.Object{}
	for name, m := range s.db.Types {
		if slices.Contains(unsaved, m.Table) || s.db.Type(name) == nil {
			continue
		}
		lists[m.Class] = append(lists[m.Class], nil...) // a class without objects has an empty list in the file
		if m.Parent != nil {
			continue
		}
		for _, o := range s.db.All(name) { // the subtypes, too
			lists[o.Type.Class] = append(lists[o.Type.Class], o)
		}
	}
	w := bufio.NewWriter(file) // which keeps the first error
	between := "{"             // what comes before the next class
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

// entryOf returns an instance as the file contains it.
func entryOf(s *database.Schema, o *database.Object) python.Record {
	r := python.NewRecord("id", o.ID, "type", o.Type.Name)
	for name, value := range o.Values {
		if o.Type.Columns[name] == nil && !s.Lacks(o.Type, name) {
			r = r.With(name, value)
		}
	}
	for name, rel := range o.Type.Relations {
		if target := o.One(name); target != nil {
			r = r.With(name, target.Name())
			continue
		}
		names := []any{}
		for _, m := range o.Members(name) {
			names = append(names, m.Name())
		}
		if len(names) > 0 && !rel.Unlisted && !slices.Contains(unsaved, rel.Target) {
			r = r.With(name, names)
		}
	}
	return r
}

// restoreAll replaces all instances of types that the file has as a whole, and restores those that a
// server had. The rows come first, because relations may form circles.
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
	for i, entry := range entries { // after the relations, whose changes count members and set properties
		c.restoreValues(rows[i], entry)
	}
	if err := c.Commit(); err != nil {
		return err
	}
	return c.resumeAll(rows)
}

func isInstalledAdmin(o *database.Object) bool { return o.Type.Name == "user" && o.Name() == "admin" }

// restoreRow adds the row of an entry, with its name. The installed admin keeps the row that it has.
func (c *command) restoreRow(e dataEntry) (*database.Object, error) {
	name := e.Get("name").(string)
	if o := c.ByName(e.model.Name, name); o != nil && isInstalledAdmin(o) {
		return o, nil
	}
	return c.Restore(e.model.Name, name, e.Get("id"))
}

// restoreRelations relates a row to the instances that its entry names. If the entry has only an id for
// a relation, as rows of a search have, it uses the id.
func (c *command) restoreRelations(o *database.Object, entry dataEntry) error {
	for name, r := range o.Type.Relations {
		if slices.Contains(unsaved, r.Target) {
			continue
		}
		found, missing, sent := entry.related(c.Database, r)
		if len(missing) > 0 {
			return entry.failed("%s names the %s %s, which is not there", name, r.Target, python.AppendJSON(nil, missing[0]))
		}
		if !sent && r.Column != "" {
			if target := c.ByID(r.Target, entry.Get(r.Column)); target != nil {
				found = append(found, target)
			}
		}
		for _, m := range found {
			c.relateTo(o, r, m)
		}
	}
	return nil
}

// relateTo adds m to a relation of o, and o to the relation on the other side.
func (c *command) relateTo(o *database.Object, r *database.Relation, m *database.Object) {
	if !r.Many {
		c.SetOne(o, r, m)
	} else if single := m.Type.ColumnOf(r.Reverse); single != nil {
		c.SetOne(m, single, o)
	} else {
		c.Relate(o, r, m)
	}
}

// restoreValues sets the stored values of a row. It leaves out values that are computed or belong to
// another instance, and properties that this server does not have.
func (c *command) restoreValues(o *database.Object, entry dataEntry) {
	for _, name := range entry.Keys {
		f := o.Type.Fields[name]
		if f == nil || f.Kind == database.KindComputed || f.Kind == database.KindProxy || o.Type.Columns[name] != nil || c.Lacks(o.Type, name) {
			continue
		}
		c.Set(o, name, entry.Get(name))
	}
}

// resumeAll adds the active tasks to the scheduler, and gives the process the settings of the server object.
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

// createAll creates entries as the user admin does by POST. Each entry waits for the instances that it
// names. If entries wait for each other, one of them is created without the lists that name missing
// instances. These lists are added at the end.
func createAll(c *command, entries []dataEntry) error {
	var later []dataEntry
	for len(entries) > 0 {
		waiting := []dataEntry{}
		for _, entry := range entries {
			if len(entry.unresolved(c.Database)) > 0 {
				waiting = append(waiting, entry)
			} else if _, err := entry.create(c); err != nil {
				return err
			}
		}
		if len(waiting) == len(entries) {
			at := slices.IndexFunc(waiting, func(e dataEntry) bool { return !e.needsOne(c.Database) })
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
		if len(entry.unresolved(c.Database)) > 0 {
			return entry.nothingToWaitFor(c.Database)
		}
		if _, err := entry.create(c); err != nil {
			return err
		}
	}
	return nil
}
