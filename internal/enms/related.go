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

func laneOfRelation(key relationKey) string { return key.typ }

func newRelated(c *Client) *related {
	return batch.NewQuestions(c.lanes, endpoint.MaxNames, laneOfRelation, func(ctx context.Context, key relationKey, names []string) []batch.Answer[[]Object] {
		return findRelated(ctx, c.endpoint, key, names)
	})
}

func newRelatedByID(c *Client) *related {
	return batch.NewQuestions(c.lanes, endpoint.MaxNames, laneOfRelation, func(ctx context.Context, key relationKey, ids []string) []batch.Answer[[]Object] {
		return findRelatedByID(ctx, c.endpoint, key, ids)
	})
}

// Related returns id, name and type of the instances of typ that have name in their relation to many, such as the
// services that are in a workflow. Callers with the same typ and relation share a search. The relation must be one
// of typ's: eNMS ignores one that typ does not have, and returns all instances (enms-rest.md 5.2).
func (c *Client) Related(ctx context.Context, typ, relation, name string) ([]Object, error) {
	return c.askRelated(ctx, c.questions.related, relationKey{typ, relation}, name)
}

// RelatedByID returns id, name and type of the instances of typ whose column holds an id, such as the links with a
// source_id. It works on every database, while PostgreSQL refuses to search some types by several names of a
// relation (enms-rest.md 10). Callers with the same typ and column share a search.
func (c *Client) RelatedByID(ctx context.Context, typ, column, id string) ([]Object, error) {
	return c.askRelated(ctx, c.questions.relatedByID, relationKey{typ, column}, id)
}

// askRelated returns what Related finds for a name, or RelatedByID for an id. It searches again if the rows show a
// deleted instance.
func (c *Client) askRelated(ctx context.Context, questions *related, key relationKey, nameOrID string) (rows []Object, err error) {
	untilConsistent(ctx, func() bool {
		rows, err = questions.Ask(ctx, key, nameOrID)
		return err != nil || !c.showsRemoved(rows)
	})
	return rows, err
}

// findRelatedByID searches for all ids at once. The column of each row shows to which id the instance is related.
func findRelatedByID(ctx context.Context, e *endpoint.Client, key relationKey, ids []string) []batch.Answer[[]Object] {
	related := map[string]batch.Answer[[]Object]{}
	for _, part := range endpoint.Chunks(sortedSet(ids)) {
		rows, err := searchByID(ctx, e, key.typ, key.relation, part)
		for _, id := range part {
			related[id] = batch.Answer[[]Object]{Err: err}
		}
		for _, row := range rows {
			id := endpoint.IDText(row[key.relation])
			answer := related[id]
			answer.Value = append(answer.Value, row)
			related[id] = answer
		}
	}
	return batch.AnswersOf(ids, related, copies)
}

// searchByID searches for the instances whose column holds one of the ids.
func searchByID(ctx context.Context, e *endpoint.Client, typ, column string, ids []string) ([]Object, error) {
	return e.SearchAll(ctx, endpoint.Search{
		Type: typ, Columns: []string{column}, Names: len(ids),
		Criteria: map[string]any{column: endpoint.Pattern(ids), column + "_filter": "regex"},
	})
}

// findRelated searches once for all names. Usually no instance is related to any of them. Otherwise it searches for
// each name alone, because the rows do not show to which name they are related.
func findRelated(ctx context.Context, e *endpoint.Client, key relationKey, asked []string) []batch.Answer[[]Object] {
	names := sortedSet(asked)
	search := func(names []string) ([]Object, error) {
		return e.SearchAll(ctx, endpoint.Search{Type: key.typ, Names: len(names), Criteria: anyOf(key.relation, names)})
	}
	rows, err := search(names)
	if err != nil || len(rows) == 0 || len(names) == 1 {
		return batch.Answers(len(asked), err, func(int) []Object { return copies(rows) })
	}
	related := map[string]batch.Answer[[]Object]{}
	for _, name := range names {
		rows, err := search([]string{name})
		related[name] = batch.Answer[[]Object]{Value: rows, Err: err}
	}
	return batch.AnswersOf(asked, related, copies)
}

// copies returns copies of rows, for one of several callers.
func copies(rows []Object) (all []Object) {
	for _, row := range rows {
		all = append(all, maps.Clone(row))
	}
	return all
}

// Unrelated reports whether an instance of typ exists and has no members in any of several relations to many, such
// as a device that is in no task (enms-rest.md 5.3). Callers with the same typ and relations share searches, for
// names or for pages of the type. The relations must be typ's.
func (c *Client) Unrelated(ctx context.Context, typ string, relations []string, name string) (bool, error) {
	_, err := c.findTogether(ctx, findKey{typ: typ, by: byUnrelated, relations: strings.Join(relations, " ")}, find{value: name})
	if errors.Is(err, cache.ErrUnconfirmed) { // it has members, or does not exist
		return false, nil
	}
	return err == nil, err
}

func newRelatedToAny(c *Client) *relatedToAny {
	return batch.NewQuestions(c.lanes, endpoint.MaxNames, laneOfRelation, func(ctx context.Context, key relationKey, asked []nameAndColumns) []batch.Answer[[]Object] {
		return findRelatedToAny(ctx, c.endpoint, key, asked)
	})
}

// RelatedToAny returns id, name, type and columns of the instances of typ whose relation to many contains name.
// It may return further instances: callers with the same typ and relation share one search for all their names, and
// each of them gets every row. PostgreSQL refuses such a search for devices, links and subtypes (enms-rest.md 10.6).
// typ must have the relation.
func (c *Client) RelatedToAny(ctx context.Context, typ, relation, name string, columns []string) ([]Object, error) {
	return c.questions.relatedToAny.Ask(ctx, relationKey{typ, relation}, nameAndColumns{name, columns})
}

// findRelatedToAny makes one search for all names, with the columns of all callers.
func findRelatedToAny(ctx context.Context, e *endpoint.Client, key relationKey, asked []nameAndColumns) []batch.Answer[[]Object] {
	var names, columns []string
	for _, q := range asked {
		names = append(names, q.name)
		columns = append(columns, q.columns...)
	}
	names = sortedSet(names)
	rows, err := e.SearchAll(ctx, endpoint.Search{Type: key.typ, Columns: columns, Names: len(names), Criteria: anyOf(key.relation, names)})
	return batch.Answers(len(asked), err, func(int) []Object { return copies(rows) })
}

// anyOf returns the criteria for instances that have any of the names in a relation to many.
func anyOf(relation string, names []string) map[string]any {
	return map[string]any{relation: names, relation + "_filter": "union"}
}
