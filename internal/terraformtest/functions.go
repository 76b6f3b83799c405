// The functions that expressions may call: those that Terraform takes from the libraries of HCL and cty, and lookup
// and file.

package terraformtest

import (
	"maps"
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

var functions = map[string]function.Function{
	"can": tryfunc.CanFunc, "try": tryfunc.TryFunc,
	"tolist": stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)), "tomap": stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)),
	"toset": stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)), "tostring": stdlib.MakeToFunc(cty.String),
	"tonumber": stdlib.MakeToFunc(cty.Number), "tobool": stdlib.MakeToFunc(cty.Bool),
	"abs": stdlib.AbsoluteFunc, "ceil": stdlib.CeilFunc, "floor": stdlib.FloorFunc, "max": stdlib.MaxFunc, "min": stdlib.MinFunc,
	"chomp": stdlib.ChompFunc, "chunklist": stdlib.ChunklistFunc, "coalesce": stdlib.CoalesceFunc, "concat": stdlib.ConcatFunc, "contains": stdlib.ContainsFunc, "csvdecode": stdlib.CSVDecodeFunc,
	"distinct": stdlib.DistinctFunc, "element": stdlib.ElementFunc, "flatten": stdlib.FlattenFunc, "format": stdlib.FormatFunc,
	"formatlist": stdlib.FormatListFunc, "jsondecode": stdlib.JSONDecodeFunc, "jsonencode": stdlib.JSONEncodeFunc, "join": stdlib.JoinFunc,
	"keys": stdlib.KeysFunc, "length": stdlib.LengthFunc, "lookup": lookupFunc, "lower": stdlib.LowerFunc, "merge": stdlib.MergeFunc,
	"range": stdlib.RangeFunc, "regex": stdlib.RegexFunc, "replace": stdlib.ReplaceFunc, "reverse": stdlib.ReverseListFunc,
	"setproduct": stdlib.SetProductFunc, "slice": stdlib.SliceFunc, "sort": stdlib.SortFunc, "split": stdlib.SplitFunc, "substr": stdlib.SubstrFunc,
	"timeadd": stdlib.TimeAddFunc, "title": stdlib.TitleFunc, "trimprefix": stdlib.TrimPrefixFunc, "trimspace": stdlib.TrimSpaceFunc, "upper": stdlib.UpperFunc, "values": stdlib.ValuesFunc, "zipmap": stdlib.ZipmapFunc,
}

// functionsIn returns the functions for a configuration in a directory, from which file reads. Without a
// directory, there is no function file.
func functionsIn(dir string) map[string]function.Function {
	if dir == "" {
		return functions
	}
	all := maps.Clone(functions)
	all["file"] = function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			file := args[0].AsString()
			if !filepath.IsAbs(file) {
				file = filepath.Join(dir, file)
			}
			content, err := os.ReadFile(file)
			return cty.StringVal(string(content)), err
		},
	})
	return all
}

// lookupFunc is Terraform's own: unlike that of the library, it takes null as the default.
var lookupFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "map", Type: cty.Map(cty.DynamicPseudoType)}, {Name: "key", Type: cty.String},
		{Name: "default", Type: cty.DynamicPseudoType, AllowNull: true, AllowDynamicType: true}},
	Type: func(args []cty.Value) (cty.Type, error) { return args[0].Type().ElementType(), nil },
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if args[0].HasIndex(args[1]).True() {
			return args[0].Index(args[1]), nil
		}
		return convert.Convert(args[2], args[0].Type().ElementType())
	},
})

// unknownFunction returns the name of a function that a body calls and that is not among those of the
// model, or "" if all are.
func unknownFunction(body *hclsyntax.Body, known map[string]function.Function) (name string) {
	for _, b := range body.Blocks {
		if b.Type == "variable" {
			continue // types look like calls
		}
		_ = hclsyntax.VisitAll(b, func(node hclsyntax.Node) hcl.Diagnostics {
			if call, is := node.(*hclsyntax.FunctionCallExpr); is {
				if _, is := known[call.Name]; !is {
					name = call.Name
				}
			}
			return nil
		})
	}
	return name
}
