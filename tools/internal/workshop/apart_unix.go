//go:build unix

// This file sets programs apart where there are process groups.

package workshop

import (
	"os"
	"os/exec"
	"syscall"
)

// apart puts a program into a process group of its own, which a Ctrl-C in the
// terminal does not reach.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
}
