// This file declares the configured provider and the instances of a kind in its eNMS, and decides
// whether to adopt or delete an instance, from the settings of its resource and of the provider.

package lifecycle

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

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
	Kinds          []*kind.Kind // the instance types that the provider offers
	// Defaults are those of the resources' other attributes, by the names of kinds; see
	// kind.WithDefaults.
	Defaults map[string]kind.Values
	Run      applying.Run // what the operations of this run know of each other

	lookups
}

// ProviderOf returns the configured provider that the framework passes on, or nil while
// Terraform validates.
func ProviderOf(data any, diags *diag.Diagnostics) *Provider {
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

// Configured returns the client, or nil and an error if a setting of the provider block is
// unknown although a resource is applied.
func (p *Provider) Configured(diags *diag.Diagnostics) *enms.Client {
	if !p.Ready() {
		diags.AddError("The provider is not configured",
			p.stillUnknown()+" Give it a value that is known before this resource is applied.")
		return nil
	}
	return p.Client
}

// readable returns an error with the summary if there is no client because a setting of the
// provider block is unknown.
func (p *Provider) readable(summary string) diag.Diagnostics {
	if p.Ready() {
		return nil
	}
	return diag.Diagnostics{diag.NewErrorDiagnostic(summary, p.stillUnknown()+" Give it a value that is known when this is read.")}
}

// stillUnknown says why there is no client.
func (p *Provider) stillUnknown() string {
	if p == nil || len(p.Unknown) == 0 {
		return "The provider block has not been read."
	}
	return fmt.Sprintf("In the provider block, %s is still unknown.", strings.Join(p.Unknown, ", "))
}

// HasDefaults reports whether the provider block sets defaults.
func (p *Provider) HasDefaults() bool { return p != nil && len(p.Defaults) > 0 }

// Instances are the instances of a kind in the eNMS of a provider. Its methods are about one
// instance each; calls that are under way at the same time share requests.
type Instances struct {
	kind     *kind.Kind
	provider *Provider
	inMany   bool // whether they share one resource, enms_instances
	// creation is closed when the creation of the resource that they share is over; nil when
	// it is not being created.
	creation   <-chan struct{}
	entryNames map[string]bool // the names of all entries in the state; nil for a resource of one instance
}

// NewEntries returns the instances of a kind that share one resource, enms_instances. The
// provider may be nil while Terraform validates.
func NewEntries(k *kind.Kind, p *Provider) *Instances {
	return &Instances{kind: k, provider: orUnconfigured(p), inMany: true}
}

// orUnconfigured returns the provider, or one without a client in place of nil.
func orUnconfigured(p *Provider) *Provider {
	if p == nil {
		return &Provider{}
	}
	return p
}

// Among sets the names of all entries in the state, which Read tells apart.
func (r *Instances) Among(names map[string]bool) { r.entryNames = names }

// of returns the instances of the same type as the one with the values.
func (r *Instances) of(values kind.Values) *Instances {
	return &Instances{kind: r.kind.For(values), provider: r.provider, inMany: r.inMany, entryNames: r.entryNames}
}

// Defaults returns the provider's defaults for the instances.
func (r *Instances) Defaults() kind.Values {
	return r.provider.Defaults[r.kind.Resource()]
}

// CheckDefaults returns an error if a default for the instances is unknown although something is
// applied.
func (r *Instances) CheckDefaults() (diags diag.Diagnostics) {
	if !kind.IsKnown(r.Defaults()) {
		diags.AddError("The provider is not configured",
			"In the provider block, defaults is still unknown. Give it a value that is known before this resource is applied.")
	}
	return diags
}

func (r *Instances) clientType(values kind.Values) enms.Type {
	return enms.Type{
		Name: r.kind.Path(values), Namespace: r.kind.Namespace,
		NoTimestamps: r.kind.NoTimestamps, CommittedOneByOne: r.kind.CommittedOneByOne,
	}
}

// Adopts reports whether an existing instance with the name is to be adopted.
func (r *Instances) Adopts(planned kind.Values) bool {
	wanted := r.provider.AdoptExisting
	if v := planned[kind.RowAdoptExisting]; v.IsKnown() && !v.IsNull() {
		_ = v.As(&wanted)
	}
	return wanted
}

// policy returns the deletion policy of the resource, or else that of the provider.
func (r *Instances) policy(values kind.Values) string {
	if policy := value.Text(values[kind.RowDeletionPolicy]); policy != "" {
		return policy
	}
	return r.provider.DeletionPolicy
}

// Deletes reports whether the deletion policy deletes the instance in eNMS, and does not leave it
// there.
func (r *Instances) Deletes(values kind.Values) bool {
	policy := r.policy(values)
	return policy != kind.PolicyAbandon && policy != kind.PolicyDisable
}

// CheckPolicy refuses the provider's policy "disable" for a kind that cannot be disabled. The
// schema checks the resource's policy.
func (r *Instances) CheckPolicy(values kind.Values) diag.Diagnostics {
	if r.kind.Off != nil || !values[kind.RowDeletionPolicy].IsKnown() || r.policy(values) != kind.PolicyDisable {
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root(kind.RowDeletionPolicy),
		fmt.Sprintf("A %s cannot be disabled", r.kind.Name),
		fmt.Sprintf("The provider's deletion_policy is %q. Set another deletion_policy on this %s: %s.", kind.PolicyDisable, r.kind.Name, strings.Join(r.kind.Policies(), ", ")))}
}
