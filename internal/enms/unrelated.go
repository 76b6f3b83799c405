// Looks for what refers to instances that a plan deletes. Mostly nothing does, and many are
// asked about at the same time.

package enms

import (
	"context"
	"errors"
	"maps"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/knowledge"
)

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
	rows, err := c.endpoint.SearchAll(ctx, endpoint.Search{
		Type: key.typ.Name, Columns: columns, Names: len(names),
		Criteria: map[string]any{key.detail: names, key.detail + "_filter": "union"},
	})
	answerRelated(operations, rows, err)
}

// withCriteria are criteria together with further ones.
func withCriteria(criteria, further map[string]any) map[string]any {
	all := map[string]any{}
	maps.Copy(all, criteria)
	maps.Copy(all, further)
	return all
}
