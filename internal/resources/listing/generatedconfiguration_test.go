// Tests of generated configurations: with what the provider answers, everything is
// imported as it is. They speak the protocol, so that any Terraform will do.

package listing_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// generated returns the configuration that the provider answers for a state, without what is
// null.
func generated(c *acctest.Core, typ string, state tftypes.Value) acctest.Attributes {
	c.T.Helper()
	resp, err := c.Provider.GenerateResourceConfig(c.T.Context(), &tfprotov6.GenerateResourceConfigRequest{TypeName: typ, State: c.Encode(state)})
	if err != nil {
		c.T.Fatal(err)
	}
	if acctest.Problems(resp.Diagnostics).Failed() {
		c.T.Fatal(acctest.Problems(resp.Diagnostics))
	}
	config := acctest.Attributes{}
	for name, v := range acctest.Members(c.T, c.Decode(typ, resp.Config)) {
		if !v.IsNull() {
			config[name] = v
		}
	}
	return config
}

// importsGenerated imports an instance, has its configuration generated, and plans it:
// there is nothing to do.
func importsGenerated(c *acctest.Core, k *kind.Kind, id string) acctest.Attributes {
	c.T.Helper()
	typ := "enms_" + k.Name
	imported, diags := c.ImportByName(typ, id)
	if diags.Failed() {
		c.T.Fatal(diags)
	}
	config := generated(c, typ, imported.Value)
	for _, a := range k.Rows() {
		if _, has := config[a.Name]; has && (a.ReadOnly || a.Role == kind.Setting || a.Role == kind.Secret || a.Role == kind.Identity) {
			c.T.Errorf("%s is in the configuration", a.Name)
		}
	}
	if p, diags := c.Plan(typ, config, imported); diags.Failed() || !p.Noop {
		c.T.Errorf("%v\nof %s\nplans %s%s", config, imported.Value, p.Value, diags)
	}
	return config
}

// The generated configuration of an instance with nothing but the required attributes
// holds nothing else, not even defaults of custom properties. The configuration of an
// instance with every attribute set plans nothing.
func TestGeneratedConfiguration_ofEveryKind(t *testing.T) {
	t.Parallel()
	acctest.OfEveryKind(t, func(t *testing.T, s *acctest.Server, c *acctest.Core, k *kind.Kind) {
		typ := "enms_" + k.Name
		for what, config := range map[string]acctest.Attributes{"least": acctest.LeastConfig(s, k, kind.Attribute{}), "full": acctest.FullConfig(0, s, k)} {
			state := c.Applied(typ, config, c.NoState(typ))
			got := importsGenerated(c, k, acctest.ImportIDOf(k, config))
			want := slices.Sorted(maps.Keys(config))
			if k.AnyType != nil { // of whose types no default is known
				want = append(want, kind.RowProperties)
			}
			for _, a := range k.Rows() {
				if acctest.Line() == 5 && a.Default5 != nil { // which another line creates otherwise
					want = append(want, a.Name)
				}
			}
			if names := slices.Sorted(maps.Keys(got)); what == "least" && !slices.Equal(names, slices.Sorted(slices.Values(want))) {
				t.Errorf("%q, want %q: %v", names, want, got)
			}
			c.Applied(typ, nil, state)
		}
	})
}

// What others made is imported with the configuration that is generated for it, too.
func TestGeneratedConfiguration_ofWhatOthersMade(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	acctest.PutRelated(s)
	c := s.Core(nil)
	for _, k := range acctest.Kinds() {
		if k.AnyType != nil {
			continue
		}
		config := acctest.LeastConfig(s, k, kind.Attribute{})
		payload := acctest.PayloadOfOthers(s, k, config)
		s.Put(acctest.PathOf(k, config), payload)()
		importsGenerated(c, k, acctest.ImportIDOf(k, config))
		s.Drop(k.Name, payload["name"].(string))()
	}
}

// Each subtype is generated with the properties that are no defaults of its: none, as the tables have a row and the
// default of all that eNMS answers. A service that was created over REST says that it has no form: what the provider
// creates has one.
func TestGeneratedConfiguration_ofSubtypes(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	for _, k := range kinds.All() {
		for _, table := range k.Subtypes {
			name := s.Expand("NAME-" + table.Name)
			s.Put(table.Name, enms.Object{"name": name, "scoped_name": name})()
			want := any(nil)
			if k.Name == "service" {
				want = acctest.ObjectValue(map[string]any{"parameterized_form": ""})
			}
			if got := importsGenerated(c, k, name)[kind.RowProperties]; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %s", table.Name, got)
			}
		}
	}
}

// Other resources are left to the framework, and so is what has no state.
func TestGeneratedConfiguration_ofOtherResources(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	layout := acctest.ObjectOf(t, c.Schemas["enms_workflow_layout"], acctest.Attributes{"workflow": "w"})
	config := generated(c, "enms_workflow_layout", layout)
	if v, is := config["workflow"].(tftypes.Value); !is || len(config) != 1 || acctest.TextOf(t, v) != "w" {
		t.Error(config)
	}
	resp, err := c.Provider.GenerateResourceConfig(t.Context(), &tfprotov6.GenerateResourceConfigRequest{TypeName: "enms_device", State: c.Encode(c.NoState("enms_device").Value)})
	if err != nil || len(resp.Diagnostics) > 0 || !c.Decode("enms_device", resp.Config).IsNull() {
		t.Error(resp, err)
	}
}

// Terraform asks only whom it is told that it may.
func TestGeneratedConfiguration_isAnnounced(t *testing.T) {
	t.Parallel()
	c := acctest.NewCore(t, acctest.NeededSettings(nil))
	schema, err := c.Provider.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil || !schema.ServerCapabilities.GenerateResourceConfig {
		t.Error(schema, err)
	}
	metadata, err := c.Provider.GetMetadata(t.Context(), &tfprotov6.GetMetadataRequest{})
	if err != nil || !metadata.ServerCapabilities.GenerateResourceConfig {
		t.Error(metadata, err)
	}
}
