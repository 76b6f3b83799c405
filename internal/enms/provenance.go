// Whose write it was: what last_modified tells of an instance, by the server's
// clock.

package enms

import (
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// Since returns the window from a moment of this machine's clock until now.
func (c *Client) Since(begin time.Time) Window { return c.clock.window(begin, time.Now()) }

// Wrote reports whether this client's user may have been the last to modify an
// instance that eNMS answered, and in the window. An instance without
// last_modified does not tell: its type has none, or its creation failed
// half-way, because eNMS sets it last.
func (c *Client) Wrote(row Object, when Window) bool {
	modified := endpoint.String(row, "last_modified")
	if modified == "" {
		return true
	}
	return c.WroteLast(row) && when.holds(modified)
}

// WroteLast reports whether this client's user was the last to modify an instance that
// eNMS returned. An instance without last_modified_by does not tell, and may be.
func (c *Client) WroteLast(row Object) bool {
	by, has := row["last_modified_by"]
	return !has || by == c.username
}

// created reports whether the instance that has the name of an operation is the one
// that it created: either the name was seen to be free before; or the answer to
// an earlier attempt was lost, the instance is what was sent, and its
// last_modified is of this client and of the time since.
func (c *Client) created(key batchKey, o *operation, row Object) bool {
	if endpoint.String(row, "type") != key.typ.Name {
		return false
	}
	return o.absentBefore || o.answerLost && !key.typ.NoTimestamps && o.matches != nil && o.matches(row) && c.Wrote(row, c.Since(o.sent))
}
