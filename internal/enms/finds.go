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
	// maxPattern bounds the pattern of a search in bytes: what databases and
	// gateways surely take.
	maxPattern = 32 << 10
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

// findChunk makes one search and answers the calls for its names.
func (c *Client) findChunk(ctx context.Context, typ string, names []string, columns map[string]bool, callsOf map[string][]*call) {
	rows, err := c.searchChunk(ctx, typ, names, columns)
	c.views.searched(typ)
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
	if row == nil {
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
	var rest []*call
	for _, k := range calls {
		switch row, err := c.views.look(typ, k.name, k.columns); {
		case row != nil || err != nil:
			k.ticket.row = row
			k.finish(err)
		default:
			rest = append(rest, k)
		}
	}
	return rest
}

// searchNames finds instances by their exact names, in as many searches as it
// takes. Rows whose identity is malformed count as absent.
func (c *Client) searchNames(ctx context.Context, typ string, names []string, columns map[string]bool) (map[string]Object, error) {
	found := map[string]Object{}
	for _, chunk := range chunks(names) {
		rows, err := c.searchChunk(ctx, typ, chunk, columns)
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
		Type: typ, Columns: columnList(columns), Limit: 2*len(names) + slackRows, entries: len(names),
		Criteria: map[string]any{"name": pattern(names), "name_filter": "regex"},
	})
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
	list := []string{"id", "name", "type"}
	for _, column := range slices.Sorted(maps.Keys(columns)) {
		if columns[column] && !slices.Contains(list[:3], column) {
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
