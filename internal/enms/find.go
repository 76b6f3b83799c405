// This file reads single instances, and decides that one is not found. Reads that are under way
// at the same time become one search for exactly their names, or for a page of their type; Get
// and Query share no request. A 403 of eNMS may mean "not found" as well, which a query decides.

package enms

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/knowledge"
)

// slackRows is how many rows a search may return beyond two for each name: databases that
// ignore case match more than was asked for.
const slackRows = 1000

// Find reads one instance by its exact name, with at least the columns id, type, name and those
// given, as far as a search returns them (enms-rest.md 5.2). typ should be the base type, such
// as "service". It returns ErrNotFound only after eNMS was asked for this instance alone.
// Callers share the values of the row and must not change them.
func (c *Client) Find(ctx context.Context, typ, name string, columns []string) (Object, error) {
	return c.find(ctx, actFind, typ, name, columns)
}

// FindNow is Find for what changes by itself: it does not use what was read before.
func (c *Client) FindNow(ctx context.Context, typ, name string, columns []string) (Object, error) {
	return c.find(ctx, actFindNow, typ, name, columns)
}

// FindOnce is Find for what a process needs to read only once: callers share what was read before,
// also before writes of this client. The row has the columns id, type and name.
func (c *Client) FindOnce(ctx context.Context, typ, name string) (Object, error) {
	return c.find(ctx, actFindSpelling, typ, name, nil)
}

// FindUntil is Find, repeated until agrees accepts the row: a worker of eNMS may not know yet
// what this client has written (enms-rest.md 10). It returns the last row even if agrees has
// not accepted it.
func (c *Client) FindUntil(ctx context.Context, typ, name string, columns []string, agrees func(Object) bool) (Object, error) {
	find := c.Find
	return repeatRead(ctx, func() (Object, error) {
		defer func() { find = c.FindNow }()
		return find(ctx, typ, name, columns)
	}, agrees)
}

// FindNowUntil is FindUntil for FindNow.
func (c *Client) FindNowUntil(ctx context.Context, typ, name string, columns []string, agrees func(Object) bool) (Object, error) {
	return repeatRead(ctx, func() (Object, error) { return c.FindNow(ctx, typ, name, columns) }, agrees)
}

// NameOf returns the name of the instance of typ that has an id, or ErrNotFound. Callers with the
// same typ share a search, and results are kept until a write that may change them.
func (c *Client) NameOf(ctx context.Context, typ, id string) (string, error) {
	row, err := c.find(ctx, actFindByID, typ, id, nil)
	return endpoint.String(row, "name"), err
}

// find reads one instance by its name or id, depending on the action.
func (c *Client) find(ctx context.Context, action action, typ, value string, columns []string) (row Object, err error) {
	row, err = c.findTogether(ctx, action, typ, value, columns)
	if errors.Is(err, knowledge.ErrUnconfirmed) {
		column := c.rowsFor(c.known.Present(), batchKey{action: action}).Column
		row, err = c.confirm(ctx, typ, column, value)
		if column == "id" && InternalServerError(err) {
			return nil, &NotFoundError{Type: typ, Name: value} // PostgreSQL cannot hold such an id
		}
	}
	return row, err
}

// confirm is queryOne, shared by callers that ask for the same at the same time.
func (c *Client) confirm(ctx context.Context, typ, column, value string) (Object, error) {
	o := &operation{name: value}
	if err := c.batcher.Do(ctx, batchKey{action: actConfirm, typ: Type{Name: typ}, detail: column}, o); err != nil {
		return nil, err
	}
	return maps.Clone(o.row), nil // a caller that leaves early must not read it
}

// confirmBatch asks for each instance of a batch once, and for all of them at the same time.
func (c *Client) confirmBatch(ctx context.Context, key batchKey, operations []*operation) {
	same, values := groupByName(operations)
	rows, errs := make([]Object, len(values)), make([]error, len(values))
	var asking sync.WaitGroup
	for i, value := range values {
		asking.Go(func() { rows[i], errs[i] = c.queryOne(ctx, key.typ.Name, key.detail, value) })
	}
	asking.Wait()
	for i, value := range values {
		for _, o := range same[value] {
			o.row = rows[i]
			o.Finish(errs[i])
		}
	}
}

// findTogether is find without the request for the instance alone: if the instance is missing in
// an answer about many, the error is knowledge.ErrUnconfirmed.
func (c *Client) findTogether(ctx context.Context, action action, typ, value string, columns []string) (row Object, err error) {
	key := batchKey{action: action, typ: Type{Name: typ}}
	rows := c.rowsFor(c.known.Present(), key)
	if action != actFindNow {
		row, err = rows.Find(typ, value, columns)
	}
	if row == nil && err == nil {
		o := &operation{name: value, columns: columns}
		if err = c.batcher.Do(ctx, key, o); err == nil {
			row = o.row // a caller that leaves early must not read it
		}
	}
	return row, err
}

// rowsFor returns the known rows that may answer finds with a key.
func (c *Client) rowsFor(known *knowledge.Knowledge, key batchKey) *knowledge.Rows {
	switch key.action {
	case actFindSpelling:
		return known.Spellings
	case actFindByID:
		return known.IDs
	case actFindUnrelated:
		return known.Unrelated(key.detail)
	default:
		return known.Names
	}
}

// findBatch answers finds: first from the known rows of the type, then from further pages of it
// as long as those are due, then by searches.
func (c *Client) findBatch(ctx context.Context, rows *knowledge.Rows, typ string, operations []*operation) {
	for {
		for _, o := range operations {
			if row, err := rows.LookUp(typ, o.name, o.columns); row != nil || err != nil {
				o.row = row
				o.Finish(err)
			}
		}
		if operations = batch.Pending(operations); len(operations) == 0 {
			return
		}
		next, _, due := rows.Next(typ)
		if !due {
			break
		}
		if err := c.fetchPage(ctx, rows, typ, next); err != nil {
			batch.FinishAll(operations, err)
			return
		}
	}
	c.findBySearch(ctx, rows, typ, operations)
}

// fetchPage reads a page, unless it was read beside. One damaged row makes eNMS answer 500 to
// every request that includes it (enms-rest.md 5.1): then the type is no longer read by pages.
func (c *Client) fetchPage(ctx context.Context, into *knowledge.Rows, typ string, next knowledge.Page) error {
	defer into.Turn(typ)()
	if now, more, _ := into.Next(typ); !more || now.Start != next.Start {
		return nil
	}
	ids := c.known.Present().IDs
	rows, err := c.endpoint.Search(ctx, endpoint.Search{
		Type: typ, Columns: next.Columns(), Criteria: withCriteria(nil, into.Criteria), Start: next.Start, Limit: knowledge.PageRows,
	})
	switch {
	case err == nil:
		into.Add(typ, next, rows)
		ids.LearnNames(typ, rows)
	case InternalServerError(err):
		into.Disable(typ)
		return nil
	}
	return err
}

// findBySearch answers finds by searches for their names or ids. It counts the searches in rows,
// and keeps what they find there if these rows keep the results of searches.
func (c *Client) findBySearch(ctx context.Context, rows *knowledge.Rows, typ string, operations []*operation) {
	var columns []string
	for _, o := range operations {
		columns = append(columns, o.columns...)
	}
	ids := c.known.Present().IDs
	same, values := groupByName(operations)
	for part := range c.searchFor(ctx, typ, rows.Column, values, columns, rows.Criteria) {
		ids.LearnNames(typ, slices.Collect(maps.Values(part.rows)))
		rows.Searched(typ)
		rows.Keep(typ, part.rows)
		for _, value := range part.values {
			row, err := part.rows[value], part.err
			switch {
			case err != nil:
			case row == nil || endpoint.Deleted(row):
				err = knowledge.ErrUnconfirmed
			default:
				err = endpoint.CheckIdentity(typ, row)
			}
			for _, o := range same[value] {
				o.row = maps.Clone(row)
				o.Finish(err)
			}
		}
	}
}

// rowsOfValues is the result of one search: the names or ids that were searched for, and their
// rows.
type rowsOfValues struct {
	values []string
	rows   map[string]Object
	err    error
}

// searchFor searches for instances by their exact names or ids, as column says, and by further
// criteria, in as many searches as necessary. If eNMS refuses a search, because of a name that
// the database cannot compare or of a damaged row, it is split in halves until the value at fault
// is alone.
func (c *Client) searchFor(ctx context.Context, typ, column string, values, columns []string, criteria map[string]any) iter.Seq[rowsOfValues] {
	return func(yield func(rowsOfValues) bool) {
		for parts := endpoint.Chunks(values); len(parts) > 0; {
			part := rowsOfValues{values: parts[0]}
			parts = parts[1:]
			part.rows, part.err = c.searchChunk(ctx, typ, column, part.values, columns, criteria)
			if half := len(part.values) / 2; InternalServerError(part.err) && half > 0 {
				parts = append([][]string{part.values[:half], part.values[half:]}, parts...)
			} else if !yield(part) {
				return
			}
		}
	}
}

// searchNames finds instances by their exact names. Rows whose identity is
// malformed count as absent.
func (c *Client) searchNames(ctx context.Context, typ string, names, columns []string) (map[string]Object, error) {
	found := map[string]Object{}
	for part := range c.searchFor(ctx, typ, "name", names, columns, nil) {
		if part.err != nil {
			return nil, part.err
		}
		for name, row := range part.rows {
			if endpoint.CheckIdentity(typ, row) == nil {
				found[name] = row
			}
		}
	}
	return found, nil
}

func (c *Client) searchChunk(ctx context.Context, typ, column string, values, columns []string, criteria map[string]any) (map[string]Object, error) {
	rows, err := c.endpoint.Search(ctx, endpoint.Search{
		Type: c.endpoint.KnownType(typ), Columns: columns, Limit: 2*len(values) + slackRows, Names: len(values),
		Criteria: withCriteria(map[string]any{column: endpoint.Pattern(values), column + "_filter": "regex"}, criteria),
	})
	if InternalServerError(err) && c.endpoint.LacksNode(ctx, typ) {
		return c.searchChunk(ctx, typ, column, values, columns, criteria)
	}
	return endpoint.RowsBy(column, rows, values), err
}

// Get reads one instance with its relations, as names. eNMS answers 403 both if there is no such
// instance and if the user may not read it (enms-rest.md 6.2). A query tells the two apart, so
// the error is ErrNotFound or ErrForbidden. ErrNotFound is a *NotFoundError, which contains the
// spelling of the instance that eNMS returned instead if its database treats both names as the
// same (enms-rest.md 10).
func (c *Client) Get(ctx context.Context, typ, name string) (object Object, err error) {
	untilConsistent(ctx, func() bool {
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

// exactly returns the instance if its name is spelled exactly as requested, and ErrNotFound if it
// is deleted.
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

// absentOr returns ErrNotFound if the instance does not exist, and otherwise cause, the error of
// a request for it, which may mean either.
func (c *Client) absentOr(ctx context.Context, typ, name string, cause error) error {
	if _, err := c.queryOne(ctx, typ, "name", name); err != nil {
		return err
	}
	return cause
}

// queryOne reads the one instance whose field, "name" or "id", is exactly value. It asks again
// if this client has written the instance and the answer does not contain it.
func (c *Client) queryOne(ctx context.Context, typ, field, value string) (found Object, err error) {
	untilConsistent(ctx, func() bool {
		found, err = c.queryOnce(ctx, typ, field, value)
		return field != "name" || !errors.Is(err, ErrNotFound) || !c.written.has(value)
	})
	return found, err
}

// queryOnce is queryOne without a second request. Rows with other names are not an error, because
// databases that ignore case or accents return them. Rows that cannot belong to the answer are an
// error.
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

// queryOwner reads the instance that has a name, or else one whose name the database treats as
// the same (enms-rest.md 10).
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

// Spelled returns a *NotFoundError with the spelling of eNMS if a name of an instance of typ,
// such as a member of a relation, is spelled differently there: a database may treat several
// spellings as the same, and eNMS then accepts all and returns its own (enms-rest.md 10). Names
// that do not exist are no error here: eNMS refuses them when they are written. Names that this
// client has written, or has looked up before, take no request.
func (c *Client) Spelled(ctx context.Context, typ string, names []string) error {
	var misspelled error
	for _, found := range c.findSpellings(ctx, typ, names) {
		if other, ok := errors.AsType[*NotFoundError](found.err); ok && other.Spelling != "" {
			misspelled = other
		}
	}
	return misspelled
}

// Missing returns the names that no instance of typ has. As in Spelled, names that this client
// has written, or has looked up before, take no request. A name counts as existing if its search
// fails.
func (c *Client) Missing(ctx context.Context, typ string, names []string) (missing []string, err error) {
	for _, found := range c.findSpellings(ctx, typ, names) {
		if errors.Is(found.err, ErrNotFound) {
			missing = append(missing, found.name)
		}
	}
	slices.Sort(missing)
	return missing, ctx.Err()
}

// foundSpelling is the result of a search for a name.
type foundSpelling struct {
	name string
	err  error
}

// findSpellings looks for those of the names that this client has neither written nor
// found before.
func (c *Client) findSpellings(ctx context.Context, typ string, names []string) []foundSpelling {
	results := make(chan foundSpelling, len(names))
	asked := 0
	for _, name := range names {
		if known, _ := c.known.Present().Spellings.LookUp(typ, name, nil); known != nil || c.written.has(name) {
			continue
		}
		asked++
		go func() {
			_, err := c.find(ctx, actFindSpelling, typ, name, nil)
			results <- foundSpelling{name, err}
		}()
	}
	found := make([]foundSpelling, asked)
	for i := range found {
		found[i] = <-results
	}
	return found
}

// Lacks reports whether eNMS has no instance of typ with a name, as far as this user may read. It
// is for plans: callers with the same typ share searches with each other and with Find, and a name
// that was read before takes no request. If eNMS cannot be asked, it counts as existing.
func (c *Client) Lacks(ctx context.Context, typ, name string) bool {
	_, err := c.findTogether(ctx, actFind, typ, name, nil)
	return errors.Is(err, knowledge.ErrUnconfirmed) || errors.Is(err, ErrNotFound)
}

// Taken returns the instance of typ that has a name, or nil, as the error that a creation with
// that name would return. It is for plans, in which most names are free: callers with the same
// typ share searches with each other and with Find, and a name that is missing in an answer about
// many counts as free, without a request of its own. A name also counts as free if eNMS answers
// 500, as it does for a type that it does not have.
func (c *Client) Taken(ctx context.Context, typ, name string) (*ExistsError, error) {
	row, err := c.findTogether(ctx, actFind, typ, name, nil)
	switch {
	case errors.Is(err, knowledge.ErrUnconfirmed), errors.Is(err, ErrNotFound), InternalServerError(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	taken, _ := errors.AsType[*ExistsError](existsError(typ, name, row))
	return taken, nil
}
