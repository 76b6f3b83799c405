// Searches and lists: all instances of a type that meet criteria, in one search that callers
// share who want the same at the same time. listpages.go gives a list page by page.

package enms

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// Search gives the instances of a type that match criteria, in eNMS's words, with id,
// name, type and the columns. eNMS ignores criteria that it does not know (enms-rest.md
// 5.2). Callers that want the same at the same time share a request, and must not change
// the rows.
func (c *Client) Search(ctx context.Context, typ string, columns []string, criteria map[string]any) ([]Object, error) {
	detail, err := json.Marshal([]any{columns, criteria})
	if err != nil {
		return nil, err
	}
	o := &operation{ask: func(ctx context.Context) ([]Object, error) {
		return c.endpoint.SearchAll(ctx, endpoint.Search{Type: typ, Columns: columns, Criteria: criteria})
	}}
	err = c.batcher.Do(ctx, batchKey{action: actSearch, typ: Type{Name: typ}, detail: string(detail)}, o)
	return o.rows, err
}

// searchBatch sends one search for a batch.
func searchBatch(ctx context.Context, operations []*operation) {
	rows, err := operations[0].ask(ctx)
	for _, o := range operations {
		o.rows = rows
	}
	batch.FinishAll(operations, err)
}

// List is Search for instances that are not deleted, each of which has an id. It asks
// again when what this client has deleted is among them.
func (c *Client) List(ctx context.Context, typ string, columns []string, criteria map[string]any) (rows []Object, err error) {
	untilConsistent(ctx, consistentTries, func() bool {
		rows, err = c.Search(ctx, typ, columns, criteria)
		return err != nil || !slices.ContainsFunc(rows, func(row Object) bool { return c.removed.has(endpoint.String(row, "name")) })
	})
	if err == nil {
		err = endpoint.CheckListed(typ, rows)
	}
	if err != nil {
		return nil, err
	}
	return undeleted(rows), nil
}

// Ignores tells whether eNMS takes no notice of criteria that no instance meets, which
// it does when it does not know what they are about (enms-rest.md 5.2). Nothing is asked
// for criteria that are known to count.
func (c *Client) Ignores(ctx context.Context, typ string, criteria map[string]any) (bool, error) {
	asked, err := json.Marshal([]any{typ, criteria})
	if err != nil || c.heeded.has(string(asked)) {
		return false, err
	}
	rows, err := c.endpoint.Search(ctx, endpoint.Search{Type: typ, Criteria: criteria, Limit: 1})
	if err == nil && len(rows) == 0 {
		c.heeded.add(string(asked))
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
