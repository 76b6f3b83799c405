// This file makes the table of a kind: its own rows and those that every kind has.

package kind

import (
	"maps"
	"slices"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// The names of the rows that every kind has.
const (
	RowID             = "id"
	RowName           = "name"
	RowProperties     = "properties"
	RowPropertiesAll  = "properties_all" // properties, and those of the provider's defaults
	RowAdoptExisting  = "adopt_existing"
	RowDeletionPolicy = "deletion_policy"
)

// The sections of the rows that every kind has.
const (
	sectionProperties = "Other fields of eNMS"
	sectionSettings   = "Creating and deleting"
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
func (k *Kind) allRows(properties PropertyRows) []Attribute {
	rows := []Attribute{
		{Name: RowID, Role: Identity, ReadOnly: true,
			Doc: "The id of the " + k.Name + " in eNMS. eNMS may give the id of a deleted instance to a new one."},
		{Name: RowName, Role: Key, Required: k.MakeName == nil, Checks: NameChecks, Doubt: surroundingBlanks,
			Doc: "The name: at most 255 characters, without slashes, backslashes, quotes, line breaks and NUL. Changing it renames the " + k.Name + " in place."},
	}
	for _, a := range k.Attributes {
		if a.Role == Secret {
			rows = append(rows, a.secretRows()...)
			continue
		}
		rows = append(rows, a)
	}
	policies := "`delete` the " + k.Name + " (an error if eNMS would delete other instances with it), `cascade` (delete those first), `abandon` (leave it in eNMS as it is)"
	if k.Off != nil {
		policies += ", or `disable` (disable a service or deactivate a task, and leave it in eNMS)"
	}
	secrets := Attribute{Name: RowProperties, Section: sectionProperties, Role: Secret, Type: Properties,
		Doc: "Fields that eNMS never returns, such as passwords, by eNMS's names."}
	rows = append(rows,
		Attribute{Name: RowProperties, Section: sectionProperties, Type: Properties, Defaultable: true, unordered: properties.Relations, whole: properties.Objects, texts: properties.Texts, anyOrder: k.AnyType != nil,
			Doc: "Fields of eNMS without an attribute of their own, such as custom properties, by eNMS's names. Only the fields that are configured here are sent and compared. A field that is removed keeps its value. Write secrets in `properties_wo`: here, they would be stored in the state and in plans."})
	rows = append(rows, secrets.secretRows()...)
	return append(rows,
		Attribute{Name: RowPropertiesAll, Type: Properties, Role: Setting, ReadOnly: true,
			Doc: "All properties that are sent: those of the provider's `defaults`, and `properties`, which takes precedence. Null while the provider has no default properties for the type."},
		Attribute{Name: RowAdoptExisting, Section: sectionSettings, Type: Flag, Role: Setting,
			Doc: "Whether creating takes over an existing " + k.Name + " with this name, and changes only what is configured. Otherwise, an existing " + k.Name + " is an error. Defaults to the provider's `adopt_existing`."},
		Attribute{Name: RowDeletionPolicy, Role: Setting, OneOf: k.Policies(),
			Doc: "What destroying does: " + policies + ". Defaults to the provider's `deletion_policy`."},
	)
}

// Policies returns the deletion policies that the kind has.
func (k *Kind) Policies() []string {
	if k.Off != nil {
		return Policies
	}
	return slices.DeleteFunc(slices.Clone(Policies), func(p string) bool { return p == PolicyDisable })
}

// propertyRows selects the rows of properties. The map of a subtype is made when it is needed first: a
// run of Terraform needs few of them, and starts the provider several times.
func (k *Kind) propertyRows() PropertyRows {
	f := PropertyRows{Common: byName(k.Properties), Subtypes: map[string]func() map[string]Attribute{}, Relations: slices.Clone(k.Relations)}
	for _, a := range k.ListedBy {
		f.Relations = append(f.Relations, a.Name)
	}
	all := slices.Clone(k.Properties)
	for _, table := range k.Subtypes {
		f.Subtypes[table.Name] = sync.OnceValue(func() map[string]Attribute { return byName(k.Properties, table.Fields) })
		all = append(all, table.Fields...)
	}
	for _, a := range all {
		if a.IsRelation() {
			f.Relations = append(f.Relations, a.Name)
		}
		if a.Text5 {
			f.Texts = append(f.Texts, a.Name)
		}
		// eNMS may merge what is sent into the objects of custom properties, so only their
		// configured members are compared (enms-rest.md 1.1).
		if (a.Type == JSON || a.Type == Anything) && !a.Sample {
			f.Objects = append(f.Objects, a.Name)
		}
	}
	if len(k.Subtypes) > 0 {
		columns := byName(all)
		for _, relation := range f.Relations {
			delete(columns, relation)
		}
		f.Columns = slices.Sorted(maps.Keys(columns))
	}
	return f
}

// Rows returns all rows of the kind's table in the order of the documentation. They are shared
// and must not be changed.
func (k *Kind) Rows() []Attribute { return k.Table().All }

// Table returns the selections of rows, which it makes once.
func (k *Kind) Table() *Rows {
	k.once.Do(func() {
		properties := k.propertyRows()
		k.selected = selectRows(k.allRows(properties), k.DataCheck != nil)
		k.selected.Properties = properties
		k.selected.selectPageColumns()
	})
	return k.selected
}

// Row returns the row with a name. It panics if there is none.
func (k *Kind) Row(name string) Attribute {
	if a, is := k.Table().ByName[name]; is {
		return a
	}
	panic("kind: " + k.Name + " has no attribute " + name)
}

// RowOf returns the row of a field of an answer or a payload.
func (k *Kind) RowOf(object value.Object, field string) (a Attribute, is bool) {
	if a, is = k.Table().ByName[field]; is {
		return a, true
	}
	for _, a := range k.Table().Criteria {
		if a.OwnsCriterion(object, field) {
			return a, true
		}
	}
	return a, false
}
