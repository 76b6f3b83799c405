// Benchmarks of what a plan costs the provider's process for one instance. What
// it costs with Terraform, and in requests, `make bench` measures.

package provider_test

import (
	"strconv"
	"testing"

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
