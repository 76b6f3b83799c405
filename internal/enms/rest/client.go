// Package rest makes requests to the REST interface of eNMS: one request, with
// its retries, and its answer or an error that says what happened. It knows
// nothing of instances.
package rest

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Client makes requests to one server as one user. Goroutines may share it.
type Client struct {
	cfg       Config
	base      string // BaseURL without a slash at its end
	host      string // its host and port, for errors
	transport *http.Transport
	pace      *pace
	secrets   *secretSet
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
		pace:      &pace{first: cfg.RetryWait},
		secrets:   &secretSet{},
	}
	c.secrets.add(cfg.secrets()...)
	return c, nil
}

// Close closes idle connections. The client stays usable.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Host returns the host and port of the base URL.
func (c *Client) Host() string { return c.host }

// Format prints the client without its secrets, whatever the verb.
func (c Client) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "rest.Client{%s}", c.host) }

// AddSecrets adds what is secret in a payload: the values of secret fields, or, when all
// of it is secret, every value. From now on Redact takes them out of whatever the server
// says: an answer to one request may echo another one's.
func (c *Client) AddSecrets(payload any, all bool) { c.secrets.add(secretsOf(payload, all)...) }

// Redact takes out of a text that came from the server what must not be shown, in case
// the server echoed it: the client's own secrets and those of AddSecrets. It comes before
// a text is cut or taken apart, because a part of a secret cannot be told.
func (c *Client) Redact(text string) string { return c.secrets.redact(text) }

// Path makes the path of an endpoint; each segment is encoded as one.
func Path(segments ...string) string {
	var path strings.Builder
	path.WriteString("/rest")
	for _, segment := range segments {
		path.WriteByte('/')
		path.WriteString(escapeSegment(segment))
	}
	return path.String()
}

// escapeSegment encodes s as one segment of a path. "." and ".." are encoded,
// too, because proxies would take them for steps in the path.
func escapeSegment(s string) string {
	if s == "." || s == ".." {
		return strings.ReplaceAll(s, ".", "%2E")
	}
	return url.PathEscape(s)
}
