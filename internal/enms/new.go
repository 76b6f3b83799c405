// Package enms is a client of the REST interface of eNMS 4.7, as enms-rest.md
// beside this file describes it. It knows nothing of Terraform.
//
// A request costs eNMS a quarter of a second of one core, whatever it asks for
// (enms-rest.md 7), so the client counts requests: writes and reads that are
// under way at the same time share requests, invisibly to their callers.
package enms

import (
	"cmp"
	"context"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// New makes a client. It fails when BaseURL or ProxyURL is not usable, and
// sends nothing.
func New(cfg Config) (*Client, error) {
	c := &Client{cfg: cfg, pages: newPages(), clock: &clock{}, written: &nameSet{}, removed: &nameSet{}, spelled: &nameSet{}, variant: &variant{}}
	var err error
	c.rest, err = rest.New(rest.Config{
		BaseURL: cfg.BaseURL, Username: cfg.Username, Password: cfg.Password,
		RequestTimeout: cfg.RequestTimeout, MaxRetries: cfg.MaxRetries, RetryWait: cfg.RetryWait,
		UserAgent: "terraform-provider-enms/" + cmp.Or(cfg.Version, "dev"), Headers: cfg.Headers,
		TLS: cfg.TLS, ProxyURL: cfg.ProxyURL, Logger: cfg.Logger, Answered: c.clock.heard,
	})
	if err != nil {
		return nil, err
	}
	c.batcher = newBatcher(c.run, cfg.Uncoalesced)
	return c, nil
}

// run does what the operations of one batch want. Each is finished as soon as
// its result is known.
func (c *Client) run(ctx context.Context, key batchKey, operations []*operation) {
	if key.action.writes() {
		c.pages.invalidate()
		defer c.pages.invalidate()
	}
	switch key.action {
	case actCreate:
		c.createBatch(ctx, key, operations)
	case actUpsert, actRename:
		c.sendUpserts(ctx, key, operations, 0)
	case actFind:
		c.findBatch(ctx, key.typ, operations)
	case actFindNow:
		c.findByName(ctx, key.typ, operations)
	case actRelated:
		c.relatedBatch(ctx, key, operations)
	case actRelatedByID:
		c.relatedByIDBatch(ctx, key, operations)
	case actRecompute:
		c.recomputeBatch(ctx, key.detail, operations)
	}
}
