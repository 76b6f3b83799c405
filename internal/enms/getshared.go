// GetShared: whole instances without a GET for each, for imports and data sources. One
// query answers all fields of all instances of a type but their relations (enms-rest.md
// 5.1), which searches tell.

package enms

import (
	"context"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/knowledge"
)

// GetShared is Get for callers of which there may be many at the same time: where it
// costs less, the answer is put together from answers about many. It holds the relations
// that are given, and maybe others; their Members do not matter.
func (c *Client) GetShared(ctx context.Context, typ, name string, relations []Relation) (Object, error) {
	if c.uncoalesced {
		return c.Get(ctx, typ, name)
	}
	row := c.known.Present().Instance(typ, name, relations)
	if row == nil {
		o := &operation{name: name, relations: relations}
		if c.batcher.Do(ctx, batchKey{action: actGetShared, typ: Type{Name: typ}}, o) == nil {
			row = c.known.Present().Instance(typ, name, relations)
		}
	}
	if row == nil {
		return c.Get(ctx, typ, name)
	}
	return row, nil
}

// getSharedBatch queries the type as a whole when many want instances of it, and searches
// for their relations. Pages tell before whether the type is small enough for that: one is
// fetched for each batch, so that a large type is queried late.
func (c *Client) getSharedBatch(ctx context.Context, known *knowledge.Knowledge, typ string, operations []*operation) {
	defer batch.FinishAll(operations, nil)
	asked, queried := known.Whole.Ask(typ, len(operations))
	if asked < knowledge.ManyReaders || !c.seesEverything(ctx) {
		return
	}
	if queried || c.queryWhole(ctx, known, typ) {
		c.searchRelations(ctx, known, typ, operations)
	}
}

// queryWhole queries a type as soon as its pages tell how large it is.
func (c *Client) queryWhole(ctx context.Context, known *knowledge.Knowledge, typ string) bool {
	if next, more, _ := known.Names.Next(typ); more && c.fetchPage(ctx, known.Names, typ, next) != nil {
		return false
	}
	if _, more, _ := known.Names.Next(typ); more {
		return false
	}
	rows, err := c.endpoint.Query(ctx, typ, nil)
	if err == nil {
		err = endpoint.CheckNamed(typ, rows)
	}
	if err != nil {
		rows = nil
	}
	known.Whole.Complete(typ, rows)
	return err == nil
}
