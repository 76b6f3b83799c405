// This file is the identity of the resource: the type and the names of its instances, by
// which it is imported. It changes with the entries.

package bulk

import (
	"cmp"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/protocol"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// attrNames is the attribute of the identity beside the type.
const attrNames = "names"

// IdentitySchema returns the schema of the resource's identity.
func (s *Server) IdentitySchema() *tfprotov6.ResourceIdentitySchema { return identitySchema() }

func identitySchema() *tfprotov6.ResourceIdentitySchema {
	return &tfprotov6.ResourceIdentitySchema{IdentityAttributes: []*tfprotov6.ResourceIdentitySchemaAttribute{
		{Name: attrNames, Type: value.StringList, RequiredForImport: true, Description: "The names of the instances, as eNMS shows them."},
		{Name: attrType, Type: tftypes.String, RequiredForImport: true, Description: "The type of all the instances, as in the path `/rest/instance/<type>`."},
	}}
}

// identityType is the Terraform type of an identity.
var identityType = identitySchema().ValueType()

// identityOf returns the identity of what a state or a plan holds; nil when it holds nothing,
// and as long as the names are not known.
func identityOf(values kind.Values) (*tfprotov6.ResourceIdentityData, error) {
	if values == nil || !values[attrType].IsKnown() {
		return nil, nil
	}
	entries, known, diags := entriesOf(values[attrInstances])
	if !known || diags.HasError() {
		return nil, nil
	}
	var texts []string
	for key, e := range entries {
		texts = append(texts, cmp.Or(value.Text(e[kind.RowName]), key))
	}
	slices.Sort(texts)
	names := make([]tftypes.Value, 0, len(texts))
	for _, text := range texts {
		names = append(names, tftypes.NewValue(tftypes.String, text))
	}
	data, err := protocol.Encode(tftypes.NewValue(identityType, map[string]tftypes.Value{
		attrNames: tftypes.NewValue(value.StringList, names), attrType: values[attrType]}))
	return &tfprotov6.ResourceIdentityData{IdentityData: data}, err
}
