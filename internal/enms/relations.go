// This file reads relations without a GET for each instance. No search returns relations, but a
// search can filter by them (enms-rest.md 5.3). For imports and data sources it assembles whole
// instances: one query returns all fields except relations, of all instances of a type
// (enms-rest.md 5.1).

package enms

import (
	"cmp"
	"context"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/groups"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/knowledge"
)

// HasRelations reports whether an instance of typ has the expected relations, as far as searches
// show. columns are those of the Find that may follow: a page that is read here then answers it.
// known is false if searches cannot tell, or if a GET costs less. Callers that ask at the same
// time share the searches, whose results are kept until the next write. A search shows only what
// the user may see, so known is true only for administrators.
func (c *Client) HasRelations(ctx context.Context, typ, name string, expected []Relation, columns []string) (has, known bool) {
	if c.uncoalesced {
		return false, false
	}
	present := c.known.Present()
	present.Names.Want(typ, columns)
	if has, known = present.Relations.Compare(typ, name, expected); known {
		return has, known
	}
	o := &operation{name: name, relations: expected}
	if err := c.batcher.Do(ctx, batchKey{action: actMembers, typ: Type{Name: typ}}, o); err != nil {
		return false, false
	}
	return c.known.Present().Relations.Compare(typ, name, expected)
}

func (c *Client) membersBatch(ctx context.Context, known *knowledge.Knowledge, typ string, operations []*operation) {
	c.searchRelations(ctx, known, typ, operations)
	batch.FinishAll(operations, nil)
}

// searchRelations searches for the members of those relations for which that costs less than a
// GET for each instance. What it does not search, the callers read by a GET.
func (c *Client) searchRelations(ctx context.Context, known *knowledge.Knowledge, typ string, operations []*operation) {
	wanted := make([]knowledge.Wanted, len(operations))
	for i, o := range operations {
		wanted[i] = knowledge.Wanted{Name: o.name, Relations: o.relations}
	}
	defer known.Relations.Pass(typ, wanted)
	many := known.Relations.Ask(typ, wanted)
	next, more, _ := known.Names.Next(typ)
	if first := more && next.Start == 0; first && many && (!c.seesEverything(ctx) || c.fetchPage(ctx, known.Names, typ, next) != nil) {
		return
	}
	for _, o := range operations {
		known.Relations.LearnOnly(typ, o.relations)
	}
	due := c.dueRelations(known, typ, wanted)
	if len(due) == 0 || !c.seesEverything(ctx) {
		return
	}
	if next, more, _ := known.Names.Next(typ); more && many && c.fetchPage(ctx, known.Names, typ, next) != nil {
		return
	}
	names := known.Names.Names(typ)
	for _, o := range operations {
		names = append(names, o.name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for _, d := range due {
		if !d.Known.KnowsCandidates(wanted) {
			c.learnCandidates(ctx, d, names)
		}
	}
	for _, d := range c.dueRelations(known, typ, wanted) {
		c.searchMembers(ctx, typ, d)
	}
}

// dueRelations returns the relations that are worth searching, judged by what is known so far.
func (c *Client) dueRelations(known *knowledge.Knowledge, typ string, wanted []knowledge.Wanted) []knowledge.Due {
	given := knowledge.Given{Rows: len(known.Names.Names(typ)), Groups: !c.noUnion.has(typ)}
	switch administrator := c.administrator.Load(); {
	case administrator == nil:
		given.Requests = 1 // to ask whether the user is an administrator
	case !*administrator:
		return nil
	}
	return known.Relations.Due(typ, wanted, given)
}

func (c *Client) searchMembers(ctx context.Context, typ string, due knowledge.Due) {
	members := due.Known.Unsearched()
	var unclear []string
	var err error
	if due.Each > 0 {
		unclear, err = c.searchGroups(ctx, typ, due, members)
	} else {
		err = c.searchEach(ctx, typ, due, members)
	}
	switch {
	case err == nil:
		due.Known.Cover(unclear)
	case due.Each > 0 && InternalServerError(err):
		c.noUnion.add(typ)
	default:
		due.Known.Refuse()
	}
}

func (c *Client) searchEach(ctx context.Context, typ string, due knowledge.Due, members []string) error {
	for _, member := range members {
		names, err := c.searchHolders(ctx, cmp.Or(due.Holder, typ), map[string]any{due.Name: []string{member}})
		if err != nil {
			return err
		}
		due.Known.Add(member, names, true)
	}
	return nil
}

// searchGroups searches, for each group of members, for the instances that have any of them. That
// shows the members of instances that have few. It searches by further groups as long as that is
// worth it. unclear are the instances with more members, which remain unknown.
func (c *Client) searchGroups(ctx context.Context, typ string, due knowledge.Due, members []string) (unclear []string, err error) {
	var holders [][]string
	for scheme, more := groups.For(len(members), due.Each); more; {
		for _, group := range scheme.Split(members)[len(holders):] {
			var names []string
			if len(group) > 0 {
				names, err = c.searchHolders(ctx, typ, anyOf(due.Name, group))
			}
			if err != nil {
				return nil, err
			}
			holders = append(holders, names)
		}
		var of map[string][]string
		of, unclear = scheme.Decode(members, holders)
		for member, names := range of {
			due.Known.Add(member, names, false)
		}
		scheme, more = scheme.Extended(holders, due.Known.InQuestion(unclear))
	}
	return unclear, nil
}

// searchHolders returns the names of all instances of a type that meet criteria.
func (c *Client) searchHolders(ctx context.Context, typ string, criteria map[string]any) ([]string, error) {
	rows, err := c.endpoint.SearchAll(ctx, endpoint.Search{Type: typ, Criteria: criteria})
	return namesOf(rows), err
}

// learnCandidates records the possible members of a relation: all that any of the named instances
// has, and possibly others.
func (c *Client) learnCandidates(ctx context.Context, due knowledge.Due, names []string) {
	related, among, err := c.relatedToAny(ctx, due, names)
	if err != nil || len(related) > groups.Most {
		due.Known.Refuse()
		return
	}
	due.Known.Learn(related, among)
}

// relatedToAny returns the instances that any of the named ones has in a relation. among are
// these names, or nil if the result covers all instances of the type.
func (c *Client) relatedToAny(ctx context.Context, due knowledge.Due, names []string) (related, among []string, err error) {
	if !c.noUnion.has(due.Of) {
		related, err = c.listCandidates(ctx, due, anyOf(due.Inverse, names), len(names))
		if !InternalServerError(err) {
			return related, names, err
		}
		c.noUnion.add(due.Of)
	}
	related, err = c.relatedToAnything(ctx, due)
	return related, nil, err
}

// relatedToAnything is relatedToAny for databases that refuse to search for several names at once
// (enms-rest.md 10.6): it returns the instances of the related type that any instance has.
func (c *Client) relatedToAnything(ctx context.Context, due knowledge.Due) (related []string, err error) {
	related, err = c.listCandidates(ctx, due, map[string]any{}, 0)
	if err != nil || len(related) <= 2 || len(related) > groups.Most {
		return related, err // Excluding those that nobody has would take one more search, which is no gain.
	}
	alone, err := c.listCandidates(ctx, due, map[string]any{due.Inverse + "_filter": "empty"}, 0)
	slices.Sort(alone)
	return slices.DeleteFunc(related, func(name string) bool { _, is := slices.BinarySearch(alone, name); return is }), err
}

// listCandidates returns the names of the instances of the related type that meet criteria: at
// most groups.Most+1 of them.
func (c *Client) listCandidates(ctx context.Context, due knowledge.Due, criteria map[string]any, names int) ([]string, error) {
	rows, err := c.endpoint.Search(ctx, endpoint.Search{Type: due.Of, Limit: groups.Most + 1, Names: names, Criteria: criteria})
	if err == nil {
		err = endpoint.CheckNamed(due.Of, rows)
	}
	return namesOf(rows), err
}

func namesOf(rows []Object) []string {
	names := make([]string, len(rows))
	for i, row := range rows {
		names[i] = endpoint.String(row, "name")
	}
	return names
}

// IsAdministrator reports whether the user is an administrator. It asks eNMS once.
func (c *Client) IsAdministrator(ctx context.Context) bool { return c.seesEverything(ctx) }

// seesEverything reports whether the user is an administrator, from whom eNMS hides nothing
// (enms-rest.md 6). It asks eNMS once.
func (c *Client) seesEverything(ctx context.Context) bool {
	if administrator := c.administrator.Load(); administrator != nil {
		return *administrator
	}
	rows, err := c.endpoint.Query(ctx, "user", map[string]string{"name": c.username})
	if err != nil && ctx.Err() != nil {
		return false // an interrupt says nothing of the user
	}
	is := err == nil && len(rows) == 1 && rows[0]["is_admin"] == true
	c.administrator.Store(&is)
	return is
}

// GetShared is Get for many callers at the same time: if it costs less, the instance is assembled
// from answers about many. The result contains the given relations, and possibly others; their
// Members are ignored.
func (c *Client) GetShared(ctx context.Context, typ, name string, relations []Relation) (Object, error) {
	if c.uncoalesced {
		return c.Get(ctx, typ, name)
	}
	row := c.known.Present().Instance(typ, name, relations)
	if row == nil {
		o := &operation{name: name, relations: relations}
		if c.batcher.Do(ctx, batchKey{action: actGetShared, typ: Type{Name: typ}}, o) == nil {
			row = c.known.Present().Instance(typ, name, relations)
		}
	}
	if row == nil {
		return c.Get(ctx, typ, name)
	}
	return row, nil
}

// getSharedBatch queries the whole type if many of its instances are wanted, and searches for
// their relations. Each batch first reads one page of the type, until there are no more: the
// larger the type, the later it is queried as a whole.
func (c *Client) getSharedBatch(ctx context.Context, known *knowledge.Knowledge, typ string, operations []*operation) {
	defer batch.FinishAll(operations, nil)
	asked, queried := known.Whole.Ask(typ, len(operations))
	if asked < knowledge.ManyReaders || !c.seesEverything(ctx) {
		return
	}
	if queried || c.queryWhole(ctx, known, typ) {
		c.searchRelations(ctx, known, typ, operations)
	}
}

// queryWhole reads the next page of a type, and queries the whole type once its pages have shown
// how large it is. It reports whether the query has succeeded.
func (c *Client) queryWhole(ctx context.Context, known *knowledge.Knowledge, typ string) bool {
	if next, more, _ := known.Names.Next(typ); more && c.fetchPage(ctx, known.Names, typ, next) != nil {
		return false
	}
	if _, more, _ := known.Names.Next(typ); more {
		return false
	}
	return c.queryAll(ctx, known, typ)
}

// Whole queries a type as a whole, so that GetShared answers for all of its instances. It is for
// callers that will read all of them: GetShared itself first finds out how many it is asked for.
func (c *Client) Whole(ctx context.Context, typ string) {
	if !c.uncoalesced && c.seesEverything(ctx) {
		c.queryAll(ctx, c.known.Present(), typ)
	}
}

// queryAll reports whether the query has succeeded.
func (c *Client) queryAll(ctx context.Context, known *knowledge.Knowledge, typ string) bool {
	rows, err := c.endpoint.Query(ctx, typ, nil)
	if err == nil {
		err = endpoint.CheckNamed(typ, rows)
	}
	if err != nil {
		rows = nil
	}
	known.Whole.Complete(typ, rows)
	return err == nil
}
