// Tests of the policies in HashiCorp's Terraform policy. Its program, tfpolicy, is not public as
// source, so that they are read by what is documented of the language
// (https://developer.hashicorp.com/terraform/policy/reference): its blocks and arguments, the
// attributes of the schema, and conditions over the plans that the policies in Rego are tested
// with, evaluated by HCL.

package docstest

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	ctyfunction "github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// The documented blocks: of a file, of a resource_policy, and what else has arguments.
var (
	policyFile = &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
		{Type: "policy"}, {Type: "input", LabelNames: []string{"name"}}, {Type: "resource_policy", LabelNames: []string{"type", "name"}}}}
	policySettings = &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "required_providers"}}}
	policyInput    = &hcl.BodySchema{Attributes: []hcl.AttributeSchema{
		{Name: "type", Required: true}, {Name: "description"}, {Name: "default"}, {Name: "nullable"}, {Name: "sensitive"}}}
	resourcePolicy = &hcl.BodySchema{
		Attributes: []hcl.AttributeSchema{{Name: "operations"}, {Name: "filter"}, {Name: "enforcement_level"}},
		Blocks:     []hcl.BlockHeaderSchema{{Type: "locals"}, {Type: "enforce"}},
	}
	enforceBlock = &hcl.BodySchema{Attributes: []hcl.AttributeSchema{
		{Name: "condition", Required: true}, {Name: "error_message"}, {Name: "info_message"}}}
)

// policyFunctions are those of the documented functions that the policies call.
var policyFunctions = map[string]ctyfunction.Function{
	"core::try": tryfunc.TryFunc, "core::length": stdlib.LengthFunc, "core::keys": stdlib.KeysFunc, "core::contains": stdlib.ContainsFunc,
	// anytrue is true with any true, or else unknown with any unknown.
	"core::anytrue": ctyfunction.New(&ctyfunction.Spec{
		Params: []ctyfunction.Parameter{{Name: "list", Type: cty.DynamicPseudoType}},
		Type:   ctyfunction.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			result := cty.False
			for _, element := range args[0].AsValueSlice() {
				if !element.IsKnown() {
					result = cty.UnknownVal(cty.Bool)
				} else if element.True() {
					return cty.True, nil
				}
			}
			return result, nil
		},
	}),
}

// Terraform policy refuses what Rego refuses, except for what it cannot know.
func TestPolicies_terraformPolicy(t *testing.T) {
	t.Parallel()
	_, schemas := exampleCore(t)
	policies, inputs := terraformPolicies(t, schemas)
	inputs["max_deletions"] = cty.NumberIntVal(5)
	files, err := filepath.Glob(acctest.Repository + "/examples/policies/tests/*/plan.json")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d plans, %v", len(files), err)
	}
	for _, file := range files {
		want := readFile(t, filepath.Join(filepath.Dir(file), "refused.txt"))
		// A computed attribute that the configuration leaves out is unknown until apply, as a value
		// of another resource is. Of deletions, only those within one resource are counted.
		switch name := filepath.Base(filepath.Dir(file)); name {
		case "commands":
			want = strings.Replace(want, "unix_commands\n", "unix_commands (undecided)\n", 1)
		case "targets":
			want = strings.ReplaceAll(want, "pools\n", "pools (undecided)\n")
		case "deletions":
			want = "enms_instances.many: 6 deletions, and at most 5 are allowed\n"
		}
		if got := refusedByPolicies(t, file, schemas, policies, inputs); got != want {
			t.Errorf("%s: refused:\n%s\nwant\n%s", file, got, want)
		}
	}
}

// terraformPolicies returns the blocks of the policies and the defaults of their inputs.
func terraformPolicies(t *testing.T, schemas *tfprotov6.GetProviderSchemaResponse) (policies hcl.Blocks, inputs map[string]cty.Value) {
	t.Helper()
	file, diags := hclparse.NewParser().ParseHCLFile(acctest.Repository + "/examples/policies/enms.policy.hcl")
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	blocks := blockContent(t, file.Body, policyFile).Blocks.ByType()
	for _, block := range blocks["policy"] {
		blockContent(t, block.Body, policySettings)
	}
	inputs = map[string]cty.Value{}
	for _, block := range blocks["input"] {
		inputs[block.Labels[0]] = valueOf(t, blockContent(t, block.Body, policyInput).Attributes["default"], nil)
	}
	for _, block := range blocks["resource_policy"] {
		schema := schemas.ResourceSchemas[block.Labels[0]]
		if schema == nil {
			t.Fatalf("there is no %s", block.Labels[0])
		}
		known := ctyType(t, schema.ValueType())
		if diags := hclsyntax.VisitAll(block.Body.(*hclsyntax.Body), func(node hclsyntax.Node) hcl.Diagnostics {
			missing := ""
			switch node := node.(type) {
			case *hclsyntax.ScopeTraversalExpr:
				if strings.HasSuffix(node.Traversal.RootName(), "attrs") && !known.HasAttribute(node.Traversal[1].(hcl.TraverseAttr).Name) {
					missing = node.Traversal[1].(hcl.TraverseAttr).Name
				}
			case *hclsyntax.FunctionCallExpr: // of which core::try would hide that there is none
				if _, has := policyFunctions[node.Name]; !has {
					missing = node.Name
				}
			}
			if missing == "" {
				return nil
			}
			return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "There is no " + missing, Subject: node.Range().Ptr()}}
		}); diags.HasErrors() {
			t.Fatal(diags)
		}
	}
	return blocks["resource_policy"], inputs
}

// refusedByPolicies returns the reasons for which policies refuse a plan, sorted, as lines with
// the address of the resource in place of its name.
func refusedByPolicies(t *testing.T, file string, schemas *tfprotov6.GetProviderSchemaResponse, policies hcl.Blocks, inputs map[string]cty.Value) string {
	t.Helper()
	var plan struct {
		Changes []struct {
			Address, Type string
			Change        struct {
				Actions                []string
				Before, After, Unknown map[string]any
			}
		} `json:"resource_changes"`
	}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(readFile(t, file), `"after_unknown"`, `"unknown"`)), &plan); err != nil {
		t.Fatal(err)
	}
	var refused []string
	for _, c := range plan.Changes {
		for _, policy := range policies {
			if policy.Labels[0] != c.Type {
				continue
			}
			typ := ctyType(t, schemas.ResourceSchemas[c.Type].ValueType())
			for _, operation := range c.Change.Actions {
				ctx := &hcl.EvalContext{Functions: policyFunctions, Variables: map[string]cty.Value{
					"input": cty.ObjectVal(inputs),
					"attrs": plannedValue(t, typ, c.Change.After, c.Change.Unknown),
				}}
				if operation != "create" {
					ctx.Variables["prior_attrs"] = plannedValue(t, typ, c.Change.Before, nil)
				}
				for _, message := range unmet(t, policy, operation, ctx) {
					after, named := strings.CutPrefix(message, fmt.Sprint(c.Change.After["name"]))
					if !named {
						after = ": " + message
					}
					refused = append(refused, c.Address+after+"\n")
				}
			}
		}
	}
	slices.Sort(refused)
	return strings.Join(refused, "")
}

// unmet returns the messages of those conditions of a policy that are false or undecided.
func unmet(t *testing.T, policy *hcl.Block, operation string, ctx *hcl.EvalContext) (messages []string) {
	t.Helper()
	content := blockContent(t, policy.Body, resourcePolicy)
	operations, err := stdlib.Contains(valueOf(t, content.Attributes["operations"], nil), cty.StringVal(operation))
	if err != nil {
		t.Fatal(err)
	}
	filter := content.Attributes["filter"]
	if operations.False() || filter != nil && valueOf(t, filter, ctx).False() {
		return nil
	}
	blocks := content.Blocks.ByType()
	for _, block := range blocks["locals"] {
		attributes, diags := block.Body.JustAttributes()
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		locals := map[string]cty.Value{}
		for _, a := range slices.SortedFunc(maps.Values(attributes), func(a, b *hcl.Attribute) int { return a.Range.Start.Byte - b.Range.Start.Byte }) {
			locals[a.Name] = valueOf(t, a, ctx)
			ctx.Variables["local"] = cty.ObjectVal(locals)
		}
	}
	for _, block := range blocks["enforce"] {
		attributes := blockContent(t, block.Body, enforceBlock).Attributes
		message := valueOf(t, attributes["error_message"], ctx)
		switch condition := valueOf(t, attributes["condition"], ctx); {
		case !condition.IsKnown():
			messages = append(messages, message.AsString()+" (undecided)")
		case condition.False():
			messages = append(messages, message.AsString())
		}
	}
	return messages
}

// plannedValue returns a resource as a plan has it in JSON.
func plannedValue(t *testing.T, typ cty.Type, known, unknown map[string]any) cty.Value {
	t.Helper()
	values := map[string]cty.Value{}
	for name, of := range typ.AttributeTypes() {
		text, err := json.Marshal(known[name])
		if err == nil && of == cty.DynamicPseudoType {
			of, err = ctyjson.ImpliedType(text)
		}
		if err != nil {
			t.Fatal(err)
		}
		if values[name], err = ctyjson.Unmarshal(text, of); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch unknown := unknown[name].(type) {
		case bool:
			values[name] = cty.UnknownVal(of)
		case map[string]any:
			fields := maps.Clone(values[name].AsValueMap())
			if fields == nil {
				fields = map[string]cty.Value{}
			}
			for field := range unknown {
				fields[field] = cty.DynamicVal
			}
			values[name] = cty.ObjectVal(fields)
		}
	}
	return cty.ObjectVal(values)
}

// blockContent returns what a body has, which must be documented.
func blockContent(t *testing.T, body hcl.Body, schema *hcl.BodySchema) *hcl.BodyContent {
	t.Helper()
	content, diags := body.Content(schema)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return content
}

// valueOf returns what an argument is.
func valueOf(t *testing.T, argument *hcl.Attribute, ctx *hcl.EvalContext) cty.Value {
	t.Helper()
	value, diags := argument.Expr.Value(ctx)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return value
}
