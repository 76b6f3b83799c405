// Tests of the private state, which the framework itself writes here.

package protocol

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// note is a resource of the framework that keeps something beside its state, and its provider.
type note struct{ read []byte }

func (n *note) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "test_note"
}

func (n *note) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{"name": schema.StringAttribute{Required: true}}}
}

func (n *note) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = req.Plan.Raw
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, "kept", []byte(`{"a":["Ü",1]}`))...)
}

func (n *note) Read(ctx context.Context, req resource.ReadRequest, _ *resource.ReadResponse) {
	n.read, _ = req.Private.GetKey(ctx, "kept")
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
func TestPrivateFields_asTheFrameworkWritesThem(t *testing.T) {
	t.Parallel()
	kept := &note{}
	framework := providerserver.NewProtocol6(noteProvider{note: kept})()
	typ := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"name": tftypes.String}}
	encode := func(v any) *tfprotov6.DynamicValue {
		encoded, err := Encode(tftypes.NewValue(typ, v))
		if err != nil {
			t.Fatal(err)
		}
		return encoded
	}
	config := encode(map[string]tftypes.Value{"name": tftypes.NewValue(tftypes.String, "n")})
	created, err := framework.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: "test_note", Config: config, PlannedState: config, PriorState: encode(nil),
	})
	if err != nil || len(created.Diagnostics) > 0 {
		t.Fatal(err, created)
	}
	fields, err := privateFields(created.Private)
	if err != nil || len(fields) != 1 || string(fields["kept"]) != `{"a":["Ü",1]}` {
		t.Errorf("the framework wrote %s, of which privateFields reads %q, %v", created.Private, fields, err)
	}

	written, err := json.Marshal(map[string][]byte{"kept": []byte(`"later"`)})
	if err != nil {
		t.Fatal(err)
	}
	read, err := framework.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: "test_note", CurrentState: config, Private: written})
	if err != nil || len(read.Diagnostics) > 0 || string(kept.read) != `"later"` {
		t.Errorf("of %s the framework reads %s, %v, %v", written, kept.read, read, err)
	}
}

func TestPrivateFields_damaged(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{`{`, `[]`, `{"a":5}`, `{"a":"??"}`} {
		if fields, err := privateFields([]byte(raw)); err == nil {
			t.Errorf("%s is no error, but %q", raw, fields)
		}
	}
	if fields, err := privateFields(nil); err != nil || len(fields) > 0 {
		t.Errorf("no private state: %q, %v", fields, err)
	}
}
