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

// schema is the schema of the resource.
func schema() *tfprotov6.Schema {
	return &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{
		DescriptionKind: tfprotov6.StringKindMarkdown,
		Description:     "Many instances of one type in one resource, as they come from a file. Terraform plans and shows them entry by entry.",
		Attributes: []*tfprotov6.SchemaAttribute{
			{Name: kind.RowAdoptExisting, Type: tftypes.Bool, Optional: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "Whether creating takes over instances that already have the names, changing only what is configured and what differs. Without it, and without the provider's `adopt_existing`, each is an error."},
			{Name: kind.RowDeletionPolicy, Type: tftypes.String, Optional: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "What happens to an instance whose entry is taken out, and to all of them when the resource is destroyed: `delete` deletes it, and refuses when eNMS would delete other instances along with it; `cascade` deletes those first; `abandon` leaves it in eNMS as it is; `disable` switches it off and leaves it in eNMS, for types that can be switched off. When omitted, the provider's `deletion_policy` applies. What the configuration says at that moment counts for entries that are taken out, and what the state says when the resource is destroyed."},
			{Name: attrInstances, Type: tftypes.DynamicPseudoType, Required: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "The instances: an object or a map of objects, by the names. Each holds properties by their names: the attributes of the type's own resource, such as `ip_address` of `enms_device`, and any further eNMS fields, such as custom properties. Numbers, `true` and `false` may be written as texts, as files hold them; an empty text for one of them, and `null`, is not configured. `name` and `type` may be repeated. Only what is configured is watched, and what is taken out goes back to eNMS's default. Another key is another instance, unless `renames` says otherwise. Secrets are refused."},
			{Name: attrMaxDeletions, Type: tftypes.Number, Optional: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "How many instances a plan may delete at most: more are an error of the plan, which names the first ones. Renamed instances do not count, nor those that `deletion_policy` leaves in eNMS. What the configuration says at that moment counts for entries that are removed and for another `type`, and what the state says when the resource is destroyed, so that a higher number has to be applied before that. Without it there is no limit, and a plan warns of each deletion."},
			{Name: attrRenames, Type: tftypes.Map{ElementType: tftypes.String}, Optional: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "New names by old ones, for instances whose key has changed: `{ OLD = \"NEW\" }` renames in place, which keeps the id, the runs and all relations. Two entries can exchange their names. Each pair is applied once; it does nothing afterwards, and may be removed."},
			{Name: attrType, Type: tftypes.String, Required: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "The type of all the instances, as in the path `/rest/instance/<type>`: `device`, `gateway`, `link`, `netmiko_commands_service` and so on. Types with a resource of their own have its defaults, choices and rules. Another type destroys the instances and creates new ones."},
		},
	}}
}

// objectType is the Terraform type of a configuration, a plan and a state.
var objectType = schema().ValueType()
