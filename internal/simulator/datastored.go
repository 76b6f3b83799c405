// Instances that a server held, put back as they were.

package simulator

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// entryOf is an instance as a file holds it.
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
		if len(names) > 0 && !rel.Unlisted && rel.Target != "run" {
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

// restoreRow makes the row of an entry.
func (c *command) restoreRow(e dataEntry) (*database.Object, error) {
	name := e.Get("name").(string)
	if o := c.ByName(e.model.Name, name); o != nil && isInstalledAdmin(o) {
		return o, nil
	}
	return c.Tx.Restore(c.made(e.model), name, e.Get("id"))
}

// restoreRelations relates a row to those that its entry names, or refers to by id
// where it does not name them, as in the rows of a search.
func (c *command) restoreRelations(o *database.Object, entry dataEntry) error {
	for name, r := range o.Type.Relations {
		if r.Target == "run" {
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
