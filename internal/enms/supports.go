// What this eNMS supports: instance types, and criteria of searches. No request lists them
// (enms-rest.md 5.2).

package enms

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// mostOfSite is how many instances of a site's own types are looked at.
const mostOfSite = 1000

// noName is a name that no instance has.
const noName = "no instance has this name"

// HasType reports whether eNMS has an instance type. A search of one that it does not have
// ends in a 500 without a reason (enms-rest.md 5.2), as many others do: this one asks for
// no instance, so that nothing else should be wrong with it. The caller makes sure that
// eNMS answers other searches.
func (c *Client) HasType(ctx context.Context, typ string) (bool, error) {
	_, err := c.endpoint.Search(ctx, endpoint.Search{Type: typ, Limit: 1, Criteria: map[string]any{"name": noName, "name_filter": "equality"}})
	if InternalServerError(err) {
		return false, nil
	}
	return err == nil, err
}

// TypesInUse returns the subtypes of a type, such as "service", that instances have which
// this user may see, in order and without those that are known.
func (c *Client) TypesInUse(ctx context.Context, typ string, known []string) ([]string, error) {
	escaped := make([]string, len(known))
	for i, name := range known {
		escaped[i] = regexp.QuoteMeta(name)
	}
	rows, err := c.endpoint.Search(ctx, endpoint.Search{Type: typ, Limit: mostOfSite,
		Criteria: map[string]any{"type": "^(?!(" + strings.Join(escaped, "|") + ")$)", "type_filter": "regex"}})
	if err != nil {
		return nil, err
	}
	var types []string
	for _, row := range rows {
		if found := endpoint.String(row, "type"); found != "" && !slices.Contains(known, found) {
			types = append(types, found)
		}
	}
	slices.Sort(types)
	return slices.Compact(types), nil
}

// Ignores reports whether eNMS takes no notice of criteria that no instance meets, which
// it does when it does not know what they are about (enms-rest.md 5.2). Nothing is asked
// for criteria that are known to count.
func (c *Client) Ignores(ctx context.Context, typ string, criteria map[string]any) (bool, error) {
	asked, err := json.Marshal([]any{typ, criteria})
	if err != nil || c.respected.has(string(asked)) {
		return false, err
	}
	rows, err := c.endpoint.Search(ctx, endpoint.Search{Type: typ, Criteria: criteria, Limit: 1})
	if err == nil && len(rows) == 0 {
		c.respected.add(string(asked))
	}
	return len(rows) > 0, err
}

// Searchable reports whether eNMS can search a type by criteria: there are such by which
// its database cannot (enms-rest.md 10.6). Nothing is asked for criteria that have worked.
func (c *Client) Searchable(ctx context.Context, typ string, criteria map[string]any) (bool, error) {
	asked, err := json.Marshal([]any{typ, criteria})
	if err != nil || c.searchable.has(string(asked)) {
		return err == nil, err
	}
	works, err := c.canSearch(ctx, typ, criteria)
	if works && err == nil {
		c.searchable.add(string(asked))
	}
	return works, err
}

// canSearch is Searchable, and always asks.
func (c *Client) canSearch(ctx context.Context, typ string, criteria map[string]any) (bool, error) {
	_, err := c.endpoint.Search(ctx, endpoint.Search{Type: typ, Criteria: criteria, Limit: 1})
	if InternalServerError(err) {
		return false, nil
	}
	return err == nil, err
}
