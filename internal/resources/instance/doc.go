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
//	delete.go    deletion by the deletion policy, what may refuse it, and what eNMS deletes with an instance
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
// The other calls of Terraform enter in resource.go and datasource.go; package protocol calls plan.go in
// the framework's place.
//
// # Questions, and the files that answer them, in order
//
// What happens from ApplyResourceChange to the POST?
//
//	create.go               instanceResource.Create, Instances.Create, createNew, sendNew
//	enms/create.go          Client.Create; in a batch with others: createBatch, sendCreations
//	enms/write.go           Client.write encodes the payload; writing.post; finishAnswered gives each
//	                        creation its part of the answer
//	enms/endpoint/write.go  Client.Write, post: POST /rest/instance/<type>
//
// Updates and deletions take the same path, in update.go and delete.go, enms/change.go and
// enms/delete.go. enms/dispatch.go calls these for the operations of a batch.
//
// What happens when an answer is lost?
//
//	enms/create.go   creationsLost: what exists with the content that was sent, and was written since, is its
//	                 own; the rest is sent again (renames: renamesLost in enms/change.go)
//	recover.go       if the client cannot find out: the state, and a pending creation in the private state
//	reading/read.go  isOutcomeOfPending: the next read compares it with the instance that has the name
//
// Where is a deletion refused? At the top of delete.go is the list. Where is a mass deletion decided?
//
//	entries/deletions.go  checkDeletions, checkDestruction: max_deletions
//	entries/plan.go       checkUpdate, checkReplacement and planDeletion call them
//	entries/apply.go      destroy asks again, because Terraform does not plan all destructions
//
// How does a default of the provider block reach the POST and the state?
//
//	create.go                 instanceResource.Create
//	kind/plans/defaults.go    WithDefaults puts it into the configuration, Shown decides what the state shows
//	kind/payloads/payload.go  Create makes the payload of configuration and plan
//
// How many names go into one request: "Limits" in enms/doc.go.
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
