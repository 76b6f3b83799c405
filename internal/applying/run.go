// Package applying holds what the operations and the plans of one run of Terraform must know of each
// other. Terraform runs up to ten of them at a time, in an order that knows nothing of the names in
// eNMS. Nothing here is asked of eNMS, and nothing outlives the process.
//
//	run.go       the records of a run
//	plans.go     the little that plans know of each other
//	owners.go    which operations are in progress, and which resource has which object
//	names.go     renames that wait for each other; names that must not change while an operation uses them
//	places.go    writes that wait for values which no two instances may share
//	releases.go  what was given up, and whether that came after somebody asked
//	activity.go  counts what is in progress; computations that eNMS makes only on demand
package applying

// Run holds the records of one run of Terraform, which is one process of the provider. The zero value
// is ready to use.
type Run struct {
	Plans        Plans
	Targets      Targets
	Owners       Owners
	Renames      Renames
	Places       Places
	Names        Names
	Computations Computations
	Layouts      Names           // held while a layout writes a workflow or network
	LayoutItems  Set[LayoutItem] // what layouts draw, so that a layout does not remove what was moved to another one
}

// LayoutItem is a member or a label of a workflow or network: the type and the name of the workflow or
// network, and either the name of the member or the text of the label.
type LayoutItem struct{ Type, Of, Member, Label string }
