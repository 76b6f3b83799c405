// This file selects the rows of a kind's table for each purpose.

package kind

// rows are the rows of a kind, and a selection of them for each purpose.
type rows struct {
	all    []Attribute // in the order of the documentation
	byName map[string]Attribute

	resource   []Attribute // what the resource shows
	dataSource []Attribute // what the data source shows
	remote     []Attribute // of the resource, what eNMS knows of
	sent       []Attribute // what payloads may hold
	fields     []Attribute // ordinary fields of the resource, each under a name of its own
	searched   []Attribute // what searches answer
	unsearched []Attribute // relations of the resource that only a GET answers
	relations  []Attribute // relations with other instances
	content    []Attribute // what stays as it is when somebody renames the instance
	subtype    *Attribute  // nil when the kind has no subtypes
	further    further     // the further fields that are known
}

// selectRows makes the selections.
func selectRows(all []Attribute) *rows {
	r := &rows{all: all, byName: map[string]Attribute{}}
	for i, a := range all {
		add := func(to *[]Attribute, belongs bool) {
			if belongs {
				*to = append(*to, a)
			}
		}
		r.byName[a.Name] = a
		remote := a.Role != Setting && !a.DataOnly
		field := remote && a.Role == Field && a.Type != Fields
		add(&r.resource, !a.DataOnly)
		add(&r.dataSource, a.Role != Setting)
		add(&r.remote, remote)
		add(&r.sent, remote && !a.ReadOnly && (a.Role == Field || a.Role == Key))
		add(&r.fields, field)
		add(&r.searched, a.inSearch())
		add(&r.unsearched, field && !a.inSearch())
		add(&r.relations, a.Of != "")
		add(&r.content, remote && a.Role != Key && !a.Derived && !a.InName && !a.ChangesOnWrite && !(field && !a.inSearch()))
		if a.Role == Subtype {
			r.subtype = &all[i]
		}
	}
	return r
}
