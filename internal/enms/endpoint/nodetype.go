// The type "node", in which the names of devices are looked up and which not every version
// of eNMS has (versions.go).

package endpoint

import (
	"context"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// KnownType returns the type to look names up in.
func (c *Client) KnownType(typ string) string {
	if typ == nodeType && c.variant.noNode.Load() {
		return deviceType
	}
	return typ
}

// LacksNode reports whether a look into the type "node" was just refused
// because eNMS does not know the type: then even a query that matches
// nothing is refused, while one for devices is not.
func (c *Client) LacksNode(ctx context.Context, typ string) bool {
	if typ != nodeType || c.variant.noNode.Load() {
		return false
	}
	impossible := map[string]string{"name": "/"} // no name holds a slash (enms-rest.md 0.3)
	if _, err := c.Query(ctx, nodeType, impossible); !rest.InternalServerError(err) {
		return false
	}
	if _, err := c.Query(ctx, deviceType, impossible); err != nil {
		return false
	}
	c.variant.noNode.Store(true)
	return true
}
