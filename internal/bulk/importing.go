// This file begins an import.

package bulk

import (
	"context"
	"encoding/json"
	"errors"
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
	return parsed, parsed.check()
}

// importedBy reads an identity that an import block holds.
func importedBy(identity *tfprotov6.ResourceIdentityData) (imported, error) {
	var parsed imported
	raw, err := identity.IdentityData.Unmarshal(identityType)
	if err != nil {
		return parsed, err
	}
	var members map[string]tftypes.Value
	if err := raw.As(&members); err != nil {
		return parsed, err
	}
	parsed.Type = value.Text(members[attrType])
	parsed.Names = value.Names(members[attrNames])
	return parsed, parsed.check()
}

// check tells what is wrong with an import.
func (i imported) check() error {
	if i.Type == "" || len(i.Names) == 0 {
		return errors.New("the type or the names are missing")
	}
	for _, name := range i.Names {
		if wrong := kind.WrongName(name); wrong != "" {
			return errors.New(strings.TrimSuffix(wrong, "."))
		}
	}
	return nil
}

// parse reads what an import asks for.
func parse(req *tfprotov6.ImportResourceStateRequest) (parsed imported, diags diag.Diagnostics) {
	if req.Identity != nil {
		parsed, err := importedBy(req.Identity)
		if err != nil {
			diags.AddError("Cannot import by this identity", kind.Sentence(err.Error())+` Write the type and the names, as in { type = "device", names = ["R1", "R2"] }.`)
		}
		return parsed, diags
	}
	parsed, err := parseID(req.ID)
	if err != nil {
		diags.AddError("Cannot import "+req.ID, kind.Sentence(err.Error())+` Import by the type and the names, as in "device/R1,R2". For names with commas, or to select properties, use JSON: jsonencode({ type = "device", names = ["R1", "R2"], properties = ["ip_address"] }).`)
	}
	return parsed, diags
}

// ImportResourceState keeps the type and the names. ReadResource, which Terraform calls
// next, asks for the rest.
func (s *Server) ImportResourceState(_ context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	parsed, diags := parse(req)
	if diags.HasError() {
		return &tfprotov6.ImportResourceStateResponse{Diagnostics: diagnosticsOf(diags)}, nil
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
	if err != nil {
		return nil, err
	}
	identity, err := identityOf(values)
	return &tfprotov6.ImportResourceStateResponse{Diagnostics: diagnosticsOf(diags), ImportedResources: []*tfprotov6.ImportedResource{{
		TypeName: req.TypeName, State: state, Identity: identity, Private: private{Import: &importing{Properties: parsed.Properties}}.encode(&diags)}}}, err
}
