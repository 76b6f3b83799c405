// Package planning checks plans by what eNMS has, and by the other plans of the run, before anything is written.
//
//	checker.go      the checker, and the defaults of the provider block
//	names.go        whether names are free, and whether referenced names exist
//	refused.go      what eNMS would refuse
//	otherplans.go   conflicts with other plans
//	lasttargets.go  tasks and services that lose their last target
package planning
