// Whose write it was: what last_modified tells of an instance, by the server's
// clock.

package enms

import "time"

// Since gives the window from a moment of this machine's clock until now.
func (c *Client) Since(begin time.Time) Window { return c.clock.window(begin, time.Now()) }

// Wrote tells whether this client's user may have been the last to modify an
// instance that eNMS answered, and in the window. An instance without
// last_modified does not tell: its type has none, or its creation failed
// half-way, because eNMS sets it last.
func (c *Client) Wrote(row Object, when Window) bool {
	modified := text(row, "last_modified")
	if modified == "" {
		return true
	}
	by, told := row["last_modified_by"]
	return (!told || by == c.username) && when.holds(modified)
}
