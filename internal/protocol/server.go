// Package protocol implements the calls of the plugin protocol that the framework does not
// support, or to which it answers too slowly or with too much. All other calls are left to the
// framework.
//
//	server.go     who answers which call: the framework, or what the registry names. The contexts
//	              of calls, which the framework would hold on to
//	instances.go  plans and generated configurations of the resources of kinds; values,
//	              diagnostics and paths in the types of the protocol
package protocol

import (
	"context"
	"errors"
	"fmt"
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
	resources  registry
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
// interface that this one relies on, or if one resource would have two servers: otherwise plans
// would lose their rules silently.
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

// generates declares that Terraform may ask for generated configuration, which the framework does
// not declare.
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

// ConfigureProvider begins a run. A server for a debugger serves several runs.
func (s *Server) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	s.interrupt.forget()
	return s.providerServer.ConfigureProvider(ctx, req)
}

// StopProvider cancels calls that are under way, because Terraform was interrupted.
func (s *Server) StopProvider(ctx context.Context, req *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	s.interrupt.happened()
	return s.providerServer.StopProvider(ctx, req)
}

// ReadDataSource is left to the framework.
func (s *Server) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	defer s.configured().Begin()()
	return lend(ctx, req, s.providerServer.ReadDataSource)
}

// ValidateResourceConfig is answered by the registry.
func (s *Server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.ValidateResourceConfig)
}

// UpgradeResourceState is answered by the registry.
func (s *Server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.UpgradeResourceState)
}

// UpgradeResourceIdentity is answered by the registry.
func (s *Server) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.UpgradeResourceIdentity)
}

// ReadResource is answered by the registry.
func (s *Server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.ReadResource)
}

// PlanResourceChange is answered by the registry.
func (s *Server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.PlanResourceChange)
}

// ApplyResourceChange is answered by the registry.
func (s *Server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	s.configured().Applying()
	return call(ctx, s, req.TypeName, req, tfprotov6.ResourceServer.ApplyResourceChange)
}

// ImportResourceState is answered by the registry.
func (s *Server) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
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

// call passes a call about a resource of a type to the server that the registry names.
func call[Q, A any](ctx context.Context, s *Server, typ string, req Q, method func(tfprotov6.ResourceServer, context.Context, Q) (A, error)) (A, error) {
	ctx, cancel := s.interrupt.cancels(ctx)
	defer cancel()
	defer s.configured().Begin()()
	return lend(ctx, req, func(ctx context.Context, req Q) (A, error) { return method(s.resources.of(typ), ctx, req) })
}

// providerServer contains all calls that Terraform may make. In terraform-plugin-go, the last two
// interfaces are optional: a server without them compiles, and Terraform then finds no list
// resources and no actions.
type providerServer interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
}

// Resource implements all calls about a resource that the framework does not know.
type Resource interface {
	tfprotov6.ResourceServer
	Schema() *tfprotov6.Schema
	IdentitySchema() *tfprotov6.ResourceIdentitySchema
}

// registry says which server implements the calls about resources:
//
//	a resource of Config.Resources   that itself: all calls
//	the resource of a kind           instances: plans, generated configurations, and with
//	                                 the framework validation; the framework: all others
//	any other                        the framework: all calls
type registry struct {
	framework tfprotov6.ResourceServer
	kinds     map[string]*instances
	beside    map[string]Resource
}

// of returns the server for resources of a type.
func (r registry) of(typ string) tfprotov6.ResourceServer {
	if resource, is := r.beside[typ]; is {
		return resource
	}
	if resource, is := r.kinds[typ]; is {
		return resource
	}
	return r.framework
}

func newRegistry(framework providerServer, kinds []*kind.Kind, beside map[string]Resource, configured func() *resources.Provider) (r registry, err error) {
	r = registry{framework: framework, kinds: map[string]*instances{}, beside: beside}
	for _, k := range kinds {
		r.kinds[k.TypeName()] = newInstances(k, framework, configured)
	}
	return r, r.check(framework)
}

// check returns an error if a resource would have two servers, or if the framework does not know
// a resource that it should.
func (r registry) check(framework tfprotov6.ProviderServer) error {
	metadata, err := framework.GetMetadata(context.Background(), &tfprotov6.GetMetadataRequest{})
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, resource := range metadata.Resources {
		known[resource.TypeName] = true
	}
	for typ := range r.kinds {
		if !known[typ] {
			return fmt.Errorf("the provider has a kind for %s, and no resource", typ)
		}
	}
	for typ := range r.beside {
		if known[typ] {
			return fmt.Errorf("the provider has %s twice: by the framework, and beside it", typ)
		}
	}
	return nil
}

// interrupt cancels calls when Terraform is interrupted. The zero value is ready for use.
type interrupt struct {
	mu   sync.Mutex
	ctx  context.Context // ends with the interrupt; nil before the first call
	over context.CancelFunc
}

// awaited returns the context that ends with the interrupt.
func (i *interrupt) awaited() (ctx context.Context, over context.CancelFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ctx == nil {
		i.ctx, i.over = context.WithCancel(context.Background())
	}
	return i.ctx, i.over
}

// cancels returns a context that the interrupt cancels. The caller calls cancel when it is
// done with it.
func (i *interrupt) cancels(ctx context.Context) (_ context.Context, cancel func()) {
	interrupted, _ := i.awaited()
	ctx, end := context.WithCancel(ctx)
	forget := context.AfterFunc(interrupted, end)
	return ctx, func() {
		forget()
		end()
	}
}

// happened cancels the calls that are under way, and later ones of the same run.
func (i *interrupt) happened() {
	_, over := i.awaited()
	over()
}

// forget begins a new run, which is not interrupted.
func (i *interrupt) forget() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ctx != nil && i.ctx.Err() != nil {
		i.ctx = nil
	}
}

// lend makes a call with a context that releases its content afterwards. The framework keeps the
// context of every call, to cancel it, as long as the process lives. With its loggers, that is
// about 15 KB per call, with four calls per instance: half a gigabyte for a plan of ten thousand
// instances.
func lend[Q, A any](ctx context.Context, req Q, call func(context.Context, Q) (A, error)) (A, error) {
	var l loan
	l.owner.Store(&ctx)
	defer l.owner.Store(&over)
	return call(&l, req)
}

// over is the context of calls that have ended.
var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// loan is a context that stands for another one until its call has ended.
type loan struct {
	owner atomic.Pointer[context.Context]
}

func (l *loan) Deadline() (time.Time, bool) { return (*l.owner.Load()).Deadline() }
func (l *loan) Done() <-chan struct{}       { return (*l.owner.Load()).Done() }
func (l *loan) Err() error                  { return (*l.owner.Load()).Err() }
func (l *loan) Value(key any) any           { return (*l.owner.Load()).Value(key) }
