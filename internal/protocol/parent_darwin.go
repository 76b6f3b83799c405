package protocol

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// parentProcess tells the process that has started this one from all others, by its number
// and by when it began; "" when that cannot be told.
func parentProcess() string {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", os.Getppid())
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d %d", os.Getppid(), info.Proc.P_starttime.Sec, info.Proc.P_starttime.Usec)
}
