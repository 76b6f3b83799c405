// This file selects the rows of a table for each purpose. Properties have rows, too, and a secret has two.

package kind

import (
	"cmp"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Rows are the rows of a kind, and a selection of them for each purpose.
type Rows struct {
	All    []Attribute          // in the order of the documentation
	ByName map[string]Attribute // by their names, and by their other fields in eNMS (IDField, SentAs), except for those of Criteria

	Resource   []Attribute  // attributes of the resource
	DataSource []Attribute  // attributes of the data source
	Remote     []Attribute  // attributes of the resource that eNMS has
	Sent       []Attribute  // attributes that payloads may contain under their names
	Fields     []Attribute  // ordinary fields of the resource, without properties
	Searched   []Attribute  // attributes that searches return for the resource
	Listed     []Attribute  // attributes of the instances of a list: those in searches whose type is the same for every instance
	Unsearched []Attribute  // fields that only a GET returns
	Relations  []Attribute  // relations with other instances
	Targets    []Attribute  // those of them to what a run works on
	Content    []Attribute  // attributes that change neither when somebody renames the instance nor by a restore of eNMS
	Holds      []Attribute  // members of relations without rows
	Secrets    []Attribute  // secrets
	Criteria   []Attribute  // attributes of the type Criteria
	Properties PropertyRows // rows of properties
	Subtype    Attribute    // its Name is empty if there are no subtypes

	// PageColumns are all fields that states.Columns may return, as far as the table has them. With these,
	// one page of instances of all subtypes is enough for every state.
	PageColumns []string
}

// PropertyRows are the rows of properties.
type PropertyRows struct {
	Common    map[string]Attribute                   // the fields of every subtype
	Subtypes  map[string]func() map[string]Attribute // the fields of each known subtype, including the common ones
	Columns   []string                               // the fields of all known subtypes that are no relations
	Relations []string                               // fields that are relations, with or without a row
	Objects   []string                               // fields with an object that eNMS replaces as a whole
	Texts     []string                               // fields with an object that may be written as its JSON
}

// Of returns the rows of a subtype; complete is false if it may have other fields.
func (p PropertyRows) Of(subtype string) (rows map[string]Attribute, complete bool) {
	if rows, known := p.Subtypes[subtype]; known {
		return rows(), true
	}
	return p.Common, false
}

// SubtypeTable lists the fields that instances of a subtype have besides the kind's own rows.
type SubtypeTable struct {
	Name   string      // the subtype, as it is in paths
	Doc    string      // what instances of the subtype do, in Markdown: whole sentences
	Fields []Attribute // the rows of its properties
}

// byName returns rows by their names.
func byName(tables ...[]Attribute) map[string]Attribute {
	rows := map[string]Attribute{}
	for _, table := range tables {
		for _, a := range table {
			rows[a.Name] = a
		}
	}
	return rows
}

// selectPageColumns selects the fields of PageColumns.
func (r *Rows) selectPageColumns() {
	columns := slices.Clone(r.Properties.Columns)
	for _, a := range r.Searched {
		columns = append(columns, a.Columns(a.Null())...)
	}
	slices.Sort(columns)
	r.PageColumns = slices.Compact(columns)
}

// selectRows puts each row into the selections of Rows that it belongs to. Searches for the resource return the rows of the
// data source, too, if the kind has a DataCheck.
func selectRows(all []Attribute, hasDataCheck bool) *Rows {
	r := &Rows{All: all, ByName: map[string]Attribute{}}
	for _, a := range all {
		add := func(to *[]Attribute, belongs bool) {
			if belongs {
				*to = append(*to, a)
			}
		}
		ofProvider := a.Role == Setting || a.Role == Secret
		remote := !ofProvider && !a.DataOnly
		field := remote && a.Role == Field && a.Type != Properties
		unsearched := field && !a.InSearch()
		changesByItself := a.Derived || a.InName || a.ChangesOnWrite
		add(&r.Resource, !a.DataOnly)
		add(&r.DataSource, !ofProvider)
		add(&r.Remote, remote)
		add(&r.Sent, a.isSent())
		add(&r.Holds, a.Holds != nil)
		add(&r.Fields, field)
		add(&r.Searched, a.InSearch() && (!a.DataOnly || hasDataCheck))
		add(&r.Listed, a.InSearch() && a.Type != JSON && a.Type != Criteria)
		add(&r.Unsearched, unsearched)
		add(&r.Relations, a.IsRelation())
		add(&r.Targets, a.IsRelation() && a.Target)
		add(&r.Secrets, a.Role == Secret)
		add(&r.Criteria, a.Type == Criteria)
		add(&r.Content, remote && a.Role != Key && a.Role != Identity && !changesByItself && !unsearched)
		r.index(a)
		if a.Role == Subtype {
			r.Subtype = a
		}
	}
	return r
}

// index puts a row into ByName. The write-only row of a secret is there by its plain name, too (SentAs). The row that has
// this name itself (Instead) follows, and must not replace it.
func (r *Rows) index(a Attribute) {
	if _, isTaken := r.ByName[a.Name]; !isTaken {
		r.ByName[a.Name] = a
	}
	for _, field := range []string{a.IDField, a.SentAs} {
		if field != "" {
			r.ByName[field] = a
		}
	}
}

// The suffixes of the attributes of a secret.
const (
	WriteOnlySuffix = "_wo"
	VersionSuffix   = "_version"
)

// AnswerField returns the field of answers that holds the value.
func (a Attribute) AnswerField() string { return cmp.Or(a.ReadFrom, a.Name) }

// Column returns the field that a search returns for the attribute.
func (a Attribute) Column() string { return cmp.Or(a.ReadFrom, a.IDField, a.Name) }

// Columns returns the fields that a search must return for the attribute. state is its value in the state.
func (a Attribute) Columns(state tftypes.Value) []string {
	if a.Type == Criteria {
		return a.criteriaColumns(state)
	}
	return []string{a.Column()}
}

// criteriaColumns returns the fields that a search must return for the criteria: those of eNMS's
// own properties, and those of properties in the state, because sites may declare others.
func (a Attribute) criteriaColumns(state tftypes.Value) []string {
	var columns []string
	properties := slices.Clone(a.Properties)
	for property := range CriteriaIn(state) {
		if !slices.Contains(properties, property) {
			properties = append(properties, property)
		}
	}
	for _, property := range properties {
		columns = append(columns, a.Prefix+property, a.Prefix+property+MatchSuffix, a.Prefix+property+InvertSuffix)
	}
	return columns
}

// IsRelation reports whether the attribute refers to other instances.
func (a Attribute) IsRelation() bool { return a.Of != "" }

// InSearch reports whether searches return the attribute: they leave out relations (enms-rest.md 5.1, 5.2).
func (a Attribute) InSearch() bool {
	switch a.Type {
	case Properties:
		return false
	case Many:
		return !a.IsRelation()
	case One:
		return a.ReadFrom != "" || a.IDField != ""
	}
	return a.Role != Setting && a.Role != Secret && a.Holds == nil
}

// isSent reports whether payloads may contain the attribute under its name.
func (a Attribute) isSent() bool {
	return !a.ReadOnly && (a.Role == Field || a.Role == Key) && a.Holds == nil
}

// secretRows returns the rows that a Secret of the table stands for: the write-only value, the version
// whose change sends the value again, and an attribute with the plain name that people expect. Its
// error names the write-only one.
func (a Attribute) secretRows() []Attribute {
	wo := a
	wo.Name = a.Name + WriteOnlySuffix
	if a.Type != Properties { // properties are sent under their own names
		wo.SentAs = a.Name
	}
	wo.Doc += " Write-only: it is not stored in the state or the plan, and needs Terraform 1.11 or newer. It is sent when the instance is created, and again whenever `" +
		wo.VersionName() + "` changes. If removed from the configuration, it stays in eNMS."
	rows := []Attribute{wo, {Name: wo.VersionName(), Type: Number, Role: Setting,
		Doc: "Any whole number. Changing it sends `" + wo.Name + "` again, which must then not be null."}}
	if wo.SentAs == "" {
		return rows
	}
	return append(rows, Attribute{Name: a.Name, Role: Setting, Instead: &wo,
		Doc: "Not supported, because it would be stored in the state: use `" + wo.Name + "`."})
}

// VersionName returns the name of the attribute with the version of a secret.
func (a Attribute) VersionName() string { return a.Name + VersionSuffix }
