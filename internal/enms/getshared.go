// GetShared: whole instances without a GET for each, for imports and data sources. One
// query answers all fields of all instances of a type but their relations (enms-rest.md
// 5.1), which searches tell.

package enms

import (
	"context"
	"maps"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// GetShared is Get for callers of which there may be many at the same time: where it
// costs less, the answer is put together from answers about many. It holds the relations
// that are given, and maybe others; their Members do not matter.
func (c *Client) GetShared(ctx context.Context, typ, name string, relations []Relation) (Object, error) {
	if c.uncoalesced {
		return c.Get(ctx, typ, name)
	}
	row := c.assemble(typ, name, relations)
	if row == nil {
		o := &operation{name: name, relations: relations}
		if c.batcher.Do(ctx, batchKey{action: actGetShared, typ: Type{Name: typ}}, o) == nil {
			row = c.assemble(typ, name, relations)
		}
	}
	if row == nil {
		return c.Get(ctx, typ, name)
	}
	return row, nil
}

// assemble puts an instance together; nil when not all of it is known.
func (c *Client) assemble(typ, name string, relations []Relation) Object {
	known, unlock := c.wholes.of(typ)
	row := maps.Clone(known.rows[name])
	unlock()
	if row == nil || endpoint.Deleted(row) {
		return nil
	}
	for _, r := range relations {
		members, known := c.members.of(typ, name, r.Name)
		if !known {
			return nil
		}
		row[r.Name] = members
	}
	return row
}

// getSharedBatch queries the type as a whole when many want instances of it, and searches
// for their relations. Pages tell before whether the type is small enough for that: one is
// fetched for each batch, so that a large type is queried late.
func (c *Client) getSharedBatch(ctx context.Context, typ string, operations []*operation) {
	defer batch.FinishAll(operations, nil)
	known, unlock := c.wholes.of(typ)
	known.asked += len(operations)
	many, queried := known.asked >= manyReaders, known.queried
	unlock()
	if !many || !c.seesEverything(ctx) {
		return
	}
	if !queried && !c.queryWhole(ctx, typ, known) {
		return
	}
	c.searchRelations(ctx, typ, operations)
}

// queryWhole queries a type as soon as its pages tell how large it is.
func (c *Client) queryWhole(ctx context.Context, typ string, known *wholeType) bool {
	if next, more := c.pages.following(typ); more && c.fetchPage(ctx, c.pages, typ, next) != nil {
		return false
	}
	if _, more := c.pages.following(typ); more {
		return false
	}
	rows, err := c.Query(ctx, typ, nil)
	if err == nil {
		err = endpoint.CheckNamed(typ, rows)
	}
	c.wholes.mu.Lock()
	defer c.wholes.mu.Unlock()
	known.queried, known.rows = true, map[string]Object{}
	if err != nil {
		return false
	}
	for name, row := range endpoint.RowsBy("name", rows, nil) {
		known.rows[name] = row
	}
	return true
}
