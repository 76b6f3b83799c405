// Package kind describes an instance type of eNMS by a table of attributes (Kind,
// Attribute). Everything else follows from the table; no field is named in a second place:
//
//	attribute.go  the rows of the table
//	kind.go       the table; plan.go: the plan of an instance as its hooks see it
//	table.go      the rows that every kind has; rows.go: which rows matter for which purpose
//	types.go      the types of the instances
//	values.go     the values of an attribute; compare.go: when two are the same
//	criteria.go   conditions on properties, as those of pools
//	names.go      names of instances
//	words.go      in what the lines of eNMS differ: for the client, and which line a field belongs to
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
// Values are checked by the table and not by the schema: before there is a plan as far as the
// configuration alone tells (plans.Validate), and again by the plan, which knows what eNMS holds. A
// value that eNMS holds already and that could not be configured is left out of an import, and
// does not fail a plan: it may stay, with a warning.
//
// All of it is pure: it sends nothing, waits for nothing and has no clock of its own. plans.New and
// the check after a write are given the time.
package kind
