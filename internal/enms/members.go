// Relations without a request for each instance: no search answers them, but searches
// can be made by them (enms-rest.md 5.3).

package enms

import (
	"context"
	"slices"
)

// manyReaders is how many readers of relations make it worth to fetch a page of their
// type: one search then names the related instances of all of them, and the page answers
// their finds.
const manyReaders = 8

// Relation is a relation to many of an instance, as a caller expects it.
type Relation struct {
	Name    string   // such as "gateways"
	Of      string   // the type of the members, such as "gateway"
	Inverse string   // the relation of the members to the instance, such as "devices"
	Members []string // their names, in any order
	AtLeast bool     // further members are no difference
}

// HasRelations tells whether an instance of typ has the relations that are expected of
// it, as far as searches tell; columns are those of the Find that may follow. known is
// false when they do not, or when a Get costs less. Callers that ask at the same time
// share the searches, and what these have told is kept until the next write. A search
// shows only what the user may see, so that only an administrator is answered.
func (c *Client) HasRelations(ctx context.Context, typ, name string, expected []Relation, columns []string) (has, known bool) {
	if c.uncoalesced {
		return false, false
	}
	if has, known = c.members.compare(typ, name, expected); known {
		return has, known
	}
	o := &operation{name: name, relations: expected, columns: columns}
	if err := c.batcher.Do(ctx, batchKey{action: actMembers, typ: Type{Name: typ}}, o); err != nil {
		return false, false
	}
	return c.members.compare(typ, name, expected)
}

// membersBatch searches for the members of relations as far as that costs less than a
// Get for each instance; the others are left to that.
func (c *Client) membersBatch(ctx context.Context, typ string, operations []*operation) {
	defer func() {
		for _, o := range operations {
			o.Finish(nil)
		}
	}()
	due := c.members.due(typ, operations)
	if len(due) == 0 || !c.seesEverything(ctx) {
		return
	}
	names := make([]string, 0, len(operations))
	for _, o := range operations {
		names = append(names, o.name)
		c.pages.want(typ, o.columns)
	}
	if next, more := c.pages.following(typ); more && len(operations) >= manyReaders {
		if c.fetchPage(ctx, typ, next) != nil {
			return
		}
	}
	names = append(names, c.pages.names(typ)...)
	slices.Sort(names)
	names = slices.Compact(names)
	for _, d := range due {
		if !c.searchMembers(ctx, typ, d, names) {
			c.members.postpone(d)
		}
	}
}

// searchMembers searches for the instances that are related to the named ones, and then,
// for each of them, for all that have it. It tells whether that was possible, and not
// dearer than was thought.
func (c *Client) searchMembers(ctx context.Context, typ string, due dueRelation, names []string) bool {
	related, ok := c.relatedToAny(ctx, due, names)
	if !ok {
		return false
	}
	for _, member := range related {
		if c.members.searched(due.of, member) {
			continue
		}
		rows, err := c.search(ctx, search{typ: typ, criteria: map[string]any{due.Name: []string{member}}, limit: allRows})
		if err != nil || checkNamed(typ, rows) != nil {
			return false
		}
		c.members.add(due.of, member, rows)
	}
	c.members.cover(due.of, names)
	return true
}

// relatedToAny are the instances that any of the named ones may have in a relation. Where
// the database refuses to search for several names at once (enms-rest.md 10.6), they are
// all instances of the type. It is not ok when there are more than is worth it.
func (c *Client) relatedToAny(ctx context.Context, due dueRelation, names []string) (related []string, ok bool) {
	s := search{typ: due.Of, limit: due.most + 1, criteria: map[string]any{}}
	if !c.variant.noUnion.has(due.Of) {
		s.names, s.criteria = len(names), map[string]any{due.Inverse: names, due.Inverse + "_filter": "union"}
	}
	rows, err := c.search(ctx, s)
	if InternalServerError(err) && s.names > 0 {
		c.variant.noUnion.add(due.Of)
		s.names, s.criteria = 0, map[string]any{}
		rows, err = c.search(ctx, s)
	}
	if err != nil || len(rows) > due.most || checkNamed(due.Of, rows) != nil {
		return nil, false
	}
	for _, row := range rows {
		related = append(related, text(row, "name"))
	}
	return related, true
}

// seesEverything tells whether the user is an administrator, from whom eNMS hides
// nothing (enms-rest.md 6). It is asked once.
func (c *Client) seesEverything(ctx context.Context) bool {
	if is, asked := c.members.administrator(); asked {
		return is
	}
	rows, err := c.Query(ctx, "user", map[string]string{"name": c.username})
	is := err == nil && len(rows) == 1 && rows[0]["is_admin"] == true
	c.members.learn(is)
	return is
}
