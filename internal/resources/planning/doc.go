// Package planning is what a plan asks eNMS before anything is written, and compares with the other
// plans of the run.
//
//	checker.go      the checker, and the defaults of the provider block
//	names.go        whether names are free, and whether those exist that a plan refers to
//	refused.go      what eNMS would refuse
//	otherplans.go   conflicts with other plans
//	lasttargets.go  tasks and services that lose their last target
package planning
