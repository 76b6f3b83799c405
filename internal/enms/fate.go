// This file asks the changelog what became of an instance: whether somebody renamed or deleted it, and who made
// what has its name now (event.go).

package enms

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

const (
	// mostRows is how many rows a question about the changelog returns at most.
	mostRows = 1000
	// mostNames is how many names a search of the changelog has at most: PostgreSQL needs two seconds for one name and a
	// million rows, and 14 seconds for a hundred names.
	mostNames = 20
	// mostRounds is how many names in a row the search for a name follows.
	mostRounds = 10
)

// Fate asks the changelog for the fate of an instance. Callers at the same time share requests, and what was read is
// kept for later callers.
func (c *Client) Fate(ctx context.Context, s Subject) (Fate, error) {
	return c.questions.fates.Ask(ctx, changelogType, s)
}

func newFates(c *Client) *fates {
	return batch.NewQuestions(c.lanes, endpoint.MaxNames, laneOfType, func(ctx context.Context, _ string, subjects []Subject) []batch.Answer[Fate] {
		events, err := c.eventsOf(ctx, subjects)
		return batch.Answers(len(subjects), err, func(i int) Fate { return subjects[i].fate(events) })
	})
}

// eventsOf returns the events that tell the fates of instances. They are among the newest rows, or, if there are more
// rows than one request returns, searches for names find them.
func (c *Client) eventsOf(ctx context.Context, subjects []Subject) ([]event, error) {
	from := subjects[0].Since.ID
	for _, s := range subjects {
		from = min(from, s.Since.ID)
	}
	from = max(1, from-overlap)
	events, err := c.history.since(ctx, c.endpoint, from, func(events []event) bool {
		return slices.ContainsFunc(subjects, func(s Subject) bool { return s.Now && !s.fate(events).isTold() })
	})
	if err == nil && !c.history.complete {
		events, err = searchEvents(ctx, c.endpoint, subjects, from)
	}
	return events, err
}

// eventPattern matches the contents of rows about creations, deletions and renames, and of some others.
const eventPattern = `^(CREATION|DELETION): |([(]|[|-] )name: '|soft_deleted: '`

// since returns the events since the row with the id from, or since an earlier row. Without a request, it returns those
// that were read before, unless they were complete and isOutdated returns true for them.
func (h *history) since(ctx context.Context, e *endpoint.Client, from int64, isOutdated func([]event) bool) ([]event, error) {
	if h.from != 0 && h.from <= from {
		if !h.complete || !isOutdated(h.events) {
			return h.events, nil
		}
		from = h.from
	}
	events, complete, err := findEvents(ctx, e, from, eventPattern)
	if err == nil {
		*h = history{from: from, complete: complete, events: events}
	}
	return events, err
}

// searchEvents finds the events with the names of the subjects, and with the names to which renames lead from these.
func searchEvents(ctx context.Context, e *endpoint.Client, subjects []Subject, from int64) (all []event, err error) {
	asked := map[string]bool{}
	var names []string
	add := func(name string) {
		if name != "" && !asked[name] {
			asked[name] = true
			names = append(names, name)
		}
	}
	for _, s := range subjects {
		add(s.Name)
		add(s.NameNow)
		add(s.Wanted)
	}
	for round := 0; len(names) > 0 && round < mostRounds; round++ {
		part := names[:min(len(names), mostNames)]
		names = slices.Clone(names[len(part):])
		found, complete, err := findEvents(ctx, e, from, patternOf(part))
		if err != nil {
			return nil, err
		}
		if !complete { // too many rows: nothing is known of these names
			continue
		}
		for _, v := range found {
			if asked[v.from] {
				add(v.to)
			}
		}
		all = append(all, found...)
	}
	slices.SortFunc(all, func(x, y event) int { return cmp.Compare(x.id, y.id) })
	return slices.CompactFunc(all, func(x, y event) bool { return x.id == y.id }), nil
}

// patternOf is eventPattern for events with some names.
func patternOf(names []string) string {
	escaped := make([]string, len(names))
	for i, name := range names {
		escaped[i] = regexp.QuoteMeta(name)
	}
	quoted := "'(" + strings.Join(escaped, "|") + ")'"
	return "^(CREATION|DELETION): [^ ]+ " + quoted + "($| )|name: " + quoted + " => |=> " + quoted + "|soft_deleted: '"
}

// findEvents returns the events since a row whose content matches a pattern, the oldest first. complete is false if
// there may be more.
func findEvents(ctx context.Context, e *endpoint.Client, from int64, pattern string) (events []event, complete bool, err error) {
	criteria := map[string]any{"content": pattern, "content_filter": "regex"}
	if from > 1 {
		criteria["id"], criteria["id_filter"] = atLeast(from), "regex"
	}
	rows, err := e.Search(ctx, endpoint.Search{Type: changelogType, Limit: mostRows, Latest: true, Criteria: criteria,
		Columns: []string{"time", authorField, "content", "target_name", "history"}})
	if err != nil {
		return nil, false, err
	}
	for _, row := range rows {
		if v, is := eventOf(row); is && v.id >= from {
			events = append(events, v)
		}
	}
	slices.SortFunc(events, func(x, y event) int { return cmp.Compare(x.id, y.id) })
	return events, len(rows) < mostRows, nil
}

// atLeast returns a regular expression that matches the decimal numbers from n on.
func atLeast(n int64) string {
	digits := strconv.FormatInt(n, 10)
	parts := []string{digits}
	for i := range digits {
		if digits[i] < '9' {
			parts = append(parts, digits[:i]+"["+string(digits[i]+1)+"-9]"+strings.Repeat("[0-9]", len(digits)-i-1))
		}
	}
	parts = append(parts, strings.Repeat("[0-9]", len(digits))+"[0-9]+")
	return "^(" + strings.Join(parts, "|") + ")$"
}
