// Package inventory is the resource enms_instances: many instances of one type in one
// resource, as they come from a file. It speaks the plugin protocol itself, because the
// work of the framework grows with the square of a value of any type.
package inventory

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
)

// Server serves the resource.
type Server struct {
	kinds    []*kind.Kind
	provider func() *lifecycle.Provider // nil while Terraform validates
	left     leftovers
}

// New is the resource for the kinds. provider gives the configured provider.
func New(kinds []*kind.Kind, provider func() *lifecycle.Provider) *Server {
	return &Server{kinds: kinds, provider: provider}
}

// ValidateResourceConfig looks at what needs no state.
func (s *Server) ValidateResourceConfig(_ context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	config, err := decode(req.Config)
	if err != nil || config == nil {
		return &tfprotov6.ValidateResourceConfigResponse{}, err
	}
	_, diags := s.collectionOf(config)
	_, _, found := entriesOf(config[attrInstances])
	diags = append(append(diags, found...), checkSettings(config)...)
	return &tfprotov6.ValidateResourceConfigResponse{Diagnostics: protocol(diags)}, nil
}

// UpgradeResourceState keeps the state: there is one version.
func (s *Server) UpgradeResourceState(_ context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &tfprotov6.DynamicValue{JSON: req.RawState.JSON}}, nil
}

// GenerateResourceConfig gives the state, which holds nothing but what is configured.
func (s *Server) GenerateResourceConfig(_ context.Context, req *tfprotov6.GenerateResourceConfigRequest) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return &tfprotov6.GenerateResourceConfigResponse{Config: req.State}, nil
}

// MoveResourceState refuses what other resources hold: moving takes an import.
func (s *Server) MoveResourceState(_ context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	return &tfprotov6.MoveResourceStateResponse{Diagnostics: protocol(diag.Diagnostics{diag.NewErrorDiagnostic(
		"Cannot move "+req.SourceTypeName+" to "+req.TargetTypeName,
		"Take the resource out of the state with a removed block that destroys nothing, and import its instances.")})}, nil
}
