// Package enms is a client of the REST interface of eNMS 4.7, as enms-rest.md
// beside this file describes it. It knows nothing of Terraform.
//
// A request costs eNMS a quarter of a second of one core, whatever it asks for
// (enms-rest.md 7), so the client counts requests: writes and reads that are
// under way at the same time travel together, invisibly to their callers.
package enms

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// Config is what a Client needs to know. All but Version and Uncoalesced is as in
// rest.Config.
type Config struct {
	BaseURL            string
	Username, Password string
	RequestTimeout     time.Duration
	MaxRetries         int
	RetryWait          time.Duration
	// Version of the provider, for the User-Agent.
	Version  string
	Headers  map[string]string
	TLS      *tls.Config
	ProxyURL string
	Logger   func(ctx context.Context, msg string, fields map[string]any)
	// Uncoalesced lets each write and read travel alone. For measurements.
	Uncoalesced bool
}

// Format prints the configuration without its secrets, whatever the verb.
func (cfg Config) Format(f fmt.State, _ rune) { fmt.Fprint(f, "enms.Config{}") }

// Client speaks to one eNMS as one user. It may be used by many goroutines.
type Client struct {
	cfg     Config
	rest    *rest.Client
	gate    *gate
	views   *views
	clock   *clock   // of the server
	written *nameSet // the names that this client has written and not deleted since
	spelled *nameSet // the names that Spelled has found
	variant *variant
}

// New makes a client. It fails when BaseURL or ProxyURL is not usable, and
// sends nothing.
func New(cfg Config) (*Client, error) {
	c := &Client{
		cfg:     cfg,
		views:   newViews(),
		clock:   &clock{},
		written: &nameSet{},
		spelled: &nameSet{},
		variant: &variant{},
	}
	version := cfg.Version
	if version == "" {
		version = "dev"
	}
	var err error
	c.rest, err = rest.New(rest.Config{
		BaseURL: cfg.BaseURL, Username: cfg.Username, Password: cfg.Password, RequestTimeout: cfg.RequestTimeout,
		MaxRetries: cfg.MaxRetries, RetryWait: cfg.RetryWait, UserAgent: "terraform-provider-enms/" + version,
		Headers: cfg.Headers, TLS: cfg.TLS, ProxyURL: cfg.ProxyURL, Logger: cfg.Logger, Answered: c.clock.heard,
	})
	if err != nil {
		return nil, err
	}
	c.gate = newGate(c.run)
	return c, nil
}

// Format prints the client without its secrets, whatever the verb.
func (c Client) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "enms.Client{%s}", c.rest.Host()) }

// Close closes idle connections. The client stays usable.
func (c *Client) Close() { c.rest.Close() }

// Alive asks whether an eNMS answers. It proves neither the user nor the
// password (enms-rest.md 0).
func (c *Client) Alive(ctx context.Context) error {
	a, err := c.rest.Do(ctx, rest.Request{Method: http.MethodGet, Path: rest.Path("is_alive")})
	if err != nil {
		return err
	}
	value, err := a.Value()
	if _, ok := value.(map[string]any); err == nil && !ok {
		return &FieldError{Type: "is_alive", Field: "answer", Reason: "is " + rest.JSONType(value) + " where an object belongs"}
	}
	return err
}
