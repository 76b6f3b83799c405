// A request and its answer: from a method and a path to bytes, or to an error
// that says what happened.

package enms

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// request is one request to eNMS, over all its attempts.
type request struct {
	method, path string // the path as pathTo makes it
	query        url.Values
	body         []byte
	entries      int // how many instances it is about
	// once marks what must not be done twice: a creation that must be new, a
	// rename. It is only sent again when eNMS cannot have seen it.
	once bool
}

// answer is what came back with a status of success.
type answer struct {
	status      int
	contentType string
	body        []byte
	lost        bool // an earlier attempt may have been acted on as well
}

// value decodes the answer.
func (a *answer) value() (any, error) {
	var value any
	if err := decode(a.body, &value); err != nil {
		return nil, &NotJSONError{Status: a.status, ContentType: mediaType(a.contentType), Problem: err.Error()}
	}
	return value, nil
}

// send makes a request with its retries. An answer comes only with a status of
// success; when err is not nil, the answer tells no more than whether an
// attempt was lost.
func (c *Client) send(ctx context.Context, r request) (*answer, error) {
	trip := &journey{once: r.once, entries: max(r.entries, 1), begin: time.Now()}
	target := c.base + r.path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	var body any
	if r.method == http.MethodPost {
		body = r.body
	}
	req, err := retryablehttp.NewRequestWithContext(context.WithValue(ctx, journeyKey{}, trip), r.method, target, body)
	if err != nil {
		return &answer{}, &UnreachableError{Host: c.host, cause: errors.New("the path of the request is malformed")}
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return &answer{lost: trip.lost}, c.unreachable(ctx, trip, err)
	}
	defer resp.Body.Close()
	a := &answer{status: resp.StatusCode, contentType: resp.Header.Get("Content-Type"), lost: trip.lost}
	if a.body, err = io.ReadAll(resp.Body); err != nil {
		return a, c.unreachable(ctx, trip, err)
	}
	return a, c.judge(r, resp, a)
}

// unreachable makes an error of one that the network gave. What surrounds it
// quotes the whole URL; only the inside is kept.
func (c *Client) unreachable(ctx context.Context, trip *journey, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if around, ok := as[*url.Error](err); ok {
		err = around.Err
	}
	seen := (trip.sent.Load() || trip.lost) && !badCertificate(err)
	return &UnreachableError{Host: c.host, cause: err, sent: seen}
}

// judge turns the status of an answer into an error.
func (c *Client) judge(r request, resp *http.Response, a *answer) error {
	status := &StatusError{Method: r.method, Path: r.path, Status: a.status, retryAfter: retryAfter(resp)}
	switch {
	case a.status >= 200 && a.status < 300:
		return nil
	case a.status >= 300 && a.status < 400:
		return &RedirectError{Location: c.redact(location(resp), nil)}
	case a.status == http.StatusUnauthorized, a.status == http.StatusForbidden, gatewayFailed(a.status):
		return status // whoever answered, the status says it all
	}
	value, err := a.value()
	if err != nil {
		return err
	}
	object, _ := value.(map[string]any)
	status.Alert = oneLine(c.redact(text(object, "alert"), nil))
	return status
}

// location is where a redirect leads to, without what may be secret in it.
func location(resp *http.Response) string {
	to, err := url.Parse(resp.Header.Get("Location"))
	if err != nil {
		return ""
	}
	to.User, to.RawQuery, to.Fragment = nil, "", ""
	return oneLine(to.String())
}

// mediaType is the type of an answer without its parameters.
func mediaType(header string) string {
	kind, _, err := mime.ParseMediaType(header)
	if err != nil {
		return ""
	}
	return shorten(kind, 80)
}
