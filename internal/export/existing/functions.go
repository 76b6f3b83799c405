// This file holds the functions of Terraform that are evaluated. An expression with any other
// has no value here.

package existing

import (
	"fmt"
	"path"
	"path/filepath"

	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// functions returns the functions; read reads a file of the directory.
func functions(read func(name string) ([]byte, error)) map[string]function.Function {
	return map[string]function.Function{
		"file": function.New(&function.Spec{
			Params: []function.Parameter{{Name: "path", Type: cty.String}},
			Type:   function.StaticReturnType(cty.String),
			Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
				name, is := local(args[0].AsString())
				if !is {
					return cty.DynamicVal, fmt.Errorf("%s is outside of the directory", args[0].AsString())
				}
				content, err := read(name)
				return cty.StringVal(string(content)), err
			},
		}),
		"chomp": stdlib.ChompFunc, "coalesce": stdlib.CoalesceFunc, "compact": stdlib.CompactFunc, "concat": stdlib.ConcatFunc,
		"contains": stdlib.ContainsFunc, "csvdecode": stdlib.CSVDecodeFunc, "distinct": stdlib.DistinctFunc, "flatten": stdlib.FlattenFunc,
		"format": stdlib.FormatFunc, "join": stdlib.JoinFunc, "jsondecode": stdlib.JSONDecodeFunc, "jsonencode": stdlib.JSONEncodeFunc,
		"keys": stdlib.KeysFunc, "lower": stdlib.LowerFunc, "merge": stdlib.MergeFunc, "replace": stdlib.ReplaceFunc, "split": stdlib.SplitFunc,
		"tobool": stdlib.MakeToFunc(cty.Bool), "tolist": stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)), "tomap": stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)),
		"tonumber": stdlib.MakeToFunc(cty.Number), "toset": stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)), "tostring": stdlib.MakeToFunc(cty.String),
		"trimspace": stdlib.TrimSpaceFunc, "try": tryfunc.TryFunc, "upper": stdlib.UpperFunc, "values": stdlib.ValuesFunc,
	}
}

// local returns the name of a file of the directory, as file() takes it.
func local(name string) (string, bool) {
	name = path.Clean(filepath.ToSlash(name))
	return name, filepath.IsLocal(name)
}
