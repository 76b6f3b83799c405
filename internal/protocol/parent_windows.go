package protocol

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// parentProcess tells the process that has started this one from all others, by its number
// and by when it began; "" when that cannot be told.
func parentProcess() string {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(os.Getppid())) // #nosec G115 -- a number of Windows
	if err != nil {
		return ""
	}
	defer func() { _ = windows.CloseHandle(process) }()
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(process, &created, &exited, &kernel, &user) != nil {
		return ""
	}
	return fmt.Sprintf("%d %d", os.Getppid(), created.Nanoseconds())
}
