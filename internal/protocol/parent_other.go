//go:build !linux && !darwin && !windows

package protocol

// parentProcess is "": on this system nothing tells when the parent began, and a number
// alone may be that of an earlier run.
func parentProcess() string { return "" }
