// This file sends secrets.
//
// eNMS stores a secret and never returns it. In Terraform it is write-only: the row `password` is
// the attribute `password_wo`, with `password_wo_version` beside it. Its value is in the
// configuration alone. It is null in every plan and in every state; the schema says WriteOnly. A
// payload holds it when its version is not that of the state, and the private state holds a
// payload without it. Entries of enms_instances may have none (many.Config). Before anything is
// sent, the resource hands the secrets to the client (takeSecrets in package instance), which removes them
// from whatever it shows of a response (enms/rest/redact.go). plans.CheckSecrets checks that the state
// contains only versions of secrets that were sent.

package payloads

import (
	"maps"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// secrets returns the secrets of the configuration that a write sends: those whose version differs from
// the one in the state. prior is nil for a creation.
func secrets(k *kind.Kind, config, prior kind.Values) value.Object {
	payload := value.Object{}
	for _, a := range k.Table().Secrets {
		secret, version := config[a.Name], a.VersionName()
		repeated := prior != nil && (config[version].IsNull() || config[version].Equal(prior[version]))
		if secret.IsNull() || !secret.IsFullyKnown() || repeated {
			continue
		}
		if a.Type == kind.Properties {
			maps.Copy(payload, value.Members(secret))
			continue
		}
		payload[a.SentAs] = value.ToJSON(secret)
	}
	return payload
}

// Secrets returns the known secrets of a configuration, by their fields.
func Secrets(k *kind.Kind, config kind.Values) value.Object { return secrets(k, config, nil) }

// WithoutSecrets returns a payload without secrets, as the private state may contain it: without the
// fields of secret rows, and without the secrets of the configuration, which may be nil.
func WithoutSecrets(k *kind.Kind, payload value.Object, config kind.Values) value.Object {
	kept, secrets := maps.Clone(payload), secrets(k, config, nil)
	maps.DeleteFunc(kept, func(name string, _ any) bool { return secrets[name] != nil || k.IsSecret(name) })
	return kept
}
