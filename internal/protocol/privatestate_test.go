// Tests of the private state, which the framework itself writes here.

package protocol

import (
	"context"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
)

// note is a resource of the framework that keeps a record beside its state, and its provider.
type note struct{ read record.Record }

func (n *note) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "test_note"
}

func (n *note) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{"name": schema.StringAttribute{Required: true}}}
}

func (n *note) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = req.Plan.Raw
	resp.Diagnostics.Append(record.Record{Managed: []string{"Ü"}}.Write(ctx, resp.Private)...)
}

func (n *note) Read(ctx context.Context, req resource.ReadRequest, _ *resource.ReadResponse) {
	n.read, _ = record.Read(ctx, req.Private)
}

func (n *note) Update(context.Context, resource.UpdateRequest, *resource.UpdateResponse) {}
func (n *note) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

type noteProvider struct {
	provider.Provider
	note *note
}

func (p noteProvider) Metadata(context.Context, provider.MetadataRequest, *provider.MetadataResponse) {
}
func (p noteProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return p.note }}
}
func (p noteProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

// The framework is read and written to in its own format, which it documents nowhere.
func TestPrivate_asTheFrameworkWritesIt(t *testing.T) {
	t.Parallel()
	kept := &note{}
	framework := providerserver.NewProtocol6(noteProvider{note: kept})()
	typ := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"name": tftypes.String}}
	encode := func(v any) *tfprotov6.DynamicValue { return Encode(tftypes.NewValue(typ, v)) }
	config := encode(map[string]tftypes.Value{"name": tftypes.NewValue(tftypes.String, "n")})
	created, err := framework.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: "test_note", Config: config, PlannedState: config, PriorState: encode(nil),
	})
	if err != nil || len(created.Diagnostics) > 0 {
		t.Fatal(err, created)
	}
	if got, diags := decodePrivate(created.Private); len(diags) > 0 || !slices.Equal(got.Managed, []string{"Ü"}) {
		t.Errorf("the framework wrote %s, which is read as %v, %v", created.Private, got, diags)
	}

	written, diags := encodePrivate(record.Record{Managed: []string{"later"}})
	read, err := framework.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: "test_note", CurrentState: config, Private: written})
	if len(diags) > 0 || err != nil || len(read.Diagnostics) > 0 || !slices.Equal(kept.read.Managed, []string{"later"}) {
		t.Errorf("of %s the framework reads %v, %v, %v", written, kept.read, read, err)
	}
}

func TestPrivate_damaged(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{`{`, `[]`, `{"a":5}`, `{"a":"??"}`, `{"instance":"e30"}`, `{"instance":"ew=="}`} {
		if r, diags := decodePrivate([]byte(raw)); !diags.HasError() {
			t.Errorf("%s is no error, but %v", raw, r)
		}
	}
}

func TestPrivate_empty(t *testing.T) {
	t.Parallel()
	for _, raw := range [][]byte{nil, []byte("{}")} {
		if r, diags := decodePrivate(raw); len(diags) > 0 || r.Managed != nil {
			t.Errorf("%q: %v, %v", raw, r, diags)
		}
	}
	if raw, diags := encodePrivate(record.Record{}); len(diags) > 0 || raw != nil {
		t.Errorf("an empty record is %q, %v", raw, diags)
	}
}
