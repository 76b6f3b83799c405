// This test runs a whole lifecycle through the real Terraform with everything
// logged, and looks for every secret in whatever was written anywhere.

package provider_test

import (
	"archive/zip"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

const (
	hiddenPassword = `hidden "user"/p\ssw+rd &ü`
	hiddenWrong    = `hidden wrong password`
	hiddenProxy    = "hidden-proxy-password"
	hiddenHeader   = "hidden-header-token"
	// hiddenField is the secret of a service. It is written in properties, so
	// Terraform keeps it in the state and in plans: those are as secret as what
	// they hold. Nothing else may have it, though eNMS echoes it in failures.
	hiddenField = "hidden-field-of-a-service"
)

// forms returns the ways in which a secret may have been written.
func forms(secret string) []string {
	quoted, _ := json.Marshal(secret)
	return []string{secret, url.QueryEscape(secret), url.PathEscape(secret), string(quoted[1 : len(quoted)-1]),
		strings.Trim(fmt.Sprintf("%q", secret), `"`), base64.StdEncoding.EncodeToString([]byte(secret))}
}

// withoutDynamic leaves out what Terraform itself, not the provider, logs of the
// state of attributes that may hold anything: no provider can keep it from that.
func withoutDynamic(trace string) string {
	var rest strings.Builder
	for line := range strings.Lines(trace) {
		if !strings.Contains(line, "[DEBUG] UpgradeResourceState: ignoring dynamic block: ") {
			rest.WriteString(line)
		}
	}
	return rest.String()
}

// leaks gathers what was written where.
type leaks struct {
	t       *testing.T
	written map[string]string
}

// look fails when what was written holds a secret.
func (l *leaks) look(name string, secrets []string, except func(where string) bool) {
	l.t.Helper()
	for where, text := range l.written {
		if except != nil && except(where) {
			continue
		}
		for _, form := range secrets {
			if at := strings.Index(text, form); at >= 0 {
				l.t.Errorf("%s is in %s, as %q: …%s…", name, where, form, text[max(0, at-200):min(len(text), at+len(form)+100)])
				break
			}
		}
	}
}

// collect reads every file below a directory, plans and private states opened.
func (l *leaks) collect(dir string) {
	l.t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := entry.Name()
		l.written[name] = string(content)
		if archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content))); err == nil {
			for _, member := range archive.File {
				l.member(name, member)
			}
		}
		if strings.Contains(name, "tfstate") {
			l.written[name+" private"] = l.private(content)
		}
		return nil
	})
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *leaks) member(archive string, member *zip.File) {
	l.t.Helper()
	opened, err := member.Open()
	if err != nil {
		l.t.Fatal(err)
	}
	defer opened.Close()
	content, err := io.ReadAll(opened)
	if err != nil {
		l.t.Fatal(err)
	}
	l.written[archive+"/"+member.Name] = string(content)
}

// private returns what the provider keeps beside the state.
func (l *leaks) private(state []byte) string {
	l.t.Helper()
	var decoded struct {
		Resources []struct {
			Instances []struct{ Private []byte }
		}
	}
	if err := json.Unmarshal(state, &decoded); err != nil {
		l.t.Fatal(err)
	}
	var all strings.Builder
	for _, r := range decoded.Resources {
		for _, i := range r.Instances {
			all.Write(i.Private)
			var keys map[string][]byte // each value is in base64 once more
			if json.Unmarshal(i.Private, &keys) == nil {
				for _, value := range keys {
					all.Write(value)
				}
			}
		}
	}
	return all.String()
}

// strict is an eNMS behind a gateway that wants a token, with a user whose
// password is recognisable. It tells secrets in its failures.
type strict struct {
	simulator http.Handler
	basic     string
}

func (s *strict) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-Token") != hiddenHeader {
		http.Error(w, "no token", http.StatusForbidden)
		return
	}
	if r.Header.Get("Authorization") == s.basic {
		r.SetBasicAuth("admin", "admin")
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if bytes.Contains(body, []byte("leaky")) && r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/rest/instance/") {
		var echo map[string]any
		_ = json.Unmarshal(body, &echo)
		message := fmt.Sprintf("Traceback (most recent call last):\n  %v\nValueError: %v does not do, neither does %s, %s or %s\n",
			echo, echo, hiddenPassword, s.basic, hiddenHeader)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"failure": []any{[]any{echo, message}}})
		return
	}
	s.simulator.ServeHTTP(w, r)
}

// lifecycleConfig returns a device, a service with a secret, and a task on both.
func lifecycleConfig(name, description, more string) string {
	return fmt.Sprintf(`
		variable "field" {
		  sensitive = true
		}
		resource "enms_device" "d" {
		  name        = %q
		  description = %q
		}
		resource "enms_service" "s" {
		  name       = "backup"
		  type       = "netmiko_commands_service"
		  properties = { credentials = "custom", custom_username = "u", custom_password = var.field }
		}
		resource "enms_task" "t" {
		  name    = "nightly"
		  service = enms_service.s.name
		  devices = [enms_device.d.name]
		}
		data "enms_service" "s" {
		  name = enms_service.s.name
		}
		%s`, name, description, more)
}

func TestSecrets_inNoFileAndNoLog(t *testing.T) {
	t.Parallel()
	ours := newAuthority(t)
	certificate, key := ours.issue(t, nil)
	pool := x509.NewCertPool()
	pool.AddCert(ours.certificate)
	var simulated lockedBuffer
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("admin:"+hiddenPassword))
	gateway := httptest.NewUnstartedServer(&strict{simulator: simulator.New(simulator.Options{Log: &simulated}), basic: basic})
	serverCertificate, serverKey := ours.issue(t, nil)
	pair, err := tls.X509KeyPair([]byte(serverCertificate), []byte(serverKey))
	if err != nil {
		t.Fatal(err)
	}
	gateway.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool}
	gateway.Config.ErrorLog = log.New(&simulated, "", 0)
	gateway.StartTLS()
	t.Cleanup(gateway.Close)
	way := httptest.NewServer(&proxy{allowed: "Basic " + base64.StdEncoding.EncodeToString([]byte("u:"+hiddenProxy))})
	t.Cleanup(way.Close)

	w := acctest.NewWorkspace(t)
	l := &leaks{t: t, written: map[string]string{}}
	secret := map[string]string{
		"ENMS_PASSWORD": hiddenPassword, "ENMS_HEADERS": "X-Token: " + hiddenHeader, "ENMS_CLIENT_KEY_PEM": key, "TF_VAR_field": hiddenField,
		"ENMS_PROXY_URL": strings.Replace(way.URL, "http://", "http://u:"+hiddenProxy+"@", 1),
		"ENMS_BASE_URL":  gateway.URL, "ENMS_USERNAME": "admin", "ENMS_CLIENT_CERT_PEM": certificate, "ENMS_CA_CERT_PEM": ours.pem,
		"ENMS_MAX_RETRIES": "1", "TF_LOG": "TRACE", "TF_LOG_PATH": filepath.Join(w.Dir, "trace.log"),
	}
	s := &secretive{Workspace: w, leaks: l, environment: secret}
	s.lifecycle()
	l.written["the simulator's log"] = simulated.String()
	l.collect(w.Dir)
	s.proof()

	l.look("the password", append(forms(hiddenPassword), basic[len("Basic "):]), nil)
	l.look("the wrong password", append(forms(hiddenWrong), base64.StdEncoding.EncodeToString([]byte("admin:"+hiddenWrong))), nil)
	l.look("the proxy's password", append(forms(hiddenProxy), base64.StdEncoding.EncodeToString([]byte("u:"+hiddenProxy))), nil)
	l.look("the header", forms(hiddenHeader), nil)
	l.look("the client key", []string{strings.Split(key, "\n")[1], strings.Split(key, "\n")[2]}, nil)
	l.written["trace.log"] = withoutDynamic(l.written["trace.log"])
	l.look("the service's secret", forms(hiddenField), func(where string) bool {
		return strings.Contains(where, "tfstate") || strings.HasPrefix(where, "create.plan") || strings.Contains(where, "show -json")
	})
	t.Logf("looked through %d places, %d bytes", len(l.written), l.size())
}

func (l *leaks) size() (total int) {
	for _, text := range l.written {
		total += len(text)
	}
	return total
}

// secretive runs Terraform with secrets in its environment.
type secretive struct {
	*acctest.Workspace
	*leaks
	environment map[string]string
	ran         int
}

// step runs one command, with further variables of the environment, and keeps
// what it wrote. It must succeed, or fail and say the words.
func (s *secretive) step(more map[string]string, words []string, args ...string) string {
	w := *s.Workspace
	w.Environment = append([]string{}, w.Environment...)
	for _, set := range []map[string]string{s.environment, more} {
		for name, value := range set {
			w.Environment = append(w.Environment, name+"="+value)
		}
	}
	code, out := w.Run(args...)
	s.ran++
	s.written[fmt.Sprintf("output %d, of %s", s.ran, strings.Join(args, " "))] = out
	if (code == 0) != (words == nil) {
		s.t.Fatalf("%v ended with %d:\n%s", args, code, out)
	}
	for _, word := range words {
		if !(&acctest.Server{}).Says(word).MatchString(out) {
			s.t.Errorf("%v does not say %q:\n%s", args, word, out)
		}
	}
	return out
}

// lifecycle goes through everything that can happen, good and bad.
func (s *secretive) lifecycle() {
	apply := []string{"apply", "-no-color", "-auto-approve"}
	s.Configure(lifecycleConfig("d1", "first", ""))
	s.step(nil, nil, "plan", "-no-color", "-out=create.plan")
	s.written["create.plan, shown"] = s.step(nil, nil, "show", "-json", "create.plan")
	s.step(nil, nil, "apply", "-no-color", "create.plan")
	s.Configure(lifecycleConfig("d2", "second", ""))
	s.step(nil, nil, apply...)
	s.step(nil, nil, "plan", "-no-color", "-detailed-exitcode")
	s.Configure(lifecycleConfig("d2", "second", `
		resource "enms_service" "bad" {
		  name       = "leaky"
		  type       = "netmiko_commands_service"
		  properties = { custom_password = var.field }
		}`))
	s.step(nil, []string{`Cannot create service "leaky"`, "***"}, apply...)
	s.Configure(lifecycleConfig("d2", "second", `
		resource "enms_service" "bad" {
		  name       = "refused"
		  type       = "netmiko_commands_service"
		  properties = { custom_password = var.field, positions = "not an object" }
		}`))
	s.step(nil, []string{`Cannot create service "refused"`}, apply...)
	s.Configure(lifecycleConfig("d2", "second", ""))
	s.step(nil, nil, apply...)
	s.Configure(lifecycleConfig("d2", "leaky", ""))
	s.step(nil, []string{`Cannot update device "d2"`, "***"}, apply...)
	s.Configure(lifecycleConfig("d2", "second", ""))
	s.step(nil, nil, "state", "rm", "enms_service.s")
	s.step(nil, nil, "import", "-no-color", "enms_service.s", "backup")
	s.step(nil, nil, apply...)
	s.step(map[string]string{"ENMS_PASSWORD": hiddenWrong}, []string{"does not accept the user name or the password"}, "plan", "-no-color")
	s.step(map[string]string{"ENMS_BASE_URL": "https://127.0.0.1:1", "ENMS_FORMER_BASE_URLS": s.environment["ENMS_BASE_URL"]}, []string{"Cannot reach eNMS at 127.0.0.1:1"}, "plan", "-no-color")
	s.step(map[string]string{"ENMS_PROXY_URL": "http://u:" + hiddenProxy + "@127.0.0.1:1"}, []string{"Cannot reach eNMS"}, "plan", "-no-color")
	s.step(map[string]string{"ENMS_CLIENT_KEY_PEM": "", "ENMS_CLIENT_KEY_FILE": s.environment["ENMS_CLIENT_KEY_PEM"]}, []string{"use the setting that ends in _pem"}, "plan", "-no-color")
	s.step(map[string]string{"ENMS_HEADERS": "no colon " + hiddenHeader}, []string{"Invalid headers"}, "plan", "-no-color")
	s.step(nil, nil, "show", "-no-color")
	s.step(nil, nil, "destroy", "-no-color", "-auto-approve")
}

// proof makes sure that the search finds what it looks for: the log is there,
// with the provider's lines, and the service's secret is where it must be.
func (s *secretive) proof() {
	if trace := s.written["trace.log"]; !strings.Contains(trace, "eNMS request") || !strings.Contains(trace, "[TRACE]") {
		s.t.Errorf("the log is not there: %d bytes", len(trace))
	}
	if !strings.Contains(s.written["create.plan, shown"], hiddenField) || !strings.Contains(s.written["terraform.tfstate.backup"], hiddenField) {
		s.t.Error("the service's secret is neither in the plan nor in the state: the search is blind")
	}
	if !strings.Contains(s.written["the simulator's log"], "/rest/instance") {
		s.t.Error("the simulator's log is not there")
	}
}

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
