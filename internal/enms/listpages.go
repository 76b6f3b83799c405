// Lists page by page, for whoever wants the first instances before the last.

package enms

import (
	"context"
	"errors"
	"iter"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/knowledge"
)

// errSamePage tells of a server on which there is no going through pages.
var errSamePage = errors.New("eNMS answers the same instances to every page that it is asked for")

// Pages gives what List gives, in the order of the ids and page by page. What is deleted
// meanwhile makes later instances move into pages that were read before: pages overlap,
// and where they do not, earlier ones are read again. After an error there is nothing.
func (c *Client) Pages(ctx context.Context, typ string, columns []string, criteria map[string]any) iter.Seq2[[]Object, error] {
	return func(yield func([]Object, error) bool) {
		seen, start, back := map[string]bool{}, 0, false
		for {
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
			case start > 0 && len(fresh) == len(rows): // something before was deleted
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

// notIn are the rows whose ids are not among those that were seen, once each.
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

// undeleted are the rows of instances that are not deleted.
func undeleted(rows []Object) (there []Object) {
	for _, row := range rows {
		if !endpoint.Deleted(row) {
			there = append(there, row)
		}
	}
	return there
}
