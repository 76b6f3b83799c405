// Tests of servers that echo secrets: none is shown, whichever request it came with.

package provider_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// echo is an eNMS behind a gateway that answers writes of instances whose names hold
// "leaky" with all that it has ever been sent.
type echo struct {
	simulator http.Handler
	answer    func(w http.ResponseWriter, heard string)
	mu        sync.Mutex
	heard     strings.Builder
}

func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if r.Method != http.MethodPost || !strings.HasPrefix(r.URL.Path, "/rest/instance/") {
		e.simulator.ServeHTTP(w, r)
		return
	}
	e.mu.Lock()
	e.heard.Write(body)
	heard := e.heard.String()
	e.mu.Unlock()
	if !bytes.Contains(body, []byte("leaky")) {
		e.simulator.ServeHTTP(w, r)
		return
	}
	e.answer(w, heard)
}

// forget forgets what it was sent.
func (e *echo) forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heard.Reset()
}

// echoes are the ways in which a gateway, or a version of eNMS, shows what it was sent.
var echoes = map[string]func(w http.ResponseWriter, heard string){
	"alert of a 500": func(w http.ResponseWriter, heard string) {
		w.WriteHeader(http.StatusInternalServerError)
		_ = json.NewEncoder(w).Encode(map[string]any{"alert": heard})
	},
	"alert of a 400": func(w http.ResponseWriter, heard string) {
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]any{"alert": fmt.Sprintf("%+q", heard)})
	},
	"page": func(w http.ResponseWriter, heard string) {
		w.Header().Set("Content-Type", "text/html; title="+strconv.Quote(heard))
		_, _ = io.WriteString(w, "<title>"+heard+"</title>")
	},
	"redirect": func(w http.ResponseWriter, heard string) {
		w.Header().Set("Location", "/login/"+url.PathEscape(heard)+"?"+url.QueryEscape(heard))
		w.WriteHeader(http.StatusFound)
	},
	"failure": func(w http.ResponseWriter, heard string) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"failure": []any{[]any{map[string]any{"name": "leaky"}, "Traceback:\n" + heard + "\nValueError: " + heard}}})
	},
	"name": func(w http.ResponseWriter, heard string) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"success": []any{heard}})
	},
}

// hiddenValues are secrets that some quoting changes, and the words that must not be seen.
var hiddenValues = map[string]string{
	"password":        `hidden-"one"/\ü`,
	"custom_password": "hidden-'two' 100%41",
	"pin":             "hidden-three",
	"private_key":     "-----BEGIN KEY-----\nhiddenhiddenhidden4\n-----END KEY-----\n",
}

// The alert of a 500 in which a gateway echoed the payload was shown as it was; so were
// secrets in properties_wo that are not named like one, and those that came with another
// request.
func TestSecrets_echoedByAGateway(t *testing.T) {
	t.Parallel()
	for how, answer := range echoes {
		s := acctest.NewServer(t)
		s.OnlySimulated("a gateway echoes")
		echoing := &echo{simulator: s.Simulator, answer: answer}
		gateway := httptest.NewServer(echoing)
		t.Cleanup(gateway.Close)
		c := s.Core(acctest.Attributes{"base_url": gateway.URL, "max_retries": 0}).NewRun()
		credential := func(name string, version int) acctest.Attributes {
			return acctest.Attributes{"name": name, "password_wo": hiddenValues["password"], "password_wo_version": version,
				"private_key_wo": hiddenValues["private_key"], "private_key_wo_version": version}
		}
		service := func(name string, version int) acctest.Attributes {
			return acctest.Attributes{"name": name, "type": "netmiko_commands_service", "properties_wo_version": version, "properties_wo": acctest.ObjectValue(map[string]any{
				"custom_password": hiddenValues["custom_password"], "custom_json": map[string]any{"nested": []any{hiddenValues["pin"]}}})}
		}
		first := c.Applied("enms_credential", credential("first", 1), c.NoState("enms_credential"))
		second := c.Applied("enms_service", service("second", 1), c.NoState("enms_service"))
		_, one := c.Apply("enms_device", acctest.Attributes{"name": "leaky"}, c.NoState("enms_device"))
		_, two := c.Apply("enms_credential", credential("leaky", 1), c.NoState("enms_credential"))
		_, three := c.Apply("enms_service", service("leaky", 1), c.NoState("enms_service"))
		echoing.forget() // what another run has sent, this one does not know
		c = c.NewRun()
		_, four := c.Apply("enms_service", service("leaky", 2), second)
		_, five := c.Apply("enms_credential", credential("leaky", 2), first)
		for i, diags := range []acctest.Problems{one, two, three, four, five} {
			said := diags.String()
			shows := how == "page" || strings.Contains(said, "***")
			if !diags.Failed() || strings.Contains(said, "hidden") || !shows {
				t.Errorf("%s, case %d: %s", how, i, said)
			}
		}
	}
}
