// What types do beyond keeping values.

package model

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// Hooks are what eNMS does with the objects of a type beyond keeping values.
type Hooks struct {
	// Construct runs before the first assignment to a new object.
	Construct func(*Session, *database.Object, *python.Dict) error
	// Update runs before the assignments and returns what runs after them.
	Update func(*Session, *database.Object, *python.Dict) (after func() error, err error)
	// Created runs once a new object is whole.
	Created func(*Session, *database.Object, *python.Dict)
	// Rights replaces the owners and rights of a new object (6.3).
	Rights func(*Session, *database.Object) error
	// Remove runs before a deletion; a reason stops it.
	Remove func(*Session, *database.Object) (reason string, err error)
	// Along returns what is deleted before the object itself.
	Along func(*database.Object) []*database.Object
	// Computed are the fields that are made when they are read; ok is false where the
	// property does not exist on an object.
	Computed map[string]func(*Process, *database.Object) (value any, ok bool)
}

// HooksOf returns the hooks of a type: its own, or those of its parent.
func HooksOf(m *database.Type) Hooks {
	for ; m != nil; m = m.Parent {
		if h, ok := hooksByType[m.Name]; ok {
			return h
		}
	}
	return Hooks{}
}

var hooksByType = map[string]Hooks{
	"object":  {Update: updateInventory, Remove: removeInventory},
	"network": {Update: updateNetwork, Remove: removeInventory},
	"pool":    {Update: updateTouched},
	"service": {Construct: constructService, Update: updateService, Remove: removeService},
	"workflow": {Construct: constructWorkflow, Update: updateService, Created: placeEnd,
		Remove: removeService, Along: membersOf},
	"workflow_edge": {Construct: constructEdge, Update: updateEdge},
	"task": {Update: updateTask, Remove: removeTask, Computed: map[string]func(*Process, *database.Object) (any, bool){
		"next_run_time": nextRunTime, "time_before_next_run": timeBeforeNextRun}},
	"run": {Computed: map[string]func(*Process, *database.Object) (any, bool){
		"progress": runProgress, "service_properties": runServiceProperties}},
	"credential": {Update: updateTouched},
	"user":       {Update: updateUser, Rights: (*Session).refreshRights, Remove: removeUser},
	"group":      {Update: updateGroup},
	"server":     {Update: updateServer},
}
