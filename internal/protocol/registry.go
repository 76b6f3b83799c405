// This file says which server answers the calls about which resource.

package protocol

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
)

// Resource answers every call about a resource that the framework does not know.
type Resource interface {
	tfprotov6.ResourceServer
	Schema() *tfprotov6.Schema
	IdentitySchema() *tfprotov6.ResourceIdentitySchema
}

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

// registry says what answers the calls about resources:
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

// of returns what answers the calls about resources of a type.
func (r registry) of(typ string) tfprotov6.ResourceServer {
	if resource, is := r.beside[typ]; is {
		return resource
	}
	if resource, is := r.kinds[typ]; is {
		return resource
	}
	return r.framework
}

// New returns the server of a provider. It is an error if the framework's own cannot do all
// that this one relies on, or if one resource would have two servers: a provider that went
// on would plan without its rules.
func New(c Config) (*Server, error) {
	framework, is := providerserver.NewProtocol6(c.Provider)().(providerServer)
	if !is {
		return nil, errors.New("the server of terraform-plugin-framework has no list resources or no actions")
	}
	r := registry{framework: framework, kinds: map[string]*instances{}, beside: c.Resources}
	for _, k := range c.Kinds {
		r.kinds[k.TypeName()] = newInstances(k, c.Kinds, framework, c.Configured)
	}
	if err := r.check(framework); err != nil {
		return nil, err
	}
	return &Server{providerServer: framework, resources: r, configured: c.Configured}, nil
}

// check reports a resource that would be served by two, or of which the framework is
// thought to know and does not.
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
