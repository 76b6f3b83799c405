// Package planning checks plans by what eNMS has, before anything is written.
//
//	checker.go      the checker
//	identity.go     refuses what is about an instance that others renamed, or that eNMS does not tell
//	names.go        whether names are free, and whether referenced names exist
//	forced.go       groups that eNMS adds to the readers of an instance by force
//	refused.go      what eNMS would refuse
//	otherplans.go   what later plans must know of a plan
//	lasttargets.go  tasks and services that lose their last target
//	notarget.go     new tasks without a target
package planning
