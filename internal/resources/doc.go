// Package resources declares what all resources and data sources share: the configured provider, and what one run has
// looked up.
//
//	provider.go     the configured provider
//	address.go      whether a state belongs to this eNMS
//	base.go         what resources, data sources and actions embed
//	lookups.go      what this run has looked up in eNMS
//	suggestions.go  existing names and types in place of missing ones
//	names.go        names of instances in diagnostics
//	parallel.go     many calls at the same time
//
// The packages below it. Each may import this package and those before it in the list:
//
//	record/      what is kept beside the state of an instance
//	failures/    errors, and the diagnostics that they become
//	reading/     finding and reading an instance
//	planning/    what a plan asks eNMS
//	listing/     the data source of many instances, and terraform query
//	instance/    the resource of one instance
//	entries/     the resource enms_instances
//	operations/  runs, computations of pools, fetched configurations
//	layout/      layouts of workflows and networks
package resources
