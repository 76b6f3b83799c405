// Package protocol is what the provider says to Terraform beside the framework. It speaks
// the plugin protocol where the framework cannot answer, answers too much, or answers too
// slowly:
//
//	server.go        who answers which call: the framework, or what registry.go names
//	registry.go      the resources whose calls the framework does not answer, or not alone
//	instances.go     plans and generated configurations of the resources of kinds
//	calls.go         contexts of calls, which the framework would hold on to
//	warnings.go      each warning once in a run
//	privatestate.go  the private state as the framework writes it
//	values.go        values, diagnostics and paths in the types of the protocol
package protocol

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
)

// Server serves the provider. What it does not say otherwise, the framework answers.
type Server struct {
	providerServer
	resources  registry
	configured func() *lifecycle.Provider
	interrupt  interrupt
}

var _ providerServer = (*Server)(nil)

// Config is what a server is made from.
type Config struct {
	Provider provider.Provider // which the framework serves
	// Kinds are those whose resources are among the provider's.
	Kinds []*kind.Kind
	// Resources are served beside the framework, by their types.
	Resources map[string]Resource
	// Configured returns what the provider block made; nil before it is read.
	Configured func() *lifecycle.Provider
}

// New returns the server of a provider. It is an error if the framework's own cannot do all
// that this one relies on, or if one resource would have two servers: a provider that went
// on would plan without its rules.
func New(c Config) (*Server, error) {
	framework, is := providerserver.NewProtocol6(c.Provider)().(providerServer)
	if !is {
		return nil, errors.New("the server of terraform-plugin-framework has no list resources or no actions")
	}
	r, err := newRegistry(framework, c.Kinds, c.Resources, c.Configured)
	if err != nil {
		return nil, err
	}
	return &Server{providerServer: framework, resources: r, configured: c.Configured}, nil
}

// GetMetadata adds the resources that the framework does not know, and that Terraform may ask
// for the configurations of resources.
func (s *Server) GetMetadata(ctx context.Context, req *tfprotov6.GetMetadataRequest) (*tfprotov6.GetMetadataResponse, error) {
	resp, err := s.providerServer.GetMetadata(ctx, req)
	if err != nil {
		return resp, err
	}
	generates(resp.ServerCapabilities)
	for typ := range s.resources.beside {
		resp.Resources = append(resp.Resources, tfprotov6.ResourceMetadata{TypeName: typ})
	}
	return resp, nil
}

// GetProviderSchema adds what GetMetadata adds.
func (s *Server) GetProviderSchema(ctx context.Context, req *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	resp, err := s.providerServer.GetProviderSchema(ctx, req)
	if err != nil {
		return resp, err
	}
	generates(resp.ServerCapabilities)
	for typ, resource := range s.resources.beside {
		resp.ResourceSchemas[typ] = resource.Schema()
	}
	return resp, nil
}

// generates says that Terraform may ask for configurations, which the framework does not say.
func generates(capabilities *tfprotov6.ServerCapabilities) {
	if capabilities != nil {
		capabilities.GenerateResourceConfig = true
	}
}

// GetResourceIdentitySchemas adds the resources that the framework does not know.
func (s *Server) GetResourceIdentitySchemas(ctx context.Context, req *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	resp, err := s.providerServer.GetResourceIdentitySchemas(ctx, req)
	if err != nil {
		return resp, err
	}
	for typ, resource := range s.resources.beside {
		resp.IdentitySchemas[typ] = resource.IdentitySchema()
	}
	return resp, nil
}

// ConfigureProvider begins a run, of which a server for a debugger serves several.
func (s *Server) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	s.interrupt.forget()
	return s.providerServer.ConfigureProvider(ctx, req)
}

// StopProvider cancels what is under way, because Terraform was interrupted.
func (s *Server) StopProvider(ctx context.Context, req *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	s.interrupt.happened()
	return s.providerServer.StopProvider(ctx, req)
}

// ReadDataSource is left to the framework.
func (s *Server) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	defer s.configured().Began()()
	return lend(ctx, req, s.providerServer.ReadDataSource)
}

// ValidateResourceConfig is answered by the registry.
func (s *Server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.ValidateResourceConfig)
}

// UpgradeResourceState is answered by the registry.
func (s *Server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	defer s.configured().Began()()
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.UpgradeResourceState)
}

// UpgradeResourceIdentity is answered by the registry.
func (s *Server) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.UpgradeResourceIdentity)
}

// ReadResource is answered by the registry.
func (s *Server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	defer s.configured().Began()()
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.ReadResource)
}

// PlanResourceChange is answered by the registry.
func (s *Server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	defer s.configured().Began()()
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.PlanResourceChange)
}

// ApplyResourceChange is answered by the registry.
func (s *Server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	s.configured().Applying()
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.ApplyResourceChange)
}

// ImportResourceState is answered by the registry.
func (s *Server) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	defer s.configured().Began()()
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.ImportResourceState)
}

// GenerateResourceConfig is answered by the registry.
func (s *Server) GenerateResourceConfig(ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.GenerateResourceConfig)
}

// MoveResourceState is answered by the registry.
func (s *Server) MoveResourceState(ctx context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	return call(ctx, s, req.TargetTypeName, req, tfprotov6.ResourceServer.MoveResourceState)
}

// call has a call about a resource of a type answered by what the registry names.
func call[Q, A any](ctx context.Context, s *Server, typ string, req Q, method func(tfprotov6.ResourceServer, context.Context, Q) (A, error)) (A, error) {
	ctx, cancel := s.interrupt.cancels(ctx)
	defer cancel()
	return lend(ctx, req, func(ctx context.Context, req Q) (A, error) { return method(s.resources.of(typ), ctx, req) })
}
