// This file reads the changelog: who has created, changed and deleted what (enms-rest.md 11.9).

package enms

import (
	"context"
	"regexp"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// ChangeSelection says which changes to find. A field that is "" selects all changes.
type ChangeSelection struct {
	Author     string
	Type, Name string // of the instance, as they were at the time
	Since      string // the earliest time, or the beginning of it
	Most       int    // how many changes to find, the latest first
}

// changeFormat matches the entries about instances. The changelog has other messages, too.
var changeFormat = regexp.MustCompile(`(?s)^(CREATION|UPDATE|DELETION): ([^ ]+) '(.*?)'(?: \(|:|$)`)

// pattern returns a regular expression that matches the contents of the entries about the selected instance.
// The entry of a deletion has the type and the name of the instance only in its content.
func (s ChangeSelection) pattern() string {
	typ, name := "[^ ]+", ""
	if s.Type != "" {
		typ = regexp.QuoteMeta(s.Type)
	}
	if s.Name != "" {
		name = regexp.QuoteMeta(s.Name) + "'(:|$| [(])"
	}
	return "^(CREATION|UPDATE|DELETION): " + typ + " '" + name
}

// Changes returns the latest changes of a selection, the last one first. It returns an error if eNMS ignores
// the selection.
func (c *Client) Changes(ctx context.Context, s ChangeSelection) (found []Change, err error) {
	criteria := map[string]any{"content": s.pattern(), "content_filter": "regex"}
	if s.Author != "" {
		criteria[authorField], criteria[authorField+"_filter"] = s.Author, "equality"
	}
	rows, err := c.endpoint.Search(ctx, endpoint.Search{Type: changelogType, Limit: s.Most, Criteria: criteria, Latest: true,
		Columns: []string{"time", authorField, "content", "source", "history"}})
	if err != nil {
		return nil, err
	}
	changes := make([]Change, len(rows))
	for i, row := range rows {
		changes[i] = changeOf(row)
	}
	if err := c.CheckRespected(ctx, changelogType,
		Criterion{Field: authorField, Shown: All(changes, func(e Change) bool { return s.Author == "" || e.Author == s.Author })},
		Criterion{Field: "content", Shown: All(changes, s.describes)}); err != nil {
		return nil, err
	}
	for _, change := range changes { // s.Most has left out no later change for an early one, because the latest come first
		if change.Time >= s.Since {
			found = append(found, change)
		}
	}
	return found, nil
}

// describes reports whether a change is one of the selected instance.
func (s ChangeSelection) describes(e Change) bool {
	return e.Action != "" && (s.Type == "" || e.Type == s.Type) && (s.Name == "" || e.Name == s.Name)
}

// changeOf decodes an entry. Without an Action, it is not about an instance.
func changeOf(row Object) Change {
	e := Change{Time: endpoint.String(row, "time"), Author: endpoint.String(row, authorField), Source: endpoint.String(row, "source"), Content: endpoint.String(row, "content")}
	if parts := changeFormat.FindStringSubmatch(e.Content); parts != nil {
		e.Action, e.Type, e.Name = parts[1], parts[2], parts[3]
	}
	if history, kept := row["history"].(map[string]any); kept && e.Action == "UPDATE" {
		e.Values = map[string]Changed{}
		properties, _ := history["properties"].(map[string]any)
		for name, is := range properties {
			values, _ := is.(map[string]any)
			e.Values[name] = Changed{values["old"], values["new"]}
		}
	}
	return e
}
