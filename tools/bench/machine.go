// This file names the machine.

package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
)

var model = regexp.MustCompile(`(?m)^model name\s*:\s*(.+)$`)

// machine returns a sentence on what everything ran on.
func (b *bench) machine(ctx context.Context) (string, error) {
	result, err := b.shop.Run(ctx, b.shop.Dir, nil, "version")
	if err != nil {
		return "", err
	}
	program, _, _ := strings.Cut(result.Stdout, "\n")
	processor := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if match := model.FindSubmatch(info); match != nil {
			processor = string(match[1])
		}
	}
	return fmt.Sprintf("Measured on %d cores (%s), %s, %s, %s. Unless a row says otherwise, each request takes the simulator %s, and it answers one at a time.",
		runtime.NumCPU(), processor, runtime.GOOS, strings.Replace(runtime.Version(), "go", "Go ", 1), program, latency), nil
}
