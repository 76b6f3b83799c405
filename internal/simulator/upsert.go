// POST /rest/instance: create or update, one object or a list (0.1, 0.2).

package simulator

import "strings"

// envelope is the answer to an upsert; a key that would be empty is left out.
type envelope struct {
	success []any
	failure []any
}

func (e envelope) record() record {
	r := record{}
	if len(e.failure) > 0 {
		r = append(r, member{"failure", e.failure})
	}
	if len(e.success) > 0 {
		r = append(r, member{"success", e.success})
	}
	return r
}

func (e *envelope) fail(entry any, message string) {
	e.failure = append(e.failure, []any{entry, message})
}

// upsertAll works through the entries of one request and commits them together.
func (t *tx) upsertAll(model string, entries []any) (envelope, error) {
	var out envelope
	for _, entry := range entries {
		named, err := hasName(entry)
		if err != nil {
			return out, err
		}
		if !named {
			out.fail(entry, "Name is missing")
			continue
		}
		d, ok := entry.(*dict)
		if !ok {
			out.fail(entry, traceback(raise("AttributeError", "'%s' object has no attribute 'pop'", typeName(entry))))
			continue
		}
		name, err := t.upsert(model, d)
		if err == nil && t.s.opts.CommitFailures {
			err = t.commit()
		}
		if err != nil {
			if t.s.opts.CommitFailures {
				t.rollback()
			}
			out.fail(entry, traceback(err))
			continue
		}
		out.success = append(out.success, name)
	}
	return out, t.commit()
}

// hasName is Python's "name" in entry.
func hasName(entry any) (bool, error) {
	switch entry := entry.(type) {
	case *dict:
		_, ok := entry.get("name")
		return ok, nil
	case string:
		return strings.Contains(entry, "name"), nil
	case []any:
		for _, v := range entry {
			if v == "name" {
				return true, nil
			}
		}
		return false, nil
	default:
		return false, errServer
	}
}

// upsert creates or updates one object and gives its final name. Relation names
// in entry are replaced by ids on the way, which is what a failure echoes.
func (t *tx) upsert(model string, entry *dict) (any, error) {
	newName, _ := entry.pop("new_name")
	m := t.s.model(model)
	if m == nil {
		return nil, raise("KeyError", "'%s'", model)
	}
	if err := t.resolve(m, entry); err != nil {
		return nil, err
	}
	if err := checkNames(entry); err != nil {
		return nil, err
	}
	o, err := t.find(m, entry)
	if err != nil {
		return nil, err
	}
	if forced, _ := entry.get("must_be_new"); o != nil && !truthy(forced) {
		err = t.update(o, entry)
	} else {
		o, err = t.create(m, entry)
	}
	if err != nil {
		return nil, err
	}
	if truthy(newName) && !t.s.opts.IgnoreNewName {
		t.set(o, "name", newName)
	}
	return o.get("name"), nil
}

// resolve turns the names of relations into ids, all of them before anything is
// assigned; names are looked up with the caller's right to read.
func (t *tx) resolve(m *model, entry *dict) error {
	for _, name := range m.order {
		r := m.relations[name]
		value, sent := entry.get(name)
		if !sent || r.unlisted || t.s.lacks(m, name) {
			continue
		}
		if !r.many {
			found, err := t.fetchByName(r.target, value)
			if err != nil {
				return err
			}
			entry.set(name, found.id)
			continue
		}
		items, err := iterate(value)
		if err != nil {
			return err
		}
		ids := make([]any, 0, len(items))
		for _, item := range items {
			found, err := t.fetchByName(r.target, item)
			if err != nil {
				return err
			}
			ids = append(ids, found.id)
		}
		entry.set(name, ids)
	}
	return nil
}

func (t *tx) fetchByName(model string, name any) (*object, error) {
	if converted, ok := convert(kindText, name); ok && converted != nil {
		if err := t.lookUp(converted.(string)); err != nil {
			return nil, err
		}
		if o := t.s.byName(models[model], converted.(string)); o != nil && t.mayAs(models[model], "read", o) {
			return o, nil
		}
	}
	return nil, noSuch(model, "name", name)
}

// lookUp is what each look-up by a text goes through. One that the database cannot
// compare rolls the session back: whatever the request had changed since the last
// commit is lost. A session that a failed commit has left unusable stays so.
func (t *tx) lookUp(text string) error {
	if t.stale {
		return errPending
	}
	err := t.s.db.bind(text)
	if err != nil {
		t.rollback()
	}
	return err
}

// fetchByID is the object of an id that somebody sent.
func (t *tx) fetchByID(m *model, id any) (*object, error) {
	wanted, ok := t.s.db.operand(&field{name: "id", kind: kindInt}, id)
	if !ok {
		t.rollback()
		return nil, t.s.db.unfit("id")
	}
	return t.s.byID(m, wanted), nil
}

// checkNames refuses what cannot stand in a path; only strings survive it (0.3).
func checkNames(entry *dict) error {
	var joined string
	for i, key := range []string{"name", "scoped_name"} {
		v, sent := entry.get(key)
		if !sent {
			continue
		}
		s, ok := v.(string)
		switch {
		case !ok && i == 0:
			return raise("TypeError", "unsupported operand type(s) for +: '%s' and 'str'", typeName(v))
		case !ok:
			return raise("TypeError", "can only concatenate str (not \"%s\") to str", typeName(v))
		}
		joined += s
	}
	if strings.ContainsAny(joined, `/\'"`) {
		return raise("Exception", "Names cannot contain a slash or a quote.")
	}
	return nil
}

// find is the object an entry means, nil when it is to be created.
func (t *tx) find(m *model, entry *dict) (*object, error) {
	if err := t.mayTouch(m, "edit"); err != nil {
		return nil, err
	}
	if id, _ := entry.pop("id"); truthy(id) {
		o, err := t.fetchByID(m, id)
		if err != nil {
			return nil, err
		}
		if o != nil && t.mayAs(m, "edit", o) {
			return o, nil
		}
		return nil, noSuch(m.name, "id", id)
	}
	if skip, _ := entry.get("no_fetch"); truthy(skip) {
		return nil, nil
	}
	name, _ := entry.get("name")
	if err := t.lookUp(name.(string)); err != nil {
		return nil, err
	}
	if o := t.s.byName(m, name.(string)); o != nil && t.mayAs(m, "edit", o) {
		if o.damaged {
			if _, heals := entry.get("type"); !heals {
				return nil, raise("sqlalchemy.orm.exc.ObjectDeletedError", "Instance has been deleted, or its row is otherwise not present.")
			}
		}
		return o, nil
	}
	return nil, nil
}

// create builds a new object. It enters the session only when it is whole or
// when a relation has pulled it in, and what has entered stays, failure or not.
func (t *tx) create(m *model, entry *dict) (*object, error) {
	o := t.newObject(t.s.made(m))
	if construct := m.hooks.construct; construct != nil {
		if err := construct(t, o, entry); err != nil {
			return nil, err
		}
	}
	if err := t.update(o, entry); err != nil {
		return nil, err
	}
	if err := t.initialRights(o); err != nil {
		return nil, err
	}
	if rights := m.hooks.rights; rights != nil {
		if err := rights(t, o); err != nil {
			return nil, err
		}
	}
	if created := m.hooks.created; created != nil {
		created(t, o, entry)
	}
	t.pend(o)
	return o, nil
}

// update assigns an entry to an object, field by field in the order of its keys.
func (t *tx) update(o *object, entry *dict) error {
	after, sharing := func() error { return nil }, t.mayShare(o)
	if update := o.model.hooks.update; update != nil {
		var err error
		if after, err = update(t, o, entry); err != nil {
			return err
		}
	}
	for _, key := range entry.keys {
		if !sharing && grantsRights(o.model, key) || t.s.lacks(o.model, key) {
			continue
		}
		value, _ := entry.get(key)
		if err := t.assign(o, key, value); err != nil {
			return err
		}
	}
	t.forceReadAccess(o)
	return after()
}
