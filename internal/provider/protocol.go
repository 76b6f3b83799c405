// This file puts the resource that speaks the plugin protocol itself beside those of the
// framework.

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/inventory"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
)

// NewServer is the provider as the plugin protocol wants it. version is the
// provider's own.
func NewServer(version string) func() tfprotov6.ProviderServer {
	return func() tfprotov6.ProviderServer { return Serve(New(version)()) }
}

// Serve is a provider that New or NewWith made, as the plugin protocol wants it.
func Serve(p provider.Provider) tfprotov6.ProviderServer {
	served := providerserver.NewProtocol6(p)()
	all, ok := served.(framework)
	own, is := p.(*enmsProvider)
	if !ok || !is {
		return served
	}
	configured := func() *lifecycle.Provider { return own.configured.Load() }
	stopped, stop := context.WithCancel(context.Background())
	return &server{&together{framework: all, inventory: inventory.New(kinds.All(), configured), stopped: stopped, stop: stop}}
}

// together is the framework's server, and that of one further resource.
type together struct {
	framework
	inventory *inventory.Server
	stopped   context.Context // ends when Terraform is interrupted
	stop      context.CancelFunc
}

func (t *together) GetMetadata(ctx context.Context, req *tfprotov6.GetMetadataRequest) (*tfprotov6.GetMetadataResponse, error) {
	resp, err := t.framework.GetMetadata(ctx, req)
	if err == nil {
		resp.Resources = append(resp.Resources, tfprotov6.ResourceMetadata{TypeName: inventory.TypeName})
	}
	return resp, err
}

func (t *together) GetProviderSchema(ctx context.Context, req *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	resp, err := t.framework.GetProviderSchema(ctx, req)
	if err == nil {
		resp.ResourceSchemas[inventory.TypeName] = t.inventory.Schema()
	}
	return resp, err
}

func (t *together) GetResourceIdentitySchemas(ctx context.Context, req *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	resp, err := t.framework.GetResourceIdentitySchemas(ctx, req)
	if err == nil {
		resp.IdentitySchemas[inventory.TypeName] = t.inventory.IdentitySchema()
	}
	return resp, err
}

func (t *together) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return choose(ctx, t, req.TypeName, req, t.inventory.UpgradeResourceIdentity, t.framework.UpgradeResourceIdentity)
}

func (t *together) StopProvider(ctx context.Context, req *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	t.stop()
	return t.framework.StopProvider(ctx, req)
}

func (t *together) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return choose(ctx, t, req.TypeName, req, t.inventory.ValidateResourceConfig, t.framework.ValidateResourceConfig)
}

func (t *together) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return choose(ctx, t, req.TypeName, req, t.inventory.UpgradeResourceState, t.framework.UpgradeResourceState)
}

func (t *together) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return choose(ctx, t, req.TypeName, req, t.inventory.ReadResource, t.framework.ReadResource)
}

func (t *together) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return choose(ctx, t, req.TypeName, req, t.inventory.PlanResourceChange, t.framework.PlanResourceChange)
}

func (t *together) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return choose(ctx, t, req.TypeName, req, t.inventory.ApplyResourceChange, t.framework.ApplyResourceChange)
}

func (t *together) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return choose(ctx, t, req.TypeName, req, t.inventory.ImportResourceState, t.framework.ImportResourceState)
}

func (t *together) GenerateResourceConfig(ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return choose(ctx, t, req.TypeName, req, t.inventory.GenerateResourceConfig, t.framework.GenerateResourceConfig)
}

func (t *together) MoveResourceState(ctx context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	return choose(ctx, t, req.TargetTypeName, req, t.inventory.MoveResourceState, t.framework.MoveResourceState)
}

// choose calls one of the two, by the type of the resource. The framework notices by
// itself when Terraform is interrupted.
func choose[Q, A any](ctx context.Context, t *together, typ string, req Q, own, other func(context.Context, Q) (A, error)) (A, error) {
	if typ != inventory.TypeName {
		return other(ctx, req)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(t.stopped, cancel)()
	return own(ctx, req)
}
