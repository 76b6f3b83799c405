// This file holds the rows that every kind has: id, name, properties and settings.

package kind

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// The names of the rows that every kind has.
const (
	RowID             = "id"
	RowName           = "name"
	RowProperties     = "properties"
	RowAdoptExisting  = "adopt_existing"
	RowDeletionPolicy = "deletion_policy"
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

// nameChecks are the validators of names.
var nameChecks = []validator.String{nameCheck{}}

// allRows returns the rows that every kind has, and the kind's own between them.
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
		Attribute{Name: RowProperties, Section: sectionFurther, Type: Properties, unordered: k.further().relations, whole: k.further().objects, anyOrder: k.AnyType,
			Doc: "Fields of eNMS without an attribute of their own, such as custom properties, by eNMS's names. Only the fields that are configured here are sent and compared. A field that is removed keeps its value. Do not write secrets here, because they would be stored in the state and in plans, and logged with `TF_LOG=DEBUG`: use `properties_wo`."})
	rows = append(rows, secrets.secretRows()...)
	return append(rows,
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

// row returns the row of that name. It panics when there is none.
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

// rows returns the selections of rows, which are made once.
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

// For returns the kind of an instance: of AnyType, one whose Name is the type.
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

// KnownTypes returns the types of instances of the kind that every eNMS has, in order: the
// tables know them.
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

// SubtypeRow returns the attribute that holds the subtype, "" when there is none.
func (k *Kind) SubtypeRow() string { return k.rows().subtype.Name }

// Takes reports whether instances of a type that eNMS answered are of the kind.
func (k *Kind) Takes(foundType string) bool {
	choices := k.rows().subtype.OneOf
	return foundType == "" || foundType == k.Name || k.HasSubtypes() && (len(choices) == 0 || slices.Contains(choices, foundType))
}

// RowOfField returns the attribute that holds a field of an answer, "" when there is none.
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

// PageColumns returns the fields that Columns may name, as far as the table knows them: with
// them, one page of instances of all subtypes answers for every state.
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
