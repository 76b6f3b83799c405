// The working directory of a life: the model of Terraform, with configurations of lives.

package lives

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
)

// terraform is a working directory.
type terraform struct {
	terraformtest.Terraform
	settings map[string]any   // the arguments of the provider block
	last     map[string]block // what was applied last at each address
}

// config returns a configuration as Terraform has it.
func (tf *terraform) config(c *configuration) *terraformtest.Config {
	parsed, err := acctest.Modelled.Parse(hcl(tf.settings, c))
	if err != nil {
		panic(err)
	}
	return parsed
}

// plan reads everything and plans.
func (tf *terraform) plan(ctx context.Context, c *configuration, replace ...string) (*terraformtest.Plan, terraformtest.Found) {
	return tf.Plan(ctx, tf.config(c), terraformtest.PlanOptions{Replace: replace})
}

// refreshOnly reads everything into the state.
func (tf *terraform) refreshOnly(ctx context.Context, c *configuration) terraformtest.Found {
	return tf.RefreshOnly(ctx, tf.config(c))
}

// apply does what a plan of a configuration says, and throws the results at the addresses in lost
// away.
func (tf *terraform) apply(ctx context.Context, c *configuration, p *terraformtest.Plan, lost []string) terraformtest.Applied {
	done := tf.Apply(ctx, p, lost...)
	for _, address := range done.Succeeded {
		tf.last[address] = c.blocks[address]
	}
	return done
}

// importInto brings an instance into the state, and reports whether that has succeeded.
func (tf *terraform) importInto(ctx context.Context, c *configuration, address, id string) (succeeded bool) {
	return !tf.Import(ctx, tf.config(c), address, id).Failed()
}

// textOf returns a member as text, "" when it is null or unknown.
func textOf(v tftypes.Value, name string) string {
	switch v := terraformtest.GoValue(terraformtest.Members(v)[name]).(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// entriesHeld returns the entries of an enms_instances in a state or a plan.
func entriesHeld(v tftypes.Value) map[string]tftypes.Value {
	return terraformtest.Members(terraformtest.Members(v)["instances"])
}
