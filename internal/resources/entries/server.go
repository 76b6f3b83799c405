// This file implements the short calls of the plugin protocol. The others are in plan.go, read.go
// and apply.go.

package entries

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
)

// ValidateResourceConfig checks what can be checked without a state.
func (s *Server) ValidateResourceConfig(_ context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	config, err := decode(req.Config)
	if config == nil {
		return &tfprotov6.ValidateResourceConfigResponse{}, err
	}
	c, diags := s.collectionOf(config)
	typed := c != nil && !diags.HasError()
	entries, _, found := entriesOf(config[attrInstances])
	diags = append(append(diags, found...), checkSettings(config)...)
	if typed {
		diags = append(diags, c.validate(entries)...)
	}
	return &tfprotov6.ValidateResourceConfigResponse{Diagnostics: diagnosticsOf(diags)}, nil
}

// validate checks the known entries one by one. Warnings are left to the plan.
func (c *collection) validate(entries map[string]entry) (found diag.Diagnostics) {
	for _, name := range sorted(entries) {
		if entries[name] == nil {
			continue
		}
		config, diags := c.configOf(name, entries[name])
		for _, d := range append(diags, plans.Validate(c.kind, config)...) {
			if d.Severity() == diag.SeverityError {
				found = append(found, ofEntry(name, diag.Diagnostics{d})...)
			}
		}
	}
	return found
}

// UpgradeResourceState returns the state unchanged, because there is only one version.
func (s *Server) UpgradeResourceState(_ context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &tfprotov6.DynamicValue{JSON: req.RawState.JSON}}, nil
}

// GenerateResourceConfig returns the configured values of the state.
func (s *Server) GenerateResourceConfig(_ context.Context, req *tfprotov6.GenerateResourceConfigRequest) (*tfprotov6.GenerateResourceConfigResponse, error) {
	config, err := decode(req.State)
	if config[attrDefaults].IsNull() { // or the state is
		return &tfprotov6.GenerateResourceConfigResponse{Config: req.State}, err
	}
	config[attrDefaults] = tftypes.NewValue(tftypes.DynamicPseudoType, nil)
	return &tfprotov6.GenerateResourceConfigResponse{Config: encode(config)}, nil
}

// MoveResourceState refuses states of other resources: their instances can be imported instead.
func (s *Server) MoveResourceState(_ context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	return &tfprotov6.MoveResourceStateResponse{Diagnostics: diagnosticsOf(diag.Diagnostics{diag.NewErrorDiagnostic(
		"Cannot move "+req.SourceTypeName+" to "+req.TargetTypeName,
		"Remove the resource from the state with a removed block and destroy = false, and import its instances.")})}, nil
}

// Schema returns the schema of the resource.
func (s *Server) Schema() *tfprotov6.Schema { return schema() }

// IdentitySchema returns the schema of the resource's identity.
func (s *Server) IdentitySchema() *tfprotov6.ResourceIdentitySchema { return identitySchema() }

// UpgradeResourceIdentity returns the identity unchanged, because there is only one version.
func (s *Server) UpgradeResourceIdentity(_ context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return &tfprotov6.UpgradeResourceIdentityResponse{UpgradedIdentity: &tfprotov6.ResourceIdentityData{
		IdentityData: &tfprotov6.DynamicValue{JSON: req.RawIdentity.JSON}}}, nil
}

// ApplyResourceChange creates, updates or destroys the resource.
func (s *Server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	config, prior, err := decodeBoth(req.Config, req.PriorState)
	if err != nil {
		return nil, err
	}
	private, diags := readPrivate(req.PlannedPrivate)
	if s.provider().Configured(&diags) != nil {
		_, refused := s.provider().CheckAddress(private.server())
		diags.Append(refused...)
	}
	if diags.HasError() {
		return notApplied(req, prior, diags), nil
	}
	if config == nil {
		return s.destroy(ctx, req, prior, private), nil
	}
	return s.change(ctx, req, config, prior, private), nil
}
