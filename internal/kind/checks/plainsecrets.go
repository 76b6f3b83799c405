// This file finds secrets that are in a configuration although eNMS returns them.

package checks

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// SecretName matches names of fields that hold secrets: those of eNMS, and usual ones of other systems.
var SecretName = regexp.MustCompile(`(?i)password|passwd|passphrase|secret|private_key|api_?key|token|authorization|cookie`)

// PlainSecrets returns the paths of strings in a configuration that eNMS returns although they are secrets by the names
// of their fields, at any depth, such as properties.headers.Authorization.
func PlainSecrets(k *kind.Kind, config kind.Values) (paths []string) {
	for _, a := range k.Table().Resource {
		if a.Role != kind.Secret {
			paths = append(paths, plainSecrets(a.Name, value.ToJSON(config[a.Name]), false)...)
		}
	}
	return paths
}

// plainSecrets is PlainSecrets for a value at a path. inSecret says that the name of a field above it is a SecretName.
func plainSecrets(at string, x any, inSecret bool) (paths []string) {
	switch x := x.(type) {
	case string:
		if inSecret && x != "" {
			return []string{at}
		}
	case []any:
		for n, member := range x {
			paths = append(paths, plainSecrets(fmt.Sprintf("%s[%d]", at, n), member, inSecret)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(x)) {
			paths = append(paths, plainSecrets(at+"."+name, x[name], inSecret || SecretName.MatchString(name))...)
		}
	}
	return paths
}
