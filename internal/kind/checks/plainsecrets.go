// This file finds secrets that are in a configuration although eNMS returns them.

package checks

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// SecretName matches names of fields that hold secrets: those of eNMS, and usual ones of other systems.
var SecretName = regexp.MustCompile(`(?i)password|passwd|passphrase|secret|private_key|api_?key|token|authorization|cookie`)

// IsSecretName reports whether a field holds a secret by its name. A prompt for a password is none.
func IsSecretName(name string) bool {
	return SecretName.MatchString(name) && !strings.HasSuffix(name, "_prompt")
}

// PlainSecrets returns the paths of strings in a configuration that eNMS returns although they are secrets by the names
// of their fields, at any depth, such as properties.headers.Authorization.
func PlainSecrets(k *kind.Kind, config kind.Values) (paths []string) {
	for _, a := range k.Table().Resource {
		if a.Role != kind.Secret {
			paths = append(paths, PlainSecretsIn(a.Name, value.ToJSON(config[a.Name]))...)
		}
	}
	return paths
}

// PlainSecretsIn is PlainSecrets for a value at a path, which is "" for an object of properties.
func PlainSecretsIn(at string, x any) []string { return plainSecrets(at, x, false) }

// plainSecrets is PlainSecretsIn. inSecret says that the name of a field above the value is that of a secret.
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
			inside := strings.TrimPrefix(at+"."+name, ".")
			paths = append(paths, plainSecrets(inside, x[name], inSecret || IsSecretName(name))...)
		}
	}
	return paths
}
