// This file sends what speaks the plugin protocol itself to its own code: the requests about
// enms_instances to package bulk, and plans of the kinds' resources to the planner of
// package lifecycle. All others go to the framework.

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/bulk"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
)

// framework is all that the framework's server can do.
type framework interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
}

// muxed is the framework's server together with that of enms_instances and the planner.
type muxed struct {
	framework
	bulk    *bulk.Server
	planner *lifecycle.Planner
	stopped context.Context // ends when Terraform is interrupted
	stop    context.CancelFunc
}

func (m *muxed) GetMetadata(ctx context.Context, req *tfprotov6.GetMetadataRequest) (*tfprotov6.GetMetadataResponse, error) {
	resp, err := m.framework.GetMetadata(ctx, req)
	if err == nil {
		resp.Resources = append(resp.Resources, tfprotov6.ResourceMetadata{TypeName: bulk.TypeName})
	}
	return resp, err
}

func (m *muxed) GetProviderSchema(ctx context.Context, req *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	resp, err := m.framework.GetProviderSchema(ctx, req)
	if err == nil {
		resp.ResourceSchemas[bulk.TypeName] = m.bulk.Schema()
	}
	return resp, err
}

func (m *muxed) GetResourceIdentitySchemas(ctx context.Context, req *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	resp, err := m.framework.GetResourceIdentitySchemas(ctx, req)
	if err == nil {
		resp.IdentitySchemas[bulk.TypeName] = m.bulk.IdentitySchema()
	}
	return resp, err
}

func (m *muxed) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return choose(ctx, m, req.TypeName, req, m.bulk.UpgradeResourceIdentity, m.framework.UpgradeResourceIdentity)
}

func (m *muxed) StopProvider(ctx context.Context, req *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	m.stop()
	return m.framework.StopProvider(ctx, req)
}

func (m *muxed) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resp, err := choose(ctx, m, req.TypeName, req, m.bulk.ValidateResourceConfig, m.framework.ValidateResourceConfig)
	if err != nil || !m.planner.Plans(req.TypeName) {
		return resp, err
	}
	own, err := m.planner.ValidateResourceConfig(req)
	if err == nil {
		resp.Diagnostics = append(resp.Diagnostics, own.Diagnostics...)
	}
	return resp, err
}

// UpgradeResourceState is how Terraform begins with each resource that is in the state.
func (m *muxed) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	defer m.planner.Began()()
	m.planner.SawState(req.TypeName, req.RawState)
	return choose(ctx, m, req.TypeName, req, m.bulk.UpgradeResourceState, m.framework.UpgradeResourceState)
}

func (m *muxed) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	defer m.planner.Began()()
	return choose(ctx, m, req.TypeName, req, m.bulk.ReadResource, m.framework.ReadResource)
}

func (m *muxed) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	defer m.planner.Began()()
	return m.framework.ReadDataSource(ctx, req)
}

func (m *muxed) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	defer m.planner.Began()()
	if m.planner.Plans(req.TypeName) {
		return m.planner.PlanResourceChange(ctx, req)
	}
	return choose(ctx, m, req.TypeName, req, m.bulk.PlanResourceChange, m.framework.PlanResourceChange)
}

func (m *muxed) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	m.planner.Applying()
	return choose(ctx, m, req.TypeName, req, m.bulk.ApplyResourceChange, m.framework.ApplyResourceChange)
}

func (m *muxed) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	defer m.planner.Began()()
	return choose(ctx, m, req.TypeName, req, m.bulk.ImportResourceState, m.framework.ImportResourceState)
}

func (m *muxed) GenerateResourceConfig(ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return choose(ctx, m, req.TypeName, req, m.bulk.GenerateResourceConfig, m.framework.GenerateResourceConfig)
}

func (m *muxed) MoveResourceState(ctx context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	return choose(ctx, m, req.TargetTypeName, req, m.bulk.MoveResourceState, m.framework.MoveResourceState)
}

// choose calls one of the two, by the type of the resource. The framework notices by
// itself when Terraform is interrupted.
func choose[Q, A any](ctx context.Context, m *muxed, typ string, req Q, own, other func(context.Context, Q) (A, error)) (A, error) {
	if typ != bulk.TypeName {
		return other(ctx, req)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(m.stopped, cancel)()
	return own(ctx, req)
}
