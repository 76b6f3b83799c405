// This file selects the rows of a kind's table for each purpose.

package kind

// rows are the rows of a kind, and a selection of them for each purpose.
type rows struct {
	all    []Attribute          // in the order of the documentation
	byName map[string]Attribute // by the fields that payloads hold, those of Criteria apart

	resource   []Attribute // attributes of the resource
	dataSource []Attribute // attributes of the data source
	remote     []Attribute // of the resource, those that eNMS has
	sent       []Attribute // what payloads may hold
	fields     []Attribute // ordinary fields of the resource but properties
	searched   []Attribute // what searches answer
	listed     []Attribute // attributes of the instances of a list
	unsearched []Attribute // of fields, those that only a GET answers
	relations  []Attribute // relations with other instances
	content    []Attribute // what stays as it is when somebody renames the instance
	holds      []Attribute // members of relations without rows
	secrets    []Attribute // what eNMS stores and never answers
	criteria   []Attribute // conditions, each of several fields
	further    further     // rows of properties
	subtype    Attribute   // without a name when there are no subtypes

	pageColumns []string // what a page is asked for
}

// selectRows makes the selections.
func selectRows(all []Attribute) *rows {
	r := &rows{all: all, byName: map[string]Attribute{}}
	for _, a := range all {
		add := func(to *[]Attribute, belongs bool) {
			if belongs {
				*to = append(*to, a)
			}
		}
		remote := a.Role != Setting && a.Role != Secret && !a.DataOnly
		field := remote && a.Role == Field && a.Type != Properties
		unsearched := field && !a.inSearch()
		add(&r.resource, !a.DataOnly)
		add(&r.dataSource, a.Role != Setting && a.Role != Secret)
		add(&r.remote, remote)
		add(&r.sent, remote && !a.ReadOnly && (a.Role == Field || a.Role == Key) && a.Holds == nil)
		add(&r.holds, a.Holds != nil)
		add(&r.fields, field)
		add(&r.searched, a.inSearch())
		add(&r.listed, a.inList())
		add(&r.unsearched, unsearched)
		add(&r.relations, a.isRelation())
		add(&r.secrets, a.Role == Secret)
		add(&r.criteria, a.Type == Criteria)
		add(&r.content, remote && a.Role != Key && !a.Derived && !a.InName && !a.ChangesOnWrite && !unsearched)
		r.byName[a.Name] = a
		for _, field := range []string{a.IDField, a.secret} {
			if field != "" {
				r.byName[field] = a
			}
		}
		if a.Role == Subtype {
			r.subtype = a
		}
	}
	return r
}
