// This file implements functions with strings as arguments and result.

package function

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// textFunction is a function with strings as arguments and result.
type textFunction struct {
	name, summary, description string
	parameters                 []parameter
	// compute returns the result for the arguments, one for each parameter.
	compute func(arguments []string) (string, *function.FuncError)
}

// parameter is a parameter of the type string.
type parameter struct {
	name, description string
	nullable          bool // null is allowed, and is the same as ""
}

// zoneParameter is the parameter for the time zone of the server.
var zoneParameter = parameter{name: "zone", description: "The time zone of the eNMS server, by its name in the IANA list, such as `Europe/Berlin` or `UTC`."}

// terraform returns the parameter for the framework.
func (p parameter) terraform() function.Parameter {
	return function.StringParameter{Name: p.name, MarkdownDescription: p.description, AllowNullValue: p.nullable}
}

// definition returns the parameters, the result and the documentation.
func (f textFunction) definition() function.Definition {
	d := function.Definition{Summary: f.summary, MarkdownDescription: f.description, Return: function.StringReturn{}}
	for _, p := range f.parameters {
		d.Parameters = append(d.Parameters, p.terraform())
	}
	return d
}

// run computes the result.
func (f textFunction) run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	arguments := make([]string, len(f.parameters))
	for i := range arguments {
		var argument types.String
		if resp.Error = req.Arguments.GetArgument(ctx, i, &argument); resp.Error != nil {
			return
		}
		arguments[i] = argument.ValueString()
	}
	var result string
	if result, resp.Error = f.compute(arguments); resp.Error == nil {
		resp.Error = resp.Result.Set(ctx, result)
	}
}

// wrong returns the error about an argument, counted from 0.
func wrong(argument int64, err error) *function.FuncError {
	return function.NewArgumentFuncError(argument, err.Error())
}
