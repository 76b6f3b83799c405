// The type "node", in which the names of devices are looked up and which not every version
// of eNMS has (versions.go).

package enms

import "context"

// knownType is the type to look names up in.
func (c *Client) knownType(typ string) string {
	if typ == nodeType && c.variant.noNode.Load() {
		return deviceType
	}
	return typ
}

// lacksNode finds out, after a look into the type "node" was refused, whether
// that is because eNMS does not know the type: then even a query that matches
// nothing is refused, while one for devices is not.
func (c *Client) lacksNode(ctx context.Context, typ string) bool {
	if typ != nodeType || c.variant.noNode.Load() {
		return false
	}
	impossible := map[string]string{"name": "/"} // no name holds a slash (enms-rest.md 0.3)
	if _, err := c.Query(ctx, nodeType, impossible); !InternalServerError(err) {
		return false
	}
	if _, err := c.Query(ctx, deviceType, impossible); err != nil {
		return false
	}
	c.variant.noNode.Store(true)
	return true
}
