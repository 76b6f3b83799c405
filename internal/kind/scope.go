// This file follows names that begin with the name of another instance.

package kind

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Scopes returns the names that a name begins with, the outermost first.
func (k *Kind) Scopes(name string) (scopes []string) {
	if k.Scope == nil {
		return nil
	}
	for scope, _ := k.Scope.Split(name); scope != ""; scope, _ = k.Scope.Split(scope) {
		scopes = append(scopes, scope)
	}
	slices.Reverse(scopes)
	return scopes
}

// Renamed returns the name that eNMS has given an instance after it renamed another one.
func (k *Kind) Renamed(name, from, to string) string {
	if name == from {
		return to
	}
	scope, own := k.Scope.Split(name)
	if scope == "" {
		return name
	}
	return k.Scope.Join(k.Renamed(scope, from, to), own)
}

// InPlannedScope reports whether a name differs from the prior one only by what it begins
// with, and begins as planned.
func (k *Kind) InPlannedScope(name string, planned, prior Values) bool {
	if k.Scope == nil {
		return false
	}
	scope, own := k.Scope.Split(name)
	_, ownBefore := k.Scope.Split(value.Text(prior[RowName]))
	return scope != "" && own == ownBefore && refersTo(planned[k.Scope.Attribute], scope)
}
