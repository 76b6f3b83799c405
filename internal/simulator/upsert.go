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
		r = r.with("failure", e.failure)
	}
	if len(e.success) > 0 {
		r = r.with("success", e.success)
	}
	return r
}

func (e *envelope) fail(entry any, message string) {
	e.failure = append(e.failure, []any{entry, message})
}

// upsertAll works through the entries of one request and commits them together.
func (c *command) upsertAll(model string, entries []any) (envelope, error) {
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
		name, err := c.upsert(model, d)
		if err == nil && c.opts.CommitFailures {
			err = c.commit()
		}
		if err != nil {
			if c.opts.CommitFailures {
				c.rollback()
			}
			out.fail(entry, traceback(err))
			continue
		}
		out.success = append(out.success, name)
	}
	return out, c.commit()
}

// hasName is Python's "name" in entry.
func hasName(entry any) (bool, error) {
	switch entry := entry.(type) {
	case *dict:
		_, ok := entry.lookup("name")
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
func (c *command) upsert(model string, entry *dict) (any, error) {
	newName, _ := entry.pop("new_name")
	m := c.typeOf(model)
	if m == nil {
		return nil, raise("KeyError", "'%s'", model)
	}
	if err := c.resolve(m, entry); err != nil {
		return nil, err
	}
	if err := checkNames(entry); err != nil {
		return nil, err
	}
	o, err := c.find(m, entry)
	if err != nil {
		return nil, err
	}
	if o != nil && !truthy(entry.get("must_be_new")) {
		err = c.update(o, entry)
	} else {
		o, err = c.create(m, entry)
	}
	if err != nil {
		return nil, err
	}
	if truthy(newName) && !c.opts.IgnoreNewName {
		c.set(o, "name", newName)
	}
	return o.get("name"), nil
}

// resolve turns the names of relations into ids, all of them before anything is
// assigned; names are looked up with the caller's right to read.
func (c *command) resolve(m *model, entry *dict) error {
	for _, name := range m.order {
		r := m.relations[name]
		value, sent := entry.lookup(name)
		if !sent || r.unlisted || c.lacks(m, name) {
			continue
		}
		if !r.many {
			found, err := c.fetchByName(r.target, value)
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
			found, err := c.fetchByName(r.target, item)
			if err != nil {
				return err
			}
			ids = append(ids, found.id)
		}
		entry.set(name, ids)
	}
	return nil
}

// checkNames refuses what cannot stand in a path; only strings survive it (0.3).
func checkNames(entry *dict) error {
	var joined string
	for i, key := range []string{"name", "scoped_name"} {
		v, sent := entry.lookup(key)
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
func (c *command) find(m *model, entry *dict) (*object, error) {
	if err := c.mayTouch(m, "edit"); err != nil {
		return nil, err
	}
	if id, _ := entry.pop("id"); truthy(id) {
		o, err := c.fetchID(m.name, id)
		if err != nil {
			return nil, err
		}
		if o != nil && c.mayAs(m, "edit", o) {
			return o, nil
		}
		return nil, noSuch(m.name, "id", id)
	}
	if truthy(entry.get("no_fetch")) {
		return nil, nil
	}
	name := entry.get("name").(string)
	if err := c.lookUp(name); err != nil {
		return nil, err
	}
	if o := c.byName(m.name, name); o != nil && c.mayAs(m, "edit", o) {
		if o.damaged {
			if _, heals := entry.lookup("type"); !heals {
				return nil, raise("sqlalchemy.orm.exc.ObjectDeletedError", "Instance has been deleted, or its row is otherwise not present.")
			}
		}
		return o, nil
	}
	return nil, nil
}

// made returns the type of a new object that is asked for as one of a type.
func (c *command) made(m *model) string {
	if m.name == "device" && c.opts.GenericDevice {
		return genericDevice
	}
	return m.name
}

// create builds a new object. It enters the session only when it is whole or
// when a relation has pulled it in, and what has entered stays, failure or not.
func (c *command) create(m *model, entry *dict) (*object, error) {
	o, hooks := c.newObject(c.made(m)), hooksOf(m)
	if hooks.construct != nil {
		if err := hooks.construct(c.session, o, entry); err != nil {
			return nil, err
		}
	}
	if err := c.update(o, entry); err != nil {
		return nil, err
	}
	if err := c.initialRights(o); err != nil {
		return nil, err
	}
	if hooks.rights != nil {
		if err := hooks.rights(c.session, o); err != nil {
			return nil, err
		}
	}
	if hooks.created != nil {
		hooks.created(c.session, o, entry)
	}
	c.pend(o)
	return o, nil
}

// update assigns an entry to an object, field by field in the order of its keys.
func (c *command) update(o *object, entry *dict) error {
	after, sharing := func() error { return nil }, c.mayShare(o)
	if update := hooksOf(o.model).update; update != nil {
		var err error
		if after, err = update(c.session, o, entry); err != nil {
			return err
		}
	}
	for _, key := range entry.keys {
		if !sharing && grantsRights(o.model, key) || c.lacks(o.model, key) {
			continue
		}
		if err := c.assign(o, key, entry.get(key)); err != nil {
			return err
		}
	}
	c.forceReadAccess(o)
	return after()
}
