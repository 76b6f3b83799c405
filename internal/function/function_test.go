// This file tests the functions as Terraform calls them: their parameters, results and errors. The tests beside it test
// what they compute.

package function

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// unknown stands for a string that is unknown until apply, in arguments for value.
type unknown struct{}

// value returns a value as Terraform has it: a string, a number, null, a tuple or an object.
func value(v any) attr.Value {
	switch v := v.(type) {
	case string:
		return text(v)
	case float64:
		return types.NumberValue(big.NewFloat(v))
	case unknown:
		return types.StringUnknown()
	case []any:
		var elements []attr.Value
		for _, element := range v {
			elements = append(elements, value(element))
		}
		return tuple(elements...).UnderlyingValue()
	case map[string]any:
		members := map[string]attr.Value{}
		for name, member := range v {
			members[name] = value(member)
		}
		return object(members)
	}
	return types.DynamicNull()
}

// call calls a function. An argument for a list or a set is a []string.
func call(t *testing.T, name string, arguments ...any) (attr.Value, *function.FuncError) {
	t.Helper()
	for _, newFunction := range All() {
		f, named := newFunction(), function.MetadataResponse{}
		if f.Metadata(t.Context(), function.MetadataRequest{}, &named); named.Name != name {
			continue
		}
		var defined function.DefinitionResponse
		f.Definition(t.Context(), function.DefinitionRequest{}, &defined)
		parameters := defined.Definition.Parameters
		var values, variadic []attr.Value
		for i, argument := range arguments {
			switch list, isList := argument.([]string); {
			case i >= len(parameters):
				variadic = append(variadic, types.DynamicValue(value(argument)))
			case isList:
				var elements []attr.Value
				for _, s := range list {
					elements = append(elements, text(s))
				}
				if _, isSet := parameters[i].(function.SetParameter); isSet {
					values = append(values, types.SetValueMust(types.StringType, elements))
				} else {
					values = append(values, types.ListValueMust(types.StringType, elements))
				}
			default:
				v := value(argument)
				if _, isDynamic := parameters[i].(function.DynamicParameter); isDynamic {
					v = types.DynamicValue(v)
				} else if argument == nil {
					v = types.StringNull()
				}
				values = append(values, v)
			}
		}
		if defined.Definition.VariadicParameter != nil {
			values = append(values, tuple(variadic...).UnderlyingValue())
		}
		result, err := defined.Definition.Return.NewResultData(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		resp := function.RunResponse{Result: result}
		f.Run(t.Context(), function.RunRequest{Arguments: function.NewArgumentsData(values)}, &resp)
		return resp.Result.Value(), resp.Error
	}
	t.Fatalf("there is no function %s", name)
	return nil, nil
}

// edge returns an edge for value.
func edge(source, destination any, more ...any) map[string]any {
	e := map[string]any{"source": source, "destination": destination}
	for pair := range slices.Chunk(more, 2) {
		e[pair[0].(string)] = pair[1]
	}
	return e
}

// refusesNullElements reports whether a parameter is no list or set, or refuses one with a null.
func refusesNullElements(t *testing.T, p function.Parameter) bool {
	t.Helper()
	null := []attr.Value{types.StringNull()}
	switch p := p.(type) {
	case function.ListParameter:
		resp := function.ListParameterValidatorResponse{}
		for _, v := range p.Validators {
			v.ValidateParameterList(t.Context(), function.ListParameterValidatorRequest{Value: types.ListValueMust(types.StringType, null)}, &resp)
		}
		return resp.Error != nil
	case function.SetParameter:
		resp := function.SetParameterValidatorResponse{}
		for _, v := range p.Validators {
			v.ValidateParameterSet(t.Context(), function.SetParameterValidatorRequest{Value: types.SetValueMust(types.StringType, null)}, &resp)
		}
		return resp.Error != nil
	}
	return true
}

func TestAll(t *testing.T) {
	t.Parallel()
	want := strings.Fields(`
		config_diff(intended,running,ignore) config_lines(config,only,ignore) next_runs(expression,after,count,zone)
		workflow_diagram(edges,earlier...) workflow_layout(edges) workflow_problems(services,edges)
		start_date(timestamp,zone) timestamp(start_date,zone) crontab(expression) service_name(workflow,scoped_name) scoped_name(name)`)
	var have []string
	for _, newFunction := range All() {
		f, named := newFunction(), function.MetadataResponse{}
		f.Metadata(t.Context(), function.MetadataRequest{}, &named)
		var defined function.DefinitionResponse
		f.Definition(t.Context(), function.DefinitionRequest{}, &defined)
		var names []string
		for _, p := range defined.Definition.Parameters {
			names = append(names, p.GetName())
			_, isDynamic := p.(function.DynamicParameter)
			if nullable := named.Name == "service_name" && p.GetName() == "workflow"; p.GetAllowNullValue() != nullable || p.GetAllowUnknownValues() != isDynamic {
				t.Errorf("%s: %s may be null: %t, or unknown: %t", named.Name, p.GetName(), p.GetAllowNullValue(), p.GetAllowUnknownValues())
			}
			if !refusesNullElements(t, p) {
				t.Errorf("%s: elements of %s may be null", named.Name, p.GetName())
			}
		}
		if p := defined.Definition.VariadicParameter; p != nil {
			names = append(names, p.GetName()+"...")
			if !p.GetAllowUnknownValues() {
				t.Errorf("%s: %s must be known", named.Name, p.GetName())
			}
		}
		have = append(have, named.Name+"("+strings.Join(names, ",")+")")
	}
	if !slices.Equal(have, want) {
		t.Errorf("there are %q", have)
	}
}

// A result is unknown as long as what it is made of is. An error is about the argument at fault.
func TestFunctions(t *testing.T) {
	t.Parallel()
	ab, later := []any{edge("[W] a", "[W] b")}, []any{edge("[W] a", unknown{})}
	const isFailure = "flowchart LR\n  s_a[\"a\"]\n  s_b[\"b\"]\n  s_a -.-> s_b\n"
	diagram := strings.ReplaceAll(isFailure, "-.->", "-->")
	const groups = "flowchart LR\n  subgraph s_V[\"V\"]\n    direction LR\n    s_a[\"a\"]\n    s_b[\"b\"]\n  end\n  subgraph s_W[\"W\"]\n    direction LR\n    s_c[\"c\"]\n    s_d[\"d\"]\n  end\n  s_a --> s_b\n  s_c --> s_d\n"
	changed := "  classDef changed fill:#fff8c5,stroke:#bf8700,color:#1f2328\n  class s_a changed\n"
	for _, test := range []struct {
		function  string
		arguments []any
		want      string // the result, or a part of the error behind the number of an argument
	}{
		{"workflow_layout", []any{ab}, `{"[W] a":{"x":0,"y":0},"[W] b":{"x":260,"y":0}}`},
		{"workflow_layout", []any{map[string]any{"1": edge("[W] a", "[W] b", "id", unknown{}, "label", nil)}}, `{"[W] a":{"x":0,"y":0},"[W] b":{"x":260,"y":0}}`},
		{"workflow_layout", []any{[]any{}}, `{}`},
		{"workflow_layout", []any{later}, `<unknown>`},
		{"workflow_layout", []any{[]any{map[string]any{"source": "a"}}}, "0: Edge 0 has no destination"},
		{"workflow_problems", []any{[]string{"[W] c"}, []any{edge(start, end)}}, `["No edges lead from \"[Shared] Start\" to \"[W] c\": it would never run."]`},
		{"workflow_problems", []any{[]string{}, []any{edge(start, end)}}, `[]`},
		{"workflow_problems", []any{[]string{}, later}, `<unknown>`},
		{"workflow_problems", []any{[]string{}, []any{nil}}, "1: Edge 0 must be an object"},
		{"workflow_diagram", []any{ab}, fmt.Sprintf("%q", diagram)},
		{"workflow_diagram", []any{[]any{edge("[W] a", "[W] b", "subtype", "failure", "workflow", nil)}}, fmt.Sprintf("%q", isFailure)},
		{"workflow_diagram", []any{[]any{edge("a", "b", "workflow", "V"), edge("c", "d", "workflow", "W")}}, fmt.Sprintf("%q", groups)},
		{"workflow_diagram", []any{ab, ab}, fmt.Sprintf("%q", diagram)},
		{"workflow_diagram", []any{ab, ab, []any{"[W] a", "[W] x"}}, fmt.Sprintf("%q", diagram+changed)},
		{"workflow_diagram", []any{ab, []any{}}, fmt.Sprintf("%q", diagram+"  classDef added fill:#dafbe1,stroke:#1a7f37,color:#1f2328\n  class s_a,s_b added\n  linkStyle 0 stroke:#1a7f37\n")},
		{"workflow_diagram", []any{later}, `<unknown>`},
		{"workflow_diagram", []any{unknown{}}, `<unknown>`},
		{"workflow_diagram", []any{[]any{edge("[W] a", "[W] b", "subtype", unknown{})}}, `<unknown>`},
		{"workflow_diagram", []any{[]any{edge("[W] a", "[W] b", "subtype", unknown{}), edge("[W] a", "[W] b", "subtype", "failure")}}, `<unknown>`},
		{"workflow_diagram", []any{ab, later}, `<unknown>`},
		{"workflow_diagram", []any{ab, unknown{}, []any{}}, `<unknown>`},
		{"workflow_diagram", []any{ab, ab, []any{unknown{}, "x"}}, `<unknown>`},
		{"workflow_diagram", []any{ab, ab, unknown{}}, `<unknown>`},
		{"workflow_diagram", []any{[]any{edge("a", "b", "subtype", []any{})}}, "0: Edge 0 must have a string as its subtype"},
		{"workflow_diagram", []any{[]any{nil}}, "0: Edge 0 must be an object"},
		{"workflow_diagram", []any{ab, "x"}, "1: The edges must be a list"},
		{"workflow_diagram", []any{ab, ab, "x"}, `2: The services must be a list of names, not the string "x"`},
		{"workflow_diagram", []any{ab, ab, []any{"x", nil}}, "2: Service 1 must be a name, not null"},
		{"workflow_diagram", []any{ab, ab, []any{1.0}}, "2: Service 0 must be a name, not a number"},
		{"workflow_diagram", []any{ab, ab, ab, ab}, "3: at most three arguments"},
		{"config_diff", []any{"a\n b\n", "a\nc\n", []string{"^c$"}}, `["  a","+   b"]`},
		{"config_diff", []any{"", "", []string{"^a", "("}}, "2: is not a regular expression"},
		{"config_lines", []any{"a\n b\n  secret\nc\n", []string{"^b$"}, []string{"^secret"}}, fmt.Sprintf("%q", "a\n b\n")},
		{"config_lines", []any{"", []string{"^a", "("}, []string{}}, "1: is not a regular expression"},
		{"config_lines", []any{"", []string{}, []string{")"}}, "2: is not a regular expression"},
		{"next_runs", []any{"30 2 * * *", "2027-03-27T00:00:00Z", 2.0, "Europe/Berlin"}, `["2027-03-27T02:30:00+01:00","2027-03-28T03:30:00+02:00"]`},
		{"next_runs", []any{"0 0 * * *", "2027-01-01T00:00:00Z", 1.5, "UTC"}, "2: the count is 1.5: it must be a whole number between 1 and"},
		{"next_runs", []any{"0 0 * * *", "2027-01-01T00:00:00Z", 12345678901234.0, "UTC"}, "2: the count is 1.23456789e+13"},
		{"service_name", []any{"W", "s"}, `"[W] s"`},
		{"service_name", []any{nil, "s"}, `"s"`},
		{"service_name", []any{"W", ""}, "1: the scoped name is empty"},
		{"scoped_name", []any{"[W] s"}, `"s"`},
	} {
		result, err := call(t, test.function, test.arguments...)
		if err == nil {
			if have := result.String(); have != test.want {
				t.Errorf("%s(%v) is\n%s\nand not\n%s", test.function, test.arguments, have, test.want)
			}
			continue
		}
		at, says, _ := strings.Cut(test.want, ": ")
		if err.FunctionArgument == nil || fmt.Sprint(*err.FunctionArgument) != at || !strings.Contains(err.Text, says) {
			t.Errorf("%s(%v): %+v, and not %q", test.function, test.arguments, err, test.want)
		}
	}
	for name, arguments := range map[string][]any{
		"workflow_layout": {}, "workflow_problems": {[]string{}}, "config_diff": {""}, "config_lines": {""}, "next_runs": {""}, "scoped_name": {},
	} {
		if _, err := call(t, name, arguments...); err == nil {
			t.Errorf("%s has a result without all arguments", name)
		}
	}
}
