// Package protocol implements the calls of the plugin protocol that the framework does not
// support, or to which it answers too slowly or with too much. All other calls are left to the
// framework.
//
//	server.go     which server implements which call; the contexts of calls
//	instances.go  reads, plans, applies and generated configurations of the resources of kinds;
//	              values, diagnostics and paths in the types of the protocol
//	private.go    their private state
package protocol

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
)

// Server serves the provider. Calls that it does not implement are left to the framework.
type Server struct {
	providerServer
	servers    map[string]tfprotov6.ResourceServer // by type: an instances for each kind, and others; the framework serves the rest
	others     map[string]Resource                 // Config.Resources
	configured func() *resources.Provider
	interrupt  interrupt
}

var _ providerServer = (*Server)(nil)

// Config is the configuration of a server.
type Config struct {
	Provider provider.Provider // served by the framework
	// Kinds are the kinds whose resources the provider has.
	Kinds []*kind.Kind
	// Resources are served without the framework, by their types.
	Resources map[string]Resource
	// Configured returns the configured provider, or nil before the provider block is read.
	Configured func() *resources.Provider
}

// New returns the server of a provider. It returns an error if the framework's server lacks an
// interface that this one relies on.
func New(c Config) (*Server, error) {
	framework, is := providerserver.NewProtocol6(c.Provider)().(providerServer)
	if !is {
		return nil, errors.New("the server of terraform-plugin-framework has no list resources or no actions")
	}
	servers := map[string]tfprotov6.ResourceServer{}
	for _, k := range c.Kinds {
		servers[k.TypeName()] = newInstances(k, framework, c.Configured)
	}
	for typ, resource := range c.Resources {
		servers[typ] = resource
	}
	return &Server{providerServer: framework, servers: servers, others: c.Resources, configured: c.Configured}, nil
}

// GetMetadata adds the resources that the framework does not know, and the capability to generate configuration.
func (s *Server) GetMetadata(ctx context.Context, req *tfprotov6.GetMetadataRequest) (*tfprotov6.GetMetadataResponse, error) {
	resp, err := s.providerServer.GetMetadata(ctx, req)
	if err != nil {
		return resp, err
	}
	declareGeneration(resp.ServerCapabilities)
	for typ := range s.others {
		resp.Resources = append(resp.Resources, tfprotov6.ResourceMetadata{TypeName: typ})
	}
	return resp, nil
}

// GetProviderSchema adds the schemas of the resources that the framework does not know, and the capability to generate
// configuration.
func (s *Server) GetProviderSchema(ctx context.Context, req *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	resp, err := s.providerServer.GetProviderSchema(ctx, req)
	if err != nil {
		return resp, err
	}
	declareGeneration(resp.ServerCapabilities)
	for typ, resource := range s.others {
		resp.ResourceSchemas[typ] = resource.Schema()
	}
	return resp, nil
}

// declareGeneration declares that Terraform may ask for generated configuration, which the framework does
// not declare.
func declareGeneration(capabilities *tfprotov6.ServerCapabilities) {
	if capabilities != nil {
		capabilities.GenerateResourceConfig = true
	}
}

// GetResourceIdentitySchemas adds the identity schemas of the resources that the framework does not know.
func (s *Server) GetResourceIdentitySchemas(ctx context.Context, req *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	resp, err := s.providerServer.GetResourceIdentitySchemas(ctx, req)
	if err != nil {
		return resp, err
	}
	for typ, resource := range s.others {
		resp.IdentitySchemas[typ] = resource.IdentitySchema()
	}
	return resp, nil
}

// ConfigureProvider begins a run, of which a server for a debugger serves several, and leaves the call to the framework.
func (s *Server) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	s.interrupt.reset()
	return s.providerServer.ConfigureProvider(ctx, req)
}

// StopProvider cancels calls that are under way, because Terraform was interrupted.
func (s *Server) StopProvider(ctx context.Context, req *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	s.interrupt.cancelCalls()
	return s.providerServer.StopProvider(ctx, req)
}

// ReadDataSource reads the data source of a kind, or leaves the call to the framework.
func (s *Server) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	read := s.providerServer.ReadDataSource
	if i, is := s.servers[req.TypeName].(*instances); is {
		read = i.readDataSource
	}
	return withReleasableContext(ctx, req, read)
}

// ValidateResourceConfig calls the server of the resource.
func (s *Server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.ValidateResourceConfig)
}

// UpgradeResourceState calls the server of the resource.
func (s *Server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.UpgradeResourceState)
}

// UpgradeResourceIdentity calls the server of the resource.
func (s *Server) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.UpgradeResourceIdentity)
}

// ReadResource calls the server of the resource.
func (s *Server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.ReadResource)
}

// PlanResourceChange calls the server of the resource.
func (s *Server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.PlanResourceChange)
}

// ApplyResourceChange records that Terraform applies, and calls the server of the resource.
func (s *Server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	s.configured().Applying()
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.ApplyResourceChange)
}

// ImportResourceState calls the server of the resource.
func (s *Server) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.ImportResourceState)
}

// GenerateResourceConfig calls the server of the resource.
func (s *Server) GenerateResourceConfig(ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.GenerateResourceConfig)
}

// MoveResourceState calls the server of the resource.
func (s *Server) MoveResourceState(ctx context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	return call(ctx, s, req.TargetTypeName, req, tfprotov6.ResourceServer.MoveResourceState)
}

// call passes a call about a resource to the server of its type, or to the framework if servers has none. An interrupt of
// Terraform cancels the call.
func call[Q, A any](ctx context.Context, s *Server, typ string, req Q, method func(tfprotov6.ResourceServer, context.Context, Q) (A, error)) (A, error) {
	ctx, cancel := s.interrupt.withCancel(ctx)
	defer cancel()
	server, is := s.servers[typ]
	if !is {
		server = s.providerServer
	}
	return withReleasableContext(ctx, req, func(ctx context.Context, req Q) (A, error) { return method(server, ctx, req) })
}

// providerServer has all calls that Terraform may make. In terraform-plugin-go, the last two interfaces are
// optional: a server without them compiles, and Terraform then finds no list resources and no actions.
type providerServer interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
}

// Resource implements all calls about a resource that the framework does not know, and declares its schemas.
type Resource interface {
	tfprotov6.ResourceServer
	Schema() *tfprotov6.Schema
	IdentitySchema() *tfprotov6.ResourceIdentitySchema
}

// interrupt cancels calls when Terraform is interrupted. The zero value is ready for use.
type interrupt struct {
	mu     sync.Mutex
	ctx    context.Context // ends with the interrupt; nil before the first call
	cancel context.CancelFunc
}

// context returns the context that ends with the interrupt of this run, and cancel, which ends it.
func (i *interrupt) context() (ctx context.Context, cancel context.CancelFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ctx == nil {
		i.ctx, i.cancel = context.WithCancel(context.Background())
	}
	return i.ctx, i.cancel
}

// withCancel returns ctx with an end at the interrupt. The caller calls cancel when its call has ended.
func (i *interrupt) withCancel(ctx context.Context) (_ context.Context, cancel func()) {
	interrupted, _ := i.context()
	ctx, end := context.WithCancel(ctx)
	stop := context.AfterFunc(interrupted, end)
	return ctx, func() {
		stop()
		end()
	}
}

// cancelCalls cancels the calls that are under way, and later ones of the same run.
func (i *interrupt) cancelCalls() {
	_, cancel := i.context()
	cancel()
}

// reset begins a new run, which is not interrupted.
func (i *interrupt) reset() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ctx != nil && i.ctx.Err() != nil {
		i.ctx = nil
	}
}

// withReleasableContext makes a call with a context that refers to ctx only until the call ends. The framework keeps
// the context of every call, to cancel it, as long as the process lives. With the loggers in it, a context is about
// 15 KB, and there are four calls for each instance: half a gigabyte for a plan of ten thousand instances.
func withReleasableContext[Q, A any](ctx context.Context, req Q, call func(context.Context, Q) (A, error)) (A, error) {
	var r releasableContext
	r.current.Store(&ctx)
	defer r.current.Store(&ended)
	return call(&r, req)
}

// ended is the context of calls that have ended.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// releasableContext stands for the context of a call until the call has ended.
type releasableContext struct {
	current atomic.Pointer[context.Context]
}

func (r *releasableContext) Deadline() (time.Time, bool) { return (*r.current.Load()).Deadline() }
func (r *releasableContext) Done() <-chan struct{}       { return (*r.current.Load()).Done() }
func (r *releasableContext) Err() error                  { return (*r.current.Load()).Err() }
func (r *releasableContext) Value(key any) any           { return (*r.current.Load()).Value(key) }
