//go:build unix

// This file starts programs in process groups of their own.

package workshop

import (
	"os"
	"os/exec"
	"syscall"
)

// separate puts a program into a process group of its own, which a Ctrl-C in the
// terminal does not reach. It is interrupted when its context ends.
func separate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
}
