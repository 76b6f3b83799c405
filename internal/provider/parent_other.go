//go:build !linux && !darwin && !windows

package provider

// parentProcess is "": on this system nothing tells when the parent began, and a number
// alone may be that of an earlier run.
func parentProcess() string { return "" }
