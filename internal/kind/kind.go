// This file declares the kind, and what follows from its table alone: its rows, including those
// that every kind has, the types of its instances, and what eNMS computes from them.

package kind

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/instance"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Cascade is a relation by which eNMS deletes instances together with the instance that they
// refer to (enms-rest.md 3): the dependents.
type Cascade struct {
	Of        string // only deletions of this subtype cascade; empty for all
	Type      string // the type of the dependents
	Column    string // for a relation to one: the dependents' column with the id of the instance
	Property  string // for a relation to many: the dependents' relation that contains the instance
	Except    string // eNMS does not delete dependents whose names have this prefix; may be empty
	Recursive bool   // the dependents are of the same kind, and have dependents of their own
	Allowed   bool   // the dependents are useless without the instance, and never prevent its deletion
}

// Kind declares an instance type.
type Kind struct {
	// Name is the instance type in paths: "device" is the resource and the data
	// source enms_device.
	Name string

	Namespace   string      // the type within which names are unique (enms-rest.md 0.3)
	Summary     string      // what an instance of the kind is, in a sentence
	ExampleName string      // an example of names that have a form of their own; "" if any string is one
	Attributes  []Attribute // the kind's own rows, without those that every kind has

	// NoTimestamps: eNMS has no last_modified for the kind, or never sets it
	// (enms-rest.md 1.3).
	NoTimestamps bool
	// CommittedOneByOne: eNMS commits the instances of a list one by one, so a list that it
	// answers with 500 may have been written in part (enms-rest.md 0.1).
	CommittedOneByOne bool
	// Further are the further fields that instances of every subtype have. Subtypes are those
	// of single subtypes, as far as they are known. A site may have others.
	Further  []Attribute
	Subtypes []SubtypeTable
	// Relations are the properties without a row that are relations: their order is ignored,
	// and searches do not return them (enms-rest.md 2.1).
	Relations []string
	// ListedBy are relations without a row whose other type is known, so that lists can be
	// searched by them.
	ListedBy []Attribute
	// Unwatched are fields that change by themselves, or must never be sent. Imports omit them
	// from the properties.
	Unwatched []string
	// NeverSent are fields that eNMS refuses, or with which it would change or delete other
	// instances. They are not allowed in the properties (enms-rest.md 1.1, 2.2).
	NeverSent []string

	Secrets  []string  // properties that eNMS stores and never returns (enms-rest.md 1.2)
	Cascades []Cascade // the relations of dependents

	// Off are the fields that switch an instance off, for the deletion policy "disable"; nil
	// if that is not possible.
	Off value.Object
	// AnyType: the kind stands for every type of eNMS. The subtype, which is Required, is the
	// type; which of its properties are relations is not known.
	AnyType bool
	// CommonTypes are, for a kind of AnyType, the types that every eNMS has.
	CommonTypes []string
	// NamespaceOf returns, for a kind of AnyType, the type within which the names of a type
	// are unique. Nil for the type itself.
	NamespaceOf func(typ string) string
	// BuiltIn are the names of the instances that every eNMS creates at its first start
	// (enms-rest.md 0.4). Lists omit them by default.
	BuiltIn []string
	// BuiltInOf returns, for a kind of AnyType, the BuiltIn of a type. May be nil.
	BuiltInOf func(typ string) []string
	// Layout describes values that other instances store under the name of an instance. May be
	// nil.
	Layout *Layout
	// MakeName returns the name of an instance that is created without one; known is false if
	// it is unknown until apply. Nil if the configuration must set the name.
	MakeName func(*Plan) (name string, known bool)
	// Unique are attributes whose values, taken together, no two instances may share: eNMS
	// answers a write of the second one with a 500 that gives no reason (enms-rest.md 1.13).
	Unique []string
	// Exchange is the one of Unique that may have any string for a moment, so that two
	// instances can exchange their values.
	Exchange string
	// RenameByID: a rename is sent with the id instead of the old name; otherwise eNMS loses
	// what it stores under the name (enms-rest.md 1.16).
	RenameByID bool
	// Within says which instances some relations should refer to. Nil if they may refer to any.
	Within *Within
	// Scope says which prefix the names have. Nil for names without one.
	Scope *Scope
	// Recompute is what eNMS computes from the attributes only on demand. May be nil.
	Recompute *Recompute
	// Check checks the attributes together at plan time, and may plan values of its own. May be
	// nil.
	Check func(*Plan)
	// ChangesOnWrite reports whether this write may change the attributes that have
	// ChangesOnWrite. Nil for a kind without such attributes.
	ChangesOnWrite func(*Plan) bool
	// AfterWrite checks the values in eNMS after a write. May be nil.
	AfterWrite *AfterWrite

	once     sync.Once // guards selected
	selected *rows
	types    sync.Map // of a kind with AnyType: the kinds of its types
	resource string   // the end of the Terraform type, if it is not Name
}

// Layout describes values that other instances, the holders, store for an instance under its
// name. eNMS does not remove them when the instance is deleted (enms-rest.md 1.16).
type Layout struct {
	Subtype  string         // only instances of this subtype have such values
	Holder   string         // the type of the holders
	Relation string         // the relation of the instance to them
	Prefix   string         // the prefix of their names
	Field    string         // their field, an object
	Fresh    map[string]any // the value of a new instance, by the name of the holder
	Other    any            // the value of a new instance in other holders
}

// Within says that some relations should refer to members of the instance that another
// relation refers to, such as the ends of an edge to services of its workflow. eNMS does not
// check it (enms-rest.md 1.13).
type Within struct {
	Relation string   // the relation to the instance with the members, such as "workflow"
	Members  []string // the relations that should refer to members, such as "source"
	Of       string   // the type of the members
	Field    string   // the members' relation to the instances that contain them, such as "workflows"
	// Named reports, from the names alone, whether an instance is a member; known is false if
	// the names do not show it.
	Named func(container, member string) (is, known bool)
	// Problem says, in a sentence, that a member is missing and what the consequence is.
	Problem func(container, member string) string
	// Search are the criteria that find all members whose names do not show it.
	Search map[string]any
}

// Scope describes names that begin with the name of another instance, such as those of services
// in workflows. When eNMS renames that instance, it renames these too (enms-rest.md 1.5).
type Scope struct {
	Attribute string // the relation to the other instance
	Type      string // the type of the other instance
	// Split splits a name; scope is empty if the name does not begin with that of another
	// instance. Join is the inverse.
	Split func(name string) (scope, own string)
	Join  func(scope, own string) string
}

// Recompute is a computation that eNMS makes only on demand (enms-rest.md 2.4).
type Recompute struct {
	Endpoint   string   // the last part of its path, such as "update_all_pools"
	Computed   string   // what is computed, in a word
	Hint       string   // what to look for if it fails, in a sentence
	Attributes []string // the attributes whose change requires it
	Setting    string   // the attribute that disables it with false
}

// AfterWrite checks the values in eNMS after a write.
type AfterWrite struct {
	// Undecided reports whether a response is too early to be checked: eNMS is asked again in a
	// moment.
	Undecided func(answer value.Object) bool
	// Check checks the last response, which also contains the fields of the data source.
	Check func(name string, answer value.Object, now time.Time) diag.Diagnostics
}

// Plan is the plan of an instance. A kind's Check uses its methods, which take the
// names of attributes.
type Plan struct {
	Diagnostics diag.Diagnostics // the errors and warnings so far

	kind    *Kind
	config  Values
	prior   Values // nil if the instance will be created
	managed []string
	now     time.Time
	planned Values
	replace []string
	refused diag.Diagnostics // errors even if nothing is to be written
	// configOnly: only the configuration is known (Validate).
	configOnly bool
}

// The names of the rows that every kind has.
const (
	RowID                = "id"
	RowName              = "name"
	RowProperties        = "properties"
	RowDefaultProperties = "default_properties" // those of the provider's defaults
	RowAdoptExisting     = "adopt_existing"
	RowDeletionPolicy    = "deletion_policy"
)

// The sections of the rows that every kind has.
const (
	sectionFurther  = "Other fields of eNMS"
	sectionSettings = "Creating and deleting"
)

// The deletion policies.
const (
	PolicyDelete  = "delete"  // deletes the instance, unless it has dependents
	PolicyCascade = "cascade" // deletes the dependents first
	PolicyAbandon = "abandon" // leaves the instance as it is
	PolicyDisable = "disable" // switches the instance off
)

// Policies are the deletion policies in the order of the documentation.
var Policies = []string{PolicyDelete, PolicyCascade, PolicyAbandon, PolicyDisable}

// allRows returns the rows that every kind has, with the kind's own rows between them.
func (k *Kind) allRows() []Attribute {
	rows := []Attribute{
		{Name: RowID, Role: Identity, ReadOnly: true,
			Doc: "The id of the " + k.Name + " in eNMS. eNMS may give the id of a deleted instance to a new one."},
		{Name: RowName, Role: Key, Required: k.MakeName == nil, Checks: nameChecks,
			Doc: "The name: at most 255 characters, without slashes, backslashes, quotes, line breaks and NUL. Changing it renames the " + k.Name + " in place."},
	}
	for _, a := range k.Attributes {
		if a.Role == Secret {
			rows = append(rows, a.secretRows()...)
			continue
		}
		rows = append(rows, a)
	}
	policies := "`delete` deletes the " + k.Name + "; if eNMS would delete other instances with it, that is an error. `cascade` deletes those first. `abandon` leaves it in eNMS as it is"
	if k.Off != nil {
		policies += ". `disable` disables it and leaves it in eNMS"
	}
	secrets := Attribute{Name: RowProperties, Section: sectionFurther, Role: Secret, Type: Properties,
		Doc: "Fields of eNMS that it never returns, such as passwords, by eNMS's names."}
	rows = append(rows,
		Attribute{Name: RowProperties, Section: sectionFurther, Type: Properties, Defaultable: true, unordered: k.further().relations, whole: k.further().objects, anyOrder: k.AnyType,
			Doc: "Fields of eNMS without an attribute of their own, such as custom properties, by eNMS's names. Only the fields that are configured here are sent and compared. A field that is removed keeps its value. Do not write secrets here, because they would be stored in the state and in plans, and logged with `TF_LOG=DEBUG`: use `properties_wo`."})
	rows = append(rows, secrets.secretRows()...)
	return append(rows,
		Attribute{Name: RowDefaultProperties, Type: Properties, Role: Setting, ReadOnly: true,
			Doc: "The properties that the provider's `defaults` set, without those that `properties` sets."},
		Attribute{Name: RowAdoptExisting, Section: sectionSettings, Type: Flag, Role: Setting,
			Doc: "Whether creating takes over an existing " + k.Name + " with this name, and changes only what is configured. Otherwise, an existing " + k.Name + " is an error. Defaults to the provider's `adopt_existing`."},
		Attribute{Name: RowDeletionPolicy, Role: Setting, OneOf: k.Policies(),
			Doc: "What destroying does. " + policies + ". Defaults to the provider's `deletion_policy`."},
	)
}

// Policies returns the deletion policies that the kind has.
func (k *Kind) Policies() []string {
	if k.Off != nil {
		return Policies
	}
	return slices.DeleteFunc(slices.Clone(Policies), func(p string) bool { return p == PolicyDisable })
}

// Rows returns all rows of the kind's table in the order of the documentation. They are shared
// and must not be changed.
func (k *Kind) Rows() []Attribute { return k.rows().all }

// row returns the row with a name. It panics if there is none.
func (k *Kind) row(name string) Attribute {
	if a, is := k.rows().byName[name]; is {
		return a
	}
	panic("kind: " + k.Name + " has no attribute " + name)
}

// rowOf returns the row of a field of an answer or a payload.
func (k *Kind) rowOf(object value.Object, field string) (a Attribute, is bool) {
	if a, is = k.rows().byName[field]; is {
		return a, true
	}
	for _, a := range k.rows().criteria {
		if a.ownsCriterion(object, field) {
			return a, true
		}
	}
	return a, false
}

// further returns the rows of properties.
func (k *Kind) further() further {
	relations := slices.Clone(k.Relations)
	for _, a := range k.ListedBy {
		relations = append(relations, a.Name)
	}
	return selectFurther(relations, k.Further, k.Subtypes)
}

// rows returns the selections of rows, which it makes once.
func (k *Kind) rows() *rows {
	k.once.Do(func() {
		k.selected = selectRows(k.allRows())
		k.selected.further = k.further()
		k.selected.selectPageColumns()
	})
	return k.selected
}

// Path returns the instance type in the path of the request: the subtype if there is one,
// because the relations of a subtype can be set in no other way (enms-rest.md 1.5).
func (k *Kind) Path(values Values) string {
	return cmp.Or(value.Text(values[k.SubtypeRow()]), k.Name)
}

// For returns the kind of an instance: for AnyType, a kind whose Name is the type of the
// instance.
func (k *Kind) For(values Values) *Kind {
	typ := value.Text(values[k.SubtypeRow()])
	if !k.AnyType || typ == "" {
		return k
	}
	namespace := typ
	if k.NamespaceOf != nil {
		namespace = k.NamespaceOf(typ)
	}
	var builtIn []string
	if k.BuiltInOf != nil {
		builtIn = k.BuiltInOf(typ)
	}
	made, _ := k.types.LoadOrStore(typ, &Kind{Name: typ, Namespace: namespace, Summary: k.Summary, Attributes: k.Attributes,
		Unwatched: k.Unwatched, NeverSent: k.NeverSent, NoTimestamps: k.NoTimestamps, AnyType: true, CommonTypes: k.CommonTypes, BuiltIn: builtIn, Check: k.Check, resource: k.Name})
	return made.(*Kind)
}

// Resource returns the end of the kind's Terraform type: "device" of enms_device.
func (k *Kind) Resource() string { return cmp.Or(k.resource, k.Name) }

// TypeName returns the kind's type in Terraform, "enms_device".
func (k *Kind) TypeName() string { return "enms_" + k.Resource() }

// HasSubtypes reports whether the kind has subtypes.
func (k *Kind) HasSubtypes() bool { return k.SubtypeRow() != "" }

// KnownTypes returns the types of the kind's instances that every eNMS has, sorted.
func (k *Kind) KnownTypes() []string {
	known := append([]string{k.Name}, k.rows().subtype.OneOf...)
	if k.AnyType {
		known = slices.Clone(k.CommonTypes)
	}
	for _, table := range k.Subtypes {
		known = append(known, table.Name)
	}
	slices.Sort(known)
	return slices.Compact(known)
}

// SubtypeRow returns the attribute that holds the subtype, or "" if there is none.
func (k *Kind) SubtypeRow() string { return k.rows().subtype.Name }

// Takes reports whether instances with a type, as eNMS returns it, are of the kind.
func (k *Kind) Takes(foundType string) bool {
	choices := k.rows().subtype.OneOf
	return foundType == "" || foundType == k.Name || k.HasSubtypes() && (len(choices) == 0 || slices.Contains(choices, foundType))
}

// RowOfField returns the attribute that holds a field of an answer, or "" if there is none.
func (k *Kind) RowOfField(values Values, field string) string {
	for _, a := range k.rows().resource {
		if a.readFrom() == field || a.ownsCriterion(nil, field) {
			return a.Name
		}
	}
	if _, is := value.Members(values[RowProperties])[field]; is {
		return RowProperties
	}
	return ""
}

// PageColumns returns all fields that Columns may return, as far as the table has them. With
// these, one page of instances of all subtypes is enough for every state.
func (k *Kind) PageColumns() []string { return k.rows().pageColumns }

// selectPageColumns selects the fields of PageColumns.
func (r *rows) selectPageColumns() {
	columns := map[string]bool{}
	for _, a := range r.searched {
		if !a.DataOnly {
			for _, column := range a.columns(a.null()) {
				columns[column] = true
			}
		}
	}
	for _, fields := range r.further.subtypes {
		for name := range fields {
			if !slices.Contains(r.further.relations, name) {
				columns[name] = true
			}
		}
	}
	r.pageColumns = slices.Sorted(maps.Keys(columns))
}

// NeedsRecompute reports whether a write has changed attributes from which eNMS must compute
// something. prior is nil for a creation.
func (k *Kind) NeedsRecompute(planned, prior Values) bool {
	return k.Recomputes(planned) && slices.ContainsFunc(k.Recompute.Attributes, func(name string) bool {
		if prior == nil {
			return planned[name].IsKnown() && !planned[name].IsNull()
		}
		return !planned[name].Equal(prior[name])
	})
}

// Recomputes reports whether the kind has a computation, and its setting does not disable it.
func (k *Kind) Recomputes(planned Values) bool {
	return k.Recompute != nil && !planned[k.Recompute.Setting].Equal(tftypes.NewValue(tftypes.Bool, false))
}

// Selects reports whether criteria of the kind are about instances of another one.
func (k *Kind) Selects(other *Kind) bool {
	return slices.ContainsFunc(k.rows().criteria, func(a Attribute) bool { return a.Compares == other.Name })
}

// UniqueCriteria returns the criteria of a search for the instance that has the planned values of
// the attributes in Unique, or nil if the kind has none.
func (k *Kind) UniqueCriteria(planned Values) map[string]any {
	if len(k.Unique) == 0 {
		return nil
	}
	criteria := map[string]any{}
	for _, name := range k.Unique {
		text := value.Text(planned[name])
		if k.row(name).isRelation() {
			criteria[name] = []string{text}
			continue
		}
		criteria[name], criteria[name+FilterSuffix] = text, MatchEquality
	}
	return criteria
}

// ContentCriteria returns the criteria of a search for instances with the content of a state
// (SameContent). The search may find others as well.
func (k *Kind) ContentCriteria(state Values) map[string]any {
	criteria := map[string]any{}
	for _, a := range k.rows().content {
		if text := value.Text(state[a.Name]); a.Type == Text && a.Role == Field && a.inSearch() && text != "" && len(text) <= mostSearched {
			criteria[a.column()], criteria[a.column()+FilterSuffix] = text, MatchEquality
		}
	}
	return criteria
}

// mostSearched is the length in bytes of the longest string in ContentCriteria. Scripts are longer.
const mostSearched = 200

// FieldError returns a *instance.FieldError about a field of an answer.
func (k *Kind) FieldError(answer value.Object, field, reason string) error {
	name, _ := answer["name"].(string)
	return &instance.FieldError{Type: k.Name, Name: name, Field: field, Reason: reason}
}

// Named returns the kind of a type such as "device" or "gateway", or nil. The kind with AnyType
// stands for types without a kind of their own.
func Named(kinds []*Kind, typ string) *Kind {
	var anyType *Kind
	for _, k := range kinds {
		_, ofSubtype := k.rows().further.subtypes[typ]
		switch {
		case k.AnyType:
			anyType = k
		case k.Name == typ, ofSubtype, slices.Contains(k.rows().subtype.OneOf, typ):
			return k
		}
	}
	if anyType == nil {
		return nil
	}
	return anyType.For(Values{anyType.SubtypeRow(): tftypes.NewValue(tftypes.String, typ)})
}
