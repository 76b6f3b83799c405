// Package simtest starts a simulated eNMS for the length of a test.
package simtest

import (
	"net/http/httptest"
	"os"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// Start serves a new simulator on a port of its own and gives it with its base
// URL. It is closed when the test ends. The user is admin, the password admin.
func Start(t testing.TB, opts simulator.Options) (*simulator.Server, string) {
	t.Helper()
	s := simulator.New(opts)
	served := httptest.NewServer(s)
	t.Cleanup(served.Close)
	return s, served.URL
}

// Servers are the simulated servers that stand for what people run.
var Servers = map[string]simulator.Options{
	"sqlite":     {},
	"postgresql": {Database: simulator.PostgreSQL},
	"mariadb":    {Database: simulator.MariaDB},
	"enms-5.3":   {Version: simulator.V53},
	// What a 4.4 of January 2023 does, as far as it concerns this provider.
	"enms-4.4": {NoMatch403: true, Delete403: true, MissingFields: []string{
		"service.disabled", "service.disabled_info", "service.email_report", "service.last_run",
		"service.parameterized_form_template", "service.runs", "device.runs", "pool.runs",
		"netmiko_commands_service.read_timeout", "netmiko_commands_service.conn_timeout",
		"netmiko_commands_service.auth_timeout", "netmiko_commands_service.banner_timeout",
		"netmiko_configuration_service.read_timeout", "netmiko_configuration_service.conn_timeout",
		"netmiko_configuration_service.auth_timeout", "netmiko_configuration_service.banner_timeout"}},
}

// ServerName returns the name of the server that this run is about, which the environment
// variable ENMS_TEST_SERVER names.
func ServerName() string {
	if name := os.Getenv("ENMS_TEST_SERVER"); name != "" {
		return name
	}
	return "sqlite"
}
