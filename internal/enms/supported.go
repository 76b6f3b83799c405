// This file finds out what this eNMS supports, such as types and criteria. No request lists these
// (enms-rest.md 5.2).

package enms

import (
	"context"
	"fmt"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// noName is a name that no instance has.
const noName = "no instance has this name"

// HasType reports whether eNMS has an instance type. eNMS answers 500 without a reason to a search for
// an unknown type (enms-rest.md 5.2), but also in other cases. The search of HasType matches no
// instance, which rules out most of these; the caller makes sure that eNMS answers other searches.
func (c *Client) HasType(ctx context.Context, typ string) (bool, error) {
	return canSearch(ctx, c.endpoint, typ, map[string]any{"name": noName, "name_filter": "equality"})
}

// Ignores reports whether eNMS ignores criteria, as it does if it does not know the property
// (enms-rest.md 5.2). The caller passes criteria that no instance meets, so that any row shows that they
// are ignored. Criteria that eNMS is known to respect take no request.
func (c *Client) Ignores(ctx context.Context, typ string, criteria map[string]any) (bool, error) {
	asked := searchText(typ, criteria)
	if c.respected.has(asked) {
		return false, nil
	}
	rows, err := c.endpoint.Search(ctx, endpoint.Search{Type: typ, Criteria: criteria, Limit: 1})
	if err == nil && len(rows) == 0 {
		c.respected.add(asked)
	}
	return len(rows) > 0, err
}

// Criterion is a criterion of a search that eNMS has answered.
type Criterion struct {
	Field      string // a property, or a relation
	IsRelation bool
	Shown      bool // each row shows that it meets the criterion
}

// All reports whether all rows, or other items, meet a condition.
func All[T any](rows []T, met func(T) bool) bool {
	return !slices.ContainsFunc(rows, func(row T) bool { return !met(row) })
}

// IgnoredError means that eNMS ignores a criterion, and so has returned more than was searched for.
type IgnoredError struct{ Type, Field string }

func (e *IgnoredError) Error() string {
	return fmt.Sprintf("this eNMS cannot search a %s by %q: it ignores the condition and returns everything", e.Type, e.Field)
}

// CheckRespected returns an *IgnoredError if eNMS ignores a criterion of a search. A criterion that is not
// Shown takes one request, and none later on.
func (c *Client) CheckRespected(ctx context.Context, typ string, criteria ...Criterion) error {
	for _, criterion := range criteria {
		if criterion.Shown {
			continue
		}
		never := map[string]any{criterion.Field: noName, criterion.Field + "_filter": "equality"}
		if criterion.IsRelation {
			never = map[string]any{criterion.Field: []string{noName}}
		}
		ignored, err := c.Ignores(ctx, typ, never)
		if ignored {
			err = &IgnoredError{typ, criterion.Field}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Searchable reports whether eNMS can search a type by criteria. Its database may refuse a criterion
// (enms-rest.md 10.6). Criteria that have worked before take no request.
func (c *Client) Searchable(ctx context.Context, typ string, criteria map[string]any) (bool, error) {
	asked := searchText(typ, criteria)
	if c.searchable.has(asked) {
		return true, nil
	}
	works, err := canSearch(ctx, c.endpoint, typ, criteria)
	if works {
		c.searchable.add(asked)
	}
	return works, err
}

// searchText returns a text that only equal searches have in common.
func searchText(parts ...any) string { return fmt.Sprintf("%#v", parts) }

// canSearch is Searchable with a request every time. A search that eNMS answers with 500 is one that it cannot make.
func canSearch(ctx context.Context, e *endpoint.Client, typ string, criteria map[string]any) (bool, error) {
	_, err := e.Search(ctx, endpoint.Search{Type: typ, Criteria: criteria, Limit: 1})
	if InternalServerError(err) {
		return false, nil
	}
	return err == nil, err
}
