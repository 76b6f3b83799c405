// Package acctest is what the tests of the provider stand on; nothing but tests imports it.
//
//	kinds.go      the kinds of server that tests run against
//	server.go     the eNMS of one test, and what others do there
//	proxy.go      what changes the answers of an eNMS
//	core.go       Terraform's part over the plugin protocol, without Terraform
//	workspace.go  the real Terraform in a directory
//	legal.go      legal configurations of every kind
//	values.go     values of a state in Go
package acctest
