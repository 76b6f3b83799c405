// POST /rest/instance: create or update, one object or a list (0.1, 0.2, 1.1, 2.2).

package simulator

import (
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// postInstance creates or updates one object, which the keywords describe, or the objects in list_data. eNMS takes a
// second segment of the path for list_data. It is a string, so each of its characters becomes an entry (0.1).
func (c *command) postInstance(path []string, keywords *python.Dict) (any, error) {
	given, _ := keywords.Pop("list_data")
	if len(path) == 2 {
		given = path[1]
	}
	entries := []any{keywords}
	if python.Truthy(given) {
		var err error
		if entries, err = python.Iterate(given); err != nil {
			return nil, err
		}
	}
	return c.upsertAll(path[0], entries)
}

// upsertAll works through the entries of one request and commits them together. The answer leaves out a
// key without entries.
func (c *command) upsertAll(typ string, entries []any) (any, error) {
	var success, failure []any
	var written []*database.Object
	for _, entry := range entries {
		named, err := hasName(entry)
		if err != nil {
			return nil, err
		}
		if !named {
			failure = append(failure, []any{entry, "Name is missing"})
			continue
		}
		o, err := c.upsertEntry(typ, entry)
		if err != nil {
			failure = append(failure, []any{entry, python.Traceback(err)})
		} else {
			success, written = append(success, o.Get("name")), append(written, o)
		}
	}
	var answer python.Record
	if len(failure) > 0 {
		answer = answer.With("failure", failure)
	}
	if len(success) > 0 {
		answer = answer.With("success", success)
	}
	return answer, c.commitWritten(written...)
}

// commitWritten commits what a request has written, and then what the hook Posted does with it, whose error does not
// undo the first commit.
func (c *command) commitWritten(written ...*database.Object) error {
	if err := c.Commit(); err != nil {
		return err
	}
	for _, o := range written {
		if posted := model.HooksOf(o.Type).Posted; posted != nil {
			if err := posted(c.Session, o); err != nil {
				return err
			}
		}
	}
	return c.Commit()
}

// upsertEntry creates or updates one object.
func (c *command) upsertEntry(typ string, entry any) (*database.Object, error) {
	d, ok := entry.(*python.Dict)
	if !ok {
		return nil, python.Raise("AttributeError", "'%s' object has no attribute 'pop'", python.TypeName(entry))
	}
	return c.upsert(typ, d)
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
		return slices.Contains(entry, any("name")), nil
	default:
		return false, python.ErrServer
	}
}

// upsert creates or updates one object. It changes the entry, which a failure returns: it removes
// new_name, and replaces the names of related objects by ids.
func (c *command) upsert(typ string, entry *python.Dict) (*database.Object, error) {
	newName, _ := entry.Pop("new_name")
	m := c.Type(typ)
	if m == nil {
		return nil, python.Raise("KeyError", "'%s'", typ)
	}
	if err := c.resolve(m, entry); err != nil {
		return nil, err
	}
	if c.Version == model.V53 { // a failure does not return the changes that follow
		entry = python.NewDict().Merged(entry)
	}
	if err := c.checkNames(entry); err != nil {
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
	if python.Truthy(newName) { // eNMS does not check it (0.2)
		c.Set(o, "name", newName)
	}
	return o, nil
}

// resolve replaces the names of relations by ids, before any value is assigned. It looks names up with
// the caller's right to read.
func (c *command) resolve(m *database.Type, entry *python.Dict) error {
	for _, name := range m.Order {
		r := m.Relations[name]
		value, sent := entry.Lookup(name)
		if !sent || r.Unlisted || c.Lacks(m, name) {
			continue
		}
		ids, err := c.idsOf(r, value)
		if err != nil {
			return err
		}
		entry.Set(name, ids)
	}
	return nil
}

// idsOf returns the id of the object that the value of a relation to one names, or the ids of those that the value of
// a relation to many names.
func (c *command) idsOf(r *database.Relation, value any) (any, error) {
	switch {
	case !r.Many:
		found, err := c.FetchByName(r.Target, value)
		if err != nil {
			return nil, err
		}
		return found.ID, nil
	case c.Version == model.V53:
		return c.idsOfKnown(r, value)
	}
	items, err := python.Iterate(value)
	if err != nil {
		return nil, err
	}
	ids := make([]any, 0, len(items))
	for _, item := range items {
		found, err := c.FetchByName(r.Target, item)
		if err != nil {
			return nil, err
		}
		ids = append(ids, found.ID)
	}
	return ids, nil
}

// idsOfKnown returns the sorted ids of the objects that a list names, each once. Like the one query
// of 5.3, it leaves out names that do not exist, or that the caller cannot read.
func (c *command) idsOfKnown(r *database.Relation, value any) ([]any, error) {
	if !python.Truthy(value) {
		return nil, nil
	}
	items, err := python.Iterate(value)
	if _, isText := value.(string); isText || err != nil {
		return nil, python.Raise("sqlalchemy.exc.ArgumentError",
			"IN expression list, SELECT construct, or bound parameter object expected, got %s.", python.Repr(value))
	}
	found := []int64{}
	for _, item := range items {
		if o, err := c.FetchByName(r.Target, item); err == nil {
			found = append(found, o.ID)
		}
	}
	slices.Sort(found)
	ids := []any{}
	for _, id := range slices.Compact(found) {
		ids = append(ids, id)
	}
	return ids, nil
}

// checkNames refuses names that cannot be in the path of a request, and values that are not strings (0.3).
func (c *command) checkNames(entry *python.Dict) error {
	joined := "" // eNMS checks the names joined, which fails for other values
	for _, key := range []string{"name", "scoped_name"} {
		v, sent := entry.Lookup(key)
		if !sent {
			continue
		}
		text, isText := v.(string)
		_, isList := v.([]any)
		switch {
		case isList && key == "name":
			return python.Raise("TypeError", "can only concatenate list (not \"str\") to list")
		case !isText && key == "name":
			return python.Raise("TypeError", "unsupported operand type(s) for +: '%s' and 'str'", python.TypeName(v))
		case !isText:
			return python.Raise("TypeError", "can only concatenate str (not \"%s\") to str", python.TypeName(v))
		}
		joined += text
	}
	if strings.ContainsAny(joined, `/\'"`) {
		class := map[model.Version]string{model.V47: "Exception", model.V53: "ValueError"}[c.Version]
		return python.Raise(class, "Names cannot contain a slash or a quote.")
	}
	return nil
}

// find returns the object that an entry updates, or nil if it creates one.
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
		return nil, c.NoSuch(m.Name, "id", id)
	}
	if python.Truthy(entry.Get("no_fetch")) {
		return nil, nil
	}
	name := entry.Get("name").(string)
	if key := model.HooksOf(m).Key; key != nil {
		name = key(entry)
	}
	if err := c.CheckText(name); err != nil {
		return nil, err
	}
	o := c.ByName(m.Name, name)
	if o == nil || !c.MayAs(m, "edit", o) {
		return nil, nil
	}
	if _, repairs := entry.Lookup("type"); o.Damaged && !repairs {
		return nil, python.Raise("sqlalchemy.orm.exc.ObjectDeletedError", "Instance has been deleted, or its row is otherwise not present.")
	}
	return o, nil
}

// create makes a new object. The session contains it only when it is complete, or when a relation has
// added it. The session then keeps the object even if the write fails.
func (c *command) create(m *database.Type, entry *python.Dict) (*database.Object, error) {
	o, hooks := c.NewObject(m.Name), model.HooksOf(m)
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

// update assigns an entry to an object, field by field in the order of its keys, between the two halves of the
// type's Update. It skips keys that eNMS ignores.
func (c *command) update(o *database.Object, entry *python.Dict) error {
	sharing := c.MayShare(o) // before the entry may change the owners
	var after func() error
	if update := model.HooksOf(o.Type).Update; update != nil {
		var err error
		if after, err = update(c.Session, o, entry); err != nil {
			return err
		}
	}
	for _, key := range entry.Keys {
		if c.Ignores(o, key, sharing) || c.Lacks(o.Type, key) {
			continue
		}
		if err := c.assign(o, key, entry.Get(key)); err != nil {
			return err
		}
	}
	c.Stamp(o, entry)
	c.ForceReadAccess(o)
	if after == nil {
		return nil
	}
	return after()
}
