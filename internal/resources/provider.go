// This file declares the configured provider, and decides from its settings and those of a resource
// whether to adopt or delete an instance.

package resources

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Provider is the configured provider as resources and data sources see it.
type Provider struct {
	Client         *enms.Client // nil while a setting of the provider block is unknown
	Unknown        []string     // the settings that are unknown
	AdoptExisting  bool         // the default of the resources' adopt_existing
	DeletionPolicy string       // the default of the resources' deletion_policy
	FormerBaseURLs []string     // other addresses of the same eNMS; see CheckAddress
	IdentifyByName bool         // an instance is what has its name, whatever its id
	Kinds          []*kind.Kind // the instance types that the provider offers
	// Defaults are those of the resources' other attributes, by kind.Kind.Resource; see plans.WithDefaults.
	Defaults map[string]kind.Values

	Run     applying.Run // what the operations of this run know of each other
	Lookups Lookups      // what this run has asked eNMS

	saidOtherAddress atomic.Bool // whether a plan of this run has reported that its state belongs to another eNMS
}

// providerOf returns the configured provider from the data that the framework passes on, or nil while
// Terraform validates.
func providerOf(data any, diags *diag.Diagnostics) *Provider {
	if data == nil {
		return nil
	}
	p, ok := data.(*Provider)
	if !ok {
		diags.AddError("The provider is not configured", fmt.Sprintf("It returned a %T. This is a bug in the provider.", data))
	}
	return p
}

// Ready reports whether there is a client.
func (p *Provider) Ready() bool { return p != nil && p.Client != nil }

// Configured returns the client for an apply. If there is none, for example because a setting of the provider
// block is unknown, it adds an error to diags and returns nil.
func (p *Provider) Configured(diags *diag.Diagnostics) *enms.Client {
	if !p.Ready() {
		diags.AddError("The provider is not configured",
			p.whyNoClient("before this resource is applied"))
		return nil
	}
	return p.Client
}

// Readable returns an error with the summary if there is no client, for example because a setting of the
// provider block is unknown.
func (p *Provider) Readable(summary string) diag.Diagnostics {
	if p.Ready() {
		return nil
	}
	return diag.Diagnostics{diag.NewErrorDiagnostic(summary, p.whyNoClient("when this is read"))}
}

// whyNoClient returns the reason why there is no client. when says by when unknown settings must be known.
func (p *Provider) whyNoClient(when string) string {
	if p == nil || len(p.Unknown) == 0 {
		return "The provider block has not been read."
	}
	return fmt.Sprintf("In the provider block, %s is still unknown. Give it a value that is known %s.", strings.Join(p.Unknown, ", "), when)
}

// HasDefaults reports whether the provider block sets defaults.
func (p *Provider) HasDefaults() bool { return p != nil && len(p.Defaults) > 0 }

// ReplacesAny reports whether this run replaces or has deleted any instance: if not, it takes along no others.
func (p *Provider) ReplacesAny() bool {
	return p != nil && (p.Run.Plans.ReplacesAny() || p.Run.Owners.HasDeletedAny())
}

// Applying records that Terraform applies: all plans from now on repeat earlier ones.
func (p *Provider) Applying() {
	if p != nil {
		p.Run.Plans.StartApply()
	}
}

// Adopts reports whether an existing instance with the name is to be adopted: adopt_existing of the resource, or
// else of the provider, which adopts in any case if instances are identified by their names.
func (p *Provider) Adopts(planned kind.Values) bool {
	wanted := p.AdoptExisting || p.IdentifyByName
	if v := planned[kind.RowAdoptExisting]; v.IsKnown() && !v.IsNull() {
		_ = v.As(&wanted)
	}
	return wanted
}

// MayAdopt reports whether an existing instance with the name is to be adopted, or might be, because adopt_existing or a
// setting of the provider is unknown until apply.
func (p *Provider) MayAdopt(planned kind.Values) bool {
	return p.Adopts(planned) || !planned[kind.RowAdoptExisting].IsKnown() || !p.Ready()
}

// Policy returns the deletion policy of the resource, or else that of the provider.
func (p *Provider) Policy(values kind.Values) string {
	if policy := value.Text(values[kind.RowDeletionPolicy]); policy != "" {
		return policy
	}
	return p.DeletionPolicy
}

// Deletes reports whether the deletion policy deletes the instance in eNMS, and does not leave it
// there.
func (p *Provider) Deletes(values kind.Values) bool {
	policy := p.Policy(values)
	return policy != kind.PolicyAbandon && policy != kind.PolicyDisable
}
