// Package terraformtest is a model of Terraform's core, for tests: it evaluates a configuration,
// plans and applies it over the plugin protocol in this process, in milliseconds, with the checks
// that Terraform makes. Nothing but tests imports it.
//
//	terraform.go    a working directory: a state, and what plan and apply do to it
//	plan.go         a plan: what it reads, and what it plans for each resource
//	apply.go        an apply
//	order.go        what comes before what in both;  graph.go  does it in that order
//	change.go       what a plan does with a resource
//	config.go       a configuration in HCL;  parse.go, syntax.go  read it
//	addresses.go    addresses of resources and modules
//	evaluate.go     the values of its expressions
//	functions.go    the functions that expressions may call
//	moves.go        moved and removed blocks
//	process.go      the calls of the protocol for one resource or data source
//	checks.go       what Terraform checks of their results
//	value.go        values of the protocol
//	diagnostics.go  diagnostics, and how Terraform prints them
//	print.go        errors as Terraform prints them
//	show.go         plans and states as `terraform show -json` has them
//
// The model does not have all of Terraform. Parse returns ErrNotInModel for a configuration that
// needs more.
package terraformtest
