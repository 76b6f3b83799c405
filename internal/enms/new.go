// This file makes clients, with what their callers ask and write together.

package enms

import (
	"cmp"
	"context"
	"sync/atomic"

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
	cfg.Answered = c.clock.learnFrom
	if c.endpoint, err = endpoint.New(cfg, words); err != nil {
		return nil, err
	}
	c.deleting, c.lanes = rest.NewSlots(MostDeletions), batch.NewLanes(cmp.Or(cfg.Window, batch.Window))
	c.writes, c.computations = newWrites(c), newComputations(c)
	c.questions = sharedQuestions{
		finds: newFinds(c), confirmations: newConfirmations(c), searches: newSearches(c),
		related: newRelated(c), relatedByID: newRelatedByID(c), relatedToAny: newRelatedToAny(c),
		hasRelations: newHasRelations(c), wholeInstances: newWholeInstances(c), deletable: newDeletable(c),
		marks: newRowsOfMarks(c), fates: newFates(c),
	}
	return c, nil
}

// newWrites makes the batcher of writes. Its batches never run at the same time, not even those of different types: two of
// them may change the same instance through relations, such as a workflow to which both add services.
func newWrites(c *Client) *batch.Batcher[writeKey, *write] {
	return batch.New(c.lanes, batch.Rules[writeKey, *write]{
		Run:            func(ctx context.Context, key writeKey, writes []*write) { writing{c, key}.run(ctx, writes) },
		Lane:           func(key writeKey) string { return key.typ.Name },
		Exclusive:      true,
		Names:          func(key writeKey, o *write) []string { return o.names(key) },
		Size:           func(o *write) int { return len(o.body) + 1 }, // with the comma after it
		MostOperations: endpoint.MaxNames,
		MostSize:       maxListBytes,
		Unfinished:     errUnaccounted,
		Grace:          c.grace,
	})
}

// run makes the writes of a list. Before and after, it drops from the cache what they may change.
func (w writing) run(ctx context.Context, writes []*write) {
	if w.key.action == actCreate || w.key.action == actUpsert && All(writes, draws) {
		w.c.store.Created()
		defer w.c.store.Created()
	} else {
		w.c.Forget()
		defer w.c.Forget()
	}
	if w.key.action == actCreate {
		w.createBatch(ctx, writes)
	} else {
		w.sendUpserts(ctx, writes)
	}
}
