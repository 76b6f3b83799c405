// Get and Query: reads that share no request. Here it is decided that an instance is not
// found: eNMS's 403 says so, too, and has to be told apart.

package enms

import (
	"context"
	"errors"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// Get reads one instance with its relations, as names. eNMS answers 403 both
// for what is absent and for what may not be read (enms-rest.md 6.2); a query
// tells them apart, so the error is ErrNotFound or ErrForbidden. The former is
// a *NotFoundError with the spelling of what eNMS answered in its place, where
// its database takes two names for the same (enms-rest.md 10).
func (c *Client) Get(ctx context.Context, typ, name string) (object Object, err error) {
	untilConsistent(ctx, c.triesFor(name), func() bool {
		if object, err = c.endpoint.Get(ctx, typ, name); err == nil {
			object, err = c.exactly(ctx, typ, name, object)
		} else if errors.Is(err, ErrForbidden) {
			err = c.absentOr(ctx, typ, name, err)
		}
		return !errors.Is(err, ErrForbidden)
	})
	return object, err
}

// GetUntil is FindUntil for Get.
func (c *Client) GetUntil(ctx context.Context, typ, name string, agrees func(Object) bool) (Object, error) {
	return repeatRead(ctx, func() (Object, error) { return c.Get(ctx, typ, name) }, agrees)
}

// triesFor returns how often to ask for an instance that a query finds although eNMS
// says that the user may not see it: a worker that does not know the instance yet
// says the same (enms-rest.md 6.2).
func (c *Client) triesFor(name string) int {
	if c.written.has(name) {
		return consistentTries
	}
	return doubtfulTries
}

// exactly returns the instance of an answer, if its name is spelled as it was asked
// for; deleted ones are not found.
func (c *Client) exactly(ctx context.Context, typ, name string, object Object) (Object, error) {
	if endpoint.String(object, "name") == name {
		if endpoint.Deleted(object) {
			return nil, &NotFoundError{Type: typ, Name: name}
		}
		return object, nil
	}
	if _, err := c.queryOne(ctx, typ, "name", name); err != nil {
		return nil, err
	}
	return nil, &FieldError{Type: typ, Name: name, Field: "name", Reason: "is missing or another's in the answer"}
}

// absentOr asks whether an instance is absent, which a request for it that ended
// in cause may mean. The error is what the query says, else cause.
func (c *Client) absentOr(ctx context.Context, typ, name string, cause error) error {
	if _, err := c.queryOne(ctx, typ, "name", name); err != nil {
		return err
	}
	return cause
}

// queryOne asks for the one instance whose field, "name" or "id", is exactly
// value; again when it must exist, because this client wrote it, and is not in
// the answer.
func (c *Client) queryOne(ctx context.Context, typ, field, value string) (found Object, err error) {
	untilConsistent(ctx, consistentTries, func() bool {
		found, err = c.queryOnce(ctx, typ, field, value)
		return field != "name" || !errors.Is(err, ErrNotFound) || !c.written.has(value)
	})
	return found, err
}

// queryOnce asks for the one instance whose field is exactly value. Rows of
// other names are no error, because a database that ignores case or accents
// answers them; rows that cannot be an answer are.
func (c *Client) queryOnce(ctx context.Context, typ, field, value string) (Object, error) {
	rows, err := c.Query(ctx, typ, map[string]string{field: value})
	if err == nil {
		err = endpoint.CheckNamed(typ, rows)
	}
	if err != nil {
		return nil, err
	}
	var found Object
	spelling := ""
	for _, row := range rows {
		switch is := endpoint.String(row, field) == value || endpoint.IDText(row[field]) == value; {
		case !is && field == "id":
			return nil, &FieldError{Type: typ, Name: endpoint.String(row, "name"), Field: field, Reason: "is missing or another's in the answer"}
		case endpoint.Deleted(row):
		case is && found != nil && endpoint.IDText(found["id"]) != endpoint.IDText(row["id"]):
			return nil, &FieldError{Type: typ, Name: endpoint.String(row, "name"), Field: field, Reason: "is that of two instances in the answer"}
		case is:
			found = row
		default:
			spelling = endpoint.String(row, "name")
		}
	}
	if found == nil {
		return nil, &NotFoundError{Type: typ, Name: value, Spelling: spelling}
	}
	return found, nil
}

// queryOwner asks for the instance that has a name, or else for one whose name the
// database takes for the same (enms-rest.md 10).
func (c *Client) queryOwner(ctx context.Context, typ, name string) (Object, error) {
	row, err := c.queryOne(ctx, typ, "name", name)
	if other, ok := errors.AsType[*NotFoundError](err); ok && other.Spelling != "" {
		return c.queryOne(ctx, typ, "name", other.Spelling)
	}
	return row, err
}

// Query is endpoint.Client.Query: the instances of typ whose properties equal the filter's.
func (c *Client) Query(ctx context.Context, typ string, filter map[string]string) ([]Object, error) {
	return c.endpoint.Query(ctx, typ, filter)
}

// Comparison returns what the database ignores when it compares names.
func (c *Client) Comparison(ctx context.Context) (Comparison, error) {
	return c.endpoint.Comparison(ctx)
}

// FindByName reads one instance by its exact name, in a request that is not shared, without
// its relations. The error is a *NotFoundError when there is none.
func (c *Client) FindByName(ctx context.Context, typ, name string) (Object, error) {
	return c.queryOne(ctx, typ, "name", name)
}

// FindByID reads one instance by its id, or ErrNotFound. Ids are reused after a
// deletion (enms-rest.md 0.2).
func (c *Client) FindByID(ctx context.Context, typ, id string) (Object, error) {
	return c.queryOne(ctx, typ, "id", id)
}

// FindByIDUntil is FindUntil for FindByID.
func (c *Client) FindByIDUntil(ctx context.Context, typ, id string, agrees func(Object) bool) (Object, error) {
	return repeatRead(ctx, func() (Object, error) { return c.FindByID(ctx, typ, id) }, agrees)
}
