// This file reads the conditions of a list of instances. It decides which of them eNMS can filter
// by, and which have to be checked in its answer.

package kind

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// The arguments and results of lists, besides the type, the properties and the relations of the
// table.
const (
	ListInstances = "instances"

	listFilter    = "filter"
	listMatch     = "match"
	listLimit     = "limit"
	listRelations = "relations"
	listBuiltIn   = "built_in" // of list resources only
)

// listedBy returns the relations by which a list can be searched.
func (k *Kind) listedBy() []Attribute {
	return slices.Concat(k.rows().relations, k.ListedBy)
}

// Matching is a relation by which a list is searched: only instances that have one of
// the names in it are listed.
type Matching struct {
	Attribute string // the name of the relation and of the argument
	Of        string // the type of the related instances, or "" if it is unknown
	Names     []string
}

// Listing holds the conditions of a list of instances.
type Listing struct {
	Type      string     // the type to search
	Relations []Matching // an instance must match all of them

	kind       *Kind
	only       string // the exact type that instances must have, or "" for any
	match      string
	conditions []condition
	properties []string // the properties to return of each instance
	limit      int      // 0 for all
	builtIn    bool     // whether a query lists the instances that every eNMS has
}

// condition is one condition of the filter.
type condition struct {
	property, text string
	row            Attribute
	known          bool // row is certain: eNMS has the property and can search by it
}

// neverMatches is a regular expression that matches no string in any database.
const neverMatches = "a^"

// impossibleName is a name that no instance has (enms-rest.md 0.3).
const impossibleName = "/"

// Listing reads the configuration of a list. It returns errors for conditions of the filter that
// are wrong according to the table.
func (k *Kind) Listing(config Values) (*Listing, diag.Diagnostics) {
	typ := value.Text(config[k.SubtypeRow()])
	l := &Listing{kind: k, Type: k.Path(config), match: MatchEquality, properties: value.Names(config[RowProperties])}
	if match := value.Text(config[listMatch]); match != "" {
		l.match = match
	}
	if !k.AnyType {
		l.only = typ
	}
	if limit, is := value.ToJSON(config[listLimit]).(json.Number); is {
		l.limit, _ = strconv.Atoi(limit.String())
	}
	for _, a := range k.listedBy() {
		if names := config[a.Name]; !names.IsNull() {
			l.Relations = append(l.Relations, Matching{Attribute: a.Name, Of: a.Of, Names: unique(value.Names(names))})
		}
	}
	var related map[string]tftypes.Value
	if v := config[listRelations]; k.AnyType && !v.IsNull() && v.As(&related) == nil {
		for _, name := range slices.Sorted(maps.Keys(related)) {
			l.Relations = append(l.Relations, Matching{Attribute: name, Names: unique(value.Names(related[name]))})
		}
	}
	if v := config[listBuiltIn]; !v.IsNull() && v.IsKnown() {
		l.builtIn, _ = value.ToJSON(v).(bool)
	}
	return l, l.readFilter(config[listFilter])
}

// unique sorts names and removes duplicates.
func unique(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// readFilter reads the conditions. Null members are ignored.
func (l *Listing) readFilter(filter tftypes.Value) (wrong diag.Diagnostics) {
	members := value.Members(filter)
	for _, property := range slices.Sorted(maps.Keys(members)) {
		text, _ := members[property].(string)
		c := condition{property: property, text: text}
		if row, is := l.kind.rows().byName[property]; is && row.Name == property && row.inSearch() {
			c.row, c.known = row, true
		}
		if problem := l.problem(&c); problem != "" {
			wrong.AddAttributeError(path.Root(listFilter).AtMapKey(property), fmt.Sprintf("Cannot search by %s", property), problem)
		}
		l.conditions = append(l.conditions, c)
	}
	return wrong
}

// problem returns why eNMS cannot search by the property, or for the value, or "" if it can. It
// changes whole numbers in the condition to eNMS's notation.
func (l *Listing) problem(c *condition) string {
	relation := c.row.isRelation() || slices.Contains(l.kind.rows().further.relations, c.property) ||
		slices.ContainsFunc(l.kind.rows().relations, func(a Attribute) bool { return a.Name == c.property })
	switch {
	case relation:
		return fmt.Sprintf("It is a relation: use the argument %s of the data source, with a list of names.", c.property)
	case slices.Contains(l.kind.Secrets, c.property):
		return "It is a secret, which eNMS cannot search."
	case !c.known:
		return ""
	case c.row.DataOnly && l.match != MatchEquality:
		return fmt.Sprintf("eNMS computes it and cannot search it: use match = %q.", MatchEquality)
	case c.row.Type == Flag && c.text != "true" && c.text != "false":
		return fmt.Sprintf("Expected true or false, got %q.", c.text)
	case c.row.isWhole() && c.text != "" && l.match != MatchRegex:
		return c.readWhole()
	case c.row.Type != Text && c.row.Type != Flag && c.row.Type != Number:
		return "Expected a string, a number or a Boolean."
	}
	return ""
}

// isWhole reports whether eNMS holds a whole number for the attribute.
func (a Attribute) isWhole() bool { return a.Type == Number || a.Role == Identity }

// readWhole changes the value of the condition to eNMS's notation of a whole number. It returns a
// problem if the value is not a whole number.
func (c *condition) readWhole() string {
	whole, err := value.WholeNumber(json.Number(c.text))
	if err != nil {
		return fmt.Sprintf("Expected a whole number, got %q.", c.text)
	}
	c.text = fmt.Sprint(value.ToJSON(whole))
	return ""
}

// Columns returns the fields that a search must return.
func (l *Listing) Columns() []string {
	columns := slices.Clone(l.properties)
	for _, a := range l.kind.rows().listed {
		columns = append(columns, a.column())
	}
	for _, c := range l.conditions {
		columns = append(columns, c.property)
	}
	return unique(columns)
}

// Criteria returns the conditions by which eNMS can filter, as criteria of a search. certain are
// those without conditions on properties of unknown type, which the database may be unable to
// compare.
func (l *Listing) Criteria() (all, certain map[string]any) {
	all, certain = map[string]any{}, map[string]any{}
	for _, c := range l.conditions {
		criterion := c.criterion(l.match)
		maps.Copy(all, criterion)
		if c.known || l.match != MatchEquality {
			maps.Copy(certain, criterion)
		}
	}
	return all, certain
}

// criterion returns a condition as a criterion of a search, or nil if eNMS would ignore or
// misunderstand it (enms-rest.md 5.2, 10.6).
func (c condition) criterion(match string) map[string]any {
	flag := c.text == "true" || c.text == "false"
	switch {
	case c.text == "", strings.HasPrefix(c.text, "bool-"), c.row.DataOnly, !c.known && flag:
		return nil
	case c.row.Type == Flag:
		return map[string]any{c.property: "bool-" + c.text}
	case !c.known && match == MatchEquality && isNumber(c.text, false):
		return nil
	case c.row.isWhole() && match == MatchInclusion: // PostgreSQL supports this only for strings
		return map[string]any{c.property: regexp.QuoteMeta(c.text), c.property + FilterSuffix: MatchRegex}
	}
	return map[string]any{c.property: c.text, c.property + FilterSuffix: match}
}

// Impossible returns criteria that no instance meets, by attribute. eNMS ignores criteria that it
// does not know, such as relations that older versions do not have. If a search for these
// criteria returns anything, eNMS ignores the attribute.
func (l *Listing) Impossible() map[string]map[string]any {
	impossible := map[string]map[string]any{}
	for _, c := range l.conditions {
		if !c.known && l.match != MatchEquality && c.criterion(l.match) != nil {
			impossible[c.property] = map[string]any{c.property: neverMatches, c.property + FilterSuffix: MatchRegex}
		}
	}
	for _, m := range l.Relations {
		impossible[m.Attribute] = map[string]any{m.Attribute: []string{impossibleName}}
	}
	return impossible
}

// Matches reports whether a row of eNMS's answer meets the conditions. Conditions that only the
// database can evaluate count as met.
func (l *Listing) Matches(row value.Object) bool {
	if l.only != "" && row["type"] != l.only {
		return false
	}
	return !slices.ContainsFunc(l.conditions, func(c condition) bool { return !c.holds(row, l.match) })
}

// holds reports whether a row meets a condition.
func (c condition) holds(row value.Object, match string) bool {
	x, held := row[c.property]
	_, flag := x.(bool)
	switch {
	case !held:
		return false
	case match == MatchEquality || flag:
		return sameText(x, c.text)
	case c.criterion(match) == nil: // a Boolean or null, compared with a string
		text, is := x.(string)
		return c.text == "" || is && strings.Contains(strings.ToLower(text), c.text)
	}
	return true
}

// sameText reports whether Terraform would write a value of an answer as this string. Null is the
// empty string.
func sameText(x any, text string) bool {
	switch x := x.(type) {
	case nil:
		return text == ""
	case string:
		return x == text
	case bool:
		return strconv.FormatBool(x) == text
	case json.Number:
		return isNumber(text, false) && value.Equal(x, json.Number(text))
	}
	return false
}

// Unproven returns the properties of the configuration that are in none of the rows, and that no
// type is known to have.
func (l *Listing) Unproven(rows []value.Object) []string {
	names := slices.Clone(l.properties)
	for _, c := range l.conditions {
		if !c.known || len(rows) > 0 {
			names = append(names, c.property)
		}
	}
	return slices.DeleteFunc(unique(names), func(name string) bool {
		return l.kind.ofSomeType(name) || slices.ContainsFunc(rows, func(row value.Object) bool { _, held := row[name]; return held })
	})
}

// ofSomeType reports whether, according to the table, any type of eNMS has a further field.
func (k *Kind) ofSomeType(name string) bool {
	is := func(a Attribute) bool {
		return a.Name == name && !a.Sample && !a.isRelation() && !slices.Contains(k.Secrets, name)
	}
	return slices.ContainsFunc(k.Further, is) ||
		slices.ContainsFunc(k.Subtypes, func(table SubtypeTable) bool { return slices.ContainsFunc(table.Fields, is) })
}

// UnknownProperty returns the error of a property of the configuration that eNMS does not
// have.
func (l *Listing) UnknownProperty(name string) diag.Diagnostic {
	at, consequence := path.Root(RowProperties), ""
	if slices.ContainsFunc(l.conditions, func(c condition) bool { return c.property == name }) {
		at, consequence = path.Root(listFilter).AtMapKey(name), " It ignores such a condition and returns everything."
	}
	return diag.NewAttributeErrorDiagnostic(at, fmt.Sprintf("No %s has a property %s", l.Type, name),
		fmt.Sprintf("eNMS returns no such property for any %s that this user may read.%s%s", l.Type, consequence, l.meant(name)))
}

// Unsearchable returns the error of an attribute by which eNMS cannot search.
func (l *Listing) Unsearchable(name string) diag.Diagnostic {
	at, what := path.Root(listFilter).AtMapKey(name), "property"
	if i := slices.IndexFunc(l.Relations, func(m Matching) bool { return m.Attribute == name }); i >= 0 {
		at, what = path.Root(name), "relation"
		if l.Relations[i].Of == "" {
			at = path.Root(listRelations).AtMapKey(name)
		}
	}
	advice := ""
	if what == "property" && l.kind.HasSubtypes() {
		advice = fmt.Sprintf(" If only some types of %s have the property, set type to one of them, or use match = %q.", l.kind.Name, MatchEquality)
	}
	return diag.NewAttributeErrorDiagnostic(at, fmt.Sprintf("eNMS cannot search by the %s %s", what, name),
		fmt.Sprintf("Not every %s has it: eNMS fails, or ignores the condition and returns everything.%s%s", l.Type, advice, l.meant(name)))
}

// meant returns a sentence that suggests a known property, or "" if none is similar.
func (l *Listing) meant(name string) string {
	known := slices.Collect(maps.Keys(l.kind.rows().further.common))
	for _, a := range l.kind.rows().listed {
		known = append(known, a.Name)
	}
	known = slices.DeleteFunc(known, func(other string) bool { return other == name })
	if near := Nearest(name, known); near != "" {
		return fmt.Sprintf(" Did you mean `%s`?", near)
	}
	return ""
}
