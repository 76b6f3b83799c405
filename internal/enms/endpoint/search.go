// This file makes the request POST /rest/search, by which many instances are read at once.

package endpoint

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// MaxNames is the largest number of entries of a write, and of names in the pattern of a search (Chunks): a
// list of a thousand takes eNMS two seconds, and more would come close to the timeouts of gateways.
const MaxNames = 1000

// MaxPattern is the largest pattern of a search, in bytes: MariaDB refuses a pattern of
// 22 KB, and PostgreSQL is slow with long ones (enms-rest.md 10).
const MaxPattern = 16 << 10

// allRows is a limit that no search reaches. -1 would work on SQLite only (enms-rest.md 5.2).
const allRows = 1<<31 - 1

// Search holds the parameters of POST /rest/search (enms-rest.md 5.2).
type Search struct {
	Type string // a base type includes its subtypes, with their own columns
	// Columns are returned besides id, name and type. eNMS silently ignores relations, secrets and unknown columns.
	Columns []string
	// Criteria are written as eNMS expects them. eNMS ignores a property that it does not know,
	// and does not filter by it.
	Criteria map[string]any
	Start    int  // how many rows to skip
	Limit    int  // the largest number of rows
	Latest   bool // the highest ids first
	Names    int  // how many names are asked for, for the log
	// Once: the caller has another way after a 500, so that the search is not repeated. eNMS answers 500 also to
	// searches that its database cannot make.
	Once bool
}

// maxRows is the largest answer to a search, in bytes: 100,000 rows with some columns have 30 MB.
const maxRows = 128 << 20

// search makes the request of Search. Positions are as this line of eNMS stores them. A search for devices
// is repeated without networks if its answer is the first that shows that this is eNMS 5.
func (c *Client) search(ctx context.Context, s Search) ([]Object, error) {
	asked := s.Type
	s, err := c.inWords(ctx, s)
	if err != nil {
		return nil, err
	}
	if s.Criteria == nil {
		s.Criteria = map[string]any{} // eNMS fails with null
	}
	if asked == deviceType && c.line.number.Load() == object.Line5 {
		s.Criteria = withoutNetworks(s.Criteria)
	}
	order := "asc"
	if s.Latest {
		order = "desc"
	}
	body, err := json.Marshal(map[string]any{
		"type": s.Type, "columns": columnList(s.Columns), "search_criteria": s.Criteria,
		"order": []any{map[string]any{"column": 0, "dir": order}},
		"start": s.Start, "maximum_return_records": s.Limit,
	})
	if err != nil {
		return nil, err
	}
	send := c.readMany
	if s.Once {
		send = c.Do
	}
	a, err := send(ctx, rest.Request{Method: http.MethodPost, Path: rest.Path("search"), Body: body, Entries: s.Names, Limit: maxRows})
	if err != nil {
		return nil, err
	}
	rows, err := decodeRows(s.Type, a)
	c.line.translate(s.Type, rows...)
	if _, excluded := s.Criteria["type"]; asked == deviceType && !excluded && slices.ContainsFunc(rows, isNetwork) {
		s.Criteria = withoutNetworks(s.Criteria)
		return c.search(ctx, s)
	}
	return rows, err
}

// isNetwork reports whether a row is a network. On eNMS 5, networks are devices.
func isNetwork(row Object) bool { return String(row, "type") == networkType }

// withoutNetworks returns the criteria of a search for devices on eNMS 5, so changed that it finds no networks. It
// leaves criteria for the type as they are.
func withoutNetworks(criteria map[string]any) map[string]any {
	if _, has := criteria["type"]; has {
		return criteria
	}
	criteria = maps.Clone(criteria)
	criteria["type"], criteria["type_filter"], criteria["type_invert"] = networkType, "equality", true
	return criteria
}

// columnList returns the columns of the request: those of every search, and the given ones. The id comes
// first, because eNMS sorts by the first column.
func columnList(columns []string) []string {
	list := []string{"id", "name", "type", softDeleted, object.LineField}
	for _, column := range slices.Sorted(slices.Values(columns)) {
		if !slices.Contains(list, column) {
			list = append(list, column)
		}
	}
	return list
}

// Pattern returns a regular expression that matches exactly the names, and nothing else, in Python, in Go and
// in the databases: every special character is escaped by a backslash.
func Pattern(names []string) string {
	escaped := make([]string, len(names))
	for i, name := range names {
		escaped[i] = regexp.QuoteMeta(name)
	}
	return "^(" + strings.Join(escaped, "|") + ")$"
}

// Chunks splits names into parts, each of which fits into the pattern of one search.
func Chunks(names []string) [][]string {
	var parts [][]string
	var part []string
	size := 0
	for _, name := range names {
		length := len(regexp.QuoteMeta(name)) + 1
		if len(part) > 0 && (len(part) >= MaxNames || size+length > MaxPattern) {
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

// inWords returns a search in the words of this eNMS: its type, columns and criteria. It asks for the line only
// if that matters.
func (c *Client) inWords(ctx context.Context, s Search) (_ Search, err error) {
	if s.Type, err = c.realType(ctx, s.Type); err != nil {
		return s, err
	}
	on5, differs := s, false
	on5.Columns, on5.Criteria = slices.Clone(s.Columns), maps.Clone(s.Criteria)
	for i, column := range s.Columns {
		on5.Columns[i] = c.line.nameOn5(s.Type, column)
		differs = differs || on5.Columns[i] != column
	}
	for from, to := range c.line.words.Renamed[s.Type] {
		for _, suffix := range criteriaSuffixes {
			if value, is := on5.Criteria[from+suffix]; is {
				delete(on5.Criteria, from+suffix)
				on5.Criteria[to+suffix], differs = value, true
			}
		}
	}
	if !differs {
		return s, nil
	}
	if is5, err := c.is5(ctx); !is5 {
		return s, err
	}
	return on5, nil
}

// criteriaSuffixes are the ends of the criteria of a field.
var criteriaSuffixes = []string{"", "_filter", "_invert"}
