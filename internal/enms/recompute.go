// This file requests computations, which eNMS makes for all instances at once. Callers that request the
// same computation at the same time share a request.

package enms

import (
	"context"
	"net/http"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// Recompute posts to an endpoint that computes something for all instances, such as
// update_all_pools (enms-rest.md 2.4). Callers that ask at the same time share a
// request, which begins after each of them has asked.
func (c *Client) Recompute(ctx context.Context, computation string) error {
	return c.batcher.Do(ctx, batchKey{action: actRecompute, detail: computation}, &operation{})
}

func recomputeBatch(ctx context.Context, e *endpoint.Client, computation string, operations []*operation) {
	_, err := e.Call(ctx, rest.Request{Method: http.MethodPost, Path: rest.Path(computation), Body: []byte("{}")})
	batch.FinishAll(operations, err)
}
