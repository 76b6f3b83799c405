// Package lifecycle is the resource, the data sources and the list resource behind every
// kind: one implementation, which a kind's table drives.
//
// # How to read it
//
// Terraform enters in these files:
//
//	resource.go      create, read, update, delete and import of a resource
//	plan.go          plans; kind.NewPlan makes them
//	datasource.go    one instance
//	listsource.go    a list of instances
//	listresource.go  terraform query
//	import.go        import of the entries of enms_instances; else read.go imports
//
// instances.go declares Instances, whose methods all of them call: Create, Read, Update and
// Delete are the same for a resource of one instance and for the entries of enms_instances
// (package bulk).
//
// Each moment in the life of an instance has a file:
//
//	create.go        creation; adopt.go takes over an existing instance
//	read.go          reading, and whether an instance is gone
//	update.go        update and rename
//	delete.go        deletion by the deletion policy; cascade.go finds what eNMS deletes with it
//	afterwrite.go    what eNMS holds after a write
//	consequences.go  what eNMS does only on demand, such as computing the members of pools
//
// # When an instance is gone
//
// It takes two steps. The client returns enms.ErrNotFound only after it asked eNMS for this
// one instance: that it is missing in a response about many proves nothing. Then read looks
// for its id, in case somebody renamed it. Only if that fails too, read returns no state, and
// Terraform plans to create the instance again. The same happens when the instance that has
// the name is not the one that a pending creation made.
//
// There is one exception: if the id now belongs to an instance with other content that this user
// wrote last, an interrupted apply may have renamed and changed it. Read keeps the state, and the
// plan decides by the planned name (Record.PossibleName, Record.IsGone).
//
// # What is kept beside the state
//
// The private state holds the managed attributes, which are reset when they are removed from
// the configuration, and pending writes, whose responses were lost (privatestate.go).
//
// # Operations that concern each other
//
// Terraform runs up to ten operations at the same time, in an order that knows nothing of the
// names in eNMS. What they know of each other is in the files run_*.go: records that live as
// long as the process, which is one run of Terraform, and are never asked of eNMS.
//
// Operations on the same object meet in ownership.go: whatever creates, adopts, updates or
// deletes passes through begin and note. Renames that wait for each other are in renames.go,
// writes that wait for a place in exchange.go, names that follow a workflow in scope.go.
//
// Plans meet as well. plannedobjects.go finds two resources that want the same object,
// plannedcascades.go what is deleted together with something that stays, plannednames.go names
// that are taken, lasttargets.go tasks that lose their last target.
//
// # Errors
//
// Errors (errors.go, and those of the client) become diagnostics in one file, diagnostics.go.
package lifecycle
