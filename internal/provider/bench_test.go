// A benchmark of what plans cost the provider's process. What they cost with Terraform, and in
// requests, `make bench` measures.

package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
)

// The figures in the comment of the type instances in package protocol are of these.
func BenchmarkPlanOf400Devices(b *testing.B) {
	for name, serve := range map[string]func(*provider.Provider) tfprotov6.ProviderServer{
		"by the framework": func(p *provider.Provider) tfprotov6.ProviderServer { return providerserver.NewProtocol6(p)() },
		"by this provider": func(p *provider.Provider) tfprotov6.ProviderServer {
			server, err := provider.Serve(p)
			if err != nil {
				b.Fatal(err)
			}
			return server
		},
	} {
		b.Run(name, func(b *testing.B) {
			_, url := simtest.Start(b, simulator.Options{})
			c := acctest.NewCore(b, acctest.Attributes{"base_url": url, "username": "admin", "password": "admin"})
			config := acctest.Attributes{"name": "DALLAS", "ip_address": "10.0.0.1", "description": "edge"}
			state := c.Applied("enms_device", config, c.NoState("enms_device"))
			c.Provider = serve(provider.New("test"))
			if diags := c.Configure(); diags.Failed() {
				b.Fatal(diags)
			}
			config["description"] = "core"
			changed := acctest.ObjectOf(b, c.Schemas["enms_device"], config)
			req := &tfprotov6.PlanResourceChangeRequest{
				TypeName: "enms_device", Config: c.Encode(changed), PriorState: c.Encode(state.Value),
				ProposedNewState: c.Encode(terraformtest.Proposed(c.Schemas["enms_device"], changed, state.Value)), PriorPrivate: state.Private, PriorIdentity: state.Identity,
			}
			for b.Loop() {
				for range 400 {
					if resp, err := c.Provider.PlanResourceChange(b.Context(), req); err != nil || len(resp.Diagnostics) > 0 {
						b.Fatal(resp, err)
					}
				}
			}
		})
	}
}
