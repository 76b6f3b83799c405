// The environment variables of the settings of the provider block.

package acctest

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
)

// BlockAttributes returns the names of all settings.
func BlockAttributes(t *testing.T) []string {
	t.Helper()
	schema, err := providerserver.NewProtocol6(provider.New("test"))().GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, a := range schema.Provider.Block.Attributes {
		names = append(names, a.Name)
	}
	return names
}

// VariableOf returns the environment variable of a setting.
func VariableOf(setting string) string { return "ENMS_" + strings.ToUpper(setting) }

// NoEnvironment unsets the environment variables of all settings for one test, which must not be parallel.
func NoEnvironment(t *testing.T) {
	t.Helper()
	for _, name := range BlockAttributes(t) {
		t.Setenv(VariableOf(name), "")
	}
}
