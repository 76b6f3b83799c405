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
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

const (
	defaultRequestTimeout = 120 * time.Second
	defaultRetryWait      = 500 * time.Millisecond
)

// Config is what a Client needs to know.
type Config struct {
	// BaseURL is where eNMS lives, http or https; a trailing slash does not
	// matter, and it may have a path when a gateway puts eNMS under one.
	BaseURL string
	// Username and Password of an eNMS user, sent unasked with every request
	// because eNMS never asks (enms-rest.md 7).
	Username, Password string
	// RequestTimeout bounds one HTTP exchange, its answer included. 0 is 120 s.
	RequestTimeout time.Duration
	// MaxRetries is how many further attempts may follow the first.
	MaxRetries int
	// RetryWait is about the pause before the first further attempt; it doubles
	// with each. 0 is 500 ms.
	RetryWait time.Duration
	// Version of the provider, for the User-Agent.
	Version string
	// Headers are sent with each request, for gateways that want a token. They
	// win over the client's own. Their values are secret.
	Headers map[string]string
	// TLS may hold certificates; at least TLS 1.2 is enforced. May be nil.
	TLS *tls.Config
	// ProxyURL is the proxy to use; "" leaves it to the environment.
	ProxyURL string
	// Logger is called once for each attempt of a request, with its method,
	// path, entries, status, duration and attempt: never a body, a header or a
	// secret. It may be called by several goroutines at a time. May be nil.
	Logger func(ctx context.Context, msg string, fields map[string]any)
	// Uncoalesced lets each write and read travel alone. For measurements.
	Uncoalesced bool
}

// Client speaks to one eNMS as one user. It may be used by many goroutines.
type Client struct {
	cfg       Config
	base      string // BaseURL without a slash at its end
	host      string // its host and port, for errors
	http      *retryablehttp.Client
	transport *http.Transport
	gate      *gate
	views     *views
	clock     *clock   // of the server
	written   *nameSet // the names that this client has written and not deleted since
	spelled   *nameSet // the names that Spelled has found
	variant   *variant
	pace      *pace
}

// New makes a client. It fails when BaseURL or ProxyURL is not usable, and
// sends nothing.
func New(cfg Config) (*Client, error) {
	base, err := url.Parse(cfg.BaseURL)
	switch {
	// The text of a parse error quotes the URL, which may hold a password.
	case err != nil:
		return nil, errors.New("the base URL is not a URL")
	case base.Scheme != "http" && base.Scheme != "https":
		return nil, errors.New("the base URL must begin with http:// or https://")
	case base.Hostname() == "":
		return nil, errors.New("the base URL names no host")
	case base.User != nil:
		return nil, errors.New("the base URL must not hold a user name or a password")
	case base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		return nil, errors.New("the base URL must not hold a query or a fragment")
	case cfg.MaxRetries < 0 || cfg.RequestTimeout < 0 || cfg.RetryWait < 0:
		return nil, errors.New("the number of retries and the times must not be negative")
	}
	if cfg.RequestTimeout == 0 {
		cfg.RequestTimeout = defaultRequestTimeout
	}
	if cfg.RetryWait == 0 {
		cfg.RetryWait = defaultRetryWait
	}
	transport, err := newTransport(cfg)
	if err != nil {
		return nil, err
	}
	c := &Client{
		cfg:       cfg,
		base:      strings.TrimRight(base.String(), "/"),
		host:      base.Host,
		transport: transport,
		views:     newViews(),
		clock:     &clock{},
		written:   &nameSet{},
		spelled:   &nameSet{},
		variant:   &variant{},
		pace:      &pace{first: cfg.RetryWait},
	}
	c.http = newRetrier(cfg, &exchanger{cfg: cfg, next: transport, clock: c.clock, pace: c.pace})
	c.gate = newGate(c.run)
	return c, nil
}

// Close closes connections that are kept for later. The client stays usable.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// userAgent names the provider to whoever reads the logs of eNMS.
func userAgent(version string) string {
	if version == "" {
		version = "dev"
	}
	return fmt.Sprintf("terraform-provider-enms/%s", version)
}
