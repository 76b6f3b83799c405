// Instances that a server held, put back as they were.

package simulator

// entryOf is an instance as a file holds it.
func (s *Server) entryOf(o *object) record {
	r := record{{"id", o.id}, {"type", o.model.name}}
	for name, value := range o.values {
		if o.model.columns[name] == nil && !s.lacks(o.model, name) {
			r = append(r, member{name, value})
		}
	}
	for name, rel := range o.model.relations {
		names := []any{}
		if target := o.ones[name]; target != nil {
			r = append(r, member{name, target.name()})
			continue
		}
		for _, m := range o.members(name) {
			names = append(names, m.name())
		}
		if len(names) > 0 && !rel.unlisted && rel.target != "run" {
			r = append(r, member{name, names})
		}
	}
	return r
}

// restore replaces what a fresh installation has of whole types, and puts back what
// a server held. Rows come first, as relations may go in circles.
func (s *Server) restore(lists []dataList, entries []dataEntry) error {
	t := s.begin(nil)
	for _, list := range lists {
		if list.whole() {
			for _, o := range s.all(list.model) {
				if !isInstalledAdmin(o) {
					t.erase(o)
				}
			}
		}
	}
	if err := t.commit(); err != nil {
		return err
	}
	rows := make([]*object, len(entries))
	for i, entry := range entries {
		var err error
		if rows[i], err = t.restoreRow(entry); err != nil {
			return entry.failed("%w", err)
		}
	}
	for i, entry := range entries {
		if err := t.restoreRelations(rows[i], entry); err != nil {
			return err
		}
	}
	for i, entry := range entries { // after the relations, whose members are counted on the way
		t.restoreValues(rows[i], entry)
	}
	if err := t.commit(); err != nil {
		return err
	}
	return t.resume(rows)
}

func isInstalledAdmin(o *object) bool { return o.model.name == "user" && o.name() == "admin" }

// restoreRow makes the row of an entry, under its id where that is free.
func (t *tx) restoreRow(entry dataEntry) (*object, error) {
	name, _ := entry.get("name")
	if o := t.s.byName(entry.model, name.(string)); o != nil && isInstalledAdmin(o) {
		return o, nil
	}
	id, _ := entry.get("id")
	tab := t.s.table(entry.model.table)
	number, fits := id.(int64)
	if !fits || tab.byID[number] != nil {
		number = tab.nextID(t.s.db)
	}
	o := t.newObject(t.s.made(entry.model))
	o.id, o.stored, o.values["name"] = number, true, name
	tab.last = max(tab.last, number)
	tab.insert(o)
	return o, t.write(o)
}

// restoreRelations relates a row to those that its entry names, or refers to by id
// where it does not name them, as in the rows of a search.
func (t *tx) restoreRelations(o *object, entry dataEntry) error {
	for name, r := range o.model.relations {
		if r.target == "run" {
			continue
		}
		found, missing, sent := t.s.related(entry, r)
		if len(missing) > 0 {
			return entry.failed("%s names the %s %s, which is not there", name, r.target, appendJSON(nil, missing[0]))
		}
		if id, _ := entry.get(r.column); !sent && r.column != "" && id != nil {
			if target := t.s.byID(models[r.target], id); target != nil {
				found = append(found, target)
			}
		}
		for _, m := range found {
			t.relate(o, r, m)
		}
	}
	return nil
}

// relate enters m into a relation of o, and o on the other side.
func (t *tx) relate(o *object, r *relation, m *object) {
	if !r.many {
		t.setOne(o, r, m)
		return
	}
	if single := m.model.columnOf(r.reverse); single != nil {
		t.setOne(m, single, o)
		return
	}
	t.addRef(o, r.name, m)
	t.addRef(m, r.reverse, o)
}

// restoreValues sets the values of a row that are kept: not those that are computed
// or belong to another instance, nor those of which this server knows nothing.
func (t *tx) restoreValues(o *object, entry dataEntry) {
	for _, name := range entry.keys {
		f := o.model.fields[name]
		if f == nil || f.kind == kindComputed || f.kind == kindProxy || o.model.columns[name] != nil || t.s.lacks(o.model, name) {
			continue
		}
		t.set(o, name, entry.values[name])
	}
}

// resume hands the active tasks to the scheduler, and has the process adopt the
// settings of its server object.
func (t *tx) resume(rows []*object) error {
	for _, o := range rows {
		switch {
		case o.model.name == "server":
			*t.s.allowed = o.get("allowed_automation")
		case o.model.name == "task" && o.is("is_active"):
			if active, err := t.s.scheduler.put(jobKey(o), o, t.s.now()); err == nil {
				t.set(o, "is_active", active)
			}
		}
	}
	return t.commit()
}
