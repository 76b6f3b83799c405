// Package failures declares the errors of operations on instances, and turns errors of the client into
// diagnostics. Packages provider, listing and record write the diagnostics of their own errors.
//
//	errors.go       errors beside those of the client
//	subject.go      what an error is about
//	diagnostics.go  the diagnostic of an error
//	taken.go        what to do if a name belongs to another instance
//	hints.go        advice that is the same for all instances
package failures
