// This file searches for all instances of a type that meet criteria, at once or page by page; for
// instances that are related to another one, or to none; and for what this eNMS supports, such as
// types and criteria, which no request lists (enms-rest.md 5.2). Callers that want the same at
// the same time share a search.

package enms

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/knowledge"
)

// Search returns the instances of a type that match criteria, which are written as eNMS expects
// them. Rows have id, name, type and the columns. eNMS ignores criteria that it does not know
// (enms-rest.md 5.2). Callers that want the same at the same time share a request, and must not
// change the rows.
func (c *Client) Search(ctx context.Context, typ string, columns []string, criteria map[string]any) ([]Object, error) {
	detail, err := json.Marshal([]any{columns, criteria})
	if err != nil {
		return nil, err
	}
	o := &operation{ask: func(ctx context.Context) ([]Object, error) {
		return c.endpoint.SearchAll(ctx, endpoint.Search{Type: typ, Columns: columns, Criteria: criteria})
	}}
	err = c.batcher.Do(ctx, batchKey{action: actSearch, typ: Type{Name: typ}, detail: string(detail)}, o)
	return o.rows, err
}

func searchBatch(ctx context.Context, operations []*operation) {
	rows, err := operations[0].ask(ctx)
	for _, o := range operations {
		o.rows = rows
	}
	batch.FinishAll(operations, err)
}

// List is Search for instances that are not deleted, each of which has an id. It asks again if
// the rows contain what this client has deleted.
func (c *Client) List(ctx context.Context, typ string, columns []string, criteria map[string]any) (rows []Object, err error) {
	untilConsistent(ctx, consistentTries, func() bool {
		rows, err = c.Search(ctx, typ, columns, criteria)
		return err != nil || !slices.ContainsFunc(rows, func(row Object) bool { return c.removed.has(endpoint.String(row, "name")) })
	})
	if err == nil {
		err = endpoint.CheckListed(typ, rows)
	}
	if err != nil {
		return nil, err
	}
	return undeleted(rows), nil
}

// errSamePage is the error of Pages for a server that does not support pages.
var errSamePage = errors.New("eNMS answers the same instances to every page that it is asked for")

// mostListed bounds the instances that Pages yields.
const mostListed = 1_000_000

// errEndless is the error of Pages for a server whose pages do not come to an end.
var errEndless = errors.New("eNMS returns page after page")

// Pages yields what List returns, in the order of the ids and page by page. If instances are
// deleted meanwhile, later ones move into pages that were read before. Therefore pages overlap;
// if two do not, earlier pages are read again. An error is the last item.
func (c *Client) Pages(ctx context.Context, typ string, columns []string, criteria map[string]any) iter.Seq2[[]Object, error] {
	return c.pagesUpTo(ctx, mostListed, typ, columns, criteria)
}

// pagesUpTo is Pages with a bound. A page that is read again counts against it as well.
func (c *Client) pagesUpTo(ctx context.Context, most int, typ string, columns []string, criteria map[string]any) iter.Seq2[[]Object, error] {
	return func(yield func([]Object, error) bool) {
		seen, start, back := map[string]bool{}, 0, false
		for pages := 1; ; pages++ {
			rows, err := c.endpoint.Search(ctx, endpoint.Search{Type: typ, Columns: columns, Criteria: criteria, Start: start, Limit: knowledge.PageRows})
			if err == nil {
				err = endpoint.CheckListed(typ, rows)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			fresh := notIn(seen, rows)
			switch {
			case len(seen) > most || pages > 2*most/knowledge.PageRows:
				yield(nil, fmt.Errorf("%w: %d instances in %d pages", errEndless, len(seen), pages))
				return
			case start > 0 && len(fresh) == len(rows): // the pages do not overlap: an earlier instance was deleted
				start, back = max(0, start-knowledge.PageRows), true
				continue
			case len(fresh) == 0 && len(rows) >= knowledge.PageRows && !back:
				yield(nil, errSamePage)
				return
			}
			for _, row := range fresh {
				seen[endpoint.IDText(row["id"])] = true
			}
			if !yield(undeleted(fresh), nil) || len(rows) < knowledge.PageRows {
				return
			}
			start, back = start+len(rows)-1, false
		}
	}
}

// notIn returns the rows whose ids are not among those that were seen, once each.
func notIn(seen map[string]bool, rows []Object) (fresh []Object) {
	here := map[string]bool{}
	for _, row := range rows {
		if id := endpoint.IDText(row["id"]); !seen[id] && !here[id] {
			here[id] = true
			fresh = append(fresh, row)
		}
	}
	return fresh
}

func undeleted(rows []Object) (there []Object) {
	for _, row := range rows {
		if !endpoint.Deleted(row) {
			there = append(there, row)
		}
	}
	return there
}

// Related returns id, name and type of the instances of typ that have name in their relation to
// many, such as the services that are in a workflow. Callers with the same typ and relation share
// a search. The relation must be one of typ's: eNMS ignores one that typ does not have, and
// returns all instances (enms-rest.md 5.2).
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

// related asks again if the answer contains instances that this client has deleted.
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

// relatedByIDBatch searches for all ids of a batch at once. Each row tells to which id it is
// related.
func (c *Client) relatedByIDBatch(ctx context.Context, key batchKey, operations []*operation) {
	sameID, all := groupByName(operations)
	for _, ids := range endpoint.Chunks(all) {
		rows, err := c.searchByID(ctx, key.typ.Name, key.detail, ids)
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

// searchByID searches for the instances whose column holds one of the ids.
func (c *Client) searchByID(ctx context.Context, typ, column string, ids []string) ([]Object, error) {
	return c.endpoint.SearchAll(ctx, endpoint.Search{
		Type: typ, Columns: []string{column}, Names: len(ids),
		Criteria: map[string]any{column: endpoint.Pattern(ids), column + "_filter": "regex"},
	})
}

// relatedBatch asks once for all names of a batch. Usually nothing is related to any of them,
// which answers all operations. Otherwise each name is asked for alone, because the rows do not
// tell to which name they are related.
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

// Unrelated reports whether an instance of typ exists and has no members in any of several
// relations to many, such as a device that is in no task (enms-rest.md 5.3). Callers with the
// same typ and relations share searches, for names or for pages of the type. The relations must
// be typ's.
func (c *Client) Unrelated(ctx context.Context, typ string, relations []string, name string) (bool, error) {
	key := batchKey{action: actFindUnrelated, typ: Type{Name: typ}, detail: strings.Join(relations, " ")}
	row, err := c.known.Present().Unrelated(key.detail).Find(typ, name, nil)
	if row == nil && err == nil {
		o := &operation{name: name}
		if err = c.batcher.Do(ctx, key, o); err == nil {
			row = o.row // a caller that leaves early must not read it
		}
	}
	if errors.Is(err, knowledge.ErrUnconfirmed) {
		return false, nil
	}
	return err == nil && row != nil, err
}

// RelatedToAny returns id, name, type and columns of the instances of typ that have a name in
// their relation to many, and possibly of others: callers with the same typ and relation share
// one search for all their names, and each gets everything that it finds. PostgreSQL refuses such
// a search for devices, links and subtypes (enms-rest.md 10.6). The relation must be typ's.
func (c *Client) RelatedToAny(ctx context.Context, typ, relation, name string, columns []string) ([]Object, error) {
	o := &operation{name: name, columns: columns}
	err := c.batcher.Do(ctx, batchKey{action: actRelatedToAny, typ: Type{Name: typ}, detail: relation}, o)
	if err != nil {
		return nil, err
	}
	return o.rows, nil
}

func (c *Client) relatedToAnyBatch(ctx context.Context, key batchKey, operations []*operation) {
	_, names := groupByName(operations)
	var columns []string
	for _, o := range operations {
		columns = append(columns, o.columns...)
	}
	rows, err := c.endpoint.SearchAll(ctx, endpoint.Search{Type: key.typ.Name, Columns: columns, Names: len(names), Criteria: anyOf(key.detail, names)})
	answerRelated(operations, rows, err)
}

func anyOf(relation string, names []string) map[string]any {
	return map[string]any{relation: names, relation + "_filter": "union"}
}

func withCriteria(criteria, further map[string]any) map[string]any {
	all := map[string]any{}
	maps.Copy(all, criteria)
	maps.Copy(all, further)
	return all
}

// mostOfSite is how many instances TypesInUse reads to find the types that a site has added.
const mostOfSite = 1000

// noName is a name that no instance has.
const noName = "no instance has this name"

// HasType reports whether eNMS has an instance type. eNMS answers 500 without a reason to a
// search for an unknown type (enms-rest.md 5.2), but also in other cases. This search matches no
// instance, so that nothing else should be wrong with it; the caller makes sure that eNMS answers
// other searches.
func (c *Client) HasType(ctx context.Context, typ string) (bool, error) {
	_, err := c.endpoint.Search(ctx, endpoint.Search{Type: typ, Limit: 1, Criteria: map[string]any{"name": noName, "name_filter": "equality"}})
	if InternalServerError(err) {
		return false, nil
	}
	return err == nil, err
}

// TypesInUse returns the subtypes of a type, such as "service", that have instances which this
// user may see. It returns them sorted, without those that are known.
func (c *Client) TypesInUse(ctx context.Context, typ string, known []string) ([]string, error) {
	escaped := make([]string, len(known))
	for i, name := range known {
		escaped[i] = regexp.QuoteMeta(name)
	}
	rows, err := c.endpoint.Search(ctx, endpoint.Search{Type: typ, Limit: mostOfSite,
		Criteria: map[string]any{"type": "^(?!(" + strings.Join(escaped, "|") + ")$)", "type_filter": "regex"}})
	if err != nil {
		return nil, err
	}
	var types []string
	for _, row := range rows {
		if found := endpoint.String(row, "type"); found != "" && !slices.Contains(known, found) {
			types = append(types, found)
		}
	}
	slices.Sort(types)
	return slices.Compact(types), nil
}

// Ignores reports whether eNMS ignores criteria, as it does if it does not know the property
// (enms-rest.md 5.2). No instance may meet them, so that any result shows it. Criteria that eNMS
// is known to respect take no request.
func (c *Client) Ignores(ctx context.Context, typ string, criteria map[string]any) (bool, error) {
	asked, err := json.Marshal([]any{typ, criteria})
	if err != nil || c.respected.has(string(asked)) {
		return false, err
	}
	rows, err := c.endpoint.Search(ctx, endpoint.Search{Type: typ, Criteria: criteria, Limit: 1})
	if err == nil && len(rows) == 0 {
		c.respected.add(string(asked))
	}
	return len(rows) > 0, err
}

// Searchable reports whether eNMS can search a type by criteria: its database cannot search by
// some (enms-rest.md 10.6). Criteria that have worked before take no request.
func (c *Client) Searchable(ctx context.Context, typ string, criteria map[string]any) (bool, error) {
	asked, err := json.Marshal([]any{typ, criteria})
	if err != nil || c.searchable.has(string(asked)) {
		return err == nil, err
	}
	works, err := c.canSearch(ctx, typ, criteria)
	if works && err == nil {
		c.searchable.add(string(asked))
	}
	return works, err
}

// canSearch is Searchable, and always asks.
func (c *Client) canSearch(ctx context.Context, typ string, criteria map[string]any) (bool, error) {
	_, err := c.endpoint.Search(ctx, endpoint.Search{Type: typ, Criteria: criteria, Limit: 1})
	if InternalServerError(err) {
		return false, nil
	}
	return err == nil, err
}
