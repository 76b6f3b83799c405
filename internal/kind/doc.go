// Package kind describes an instance type of eNMS by a table of attributes (Kind,
// Attribute). Everything else follows from the table; no field is named in a second place:
//
//	attribute.go   the rows of the table, and which of them matter for which purpose
//	kind.go        the table, and the rows that every kind has
//	schema.go      the schema, and with it the documentation
//	plan.go        the plan and its checks; planvalues.go: what becomes of each attribute
//	defaults.go    the defaults of the provider block
//	payload.go     what is sent
//	state.go       the state made of a response
//	values.go      the values of an attribute, and when two are the same
//	valuecheck.go  whether a value is valid, by its row alone
//	criteria.go    conditions on properties, as those of pools
//	secret.go      secrets, from the configuration to the request
//	relations.go   relations with other instances
//	entry.go       the same for an entry of enms_instances
//	list.go        the schema and the values of lists; listing.go: what they search for
//	identity.go    the identity, by which an instance is imported
//	move.go        the state of another type of resource, from which a moved block leads here
//	generate.go    the configuration of an existing instance
//	outcome.go     comparing a response with what was sent or planned
//
// Values are checked by the table and not by the schema: before there is a plan as far as the
// configuration alone tells (Validate), and again by the plan, which knows what eNMS holds. A
// value that eNMS holds already and that could not be configured is left out of an import, and
// does not fail a plan: it may stay, with a warning.
//
// An attribute that is removed from the configuration is reset to its default if this provider
// manages it: planvalues.go plans the default (Plan.attribute, Attribute.resetValue) and lists
// what is managed (Managed). The list is kept in the private state (lifecycle/read.go).
//
// The package is pure: it sends nothing, waits for nothing and has no clock of its own.
// NewPlan and the check after a write are given the time.
package kind
