// Package kind describes an instance type of eNMS by a table of attributes (Kind,
// Attribute). Everything else follows from the table; no field is named in a second place:
//
//	schema.go     the schema, and with it the documentation
//	plan.go       the plan: configuration, state and managed attributes in, planned values out
//	payload.go    what is sent
//	state.go      the state made of a response
//	entry.go      the same for an entry of enms_instances
//	list.go       the schema and the values of lists; listing.go: what they search for
//	identity.go   the identity, by which an instance is imported
//	generate.go   the configuration of an existing instance
//	outcome.go    comparing a response with what was sent or planned
//
// selection.go decides once which rows matter for which purpose.
//
// Values are checked by the table and not by the schema (valuecheck.go): before there is a
// plan as far as the configuration alone tells (validate.go), and again by the plan, which
// knows what eNMS holds. A value that eNMS holds already and that could not be configured is
// left out of an import, and does not fail a plan: it may stay, with a warning.
//
// The package is pure: it sends nothing, waits for nothing and has no clock of its own.
// NewPlan and the check after a write are given the time.
package kind
