// This file begins an import.

package inventory

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// imported is what an import id says.
type imported struct {
	Type       string   `json:"type"`
	Names      []string `json:"names"`
	Properties []string `json:"properties"` // nil for all
}

// parseID reads an import id: type/NAME,NAME or a JSON object.
func parseID(id string) (imported, error) {
	var parsed imported
	if strings.HasPrefix(strings.TrimSpace(id), "{") {
		decoder := json.NewDecoder(strings.NewReader(id))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&parsed); err != nil {
			return parsed, fmt.Errorf("it is not the JSON object that it begins like: %w", err)
		}
	} else {
		typ, names, _ := strings.Cut(id, "/")
		parsed = imported{Type: typ, Names: strings.Split(names, ",")}
	}
	if parsed.Type == "" || len(parsed.Names) == 0 {
		return parsed, fmt.Errorf("it lacks the type or the names")
	}
	for _, name := range parsed.Names {
		if wrong := kind.WrongName(name); wrong != "" {
			return parsed, fmt.Errorf("%s", strings.TrimSuffix(wrong, "."))
		}
	}
	return parsed, nil
}

// ImportResourceState keeps the type and the names. ReadResource, which Terraform calls
// next, asks for the rest.
func (s *Server) ImportResourceState(_ context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	var diags diag.Diagnostics
	parsed, err := parseID(req.ID)
	if err != nil {
		diags.AddError("Cannot import "+req.ID, kind.Sentence(err.Error())+` Import by the type and the names, as in "device/R1,R2". Names with commas, and which properties to bring, are written in JSON: jsonencode({ type = "device", names = ["R1", "R2"], properties = ["ip_address"] }).`)
		return &tfprotov6.ImportResourceStateResponse{Diagnostics: protocol(diags)}, nil
	}
	values := kind.Values{}
	for name, t := range objectType.(tftypes.Object).AttributeTypes {
		values[name] = tftypes.NewValue(t, nil)
	}
	values[attrType] = tftypes.NewValue(tftypes.String, parsed.Type)
	entries := map[string]entry{}
	for _, name := range parsed.Names {
		entries[name] = entry{}
	}
	values[attrInstances] = instancesOf(entries, value.ObjectOf(nil))
	_, diags = s.collectionOf(values)
	state, err := encode(values)
	return &tfprotov6.ImportResourceStateResponse{Diagnostics: protocol(diags), ImportedResources: []*tfprotov6.ImportedResource{{
		TypeName: req.TypeName, State: state, Private: private{Import: &importing{Properties: parsed.Properties}}.encode(&diags)}}}, err
}
