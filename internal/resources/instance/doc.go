// Package instance is the resource and the data source of one instance behind every kind: one
// implementation, which a kind's table drives. The entries of enms_instances (package entries) use the
// same operations.
//
// # How to read it
//
// Each moment in the life of an instance has a file, whose operation is at its top:
//
//	create.go    creation and adoption
//	recover.go   what a failed creation has left
//	update.go    update; afterupdate.go what an update has done
//	rename.go    renames, and exchanges of names
//	delete.go    deletion by the deletion policy, and what may refuse it; dependents.go what eNMS deletes with an instance
//	plan.go      plans
//	import.go    import, and moves from other types, which the framework calls by resource.go
//
// Reading is package reading. The operations share:
//
//	write.go         what a creation and an update have in common: one value that goes through all their steps
//	owner.go         no two resources act on the same object
//	place.go         kinds whose instances are told apart by their place: its waits, their names, their ends
//	readback.go      what eNMS has stored after a write
//	consequences.go  what this provider does after a write because eNMS does not
//	refusal.go       why eNMS refuses a write
//	instances.go     the instances of a kind
//
// Package protocol calls lifecycle.go in the framework's place; the data source is datasource.go.
//
// # From ApplyResourceChange to the POST
//
//	protocol/server.go      ApplyResourceChange records that an apply runs
//	protocol/instances.go   ApplyResourceChange decodes the plan
//	create.go               Lifecycle.Create; Instances.Create; then write.create, createNew, sendNew
//	enms/create.go          Client.Create
//	enms/write.go           Client.write encodes the payload, and waits for a batch
//	enms/new.go             newWrites; writing.run begins the batch
//	enms/create.go          createBatch, sendCreations
//	enms/write.go           writing.post; finishAnswered gives each creation its part of the answer
//	enms/endpoint/write.go  Client.Write, post: POST /rest/instance/<type>
//
// Updates and deletions (type deletion) take the same path, in update.go and delete.go, enms/change.go and enms/delete.go. The
// files for other questions are in CONTRIBUTING.md, "Where a question is answered".
//
// # Two resources, one object
//
// Plans know nothing of each other. The object belongs to the resource whose operation comes first in an apply;
// the second one is refused (owner.go). Package applying holds what operations know of each other.
//
// # Somebody else's instance
//
// An apply may be older than what others did. Before an update or a deletion, checkIdentity (update.go) asks again
// which instance is that of the state (package reading).
//
// # What eNMS computes
//
// eNMS computes some members only on demand (enms-rest.md 2.4). kind.Recompute says after which changes, and
// for which endpoint; consequences.go asks for it after a write, and once more if devices were written
// after that. The client shares one request between all who ask.
package instance
