// This file reads the scope of a name: the names of other instances with which it begins.

package relate

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Scopes returns the names of other instances with which a name begins, because they contain its instance. The outermost
// comes first.
func Scopes(k *kind.Kind, name string) (scopes []string) {
	if k.Scope == nil {
		return nil
	}
	for scope, _ := k.Scope.Split(name); scope != ""; scope, _ = k.Scope.Split(scope) {
		scopes = append(scopes, scope)
	}
	slices.Reverse(scopes)
	return scopes
}

// ScopedName returns a name without its scope, or "" if it has none.
func ScopedName(k *kind.Kind, name string) string {
	if k.Scope == nil {
		return ""
	}
	if scope, own := k.Scope.Split(name); scope != "" {
		return own
	}
	return ""
}

// Renamed returns the name of an instance after eNMS has renamed another one, with which the name may begin.
func Renamed(k *kind.Kind, name, from, to string) string {
	if name == from {
		return to
	}
	scope, own := k.Scope.Split(name)
	if scope == "" {
		return name
	}
	return k.Scope.Join(Renamed(k, scope, from, to), own)
}

// InPlannedScope reports whether a name differs from the prior one only in its scope, and has the planned scope.
func InPlannedScope(k *kind.Kind, name string, planned, prior kind.Values) bool {
	if k.Scope == nil {
		return false
	}
	scope, own := k.Scope.Split(name)
	_, ownBefore := k.Scope.Split(value.Text(prior[kind.RowName]))
	return scope != "" && own == ownBefore && refersTo(planned[k.Scope.Attribute], scope)
}
