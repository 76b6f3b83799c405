// This file holds the rows that every kind has: id, name, properties and the
// settings of the provider's own conduct.

package kind

import (
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

// The deletion policies.
const (
	// PolicyDelete deletes the instance, unless eNMS would delete others along.
	PolicyDelete = "delete"
	// PolicyCascade deletes those others first.
	PolicyCascade = "cascade"
	// PolicyAbandon leaves the instance as it is.
	PolicyAbandon = "abandon"
	// PolicyDisable switches the instance off.
	PolicyDisable = "disable"
)

// Policies are the deletion policies in the order of the documentation.
var Policies = []string{PolicyDelete, PolicyCascade, PolicyAbandon, PolicyDisable}

// nameChecks are what every name must be.
var nameChecks = []validator.String{nameCheck{}}

// allRows are the rows that every kind has, with the kind's own between them.
func (k *Kind) allRows() []Attribute {
	rows := []Attribute{
		{Name: RowID, Role: Identity, ReadOnly: true,
			Doc: "The server's number for the " + k.Name + ". eNMS may give the number of a deleted instance to a new one."},
		{Name: RowName, Role: Key, Required: true, Checks: nameChecks,
			Doc: "The name: at most 255 characters, none of them a slash, a backslash, a quote, a line break or a NUL. Another name renames the " + k.Name + " in place."},
	}
	rows = append(rows, k.Attributes...)
	policies := "`delete` deletes the " + k.Name + ", and refuses when eNMS would delete other instances along with it; `cascade` deletes those first; `abandon` leaves it as it is"
	if k.Off != nil {
		policies += "; `disable` leaves it switched off"
	}
	return append(rows,
		Attribute{Name: RowProperties, Type: Fields, unordered: k.further().relations, whole: k.further().objects,
			Doc: "Further eNMS fields by their own names, such as custom properties. They are sent as they stand, and changes of the fields named here, and of no others, are found. A field that is taken out stays as it is. A secret that is written here is kept in the state and in plans, and Terraform itself logs it at `TF_LOG=DEBUG`."},
		Attribute{Name: RowAdoptExisting, Type: Flag, Role: Setting,
			Doc: "Whether creating takes over a " + k.Name + " that already has the name, changing only what is configured. Without it, and without the provider's `adopt_existing`, that is an error."},
		Attribute{Name: RowDeletionPolicy, Role: Setting, OneOf: k.Policies(),
			Doc: "What destroying does: " + policies + ". When omitted, the provider's `deletion_policy` applies."},
	)
}

// Policies are the deletion policies that the kind has.
func (k *Kind) Policies() []string {
	if k.Off != nil {
		return Policies
	}
	return slices.DeleteFunc(slices.Clone(Policies), func(p string) bool { return p == PolicyDisable })
}

// Rows are all rows of the kind's table, those that every kind has included, in
// the order of the documentation. They are shared and must not be changed.
func (k *Kind) Rows() []Attribute { return k.rows().all }

// row is the row of that name; kinds are fixed, so a missing one is a mistake
// in the program.
func (k *Kind) row(name string) Attribute {
	if a, is := k.rows().byName[name]; is {
		return a
	}
	panic("kind: " + k.Name + " has no attribute " + name)
}

// rows makes the selections, once.
func (k *Kind) rows() *rows {
	k.once.Do(func() {
		k.selected = selectRows(k.allRows())
		k.selected.further = k.further()
	})
	return k.selected
}

// Path is the instance type in the path of the request: the subtype if the kind
// has such, as relations of a subtype can be set in no other way
// (enms-rest.md 1.5).
func (k *Kind) Path(values Values) string {
	if subtype := value.Text(values[k.SubtypeRow()]); subtype != "" {
		return subtype
	}
	return k.Name
}

// HasSubtypes tells whether the kind has subtypes.
func (k *Kind) HasSubtypes() bool { return k.rows().subtype != nil }

// SubtypeRow is the name of the attribute that holds the subtype, "" when the
// kind has none.
func (k *Kind) SubtypeRow() string {
	if a := k.rows().subtype; a != nil {
		return a.Name
	}
	return ""
}

// Takes tells whether an instance of a type that eNMS answered is one of the
// kind's.
func (k *Kind) Takes(foundType string) bool {
	if foundType == "" || foundType == k.Name {
		return true
	}
	a := k.rows().subtype
	return a != nil && (len(a.OneOf) == 0 || slices.Contains(a.OneOf, foundType))
}
