//go:build unix

// This file ends the programs that a test has started along with it, where there are process groups.

package main

import (
	"os/exec"
	"syscall"
)

// endTogether puts a program that is about to start and all that it will start into a group, which ends as a whole.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// killRest ends what a program that has ended left behind.
func killRest(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // most leave nothing
	}
}
