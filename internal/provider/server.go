// This file serves the provider: by the framework, and beside it by packages protocol and
// bulk.

package provider

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/bulk"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/protocol"
)

// NewServer returns the server of the provider. version is the provider's own.
func NewServer(version string) (*protocol.Server, error) { return Serve(New(version)) }

// Serve returns the server of a provider that New or NewWith made.
func Serve(p *Provider) (*protocol.Server, error) {
	return protocol.New(protocol.Config{
		Provider: p, Kinds: kinds.All(), Configured: p.configured.Load,
		Resources: map[string]protocol.Resource{bulk.TypeName: bulk.New(kinds.All(), p.configured.Load)},
	})
}
