// Package kind describes an instance type of eNMS by a table of attributes (Kind,
// Attribute). Everything else follows from the table; no field is named in a second place:
//
//	attribute.go  the rows of the table
//	kind.go       the table and the rules beside it; plan.go: the plan of an instance as its rules see it
//	table.go      the rows that every kind has; rows.go: which rows matter for which purpose
//	types.go      the types of the instances
//	values.go     the values of an attribute; compare.go: when two are the same
//	criteria.go   conditions on properties
//	names.go      names of instances
//	words.go      how the lines of eNMS differ
//
// What follows from the table is in packages of its own, which know only this one and those above
// them in this list:
//
//	checks    whether a value is valid, by its row alone
//	schemas   the schemas, and with them the documentation
//	states    the state made of a response, and comparing a response with what was sent or planned
//	relate    relations with other instances
//	payloads  what is sent
//	plans     the plan and its checks, defaults, generated configuration
//	many      entries of enms_instances
//	lists     list data sources and queries
//	identify  imports and moves
//
// Values are checked by the table and not by the schema: first the configuration alone
// (plans.Validate), then the plan, which knows the values in eNMS. eNMS may have a value that could not
// be configured. An import leaves it out, and a plan keeps it, with a warning.
//
// These packages send nothing, wait for nothing and have no clock of their own. plans.New and the check
// after a write get the time as an argument.
package kind
