// Values of the state.

package lives

import (
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
)

// textOf returns a member as text, "" when it is null or unknown.
func textOf(v tftypes.Value, name string) string {
	switch v := terraformtest.GoValue(terraformtest.Members(v)[name]).(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}
