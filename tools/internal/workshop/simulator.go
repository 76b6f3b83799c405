// This file runs the simulator as a program, counts its requests, and asks it
// as somebody else would who works with the same eNMS.

package workshop

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
)

// What the simulator writes: its address on the first line, then one line a
// request.
var (
	listening = regexp.MustCompile(`^listening on (http://\S+) \(user admin, password admin\)$`)
	request   = regexp.MustCompile(`^(GET|POST|DELETE|HEAD|PUT|PATCH|OPTIONS) `)
)

// Simulator is a running simulator.
type Simulator struct {
	// URL is its address.
	URL string

	cmd      *exec.Cmd
	cancel   context.CancelFunc
	requests atomic.Int64
	log      sync.WaitGroup
}

// BuildSimulator builds the simulator and gives its path.
func (w *Workshop) BuildSimulator(ctx context.Context) (string, error) {
	return w.Build(ctx, "./internal/simulator/cmd/enms-simulator", "enms-simulator")
}

// StartSimulator starts the program on a free port, with further arguments. Stop
// it when done.
func StartSimulator(ctx context.Context, program string, args ...string) (*Simulator, error) {
	ctx, cancel := context.WithCancel(ctx)
	s := &Simulator{cancel: cancel, cmd: Command(ctx, program, append([]string{"-listen", "127.0.0.1:0"}, args...)...)}
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
		return nil, errors.Join(fmt.Errorf("the simulator did not say where it listens, but %q", line), err, s.Stop())
	}
	s.URL = match[1]
	s.log.Go(func() { _, _ = io.Copy(io.Discard, lines) })
	return s, nil
}

// Requests is how many requests the simulator has had.
func (s *Simulator) Requests() int64 { return s.requests.Load() }

// count counts the requests in the log.
func (s *Simulator) count(log io.Reader) {
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if request.Match(lines.Bytes()) {
			s.requests.Add(1)
		}
	}
	_, _ = io.Copy(io.Discard, log) // A line that is too long must not block the simulator.
}

// Stop asks the simulator to stop and waits until it has.
func (s *Simulator) Stop() error {
	s.cancel()
	s.log.Wait()
	err := s.cmd.Wait()
	if s.cmd.ProcessState.ExitCode() == 0 || errors.Is(err, context.Canceled) {
		return nil
	}
	return fmt.Errorf("the simulator did not stop cleanly: %w", err)
}

// Environment returns the variables that make the provider use this simulator.
func (s *Simulator) Environment() []string {
	return []string{"ENMS_BASE_URL=" + s.URL, "ENMS_USERNAME=admin", "ENMS_PASSWORD=admin"}
}

// Ask sends one request and decodes the answer.
func (s *Simulator) Ask(ctx context.Context, method, path string, body, answer any) error {
	content, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, s.URL+path, bytes.NewReader(content))
	if err != nil {
		return err
	}
	req.SetBasicAuth("admin", "admin")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	content, err = io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, content)
	}
	return json.Unmarshal(content, answer)
}
