// This file sends secrets, and makes sure that the state only contains versions of secrets that
// were sent.
//
// eNMS stores a secret and never returns it. In Terraform it is write-only: the row `password` is
// the attribute `password_wo`, with `password_wo_version` beside it (Attribute.secretRows). Its
// value is in the configuration alone. It is null in every plan (Plan.attribute) and in every
// state (Kind.valuesOf); the schema says WriteOnly (Attribute.resourceAttribute). A payload holds
// it when its version is not that of the state, and the private state holds a payload without
// it. Entries of enms_instances may have none (Kind.EntryConfig). Before anything is sent, the
// resource hands the secrets to the client (lifecycle, takeSecrets), which removes them from
// whatever it shows of a response (enms/rest/redact.go).

package kind

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// secrets returns the secrets of the configuration that a write sends: those with a version
// that is not that of the state. prior is nil for a creation.
func (k *Kind) secrets(config, prior Values) value.Object {
	payload := value.Object{}
	for _, a := range k.rows().secrets {
		secret, version := config[a.Name], a.versionName()
		repeated := prior != nil && (config[version].IsNull() || config[version].Equal(prior[version]))
		if secret.IsNull() || !secret.IsFullyKnown() || repeated {
			continue
		}
		if a.Type == Properties {
			maps.Copy(payload, value.Members(secret))
			continue
		}
		payload[a.secret] = value.ToJSON(secret)
	}
	return payload
}

// SecretsOf returns the secrets of a configuration, by their fields, as far as they are known.
func (k *Kind) SecretsOf(config Values) value.Object { return k.secrets(config, nil) }

// WithoutSecrets returns a payload as the private state may keep it: without Secrets, and
// without those of the configuration, which may be nil.
func (k *Kind) WithoutSecrets(payload value.Object, config Values) value.Object {
	kept, secrets := maps.Clone(payload), k.secrets(config, nil)
	maps.DeleteFunc(kept, func(name string, _ any) bool { return secrets[name] != nil || k.isSecret(name) })
	return kept
}

// isSecret reports whether eNMS never returns a field.
func (k *Kind) isSecret(field string) bool {
	return slices.Contains(k.Secrets, field) ||
		slices.ContainsFunc(k.rows().secrets, func(a Attribute) bool { return a.secret == field })
}

// SecretName matches names of fields that hold secrets: those of eNMS, and usual ones of other systems.
var SecretName = regexp.MustCompile(`(?i)password|passwd|passphrase|secret|private_key|api_?key|token|authorization|cookie`)

// PlainSecrets returns the paths of strings in a configuration that are secrets by the names of
// their fields, at any depth, such as properties.headers.Authorization. eNMS returns them.
func (k *Kind) PlainSecrets(config Values) (paths []string) {
	for _, a := range k.rows().resource {
		if a.Role != Secret {
			paths = append(paths, plainSecrets(a.Name, value.ToJSON(config[a.Name]), false)...)
		}
	}
	return paths
}

func plainSecrets(at string, x any, secret bool) (paths []string) {
	switch x := x.(type) {
	case string:
		if secret && x != "" {
			return []string{at}
		}
	case []any:
		for n, member := range x {
			paths = append(paths, plainSecrets(fmt.Sprintf("%s[%d]", at, n), member, secret)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(x)) {
			paths = append(paths, plainSecrets(at+"."+name, x[name], secret || SecretName.MatchString(name))...)
		}
	}
	return paths
}

// checkSecrets runs CheckSecrets for the plan. A version that is removed while its secret is
// configured remains in the state, like its secret in eNMS.
func (p *Plan) checkSecrets() {
	prior := p.prior
	if len(p.replace) > 0 { // another instance is created
		prior = nil
	}
	p.Diagnostics.Append(p.kind.checkSecrets(p.config, prior, true)...)
	for _, a := range p.kind.rows().secrets {
		if prior != nil && p.Configured(a.Name) && !p.Configured(a.versionName()) {
			p.Keep(a.versionName())
		}
	}
}

// CheckSecrets makes sure that the state will contain the version of a secret only if that secret
// was sent: eNMS returns neither. Unknown values are accepted, because the apply checks again,
// when everything is known. prior is nil if the instance will be created.
//
// "terraform destroy" plans the configuration first, possibly with variables that are null, and
// the provider does not know that it destroys. Therefore the plan of an existing instance only
// warns about a missing secret, and a version that is already in the state, or that is removed,
// is not an error.
func (k *Kind) CheckSecrets(config, prior Values) diag.Diagnostics {
	return k.checkSecrets(config, prior, false)
}

// checkSecrets is CheckSecrets at plan or at apply time.
func (k *Kind) checkSecrets(config, prior Values, planning bool) (found diag.Diagnostics) {
	for _, a := range k.rows().secrets {
		secret, version := config[a.Name], config[a.versionName()]
		sent := prior != nil && !prior[a.versionName()].IsNull()
		switch lacking := a.lackingSecret(secret); {
		case !secret.IsFullyKnown() || !version.IsKnown():
		case version.IsNull() && lacking != "":
		case version.IsNull() && sent:
			found.AddAttributeWarning(path.Root(a.Name), fmt.Sprintf("%s is not sent", a.Name),
				fmt.Sprintf("It is sent only when %s changes, which is null now. The secret in eNMS and the version in the state are kept. Write %s = %v to keep both.", a.versionName(), a.versionName(), value.ToJSON(prior[a.versionName()])))
		case version.IsNull():
			found.AddAttributeError(path.Root(a.Name), fmt.Sprintf("%s needs a version", a.Name),
				fmt.Sprintf("The secret is sent when its version changes. Add %s = 1.", a.versionName()))
		case lacking != "" && !(sent && version.Equal(prior[a.versionName()])):
			summary := fmt.Sprintf("%s without a secret", a.versionName())
			detail := fmt.Sprintf("%s = %v would be stored as sent, but %s. A secret that is added later with the same version would never be sent. Set the secret, or remove %s.",
				a.versionName(), value.ToJSON(version), lacking, a.versionName())
			switch {
			case planning && prior != nil:
				found.AddAttributeWarning(path.Root(a.versionName()), summary, detail+" Until then, an apply fails here; terraform destroy does not.")
			case planning:
				found.AddAttributeError(path.Root(a.versionName()), summary, detail+" (terraform destroy -refresh=false needs no secrets.)")
			default:
				found.AddAttributeError(path.Root(a.versionName()), summary, detail)
			}
		}
	}
	return found
}

// WithoutVersions returns the state for another instance than the one to which the secrets were
// sent: without the versions that are the same as before.
func (k *Kind) WithoutVersions(state, before Values) Values {
	without := maps.Clone(state)
	for _, a := range k.rows().secrets {
		if version := a.versionName(); state[version].Equal(before[version]) {
			without[version] = k.row(version).null()
		}
	}
	return without
}

// lackingSecret returns what is missing in a known secret, or "" if it is complete. eNMS ignores
// empty secrets (enms-rest.md 1.1).
func (a Attribute) lackingSecret(secret tftypes.Value) string {
	switch x := value.ToJSON(secret).(type) {
	case nil:
		return a.Name + " is null"
	case string:
		if x == "" {
			return a.Name + " is empty, and eNMS ignores empty secrets"
		}
	case map[string]any:
		if len(x) == 0 {
			return a.Name + " is empty"
		}
		for _, name := range slices.Sorted(maps.Keys(x)) {
			switch x[name] {
			case nil:
				return fmt.Sprintf("%s.%s is null", a.Name, name)
			case "":
				return fmt.Sprintf("%s.%s is empty, and eNMS ignores empty secrets", a.Name, name)
			}
		}
	}
	return ""
}
