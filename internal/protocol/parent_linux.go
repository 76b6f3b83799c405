package protocol

import (
	"fmt"
	"os"
	"strings"
)

// parentProcess tells the process that has started this one from all others, by its number
// and by when it began; "" when that cannot be told.
func parentProcess() string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", os.Getppid()))
	if err != nil {
		return ""
	}
	const startTime = 22 - 2 // the first field after the name is the third
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < startTime {
		return ""
	}
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return fmt.Sprintf("%d %s %s", os.Getppid(), fields[startTime-1], boot)
}
