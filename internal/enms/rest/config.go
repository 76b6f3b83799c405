// What a client is told, and the connections and headers that follow from it.

package rest

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	defaultRequestTimeout = 120 * time.Second
	defaultRetryWait      = 500 * time.Millisecond
	// idleConnections is how many connections are kept, enough for deletions at
	// a high -parallelism of Terraform.
	idleConnections = 64
	// minToken is how long a part of a header is that counts as a secret; other
	// parts are words such as "Bearer".
	minToken = 8
)

// Config is what a Client needs to know.
type Config struct {
	// BaseURL is http or https; a trailing slash does not matter, and it may have
	// a path when a gateway puts eNMS under one.
	BaseURL string
	// Username and Password are sent unasked with every request, because eNMS
	// never asks (enms-rest.md 7).
	Username, Password string
	// RequestTimeout bounds one attempt, its answer included. 0 is 120 s.
	RequestTimeout time.Duration
	// MaxRetries is how many further attempts may follow the first.
	MaxRetries int
	// RetryWait is about the pause before the first further attempt; it doubles
	// with each. 0 is 500 ms.
	RetryWait time.Duration
	// UserAgent is sent with each request.
	UserAgent string
	// Headers are sent with each request and win over the client's own. Their
	// values are secret.
	Headers map[string]string
	// TLS may hold certificates; at least TLS 1.2 is enforced. May be nil.
	TLS *tls.Config
	// ProxyURL is the proxy to use; "" leaves it to the environment.
	ProxyURL string
	// Logger is called once for each attempt, with its method, path, entries,
	// status, duration and number: never a body, a header or a secret. May be nil.
	Logger func(ctx context.Context, msg string, fields map[string]any)
	// Answered is called with each answer and when its request was sent. May be
	// nil.
	Answered func(answer *http.Response, sent time.Time)
}

// Format prints the configuration without its secrets, whatever the verb.
func (cfg Config) Format(f fmt.State, _ rune) { fmt.Fprint(f, "rest.Config{}") }

// newTransport makes the connections: TLS, proxy, keep-alive.
func newTransport(cfg Config) (*http.Transport, error) {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		transport = &http.Transport{Proxy: http.ProxyFromEnvironment}
	}
	transport = transport.Clone()
	transport.MaxIdleConnsPerHost = idleConnections
	if cfg.TLS != nil {
		transport.TLSClientConfig = cfg.TLS.Clone()
	}
	if transport.TLSClientConfig == nil {
		transport.TLSClientConfig = &tls.Config{}
	}
	transport.TLSClientConfig.MinVersion = max(transport.TLSClientConfig.MinVersion, tls.VersionTLS12)
	if cfg.ProxyURL != "" {
		proxy, err := url.Parse(cfg.ProxyURL)
		// The text of a parse error quotes the URL, which may hold a password.
		if err != nil || proxy.Host == "" {
			return nil, errors.New("the proxy URL is not a URL with a host")
		}
		transport.Proxy = http.ProxyURL(proxy)
	}
	return transport, nil
}

// setHeaders sets the headers that every request has.
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

// secrets returns the client's own, in every form in which they are sent.
func (cfg *Config) secrets() []string {
	secrets := []string{cfg.Password, base64.StdEncoding.EncodeToString([]byte(cfg.Username + ":" + cfg.Password))}
	for _, value := range cfg.Headers {
		if len(value) >= minSecret { // "1" and "on" are no tokens
			secrets = append(secrets, value)
		}
		for _, part := range strings.Fields(value) {
			if len(part) >= minToken {
				secrets = append(secrets, part)
			}
		}
	}
	if proxy, err := url.Parse(cfg.ProxyURL); err == nil && proxy.User != nil {
		password, _ := proxy.User.Password()
		secrets = append(secrets, password, base64.StdEncoding.EncodeToString([]byte(proxy.User.Username()+":"+password)))
	}
	return secrets
}
