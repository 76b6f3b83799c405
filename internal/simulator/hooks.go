// What types do beyond keeping values.

package simulator

// hooks are where eNMS does more with the objects of a type than keep values.
type hooks struct {
	// construct runs before the first assignment to a new object.
	construct func(*session, *object, *dict) error
	// update runs before the assignments and returns what runs after them.
	update func(*session, *object, *dict) (after func() error, err error)
	// created runs once a new object is whole.
	created func(*session, *object, *dict)
	// rights replaces the owners and rights of a new object (6.3).
	rights func(*session, *object) error
	// remove runs before a deletion; a reason stops it.
	remove func(*session, *object) (reason string, err error)
	// along returns what is deleted before the object itself.
	along func(*object) []*object
	// computed are the fields that are made when they are read; ok is false where the
	// property does not exist on an object.
	computed map[string]func(*process, *object) (value any, ok bool)
}

// hooksOf returns the hooks of a type: its own, or those of its parent.
func hooksOf(m *model) hooks {
	for ; m != nil; m = m.parent {
		if h, ok := hooksByType[m.name]; ok {
			return h
		}
	}
	return hooks{}
}

var hooksByType = map[string]hooks{
	"object":  {update: updateInventory, remove: removeInventory},
	"network": {update: updateNetwork, remove: removeInventory},
	"pool":    {update: updateTouched},
	"service": {construct: constructService, update: updateService, remove: removeService},
	"workflow": {construct: constructWorkflow, update: updateService, created: placeEnd,
		remove: removeService, along: membersOf},
	"workflow_edge": {construct: constructEdge, update: updateEdge},
	"task": {update: updateTask, remove: removeTask, computed: map[string]func(*process, *object) (any, bool){
		"next_run_time": nextRunTime, "time_before_next_run": timeBeforeNextRun}},
	"run": {computed: map[string]func(*process, *object) (any, bool){
		"progress": runProgress, "service_properties": runServiceProperties}},
	"credential": {update: updateTouched},
	"user":       {update: updateUser, rights: (*session).refreshRights, remove: removeUser},
	"group":      {update: updateGroup},
	"server":     {update: updateServer},
}
