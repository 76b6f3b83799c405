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

// planSecrets checks the secrets of the plan. A version that is removed while its secret is configured
// remains in the state, like its secret in eNMS.
func planSecrets(p *kind.Plan) {
	prior := p.Prior
	if len(p.Replaced) > 0 { // another instance is created
		prior = nil
	}
	p.Diagnostics.Append(checkSecrets(p.Kind, p.Config, prior, planning)...)
	for _, a := range p.Kind.Table().Secrets {
		if prior != nil && p.Configured(a.Name) && !p.Configured(a.VersionName()) {
			p.KeepPrior(a.VersionName())
		}
	}
}

// CheckSecrets makes sure that the state will contain the version of a secret only if that secret was sent: eNMS
// returns neither. It is for the apply, when everything is known. prior is nil if the instance will be created.
func CheckSecrets(k *kind.Kind, config, prior kind.Values) diag.Diagnostics {
	return checkSecrets(k, config, prior, applying)
}

// moment says when secrets are checked.
type moment int

const (
	planning moment = iota
	applying
)

// checkSecrets checks all secrets of a configuration.
func checkSecrets(k *kind.Kind, config, prior kind.Values, when moment) (found diag.Diagnostics) {
	for _, a := range k.Table().Secrets {
		if d := checkSecret(a, config, prior, when); d != nil {
			found.Append(d)
		}
	}
	return found
}

// checkSecret returns what is wrong with a secret and its version, or nil. Unknown values are accepted,
// because the apply checks again.
func checkSecret(a kind.Attribute, config, prior kind.Values, when moment) diag.Diagnostic {
	secret, version := config[a.Name], config[a.VersionName()]
	if !secret.IsFullyKnown() || !version.IsKnown() {
		return nil
	}
	problem := secretProblem(a, secret)
	priorVersion := prior[a.VersionName()]
	wasSent := !priorVersion.IsNull()
	switch {
	case version.IsNull() && problem != "":
		return nil
	case version.IsNull() && wasSent:
		return diag.NewAttributeWarningDiagnostic(path.Root(a.Name), fmt.Sprintf("%s is not sent", a.Name),
			fmt.Sprintf("It is sent only when %s changes, which is null now. The secret in eNMS and the version in the state are kept. Write %s = %v to keep both.", a.VersionName(), a.VersionName(), value.ToJSON(priorVersion)))
	case version.IsNull():
		return diag.NewAttributeErrorDiagnostic(path.Root(a.Name), fmt.Sprintf("%s needs a version", a.Name),
			fmt.Sprintf("The secret is sent when its version changes. Add %s = 1.", a.VersionName()))
	case problem == "", version.Equal(priorVersion):
		return nil
	}
	return versionWithoutSecret(a, version, problem, prior != nil, when)
}

// versionWithoutSecret returns the finding that a version would be stored without its secret.
//
// "terraform destroy" plans the configuration first, possibly with variables that are null, and the provider does
// not know that it destroys. Therefore the plan of an existing instance only warns.
func versionWithoutSecret(a kind.Attribute, version tftypes.Value, problem string, exists bool, when moment) diag.Diagnostic {
	at, summary := path.Root(a.VersionName()), fmt.Sprintf("%s without a secret", a.VersionName())
	detail := fmt.Sprintf("%s = %v would be stored as sent, but %s. A secret that is added later with the same version would never be sent. Set the secret, or remove %s.",
		a.VersionName(), value.ToJSON(version), problem, a.VersionName())
	switch {
	case when == applying:
		return diag.NewAttributeErrorDiagnostic(at, summary, detail)
	case exists:
		return diag.NewAttributeWarningDiagnostic(at, summary, detail+" Until then, an apply fails here; terraform destroy does not.")
	}
	return diag.NewAttributeErrorDiagnostic(at, summary, detail+" (terraform destroy -refresh=false needs no secrets.)")
}

// secretProblem returns what is missing in a known secret, or "" if it is complete. eNMS ignores
// empty secrets (enms-rest.md 1.1).
func secretProblem(a kind.Attribute, secret tftypes.Value) string {
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
