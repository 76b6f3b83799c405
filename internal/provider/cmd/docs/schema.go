// This file writes the parts of the provider's schema that only newer versions of Terraform show: actions, list
// resources and identities. The form is that of `terraform providers schema -json`, so that the documentation
// is the same with any version.

package main

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
)

// newerParts has the schemas that only newer versions of Terraform show.
type newerParts struct {
	Lists      map[string]schema   `json:"list_resource_schemas"`
	Identities map[string]identity `json:"resource_identity_schemas"`
	Actions    map[string]action   `json:"action_schemas"`
}

// newerSchemas asks the provider for its schemas.
func newerSchemas(ctx context.Context) (*newerParts, error) {
	server, err := provider.NewServer("docs")
	if err != nil {
		return nil, err
	}
	all, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	identities, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return nil, err
	}
	document := &newerParts{Lists: map[string]schema{}, Identities: map[string]identity{}, Actions: map[string]action{}}
	for name, s := range all.ListResourceSchemas {
		b, err := blockOf(s)
		if err != nil {
			return nil, fmt.Errorf("list resource %s: %w", name, err)
		}
		document.Lists[name] = schema{Version: s.Version, Block: b}
	}
	for name, s := range all.ActionSchemas {
		b, err := blockOf(s.Schema)
		if err != nil {
			return nil, fmt.Errorf("action %s: %w", name, err)
		}
		document.Actions[name] = action{Block: b}
	}
	for name, s := range identities.IdentitySchemas {
		document.Identities[name] = identityOf(s)
	}
	return document, nil
}
