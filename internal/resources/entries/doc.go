// Package entries is the resource enms_instances: many instances of one type, as they come
// from a file.
//
// It implements the plugin protocol itself, because the framework's work grows with the square of
// the size of a value: five thousand entries take it minutes. many.Config reads an entry by
// the table of its kind. instance.Instances treats the instance of an entry like that of a resource of one
// instance. There is a goroutine for each entry, and the client lets these share requests.
//
// The state contains only the configured members of each entry. What else a plan needs, such as
// ids, is in the private state (entryRecord in private.go). If a part of the creation failed,
// Terraform marks the resource as tainted and replaces it, and it does not pass the private state
// of a tainted resource to its destruction. Therefore the state of a creation that failed has the ids,
// too (withIDs). Instances whose ids are unknown are not deleted.
//
//	server.go       the short calls of the protocol
//	plan.go         the plan
//	plancheck.go    the plan against eNMS
//	deletions.go    how many entries are deleted, and max_deletions: plans and the destruction ask it
//	apply.go        the apply, its order, and the destruction
//	read.go         refresh and import
//	collection.go   the entries: configuration against state
//	item.go         one entry: what is configured, planned and in the state
//	private.go      the private state
//	order.go        which entry waits for which
//	parallel.go     work on many entries at the same time
//	defaults.go     the attribute defaults: what the entries have by the provider block
//	outcome.go      what became of the entries, which makes the next state
//	diagnostics.go  diagnostics about entries
//	values.go       the schema and the identity; configurations and states
//
// An entry whose object another resource has is refused like a second resource for the object, see
// package instance. If another actor has renamed an instance, its entry keeps its key, and the
// entry in the state contains the new name (read in read.go, followed in collection.go).
package entries
