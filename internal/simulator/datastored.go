// Instances that a server held, put back as they were.

package simulator

// entryOf is an instance as a file holds it.
func entryOf(s *schema, o *object) record {
	r := newRecord("id", o.id, "type", o.model.name)
	for name, value := range o.values {
		if o.model.columns[name] == nil && !s.lacks(o.model, name) {
			r = r.with(name, value)
		}
	}
	for name, rel := range o.model.relations {
		names := []any{}
		if target := o.one(name); target != nil {
			r = r.with(name, target.name())
			continue
		}
		for _, m := range o.members(name) {
			names = append(names, m.name())
		}
		if len(names) > 0 && !rel.unlisted && rel.target != "run" {
			r = r.with(name, names)
		}
	}
	return r
}

// restoreAll replaces what a fresh installation has of whole types, and puts back what
// a server held. Rows come first, as relations may go in circles.
func (c *command) restoreAll(lists []dataList, entries []dataEntry) error {
	for _, list := range lists {
		if list.whole() {
			for _, o := range c.all(list.model.name) {
				if !isInstalledAdmin(o) {
					c.erase(o)
				}
			}
		}
	}
	if err := c.commit(); err != nil {
		return err
	}
	rows := make([]*object, len(entries))
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
	if err := c.commit(); err != nil {
		return err
	}
	return c.resumeAll(rows)
}

func isInstalledAdmin(o *object) bool { return o.model.name == "user" && o.name() == "admin" }

// restoreRow makes the row of an entry.
func (c *command) restoreRow(e dataEntry) (*object, error) {
	name := e.get("name").(string)
	if o := c.byName(e.model.name, name); o != nil && isInstalledAdmin(o) {
		return o, nil
	}
	return c.tx.restore(c.made(e.model), name, e.get("id"))
}

// restoreRelations relates a row to those that its entry names, or refers to by id
// where it does not name them, as in the rows of a search.
func (c *command) restoreRelations(o *object, entry dataEntry) error {
	for name, r := range o.model.relations {
		if r.target == "run" {
			continue
		}
		found, missing, sent := entry.related(c.store, r)
		if len(missing) > 0 {
			return entry.failed("%s names the %s %s, which is not there", name, r.target, appendJSON(nil, missing[0]))
		}
		if id := entry.get(r.column); !sent && r.column != "" && id != nil {
			if target := c.byID(r.target, id); target != nil {
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
func (c *command) relateTo(o *object, r *relation, m *object) {
	if !r.many {
		c.setOne(o, r, m)
	} else if single := m.model.columnOf(r.reverse); single != nil {
		c.setOne(m, single, o)
	} else {
		c.relate(o, r, m)
	}
}

// restoreValues sets the values of a row that are kept: not those that are computed
// or belong to another instance, nor those of which this server knows nothing.
func (c *command) restoreValues(o *object, entry dataEntry) {
	for _, name := range entry.keys {
		f := o.model.fields[name]
		if f == nil || f.kind == kindComputed || f.kind == kindProxy || o.model.columns[name] != nil || c.lacks(o.model, name) {
			continue
		}
		c.set(o, name, entry.get(name))
	}
}

// resumeAll hands the active tasks to the scheduler, and has the process adopt the
// settings of its server object.
func (c *command) resumeAll(rows []*object) error {
	for _, o := range rows {
		switch o.model.name {
		case "server":
			c.allowed = o.get("allowed_automation")
		case "task":
			c.resume(o)
		}
	}
	return c.commit()
}
