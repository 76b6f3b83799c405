// This file watches the memory of processes where /proc tells it.

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// sampling is how often is looked. The kernel keeps the peak, so that no more
// is missed than what a process takes in its last moment.
const sampling = 50 * time.Millisecond

// watchMemory watches the processes of a program until the result is asked for:
// the largest peak of one process's resident memory in KiB.
func watchMemory(program string) func() (kilobytes int, known bool) {
	stop := make(chan struct{})
	var watch sync.WaitGroup
	most := 0
	watch.Go(func() {
		ticker := time.NewTicker(sampling)
		defer ticker.Stop()
		for {
			most = max(most, peakOf(program))
			select {
			case <-stop:
				return
			case <-ticker.C:
			}
		}
	})
	return func() (int, bool) {
		close(stop)
		watch.Wait()
		return most, most > 0
	}
}

// peakOf returns the largest peak of the program's processes that run now.
func peakOf(program string) int {
	most := 0
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
				most = max(most, kilobytes)
			}
		}
	}
	return most
}
