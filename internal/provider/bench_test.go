// Benchmarks of what a plan costs the provider's process for one instance. What
// it costs with Terraform, and in requests, `make bench` measures.

package provider_test

import (
	"strconv"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
)

// benchmarked is a provider with a device that exists.
func benchmarked(b *testing.B) (*core, attributes, resourceState) {
	b.Helper()
	_, url := simtest.Start(b, simulator.Options{})
	c := newCore(b, attributes{"base_url": url, "username": "admin", "password": "admin"})
	config := attributes{"name": "DALLAS", "ip_address": "10.0.0.1", "description": "edge"}
	state, diags := c.apply("enms_device", config, c.none("enms_device"))
	if diags.failed() {
		b.Fatal(diags)
	}
	return c, config, state
}

func BenchmarkPlanOfDevice(b *testing.B) {
	c, config, state := benchmarked(b)
	for b.Loop() {
		if p, diags := c.plan("enms_device", config, state); diags.failed() || !p.noop {
			b.Fatal(diags)
		}
	}
}

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
			c, config, state := benchmarked(b)
			c.server = serve(provider.New("test"))
			if diags := c.configure(); diags.failed() {
				b.Fatal(diags)
			}
			config["description"] = "core"
			changed := objectOf(b, c.schemas["enms_device"], config)
			req := &tfprotov6.PlanResourceChangeRequest{
				TypeName: "enms_device", Config: c.encode(changed), PriorState: c.encode(state.value),
				ProposedNewState: c.encode(c.proposed("enms_device", changed, state.value)), PriorPrivate: state.private, PriorIdentity: state.identity,
			}
			for b.Loop() {
				for range 400 {
					if resp, err := c.server.PlanResourceChange(b.Context(), req); err != nil || len(resp.Diagnostics) > 0 {
						b.Fatal(resp, err)
					}
				}
			}
		})
	}
}

func BenchmarkRefreshOfDevice(b *testing.B) {
	c, _, state := benchmarked(b)
	for b.Loop() {
		if _, diags := c.refresh("enms_device", state); diags.failed() {
			b.Fatal(diags)
		}
	}
}

func BenchmarkUpdateOfDevice(b *testing.B) {
	c, config, state := benchmarked(b)
	for i := 0; b.Loop(); i++ {
		config["description"] = strconv.Itoa(i)
		var diags problems
		if state, diags = c.apply("enms_device", config, state); diags.failed() {
			b.Fatal(diags)
		}
	}
}
