// This file says which server answers the calls about which resource.

package protocol

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
)

// providerServer is all that Terraform may ask a provider for. The interfaces of
// terraform-plugin-go leave the last two optional: a server without them compiles, and
// Terraform finds no list resources and no actions.
type providerServer interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
}

// Resource answers every call about a resource that the framework does not know.
type Resource interface {
	tfprotov6.ResourceServer
	Schema() *tfprotov6.Schema
	IdentitySchema() *tfprotov6.ResourceIdentitySchema
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

// newRegistry returns the registry of a provider that the framework serves.
func newRegistry(framework providerServer, kinds []*kind.Kind, beside map[string]Resource, configured func() *lifecycle.Provider) (r registry, err error) {
	r = registry{framework: framework, kinds: map[string]*instances{}, beside: beside}
	for _, k := range kinds {
		r.kinds[k.TypeName()] = newInstances(k, kinds, framework, configured)
	}
	return r, r.check(framework)
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
