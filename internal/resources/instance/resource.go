// This file is the resource of one instance behind every kind, as the framework calls it. Its creations, updates
// and deletions begin in create.go, update.go and delete.go. Plans are made by plan.go, in the framework's place.

package instance

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/identify"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/schemas"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
)

// NewResource returns the resource of a kind, for the provider's list. kinds are all kinds of the provider.
func NewResource(k *kind.Kind, kinds []*kind.Kind) func() resource.Resource {
	return func() resource.Resource {
		return &instanceResource{resources.Resource{Name: k.Resource()}, k, kinds}
	}
}

type instanceResource struct {
	resources.Resource
	kind  *kind.Kind
	kinds []*kind.Kind
}

// of returns the instances of the type that values name.
func (r *instanceResource) of(values kind.Values) *Instances {
	return New(r.kind, r.Provider).Of(values)
}

var (
	_ resource.ResourceWithConfigure   = (*instanceResource)(nil)
	_ resource.ResourceWithImportState = (*instanceResource)(nil)
	_ resource.ResourceWithIdentity    = (*instanceResource)(nil)
	_ resource.ResourceWithMoveState   = (*instanceResource)(nil)
)

func (r *instanceResource) Metadata(ctx context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	r.Resource.Metadata(ctx, req, resp)
	resp.ResourceBehavior.MutableIdentity = true // a new name renames the instance
}

func (r *instanceResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = schemas.Identity(r.kind)
}

func (r *instanceResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schemas.Resource(r.kind)
}

func (r *instanceResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	before := kind.ValuesOf(req.State.Raw)
	i := r.of(before)
	resp.Identity.Raw = identify.Of(i.Kind, before) // a state written before Terraform 1.12 has no identity
	if !r.Provider.Ready() {
		return // a setting of the provider block is unknown: the state stays as it is
	}
	private, diags := record.Read(ctx, req.Private)
	other, refused := r.Provider.CheckAddress(private.Server())
	if resp.Diagnostics.Append(append(diags, refused...)...); other || diags.HasError() {
		return
	}
	state, next, diags := i.Read(ctx, plans.WithAllProperties(before), private)
	resp.Diagnostics.Append(diags...)
	switch {
	case diags.HasError():
		return
	case state == nil:
		resp.State.RemoveResource(ctx)
		return
	}
	shown := plans.ShownRead(i.Kind, state, before)
	isPending := private.PendingCreate != nil // the state has only the name
	if private.Imported || private.Moved {
		shown = plans.ShownImport(i.Kind, shown, i.Defaults())
	} else if !isPending {
		resp.Diagnostics.Append(i.WarnOfAuthor(ctx, plans.WithAllProperties(before), state, private.Managed)...)
	}
	resp.State.Raw, resp.Identity.Raw = tftypes.NewValue(req.State.Raw.Type(), shown), identify.Of(i.Kind, shown)
	resp.Diagnostics.Append(next.Write(ctx, resp.Private)...)
}

// recordOf returns the record in the private state for an update or a deletion. It returns an error if there is
// no client, because a setting of the provider block is unknown although a resource is applied, or if the record is about
// another server.
func (r *instanceResource) recordOf(ctx context.Context, stored record.Private) (private record.Record, diags diag.Diagnostics) {
	if r.Provider.Configured(&diags) == nil {
		return private, diags
	}
	private, diags = record.Read(ctx, stored)
	_, refused := r.Provider.CheckAddress(private.Server())
	return private, append(diags, refused...)
}

// takeSecrets hides the secrets of a configuration in errors and logs before they are sent. It returns
// an error if the state would contain the version of a secret that was not sent.
func (r *Instances) takeSecrets(config, prior kind.Values) diag.Diagnostics {
	r.Provider.Client.AddSecrets(payloads.Secrets(r.Kind, config))
	return plans.CheckSecrets(r.Kind, config, prior)
}
