// Tests of the examples that only newer versions of Terraform read: actions, queries and
// imports by identity. They are read as Terraform reads them, and given to the provider by
// the protocol, so that any Terraform will do.

package docstest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// hclBlocks returns the blocks of a kind in the examples that patterns find.
func hclBlocks(t *testing.T, kind string, patterns ...string) (blocks []*hclsyntax.Block) {
	t.Helper()
	for _, pattern := range patterns {
		for file, text := range textsOf(t, "examples/"+pattern) {
			parsed, diags := hclparse.NewParser().ParseHCL([]byte(text), file)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			for _, block := range parsed.Body.(*hclsyntax.Body).Blocks {
				if block.Type == kind {
					blocks = append(blocks, block)
				}
			}
		}
	}
	return blocks
}

// ctyType returns a type as Terraform has it.
func ctyType(t testing.TB, typ tftypes.Type) cty.Type {
	t.Helper()
	written, err := json.Marshal(typ)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ctyjson.UnmarshalType(written)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// evaluated returns an object of a type out of arguments: what is not given is null, and what refers to
// others unknown.
func evaluated(t *testing.T, typ tftypes.Type, given hclsyntax.Attributes) *tfprotov6.DynamicValue {
	t.Helper()
	want, spec, body := ctyType(t, typ), hcldec.ObjectSpec{}, &hclsyntax.Body{Attributes: hclsyntax.Attributes{}}
	for name, of := range want.AttributeTypes() {
		spec[name] = &hcldec.AttrSpec{Name: name, Type: of}
	}
	for name, a := range given {
		argument := *a
		if len(a.Expr.Variables()) > 0 {
			argument.Expr = &hclsyntax.LiteralValueExpr{Val: cty.DynamicVal}
		}
		body.Attributes[name] = &argument
	}
	value, diags := hcldec.Decode(body, spec, nil)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	encoded, err := msgpack.Marshal(value, want)
	if err != nil {
		t.Fatal(err)
	}
	return &tfprotov6.DynamicValue{MsgPack: encoded}
}

// configOf returns the arguments in the config block of a block, which may have none.
func configOf(block *hclsyntax.Block) hclsyntax.Attributes {
	for _, inner := range block.Body.Blocks {
		if inner.Type == "config" {
			return inner.Body.Attributes
		}
	}
	return nil
}

// exampleCore returns a provider to give the examples to, which asks no server, and its
// schemas.
func exampleCore(t *testing.T) (*acctest.Core, *tfprotov6.GetProviderSchemaResponse) {
	t.Helper()
	c := acctest.NewCore(t, acctest.NeededSettings(acctest.Attributes{"base_url": "http://127.0.0.1:1"}))
	schemas, err := c.Provider.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	return c, schemas
}

// fit validates blocks of examples, and checks that there is one for each schema.
func fit[S any](t *testing.T, blocks []*hclsyntax.Block, schemas map[string]S, validate func(typ string, schema S, block *hclsyntax.Block) []*tfprotov6.Diagnostic) {
	t.Helper()
	shown := map[string]bool{}
	for _, block := range blocks {
		typ := block.Labels[0]
		schema, is := schemas[typ]
		if !is {
			t.Fatalf("there is no %s %s", block.Type, typ)
		}
		if found := validate(typ, schema, block); len(found) > 0 {
			t.Errorf("%s: %s", typ, acctest.Problems(found))
		}
		shown[typ] = true
	}
	if len(shown) != len(schemas) {
		t.Errorf("%v are shown", slices.Sorted(maps.Keys(shown)))
	}
}

func TestExamples_actionsFitTheSchema(t *testing.T) {
	t.Parallel()
	c, schemas := exampleCore(t)
	fit(t, hclBlocks(t, "action", "actions/*/*.tf", "decommission/*.tf"), schemas.ActionSchemas, func(typ string, schema *tfprotov6.ActionSchema, block *hclsyntax.Block) []*tfprotov6.Diagnostic {
		resp, err := c.Provider.(tfprotov6.ActionServer).ValidateActionConfig(t.Context(), &tfprotov6.ValidateActionConfigRequest{
			ActionType: typ, Config: evaluated(t, schema.Schema.ValueType(), configOf(block))})
		if err != nil {
			t.Fatal(err)
		}
		return resp.Diagnostics
	})
	for _, block := range hclBlocks(t, "resource", "actions/*/*.tf", "decommission/*.tf") {
		if c.Schemas[block.Labels[0]] == nil {
			t.Errorf("there is no resource %s", block.Labels[0])
		}
	}
}

func TestExamples_queriesFitTheSchema(t *testing.T) {
	t.Parallel()
	c, schemas := exampleCore(t)
	fit(t, hclBlocks(t, "list", "list-resources/*/*.tfquery.hcl", "policies/*.tfquery.hcl"), schemas.ListResourceSchemas, func(typ string, schema *tfprotov6.Schema, block *hclsyntax.Block) []*tfprotov6.Diagnostic {
		for name := range block.Body.Attributes {
			if name != "provider" && name != "limit" && name != "include_resource" {
				t.Errorf("%s: Terraform has no %s there", typ, name)
			}
		}
		if block.Body.Attributes["provider"] == nil {
			t.Errorf("%s: Terraform requires the provider", typ)
		}
		resp, err := c.Provider.(tfprotov6.ListResourceServer).ValidateListResourceConfig(t.Context(), &tfprotov6.ValidateListResourceConfigRequest{
			TypeName: typ, Config: evaluated(t, schema.ValueType(), configOf(block))})
		if err != nil {
			t.Fatal(err)
		}
		return resp.Diagnostics
	})
}

func TestExamples_identitiesFitTheSchema(t *testing.T) {
	t.Parallel()
	c, _ := exampleCore(t)
	imports, resources := hclBlocks(t, "import", "resources/*/import-by-identity.tf"), map[string]bool{}
	for _, block := range hclBlocks(t, "resource", "resources/*/resource.tf") {
		resources[strings.Join(block.Labels, ".")] = true
	}
	for _, block := range imports {
		address := targets(block, "to")[0]
		if !resources[address] {
			t.Errorf("%s: there is no resource to import to", address)
		}
		block.Labels = strings.Split(address, ".")
	}
	fit(t, imports, c.Identities(), func(typ string, schema *tfprotov6.ResourceIdentitySchema, block *hclsyntax.Block) []*tfprotov6.Diagnostic {
		pairs, diags := hcl.ExprMap(block.Body.Attributes["identity"].Expr)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		given := hclsyntax.Attributes{}
		for _, pair := range pairs {
			name := hcl.ExprAsKeyword(pair.Key)
			given[name] = &hclsyntax.Attribute{Name: name, NameRange: pair.Key.Range(), Expr: pair.Value.(hclsyntax.Expression)}
		}
		evaluated(t, schema.ValueType(), given)
		for _, a := range schema.IdentityAttributes {
			if a.RequiredForImport && given[a.Name] == nil {
				t.Errorf("%s: the identity has no %s", typ, a.Name)
			}
		}
		return nil
	})
}
