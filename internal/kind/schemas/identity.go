// This file makes the schema of the identity of a kind's resource.

package schemas

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// Identity returns the schema of the resource's identity. An import requires the attributes
// without which the instance cannot be found.
func Identity(k *kind.Kind) identityschema.Schema {
	attributes := map[string]identityschema.Attribute{}
	for _, a := range k.IdentityRows() {
		needed := a.Role == kind.Key || a.Required
		doc := a.Doc
		if a.Role == kind.Key {
			doc = "The name, as eNMS shows it."
		}
		if !needed {
			doc += " If omitted, an instance of any type is imported."
		}
		attributes[a.Name] = identityschema.StringAttribute{RequiredForImport: needed, OptionalForImport: !needed, Description: doc}
	}
	return identityschema.Schema{Attributes: attributes}
}
