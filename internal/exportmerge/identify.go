// This file identifies the objects of the server: it finds the entry of each in the record. What an object contains
// proves nothing. eNMS tells who it is, by ids, creation times and the changelog, or the user does.

package exportmerge

import "slices"

// Ask asks the changelog what became of objects of the record. isOther means that the server has another database than
// at the last export; then fates is nil.
type Ask func([]Question) (fates []Fate, isOther bool, err error)

// Question is about an object of the record.
type Question struct {
	*Object
	NameNow string // the name of what has its id now; "" if nothing has
}

// Fate is what the changelog tells of an object of the record: that it was renamed to NameNow, or deleted.
type Fate struct{ Renamed, Deleted bool }

// Untold is an object of the record of which nobody tells what became of it.
type Untold struct {
	*Object
	ByID, ByName *Object // what has its id and its name now, and is no other object of the record; or nil
}

// objectKey is the id or the name of an object, with its kind.
type objectKey struct{ kind, text string }

func (o *Object) idKey() objectKey   { return objectKey{o.Kind, o.ID} }
func (o *Object) nameKey() objectKey { return objectKey{o.Kind, o.Name} }

// identified says which entries of the record the objects of the server are, beside Before of each.
type identified struct {
	Lost     []*Object // the entries in the record of what the server no longer has
	Untold   []Untold  // the entries of which nobody tells what became of them
	IsOther  bool      // the server has another database than at the last export
	Restored bool      // nothing in Untold has its id, and all have their names: a restore explains it

	code   *Code
	record *Record
	paired map[*Object]*Object // the objects of which an entry of the record is Before
	untold map[*Object]bool    // the entries in Untold, and those of what depends on them
}

// identify finds the entries of the objects in the record.
func (m *identified) identify(objects []*Object, ask Ask) (err error) {
	var single, withEnds []*Object
	for _, o := range objects {
		if o.Ends == nil {
			single = append(single, o)
		} else {
			withEnds = append(withEnds, o)
		}
	}
	if ask == nil {
		m.pair(single, hasName)
	} else if err := m.identifyByID(single, ask); err != nil {
		return err
	}
	m.pair(withEnds, m.haveEnds(single))
	for _, o := range withEnds {
		o.Unclear = slices.ContainsFunc(single, func(end *Object) bool { return end.Unclear && o.isAt(end) })
	}
	left := slices.DeleteFunc(slices.Clone(m.record.Objects), func(r *Object) bool { return m.paired[r] != nil || m.untold[r] })
	if len(left) > 0 && ask != nil && !m.IsOther {
		_, m.IsOther, err = ask(nil)
	}
	for _, r := range left {
		isAtUntold := slices.ContainsFunc(m.Untold, func(u Untold) bool { return slices.Contains(r.Ends, u.Name) })
		if m.IsOther || isAtUntold {
			m.untold[r] = true
		} else {
			m.Lost = append(m.Lost, r)
		}
	}
	return err
}

// identifyByID finds the entries of all objects but edges and layouts. An object with the id and the name of an entry is
// the same. It asks the changelog about the other entries.
func (m *identified) identifyByID(objects []*Object, ask Ask) error {
	m.pair(objects, func(was, is *Object) bool { return hasID(was, is) && hasName(was, is) })
	questions := m.questionsAboutUnpaired(objects)
	if len(questions) == 0 {
		return nil
	}
	fates, isOther, err := ask(questions)
	if err != nil {
		return err
	}
	m.IsOther = isOther
	renamed := map[*Object]bool{}
	for n, fate := range fates {
		entry := questions[n].Object
		renamed[entry], entry.Deleted = fate.Renamed, fate.Deleted
	}
	// The strongest proof comes first. Objects that were created together share their creation time. After a restore, one
	// may have the id of another, so a name proves more than an id, unless the changelog tells of a rename. The weakest
	// proof is the new name in the code, and without the database of the last export it is none.
	m.pair(objects, func(was, is *Object) bool { return renamed[was] && hasID(was, is) })
	m.pair(objects, func(was, is *Object) bool { return was.isCreatedWith(is) && hasName(was, is) })
	m.pair(objects, func(was, is *Object) bool { return was.isCreatedWith(is) && hasID(was, is) })
	m.pair(objects, func(was, is *Object) bool { return !isOther && hasID(was, is) && m.isWritten(was, is) })
	m.settle(objects, questions)
	return nil
}

// questionsAboutUnpaired returns the questions about the entries that no object has proved to be, apart from edges and
// layouts.
func (m *identified) questionsAboutUnpaired(objects []*Object) (questions []Question) {
	byID := map[objectKey]*Object{}
	for _, o := range objects {
		byID[o.idKey()] = o
	}
	for _, r := range m.record.Objects {
		if r.Ends != nil || m.paired[r] != nil {
			continue
		}
		q := Question{Object: r}
		if o := byID[r.idKey()]; o != nil && hasID(r, o) {
			q.NameNow = o.Name
		}
		questions = append(questions, q)
	}
	return questions
}

// settle decides about the entries that were asked about and that no object has proved to be: they are gone, or in Untold.
func (m *identified) settle(objects []*Object, asked []Question) {
	unpairedByID, unpairedByName, hadName := map[objectKey]*Object{}, map[objectKey]*Object{}, map[objectKey]bool{}
	for _, o := range objects {
		if o.Before == nil {
			unpairedByID[o.idKey()] = o
			unpairedByName[o.nameKey()] = o
		}
	}
	for _, r := range m.record.Objects {
		hadName[r.nameKey()] = true
	}
	m.Restored = len(m.paired) == 0
	for _, q := range asked {
		r := q.Object
		if m.paired[r] != nil {
			continue
		}
		byID, byName := unpairedByID[r.idKey()], unpairedByName[r.nameKey()]
		if byID != nil && !hasID(r, byID) {
			byID = nil
		}
		if isGone := r.ID == "" || r.Deleted || byID == nil && byName == nil; !isGone || m.IsOther {
			m.untold[r] = true
			m.Untold = append(m.Untold, Untold{r, byID, byName})
			m.Restored = m.Restored && byName != nil && (byID == nil || hadName[byID.nameKey()])
		}
	}
	m.takeNames(objects)
}

// takeNames finds the entries in Untold by their names, if these are nothing else's. They keep their ids, so that the next
// export asks again. What was gone at an earlier export, and is still in the code, has only its name left.
func (m *identified) takeNames(objects []*Object) {
	m.pair(objects, func(was, is *Object) bool { return hasName(was, is) && (m.untold[was] || was.ID == "") })
	for _, u := range m.Untold {
		if u.ByID != nil && u.ByID.Before == nil && !m.IsOther && !m.Restored {
			u.ByID.Unclear = true
		}
	}
	for _, o := range objects {
		if m.untold[o.Before] {
			o.ID, o.Subtype, o.Created = o.Before.ID, o.Before.Subtype, o.Before.Created
		}
	}
}

// pair sets Before of objects that have none yet: to an entry of the record with the same kind that is the same object
// (isSame) and is not paired.
func (m *identified) pair(objects []*Object, isSame func(was, is *Object) bool) {
	byKind := map[string][]*Object{}
	for _, r := range m.record.Objects {
		if m.paired[r] == nil {
			byKind[r.Kind] = append(byKind[r.Kind], r)
		}
	}
	for _, o := range objects {
		if o.Before != nil {
			continue
		}
		n := slices.IndexFunc(byKind[o.Kind], func(r *Object) bool { return m.paired[r] == nil && isSame(r, o) })
		if n >= 0 {
			o.Before = byKind[o.Kind][n]
			m.paired[o.Before] = o
		}
	}
}

// haveEnds returns the function by which pair finds edges and layouts: they are at the same objects as before.
func (m *identified) haveEnds(single []*Object) func(was, is *Object) bool {
	now := map[objectKey]string{} // the names of objects, by the name in the record; "" for those that are not found
	for _, r := range m.record.Objects {
		now[r.nameKey()] = ""
	}
	for _, o := range single {
		if o.Before != nil {
			now[o.Before.nameKey()] = o.Name
		}
	}
	return func(was, is *Object) bool {
		if len(was.Ends) != len(is.Ends) {
			return false
		}
		for n, end := range was.Ends {
			if name, recorded := now[objectKey{is.EndsOf[n], end}]; recorded {
				end = name
			}
			if end != is.Ends[n] {
				return false
			}
		}
		return true
	}
}

// isAt reports whether an edge or a layout is at an object.
func (o *Object) isAt(end *Object) bool {
	for n, name := range o.Ends {
		if o.EndsOf[n] == end.Kind && name == end.Name {
			return true
		}
	}
	return false
}

// isWritten reports whether people have written the new name of an object into its block or its row.
func (m *identified) isWritten(was, is *Object) bool {
	if was.Table != "" {
		t, _ := m.code.table(was.Table) // checkTables has reported an error, if the code still reads the file
		names := t.names()
		return names[is.Name] && !names[was.Name]
	}
	address := m.code.current(was.Address)
	_, key := splitKey(address)
	p, found := m.code.resource(address)
	return found && key == "" && m.code.hasValue(p, is.NameIn, is.Name)
}

// hasName reports whether an object has the name that it had in the record.
func hasName(was, is *Object) bool { return was.Name == is.Name }

// hasID reports whether an object has the id that it had in the record, and neither its creation time nor its type shows
// that another one has got this id since.
func hasID(was, is *Object) bool {
	differ := func(x, y string) bool { return x != "" && y != "" && x != y }
	return was.ID == is.ID && !differ(was.Created, is.Created) && !differ(was.Subtype, is.Subtype)
}

// isCreatedWith reports whether both objects are known to have been created at the same time.
func (o *Object) isCreatedWith(other *Object) bool {
	return o.Created != "" && o.Created == other.Created
}
