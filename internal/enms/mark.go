// This file takes marks of the changelog, and finds them again. A mark that is lost shows that another database answers: a
// restored one, or that of another server.

package enms

import (
	"context"
	"slices"
	"strconv"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// TakeMark returns the newest row of the changelog, or nil if the changelog is empty or cannot be read. A client asks
// once: before it reads what it imports, or after its first write.
func (c *Client) TakeMark(ctx context.Context) *Mark {
	c.marks.begun.Store(true)
	c.marks.mu.Lock()
	defer c.marks.mu.Unlock()
	if !c.marks.asked {
		c.marks.newest, _ = c.edgeOfChangelog(ctx, true)
		c.marks.asked = true
	}
	return c.marks.newest
}

// HasMark reports whether TakeMark was called: what is written from now on may be in the changelog after the mark.
func (c *Client) HasMark() bool { return c.marks.begun.Load() }

// edgeOfChangelog returns the newest or the oldest row of the changelog, or nil if that is empty.
func (c *Client) edgeOfChangelog(ctx context.Context, newest bool) (*Mark, error) {
	rows, err := c.endpoint.Search(ctx, endpoint.Search{Type: changelogType, Columns: []string{"time"}, Limit: 1, Latest: newest})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	mark, err := markOf(rows[0])
	return &mark, err
}

// FindMark returns what the changelog says about a mark. It is lost if the row with its id has another time, or if there
// is none although the changelog has older rows, or has not reached the id. Callers at the same time share a request,
// and each mark is asked for once.
func (c *Client) FindMark(ctx context.Context, mark Mark) (MarkStatus, error) {
	if status, known := c.marks.found.Load(mark); known {
		return status.(MarkStatus), nil
	}
	row, err := c.questions.marks.Ask(ctx, changelogType, strconv.FormatInt(mark.ID, 10))
	status := MarkFound
	switch {
	case err != nil:
		return MarkLost, err
	case row == nil:
		status, err = c.statusOfMissing(ctx, mark)
	case endpoint.String(row, "time") != mark.Time:
		status = MarkLost
	}
	if err == nil {
		c.marks.found.Store(mark, status)
	}
	return status, err
}

// statusOfMissing is FindMark for a mark whose row the changelog does not have.
func (c *Client) statusOfMissing(ctx context.Context, mark Mark) (MarkStatus, error) {
	oldest, err := c.edgeOfChangelog(ctx, false)
	if err != nil || oldest == nil || oldest.ID < mark.ID { // then it has older rows, or its ids begin anew
		return MarkLost, err
	}
	return MarkExpired, nil
}

func newRowsOfMarks(c *Client) *rowsOfMarks {
	byID := map[string]Object{} // rows that were found: a caller may ask while another's answer is on its way
	return batch.NewQuestions(c.lanes, endpoint.MaxNames, laneOfType, func(ctx context.Context, changelog string, ids []string) []batch.Answer[Object] {
		var err error
		if names := slices.DeleteFunc(sortedSet(ids), func(id string) bool { return byID[id] != nil }); len(names) > 0 {
			var rows []Object
			rows, err = c.endpoint.Search(ctx, endpoint.Search{Type: changelog, Columns: []string{"time"}, Limit: len(names), Names: len(names),
				Criteria: map[string]any{"id": endpoint.Pattern(names), "id_filter": "regex"}})
			for _, row := range rows {
				byID[endpoint.IDText(row["id"])] = row
			}
		}
		return batch.Answers(len(ids), err, func(i int) Object { return byID[ids[i]] })
	})
}
