// Package bulk is the resource enms_instances: many instances of one type, as they come
// from a file.
//
// It implements the plugin protocol itself, because the framework's work grows with the
// square of the size of a value: five thousand entries take it minutes. kind.EntryConfig
// reads an entry by the table of its kind, lifecycle.Instances does with its instance what it does
// for a resource of one instance, one goroutine for each entry, and the client lets them
// share requests.
//
// The state holds of each entry only what is configured. What a plan needs besides, such as
// ids, is in the private state (record.go). Terraform marks a resource as tainted when a part
// of its creation failed, replaces it, and does not pass the private state of a tainted
// resource to its destruction. Instances whose ids are unknown for that reason are deleted
// only if eNMS holds what their entries say (destroy.go).
//
//	server.go    the short calls of the protocol
//	plan.go      the plan; compare.go plans each entry
//	apply.go     the apply; order.go finds the order of the entries
//	destroy.go   the destruction
//	read.go      refresh; importing.go begins an import
//	outcome.go   what became of the entries, which makes the next state
//	record.go    the private state
package bulk
