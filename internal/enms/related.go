// This file searches for instances that are related to another one, or to none. Callers that want the
// same at the same time share a search.

package enms

import (
	"context"
	"errors"
	"maps"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/cache"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// Related returns id, name and type of the instances of typ that have name in their relation to many, such as the
// services that are in a workflow. Callers with the same typ and relation share a search. The relation must be one
// of typ's: eNMS ignores one that typ does not have, and returns all instances (enms-rest.md 5.2).
func (c *Client) Related(ctx context.Context, typ, relation, name string) ([]Object, error) {
	return c.related(ctx, readKey(actRelated, typ, relation), name)
}

// RelatedByID returns id, name and type of the instances of typ whose column holds an id, such as the links with a
// source_id. It works on every database, while PostgreSQL refuses to search some types by several names of a
// relation (enms-rest.md 10). Callers with the same typ and column share a search.
func (c *Client) RelatedByID(ctx context.Context, typ, column, id string) ([]Object, error) {
	return c.related(ctx, readKey(actRelatedByID, typ, column), id)
}

// related returns what Related finds for a name, or RelatedByID for an id. It searches again if the rows show a
// deleted instance.
func (c *Client) related(ctx context.Context, key batchKey, nameOrID string) (rows []Object, err error) {
	untilConsistent(ctx, func() bool {
		o := &operation{name: nameOrID}
		if err = c.batcher.Do(ctx, key, o); err != nil {
			return true
		}
		rows = o.rows
		return !c.showsRemoved(rows)
	})
	return rows, err
}

// relatedByIDBatch searches for all ids of a batch at once. The column of each row shows to which id the
// instance is related.
func relatedByIDBatch(ctx context.Context, e *endpoint.Client, key batchKey, operations []*operation) {
	column := key.detail
	sameID, all := groupByName(operations)
	for _, ids := range endpoint.Chunks(all) {
		rows, err := searchByID(ctx, e, key.typ.Name, column, ids)
		related := map[string][]Object{}
		for _, row := range rows {
			id := endpoint.IDText(row[column])
			related[id] = append(related[id], row)
		}
		for _, id := range ids {
			answerRelated(sameID[id], related[id], err)
		}
	}
}

// searchByID searches for the instances whose column holds one of the ids.
func searchByID(ctx context.Context, e *endpoint.Client, typ, column string, ids []string) ([]Object, error) {
	return e.SearchAll(ctx, endpoint.Search{
		Type: typ, Columns: []string{column}, Names: len(ids),
		Criteria: map[string]any{column: endpoint.Pattern(ids), column + "_filter": "regex"},
	})
}

// relatedBatch searches once for all names of a batch. Usually no instance is related to any of them, which
// finishes all operations. Otherwise it searches for each name alone, because the rows do not show to
// which name they are related.
func relatedBatch(ctx context.Context, e *endpoint.Client, key batchKey, operations []*operation) {
	relation := key.detail
	sameName, names := groupByName(operations)
	relatedTo := func(names []string) ([]Object, error) {
		return e.SearchAll(ctx, endpoint.Search{Type: key.typ.Name, Names: len(names), Criteria: anyOf(relation, names)})
	}
	rows, err := relatedTo(names)
	if err != nil || len(rows) == 0 || len(names) == 1 {
		answerRelated(operations, rows, err)
		return
	}
	for _, name := range names {
		if len(batch.Pending(sameName[name])) > 0 {
			rows, err := relatedTo([]string{name})
			answerRelated(sameName[name], rows, err)
		}
	}
}

// answerRelated finishes operations, each with copies of the rows.
func answerRelated(operations []*operation, rows []Object, err error) {
	for _, o := range operations {
		for _, row := range rows {
			o.rows = append(o.rows, maps.Clone(row))
		}
		o.Finish(err)
	}
}

// Unrelated reports whether an instance of typ exists and has no members in any of several relations to many, such
// as a device that is in no task (enms-rest.md 5.3). Callers with the same typ and relations share searches, for
// names or for pages of the type. The relations must be typ's.
func (c *Client) Unrelated(ctx context.Context, typ string, relations []string, name string) (bool, error) {
	row, err := c.findTogether(ctx, readKey(actFindUnrelated, typ, strings.Join(relations, " ")), &operation{name: name})
	if errors.Is(err, cache.ErrUnconfirmed) { // it has members, or does not exist
		return false, nil
	}
	return err == nil && row != nil, err
}

// RelatedToAny returns id, name, type and columns of the instances of typ whose relation to many contains name.
// It may return further instances: callers with the same typ and relation share one search for all their names, and
// each of them gets every row. PostgreSQL refuses such a search for devices, links and subtypes (enms-rest.md 10.6).
// typ must have the relation.
func (c *Client) RelatedToAny(ctx context.Context, typ, relation, name string, columns []string) ([]Object, error) {
	o := &operation{name: name, columns: columns}
	if err := c.batcher.Do(ctx, readKey(actRelatedToAny, typ, relation), o); err != nil {
		return nil, err
	}
	return o.rows, nil
}

// relatedToAnyBatch makes one search for all names, with the columns of all callers.
func relatedToAnyBatch(ctx context.Context, e *endpoint.Client, key batchKey, operations []*operation) {
	relation := key.detail
	_, names := groupByName(operations)
	var columns []string
	for _, o := range operations {
		columns = append(columns, o.columns...)
	}
	rows, err := e.SearchAll(ctx, endpoint.Search{Type: key.typ.Name, Columns: columns, Names: len(names), Criteria: anyOf(relation, names)})
	answerRelated(operations, rows, err)
}

// anyOf returns the criteria for instances that have any of the names in a relation to many.
func anyOf(relation string, names []string) map[string]any {
	return map[string]any{relation: names, relation + "_filter": "union"}
}
