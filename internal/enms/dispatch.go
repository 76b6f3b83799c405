// This file makes clients, sets the rules of their batches, and calls the function that makes the
// requests of a batch.

package enms

import (
	"context"
	"sync/atomic"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/knowledge"
)

// New makes a client. It returns an error if BaseURL or ProxyURL is invalid, and sends nothing.
func New(cfg Config) (*Client, error) { return newClient(cfg, false) }

// NewUncoalesced makes a client that gives each write and read a request of its
// own. For measurements.
func NewUncoalesced(cfg Config) (*Client, error) { return newClient(cfg, true) }

func newClient(cfg Config, uncoalesced bool) (_ *Client, err error) {
	c := &Client{
		username: cfg.Username, uncoalesced: uncoalesced, known: &knowledge.Store{},
		written: &nameSet{}, removed: &nameSet{}, renames: &renameLog{},
		clock: &clock{}, administrator: &atomic.Pointer[bool]{},
		respected: &nameSet{}, searchable: &nameSet{}, large: &nameSet{}, noUnion: &nameSet{},
	}
	cfg.Answered = c.clock.heard
	if c.endpoint, err = endpoint.New(cfg); err != nil {
		return nil, err
	}
	c.batcher, c.confirmer = c.newBatcher(), c.newConfirmer()
	return c, nil
}

// newBatcher makes the batcher of operations. Writes go before reads, so that
// the callers of several batches of writes get to their reads together. Two
// writes that touch the same name never share a batch: eNMS would take the
// second for a new instance (enms-rest.md 0.1).
func (c *Client) newBatcher() *batch.Batcher[batchKey, *operation] {
	return batch.New(batch.Rules[batchKey, *operation]{
		Run:       c.runBatch,
		First:     func(key batchKey) bool { return key.action.writes() },
		Recurring: func(key batchKey) bool { return key.action.recurs() },
		Names: func(key batchKey, o *operation) []string {
			switch {
			case !key.action.writes():
				return nil
			case o.newName == "":
				return []string{o.name}
			}
			return []string{o.name, o.newName}
		},
		Size:           func(o *operation) int { return len(o.body) + 1 },
		MostOperations: endpoint.MaxNames,
		MostSize:       maxListBytes,
		Unfinished:     errUnaccounted,
		Alone:          c.uncoalesced,
	})
}

// newConfirmer makes the batcher of requests for single instances that were missing in an answer
// about many. Callers that ask for the same instance share one: hundreds of entries may refer to
// it.
func (c *Client) newConfirmer() *batch.Batcher[batchKey, *operation] {
	never := func(batchKey) bool { return false }
	return batch.New(batch.Rules[batchKey, *operation]{
		Run: c.confirmBatch, First: never, Recurring: never,
		Names:          func(batchKey, *operation) []string { return nil },
		Size:           func(*operation) int { return 0 },
		MostOperations: endpoint.MaxNames, MostSize: maxListBytes, Unfinished: errUnaccounted,
	})
}

// runBatch runs the operations of one batch. Each is finished as soon as its result is known.
func (c *Client) runBatch(ctx context.Context, key batchKey, operations []*operation) {
	switch {
	case key.action == actCreate:
		c.known.Created()
		defer c.known.Created()
	case key.action.writes():
		c.Forget()
		defer c.Forget()
	}
	known := c.known.Present()
	switch key.action {
	case actCreate:
		c.createBatch(ctx, key, operations)
	case actUpsert, actRename:
		c.sendUpserts(ctx, key, operations, 0)
	case actFind, actFindSpelling, actFindByID, actFindUnrelated:
		c.findBatch(ctx, c.rowsFor(known, key), key.typ.Name, operations)
	case actFindNow:
		c.findBySearch(ctx, known.Names, key.typ.Name, operations)
	case actRelated:
		c.relatedBatch(ctx, key, operations)
	case actRelatedByID:
		c.relatedByIDBatch(ctx, key, operations)
	case actRelatedToAny:
		c.relatedToAnyBatch(ctx, key, operations)
	case actMembers:
		c.membersBatch(ctx, known, key.typ.Name, operations)
	case actGetShared:
		c.getSharedBatch(ctx, known, key.typ.Name, operations)
	case actRecompute:
		c.recomputeBatch(ctx, key.detail, operations)
	case actDeletable:
		c.deletableBatch(ctx, known.Deletions, key.typ.Name, operations)
	case actSearch:
		searchBatch(ctx, operations)
	}
}
