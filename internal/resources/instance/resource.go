// This file is the resource of one instance behind every kind, as the framework calls it: its schemas, imports and moves
// (import.go). Everything else is lifecycle.go.

package instance

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/schemas"
)

// NewResource returns the resource of a kind, for the provider's list. kinds are all kinds of the provider.
func NewResource(k *kind.Kind, kinds []*kind.Kind) func() resource.Resource {
	return func() resource.Resource {
		return &instanceResource{k, kinds}
	}
}

type instanceResource struct {
	kind  *kind.Kind
	kinds []*kind.Kind
}

var (
	_ resource.ResourceWithImportState = (*instanceResource)(nil)
	_ resource.ResourceWithIdentity    = (*instanceResource)(nil)
	_ resource.ResourceWithMoveState   = (*instanceResource)(nil)
)

func (r *instanceResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = r.kind.TypeName()
	resp.ResourceBehavior.MutableIdentity = true // a new name renames the instance
}

func (r *instanceResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = schemas.Identity(r.kind)
}

func (r *instanceResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schemas.Resource(r.kind)
}

// Create, Read, Update and Delete are never called: package protocol calls the Lifecycle in their place.

func (r *instanceResource) Create(context.Context, resource.CreateRequest, *resource.CreateResponse) {
}

func (r *instanceResource) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (r *instanceResource) Update(context.Context, resource.UpdateRequest, *resource.UpdateResponse) {
}

func (r *instanceResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {
}
