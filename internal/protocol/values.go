// This file translates values, diagnostics and paths into those of the plugin protocol.

package protocol

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// Encode encodes a value for a response.
func Encode(v tftypes.Value) (*tfprotov6.DynamicValue, error) {
	dynamic, err := tfprotov6.NewDynamicValue(v.Type(), v)
	return &dynamic, err
}

// Decode decodes a configuration, plan or state of a type; nil when there is none.
func Decode(v *tfprotov6.DynamicValue, typ tftypes.Type) (kind.Values, error) {
	if v == nil {
		return nil, nil
	}
	object, err := v.Unmarshal(typ)
	return kind.ValuesOf(object), err
}

// Diagnostic translates a diagnostic of the framework.
func Diagnostic(d diag.Diagnostic) *tfprotov6.Diagnostic {
	p := &tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverity(d.Severity()), Summary: d.Summary(), Detail: d.Detail()}
	if on, is := d.(diag.DiagnosticWithPath); is {
		p.Attribute = Path(on.Path())
	}
	return p
}

// diagnostics translates diagnostics of the framework.
func diagnostics(diags diag.Diagnostics) (all []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		all = append(all, Diagnostic(d))
	}
	return all
}

// Path translates the path of an attribute, or of a member of a map or list.
func Path(p path.Path) *tftypes.AttributePath {
	var steps []tftypes.AttributePathStep
	for _, step := range p.Steps() {
		switch step := step.(type) {
		case path.PathStepAttributeName:
			steps = append(steps, tftypes.AttributeName(step))
		case path.PathStepElementKeyString:
			steps = append(steps, tftypes.ElementKeyString(step))
		case path.PathStepElementKeyInt:
			steps = append(steps, tftypes.ElementKeyInt(step))
		}
	}
	return tftypes.NewAttributePathWithSteps(steps)
}
