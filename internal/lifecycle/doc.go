// Package lifecycle is the resource, the data sources and the list resource behind every
// kind: one implementation, which a kind's table drives.
//
// # How to read it
//
// Terraform enters in these files:
//
//	resource.go  create, read, update, delete and import of a resource; the data source of one
//	             instance
//	plan.go      plans; kind.NewPlan makes them
//	list.go      the data source of many instances, and terraform query
//	import.go    import of the entries of enms_instances, and of all instances for an export;
//	             else read.go imports
//
// provider.go declares Instances, whose methods all of them call: Create, Read, Update and
// Delete are the same for a resource of one instance and for the entries of enms_instances
// (package bulk).
//
// Each moment in the life of an instance has a file:
//
//	create.go      creation, adoption, and what a failed creation has left
//	place.go       which edge an adoption takes over
//	identity.go    which instance is the one in a state
//	read.go        reading, whether an instance is gone, and the private state
//	update.go      update and rename
//	delete.go      deletion by the deletion policy, with what eNMS deletes with it
//	afterwrite.go  what eNMS holds after a write, and what it does only on demand
//	refusal.go     why eNMS refuses a write
//
// # When an instance is gone
//
// It takes two steps. The client returns enms.ErrNotFound only after it asked eNMS for this
// one instance: that it is missing in a response about many proves nothing (queryOne in
// enms/find.go). Then Read in read.go looks for its id, in case somebody renamed it. Only if that
// fails too, Read returns no state, and Terraform plans to create the instance again. The same
// happens when the instance that has the name is not the one that a pending creation made.
//
// There is one exception: if the id now belongs to an instance with other content that this user
// wrote last, an interrupted apply may have renamed and changed it. Read keeps the state, and the
// plan decides by the planned name (Record.PossibleName, Record.IsGone). An entry of enms_instances
// is gone then: its state would equal its configuration, so that Terraform would apply nothing.
//
// # Which instance is the one in the state
//
// The one with its name and its content, whatever its id: a restore of eNMS gives every object
// another id (identity.go). The state takes the new id. If the instance with the name has other
// content, somebody may have renamed the own one and made another with its name (mayBeRenamed), or
// given its name to an older one, if the reads of the run prove that the server was not restored.
// Otherwise the name decides, and the plan shows what differs. So it is before deletions
// (findByNameAndID in delete.go), too. The entries of one enms_instances never share an instance
// (sharing in bulk/outcome.go).
//
// # When somebody else has renamed an instance
//
// Read finds no instance with the name, and one with the id (findRenamed in read.go). eNMS reuses
// ids, so it is the same instance only if its content is (kind.SameContent), and, unless the reads of
// the run prove that the server was not restored (idEvidence), if no other instance has that content,
// too: then the error names them (checkUnambiguous). The state then has
// the new name, and the plan renames it back in place. An update that meets such a rename after
// the plan fails before it writes (resolveRename in update.go), and so does a deletion
// (failIfRenamed in delete.go). What eNMS renames along with a workflow is no such case: NameNow
// in operations.go knows the names that this process has changed.
//
// # When the response to a creation was lost
//
// The client decides first: it searches for the name, and takes an instance for the one that it
// sent if the content and last_modified say so (creationsLost in enms/write.go). If it cannot
// find out, Create returns a state and a pending creation (recoverFailedCreate in create.go),
// which is kept in the private state. The next Read compares it with the instance that has the
// name (isOutcomeOfPending in read.go, kind.CreatedBy).
//
// # What is kept beside the state
//
// The private state holds the managed attributes, which are reset when they are removed from
// the configuration, and pending writes, whose responses were lost (Record in read.go).
//
// # Operations that concern each other
//
// Terraform runs up to ten operations at the same time, in an order that knows nothing of the
// names in eNMS. What they know of each other is in the files run_*.go: records that live as
// long as the process, which is one run of Terraform, and are never asked of eNMS.
//
// Operations on the same object meet in operations.go: whatever creates, adopts, updates or
// deletes passes through begin and note. So do renames that wait for each other, writes that wait
// for a place, and names that follow a workflow.
//
// Plans meet as well. plan.go finds two resources that want the same object, and what is deleted
// together with something that stays; plannednames.go names that are taken; lasttargets.go tasks
// that lose their last target.
//
// # Two resources, one object
//
// That includes an entry of enms_instances and a resource such as enms_device: both pass through
// the same checks. Two that create the same name are refused by the plan that comes second
// (CheckCreation in plan.go), as are one that deletes or adopts what the other keeps
// (CheckDeletion, CheckAdoption, CheckKept). bulk/plan.go calls them for entries. What no plan
// could know, because a name was unknown, is refused by the operation that comes second
// (checkOwner in operations.go). The object belongs to the resource that came first.
//
// # Members of pools
//
// eNMS computes them only on demand (enms-rest.md 2.4). kind.Recompute says after which changes,
// and for which endpoint; afterwrite.go asks for it after a write (recompute), and once more if
// devices were written after that (computeLate). The client shares one request between all who
// ask, and says which pools keep eNMS from it (enms/recompute.go).
//
// # Errors
//
// Errors (errors.go, and those of the client) become diagnostics in one file, diagnostics.go.
package lifecycle
