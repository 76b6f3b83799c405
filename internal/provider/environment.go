// This file configures the provider without a provider block, for what runs outside
// Terraform.

package provider

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
)

// FromEnvironment returns the provider that an empty provider block configures: every
// setting comes from its environment variable or has its default. version is the provider's
// own. The warnings are those that Terraform would show.
func FromEnvironment(ctx context.Context, version string) (p *lifecycle.Provider, warnings []string, err error) {
	schema := blockSchema()
	typ, is := schema.Type().TerraformType(ctx).(tftypes.Object)
	if !is {
		return nil, nil, errors.New("the schema of the provider block is no object")
	}
	empty := map[string]tftypes.Value{}
	for name, t := range typ.AttributeTypes {
		empty[name] = tftypes.NewValue(t, nil)
	}
	var diags diag.Diagnostics
	read, _ := readSettings(ctx, tfsdk.Config{Schema: schema, Raw: tftypes.NewValue(typ, empty)}, &diags)
	p = &lifecycle.Provider{Kinds: kinds.All()}
	if !diags.HasError() {
		p.Client = read.client(version, &diags)
	}
	for _, d := range diags {
		if d.Severity() == diag.SeverityError {
			err = errors.Join(err, errors.New(d.Summary()+": "+d.Detail()))
			continue
		}
		warnings = append(warnings, d.Summary()+": "+d.Detail())
	}
	return p, warnings, err
}
