// Package endpoint makes the requests of the client of eNMS: a function for each endpoint of
// the REST interface, one request for each call. It knows what an answer means, such as which
// entries of a list were written and why others were not. It shares nothing between callers
// and remembers nothing but what kind of eNMS answers (versions.go).
package endpoint

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// Client makes requests to one eNMS as one user. Goroutines may share it.
type Client struct {
	*rest.Client

	variant variant
}

// New makes a client. It fails when BaseURL or ProxyURL is not usable, and sends nothing.
func New(cfg rest.Config) (*Client, error) {
	requests, err := rest.New(cfg)
	return &Client{Client: requests}, err
}

// Call makes a request and returns the decoded answer.
func (c *Client) Call(ctx context.Context, r rest.Request) (any, error) {
	a, err := c.Do(ctx, r)
	if err != nil {
		return nil, err
	}
	return a.Value()
}

// Get reads one instance with its relations, as names (enms-rest.md 6.2). The database may
// have taken another name for the same: the caller compares it.
func (c *Client) Get(ctx context.Context, typ, name string) (Object, error) {
	a, err := c.Do(ctx, rest.Request{Method: http.MethodGet, Path: rest.Path("instance", typ, name)})
	if err != nil {
		return nil, err
	}
	return decodeObject(typ, a)
}

// Query returns the instances of typ whose properties equal the filter's, without
// their relations (enms-rest.md 5.1). An empty filter matches the whole type.
// Booleans are "1" and "0". No match is an empty list and no error.
func (c *Client) Query(ctx context.Context, typ string, filter map[string]string) ([]Object, error) {
	values := url.Values{}
	for property, value := range filter {
		values.Set(property, value)
	}
	known := c.variant.allowNone.Load()
	if known {
		values.Set("allow_none", "1")
	}
	r := rest.Request{Method: http.MethodGet, Path: rest.Path("query", typ), Query: values}
	a, err := c.Do(ctx, r)
	if errors.Is(err, rest.ErrForbidden) && !known {
		// Not at once: some builds of 2023 answer 500 to it (enms-rest.md 8).
		values.Set("allow_none", "1")
		if again, refusal := c.Do(ctx, r); refusal == nil {
			c.variant.allowNone.Store(true)
			a, err = again, nil
		}
	}
	if err != nil {
		return nil, err
	}
	rows, err := decodeRows(typ, a)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if err := CheckIdentity(typ, row); err != nil {
			return nil, err
		}
	}
	return rows, nil
}
