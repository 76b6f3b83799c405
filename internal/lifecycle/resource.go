// This file is the resource and the data source of one instance behind every kind, as the
// framework calls them. Plans are made by plan.go, in the framework's place.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/identify"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/schemas"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// NewResource returns the resource of a kind, for the provider's list. kinds are all kinds of the
// provider.
func NewResource(k *kind.Kind, kinds []*kind.Kind) func() resource.Resource {
	return func() resource.Resource { return &instanceResource{Instances{kind: k}, kinds} }
}

type instanceResource struct {
	Instances
	kinds []*kind.Kind
}

var (
	_ resource.ResourceWithConfigure   = (*instanceResource)(nil)
	_ resource.ResourceWithImportState = (*instanceResource)(nil)
	_ resource.ResourceWithIdentity    = (*instanceResource)(nil)
	_ resource.ResourceWithMoveState   = (*instanceResource)(nil)
)

func (r *instanceResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = r.kind.TypeName()
	resp.ResourceBehavior.MutableIdentity = true // a new name renames the instance
}

func (r *instanceResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = schemas.Identity(r.kind)
}

func (r *instanceResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schemas.Resource(r.kind)
}

func (r *instanceResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.provider = ProviderOf(req.ProviderData, &resp.Diagnostics)
}

func (r *instanceResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	if _, diags := r.requireClient(ctx, resp.Private); diags.HasError() {
		resp.Diagnostics.Append(diags...)
		return
	}
	config, planned := kind.ValuesOf(req.Config.Raw), kind.ValuesOf(req.Plan.Raw)
	i := r.of(config)
	if resp.Diagnostics.Append(slices.Concat(i.CheckDefaults(), i.takeSecrets(config, nil))...); resp.Diagnostics.HasError() {
		return
	}
	state, kept, diags := i.Create(ctx, plans.WithDefaults(i.kind, config, i.Defaults()), plans.Effective(i.kind, planned))
	resp.Diagnostics.Append(diags...)
	if state == nil {
		return
	}
	state = plans.Shown(i.kind, state, planned, nil, diags.HasError())
	resp.State.Raw, resp.Identity.Raw = tftypes.NewValue(req.Plan.Raw.Type(), state), identify.Of(i.kind, state)
	resp.Diagnostics.Append(kept.write(ctx, resp.Private)...)
}

func (r *instanceResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	before := kind.ValuesOf(req.State.Raw)
	i := r.of(before)
	resp.Identity.Raw = identify.Of(i.kind, before) // Terraform has identities since 1.12
	if !r.provider.Ready() {
		return // a setting of the provider block is unknown: the state stays as it is
	}
	kept, diags := readRecord(ctx, req.Private)
	if resp.Diagnostics.Append(diags...); diags.HasError() {
		return
	}
	imported := kept.Imported || kept.Moved
	state, kept, diags := i.Read(ctx, plans.Effective(i.kind, before), kept)
	resp.Diagnostics.Append(diags...)
	switch {
	case diags.HasError():
	case state == nil:
		resp.State.RemoveResource(ctx)
	default:
		if state = plans.Shown(i.kind, state, before, nil, false); imported {
			state = plans.ShownImport(i.kind, state, i.Defaults())
		}
		resp.State.Raw, resp.Identity.Raw = tftypes.NewValue(req.State.Raw.Type(), state), identify.Of(i.kind, state)
		resp.Diagnostics.Append(kept.write(ctx, resp.Private)...)
	}
}

func (r *instanceResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	kept, diags := r.requireClient(ctx, req.Private)
	if resp.Diagnostics.Append(diags...); diags.HasError() {
		return
	}
	config, planned, prior := kind.ValuesOf(req.Config.Raw), kind.ValuesOf(req.Plan.Raw), kind.ValuesOf(req.State.Raw)
	i := r.of(prior)
	if resp.Diagnostics.Append(slices.Concat(i.CheckDefaults(), i.takeSecrets(config, prior))...); resp.Diagnostics.HasError() {
		return
	}
	full, effective := plans.WithDefaults(i.kind, config, i.Defaults()), plans.Effective(i.kind, prior)
	reset := plans.WithResets(i.kind, plans.Effective(i.kind, planned), effective, plans.DefaultProperties(i.kind, prior, kept.Managed))
	state, next, diags := i.Update(ctx, full, reset, effective, kept)
	resp.Diagnostics.Append(diags...)
	state = plans.Shown(i.kind, state, planned, prior, diags.HasError())
	resp.State.Raw, resp.Identity.Raw = tftypes.NewValue(req.Plan.Raw.Type(), state), identify.Of(i.kind, state)
	resp.Diagnostics.Append(next.write(ctx, resp.Private)...)
}

func (r *instanceResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	private, diags := r.requireClient(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if !diags.HasError() {
		state := kind.ValuesOf(req.State.Raw)
		i := r.of(state)
		resp.Diagnostics.Append(i.Delete(ctx, plans.Effective(i.kind, state), private)...)
	}
}

// ImportState stores what the import says: the name, and possibly the type. Terraform then calls
// Read, which reads the rest.
func (r *instanceResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	known, ok := identify.Imported(r.kind, req.ID)
	how := `Import by the type and the name with a slash between them, such as "rack/DALLAS 12".`
	if _, name, typed := strings.Cut(req.ID, "/"); typed && !r.kind.AnyType {
		ok, how = false, fmt.Sprintf("Import by the name alone, as eNMS shows it, such as %q.", name)
	}
	if identity := kind.ValuesOf(req.Identity.Raw); identity != nil {
		known, ok = identify.ByIdentity(r.kind, identity)
		how = "The identity must not have empty members."
	}
	name := value.Text(known[kind.RowName])
	switch {
	case !ok:
		resp.Diagnostics.AddError("Cannot import "+req.ID, how)
		return
	case value.HasNUL(name):
		resp.Diagnostics.AddAttributeError(path.Root(kind.RowName), "Invalid name", kind.WrongName(name))
		return
	}
	if resp.Diagnostics.Append(r.of(known).CheckImport(name)...); resp.Diagnostics.HasError() {
		return
	}
	for attribute, v := range known {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(attribute), value.Text(v))...)
	}
	resp.Identity.Raw = identify.Of(r.kind, known)
	resp.Diagnostics.Append(Record{Imported: true}.write(ctx, resp.Private)...)
}

// MoveState stores what the state of a resource of another type says: the name, the type and the
// settings. Terraform then calls Read, which reads the rest.
func (r *instanceResource) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{{StateMover: r.moveState}}
}

func (r *instanceResource) moveState(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	summary := fmt.Sprintf("Cannot move %s to %s", req.SourceTypeName, r.kind.TypeName())
	if strings.HasPrefix(req.SourceTypeName, "enms_") {
		kept, diags := readRecord(ctx, req.SourcePrivate)
		resp.Diagnostics.Append(diags...)
		if kept.Pending() {
			resp.Diagnostics.AddError(summary, "The last apply did not finish with the instance. Apply without the moved block, then move.")
		}
	}
	known, err := identify.Moved(r.kind, r.kinds, req.SourceTypeName, req.SourceRawState.JSON)
	if err == nil && value.HasNUL(value.Text(known[kind.RowName])) {
		err = errors.New(kind.WrongName(value.Text(known[kind.RowName])))
	}
	if err != nil {
		resp.Diagnostics.AddError(summary, err.Error())
	}
	if resp.Diagnostics.HasError() {
		return
	}
	for attribute, v := range known {
		if v.Type().Is(tftypes.Bool) {
			resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root(attribute), value.ToJSON(v).(bool))...)
			continue
		}
		resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root(attribute), value.Text(v))...)
	}
	resp.TargetIdentity.Raw = identify.Of(r.kind, known)
	resp.Diagnostics.Append(Record{Moved: true}.write(ctx, resp.TargetPrivate)...)
}

// requireClient returns the record in the private state. It returns an error if there is no
// client, because a setting of the provider block is unknown although a resource is applied.
func (r *instanceResource) requireClient(ctx context.Context, private privateData) (kept Record, diags diag.Diagnostics) {
	if r.provider.Configured(&diags) == nil {
		return kept, diags
	}
	return readRecord(ctx, private)
}

// takeSecrets hides the secrets of a configuration in errors and logs, before they are sent,
// and checks that the state will hold only versions of secrets that were sent.
func (r *Instances) takeSecrets(config, prior kind.Values) diag.Diagnostics {
	r.provider.Client.AddSecrets(payloads.Secrets(r.kind, config))
	return plans.CheckSecrets(r.kind, config, prior)
}

// NewDataSource returns the data source of a kind, for the provider's list.
func NewDataSource(k *kind.Kind) func() datasource.DataSource {
	return func() datasource.DataSource { return &instanceDataSource{Instances{kind: k}} }
}

type instanceDataSource struct{ Instances }

var _ datasource.DataSourceWithConfigure = (*instanceDataSource)(nil)

func (d *instanceDataSource) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = d.kind.TypeName()
}

func (d *instanceDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schemas.DataSource(d.kind)
}

func (d *instanceDataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.provider = ProviderOf(req.ProviderData, &resp.Diagnostics)
}

func (d *instanceDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	config := kind.ValuesOf(req.Config.Raw)
	name := value.Text(config[kind.RowName])
	if resp.Diagnostics.Append(d.provider.readable(fmt.Sprintf("Cannot read %s %q", d.kind.Name, name))...); resp.Diagnostics.HasError() {
		return
	}
	i := d.of(config)
	values, diags := i.readByName(ctx, verbRead, config, fmt.Sprintf("There is no %s %q", i.kind.Name, name), "Write", func(answer value.Object) (kind.Values, error) { return states.Data(i.kind, answer) })
	if resp.Diagnostics.Append(diags...); !diags.HasError() {
		resp.State.Raw = tftypes.NewValue(req.Config.Raw.Type(), values)
	}
}
