// Types: which ones this eNMS has. No request lists them (enms-rest.md 5.2).

package enms

import (
	"context"
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
