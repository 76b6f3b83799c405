// Finds: single reads that are under way at the same time become one search for
// exactly their names.

package enms

import (
	"context"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
)

const (
	// maxPattern bounds the pattern of a search in bytes: MariaDB refuses one of
	// 22 KB, and PostgreSQL is slow with long ones (enms-rest.md 10).
	maxPattern = 16 << 10
	// slackRows is what a search may answer beyond two rows a name: databases
	// that ignore case match more than was asked for.
	slackRows = 1000
)

// errUnconfirmed sends a caller to ask for its instance alone.
var errUnconfirmed = errors.New("not in a common answer")

// Find reads one instance by its exact name, with at least the columns id, type,
// name and those given, as far as a search returns them (enms-rest.md 5.2). typ
// is best the base type, such as "service". ErrNotFound only after it was asked
// for alone. The values in the answer must not be changed: others may share them.
func (c *Client) Find(ctx context.Context, typ, name string, columns []string) (Object, error) {
	if c.cfg.Uncoalesced {
		return c.queryOne(ctx, typ, "name", name)
	}
	row, err := c.views.ask(typ, name, columns)
	if row == nil && err == nil {
		return c.findBy(ctx, opFind, typ, name, columns)
	}
	return c.confirmed(ctx, typ, name, row, err)
}

// FindNow is Find for what changes by itself: nothing that was read before is
// given as the answer.
func (c *Client) FindNow(ctx context.Context, typ, name string, columns []string) (Object, error) {
	if c.cfg.Uncoalesced {
		return c.queryOne(ctx, typ, "name", name)
	}
	return c.findBy(ctx, opFindNow, typ, name, columns)
}

// Spelled makes sure that names of instances of typ, such as the members of a
// relation, are spelled as eNMS has them: where its database takes several
// spellings for the same name, eNMS resolves them all and answers its own
// (enms-rest.md 10). The error is then a *NotFoundError with the spelling. Names
// that are not found at all are left to eNMS to refuse. Nothing is asked for
// names that this client has written, or has asked for before.
func (c *Client) Spelled(ctx context.Context, typ string, names []string) error {
	errs := make(chan error, len(names))
	asked := 0
	for _, name := range names {
		if c.written.has(name) || c.spelled.has(name) {
			continue
		}
		asked++
		go func() {
			_, err := c.Find(ctx, typ, name, nil)
			if err == nil {
				c.spelled.add(name)
			}
			errs <- err
		}()
	}
	var misspelled error
	for range asked {
		if other, ok := errors.AsType[*NotFoundError](<-errs); ok && other.Spelling != "" {
			misspelled = other
		}
	}
	return misspelled
}

// findBy reads one instance together with others.
func (c *Client) findBy(ctx context.Context, op operation, typ, name string, columns []string) (Object, error) {
	k := &call{ctx: ctx, name: name, columns: columns}
	if err := c.travel(lane{op: op, typ: typ}, k); err != nil {
		return c.confirmed(ctx, typ, name, nil, err) // who goes away early has no row to look at
	}
	return k.ticket.row, nil
}

// confirmed gives what was found, or asks alone for what is in no common answer.
func (c *Client) confirmed(ctx context.Context, typ, name string, row Object, err error) (Object, error) {
	if errors.Is(err, errUnconfirmed) {
		return c.queryOne(ctx, typ, "name", name)
	}
	return row, err
}

// findAll answers the finds of a batch, first from what is known of the type,
// then from further pages of it as far as those are due, then by searches.
func (c *Client) findAll(ctx context.Context, typ string, calls []*call) {
	for {
		if calls = c.fromView(typ, live(calls)); len(calls) == 0 {
			return
		}
		p, due := c.views.nextPage(typ)
		if !due {
			break
		}
		if err := c.fetchPage(ctx, typ, p); err != nil {
			failAll(calls, err)
			return
		}
	}
	c.findThese(ctx, typ, calls)
}

// findThese answers the finds of a batch by searches for their names.
func (c *Client) findThese(ctx context.Context, typ string, calls []*call) {
	columns := map[string]bool{}
	callsOf := map[string][]*call{}
	for _, k := range calls {
		callsOf[k.name] = append(callsOf[k.name], k)
		for _, column := range k.columns {
			columns[column] = true
		}
	}
	for _, names := range chunks(slices.Sorted(maps.Keys(callsOf))) {
		c.findChunk(ctx, typ, names, columns, callsOf)
	}
}

// findChunk makes one search and answers the calls for its names. One that is
// refused, because of a name that the database cannot compare or of a damaged
// row, is made in halves until that stands alone.
func (c *Client) findChunk(ctx context.Context, typ string, names []string, columns map[string]bool, callsOf map[string][]*call) {
	rows, err := c.searchChunk(ctx, typ, names, columns)
	c.views.searched(typ)
	if half := len(names) / 2; Refused(err) && half > 0 {
		c.findChunk(ctx, typ, names[:half], columns, callsOf)
		c.findChunk(ctx, typ, names[half:], columns, callsOf)
		return
	}
	for _, name := range names {
		for _, k := range callsOf[name] {
			if err != nil {
				k.finish(err)
			} else {
				answerFind(typ, k, rows[name])
			}
		}
	}
}

// answerFind gives a call its row, or sends it to ask alone.
func answerFind(typ string, k *call, row Object) {
	if row == nil || deleted(row) {
		k.finish(errUnconfirmed)
		return
	}
	if err := checkIdentity(typ, row); err != nil {
		k.finish(err)
		return
	}
	k.found(maps.Clone(row))
}

// fromView answers calls from what is known of the type and returns the others.
func (c *Client) fromView(typ string, calls []*call) []*call {
	var remaining []*call
	for _, k := range calls {
		switch row, err := c.views.look(typ, k.name, k.columns); {
		case row != nil || err != nil:
			k.ticket.row = row
			k.finish(err)
		default:
			remaining = append(remaining, k)
		}
	}
	return remaining
}

// searchNames finds instances by their exact names, in as many searches as it
// takes. Rows whose identity is malformed count as absent.
func (c *Client) searchNames(ctx context.Context, typ string, names []string, columns map[string]bool) (map[string]Object, error) {
	found := map[string]Object{}
	for parts := chunks(names); len(parts) > 0; {
		part := parts[0]
		parts = parts[1:]
		rows, err := c.searchChunk(ctx, typ, part, columns)
		if half := len(part) / 2; Refused(err) && half > 0 {
			parts = append(parts, part[:half], part[half:])
			continue
		}
		if err != nil {
			return nil, err
		}
		for name, row := range rows {
			if checkIdentity(typ, row) == nil {
				found[name] = row
			}
		}
	}
	return found, nil
}

// searchChunk makes one search for names.
func (c *Client) searchChunk(ctx context.Context, typ string, names []string, columns map[string]bool) (map[string]Object, error) {
	rows, err := c.searchUnchecked(ctx, Search{
		Type: c.knownType(typ), Columns: columnList(columns), Limit: 2*len(names) + slackRows, entries: len(names),
		Criteria: map[string]any{"name": pattern(names), "name_filter": "regex"},
	})
	if Refused(err) && c.lacksNode(ctx, typ) {
		return c.searchChunk(ctx, typ, names, columns)
	}
	if err != nil {
		return nil, err
	}
	wanted := make(map[string]bool, len(names))
	for _, name := range names {
		wanted[name] = true
	}
	return byName(rows, func(name string) bool { return wanted[name] }), nil
}

// byName sorts rows by their names. Those without one cannot be anybody's, and
// a name that comes twice is left out, to be asked for alone.
func byName(rows []Object, wanted func(name string) bool) map[string]Object {
	found, seen := map[string]Object{}, map[string]bool{}
	for _, row := range rows {
		name, ok := row["name"].(string)
		switch {
		case !ok || !wanted(name):
		case seen[name]:
			delete(found, name)
		default:
			found[name], seen[name] = row, true
		}
	}
	return found
}

// columnList puts the columns in the order they are asked for: id first, to sort
// by it.
func columnList(columns map[string]bool) []string {
	list := []string{"id", "name", "type", softDeleted}
	for _, column := range slices.Sorted(maps.Keys(columns)) {
		if columns[column] && !slices.Contains(list, column) {
			list = append(list, column)
		}
	}
	return list
}

// pattern is a regular expression that matches exactly the names, for Python as
// for Go and for the databases: every character that means something is escaped
// by a backslash.
func pattern(names []string) string {
	escaped := make([]string, len(names))
	for i, name := range names {
		escaped[i] = regexp.QuoteMeta(name)
	}
	return "^(" + strings.Join(escaped, "|") + ")$"
}

// chunks splits names so that each part makes one search.
func chunks(names []string) [][]string {
	var parts [][]string
	var part []string
	size := 0
	for _, name := range names {
		length := len(regexp.QuoteMeta(name)) + 1
		if len(part) > 0 && (len(part) >= maxEntries || size+length > maxPattern) {
			parts, part, size = append(parts, part), nil, 0
		}
		part = append(part, name)
		size += length
	}
	if len(part) > 0 {
		parts = append(parts, part)
	}
	return parts
}
