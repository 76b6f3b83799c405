// POST /rest/instance: create or update, one object or a list (0.1, 0.2).

package simulator

import (
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// envelope is the answer to an upsert; a key that would be empty is left out.
type envelope struct {
	success []any
	failure []any
}

func (e envelope) record() python.Record {
	r := python.Record{}
	if len(e.failure) > 0 {
		r = r.With("failure", e.failure)
	}
	if len(e.success) > 0 {
		r = r.With("success", e.success)
	}
	return r
}

func (e *envelope) fail(entry any, message string) {
	e.failure = append(e.failure, []any{entry, message})
}

// upsertAll works through the entries of one request and commits them together.
func (c *command) upsertAll(typ string, entries []any) (envelope, error) {
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
		d, ok := entry.(*python.Dict)
		if !ok {
			out.fail(entry, python.Traceback(python.Raise("AttributeError", "'%s' object has no attribute 'pop'", python.TypeName(entry))))
			continue
		}
		name, err := c.upsert(typ, d)
		if err == nil && c.opts.CommitFailures {
			err = c.Commit()
		}
		if err != nil {
			if c.opts.CommitFailures {
				c.Rollback()
			}
			out.fail(entry, python.Traceback(err))
			continue
		}
		out.success = append(out.success, name)
	}
	return out, c.Commit()
}

// hasName is Python's "name" in entry.
func hasName(entry any) (bool, error) {
	switch entry := entry.(type) {
	case *python.Dict:
		_, ok := entry.Lookup("name")
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
		return false, python.ErrServer
	}
}

// upsert creates or updates one object and gives its final name. Relation names
// in entry are replaced by ids on the way, which is what a failure echoes.
func (c *command) upsert(typ string, entry *python.Dict) (any, error) {
	newName, _ := entry.Pop("new_name")
	m := c.Type(typ)
	if m == nil {
		return nil, python.Raise("KeyError", "'%s'", typ)
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
	if o != nil && !python.Truthy(entry.Get("must_be_new")) {
		err = c.update(o, entry)
	} else {
		o, err = c.create(m, entry)
	}
	if err != nil {
		return nil, err
	}
	if python.Truthy(newName) && !c.opts.IgnoreNewName {
		c.Set(o, "name", newName)
	}
	return o.Get("name"), nil
}

// resolve turns the names of relations into ids, all of them before anything is
// assigned; names are looked up with the caller's right to read.
func (c *command) resolve(m *database.Type, entry *python.Dict) error {
	for _, name := range m.Order {
		r := m.Relations[name]
		value, sent := entry.Lookup(name)
		if !sent || r.Unlisted || c.Lacks(m, name) {
			continue
		}
		if !r.Many {
			found, err := c.FetchByName(r.Target, value)
			if err != nil {
				return err
			}
			entry.Set(name, found.ID)
			continue
		}
		items, err := python.Iterate(value)
		if err != nil {
			return err
		}
		ids := make([]any, 0, len(items))
		for _, item := range items {
			found, err := c.FetchByName(r.Target, item)
			if err != nil {
				return err
			}
			ids = append(ids, found.ID)
		}
		entry.Set(name, ids)
	}
	return nil
}

// checkNames refuses what cannot stand in a path; only strings survive it (0.3).
func checkNames(entry *python.Dict) error {
	var joined string
	for i, key := range []string{"name", "scoped_name"} {
		v, sent := entry.Lookup(key)
		if !sent {
			continue
		}
		s, ok := v.(string)
		switch {
		case !ok && i == 0:
			return python.Raise("TypeError", "unsupported operand type(s) for +: '%s' and 'str'", python.TypeName(v))
		case !ok:
			return python.Raise("TypeError", "can only concatenate str (not \"%s\") to str", python.TypeName(v))
		}
		joined += s
	}
	if strings.ContainsAny(joined, `/\'"`) {
		return python.Raise("Exception", "Names cannot contain a slash or a quote.")
	}
	return nil
}

// find is the object an entry means, nil when it is to be created.
func (c *command) find(m *database.Type, entry *python.Dict) (*database.Object, error) {
	if err := c.MayTouch(m, "edit"); err != nil {
		return nil, err
	}
	if id, _ := entry.Pop("id"); python.Truthy(id) {
		o, err := c.FetchID(m.Name, id)
		if err != nil {
			return nil, err
		}
		if o != nil && c.MayAs(m, "edit", o) {
			return o, nil
		}
		return nil, model.NoSuch(m.Name, "id", id)
	}
	if python.Truthy(entry.Get("no_fetch")) {
		return nil, nil
	}
	name := entry.Get("name").(string)
	if err := c.LookUp(name); err != nil {
		return nil, err
	}
	if o := c.ByName(m.Name, name); o != nil && c.MayAs(m, "edit", o) {
		if o.Damaged {
			if _, heals := entry.Lookup("type"); !heals {
				return nil, python.Raise("sqlalchemy.orm.exc.ObjectDeletedError", "Instance has been deleted, or its row is otherwise not present.")
			}
		}
		return o, nil
	}
	return nil, nil
}

// made returns the type of a new object that is asked for as one of a type.
func (c *command) made(m *database.Type) string {
	if m.Name == "device" && c.opts.GenericDevice {
		return model.GenericDevice
	}
	return m.Name
}

// create builds a new object. It enters the session only when it is whole or
// when a relation has pulled it in, and what has entered stays, failure or not.
func (c *command) create(m *database.Type, entry *python.Dict) (*database.Object, error) {
	o, hooks := c.NewObject(c.made(m)), model.HooksOf(m)
	if hooks.Construct != nil {
		if err := hooks.Construct(c.Session, o, entry); err != nil {
			return nil, err
		}
	}
	if err := c.update(o, entry); err != nil {
		return nil, err
	}
	if err := c.InitialRights(o); err != nil {
		return nil, err
	}
	if hooks.Rights != nil {
		if err := hooks.Rights(c.Session, o); err != nil {
			return nil, err
		}
	}
	if hooks.Created != nil {
		hooks.Created(c.Session, o, entry)
	}
	c.Pend(o)
	return o, nil
}

// update assigns an entry to an object, field by field in the order of its keys.
func (c *command) update(o *database.Object, entry *python.Dict) error {
	after, sharing := func() error { return nil }, c.MayShare(o)
	if update := model.HooksOf(o.Type).Update; update != nil {
		var err error
		if after, err = update(c.Session, o, entry); err != nil {
			return err
		}
	}
	for _, key := range entry.Keys {
		if !sharing && model.GrantsRights(o.Type, key) || c.Lacks(o.Type, key) {
			continue
		}
		if err := c.assign(o, key, entry.Get(key)); err != nil {
			return err
		}
	}
	c.ForceReadAccess(o)
	return after()
}
