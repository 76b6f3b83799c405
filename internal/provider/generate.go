// This file answers Terraform when it asks for the configuration of an instance that it
// imports or lists: lean, where the framework would keep every value.

package provider

import (
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
)

// kindsByType are the kinds by the types of their resources.
var kindsByType = sync.OnceValue(func() map[string]*kind.Kind {
	byType := map[string]*kind.Kind{}
	for _, k := range kinds.All() {
		byType[k.TypeName()] = k
	}
	return byType
})

// GetMetadata and GetProviderSchema tell Terraform that it may ask, which the framework
// does not.

func (s *server) GetMetadata(ctx context.Context, req *tfprotov6.GetMetadataRequest) (*tfprotov6.GetMetadataResponse, error) {
	resp, err := s.framework.GetMetadata(ctx, req)
	if err == nil && resp.ServerCapabilities != nil {
		resp.ServerCapabilities.GenerateResourceConfig = true
	}
	return resp, err
}

func (s *server) GetProviderSchema(ctx context.Context, req *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	resp, err := s.framework.GetProviderSchema(ctx, req)
	if err == nil && resp.ServerCapabilities != nil {
		resp.ServerCapabilities.GenerateResourceConfig = true
	}
	return resp, err
}

// GenerateResourceConfig gives the configuration of a state. What is no kind is left to
// the framework.
func (s *server) GenerateResourceConfig(ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest) (*tfprotov6.GenerateResourceConfigResponse, error) {
	k := kindsByType()[req.TypeName]
	if k == nil || req.State == nil {
		return lend(ctx, req, s.framework.GenerateResourceConfig)
	}
	typ := k.ResourceSchema().Type().TerraformType(ctx)
	config, err := generated(k, typ, req.State)
	if err != nil {
		return &tfprotov6.GenerateResourceConfigResponse{Diagnostics: []*tfprotov6.Diagnostic{{
			Severity: tfprotov6.DiagnosticSeverityError, Summary: "Cannot generate the configuration of " + req.TypeName,
			Detail: fmt.Sprintf("The state is not what the schema says: %s.", err),
		}}}, nil
	}
	return &tfprotov6.GenerateResourceConfigResponse{Config: config}, nil
}

// generated is the configuration of a state; null for a state that is.
func generated(k *kind.Kind, typ tftypes.Type, state *tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error) {
	values, err := lifecycle.ValuesOfProtocol(state, typ)
	if err != nil || values == nil {
		return state, err
	}
	return lifecycle.ProtocolValue(tftypes.NewValue(typ, k.For(values).Generated(values)))
}
