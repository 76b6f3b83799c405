// This file tells the subtypes of a kind, which are in the paths of requests.

package kind

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

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
