// Package rest makes requests to the REST interface of eNMS: one request at a time, with its
// retries. It returns the answer, or an error that says what happened. It knows nothing of
// instances.
//
//	client.go   the client and its configuration; the pace of requests under a rate limit
//	request.go  one request with its retries
//	answer.go   the status and the content of an answer
//	limiter.go  the rate limiter of eNMS 5
//	errors.go   the errors of requests
//	redact.go   secrets and control characters in what is shown;  oneline.go  shortens it
//	slots.go    bounds what is under way at the same time
package rest

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Client makes requests to one server as one user. Goroutines may share it.
type Client struct {
	cfg       Config
	base      *url.URL // BaseURL without a slash at its end
	transport *http.Transport
	pace      *pace
	slots     Slots // one for each request that may be under way
	secrets   *secretSet

	// MayLimit reports whether eNMS may have a rate limiter; nil means that it has none. Set it before the
	// first request.
	MayLimit func() bool
	// Waiting is called when a pause of all requests begins, because of a rate limit. May be nil; set it before
	// the first request. Goroutines may call it at the same time.
	Waiting func(pause time.Duration)
}

// New makes a client, or returns an error if the configuration is invalid. It sends nothing.
func New(cfg Config) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(cfg.BaseURL, "/"))
	switch {
	// The message of a parse error quotes the URL, which may contain a password.
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
	case cfg.MaxRetries < 0 || cfg.MaxConcurrentRequests < 0 || cfg.RequestTimeout < 0 || cfg.RetryWait < 0:
		return nil, errors.New("the numbers of retries and of requests, and the times, must not be negative")
	}
	cfg.RequestTimeout, cfg.RetryWait = cmp.Or(cfg.RequestTimeout, defaultRequestTimeout), cmp.Or(cfg.RetryWait, defaultRetryWait)
	transport, err := newTransport(cfg)
	if err != nil {
		return nil, err
	}
	c := &Client{
		cfg:       cfg,
		base:      base,
		transport: transport,
		pace:      &pace{first: cfg.RetryWait},
		slots:     NewSlots(cfg.MaxConcurrentRequests),
		secrets:   &secretSet{},
	}
	c.secrets.add(cfg.secrets()...)
	return c, nil
}

// Close closes idle connections. The client stays usable.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Host returns the host and port of the base URL.
func (c *Client) Host() string { return c.base.Host }

// Format prints the client without its secrets, whatever the verb.
func (c Client) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "rest.Client{%s}", c.base.Host) }

// AddSecrets makes Redact remove every string in values: the answer to one request may echo the
// secrets of another one.
func (c *Client) AddSecrets(values any) { c.secrets.add(stringsIn(values)...) }

// AddSecretFields makes Redact remove every string in the secret fields of a payload (SecretField).
func (c *Client) AddSecretFields(payload any) { c.secrets.add(secretsIn(payload)...) }

// Redact removes secrets from a text of the server, which may have echoed them: the client's own, and those that
// were added. Call it before the text is shortened or split, because a part of a secret is not recognized.
func (c *Client) Redact(text string) string { return c.secrets.redact(text) }

// Path returns the path of an endpoint. A slash within a segment is encoded.
func Path(segments ...string) string {
	var path strings.Builder
	path.WriteString("/rest")
	for _, segment := range segments {
		path.WriteByte('/')
		path.WriteString(escapeSegment(segment))
	}
	return path.String()
}

// escapeSegment encodes s as one segment of a path, including "." and "..", which proxies would resolve.
func escapeSegment(s string) string {
	if s == "." || s == ".." {
		return strings.ReplaceAll(s, ".", "%2E")
	}
	return url.PathEscape(s)
}

const (
	defaultRequestTimeout = 120 * time.Second
	defaultRetryWait      = 500 * time.Millisecond
	// idleConnections is how many idle connections are kept: enough for a high -parallelism of Terraform.
	idleConnections = 64
	// minToken is the length from which a word in the value of a header counts as a secret. Shorter words
	// are names such as "Bearer".
	minToken = 8
)

// Config is the configuration of a Client.
type Config struct {
	// BaseURL is http or https; a trailing slash does not matter, and it may have
	// a path when a gateway puts eNMS under one.
	BaseURL string
	// Username and Password are sent with every request, because eNMS never asks for them (enms-rest.md 7).
	Username, Password string
	// RequestTimeout bounds one attempt, its answer included. 0 is 120 s.
	RequestTimeout time.Duration
	// MaxRetries is how many further attempts may follow the first; under a rate limit, there may be more
	// (Client.Exhausted).
	MaxRetries int
	// MaxConcurrentRequests is how many requests may be under way at the same time. 0 is any number.
	MaxConcurrentRequests int
	// RetryWait is the pause before the second attempt, roughly; it doubles with each further one. 0 is 500 ms.
	RetryWait time.Duration
	// GracePeriod is how long a write that was sent, and what follows it, may go on after an interrupt. 0 is 30 s.
	GracePeriod time.Duration
	// Window is for how long requests wait for others to share them. 0 is batch.Window.
	Window time.Duration
	// UserAgent is sent with each request.
	UserAgent string
	// Headers are sent with each request and take precedence over the client's own. Their values are secret.
	Headers map[string]string
	// TLS may hold certificates; at least TLS 1.2 is enforced. May be nil.
	TLS *tls.Config
	// ProxyURL is the proxy to use; "" leaves it to the environment.
	ProxyURL string
	// DialContext opens connections. nil is net.Dialer's.
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)
	// Logger is called once for each attempt, with its method, path, entries,
	// status, duration and number: never a body, a header or a secret. May be nil.
	Logger func(ctx context.Context, msg string, fields map[string]any)
	// Answered is called with each answer, and the time at which its request was sent. May be nil.
	Answered func(answer *http.Response, sent time.Time)
}

// Format prints the configuration without its secrets, whatever the verb.
func (cfg Config) Format(f fmt.State, _ rune) { fmt.Fprint(f, "rest.Config{}") }

// newTransport returns the transport: TLS, proxy, kept connections.
func newTransport(cfg Config) (*http.Transport, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = idleConnections
	if cfg.DialContext != nil {
		transport.DialContext = cfg.DialContext
	}
	transport.TLSClientConfig = cmp.Or(cfg.TLS, transport.TLSClientConfig, &tls.Config{}).Clone()
	transport.TLSClientConfig.MinVersion = max(transport.TLSClientConfig.MinVersion, tls.VersionTLS12)
	if cfg.ProxyURL != "" {
		proxy, err := url.Parse(cfg.ProxyURL)
		// The message of a parse error quotes the URL, which may contain a password.
		if err != nil || proxy.Host == "" {
			return nil, errors.New("the proxy URL is not a URL with a host")
		}
		transport.Proxy = http.ProxyURL(proxy)
	}
	return transport, nil
}

// setHeaders sets the headers of a request. The headers of the configuration come last, because they
// take precedence.
func (cfg *Config) setHeaders(req *http.Request) {
	req.SetBasicAuth(cfg.Username, cfg.Password)
	req.Header.Set("User-Agent", cfg.UserAgent)
	req.Header.Set("Accept", "application/json")
	if req.Method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json") // without it eNMS answers 500 (enms-rest.md 7)
	}
	for key, value := range cfg.Headers {
		if http.CanonicalHeaderKey(key) == "Host" {
			req.Host = value
			continue
		}
		req.Header.Set(key, value)
	}
}

// secrets returns the client's own secrets, in every form in which they are sent: those of the configuration,
// and the passwords of proxies in the environment.
func (cfg *Config) secrets() []string {
	secrets := []string{cfg.Password}
	if cfg.Password != "" {
		secrets = append(secrets, cfg.Username+":"+cfg.Password) // the header has it in base64
	}
	for _, value := range cfg.Headers {
		if len(value) >= minSecret { // not "1" or "on"
			secrets = append(secrets, value)
		}
		for _, part := range strings.Fields(value) {
			if len(part) >= minToken {
				secrets = append(secrets, part)
			}
		}
	}
	addresses := []string{cfg.ProxyURL}
	for _, name := range []string{"HTTPS_PROXY", "HTTP_PROXY"} {
		addresses = append(addresses, os.Getenv(name), os.Getenv(strings.ToLower(name)))
	}
	for _, address := range addresses {
		secrets = append(secrets, proxySecrets(address)...)
	}
	return secrets
}

// proxySecrets returns the password in the address of a proxy, alone and after its user name, as it is written and
// unescaped. The transport quotes the address in errors, even if it has no scheme or is malformed.
func proxySecrets(address string) []string {
	written := address[:max(strings.LastIndex(address, "@"), 0)]
	if _, after, is := strings.Cut(written, "://"); is {
		written = after
	}
	logins := []string{written}
	if unescaped, err := url.PathUnescape(written); err == nil {
		logins = append(logins, unescaped)
	}
	var secrets []string
	for _, login := range logins {
		if _, password, _ := strings.Cut(login, ":"); password != "" {
			secrets = append(secrets, password, login)
		}
	}
	return secrets
}

const (
	// paceGrowth bounds the pauses after 429s in a row that do not say how long to
	// wait, as a multiple of the first pause: with the defaults, half a minute.
	paceGrowth = 60
	// maxRetryAfter caps the pause that an answer may ask for, because a person is waiting.
	maxRetryAfter = 60 * time.Second
)

// pace decides when the next request may be sent. A gateway accepts a certain number of requests per
// minute, and answers 429 to further ones. All requests would fail until its window is over, so all of
// them wait. An answer of eNMS 5's own limiter becomes a 429, too (limiter.go).
type pace struct {
	first time.Duration // the pause after a 429 that does not say how long to wait

	mu    sync.Mutex
	until time.Time
	last  time.Duration // the pause after the latest 429; 0 if the latest answer was not a 429
}

// update updates the pace by the status of an answer. It returns the pause that begins with the answer, or 0
// if none does: the 429s of requests that were sent at the same time begin one pause, which the later of them
// may only prolong.
func (p *pace) update(answer *http.Response) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if answer.StatusCode != http.StatusTooManyRequests {
		p.last = 0
		return 0
	}
	wait := retryAfter(answer.Header)
	if wait == 0 {
		p.last = min(max(2*p.last, p.first), paceGrowth*p.first)
		wait = p.last
	}
	now := time.Now()
	alreadyPaused := p.until.After(now)
	if until := now.Add(wait); until.After(p.until) {
		p.until = until
	}
	if alreadyPaused {
		return 0
	}
	return wait
}

// wait waits until a request may be sent, or ctx ends.
func (p *pace) wait(ctx context.Context) error {
	for {
		p.mu.Lock()
		left := time.Until(p.until)
		p.mu.Unlock()
		if left <= 0 {
			return nil
		}
		if err := Sleep(ctx, left); err != nil {
			return err
		}
	}
}

// retryAfter returns the pause that an answer asks for, or 0.
func retryAfter(header http.Header) time.Duration {
	value := header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	if when, err := http.ParseTime(value); err == nil {
		return min(max(time.Until(when), 0), maxRetryAfter)
	}
	return 0
}

// Sleep waits, and returns the error of ctx if that ends meanwhile.
func Sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
