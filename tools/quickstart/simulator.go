// This file runs the simulator as a program and counts its requests.

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// What the simulator writes: its address on the first line, then one line a
// request.
var (
	listening = regexp.MustCompile(`^listening on (http://\S+) \(user admin, password admin\)$`)
	request   = regexp.MustCompile(`^(GET|POST|DELETE|HEAD|PUT|PATCH|OPTIONS) `)
)

// simulator is a running simulator.
type simulator struct {
	url      string
	cmd      *exec.Cmd
	cancel   context.CancelFunc
	requests atomic.Int64
	log      sync.WaitGroup
}

// startSimulator starts the program on a free port.
func startSimulator(ctx context.Context, program string) (*simulator, error) {
	ctx, cancel := context.WithCancel(ctx)
	s := &simulator{cancel: cancel, cmd: workshop.Command(ctx, program, "-listen", "127.0.0.1:0")}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		cancel()
		return nil, err
	}
	log, err := s.cmd.StderrPipe()
	if err != nil {
		cancel()
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		cancel()
		return nil, err
	}
	s.log.Go(func() { s.count(log) })
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	match := listening.FindStringSubmatch(strings.TrimSpace(line))
	if match == nil {
		return nil, errors.Join(fmt.Errorf("the simulator did not say where it listens, but %q", line), err, s.stop())
	}
	s.url = match[1]
	s.log.Go(func() { _, _ = io.Copy(io.Discard, lines) })
	return s, nil
}

// count counts the requests in the log.
func (s *simulator) count(log io.Reader) {
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if request.Match(lines.Bytes()) {
			s.requests.Add(1)
		}
	}
	_, _ = io.Copy(io.Discard, log) // A line that is too long must not block the simulator.
}

// stop asks the simulator to stop and waits until it has.
func (s *simulator) stop() error {
	s.cancel()
	s.log.Wait()
	err := s.cmd.Wait()
	if s.cmd.ProcessState.ExitCode() == 0 || errors.Is(err, context.Canceled) {
		return nil
	}
	return fmt.Errorf("the simulator did not stop cleanly: %w", err)
}
