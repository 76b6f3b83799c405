// Tests of the examples that only newer versions of Terraform read: actions, queries and
// imports by identity. They are read as Terraform reads them, and given to the provider by
// the protocol, so that any Terraform will do.

package docstest

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// hclBlocks returns the blocks of a kind in the examples that a pattern finds.
func hclBlocks(t *testing.T, pattern, kind string) []*hclsyntax.Block {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(acctest.Repository, "examples", filepath.FromSlash(pattern)))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(files), err)
	}
	var blocks []*hclsyntax.Block
	for _, file := range files {
		parsed, diags := hclparse.NewParser().ParseHCLFile(file)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		for _, block := range parsed.Body.(*hclsyntax.Body).Blocks {
			if block.Type == kind {
				blocks = append(blocks, block)
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

// evaluated returns an object of a type out of expressions: what is not given is null, and
// what refers to others unknown.
func evaluated(c *acctest.Core, typ tftypes.Type, given map[string]hcl.Expression) *tfprotov6.DynamicValue {
	t := c.T
	t.Helper()
	want := ctyType(t, typ)
	values := map[string]cty.Value{}
	for name, of := range want.AttributeTypes() {
		values[name] = cty.NullVal(of)
	}
	for name, expression := range given {
		of, has := want.AttributeTypes()[name]
		if !has {
			t.Fatalf("%s: there is no %s", expression.Range(), name)
		}
		if len(expression.Variables()) > 0 {
			values[name] = cty.UnknownVal(of)
			continue
		}
		value, diags := expression.Value(nil)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		converted, err := convert.Convert(value, of)
		if err != nil {
			t.Fatalf("%s: %s: %v", expression.Range(), name, err)
		}
		values[name] = converted
	}
	encoded, err := msgpack.Marshal(cty.ObjectVal(values), want)
	if err != nil {
		t.Fatal(err)
	}
	return &tfprotov6.DynamicValue{MsgPack: encoded}
}

// configOf returns the arguments in the config block of a block, which may have none.
func configOf(block *hclsyntax.Block) map[string]hcl.Expression {
	given := map[string]hcl.Expression{}
	for _, inner := range block.Body.Blocks {
		if inner.Type == "config" {
			for name, a := range inner.Body.Attributes {
				given[name] = a.Expr
			}
		}
	}
	return given
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

func TestExamples_actionsFitTheSchema(t *testing.T) {
	t.Parallel()
	c, schemas := exampleCore(t)
	shown := map[string]bool{}
	for _, block := range append(hclBlocks(t, "actions/*/*.tf", "action"), hclBlocks(t, "decommission/*.tf", "action")...) {
		typ := block.Labels[0]
		if schemas.ActionSchemas[typ] == nil {
			t.Fatalf("there is no action %s", typ)
		}
		shown[typ] = true
		resp, err := c.Provider.(tfprotov6.ActionServer).ValidateActionConfig(t.Context(), &tfprotov6.ValidateActionConfigRequest{
			ActionType: typ, Config: evaluated(c, schemas.ActionSchemas[typ].Schema.ValueType(), configOf(block))})
		if err != nil || len(resp.Diagnostics) > 0 {
			t.Errorf("%s: %v %s", typ, err, acctest.Problems(resp.Diagnostics))
		}
	}
	if len(shown) != len(schemas.ActionSchemas) {
		t.Errorf("%v are shown", slices.Sorted(maps.Keys(shown)))
	}
	for _, block := range append(hclBlocks(t, "actions/*/*.tf", "resource"), hclBlocks(t, "decommission/*.tf", "resource")...) {
		if c.Schemas[block.Labels[0]] == nil {
			t.Errorf("there is no resource %s", block.Labels[0])
		}
	}
}

func TestExamples_queriesFitTheSchema(t *testing.T) {
	t.Parallel()
	c, schemas := exampleCore(t)
	shown := map[string]bool{}
	for _, block := range append(hclBlocks(t, "list-resources/*/*.tfquery.hcl", "list"), hclBlocks(t, "policies/*.tfquery.hcl", "list")...) {
		typ := block.Labels[0]
		if schemas.ListResourceSchemas[typ] == nil {
			t.Fatalf("there is no list resource %s", typ)
		}
		shown[typ] = true
		for name := range block.Body.Attributes {
			if name != "provider" && name != "limit" && name != "include_resource" {
				t.Errorf("%s: Terraform has no %s there", typ, name)
			}
		}
		if block.Body.Attributes["provider"] == nil {
			t.Errorf("%s: Terraform requires the provider", typ)
		}
		resp, err := c.Provider.(tfprotov6.ListResourceServer).ValidateListResourceConfig(t.Context(), &tfprotov6.ValidateListResourceConfigRequest{
			TypeName: typ, Config: evaluated(c, schemas.ListResourceSchemas[typ].ValueType(), configOf(block))})
		if err != nil || len(resp.Diagnostics) > 0 {
			t.Errorf("%s: %v %s", typ, err, acctest.Problems(resp.Diagnostics))
		}
	}
	if len(shown) != len(schemas.ListResourceSchemas) {
		t.Errorf("%v are shown", slices.Sorted(maps.Keys(shown)))
	}
}

func TestExamples_identitiesFitTheSchema(t *testing.T) {
	t.Parallel()
	c, _ := exampleCore(t)
	shown := map[string]bool{}
	for _, block := range hclBlocks(t, "resources/*/import-by-identity.tf", "import") {
		to, diags := hcl.AbsTraversalForExpr(block.Body.Attributes["to"].Expr)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		typ := to.RootName()
		pairs, diags := hcl.ExprMap(block.Body.Attributes["identity"].Expr)
		if diags.HasErrors() || c.Identities()[typ] == nil {
			t.Fatalf("%s: %v %v", typ, diags, c.Identities()[typ])
		}
		given := map[string]hcl.Expression{}
		for _, pair := range pairs {
			given[hcl.ExprAsKeyword(pair.Key)] = pair.Value
		}
		takesIdentity(c, typ, given)
		shown[typ] = true
		if !slices.ContainsFunc(hclBlocks(t, "resources/"+typ+"/resource.tf", "resource"), func(b *hclsyntax.Block) bool {
			return b.Labels[0] == typ && b.Labels[1] == to[1].(hcl.TraverseAttr).Name
		}) {
			t.Errorf("%s: there is no resource to import to", typ)
		}
	}
	if len(shown) != len(c.Identities()) {
		t.Errorf("%v are shown", slices.Sorted(maps.Keys(shown)))
	}
}

// takesIdentity holds an identity in an import block against its schema.
func takesIdentity(c *acctest.Core, typ string, given map[string]hcl.Expression) {
	c.T.Helper()
	schema := c.Identities()[typ]
	evaluated(c, schema.ValueType(), given)
	for _, a := range schema.IdentityAttributes {
		if a.RequiredForImport && given[a.Name] == nil {
			c.T.Errorf("%s: the identity has no %s", typ, a.Name)
		}
	}
}
