// Tests of generated configurations: with what the provider answers, everything is
// imported as it is. They speak the protocol, so that any Terraform will do.

package provider_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// generated is the configuration that the provider answers for a state, without what is
// null.
func (c *core) generated(typ string, state tftypes.Value) attributes {
	c.t.Helper()
	resp, err := c.server.GenerateResourceConfig(c.t.Context(), &tfprotov6.GenerateResourceConfigRequest{TypeName: typ, State: c.encode(state)})
	if err != nil {
		c.t.Fatal(err)
	}
	if problems(resp.Diagnostics).failed() {
		c.t.Fatal(problems(resp.Diagnostics))
	}
	config := attributes{}
	for name, v := range members(c.t, c.decode(typ, resp.Config)) {
		if !v.IsNull() {
			config[name] = v
		}
	}
	return config
}

// importsGenerated imports an instance, has its configuration generated, and plans it:
// there is nothing to do.
func (c *core) importsGenerated(k *kind.Kind, id string) attributes {
	c.t.Helper()
	typ := "enms_" + k.Name
	imported, diags := c.importByName(typ, id)
	if diags.failed() {
		c.t.Fatal(diags)
	}
	config := c.generated(typ, imported.value)
	for _, a := range k.Rows() {
		if _, has := config[a.Name]; has && (a.ReadOnly || a.Role == kind.Setting || a.Role == kind.Secret || a.Role == kind.Identity) {
			c.t.Errorf("%s is in the configuration", a.Name)
		}
	}
	if p, diags := c.plan(typ, config, imported); diags.failed() || !p.noop {
		c.t.Errorf("%v\nof %s\nplans %s%s", config, imported.value, p.value, diags)
	}
	return config
}

// The generated configuration of an instance with nothing but the required attributes
// holds nothing else, not even defaults of custom properties. The configuration of an
// instance with every attribute set plans nothing.
func TestGeneratedConfigurationOfEveryKind(t *testing.T) {
	t.Parallel()
	ofEveryKind(t, func(t *testing.T, s *server, c *core, k *kind.Kind) {
		typ := "enms_" + k.Name
		for what, config := range map[string]attributes{"least": leastConfig(s, k, kind.Attribute{}), "full": fullConfig(0, s, k)} {
			state := c.applied(typ, config, c.none(typ))
			got := c.importsGenerated(k, importIDOf(k, config))
			want := slices.Sorted(maps.Keys(config))
			if k.AnyType { // of whose types no default is known
				want = append(want, kind.RowProperties)
			}
			if names := slices.Sorted(maps.Keys(got)); what == "least" && !slices.Equal(names, slices.Sorted(slices.Values(want))) {
				t.Errorf("%q, want %q: %v", names, want, got)
			}
			c.applied(typ, nil, state)
		}
	})
}

// What others made is imported with the configuration that is generated for it, too.
func TestGeneratedConfigurationOfWhatOthersMade(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	related(s)
	c := s.core(nil)
	for _, k := range kinds.All() {
		if k.AnyType {
			continue
		}
		config := leastConfig(s, k, kind.Attribute{})
		payload := ofOthers(s, k, config)
		s.put(pathOf(k, config), payload)()
		c.importsGenerated(k, importIDOf(k, config))
		s.drop(k.Name, payload["name"].(string))()
	}
}

// Service types are generated with the properties that are no defaults of theirs. What was
// created over REST says that it has no form: what the provider creates has one.
func TestGeneratedConfigurationOfServices(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	service := kinds.All()[slices.IndexFunc(kinds.All(), func(k *kind.Kind) bool { return k.Name == "service" })]
	for _, table := range service.Subtypes {
		name := s.expand("NAME-" + table.Name)
		t.Cleanup(s.drop("service", name))
		s.put(table.Name, enms.Object{"name": name, "scoped_name": name})()
		config := c.importsGenerated(service, name)
		if got, want := fmt.Sprint(config[kind.RowProperties]), fmt.Sprint(object(map[string]any{"parameterized_form": ""})); got != want {
			t.Errorf("%s: %s", table.Name, got)
		}
	}
}

// Other resources are left to the framework, and so is what has no state.
func TestGeneratedConfigurationOfOtherResources(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	layout := objectOf(t, c.schemas["enms_workflow_layout"], attributes{"workflow": "w"})
	config := c.generated("enms_workflow_layout", layout)
	if v, is := config["workflow"].(tftypes.Value); !is || len(config) != 1 || textOf(t, v) != "w" {
		t.Error(config)
	}
	resp, err := c.server.GenerateResourceConfig(t.Context(), &tfprotov6.GenerateResourceConfigRequest{TypeName: "enms_device", State: c.encode(c.none("enms_device").value)})
	if err != nil || len(resp.Diagnostics) > 0 || !c.decode("enms_device", resp.Config).IsNull() {
		t.Error(resp, err)
	}
}

// Terraform asks only whom it is told that it may.
func TestTerraformMayAskForConfigurations(t *testing.T) {
	t.Parallel()
	c := newCore(t, needed(nil))
	schema, err := c.server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil || !schema.ServerCapabilities.GenerateResourceConfig {
		t.Error(schema, err)
	}
	metadata, err := c.server.GetMetadata(t.Context(), &tfprotov6.GetMetadataRequest{})
	if err != nil || !metadata.ServerCapabilities.GenerateResourceConfig {
		t.Error(metadata, err)
	}
}
