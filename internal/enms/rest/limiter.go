// This file recognises the rate limiter of eNMS 5 (enms-rest.md 11.10).

package rest

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
)

// notAuthorized is in eNMS's answer to a user without the right to an endpoint, and in that of its rate limiter.
var notAuthorized = []byte("Error 403 - Not Authorized.")

// heedLimiter turns an answer of the rate limiter into a 429 that asks to wait for the next minute of the
// server's clock. A second request tells it from the answer to a user without the right: the limiter refuses
// is_alive as well, for which nobody needs a right. If that request fails, the answer stays as it is.
func (c *Client) heedLimiter(ctx context.Context, resp *http.Response, body []byte) {
	refused := resp.StatusCode == http.StatusForbidden && bytes.Contains(body, notAuthorized)
	if !refused || c.MayLimit == nil || !c.MayLimit() {
		return
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base.String()+Path("is_alive"), nil)
	if err != nil {
		return
	}
	c.cfg.setHeaders(req)
	alive, err := c.transport.RoundTrip(req)
	if err != nil {
		return
	}
	_ = alive.Body.Close()
	if alive.StatusCode != http.StatusForbidden {
		return
	}
	now, _ := http.ParseTime(alive.Header.Get("Date")) // without a date, it is a whole minute
	resp.StatusCode = http.StatusTooManyRequests
	resp.Header.Set("Retry-After", strconv.Itoa(60-now.Second()))
}
