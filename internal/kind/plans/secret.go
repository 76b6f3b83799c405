// This file makes sure that the state only contains versions of secrets that were sent.

package plans

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// planSecrets runs CheckSecrets for the plan. A version that is removed while its secret is
// configured remains in the state, like its secret in eNMS.
func planSecrets(p *kind.Plan) {
	prior := p.Prior
	if len(p.Replaced) > 0 { // another instance is created
		prior = nil
	}
	p.Diagnostics.Append(checkSecrets(p.Kind, p.Config, prior, true)...)
	for _, a := range p.Kind.Table().Secrets {
		if prior != nil && p.Configured(a.Name) && !p.Configured(a.VersionName()) {
			p.Keep(a.VersionName())
		}
	}
}

// checkSecrets is CheckSecrets at plan or at apply time.
func checkSecrets(k *kind.Kind, config, prior kind.Values, planning bool) (found diag.Diagnostics) {
	for _, a := range k.Table().Secrets {
		secret, version := config[a.Name], config[a.VersionName()]
		sent := prior != nil && !prior[a.VersionName()].IsNull()
		switch lacking := lackingSecret(a, secret); {
		case !secret.IsFullyKnown() || !version.IsKnown():
		case version.IsNull() && lacking != "":
		case version.IsNull() && sent:
			found.AddAttributeWarning(path.Root(a.Name), fmt.Sprintf("%s is not sent", a.Name),
				fmt.Sprintf("It is sent only when %s changes, which is null now. The secret in eNMS and the version in the state are kept. Write %s = %v to keep both.", a.VersionName(), a.VersionName(), value.ToJSON(prior[a.VersionName()])))
		case version.IsNull():
			found.AddAttributeError(path.Root(a.Name), fmt.Sprintf("%s needs a version", a.Name),
				fmt.Sprintf("The secret is sent when its version changes. Add %s = 1.", a.VersionName()))
		case lacking != "" && !(sent && version.Equal(prior[a.VersionName()])):
			summary := fmt.Sprintf("%s without a secret", a.VersionName())
			detail := fmt.Sprintf("%s = %v would be stored as sent, but %s. A secret that is added later with the same version would never be sent. Set the secret, or remove %s.",
				a.VersionName(), value.ToJSON(version), lacking, a.VersionName())
			switch {
			case planning && prior != nil:
				found.AddAttributeWarning(path.Root(a.VersionName()), summary, detail+" Until then, an apply fails here; terraform destroy does not.")
			case planning:
				found.AddAttributeError(path.Root(a.VersionName()), summary, detail+" (terraform destroy -refresh=false needs no secrets.)")
			default:
				found.AddAttributeError(path.Root(a.VersionName()), summary, detail)
			}
		}
	}
	return found
}

// CheckSecrets makes sure that the state will contain the version of a secret only if that secret
// was sent: eNMS returns neither. Unknown values are accepted, because the apply checks again,
// when everything is known. prior is nil if the instance will be created.
//
// "terraform destroy" plans the configuration first, possibly with variables that are null, and
// the provider does not know that it destroys. Therefore the plan of an existing instance only
// warns about a missing secret, and a version that is already in the state, or that is removed,
// is not an error.
func CheckSecrets(k *kind.Kind, config, prior kind.Values) diag.Diagnostics {
	return checkSecrets(k, config, prior, false)
}

// lackingSecret returns what is missing in a known secret, or "" if it is complete. eNMS ignores
// empty secrets (enms-rest.md 1.1).
func lackingSecret(a kind.Attribute, secret tftypes.Value) string {
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
