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
//	delete.go    deletion by the deletion policy, and what may refuse it; dependents.go what eNMS deletes
//	             with an instance
//	plan.go      plans
//	import.go    import, and moves from other types
//
// Reading is package reading. The operations share:
//
//	owner.go         no two resources act on the same object
//	places.go        values that no two instances may share
//	readback.go      what eNMS has stored after a write
//	consequences.go  what this provider does after a write because eNMS does not
//	refusal.go       why eNMS refuses a write
//	instances.go     the instances of a kind
//
// Terraform enters in resource.go and datasource.go; package protocol calls plan.go in the framework's
// place.
//
// # From Terraform's call to the request
//
// A creation takes this path. Updates and deletions take the same path, with Update and Delete in place of
// Create.
//
//	protocol/server.go      ApplyResourceChange: the framework decodes the call
//	resource.go             instanceResource.Create: defaults and secrets
//	create.go               Instances.Create, createNew, sendNew (places.go: places.write);
//	                        kind/payloads: Create makes the payload of the plan
//	enms/create.go          Client.Create (enms/write.go: Client.write encodes the payload)
//	enms/batch/batch.go     Batcher.Do waits for other creations (enms/dispatch.go: runBatch)
//	enms/create.go          createBatch, sendCreations (enms/write.go: writing.post)
//	enms/endpoint/write.go  Client.Write (enms/endpoint/envelope.go: post): POST /rest/instance/<type>
//	enms/rest/request.go    Client.Do: the attempts
//
// finishAnswered (enms/write.go) gives each creation its part of the answer. Then readback.go reads the
// instance, and resource.go returns the state and the record.
//
// # When the response to a creation was lost
//
// The client decides first: it searches for the name, and takes an instance for the one that it
// sent if the content and last_modified say so (enms/create.go). If it cannot find out, Create returns
// a state and a pending creation (recover.go), which is kept in the private state (package record).
// The next read compares it with the instance that has the name (isOutcomeOfPending, reading/read.go).
//
// # Two resources, one object
//
// Plans that come second are refused (package planning). What no plan could know, because a name was
// unknown, is refused by the operation that comes second (owner.go). The object belongs to the resource
// that came first. Package applying holds what operations know of each other.
//
// # Members of pools
//
// eNMS computes them only on demand (enms-rest.md 2.4). kind.Recompute says after which changes, and
// for which endpoint; consequences.go asks for it after a write, and once more if devices were written
// after that. The client shares one request between all who ask.
package instance
