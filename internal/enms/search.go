// The request POST /rest/search, which reads of many instances at once make. The Search
// of callers is in list.go.

package enms

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// maxPattern bounds the pattern of a search in bytes: MariaDB refuses one of
// 22 KB, and PostgreSQL is slow with long ones (enms-rest.md 10).
const maxPattern = 16 << 10

// allRows is a limit that cuts nothing. -1 would do on SQLite only (enms-rest.md
// 5.2).
const allRows = 1<<31 - 1

// search is what POST /rest/search is asked for (enms-rest.md 5.2).
type search struct {
	typ string // a base type finds its subtypes with their own columns
	// columns to answer beside id, name and type. Relations, secrets and unknown
	// ones are dropped by eNMS without a word.
	columns []string
	// criteria as eNMS has them. A property that it does not know is ignored: the
	// answer is then not filtered.
	criteria     map[string]any
	start, limit int
	names        int // how many are asked for, for the log
}

// search gives the rows that match, in the order of their ids, without looking
// into them.
func (c *Client) search(ctx context.Context, s search) ([]Object, error) {
	body, err := json.Marshal(map[string]any{
		"type": s.typ, "columns": columnList(s.columns), "search_criteria": s.criteria,
		"order": []any{map[string]any{"column": 0, "dir": "asc"}},
		"start": s.start, "maximum_return_records": s.limit,
	})
	if err != nil {
		return nil, err
	}
	a, err := c.rest.Do(ctx, rest.Request{Method: http.MethodPost, Path: rest.Path("search"), Body: body, Entries: s.names})
	if err != nil {
		return nil, err
	}
	return decodeRows(s.typ, a)
}

// searchAll is search without a limit; each of the rows must have a name.
func (c *Client) searchAll(ctx context.Context, s search) ([]Object, error) {
	s.limit = allRows
	rows, err := c.search(ctx, s)
	if err == nil {
		err = checkNamed(s.typ, rows)
	}
	return rows, err
}

// columnList puts the columns in the order they are asked for: id first, to sort
// by it.
func columnList(columns []string) []string {
	list := []string{"id", "name", "type", softDeleted}
	for _, column := range slices.Sorted(slices.Values(columns)) {
		if !slices.Contains(list, column) {
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
