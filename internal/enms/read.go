// Plain reads and deletions: one call is one request, or two where eNMS's 403
// has to be told apart.

package enms

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// allRows is a maximum_return_records that cuts nothing. -1 would do on SQLite
// only (enms-rest.md 5.2).
const allRows = 1<<31 - 1

// Get reads one instance with its relations, as names. eNMS answers 403 both
// for what is absent and for what may not be read (enms-rest.md 6.2); a query
// tells them apart, so the error is ErrNotFound or ErrForbidden. The former is
// a *NotFoundError with the spelling of what eNMS answered in its place, where
// its database takes two names for the same (enms-rest.md 10).
func (c *Client) Get(ctx context.Context, typ, name string) (object Object, err error) {
	c.untilPermitted(ctx, name, func() error {
		var a *rest.Answer
		if a, err = c.rest.Do(ctx, rest.Request{Method: http.MethodGet, Path: rest.Path("instance", typ, name)}); err != nil {
			err = c.absentOr(ctx, typ, name, err)
		} else {
			object, err = c.exactly(ctx, typ, name, a)
		}
		return err
	})
	return object, err
}

// exactly is the instance of an answer, if its name is spelled as it was asked
// for; deleted ones are not found.
func (c *Client) exactly(ctx context.Context, typ, name string, a *rest.Answer) (Object, error) {
	object, err := decodeObject(typ, a)
	if err != nil {
		return nil, err
	}
	if text(object, "name") == name {
		if deleted(object) {
			return nil, notFound(typ, name)
		}
		return object, nil
	}
	if _, err := c.queryOne(ctx, typ, "name", name); err != nil {
		return nil, err
	}
	return nil, &FieldError{Type: typ, Name: name, Field: "name", Reason: "is missing or another's in the answer"}
}

// absentOr turns a 403 for what a query does not find either into ErrNotFound.
// Any other error stays.
func (c *Client) absentOr(ctx context.Context, typ, name string, err error) error {
	if !errors.Is(err, ErrForbidden) {
		return err
	}
	if _, queried := c.queryOne(ctx, typ, "name", name); queried != nil {
		return queried
	}
	return err
}

// queryOne asks for the one instance whose field, "name" or "id", is exactly
// value; again when it must exist, because this client wrote it, and is not in
// the answer.
func (c *Client) queryOne(ctx context.Context, typ, field, value string) (found Object, err error) {
	UntilConsistent(ctx, func() bool {
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
	if err != nil {
		return nil, err
	}
	var found Object
	spelling := ""
	for _, row := range rows {
		if err := checkNamed(typ, row); err != nil {
			return nil, err
		}
		switch is := text(row, field) == value || idText(row[field]) == value; {
		case !is && field == "id":
			return nil, &FieldError{Type: typ, Name: text(row, "name"), Field: field, Reason: "is missing or another's in the answer"}
		case deleted(row):
		case is && found != nil && idText(found["id"]) != idText(row["id"]):
			return nil, &FieldError{Type: typ, Name: text(row, "name"), Field: field, Reason: "is that of two instances in the answer"}
		case is:
			found = row
		default:
			spelling = text(row, "name")
		}
	}
	if found == nil {
		return nil, &NotFoundError{Type: typ, Name: value, Spelling: spelling}
	}
	return found, nil
}

// Query gives the instances of typ whose properties equal the filter's, without
// their relations (enms-rest.md 5.1). An empty filter gives the whole type.
// Booleans are "1" and "0". No match is an empty list and no error.
func (c *Client) Query(ctx context.Context, typ string, filter map[string]string) ([]Object, error) {
	values := url.Values{}
	for property, value := range filter {
		values.Set(property, value)
	}
	const allowNone = "allow_none"
	known := c.variant.allowNone.Load()
	if known {
		values.Set(allowNone, "1")
	}
	r := rest.Request{Method: http.MethodGet, Path: rest.Path("query", typ), Query: values}
	a, err := c.rest.Do(ctx, r)
	if errors.Is(err, ErrForbidden) && !known {
		// Not at once: some builds of 2023 answer 500 to it (enms-rest.md 8).
		values.Set(allowNone, "1")
		if again, refusal := c.rest.Do(ctx, r); refusal == nil {
			c.variant.allowNone.Store(true)
			a, err = again, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return checkedRows(typ, a)
}

// FindByID reads one instance by its id, or ErrNotFound. Ids are reused after a
// deletion (enms-rest.md 0.2).
func (c *Client) FindByID(ctx context.Context, typ, id string) (Object, error) {
	return c.queryOne(ctx, typ, "id", id)
}

// Search is what POST /rest/search is asked for (enms-rest.md 5.2).
type Search struct {
	// Type to search; a base type finds its subtypes with their own columns.
	Type string
	// Columns to answer, at least one. Relations, secrets and unknown ones are
	// dropped by eNMS without a word.
	Columns []string
	// Criteria as eNMS has them. A property it does not know is ignored: the
	// answer is then not filtered.
	Criteria map[string]any
	// OrderColumn is the index in Columns to sort by, ascending.
	OrderColumn int
	// Start skips that many rows.
	Start int
	// Limit is how many rows are answered at most; 0 or less is all.
	Limit int

	entries int // how many names are asked for, for the log
}

// Search gives the rows that match.
func (c *Client) Search(ctx context.Context, s Search) ([]Object, error) {
	a, err := c.postSearch(ctx, s)
	if err != nil {
		return nil, err
	}
	return checkedRows(s.Type, a)
}

// searchUnchecked is Search for callers that look into the rows themselves.
func (c *Client) searchUnchecked(ctx context.Context, s Search) ([]Object, error) {
	a, err := c.postSearch(ctx, s)
	if err != nil {
		return nil, err
	}
	return decodeRows(s.Type, a)
}

func (c *Client) postSearch(ctx context.Context, s Search) (*rest.Answer, error) {
	if s.OrderColumn < 0 || s.OrderColumn >= len(s.Columns) {
		return nil, &FieldError{Type: s.Type, Field: "columns", Reason: "must name at least the column to sort by"}
	}
	limit := s.Limit
	if limit <= 0 {
		limit = allRows
	}
	criteria := s.Criteria
	if criteria == nil {
		criteria = map[string]any{}
	}
	body, err := json.Marshal(map[string]any{
		"type": s.Type, "columns": s.Columns, "search_criteria": criteria,
		"order": []any{map[string]any{"column": s.OrderColumn, "dir": "asc"}},
		"start": s.Start, "maximum_return_records": limit,
	})
	if err != nil {
		return nil, &FieldError{Type: s.Type, Field: "search_criteria", Reason: "cannot be written as JSON"}
	}
	return c.rest.Do(ctx, rest.Request{Method: http.MethodPost, Path: rest.Path("search"), Body: body, Entries: s.entries})
}

// checkedRows reads rows and the identity of each.
func checkedRows(typ string, a *rest.Answer) ([]Object, error) {
	rows, err := decodeRows(typ, a)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if err := checkIdentity(typ, row); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// Delete deletes an instance. ErrNotFound when there was none, ErrForbidden
// when the user may not, *RefusedError when eNMS aborts (enms-rest.md 3). When
// an answer was lost, the client looks whether the instance is gone.
func (c *Client) Delete(ctx context.Context, typ, name string) error {
	c.views.drop()
	defer c.views.drop()
	var err error
	c.untilPermitted(ctx, name, func() error {
		err = c.deleteOnce(ctx, typ, name)
		return err
	})
	if err == nil || errors.Is(err, ErrNotFound) {
		c.written.remove(name)
	}
	return err
}

// deleteOnce sends one deletion, with its retries.
func (c *Client) deleteOnce(ctx context.Context, typ, name string) error {
	a, err := c.rest.Do(ctx, rest.Request{Method: http.MethodDelete, Path: rest.Path("instance", typ, name)})
	var object Object
	if err == nil {
		object, err = decodeDeletion(typ, name, a)
	}
	switch {
	case err == nil && object["delete_aborted"] == true:
		return &RefusedError{Op: "delete", Type: typ, Name: name, Reason: rest.OneLine(c.rest.Redact(text(object, "log"), nil))}
	case err == nil:
		return nil
	case lost(err):
		if _, queried := c.queryOne(ctx, typ, "name", name); errors.Is(queried, ErrNotFound) {
			return nil
		}
		return err
	}
	err = c.absentOr(ctx, typ, name, err)
	if a.Lost && errors.Is(err, ErrNotFound) {
		return nil // it was this deletion whose answer was lost
	}
	return err
}

// decodeDeletion reads the answer to a deletion: the instance as it was, or
// that it was aborted. Anything else does not tell that the instance is gone.
func decodeDeletion(typ, name string, a *rest.Answer) (Object, error) {
	object, err := decodeObject(typ, a)
	if err != nil {
		return nil, err
	}
	wrong := func(field, reason string) error {
		return &FieldError{Type: typ, Name: name, Field: field, Reason: reason}
	}
	if aborted, has := object["delete_aborted"]; has {
		if _, ok := aborted.(bool); !ok {
			return nil, wrong("delete_aborted", "of the answer is "+rest.JSONType(aborted)+" where a boolean belongs")
		}
		return object, nil
	}
	if text(object, "name") != name {
		return nil, wrong("name", "is missing or another's in the answer")
	}
	return object, nil
}
