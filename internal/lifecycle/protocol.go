// This file puts values, diagnostics and paths into the words of the plugin protocol, for
// what speaks that itself.

package lifecycle

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// ProtocolValue is a value as the plugin protocol carries it.
func ProtocolValue(v tftypes.Value) (*tfprotov6.DynamicValue, error) {
	dynamic, err := tfprotov6.NewDynamicValue(v.Type(), v)
	return &dynamic, err
}

// ValuesOfProtocol gives the attributes of a configuration, plan or state of a type, nil
// when there is none.
func ValuesOfProtocol(v *tfprotov6.DynamicValue, typ tftypes.Type) (kind.Values, error) {
	if v == nil {
		return nil, nil
	}
	raw, err := v.Unmarshal(typ)
	return valuesOf(raw), err
}

// ProtocolDiagnostic is a diagnostic as the plugin protocol wants it.
func ProtocolDiagnostic(d diag.Diagnostic) *tfprotov6.Diagnostic {
	p := &tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverity(d.Severity()), Summary: d.Summary(), Detail: d.Detail()}
	if on, is := d.(diag.DiagnosticWithPath); is {
		p.Attribute = ProtocolPath(on.Path())
	}
	return p
}

// protocolDiagnostics are diagnostics as the plugin protocol wants them.
func protocolDiagnostics(diags diag.Diagnostics) (all []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		all = append(all, ProtocolDiagnostic(d))
	}
	return all
}

// ProtocolPath is the path of an attribute, or of a member of a map or list, as the plugin
// protocol wants it.
func ProtocolPath(p path.Path) *tftypes.AttributePath {
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
