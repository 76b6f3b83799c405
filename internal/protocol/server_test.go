// Tests of which server implements which call.

package protocol

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
)

// beside is a resource that answers two calls itself.
type beside struct{ Resource }

func (beside) ReadResource(ctx context.Context, _ *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return &tfprotov6.ReadResourceResponse{Private: []byte("beside")}, ctx.Err()
}

func (beside) Schema() *tfprotov6.Schema { return &tfprotov6.Schema{Version: 7} }

func unconfigured() *resources.Provider { return nil }

func TestServer_callsAnsweredBesideTheFramework(t *testing.T) {
	t.Parallel()
	s, err := New(Config{Provider: noteProvider{note: &note{}}, Configured: unconfigured, Resources: map[string]Resource{"test_beside": beside{}}})
	if err != nil {
		t.Fatal(err)
	}
	read, err := s.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: "test_beside"})
	if err != nil || string(read.Private) != "beside" {
		t.Errorf("test_beside: %v, %v", read, err)
	}
	if read, err = s.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: "test_note"}); err != nil || read.Private != nil {
		t.Errorf("test_note, which the framework serves: %v, %v", read, err)
	}
	metadata, err := s.GetMetadata(t.Context(), &tfprotov6.GetMetadataRequest{})
	if err != nil || len(metadata.Resources) != 2 || !metadata.ServerCapabilities.GenerateResourceConfig {
		t.Errorf("metadata: %+v, %v", metadata, err)
	}
}
