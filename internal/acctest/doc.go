// Package acctest is what the tests of the provider stand on; nothing but tests imports it.
//
// Servers:
//
//	kinds.go        the kinds of server that tests run against
//	server.go       the eNMS of one test, and what others do there
//	proxy.go        changes the answers of an eNMS
//	watched.go      records what a provider sends
//	environment.go  the environment variables of the provider block
//
// Terraform:
//
//	steps.go        the steps of an acceptance test, played by the model in terraformtest
//	workspace.go    the real Terraform in a directory;  directory.go  the model or the real one
//	core.go         Terraform's part over the plugin protocol, without Terraform
//
// Configurations and checks:
//
//	legal.go           legal configurations of every kind
//	configurations.go  configurations, servers and checks of several packages
//	entries.go         configurations of enms_instances
//	queries.go         data sources and list resources
//	values.go          values of a state in Go
//	diagnostics.go     checks of diagnostics
//	long.go            which tests belong to `make test-long`
package acctest
