// Package simtest starts a simulated eNMS for the length of a test.
package simtest

import (
	"net/http/httptest"
	"os"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// Start serves a new simulator on its own port until the test ends, and returns it with its base URL. The user
// and the password are admin.
func Start(t testing.TB, opts simulator.Options) (*simulator.Server, string) {
	t.Helper()
	s := simulator.New(opts)
	return s, Serve(t, s)
}

// Serve serves a simulator, such as a clone of another one, on its own port until the test ends, and returns its base
// URL.
func Serve(t testing.TB, s *simulator.Server) string {
	t.Helper()
	served := httptest.NewServer(s)
	t.Cleanup(served.Close)
	return served.URL
}

// Servers are the kinds of server that tests run against, by the value of ENMS_TEST_SERVER.
var Servers = map[string]simulator.Options{
	"sqlite":     {},
	"postgresql": {Database: simulator.PostgreSQL},
	"mariadb":    {Database: simulator.MariaDB},
	"enms-5.3":   {Version: simulator.V53},
	// eNMS 4.4 of January 2023, as far as it concerns this provider.
	"enms-4.4": {NoMatch403: true, Delete403: true, MissingFields: []string{
		"service.disabled", "service.disabled_info", "service.email_report", "service.last_run",
		"service.parameterized_form_template", "service.runs", "device.runs", "pool.runs",
		"netmiko_commands_service.read_timeout", "netmiko_commands_service.conn_timeout",
		"netmiko_commands_service.auth_timeout", "netmiko_commands_service.banner_timeout",
		"netmiko_configuration_service.read_timeout", "netmiko_configuration_service.conn_timeout",
		"netmiko_configuration_service.auth_timeout", "netmiko_configuration_service.banner_timeout"}},
}

// ServerName returns the kind of server that the environment variable ENMS_TEST_SERVER selects.
func ServerName() string {
	if name := os.Getenv("ENMS_TEST_SERVER"); name != "" {
		return name
	}
	return "sqlite"
}
