// Package model has the types of eNMS. A type is a table, and what eNMS does when an object of the type is
// written, read or deleted is a row in hooksByType. Hooks work in a Session. Numbers in
// comments are sections of enms-rest.md.
//
//	types.go         all types, foreign keys, and the hooks
//	words.go         the functions with which tables of types are written
//	inventory.go     devices, networks, links and pools
//	services.go      services, workflows and edges;  servicerules.go  their names and positions
//	automation.go    tasks, runs, users, groups, credentials
//	data.go          stores and secrets of 5.3
//	session.go       a transaction, the caller with their rights, and the process that answers
//	changelog.go     the changelog
package model

import (
	"fmt"
	"strings"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// New returns the schema of a server of a version. hidden are the types that the server does not have, and missing
// the properties, such as "task.pools". A missing property that no server has is an error.
func New(version Version, hidden, missing []string) (*database.Schema, error) {
	s := &database.Schema{Types: Types(version), ForeignKeys: foreignKeys[version], Hidden: hidden, Inverts: version == V53, Missing: map[string][]string{}}
	for _, name := range missing {
		typ, property, _ := strings.Cut(name, ".")
		m := s.Types[typ]
		if m == nil || m.Fields[property] == nil && m.Relations[property] == nil {
			return nil, fmt.Errorf("there is no property %q", name)
		}
		s.Missing[property] = append(s.Missing[property], typ)
	}
	return s, nil
}

// Types returns all instance types of a version. They are the same for all its servers and never change.
func Types(version Version) map[string]*database.Type { return typesOf[version]() }

var typesOf = [...]func() map[string]*database.Type{V47: declared(V47), V53: declared(V53)}

// declared returns a function that makes the types of a version, once.
func declared(version Version) func() map[string]*database.Type {
	return sync.OnceValue(func() map[string]*database.Type {
		c := catalog{version, map[string]*database.Type{}}
		for _, declare := range []func(catalog){inventoryTypes, serviceTypes, automationTypes, dataTypes, siteTypes} {
			declare(c)
		}
		return c.types
	})
}

// siteTypes declares types that only one site has.
func siteTypes(c catalog) {
	c.service(SiteService, text("", "script"))
	c.root(SiteRack, text("", "description", "room"), integer(int64(42), "height"))
	c.root(SiteCollector, text("", "address"), secret("token"))
}

// foreignKeys are Schema.ForeignKeys of the versions.
var foreignKeys = [...]map[string]database.ForeignKey{
	V47: {
		"credential": {Table: "service", Relation: "named_credential"},
		"workflow":   {Table: "service", Relation: "superworkflow", Cleared: true},
		"service":    {Table: "run", Relation: "service", Deleted: true},
		"task":       {Table: "run", Relation: "task", Cleared: true},
	},
	V53: {
		"credential": {Table: "service", Relation: "named_credential", Cleared: true},
		"workflow":   {Table: "service", Relation: "superworkflow", Cleared: true},
		"service":    {Table: "run", Relation: "service", Deleted: true},
		"port":       {Table: "data", Relation: "source_port", Cleared: true},
		"data":       {Table: "data", Relation: "destination_port", Cleared: true},
	},
}

// Hooks are what eNMS does with the objects of a type, apart from storing values.
type Hooks struct {
	// Construct runs before the first assignment to a new object.
	Construct func(*Session, *database.Object, *python.Dict) error
	// Key returns the name by which a payload finds the existing object that it updates, if that is not
	// the name in the payload: files are found by their paths.
	Key func(*python.Dict) string
	// Update runs before the assignments and returns what runs after them, or nil.
	Update func(*Session, *database.Object, *python.Dict) (after func() error, err error)
	// Posted runs after the request that wrote an object was committed (5.3).
	Posted func(*Session, *database.Object) error
	// Created runs after a new object is complete.
	Created func(*Session, *database.Object, *python.Dict)
	// Rights replaces the owners and rights of a new object (6.3).
	Rights func(*Session, *database.Object) error
	// Remove runs before a deletion. If it returns a reason, the object is not deleted.
	Remove func(*Session, *database.Object) (reason string, err error)
	// Along returns the other objects that eNMS deletes with the object, and before it.
	Along func(*database.Object) []*database.Object
	// Found returns the properties that a search adds to each object that it finds.
	Found func(*database.Object) (python.Record, error)
	// Computed has the fields that are computed when they are read. ok is false if the object does not
	// have the property.
	Computed map[string]func(*Process, *database.Object) (value any, ok bool)
}

// HooksOf returns the hooks of a type: its own, or those of its parent.
func HooksOf(m *database.Type) Hooks {
	for ; m != nil; m = m.Parent {
		if h, ok := hooksByType[m.Version][m.Name]; ok {
			return h
		}
	}
	return Hooks{}
}

var hooksByType = [...]map[string]Hooks{V47: hooks47, V53: hooks53}

var hooks47 = map[string]Hooks{
	"object":  {Update: updateInventory, Remove: removeInventory},
	"network": {Update: updateNetwork, Remove: removeInventory},
	"pool":    {Update: touchAfterwards},
	"service": {Construct: constructService, Update: updateService, Remove: removeService},
	"workflow": {Construct: constructWorkflow, Update: updateService, Created: placeEnd,
		Remove: removeService, Along: membersOf},
	"workflow_edge": {Construct: constructEdge, Update: updateEdge},
	"task": {Update: updateTask, Remove: removeTask, Computed: map[string]func(*Process, *database.Object) (any, bool){
		"next_run_time": nextRunTime, "time_before_next_run": timeBeforeNextRun}},
	"run": {Computed: map[string]func(*Process, *database.Object) (any, bool){
		"progress": runProgress, "service_properties": serviceProperties}},
	"credential": {Update: touchAfterwards},
	"user":       {Update: updateUser, Rights: (*Session).refreshRights, Remove: removeUser},
	"group":      {Update: updateGroup},
	"server":     {Update: updateServer},
	"changelog":  {Update: refuseEntry},
}

var hooks53 = map[string]Hooks{
	"object":  {Update: updateLocated, Remove: removeInventory},
	"network": {Update: updateLocated, Remove: removeInventory, Posted: placeNetwork},
	"pool":    {Posted: (*Session).ComputePool},
	"service": {Construct: constructService, Update: updateMember, Remove: removeService, Posted: postedService},
	"workflow": {Construct: constructWorkflow, Update: updateMember, Created: placeSharedEnd,
		Remove: removeService, Along: membersOf, Posted: postedService},
	"workflow_edge": {Construct: constructEdge, Update: updateEdge},
	"task": {Remove: removeTask, Posted: postedTask, Computed: map[string]func(*Process, *database.Object) (any, bool){
		"next_run_time": nextRunTime, "time_before_next_run": timeBeforeNextRun, "service_properties": serviceProperties}},
	"run": {Found: foundRun, Computed: map[string]func(*Process, *database.Object) (any, bool){
		"progress": runProgress, "service_properties": serviceProperties}},
	"user":      {Update: updateUser, Rights: (*Session).refreshRights, Remove: removeUser, Posted: (*Session).refreshRights},
	"group":     {Update: updateGroup},
	"changelog": {Update: updateEntry},
	"data": {Update: updateData, Posted: setDataName, Computed: map[string]func(*Process, *database.Object) (any, bool){
		"ui_name": func(_ *Process, o *database.Object) (any, bool) { return o.Get("path"), true }}},
	"file":         {Key: nameOfFile, Update: updateFile},
	"generic_file": {Update: updateFile},
}
