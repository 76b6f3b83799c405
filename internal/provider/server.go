// This file serves the provider: provider.go by the framework, and beside it, by mux.go,
// what speaks the plugin protocol itself. It keeps the process small. The framework holds on to
// the context of every call, in order to cancel it, for as long as the process
// lives: with its loggers some 15 KB a call, four calls an instance, half a
// gigabyte in a plan of ten thousand. So it is given contexts that let go of
// everything when their call is over.

package provider

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/bulk"
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
	return &server{&muxed{
		framework: all, bulk: bulk.New(kinds.All(), configured), planner: lifecycle.NewPlanner(kinds.All(), configured),
		stopped: stopped, stop: stop,
	}}
}

// server lends contexts to those calls that there are of every instance.
type server struct{ framework }

func (s *server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return lend(ctx, req, s.framework.ValidateResourceConfig)
}

func (s *server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return lend(ctx, req, s.framework.UpgradeResourceState)
}

func (s *server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return lend(ctx, req, s.framework.ReadResource)
}

func (s *server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return lend(ctx, req, s.framework.PlanResourceChange)
}

func (s *server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return lend(ctx, req, s.framework.ApplyResourceChange)
}

func (s *server) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return lend(ctx, req, s.framework.ImportResourceState)
}

func (s *server) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return lend(ctx, req, s.framework.ReadDataSource)
}

// lend makes a call with a context that is worth nothing afterwards.
func lend[Q, A any](ctx context.Context, req Q, call func(context.Context, Q) (A, error)) (A, error) {
	var l loan
	l.owner.Store(&ctx)
	defer l.owner.Store(&over)
	return call(&l, req)
}

// over is the context of a call that is over.
var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// loan is a context that belongs to somebody else for a time.
type loan struct {
	owner atomic.Pointer[context.Context]
}

func (l *loan) Deadline() (time.Time, bool) { return (*l.owner.Load()).Deadline() }
func (l *loan) Done() <-chan struct{}       { return (*l.owner.Load()).Done() }
func (l *loan) Err() error                  { return (*l.owner.Load()).Err() }
func (l *loan) Value(key any) any           { return (*l.owner.Load()).Value(key) }
