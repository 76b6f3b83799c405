// Tests of the ways to eNMS: TLS with certificates that are good and bad,
// client certificates, proxies, and headers for gateways. Each way that fails
// tells in one line what failed.

package provider_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// authority vouches for the servers and clients of a test.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority of a test"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	a := &authority{key: key, pem: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))}
	if a.certificate, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	return a
}

// issue makes a certificate and its key, in PEM.
func (a *authority) issue(t *testing.T, change func(*x509.Certificate)) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "a test"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if change != nil {
		change(template)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &private.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}

// file writes a file for a setting that ends in _file.
func (a *authority) file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// serve starts a simulator behind TLS.
func (a *authority) serve(t *testing.T, template func(*x509.Certificate), config *tls.Config) string {
	t.Helper()
	certificate, key := a.issue(t, template)
	pair, err := tls.X509KeyPair([]byte(certificate), []byte(key))
	if err != nil {
		t.Fatal(err)
	}
	config.Certificates = []tls.Certificate{pair}
	served := httptest.NewUnstartedServer(simulator.New(simulator.Options{}))
	served.TLS = config
	served.Config.ErrorLog = log.New(io.Discard, "", 0)
	served.StartTLS()
	t.Cleanup(served.Close)
	return served.URL
}

// reach creates and destroys a device, and reads one, over the way that the
// settings make, and gives what went wrong.
func reach(t *testing.T, settings acctest.Attributes) acctest.Problems {
	t.Helper()
	block := acctest.Attributes{"username": "admin", "password": "admin", "max_retries": 0}
	for name, v := range settings {
		block[name] = v
	}
	c := acctest.NewCore(t, block)
	state, diags := c.Apply("enms_device", acctest.Attributes{"name": "d"}, c.NoState("enms_device"))
	if diags.Failed() {
		return diags
	}
	if _, diags = c.ReadDataSource("enms_device", "d"); diags.Failed() {
		return diags
	}
	_, diags = c.Apply("enms_device", nil, state)
	return diags
}

// fails checks that there is one error, on one line, that says the words.
func fails(t *testing.T, where string, diags acctest.Problems, words ...string) {
	t.Helper()
	said := strings.TrimSpace(diags.String())
	if len(diags) != 1 || !diags.Failed() || strings.Contains(said, "\n") {
		t.Errorf("%s: want one error on one line: %s", where, said)
	}
	for _, word := range append(words, `device "d"`) {
		if !strings.Contains(said, word) {
			t.Errorf("%s: %q is not in %s", where, word, said)
		}
	}
}

func TestTLS_ofServers(t *testing.T) {
	t.Parallel()
	ours, theirs := newAuthority(t), newAuthority(t)
	good := ours.serve(t, nil, &tls.Config{})
	for where, settings := range map[string]acctest.Attributes{
		"authority in PEM":       {"ca_cert_pem": ours.pem},
		"authority in a file":    {"ca_cert_file": ours.file(t, "ca.pem", ours.pem)},
		"one of two authorities": {"ca_cert_pem": theirs.pem + "\n" + ours.pem},
		"nothing is checked":     {"insecure_skip_verify": true},
		"wrong, but not checked": {"insecure_skip_verify": true, "ca_cert_pem": theirs.pem},
	} {
		settings["base_url"] = good
		if diags := reach(t, settings); diags.Failed() {
			t.Errorf("%s: %s", where, diags)
		}
	}
	const unknown = "certificate signed by unknown authority"
	fails(t, "no authority", reach(t, acctest.Attributes{"base_url": good}), unknown, "ca_cert_pem")
	fails(t, "another authority", reach(t, acctest.Attributes{"base_url": good, "ca_cert_pem": theirs.pem}), unknown, "ca_cert_pem")
	expired := ours.serve(t, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Hour) }, &tls.Config{})
	fails(t, "expired", reach(t, acctest.Attributes{"base_url": expired, "ca_cert_pem": ours.pem}), "certificate has expired")
	other := ours.serve(t, func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"enms.example.com"} }, &tls.Config{})
	fails(t, "another host", reach(t, acctest.Attributes{"base_url": other, "ca_cert_pem": ours.pem}), "127.0.0.1")
	old := ours.serve(t, nil, &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}) // #nosec G402 -- to be refused
	fails(t, "TLS 1.1", reach(t, acctest.Attributes{"base_url": old, "ca_cert_pem": ours.pem}), "protocol version")
	fails(t, "TLS 1.1, unchecked", reach(t, acctest.Attributes{"base_url": old, "insecure_skip_verify": true}), "protocol version")
}

func TestTLS_ofClients(t *testing.T) {
	t.Parallel()
	ours, theirs := newAuthority(t), newAuthority(t)
	pool := x509.NewCertPool()
	pool.AddCert(ours.certificate)
	url := ours.serve(t, nil, &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool})
	certificate, key := ours.issue(t, nil)
	for where, settings := range map[string]acctest.Attributes{
		"in PEM":   {"client_cert_pem": certificate, "client_key_pem": key},
		"in files": {"client_cert_file": ours.file(t, "c.pem", certificate), "client_key_file": ours.file(t, "k.pem", key)},
		"mixed":    {"client_cert_pem": certificate, "client_key_file": ours.file(t, "k.pem", key)},
	} {
		settings["base_url"], settings["ca_cert_pem"] = url, ours.pem
		if diags := reach(t, settings); diags.Failed() {
			t.Errorf("%s: %s", where, diags)
		}
	}
	fails(t, "no certificate", reach(t, acctest.Attributes{"base_url": url, "ca_cert_pem": ours.pem}), "certificate required", "client_cert_pem")
	foreign, foreignKey := theirs.issue(t, nil)
	fails(t, "another authority's", reach(t, acctest.Attributes{"base_url": url, "ca_cert_pem": ours.pem, "client_cert_pem": foreign, "client_key_pem": foreignKey}),
		"tls: ", "client_cert_pem")
	expired, expiredKey := ours.issue(t, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Hour) })
	fails(t, "expired", reach(t, acctest.Attributes{"base_url": url, "ca_cert_pem": ours.pem, "client_cert_pem": expired, "client_key_pem": expiredKey}),
		"expired certificate", "client_cert_pem")
	for at, settings := range map[string]acctest.Attributes{
		"client_key_pem":  {"client_cert_pem": certificate},
		"client_cert_pem": {"client_key_pem": key},
	} {
		_, diags := told(t, acctest.NeededSettings(settings))
		if said := diags.String(); !strings.Contains(said, `Invalid client certificate [AttributeName("`+at+`")]`) || strings.Contains(said, "BEGIN") {
			t.Errorf("%s is missing: %s", at, said)
		}
	}
	if _, diags := told(t, acctest.NeededSettings(acctest.Attributes{"client_cert_pem": certificate, "client_key_pem": foreignKey})); !strings.Contains(diags.String(), "do not match") {
		t.Errorf("not a pair: %s", diags)
	}
	block, _ := pem.Decode([]byte(key))
	encrypted := string(pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte("encrypted")}))
	for _, c := range [][3]string{
		{certificate, encrypted, "the client key is encrypted"},
		{certificate, string(block.Bytes), "the client key is not in PEM format"},
		{"no certificate", key, "the client certificate is not in PEM format"},
	} {
		if _, diags := told(t, acctest.NeededSettings(acctest.Attributes{"client_cert_pem": c[0], "client_key_pem": c[1]})); !strings.Contains(diags.String(), "Invalid client certificate") || !strings.Contains(strings.ToLower(diags.String()), strings.ToLower(c[2])) {
			t.Errorf("%s: %s", c[2], diags)
		}
	}
}

// proxy is an HTTP proxy that asks for a user and a password.
type proxy struct {
	mu      sync.Mutex
	asked   []string // method and host of each request
	allowed string   // what Proxy-Authorization must be
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.asked = append(p.asked, r.Method+" "+r.Host)
	p.mu.Unlock()
	if r.Header.Get("Proxy-Authorization") != p.allowed {
		w.Header().Set("Proxy-Authenticate", "Basic")
		http.Error(w, "who are you, "+r.Header.Get("Proxy-Authorization")+"?", http.StatusProxyAuthRequired)
		return
	}
	if r.Method != http.MethodConnect {
		r.RequestURI = ""
		r.Header.Del("Proxy-Authorization")
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			http.Error(w, "no", http.StatusBadGateway)
			return
		}
		defer answer.Body.Close()
		w.Header().Set("Content-Type", answer.Header.Get("Content-Type"))
		w.WriteHeader(answer.StatusCode)
		_, _ = io.Copy(w, answer.Body)
		return
	}
	server, err := net.Dial("tcp", r.Host)
	if err != nil {
		http.Error(w, "no", http.StatusBadGateway)
		return
	}
	defer func() { _ = server.Close() }()
	w.WriteHeader(http.StatusOK)
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer func() { _ = client.Close() }()
	go func() { _, _ = io.Copy(server, buffered) }()
	_, _ = io.Copy(client, server)
}

func TestSettings_proxies(t *testing.T) {
	t.Parallel()
	ours := newAuthority(t)
	secure := ours.serve(t, nil, &tls.Config{})
	open := httptest.NewServer(simulator.New(simulator.Options{}))
	t.Cleanup(open.Close)
	const password = "hidden-proxy-password"
	encoded := base64.StdEncoding.EncodeToString([]byte("u:" + password))
	for _, eNMS := range []acctest.Attributes{{"base_url": secure, "ca_cert_pem": ours.pem}, {"base_url": open.URL}} {
		way := &proxy{allowed: "Basic " + encoded}
		served := httptest.NewServer(way)
		t.Cleanup(served.Close)
		url := eNMS["base_url"].(string)
		eNMS["proxy_url"] = strings.Replace(served.URL, "http://", "http://u:"+password+"@", 1)
		if diags := reach(t, eNMS); diags.Failed() || len(way.asked) == 0 {
			t.Errorf("%s: asked %q: %s", url, way.asked, diags)
		}
		for _, asked := range way.asked {
			if !strings.HasSuffix(asked, strings.SplitN(url, "//", 2)[1]) || strings.HasPrefix(asked, "CONNECT ") != strings.HasPrefix(url, "https") {
				t.Errorf("%s: the proxy was asked for %s", url, asked)
			}
		}
		for where, bad := range map[string]string{
			"wrong password": strings.Replace(served.URL, "http://", "http://u:wrong-"+password+"@", 1),
			"not there":      "http://u:" + password + "@127.0.0.1:1",
		} {
			eNMS["proxy_url"] = bad
			diags := reach(t, eNMS)
			words := "roxy"
			fails(t, where+" to "+url, diags, words)
			if said := diags.String(); strings.Contains(said, password) || strings.Contains(said, encoded[:8]) {
				t.Errorf("%s to %s: %s", where, url, said)
			}
		}
	}
}

// TestSettings_headers looks at every request of a lifecycle at a gateway that wants a
// token and tells it to whoever asks wrongly.
func TestSettings_headers(t *testing.T) {
	t.Parallel()
	const token = "hidden-token-1234"
	sim := simulator.New(simulator.Options{})
	var mu sync.Mutex
	requests := 0
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		requests++
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if r.Header.Get("X-Token") != token || r.Header.Get("X-Other") != "" || len(r.Header["X-Token"]) != 1 ||
			r.Header.Get("User-Agent") != "terraform-provider-enms/test" {
			t.Errorf("%s %s came with %q", r.Method, r.URL.Path, r.Header)
		}
		if bytes.Contains(body, []byte("refuse")) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"failure":[[{"name":"d"},"ValueError: no `+r.Header.Get("X-Token")+" "+r.Header.Get("Authorization")+`"]]}`)
			return
		}
		sim.ServeHTTP(w, r)
	}))
	t.Cleanup(gateway.Close)
	settings := acctest.Attributes{"base_url": gateway.URL, "headers": headerMap("x-token", token, "X-Other", "")}
	if diags := reach(t, settings); diags.Failed() || requests < 4 {
		t.Errorf("%d requests: %s", requests, diags)
	}
	settings["username"], settings["password"] = "admin", "admin"
	c := acctest.NewCore(t, settings)
	_, diags := c.Apply("enms_device", acctest.Attributes{"name": "d", "description": "refuse"}, c.NoState("enms_device"))
	said := diags.String()
	if !diags.Failed() || strings.Contains(said, token) || strings.Contains(said, base64.StdEncoding.EncodeToString([]byte("admin:admin"))) || !strings.Contains(said, "***") {
		t.Error(said)
	}
}
