// Looks for instances that are related to another, or to none: what a deletion concerns, and
// what refers to instances that a plan deletes.

package enms

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/knowledge"
)

// Related returns id, name and type of the instances of typ that have name in
// their relation to many, such as the services that are in a workflow. Callers
// with the same typ and relation share a search. eNMS ignores a relation that
// typ does not have and answers everything (enms-rest.md 5.2): it must be one
// of typ's.
func (c *Client) Related(ctx context.Context, typ, relation, name string) ([]Object, error) {
	return c.related(ctx, batchKey{action: actRelated, typ: Type{Name: typ}, detail: relation}, name)
}

// RelatedByID returns id, name and type of the instances of typ whose column
// holds an id, such as the links with a source_id. It works on every database,
// while PostgreSQL refuses to search some types by several names of a relation
// (enms-rest.md 10). Callers with the same typ and column share a search.
func (c *Client) RelatedByID(ctx context.Context, typ, column, id string) ([]Object, error) {
	return c.related(ctx, batchKey{action: actRelatedByID, typ: Type{Name: typ}, detail: column}, id)
}

// related asks again when what this client has deleted is among the related.
func (c *Client) related(ctx context.Context, key batchKey, of string) (rows []Object, err error) {
	untilConsistent(ctx, consistentTries, func() bool {
		o := &operation{name: of}
		if err = c.batcher.Do(ctx, key, o); err != nil {
			return true
		}
		rows = o.rows
		return !slices.ContainsFunc(rows, func(row Object) bool { return c.removed.has(endpoint.String(row, "name")) })
	})
	return rows, err
}

// relatedByIDBatch searches for the ids of a batch; the rows tell whose they
// are.
func (c *Client) relatedByIDBatch(ctx context.Context, key batchKey, operations []*operation) {
	sameID, all := groupByName(operations)
	for _, ids := range endpoint.Chunks(all) {
		rows, err := c.endpoint.SearchAll(ctx, endpoint.Search{
			Type: key.typ.Name, Columns: []string{key.detail}, Names: len(ids),
			Criteria: map[string]any{key.detail: endpoint.Pattern(ids), key.detail + "_filter": "regex"},
		})
		of := map[string][]Object{}
		for _, row := range rows {
			id := endpoint.IDText(row[key.detail])
			of[id] = append(of[id], row)
		}
		for _, id := range ids {
			answerRelated(sameID[id], of[id], err)
		}
	}
}

// relatedBatch asks once for all names of a batch. Usually nothing is related to
// any of them and everybody is answered; otherwise each name is asked for alone,
// because the rows do not tell whose they are.
func (c *Client) relatedBatch(ctx context.Context, key batchKey, operations []*operation) {
	sameName, names := groupByName(operations)
	relatedTo := func(names []string) ([]Object, error) {
		return c.endpoint.SearchAll(ctx, endpoint.Search{Type: key.typ.Name, Names: len(names), Criteria: anyOf(key.detail, names)})
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

// answerRelated sets the rows of operations for the same name.
func answerRelated(operations []*operation, rows []Object, err error) {
	for _, o := range operations {
		for _, row := range rows {
			o.rows = append(o.rows, maps.Clone(row))
		}
		o.Finish(err)
	}
}

// Unrelated reports whether an instance of typ is there and has nothing in any of several
// relations to many, such as a device that is in no task (enms-rest.md 5.3). Callers with
// the same typ and relations share searches, for names or for pages of the type. The
// relations must be typ's.
func (c *Client) Unrelated(ctx context.Context, typ string, relations []string, name string) (bool, error) {
	key := batchKey{action: actFindUnrelated, typ: Type{Name: typ}, detail: strings.Join(relations, " ")}
	row, err := c.known.Present().Unrelated(key.detail).Find(typ, name, nil)
	if row == nil && err == nil {
		o := &operation{name: name}
		if err = c.batcher.Do(ctx, key, o); err == nil {
			row = o.row // who leaves early must not look at it
		}
	}
	if errors.Is(err, knowledge.ErrUnconfirmed) {
		return false, nil
	}
	return err == nil && row != nil, err
}

// RelatedToAny returns id, name, type and columns of the instances of typ that have a name
// in their relation to many, and maybe of others: callers with the same typ and relation
// share one search for all their names, and get all that it finds. PostgreSQL refuses such a
// search for devices, links and subtypes (enms-rest.md 10.6). The relation must be typ's.
func (c *Client) RelatedToAny(ctx context.Context, typ, relation, name string, columns []string) ([]Object, error) {
	o := &operation{name: name, columns: columns}
	err := c.batcher.Do(ctx, batchKey{action: actRelatedToAny, typ: Type{Name: typ}, detail: relation}, o)
	if err != nil {
		return nil, err
	}
	return o.rows, nil
}

// relatedToAnyBatch searches for all names of a batch.
func (c *Client) relatedToAnyBatch(ctx context.Context, key batchKey, operations []*operation) {
	_, names := groupByName(operations)
	var columns []string
	for _, o := range operations {
		columns = append(columns, o.columns...)
	}
	rows, err := c.endpoint.SearchAll(ctx, endpoint.Search{Type: key.typ.Name, Columns: columns, Names: len(names), Criteria: anyOf(key.detail, names)})
	answerRelated(operations, rows, err)
}

// anyOf returns the criteria of instances that have any of the names in a relation.
func anyOf(relation string, names []string) map[string]any {
	return map[string]any{relation: names, relation + "_filter": "union"}
}

// withCriteria are criteria together with further ones.
func withCriteria(criteria, further map[string]any) map[string]any {
	all := map[string]any{}
	maps.Copy(all, criteria)
	maps.Copy(all, further)
	return all
}
