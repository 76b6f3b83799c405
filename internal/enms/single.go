// This file reads single instances, in requests that are not shared, and decides whether an instance
// does not exist. A 403 of eNMS may mean either that or a lack of rights: a query finds out which.

package enms

import (
	"context"
	"errors"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// Get reads one instance with its relations, as names. eNMS answers 403 both if there is no such instance and if the
// user cannot read it (enms-rest.md 6.2). A query tells the two apart, so the error is ErrNotFound or ErrForbidden.
// Get asks again while the two disagree, because one of them may be a stale read.
// ErrNotFound is a *NotFoundError, which contains the spelling of the instance that eNMS returned instead if its
// database treats both names as the same (enms-rest.md 10). What the answer tells about other instances answers later
// questions about them (cache.Cache.Tell).
func (c *Client) Get(ctx context.Context, typ, name string) (object Object, err error) {
	known := c.store.Current()
	defer func() {
		if err == nil {
			known.Tell(typ, object)
		}
	}()
	untilConsistent(ctx, func() bool {
		if object, err = c.endpoint.Get(ctx, typ, name); err == nil {
			object, err = c.exactly(ctx, typ, name, object)
		} else if errors.Is(err, ErrForbidden) {
			err = absentOr(ctx, c.endpoint, typ, name, err)
		}
		return !errors.Is(err, ErrForbidden) && !c.missesOwnWrite(name, err)
	})
	return object, err
}

// exactly checks the answer to a GET. It returns the instance if its name is spelled exactly as requested,
// and ErrNotFound if it is deleted. Otherwise, a query says whether eNMS has the name: the database may
// treat both names as the same, and eNMS 5 also returns the instance whose persistent id was requested.
func (c *Client) exactly(ctx context.Context, typ, name string, object Object) (Object, error) {
	if endpoint.String(object, "name") == name {
		if endpoint.Deleted(object) {
			return nil, &NotFoundError{Type: typ, Name: name, SoftDeleted: name}
		}
		return object, nil
	}
	_, err := c.queryOne(ctx, typ, "name", name)
	if err == nil {
		return nil, &FieldError{Type: typ, Name: name, Field: "name", Reason: wrongInAnswer}
	}
	if missing, is := errors.AsType[*NotFoundError](err); is && endpoint.String(object, "persistent_id") == name && !endpoint.Deleted(object) {
		missing.ByPersistentID = object
	}
	return nil, err
}

// absentOr returns ErrNotFound if an instance does not exist, and cause if it does. cause is the error of a
// request that left open whether it does. If the query fails, absentOr returns its error.
func absentOr(ctx context.Context, e *endpoint.Client, typ, name string, cause error) error {
	if _, err := queryOnce(ctx, e, typ, "name", name); err != nil {
		return err
	}
	return cause
}

// missesOwnWrite reports whether err says that an instance does not exist that this client has written.
func (c *Client) missesOwnWrite(name string, err error) bool {
	return errors.Is(err, ErrNotFound) && c.written.has(name)
}

// queryOne reads the one instance whose field, "name" or "id", is exactly value. It asks again
// if this client has written the instance and the answer does not contain it.
func (c *Client) queryOne(ctx context.Context, typ, field, value string) (found Object, err error) {
	untilConsistent(ctx, func() bool {
		found, err = queryOnce(ctx, c.endpoint, typ, field, value)
		return field != "name" || !c.missesOwnWrite(value, err)
	})
	return found, err
}

// queryOnce is queryOne without a repetition. Databases that ignore case or accents also return rows
// with other names, of which only the spelling is told (NotFoundError). Rows that cannot be an answer to
// the query are an error.
func queryOnce(ctx context.Context, e *endpoint.Client, typ, field, value string) (Object, error) {
	rows, err := e.Query(ctx, typ, map[string]string{field: value})
	if err == nil {
		err = endpoint.CheckNamed(typ, rows)
	}
	if err != nil {
		return nil, err
	}
	var found Object
	spelling, softDeleted := "", ""
	for _, row := range rows {
		name := endpoint.String(row, "name")
		matches := endpoint.String(row, field) == value || endpoint.IDText(row[field]) == value
		if !matches && field == "id" {
			return nil, &FieldError{Type: typ, Name: name, Field: field, Reason: wrongInAnswer}
		}
		if endpoint.Deleted(row) {
			if matches {
				softDeleted = name
			}
			continue
		}
		if !matches {
			spelling = name
			continue
		}
		if found != nil && endpoint.IDText(found["id"]) != endpoint.IDText(row["id"]) {
			return nil, &FieldError{Type: typ, Name: name, Field: field, Reason: "is that of two instances in the answer"}
		}
		found = row
	}
	if found == nil {
		return nil, &NotFoundError{Type: typ, Name: value, Spelling: spelling, SoftDeleted: softDeleted}
	}
	return found, nil
}

// queryOwner reads the instance that has a name. If there is none, it reads the instance whose name the
// database treats as the same (enms-rest.md 10).
func (c *Client) queryOwner(ctx context.Context, typ, name string) (Object, error) {
	row, err := c.queryOne(ctx, typ, "name", name)
	if other, ok := errors.AsType[*NotFoundError](err); ok && other.Spelling != "" {
		return c.queryOne(ctx, typ, "name", other.Spelling)
	}
	return row, err
}

// FindByName reads one instance by its exact name, in a request that is not shared, without
// its relations. The error is a *NotFoundError when there is none.
func (c *Client) FindByName(ctx context.Context, typ, name string) (Object, error) {
	return c.queryOne(ctx, typ, "name", name)
}

// FindByID reads one instance by its id, in a request that is not shared, without its relations. The error
// is ErrNotFound if there is none. eNMS reuses the ids of deleted instances (enms-rest.md 0.2).
func (c *Client) FindByID(ctx context.Context, typ, id string) (Object, error) {
	return c.queryOne(ctx, typ, "id", id)
}
