// Relations without a request for each instance: no search answers them, but searches
// can be made by them (enms-rest.md 5.3).

package enms

import (
	"context"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
)

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

// membersBatch searches for the relations of a batch.
func (c *Client) membersBatch(ctx context.Context, typ string, operations []*operation) {
	c.searchRelations(ctx, typ, operations)
	batch.FinishAll(operations, nil)
}

// searchRelations searches for the members of relations as far as that costs less than a
// Get for each instance; the others are left to that.
func (c *Client) searchRelations(ctx context.Context, typ string, operations []*operation) {
	due := c.members.due(typ, operations)
	if len(due) == 0 || !c.seesEverything(ctx) {
		return
	}
	names := make([]string, 0, len(operations))
	for _, o := range operations {
		names = append(names, o.name)
		c.pages.want(typ, o.columns)
	}
	many := slices.ContainsFunc(due, func(d dueRelation) bool { return d.many })
	if next, more := c.pages.following(typ); more && many {
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

// searchMembers searches for the instances that are related to the named ones, and then
// for those that have them as members. It tells whether that was possible, and not dearer
// than was thought.
func (c *Client) searchMembers(ctx context.Context, typ string, due dueRelation, names []string) bool {
	related, toAll, ok := c.relatedToAny(ctx, due, names)
	if !ok {
		return false
	}
	related = slices.DeleteFunc(related, func(member string) bool { return c.members.searched(due.of, member) })
	var unclear []string
	if code, fewer := codeFor(len(related), due.each); due.each > 0 && fewer && !c.variant.noUnion.has(typ) {
		unclear, ok = c.searchGroups(ctx, typ, due, related, code)
	} else {
		ok = len(related) <= due.readers+due.of.passed && c.searchEach(ctx, typ, due, related)
	}
	if ok {
		c.members.cover(due.of, names, toAll, unclear)
	}
	return ok
}

// searchEach searches for the instances that have each of the members.
func (c *Client) searchEach(ctx context.Context, typ string, due dueRelation, members []string) bool {
	for _, member := range members {
		names, err := c.searchHolders(ctx, typ, map[string]any{due.Name: []string{member}})
		if err != nil {
			return false
		}
		c.members.add(due.of, member, names, true)
	}
	return true
}

// searchGroups searches for the instances that have any member of each group, which tells
// the members of those that have few. unclear are those that have more.
func (c *Client) searchGroups(ctx context.Context, typ string, due dueRelation, members []string, code groupCode) (unclear []string, ok bool) {
	holders := make([][]string, code.groups())
	for i, group := range code.split(members) {
		if len(group) == 0 {
			continue
		}
		names, err := c.searchHolders(ctx, typ, map[string]any{due.Name: group, due.Name + "_filter": "union"})
		if InternalServerError(err) {
			c.variant.noUnion.add(typ)
		}
		if err != nil {
			return nil, false
		}
		holders[i] = names
	}
	of, unclear := code.decode(members, holders, due.each)
	for member, names := range of {
		c.members.add(due.of, member, names, false)
	}
	return unclear, true
}

// searchHolders gives the names of all instances of a type that meet criteria.
func (c *Client) searchHolders(ctx context.Context, typ string, criteria map[string]any) ([]string, error) {
	rows, err := c.searchRelated(ctx, search{typ: typ, criteria: criteria})
	return namesOf(rows), err
}

// relatedToAny are the instances that any of the named ones has in a relation, and maybe
// others; toAll tells that they are those of every instance. It is not ok when there are
// more than is worth it.
func (c *Client) relatedToAny(ctx context.Context, due dueRelation, names []string) (related []string, toAll, ok bool) {
	if !c.variant.noUnion.has(due.Of) {
		rows, err := c.search(ctx, search{
			typ: due.Of, limit: due.most + 1, names: len(names),
			criteria: map[string]any{due.Inverse: names, due.Inverse + "_filter": "union"},
		})
		if !InternalServerError(err) {
			return namesOf(rows), false, err == nil && len(rows) <= due.most && checkNamed(due.Of, rows) == nil
		}
		c.variant.noUnion.add(due.Of)
	}
	related, ok = c.relatedToAnything(ctx, due)
	return related, true, ok
}

// relatedToAnything is relatedToAny for databases that refuse to search for several names
// at once (enms-rest.md 10.6): the instances of the related type that are not alone.
func (c *Client) relatedToAnything(ctx context.Context, due dueRelation) (related []string, ok bool) {
	lists := [2][]string{}
	for i, criteria := range []map[string]any{{}, {due.Inverse + "_filter": "empty"}} {
		rows, err := c.search(ctx, search{typ: due.Of, limit: mostCandidates + 1, criteria: criteria})
		if err != nil || len(rows) > mostCandidates || checkNamed(due.Of, rows) != nil {
			return nil, false
		}
		lists[i] = namesOf(rows)
		if len(rows) <= 2 {
			break // To tell those that are alone costs as much as to search for them.
		}
	}
	related, alone := lists[0], lists[1]
	slices.Sort(alone)
	related = slices.DeleteFunc(related, func(name string) bool { _, is := slices.BinarySearch(alone, name); return is })
	return related, len(related) <= due.most
}

// namesOf are the names of rows.
func namesOf(rows []Object) []string {
	names := make([]string, len(rows))
	for i, row := range rows {
		names[i] = text(row, "name")
	}
	return names
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
