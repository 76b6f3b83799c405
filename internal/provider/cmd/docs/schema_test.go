// Tests of the schemas that the command writes.

package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// Every kind can be listed, and has an identity; the actions have their arguments.
// TestSchemaCommand_writesWhatTerraformWrites (docstest) compares them with what Terraform writes.
func TestNewerSchemas(t *testing.T) {
	t.Parallel()
	document, err := newerSchemas(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds.All() {
		name := k.TypeName()
		if len(document.Lists[name].Block.Attributes) == 0 || len(document.Identities[name].Attributes) == 0 {
			t.Errorf("%s: %v, %v", name, document.Lists[name], document.Identities[name])
		}
	}
	if got := strings.Join(slices.Sorted(maps.Keys(document.Actions)), " "); got != "enms_run_service enms_run_task enms_update_pools" {
		t.Error(got)
	}
	written, err := json.Marshal(document.Actions["enms_run_service"].Block.Attributes["devices"])
	if err != nil || !strings.HasPrefix(string(written), `{"type":["set","string"],"description":"The names of devices`) ||
		!strings.HasSuffix(string(written), `","description_kind":"markdown","optional":true}`) {
		t.Errorf("%s %v", written, err)
	}
	written, err = json.Marshal(document.Identities["enms_device"])
	if want := `{"version":0,"attributes":{"name":{"type":"string","description":"The name, as eNMS shows it.","required_for_import":true},` +
		`"type":{"type":"string","description":"The type of the device. If omitted, an instance of any type is imported.","optional_for_import":true}}}`; err != nil || string(written) != want {
		t.Errorf("%s %v", written, err)
	}
}

// What the command cannot write is an error, and not left out.
func TestUnwritten(t *testing.T) {
	t.Parallel()
	with := func(a tfprotov6.SchemaAttribute) *tfprotov6.Schema {
		a.Name, a.Type = "x", tftypes.String
		return &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{&a}}}
	}
	for _, s := range []*tfprotov6.Schema{
		{Block: &tfprotov6.SchemaBlock{BlockTypes: []*tfprotov6.SchemaNestedBlock{{TypeName: "x"}}}},
		with(tfprotov6.SchemaAttribute{NestedType: &tfprotov6.SchemaObject{}}),
		with(tfprotov6.SchemaAttribute{WriteOnly: true}),
		with(tfprotov6.SchemaAttribute{Deprecated: true}),
	} {
		if _, err := blockOf(s); err == nil || !strings.Contains(err.Error(), "does not write") {
			t.Errorf("%v for %v", err, s.Block)
		}
	}
	b, err := blockOf(with(tfprotov6.SchemaAttribute{Required: true}))
	if err != nil || b.Kind != "plain" || !b.Attributes["x"].Required {
		t.Errorf("%v %v", b, err)
	}
}
