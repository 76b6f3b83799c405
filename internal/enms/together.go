// Requests that all callers share that want the same at the same time: computations and
// whole searches.

package enms

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// Recompute posts to an endpoint that computes something for all instances, such as
// update_all_pools (enms-rest.md 2.4). Callers that ask at the same time share a
// request, which begins after each of them has asked.
func (c *Client) Recompute(ctx context.Context, endpoint string) error {
	return c.batcher.Do(ctx, batchKey{action: actRecompute, detail: endpoint}, &operation{})
}

// recomputeBatch sends one request for a batch.
func (c *Client) recomputeBatch(ctx context.Context, endpoint string, operations []*operation) {
	_, err := c.rest.Do(ctx, rest.Request{Method: http.MethodPost, Path: rest.Path(endpoint), Body: []byte("{}")})
	batch.FinishAll(operations, err)
}

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
		return c.searchRelated(ctx, search{typ: typ, columns: columns, criteria: criteria})
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
