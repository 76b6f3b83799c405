// This file watches the memory of processes, which Linux shows below /proc.

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// sampling is the time between two looks at the processes. The kernel keeps the peak of a
// process, so only what it takes after the last look is missed.
const sampling = 50 * time.Millisecond

// watchMemory watches the processes of a program until the returned function is called. That
// returns the largest peak of one process's resident memory in KiB, and 0 where it is unknown.
func watchMemory(program string) func() int {
	stop := make(chan struct{})
	var watch sync.WaitGroup
	peak := 0
	watch.Go(func() {
		ticker := time.NewTicker(sampling)
		defer ticker.Stop()
		for {
			peak = max(peak, peakOf(program))
			select {
			case <-stop:
				return
			case <-ticker.C:
			}
		}
	})
	return func() int {
		close(stop)
		watch.Wait()
		return peak
	}
}

// peakOf returns the largest peak of the program's running processes.
func peakOf(program string) int {
	peak := 0
	links, _ := filepath.Glob("/proc/[0-9]*/exe") // the pattern is well formed
	for _, link := range links {
		if target, err := os.Readlink(link); err != nil || target != program {
			continue
		}
		status, err := os.ReadFile(filepath.Join(filepath.Dir(link), "status"))
		if err != nil {
			continue
		}
		for line := range bytes.Lines(status) {
			var kilobytes int
			if n, _ := fmt.Sscanf(string(line), "VmHWM: %d kB", &kilobytes); n == 1 {
				peak = max(peak, kilobytes)
			}
		}
	}
	return peak
}
