// This file declares instances of any type.

package kinds

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

func instance() *kind.Kind {
	return &kind.Kind{
		Name:    "instance",
		AnyType: true,

		NoTimestamps: true, // as some types are

		Summary: "An instance of any type that eNMS has, built in or a site's own. What has a resource of its own is better declared with that: it knows the type's defaults, choices and rules.",
		Attributes: []kind.Attribute{
			{Name: "type", Role: kind.Subtype, Required: true, Recreate: true, Checks: []validator.String{manageable{}},
				Doc: "The instance type, as in the path `/rest/instance/<type>`."},
		},
		Unwatched: append([]string{"positions"}, volatileFields...),
		NeverSent: []string{"source_name", "destination_name", "service_name"},
	}
}

// notManaged are the types that a client must not manage, and why (enms-rest.md 1.14,
// 1.15, 4).
var notManaged = map[string]string{
	"server":      "Whoever writes a server, be it another one, makes the eNMS that answers take over its settings.",
	"worker":      "eNMS registers its workers by itself, and deleting one ends its process.",
	"run":         "eNMS makes a run whenever a service runs.",
	"result":      "eNMS makes results when services run.",
	"service_log": "eNMS writes logs when services run.",
	"changelog":   "eNMS writes the changelog by itself.",
	"session":     "eNMS keeps the sessions of its users by itself.",
	"file":        "eNMS looks files up by their path and names them after it, so that a name means nothing; their content is not in its REST interface.",
	"folder":      "eNMS looks folders up by their path and names them after it, so that a name means nothing.",
}

// manageable is the validator of types.
type manageable struct{}

func (manageable) Description(context.Context) string { return "must be a type that can be managed" }

func (c manageable) MarkdownDescription(ctx context.Context) string { return c.Description(ctx) }

func (manageable) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if why, refused := notManaged[req.ConfigValue.ValueString()]; refused {
		resp.Diagnostics.AddAttributeError(req.Path, fmt.Sprintf("Instances of type %s cannot be managed", req.ConfigValue.ValueString()), why)
	}
}
