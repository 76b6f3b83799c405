// Computations that eNMS makes for all instances at once, shared by all callers that want
// the same at the same time.

package enms

import (
	"context"
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
	_, err := c.endpoint.Call(ctx, rest.Request{Method: http.MethodPost, Path: rest.Path(endpoint), Body: []byte("{}")})
	if InternalServerError(err) && endpoint == updateAllPools {
		err = c.explainComputation(ctx, err)
	}
	batch.FinishAll(operations, err)
}
