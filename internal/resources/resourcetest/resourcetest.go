// Package resourcetest holds an eNMS with a few instances and a provider for it, for tests of single steps of resources that
// need no Terraform.
package resourcetest

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// Server is an eNMS with the devices a, with a link l to itself, and b, the router r, the workflow w with the service s, which
// has the task t, and the edge e from Start to End of w; and a provider for it.
type Server struct {
	*testserver.Server
	*resources.Provider
	IDs map[string]string // of devices, services and edges, by name
}

// New starts a server, which ends with the test.
func New(t *testing.T, version simulator.Version) *Server {
	t.Helper()
	s := &Server{Server: testserver.New(t, simulator.Options{Version: version}), IDs: map[string]string{}}
	s.Add(t, "device", testserver.Object{"name": "a"}, testserver.Object{"name": "b"})
	s.Add(t, "router", testserver.Object{"name": "r"})
	s.Add(t, "link", testserver.Object{"name": "l", "source": "a", "destination": "a"})
	s.Add(t, "workflow", testserver.Object{"name": "w", "scoped_name": "w"})
	s.Add(t, "service", testserver.Object{"name": "[w] s", "scoped_name": "s", "workflows": []string{"w"}})
	s.Add(t, "task", testserver.Object{"name": "t", "service": "[w] s"})
	s.Add(t, "workflow_edge", testserver.Object{"name": "e", "workflow": "w", "source": "[Shared] Start", "destination": "[Shared] End", "subtype": "success"})
	for _, typ := range []string{"device", "service", "workflow_edge"} {
		for _, row := range s.Query(t, typ, nil) {
			s.IDs[fmt.Sprint(row["name"])] = fmt.Sprint(row["id"])
		}
	}
	s.Provider = Provider(t, s.Server)
	return s
}

// Provider returns a provider for a server. Its client ends with the test.
func Provider(t *testing.T, s *testserver.Server) *resources.Provider {
	t.Helper()
	return ProviderOf(t, s, "admin")
}

// ProviderOf is Provider for a user, whose password is the name.
func ProviderOf(t *testing.T, s *testserver.Server, user string) *resources.Provider {
	t.Helper()
	config := testserver.Config(s.URL)
	config.Username, config.Password = user, user
	client, err := enms.New(config, kind.Words(kinds.All()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &resources.Provider{Client: client, Kinds: kinds.All(), DeletionPolicy: kind.PolicyDelete}
}

// Texts returns values that are strings; "" is null.
func Texts(of map[string]string) kind.Values {
	values := kind.Values{}
	for name, v := range of {
		if values[name] = tftypes.NewValue(tftypes.String, nil); v != "" {
			values[name] = tftypes.NewValue(tftypes.String, v)
		}
	}
	return values
}

// Text returns what diagnostics say, with their details, or "".
func Text(diags diag.Diagnostics) (text string) {
	for _, d := range diags {
		text += fmt.Sprintf("%s: %s: %s\n", d.Severity(), d.Summary(), d.Detail())
	}
	return text
}
