// This file is the schema of the resource.

package bulk

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// TypeName is the Terraform type of the resource.
const TypeName = "enms_instances"

// The attributes besides those that every kind has.
const (
	attrType         = "type"
	attrInstances    = "instances"
	attrMaxDeletions = "max_deletions"
	attrRenames      = "renames"
)

// schema returns the schema of the resource.
func schema() *tfprotov6.Schema {
	return &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{
		DescriptionKind: tfprotov6.StringKindMarkdown,
		Description:     "Many instances of one type in one resource, for example from a CSV file. Terraform plans and shows each entry.",
		Attributes: []*tfprotov6.SchemaAttribute{
			{Name: kind.RowAdoptExisting, Type: tftypes.Bool, Optional: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "Whether creating takes over existing instances with these names, and changes only what is configured and differs. Otherwise, each existing instance is an error. Defaults to the provider's `adopt_existing`."},
			{Name: kind.RowDeletionPolicy, Type: tftypes.String, Optional: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "What happens to an instance whose entry is removed, and to all instances when the resource is destroyed. `delete` deletes it; if eNMS would delete other instances with it, that is an error. `cascade` deletes those first. `abandon` leaves it in eNMS as it is. `disable` disables it and leaves it in eNMS, for types that can be disabled. Defaults to the provider's `deletion_policy`. For removed entries, the configured value applies; when the resource is destroyed, the value in the state."},
			{Name: attrInstances, Type: tftypes.DynamicPseudoType, Required: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "The instances: an object or a map of objects. The keys are the names; the values are objects of properties: the attributes of the type's resource, such as `ip_address` of `enms_device`, and other eNMS fields, such as custom properties. Numbers and Booleans can be strings, as in CSV files; `null`, and an empty string for one of them, means not configured. `name` and `type` can be repeated. Only configured properties are compared, and removed ones are reset to eNMS's default. Changing a key replaces the instance, unless it is in `renames`. Secrets are refused."},
			{Name: attrMaxDeletions, Type: tftypes.Number, Optional: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "The maximum number of instances that a plan may delete. More are an error of the plan, which names the first ones. Renamed instances are not counted, nor are those that `deletion_policy` leaves in eNMS. When the resource is destroyed, the value in the state applies, so apply a higher number first. If omitted, there is no limit, and the plan warns about deletions."},
			{Name: attrRenames, Type: tftypes.Map{ElementType: tftypes.String}, Optional: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "New names by old names, for instances whose key has changed: `{ OLD = \"NEW\" }` renames in place, so that the instance keeps its id, its runs and its relations. Two entries can swap their names. Each pair is applied once, and can be removed afterwards."},
			{Name: attrType, Type: tftypes.String, Required: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "The type of all the instances, as in the path `/rest/instance/<type>`: `device`, `gateway`, `link`, `netmiko_commands_service` and so on. Types with their own resource have its defaults, choices and rules. Changing the type destroys the instances and creates new ones."},
		},
	}}
}

// objectType is the Terraform type of a configuration, a plan and a state.
var objectType = schema().ValueType()
