// Tests of the provider block: where each setting comes from, what is said of
// those that are missing, wrong or unknown, and that nothing is sent before
// there is need.

package provider_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
)

// told configures a provider and gives what its client was told.
func told(t *testing.T, block acctest.Attributes) (enms.Config, acctest.Problems) {
	t.Helper()
	var config enms.Config
	_, diags := acctest.TryCore(t, provider.NewWith("test", func(c *enms.Config) { config = *c }), block)
	return config, diags
}

func headerMap(pairs ...string) tftypes.Value {
	values := map[string]tftypes.Value{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = tftypes.NewValue(tftypes.String, pairs[i+1])
	}
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, values)
}

// textList returns a list of strings; null stands for "".
func textList(texts ...string) tftypes.Value {
	var values []tftypes.Value
	for _, text := range texts {
		if text == "" {
			values = append(values, tftypes.NewValue(tftypes.String, nil))
			continue
		}
		values = append(values, tftypes.NewValue(tftypes.String, text))
	}
	return tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, values)
}

// sources are settings that the client is told as they are, with two values
// each: as the configuration has it, as the environment has it, as the client
// shows it.
var sources = []struct {
	name       string
	configured [2]any
	variable   [2]string
	shown      [2]string
	of         func(enms.Config) string
}{
	{"base_url", [2]any{"http://127.0.0.1:7", "http://127.0.0.1:8/x"}, [2]string{"http://127.0.0.1:7", "http://127.0.0.1:8/x"},
		[2]string{"http://127.0.0.1:7", "http://127.0.0.1:8/x"}, func(c enms.Config) string { return c.BaseURL }},
	{"username", [2]any{"one", "two"}, [2]string{"one", "two"}, [2]string{"one", "two"}, func(c enms.Config) string { return c.Username }},
	{"password", [2]any{"one ", "two\n"}, [2]string{"one ", "two\n"}, [2]string{"one ", "two\n"}, func(c enms.Config) string { return c.Password }},
	{"request_timeout", [2]any{"90s", "2m"}, [2]string{"90s", "2m"}, [2]string{"1m30s", "2m0s"}, func(c enms.Config) string { return c.RequestTimeout.String() }},
	{"max_retries", [2]any{0, 9}, [2]string{"0", "9"}, [2]string{"0", "9"}, func(c enms.Config) string { return fmt.Sprint(c.MaxRetries) }},
	{"max_concurrent_requests", [2]any{1, 9}, [2]string{"1", "9"}, [2]string{"1", "9"}, func(c enms.Config) string { return fmt.Sprint(c.MaxConcurrentRequests) }},
	{"proxy_url", [2]any{"http://a:1", "socks5://b:2"}, [2]string{"http://a:1", "socks5://b:2"}, [2]string{"http://a:1", "socks5://b:2"},
		func(c enms.Config) string { return c.ProxyURL }},
	{"headers", [2]any{headerMap("x-a", "1: 2", "X-B", ""), headerMap("X-C", "3")}, [2]string{"x-a: 1: 2\r\n\nX-B:\n", "X-C:3"},
		[2]string{"map[X-A:1: 2 X-B:]", "map[X-C:3]"}, func(c enms.Config) string { return fmt.Sprint(c.Headers) }},
}

// TestSettings_sources takes each from the configuration, from the environment,
// and from the configuration when both have it.
func TestSettings_sources(t *testing.T) {
	acctest.NoEnvironment(t)
	for _, s := range sources {
		t.Run(s.name, func(t *testing.T) {
			check := func(where, want string, block acctest.Attributes) {
				t.Helper()
				if config, diags := told(t, block); diags.Failed() || s.of(config) != want {
					t.Errorf("%s: %q, want %q (%s)", where, s.of(config), want, diags)
				}
			}
			check("configuration", s.shown[0], acctest.NeededSettings(acctest.Attributes{s.name: s.configured[0]}))
			t.Setenv(acctest.VariableOf(s.name), s.variable[1])
			check("environment", s.shown[1], acctest.NeededSettings(acctest.Attributes{s.name: nil}))
			check("both", s.shown[0], acctest.NeededSettings(acctest.Attributes{s.name: s.configured[0]}))
			if _, ok := s.configured[0].(string); ok {
				check("empty configuration", s.shown[1], acctest.NeededSettings(acctest.Attributes{s.name: ""}))
			}
		})
	}
}

// What is missing is one error. Without a provider block, Terraform adds that it requires one, and
// shows no source of an attribute: the error is on none, and says that the environment is enough.
func TestSettings_missing(t *testing.T) {
	acctest.NoEnvironment(t)
	_, diags := told(t, nil)
	if want := "ERROR: Missing base_url, username, password []: Set base_url, username, password in the provider block, or ENMS_BASE_URL, ENMS_USERNAME, ENMS_PASSWORD in the environment. No provider block is required if the environment has the settings."; len(diags) != 1 || !strings.Contains(diags.String(), want) {
		t.Errorf("without any: %s", diags)
	}
	for _, name := range []string{"base_url", "username", "password"} {
		if _, diags := told(t, acctest.NeededSettings(acctest.Attributes{name: nil})); len(diags) != 1 || diags[0].Attribute.String() != fmt.Sprintf("AttributeName(%q)", name) {
			t.Errorf("without %s: %s", name, diags)
		}
	}
}

// TestSettings_invalid tries unusable values from the configuration and from the
// environment. The error is on the setting and does not show what may be secret, such
// as a key in place of the name of its file. A line break in a header's value is
// refused: it would begin another header.
func TestSettings_invalid(t *testing.T) {
	acctest.NoEnvironment(t)
	const hidden = "hidden-value"
	key := "-----BEGIN PRIVATE KEY-----\n" + hidden + "\n-----END PRIVATE KEY-----\n"
	for _, c := range []struct {
		name  string
		value string
		says  string
	}{
		{"base_url", "enms.example.com", `write "https://enms.example.com"`},
		{"base_url", "enms.example.com?token=" + hidden, "like https://enms.example.com"},
		{"base_url", "ftp://enms.example.com", `write "https://enms.example.com"`},
		{"base_url", "http://[::1", "like https://"},
		{"base_url", "https://u:" + hidden + "@enms.example.com", "must not contain a user or a password"},
		{"base_url", "https://enms.example.com/?token=" + hidden, "must not contain ?"},
		{"request_timeout", "soon", `"soon" is not a duration`},
		{"request_timeout", "0s", `"0s" is not a duration`},
		{"max_retries", "-1", `"-1" is not a number of at least 0`},
		{"max_retries", "1.5", `"1.5" is not a number of at least 0`},
		{"max_concurrent_requests", "0", `"0" is not a number of at least 1`},
		{"max_concurrent_requests", "all", `"all" is not a number of at least 1`},
		{"ca_cert_pem", hidden, "no certificate in PEM"},
		{"ca_cert_file", filepath.Join(t.TempDir(), hidden), "cannot be read"},
		{"ca_cert_file", t.TempDir(), "cannot be read"},
		{"client_key_file", filepath.Join(t.TempDir(), hidden), "cannot be read"},
		{"client_key_file", key, "use the setting that ends in _pem"},
		{"proxy_url", "u:" + hidden + "@proxy", "like http://proxy.example.com:3128"},
		{"proxy_url", "http://u:" + hidden + "%@proxy", "like http://proxy.example.com:3128"},
		{"headers", "no colon " + hidden, "a name of letters"},
		{"headers", "two words: " + hidden, "a name of letters"},
		{"headers", "X-A: " + hidden + "\x01", "a value on one line"},
		{"headers", "authorization: " + hidden, "contains the user and password"},
		{"headers", "content-type: " + hidden, "provider itself sets the header Content-Type"},
		{"base_url", " https://enms.example.com", "must not begin or end with a blank"},
		{"insecure_skip_verify", "maybe", `"maybe" is neither true nor false`},
		{"adopt_existing", "yes", `"yes" is neither true nor false`},
		{"deletion_policy", "burn", `"burn" is none of delete, cascade, abandon, disable`},
		{"identify_by", "content", `"content" is none of id, name`},
		{"former_base_urls", "https://a.example.com enms.example.com", `write "https://enms.example.com"`},
		{"former_base_urls", "https://a.example.com,https://", "like https://"},
		{"former_base_urls", "https://a.example.com\nhttps://u:" + hidden + "@enms.example.com", "must not contain a user or a password"},
	} {
		check := func(where string, block acctest.Attributes) {
			t.Helper()
			_, diags := told(t, block)
			said := diags.String()
			if !diags.Failed() || !strings.Contains(said, fmt.Sprintf("Invalid %s%s [AttributeName(%q)]", c.name, where, c.name)) ||
				!strings.Contains(said, c.says) || strings.Contains(said, hidden) || strings.Contains(strings.TrimSpace(said), "\n") {
				t.Errorf("%s = %q%s: %s", c.name, c.value, where, said)
			}
		}
		t.Setenv(acctest.VariableOf(c.name), c.value)
		check(fmt.Sprintf(" (from %s)", acctest.VariableOf(c.name)), acctest.NeededSettings(acctest.Attributes{c.name: nil}))
		t.Setenv(acctest.VariableOf(c.name), "")
		switch c.name {
		case "former_base_urls":
			check("", acctest.NeededSettings(acctest.Attributes{c.name: textList(c.value)}))
		case "insecure_skip_verify", "adopt_existing", "deletion_policy", "identify_by", "headers": // the schema sees to those, or below
		case "max_retries", "max_concurrent_requests": // numbers, which "all" is not
			if n, err := strconv.ParseFloat(c.value, 64); err == nil {
				check("", acctest.NeededSettings(acctest.Attributes{c.name: n}))
			}
		default:
			check("", acctest.NeededSettings(acctest.Attributes{c.name: c.value}))
		}
	}
	for _, headers := range []tftypes.Value{
		headerMap("X-A", hidden+"\nX-B: c"), headerMap("X-A", hidden+"\r"), headerMap("", hidden), headerMap("X A", hidden), headerMap("Authorization", hidden),
	} {
		if _, diags := told(t, acctest.NeededSettings(acctest.Attributes{"headers": headers})); !diags.Failed() || strings.Contains(diags.String(), hidden) {
			t.Errorf("%s: %s", headers, diags)
		}
	}
}

// X_pem and X_file together are an error wherever they come from: neither takes
// precedence silently.
func TestSettings_exclusive(t *testing.T) {
	acctest.NoEnvironment(t)
	authority := newAuthority(t)
	file := authority.file(t, "ca.pem", authority.pem)
	for _, name := range []string{"ca_cert", "client_cert", "client_key"} {
		pem, at := name+"_pem", name+"_file"
		_, diags := told(t, acctest.NeededSettings(acctest.Attributes{pem: authority.pem, at: file}))
		if said := diags.String(); strings.Count(said, "ERROR: Both "+pem+" and "+at) != 1 || strings.Count(said, "ERROR: Both "+at+" and "+pem) != 1 {
			t.Errorf("%s: %s", name, said)
		}
		t.Setenv(acctest.VariableOf(pem), authority.pem)
		t.Setenv(acctest.VariableOf(at), file)
		if _, diags := told(t, acctest.NeededSettings(nil)); !strings.Contains(diags.String(), "Both "+acctest.VariableOf(pem)+" and "+acctest.VariableOf(at)) {
			t.Errorf("%s from the environment: %s", name, diags)
		}
		t.Setenv(acctest.VariableOf(at), filepath.Join(t.TempDir(), "missing"))
		if name == "ca_cert" { // what is configured beats either variable
			if _, diags := told(t, acctest.NeededSettings(acctest.Attributes{pem: authority.pem})); diags.Failed() {
				t.Errorf("%s: %s", name, diags)
			}
		}
		t.Setenv(acctest.VariableOf(pem), "")
		t.Setenv(acctest.VariableOf(at), "")
	}
}

// TestSettings_unknown plans while settings are unknown: what exists stays as it
// is, a data source tells which setting it waits for.
func TestSettings_unknown(t *testing.T) {
	acctest.NoEnvironment(t)
	sim, url := simtest.Start(t, simulator.Options{})
	s := &acctest.Server{T: t, URL: url, User: "admin", Password: "admin", Simulator: sim}
	c := s.Core(nil)
	state := c.Applied("enms_device", acctest.Attributes{"name": "d"}, c.NoState("enms_device"))
	sim.ResetRequests()
	types := map[string]tftypes.Type{"max_retries": tftypes.Number, "max_concurrent_requests": tftypes.Number, "insecure_skip_verify": tftypes.Bool, "accept_plain_http": tftypes.Bool, "adopt_existing": tftypes.Bool,
		"headers": tftypes.Map{ElementType: tftypes.String}, "former_base_urls": tftypes.List{ElementType: tftypes.String}}
	for _, name := range acctest.BlockAttributes(t) {
		typ := types[name]
		if typ == nil {
			typ = tftypes.String
		}
		values := []tftypes.Value{tftypes.NewValue(typ, tftypes.UnknownValue)}
		if name == "headers" {
			values = append(values, tftypes.NewValue(typ, map[string]tftypes.Value{"X-A": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}))
		}
		if name == "former_base_urls" {
			values = append(values, tftypes.NewValue(typ, []tftypes.Value{tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}))
		}
		for _, unknown := range values {
			c, diags := acctest.TryCore(t, provider.New("test"), acctest.NeededSettings(acctest.Attributes{"base_url": url, name: unknown}))
			if diags.Failed() {
				t.Errorf("unknown %s: %s", name, diags)
			}
			if next, diags := c.Refresh("enms_device", state); len(diags) > 0 || !next.Value.Equal(state.Value) {
				t.Errorf("unknown %s: refreshed to %s: %s", name, next.Value, diags)
			}
			c.PlansNothing("enms_device", acctest.Attributes{"name": "d"}, state)
			if _, diags := c.ReadDataSource("enms_device", "d"); !strings.Contains(diags.String(), `Cannot read device "d"`) ||
				!strings.Contains(diags.String(), "In the provider block, "+name+" is still unknown.") {
				t.Errorf("unknown %s: %s", name, diags)
			}
			if _, diags := c.Apply("enms_device", acctest.Attributes{"name": "e"}, c.NoState("enms_device")); !strings.Contains(diags.String(), name+" is still unknown") {
				t.Errorf("unknown %s: %s", name, diags)
			}
		}
	}
	if len(sim.Requests()) > 0 {
		t.Errorf("%d requests", len(sim.Requests()))
	}
}

func TestSettings_warnings(t *testing.T) {
	acctest.NoEnvironment(t)
	const inClear, unchecked = "The password is not encrypted", "Certificates are not verified"
	for _, c := range []struct {
		block acctest.Attributes
		warns string
	}{
		{acctest.Attributes{"base_url": "https://enms.example.com"}, ""},
		{acctest.Attributes{"base_url": "http://enms.example.com"}, inClear},
		{acctest.Attributes{"base_url": "http://10.0.0.1:5000/x"}, inClear},
		{acctest.Attributes{"base_url": "http://[2001:db8::1]"}, inClear},
		{acctest.Attributes{"base_url": "http://localhost.example.com"}, inClear},
		{acctest.Attributes{"base_url": "http://localhost:5000"}, ""},
		{acctest.Attributes{"base_url": "http://LocalHost.:5000"}, ""},
		{acctest.Attributes{"base_url": "http://127.8.9.1:5000"}, ""},
		{acctest.Attributes{"base_url": "http://enms.example.com", "accept_plain_http": true}, ""},
		{acctest.Attributes{"base_url": "http://enms.example.com", "accept_plain_http": false}, inClear},
		{acctest.Attributes{"base_url": "http://127.0.0.2"}, ""},
		{acctest.Attributes{"base_url": "http://[::1]:5000"}, ""},
		{acctest.Attributes{"base_url": "http://enms.localhost"}, ""},
		{acctest.Attributes{"base_url": "https://enms.example.com", "insecure_skip_verify": true}, unchecked},
		{acctest.Attributes{"base_url": "https://enms.example.com", "insecure_skip_verify": false}, ""},
		{acctest.Attributes{"password": "p\n"}, "The password ends with a line break"},
	} {
		_, diags := told(t, acctest.NeededSettings(c.block))
		if diags.Failed() || diags.Warned() != (c.warns != "") || !strings.Contains(diags.String(), c.warns) {
			t.Errorf("%v: %s", c.block, diags)
		}
	}
	t.Setenv("ENMS_BASE_URL", "http://enms.example.com")
	t.Setenv("ENMS_INSECURE_SKIP_VERIFY", "true")
	if _, diags := told(t, acctest.NeededSettings(acctest.Attributes{"base_url": nil})); diags.Failed() || !strings.Contains(diags.String(), inClear) || !strings.Contains(diags.String(), unchecked) {
		t.Errorf("from the environment: %s", diags)
	}
	if _, diags := told(t, acctest.NeededSettings(acctest.Attributes{"base_url": "http://"})); strings.Contains(diags.String(), inClear) {
		t.Errorf("no host: %s", diags)
	}
}

// A provider for what only reads has the settings of the environment, with the errors and warnings of an empty block.
func TestFromEnvironment(t *testing.T) {
	acctest.NoEnvironment(t)
	if p, warnings, err := provider.FromEnvironment("test"); err == nil || p.Client != nil || len(warnings) > 0 {
		t.Errorf("without settings: %v, %q, %v", p.Client, warnings, err)
	}
	for name, setting := range map[string]string{"ENMS_BASE_URL": "http://enms.example.com", "ENMS_USERNAME": "u", "ENMS_PASSWORD": "p"} {
		t.Setenv(name, setting)
	}
	p, warnings, err := provider.FromEnvironment("test")
	if err != nil || p.Client == nil || len(warnings) != 1 || !strings.Contains(warnings[0], "The password is not encrypted: ") {
		t.Fatalf("%v, %q, %v", p.Client, warnings, err)
	}
	p.Client.Close()
}
