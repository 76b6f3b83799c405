// Package lists searches for the instances of a kind by the conditions of its list data source and list resource
// (listing.go, condition.go). schema.go makes the schemas, query.go the rows of a query.
package lists

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// listedBy returns the relations by which a list can be searched.
func listedBy(k *kind.Kind) []kind.Attribute {
	return slices.Concat(k.Table().Relations, k.ListedBy)
}

// Matching is a relation by which a list is searched. Only instances are listed that are related to one
// of the names.
type Matching struct {
	Attribute string // the name of the relation and of the argument
	Of        string // the type of the related instances, or "" if it is unknown
	Names     []string
}

// Listing holds the conditions of a list of instances.
type Listing struct {
	Type      string     // the type to search
	Relations []Matching // an instance must match all of them

	kind       *kind.Kind
	only       string // the exact type that instances must have, or "" for any
	match      string
	conditions []condition
	properties []string // the properties to return of each instance
	limit      int      // 0 for all
	builtIn    bool     // whether a query lists the instances that every eNMS has
}

// New reads the configuration of a list. It returns errors for conditions of the filter that
// are wrong according to the table.
func New(k *kind.Kind, config kind.Values) (*Listing, diag.Diagnostics) {
	l := &Listing{kind: k, Type: k.Path(config), match: kind.MatchEquality, properties: value.Names(config[kind.RowProperties]), builtIn: kind.IsTrue(config[listBuiltIn])}
	if match := value.Text(config[listMatch]); match != "" {
		l.match = match
	}
	if k.AnyType == nil {
		l.only = value.Text(config[k.SubtypeRow()])
	}
	if limit, is := value.ToJSON(config[listLimit]).(json.Number); is {
		l.limit, _ = strconv.Atoi(limit.String())
	}
	for _, a := range listedBy(k) {
		if names := config[a.Name]; !names.IsNull() {
			l.Relations = append(l.Relations, Matching{Attribute: a.Name, Of: a.Of, Names: unique(value.Names(names))})
		}
	}
	if k.AnyType != nil {
		related := kind.ValuesOf(config[listRelations])
		for _, name := range slices.Sorted(maps.Keys(related)) {
			l.Relations = append(l.Relations, Matching{Attribute: name, Names: unique(value.Names(related[name]))})
		}
	}
	return l, l.readFilter(config[listFilter])
}

// readFilter reads the conditions. Null members are ignored.
func (l *Listing) readFilter(filter tftypes.Value) (diags diag.Diagnostics) {
	members := value.Members(filter)
	for _, property := range slices.Sorted(maps.Keys(members)) {
		text, _ := members[property].(string)
		c := condition{property: property, text: text}
		if row, is := l.kind.Table().ByName[property]; is && row.Name == property && row.InSearch() {
			c.row, c.known = row, true
		}
		c, problem := l.checked(c)
		if problem != "" {
			diags.AddAttributeError(path.Root(listFilter).AtMapKey(property), fmt.Sprintf("Cannot search by %s", property), problem)
		}
		l.conditions = append(l.conditions, c)
	}
	return diags
}

// Columns returns the fields that a search must return.
func (l *Listing) Columns() []string {
	columns := slices.Concat(l.properties, l.IdentityColumns())
	for _, a := range l.kind.Table().Listed {
		columns = append(columns, a.Column())
	}
	return unique(columns)
}

// IdentityColumns returns the fields that a search must return for a query that only asks for identities.
func (l *Listing) IdentityColumns() (columns []string) {
	for _, c := range l.conditions {
		columns = append(columns, c.property)
	}
	return unique(columns)
}

// Criteria returns the conditions by which eNMS can filter, as criteria of a search. certain leaves out
// conditions on properties of unknown type, which the database may be unable to compare.
func (l *Listing) Criteria() (all, certain map[string]any) {
	all, certain = map[string]any{}, map[string]any{}
	for _, c := range l.conditions {
		criterion := c.criterion(l.match)
		maps.Copy(all, criterion)
		if c.known || l.match != kind.MatchEquality {
			maps.Copy(certain, criterion)
		}
	}
	return all, certain
}

// Unmet returns criteria that no instance meets, by attribute. eNMS ignores criteria that it
// does not know, such as relations that older versions do not have. If a search for these
// criteria returns anything, eNMS ignores the attribute.
func (l *Listing) Unmet() map[string]map[string]any {
	unmet := map[string]map[string]any{}
	for _, c := range l.conditions {
		if !c.known && l.match != kind.MatchEquality && c.criterion(l.match) != nil {
			unmet[c.property] = map[string]any{c.property: neverMatches, c.property + kind.FilterSuffix: kind.MatchRegex}
		}
	}
	for _, m := range l.Relations {
		unmet[m.Attribute] = map[string]any{m.Attribute: []string{impossibleName}}
	}
	return unmet
}

// Unproven returns the properties in the configuration that might not exist: no row of the answer has them,
// and no table. An attribute in the filter is only doubted if there are rows that should have it.
func (l *Listing) Unproven(rows []value.Object) []string {
	names := slices.Clone(l.properties)
	for _, c := range l.conditions {
		if !c.known || len(rows) > 0 {
			names = append(names, c.property)
		}
	}
	return slices.DeleteFunc(unique(names), func(name string) bool {
		return ofSomeType(l.kind, name) || slices.ContainsFunc(rows, func(row value.Object) bool { _, held := row[name]; return held })
	})
}

// UnknownProperty returns the error for a property of the configuration that eNMS does not have.
func (l *Listing) UnknownProperty(name string) diag.Diagnostic {
	at, consequence := path.Root(kind.RowProperties), ""
	if slices.ContainsFunc(l.conditions, func(c condition) bool { return c.property == name }) {
		at, consequence = path.Root(listFilter).AtMapKey(name), " It ignores such a condition and returns everything."
	}
	return diag.NewAttributeErrorDiagnostic(at, fmt.Sprintf("No %s has a property %s", l.Type, name),
		fmt.Sprintf("eNMS returns no such property for any %s that this user may read.%s%s", l.Type, consequence, l.meant(name)))
}

// Unsearchable returns the error for an attribute by which eNMS cannot search.
func (l *Listing) Unsearchable(name string) diag.Diagnostic {
	at, what, advice := path.Root(listFilter).AtMapKey(name), "property", ""
	if i := slices.IndexFunc(l.Relations, func(m Matching) bool { return m.Attribute == name }); i >= 0 {
		at, what = path.Root(name), "relation"
		if l.Relations[i].Of == "" {
			at = path.Root(listRelations).AtMapKey(name)
		} else if l.kind.HasSubtypes() {
			advice = fmt.Sprintf(" If only some types of %s have the relation, set type to one of them.", l.kind.Name)
		}
	} else if l.kind.HasSubtypes() {
		advice = fmt.Sprintf(" If only some types of %s have the property, set type to one of them, or use match = %q.", l.kind.Name, kind.MatchEquality)
	}
	return diag.NewAttributeErrorDiagnostic(at, fmt.Sprintf("eNMS cannot search by the %s %s", what, name),
		fmt.Sprintf("Not every %s has it: eNMS fails, or ignores the condition and returns everything.%s%s", l.Type, advice, l.meant(name)))
}

// meant returns a sentence that suggests a known property, or "" if none is similar.
func (l *Listing) meant(name string) string {
	known := slices.Collect(maps.Keys(l.kind.Table().Properties.Common))
	for _, a := range l.kind.Table().Listed {
		known = append(known, a.Name)
	}
	known = slices.DeleteFunc(known, func(other string) bool { return other == name })
	if near := checks.Nearest(name, known); near != "" {
		return fmt.Sprintf(" Did you mean `%s`?", near)
	}
	return ""
}

// First sorts the rows by name, and returns as many as the list may have.
func (l *Listing) First(rows []value.Object) []value.Object {
	text := func(row value.Object, field string) string { return fmt.Sprint(row[field]) }
	rows = slices.SortedFunc(slices.Values(rows), func(x, y value.Object) int {
		return cmp.Or(strings.Compare(text(x, kind.RowName), text(y, kind.RowName)), strings.Compare(text(x, kind.RowID), text(y, kind.RowID)))
	})
	if l.limit > 0 {
		rows = rows[:min(l.limit, len(rows))]
	}
	return rows
}

// Instances returns the values of the list. The error is an *object.FieldError.
func (l *Listing) Instances(rows []value.Object, typ tftypes.Type) (tftypes.Value, error) {
	list, _ := typ.(tftypes.List)
	instances := make([]tftypes.Value, len(rows))
	for i, row := range rows {
		values, err := states.OfRows(l.kind, l.kind.Table().Listed, row, nil, nil)
		if err != nil {
			return tftypes.Value{}, err
		}
		values[kind.RowProperties] = l.propertiesOf(row)
		instances[i] = tftypes.NewValue(list.ElementType, values)
	}
	return tftypes.NewValue(typ, instances), nil
}

// propertiesOf returns the requested properties of a row, as strings.
func (l *Listing) propertiesOf(row value.Object) tftypes.Value {
	texts := map[string]tftypes.Value{}
	for _, name := range l.properties {
		if row[name] == nil {
			continue
		}
		x := value.Plain(row[name])
		text, isString := x.(string)
		if !isString {
			document, _ := json.Marshal(x) // it was decoded from JSON
			text = string(document)
		}
		texts[name] = tftypes.NewValue(tftypes.String, text)
	}
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, texts)
}

// unique sorts names and removes duplicates.
func unique(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// ofSomeType reports whether, according to the table, any type of eNMS has a property.
func ofSomeType(k *kind.Kind, name string) bool {
	is := func(a kind.Attribute) bool {
		return a.Name == name && !a.Sample && !a.IsRelation() && !slices.Contains(k.Secrets, name)
	}
	return slices.ContainsFunc(k.Properties, is) ||
		slices.ContainsFunc(k.Subtypes, func(table kind.SubtypeTable) bool { return slices.ContainsFunc(table.Fields, is) })
}

// checked returns a condition with whole numbers in eNMS's notation. problem says why eNMS cannot search
// by the property or for the value, or is "".
func (l *Listing) checked(c condition) (_ condition, problem string) {
	isRelation := slices.Contains(l.kind.Table().Properties.Relations, c.property) ||
		slices.ContainsFunc(l.kind.Table().Relations, func(a kind.Attribute) bool { return a.Name == c.property })
	switch {
	case isRelation:
		return c, fmt.Sprintf("It is a relation: use the argument %s of the data source, with a list of names.", c.property)
	case slices.Contains(l.kind.Secrets, c.property):
		return c, "It is a secret, which eNMS cannot search."
	case !c.known:
		return c, ""
	case c.row.DataOnly && l.match != kind.MatchEquality:
		return c, fmt.Sprintf("eNMS computes it and cannot search it: use match = %q.", kind.MatchEquality)
	case c.row.Type == kind.Flag && c.text != "true" && c.text != "false":
		return c, fmt.Sprintf("Expected true or false, got %q.", c.text)
	case isWhole(c.row) && c.text != "" && l.match != kind.MatchRegex:
		whole, err := value.WholeNumber(json.Number(c.text))
		if err != nil {
			return c, fmt.Sprintf("Expected a whole number, got %q.", c.text)
		}
		c.text = fmt.Sprint(value.ToJSON(whole))
	case c.row.Type != kind.Text && c.row.Type != kind.Flag && c.row.Type != kind.Number:
		return c, "Expected a string, a number or a Boolean."
	}
	return c, ""
}

// The arguments and results of lists, besides the type, the properties and the relations of the table.
const (
	Instances = "instances"

	listFilter    = "filter"
	listMatch     = "match"
	listLimit     = "limit"
	listRelations = "relations"
	listBuiltIn   = "built_in" // of list resources only
)
