// Looks for instances that are related to another, as a deletion needs them.

package enms

import (
	"context"
	"maps"
	"slices"
)

// Related gives id, name and type of the instances of typ that have name in
// their relation to many, such as the services that are in a workflow. Callers
// with the same typ and relation share a search. eNMS ignores a relation that
// typ does not have and answers everything (enms-rest.md 5.2): it must be one
// of typ's.
func (c *Client) Related(ctx context.Context, typ, relation, name string) ([]Object, error) {
	return c.related(ctx, lane{op: opRelated, typ: typ, detail: relation}, name)
}

// RelatedByID gives id, name and type of the instances of typ whose column
// holds an id, such as the links with a source_id. It works on every database,
// while PostgreSQL refuses to search some types by several names of a relation
// (enms-rest.md 10). Callers with the same typ and column share a search.
func (c *Client) RelatedByID(ctx context.Context, typ, column, id string) ([]Object, error) {
	return c.related(ctx, lane{op: opRelatedByID, typ: typ, detail: column}, id)
}

func (c *Client) related(ctx context.Context, l lane, key string) ([]Object, error) {
	k := &call{ctx: ctx, name: key}
	if err := c.travel(l, k); err != nil {
		return nil, err
	}
	return k.ticket.rows, nil
}

// relatedByIDs answers the calls of a batch by searches for their ids; the rows
// tell whose they are.
func (c *Client) relatedByIDs(ctx context.Context, l lane, calls []*call) {
	byID := map[string][]*call{}
	for _, k := range calls {
		byID[k.name] = append(byID[k.name], k)
	}
	for _, ids := range chunks(slices.Sorted(maps.Keys(byID))) {
		rows, err := c.Search(ctx, Search{
			Type: l.typ, Columns: columnList(map[string]bool{l.detail: true}), entries: len(ids),
			Criteria: map[string]any{l.detail: pattern(ids), l.detail + "_filter": "regex"},
		})
		of := map[string][]Object{}
		for _, row := range rows {
			if named := checkNamed(l.typ, row); named != nil {
				err = named
			}
			id := idText(row[l.detail])
			of[id] = append(of[id], row)
		}
		for _, id := range ids {
			answerRelated(byID[id], of[id], err)
		}
	}
}

// relatedAll asks once for all names of a batch. Usually nothing is related to
// any of them and everybody is answered; otherwise each name is asked for alone,
// because the rows do not tell whose they are.
func (c *Client) relatedAll(ctx context.Context, l lane, calls []*call) {
	byName := map[string][]*call{}
	for _, k := range calls {
		byName[k.name] = append(byName[k.name], k)
	}
	names := slices.Sorted(maps.Keys(byName))
	rows, err := c.searchRelated(ctx, l, names)
	if err != nil || len(rows) == 0 || len(names) == 1 {
		answerRelated(calls, rows, err)
		return
	}
	for _, name := range names {
		if len(live(byName[name])) == 0 {
			continue
		}
		rows, err := c.searchRelated(ctx, l, []string{name})
		answerRelated(byName[name], rows, err)
	}
}

// answerRelated gives calls for the same name, or for none, their rows.
func answerRelated(calls []*call, rows []Object, err error) {
	for _, k := range calls {
		for _, row := range rows {
			k.ticket.rows = append(k.ticket.rows, maps.Clone(row))
		}
		k.finish(err)
	}
}

// searchRelated finds what is related to any of names.
func (c *Client) searchRelated(ctx context.Context, l lane, names []string) ([]Object, error) {
	rows, err := c.Search(ctx, Search{
		Type: l.typ, Columns: columnList(nil), entries: len(names),
		Criteria: map[string]any{l.detail: names, l.detail + "_filter": "union"},
	})
	for _, row := range rows {
		if err := checkNamed(l.typ, row); err != nil {
			return nil, err
		}
	}
	return rows, err
}
