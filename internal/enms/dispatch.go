// This file makes clients, sets the rules of their batches, and calls the function that makes the
// requests of a batch.

package enms

import (
	"cmp"
	"context"
	"sync/atomic"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/cache"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// New makes a client, or returns an error if the configuration is invalid. words are those of the tables of instance
// types. It sends nothing.
func New(cfg Config, words Words) (_ *Client, err error) {
	c := &Client{
		address: Address(cfg.BaseURL), user: cfg.Username, grace: cmp.Or(cfg.GracePeriod, gracePeriod), store: &cache.Store{},
		written: &stringSet{}, removed: &stringSet{}, renames: &renameLog{}, marks: &marks{}, history: &history{},
		clock: &clock{}, forcedRead: &atomic.Pointer[bool]{},
		respected: &stringSet{}, searchable: &stringSet{}, large: &stringSet{}, noUnion: &stringSet{},
	}
	cfg.Answered = c.clock.heard
	if c.endpoint, err = endpoint.New(cfg, words); err != nil {
		return nil, err
	}
	c.batcher, c.deleting = newBatcher(c), rest.NewSlots(MostDeletions)
	return c, nil
}

// newBatcher makes the batcher of operations.
//
// All operations about a type share a lane. Callers that write and callers that read back thus become
// one group again; otherwise, each request would serve half as many callers. Only confirm, which asks for
// each instance by a request of its own, has another lane. Reads of other types may run beside writes. What
// they read goes into the cache that was there when they began. A write replaces the cache when it begins and
// when it ends (package cache), so that nobody who asks after the write gets anything that was read before or
// during it.
//
// Writes never run beside writes: two lists may change the same instance through their relations, such
// as the positions in a workflow to which both add services. Two writes with a name in common never
// share a batch: eNMS would take the second for a new instance (enms-rest.md 0.1). Updates
// that only add positions may: they are about members that exist, such as [Shared] End, which stands in
// all workflows.
func newBatcher(c *Client) *batch.Batcher[batchKey, *operation] {
	return batch.New(batch.Rules[batchKey, *operation]{
		Run: func(ctx context.Context, key batchKey, operations []*operation) { runBatch(ctx, c, key, operations) },
		Lane: func(key batchKey) string {
			if key.action == actConfirm {
				return key.typ.Name + " alone"
			}
			return key.typ.Name
		},
		Exclusive: func(key batchKey) bool { return key.action.writes() },
		Names: func(key batchKey, o *operation) []string {
			addsPositions := key.action == actUpsert && o.writesOnly("id", "positions")
			switch {
			case !key.action.writes() || o.name == "" || addsPositions: // actRecompute has no name
				return nil
			case o.newName == "":
				return []string{o.name}
			}
			return []string{o.name, o.newName}
		},
		Size:           func(o *operation) int { return len(o.body) + 1 }, // with the comma after it
		MostOperations: endpoint.MaxNames,
		MostSize:       maxListBytes,
		Unfinished:     errUnaccounted,
		Grace: func(key batchKey) time.Duration {
			if key.action.writes() {
				return c.grace
			}
			return 0
		},
	})
}

// draws reports whether an update only says how eNMS's builders draw an instance: it renames nothing, and
// relates nothing.
func draws(o *operation) bool { return o.writesOnly("positions", "labels") }

// runBatch runs the operations of one batch. Each is finished as soon as its result is known. Before and
// after a write, it drops from the cache what the write may change.
func runBatch(ctx context.Context, c *Client, key batchKey, operations []*operation) {
	switch {
	case key.action == actCreate, key.action == actUpsert && All(operations, draws):
		c.store.Created()
		defer c.store.Created()
	case key.action.writes():
		c.Forget()
		defer c.Forget()
	}
	known := c.store.Current()
	switch key.action {
	case actCreate:
		writing{c, key}.createBatch(ctx, operations)
	case actUpsert, actRename:
		writing{c, key}.sendUpserts(ctx, operations)
	case actFind, actFindSpelling, actFindByID, actFindUnrelated:
		findBatch(ctx, c, rowsFor(known, key), key.typ.Name, operations)
	case actConfirm:
		confirmBatch(ctx, c, key, operations)
	case actRelated:
		relatedBatch(ctx, c.endpoint, key, operations)
	case actRelatedByID:
		relatedByIDBatch(ctx, c.endpoint, key, operations)
	case actRelatedToAny:
		relatedToAnyBatch(ctx, c.endpoint, key, operations)
	case actHasRelations:
		relationSearch{c, known, key.typ.Name}.hasRelationsBatch(ctx, operations)
	case actGetShared:
		relationSearch{c, known, key.typ.Name}.getSharedBatch(ctx, operations)
	case actRecompute:
		recomputeBatch(ctx, c.endpoint, key.detail, operations)
	case actDeletable:
		deletableBatch(ctx, c, known.Deletions, key.typ.Name, operations)
	case actSearch:
		searchBatch(ctx, c.endpoint, operations)
	case actMark:
		markBatch(ctx, c.endpoint, operations)
	case actFate:
		fateBatch(ctx, c, operations)
	}
}
