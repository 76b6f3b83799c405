// This file reads relations without a GET for each instance. No search returns relations, but a search can filter by
// them (enms-rest.md 5.3). What GETs have told, such as who has rights by a group, is not searched for. For imports and
// data sources, this file assembles whole instances: one query returns all fields except relations, of all instances of a
// type (enms-rest.md 5.1).

package enms

import (
	"cmp"
	"context"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/cache"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/groups"
)

// HasRelations reports whether an instance of typ has the expected relations. columns are those of a
// Find that may follow, which is then answered from a page that HasRelations has read. known is false if
// searches cannot find out, or if a GET costs less. Callers that ask at the same time share the
// searches, whose results are kept until the next write. A search shows only what the user may see, so
// known is true only for administrators.
func (c *Client) HasRelations(ctx context.Context, typ, name string, expected []Relation, columns []string) (has, known bool) {
	cached := c.store.Current()
	cached.Names.Want(typ, columns)
	if has, known = cached.Relations.Compare(typ, name, expected); known {
		return has, known
	}
	answer, _ := c.questions.hasRelations.Ask(ctx, typ, cache.Wanted{Name: name, Relations: expected})
	return answer.has, answer.known
}

// KnowsMember reports whether the client knows, without a request, that an instance of typ has a member in a relation: as
// it was read since the last write.
func (c *Client) KnowsMember(typ, name string, relation Relation, member string) bool {
	return c.store.Current().Relations.Knows(typ, name, relation, member)
}

func newHasRelations(c *Client) *hasRelations {
	return batch.NewQuestions(c.lanes, endpoint.MaxNames, laneOfType, func(ctx context.Context, typ string, wanted []cache.Wanted) []batch.Answer[hasAndKnown] {
		s := relationSearch{c, c.store.Current(), typ}
		s.searchRelations(ctx, wanted)
		return batch.Answers(len(wanted), nil, func(i int) (a hasAndKnown) { // what the searches have shown counts, also if a write has begun since
			a.has, a.known = s.known.Relations.Compare(typ, wanted[i].Name, wanted[i].Relations)
			return a
		})
	})
}

// relationSearch searches for the relations of the instances of a type.
type relationSearch struct {
	c     *Client
	known *cache.Cache // the current one when the search began
	typ   string
}

// searchRelations searches for the members of those wanted relations for which searches cost less than a
// GET for each instance. The callers read the other relations by a GET. It needs the names of instances of
// the type, and reads one page of them each time.
func (s relationSearch) searchRelations(ctx context.Context, wanted []cache.Wanted) {
	defer s.known.Relations.Pass(s.typ, wanted)
	many := s.known.Relations.Ask(s.typ, wanted)
	if !many || !s.c.IsAdministrator(ctx) || !s.readPage(ctx) {
		return
	}
	names := s.known.Names.Names(s.typ)
	for _, w := range wanted {
		names = append(names, w.Name)
	}
	names = sortedSet(names)
	s.known.Relations.LearnOnly(s.typ, wanted)
	due := func() []cache.Due {
		return s.known.Relations.Due(s.typ, wanted, len(names), !s.c.noUnion.has(s.typ))
	}
	for _, d := range due() {
		if !d.Learned {
			s.learnCandidates(ctx, d, names)
		}
	}
	for _, d := range due() { // the candidates are known now, and may be too many
		s.searchMembers(ctx, d)
	}
}

// readPage reads the next page of the type, unless all are known. It returns false if the request failed.
func (s relationSearch) readPage(ctx context.Context) bool {
	next, more, _ := s.known.Names.Next(s.typ)
	return !more || fetchPage(ctx, s.c, s.known.Names, s.typ, next) == nil
}

// searchMembers finds out which instances have which candidates in a relation, and records it. If the
// database refuses the search for a group, later calls search for each candidate.
func (s relationSearch) searchMembers(ctx context.Context, due cache.Due) {
	search := s.searchEach
	if due.MostMembers > 0 {
		search = s.searchGroups
	}
	members, unclear, err := search(ctx, due)
	switch {
	case err == nil:
		due.Known.Cover(due.Searches, members, unclear)
	case due.MostMembers > 0 && InternalServerError(err):
		s.c.noUnion.add(s.typ)
	default:
		due.Known.Refuse()
	}
}

// searchEach makes a search for each candidate, unless a GET has told it: for the instances that have it. It searches the
// subtype that has the relation (object.Relation.Subtype), if not every subtype has it.
func (s relationSearch) searchEach(ctx context.Context, due cache.Due) (members map[string][]string, unclear []string, err error) {
	members = map[string][]string{}
	for _, member := range due.Searches {
		found, told := s.known.Relations.Having(due.Relation, member)
		if !told {
			found, err = s.searchNames(ctx, cmp.Or(due.Subtype, s.typ), map[string]any{due.Name: []string{member}})
		}
		if err != nil {
			return nil, nil, err
		}
		for _, name := range found {
			members[name] = append(members[name], member)
		}
	}
	return members, nil, nil
}

// searchGroups searches once for each group of candidates, for the instances that have any of them (package
// groups). That shows all members of instances with up to MostMembers. Each further step searches for more
// groups, which together show one more member. A step is worth its searches if they are at most half as many as
// the instances that are still unclear, each of which would cost a GET.
func (s relationSearch) searchGroups(ctx context.Context, due cache.Due) (members map[string][]string, unclear []string, err error) {
	var found [][]string
	for scheme, more := groups.For(len(due.Searches), due.MostMembers); more; {
		for _, group := range scheme.Split(due.Searches)[len(found):] {
			names, err := s.searchNames(ctx, s.typ, anyOf(due.Name, group))
			if err != nil {
				return nil, nil, err
			}
			found = append(found, names)
		}
		members, unclear = scheme.Decode(due.Searches, found)
		scheme, more = scheme.More()
		more = more && 2*(scheme.Groups()-len(found)) <= len(unclear)
	}
	return members, unclear, nil
}

// searchNames returns the names of all instances of a type that meet criteria, each once.
func (s relationSearch) searchNames(ctx context.Context, typ string, criteria map[string]any) ([]string, error) {
	rows, err := s.c.endpoint.SearchAll(ctx, endpoint.Search{Type: typ, Criteria: criteria, Once: true})
	return sortedSet(namesOf(rows)), err
}

// learnCandidates learns the possible members of a relation: all members of the named instances, and
// possibly others. If they are more than groups.Most, or cannot be found, it gives the relation up.
func (s relationSearch) learnCandidates(ctx context.Context, due cache.Due, names []string) {
	candidates, among, err := s.candidatesOf(ctx, due, names)
	if err != nil || len(candidates) > groups.Most {
		due.Known.Refuse()
		return
	}
	due.Known.Learn(candidates, among)
}

// candidatesOf returns the members that any of the named instances has in a relation. among is names, or
// nil if the result has the members of all instances of the type.
func (s relationSearch) candidatesOf(ctx context.Context, due cache.Due, names []string) (candidates, among []string, err error) {
	if candidates, told := s.toldCandidates(ctx, due); told {
		return candidates, nil, nil
	}
	if !s.c.noUnion.has(due.Of) {
		candidates, err = s.searchCandidates(ctx, due, anyOf(due.Inverse, names), len(names))
		if !InternalServerError(err) {
			return candidates, names, err
		}
		s.c.noUnion.add(due.Of)
	}
	candidates, err = s.allCandidates(ctx, due)
	return candidates, nil, err
}

// toldCandidates returns the possible members in a relation, if GETs of all instances of the related type have told which
// are members of any: for groups, whose rights are several relations. One instance may be untold: it takes a search, as
// the candidates would. The related type is listed if it has one page.
func (s relationSearch) toldCandidates(ctx context.Context, due cache.Due) (candidates []string, told bool) {
	if !s.known.Relations.AskTold(due.Relation) {
		return nil, false
	}
	next, more, _ := s.known.Names.Next(due.Of)
	if more && next.Start == 0 && fetchPage(ctx, s.c, s.known.Names, due.Of, next) != nil {
		return nil, false
	}
	if _, complete := s.known.Names.Ask(due.Of, 0); !complete {
		return nil, false
	}
	untold := 0
	for _, member := range s.known.Names.Names(due.Of) {
		having, told := s.known.Relations.Having(due.Relation, member)
		if !told {
			untold++
		}
		if !told || len(having) > 0 {
			candidates = append(candidates, member)
		}
	}
	return candidates, untold <= 1
}

// allCandidates returns the members that any instance has in a relation, for databases that refuse to
// search for several names at once (enms-rest.md 10.6). It lists the related type. A second search excludes
// instances that are no member of any other, unless the type has so few instances that the search gains
// nothing, or so many that the caller gives up.
func (s relationSearch) allCandidates(ctx context.Context, due cache.Due) (candidates []string, err error) {
	candidates, err = s.searchCandidates(ctx, due, nil, 0)
	if err != nil || len(candidates) <= 2 || len(candidates) > groups.Most {
		return candidates, err
	}
	unrelated, err := s.searchCandidates(ctx, due, map[string]any{due.Inverse + "_filter": "empty"}, 0)
	slices.Sort(unrelated)
	return slices.DeleteFunc(candidates, func(name string) bool { _, is := slices.BinarySearch(unrelated, name); return is }), err
}

// searchCandidates returns the names of the instances of the related type that meet criteria, up to
// groups.Most+1 of them. names is how many names the criteria contain.
func (s relationSearch) searchCandidates(ctx context.Context, due cache.Due, criteria map[string]any, names int) ([]string, error) {
	rows, err := s.c.endpoint.SearchNamed(ctx, endpoint.Search{Type: due.Of, Limit: groups.Most + 1, Names: names, Criteria: criteria, Once: true})
	return namesOf(rows), err
}

func namesOf(rows []Object) []string {
	names := make([]string, len(rows))
	for i, row := range rows {
		names[i] = endpoint.String(row, "name")
	}
	return names
}

// GetShared is Get for many callers at the same time. If it costs less, it assembles the instance from
// answers about many instances. The result contains the given relations, and possibly others. The
// Members of the given relations are ignored.
func (c *Client) GetShared(ctx context.Context, typ, name string, relations []Relation) (Object, error) {
	row := c.store.Current().Instance(typ, name, relations)
	if row == nil {
		row, _ = c.questions.wholeInstances.Ask(ctx, typ, cache.Wanted{Name: name, Relations: relations})
	}
	if row == nil {
		return c.Get(ctx, typ, name)
	}
	return row, nil
}

func newWholeInstances(c *Client) *wholeInstances {
	return batch.NewQuestions(c.lanes, endpoint.MaxNames, laneOfType, func(ctx context.Context, typ string, wanted []cache.Wanted) []batch.Answer[Object] {
		return relationSearch{c, c.store.Current(), typ}.instances(ctx, wanted)
	})
}

// instances queries the whole type if many of its instances are wanted (queryIfPaged), and searches for their
// relations. Instances of which it does not learn everything are nil: the callers GET them.
func (s relationSearch) instances(ctx context.Context, wanted []cache.Wanted) []batch.Answer[Object] {
	asked, queried := s.known.Whole.Ask(s.typ, len(wanted))
	if asked < cache.ManyReaders || !s.c.IsAdministrator(ctx) {
		return make([]batch.Answer[Object], len(wanted))
	}
	if queried || s.queryIfPaged(ctx) {
		s.searchRelations(ctx, wanted)
	}
	return batch.Answers(len(wanted), nil, func(i int) Object { return s.known.Instance(s.typ, wanted[i].Name, wanted[i].Relations) })
}

// queryIfPaged makes the query for the whole type (queryWhole) if the list of its names is complete. Each call
// reads one more page of that list before. So a type of few pages is queried soon, and a large one only if its
// instances are asked for again and again. It reports whether the query was made and succeeded.
func (s relationSearch) queryIfPaged(ctx context.Context) bool {
	if !s.readPage(ctx) {
		return false
	}
	if _, more, _ := s.known.Names.Next(s.typ); more {
		return false
	}
	return s.queryWhole(ctx)
}

// QueryWhole makes one query for a whole type, so that GetShared has the answer for all of its instances.
// It is for callers that will read all instances: GetShared itself first finds out how many instances are
// asked for.
func (c *Client) QueryWhole(ctx context.Context, typ string) {
	if c.IsAdministrator(ctx) {
		relationSearch{c, c.store.Current(), typ}.queryWhole(ctx)
	}
}

// queryWhole queries all instances of the type. It reports whether the query has succeeded; a failed one is
// not repeated.
func (s relationSearch) queryWhole(ctx context.Context) bool {
	rows, err := s.c.endpoint.Query(ctx, s.typ, nil)
	if err == nil {
		err = endpoint.CheckNamed(s.typ, rows)
	}
	if err != nil {
		rows = nil
	}
	s.known.Whole.Complete(s.typ, rows)
	return err == nil
}
