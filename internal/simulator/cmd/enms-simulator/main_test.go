// The command, in this process and built.

package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

var firstLine = regexp.MustCompile(`^listening on (http://127\.0\.0\.1:\d+) \(user admin, password admin\)\n$`)

// greeted reads the first line and gives the base URL in it.
func greeted(t *testing.T, stdout io.Reader) string {
	t.Helper()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	parts := firstLine.FindStringSubmatch(line)
	if parts == nil {
		t.Fatalf("first line %q", line)
	}
	return parts[1]
}

// alive expects a status of the server, that of one that is alive unless another one is given.
func alive(t *testing.T, url string, status ...int) {
	t.Helper()
	answer, err := http.Get(url + "/rest/is_alive")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if want := append(status, http.StatusOK)[0]; answer.StatusCode != want {
		t.Errorf("status %d, want %d", answer.StatusCode, want)
	}
}

// session runs the command until what is to be done with it is done, and returns its log.
func session(t *testing.T, do func(url string), args ...string) (log string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	stdout, in := io.Pipe()
	var stderr strings.Builder
	code := make(chan int, 1)
	go func() { code <- run(ctx, append([]string{"-listen", "127.0.0.1:0"}, args...), in, &stderr) }()
	do(greeted(t, stdout))
	cancel()
	if got := <-code; got != 0 {
		t.Fatalf("exit code %d: %s", got, stderr.String())
	}
	return stderr.String()
}

// TestRun serves until the context ends, with a line a request.
func TestRun(t *testing.T) {
	t.Parallel()
	got := session(t, func(url string) { alive(t, url) }, "-latency", "1ms", "-serial")
	if !strings.HasPrefix(got, `GET "/rest/is_alive" 200 entries=0 `) || strings.Count(got, "\n") != 1 {
		t.Errorf("log %q", got)
	}
}

// TestWrongArguments and addresses that are taken.
func TestWrongArguments(t *testing.T) {
	t.Parallel()
	for want, args := range map[int][]string{0: {"-h"}, 1: {"-listen", "127.0.0.1:99999"}, 2: {"surplus"}} {
		if got := run(t.Context(), args, io.Discard, io.Discard); got != want {
			t.Errorf("%v: exit code %d, want %d", args, got, want)
		}
	}
	if got := run(t.Context(), []string{"-latency", "soon"}, io.Discard, io.Discard); got != 2 {
		t.Errorf("exit code %d", got)
	}
}

// TestSignals: the built command stops cleanly when told to, and writes its data back.
func TestSignals(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a program cannot be sent a signal on Windows")
	}
	program := filepath.Join(t.TempDir(), "enms-simulator")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, signal := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
		file := filepath.Join(t.TempDir(), "data.json")
		command := exec.CommandContext(t.Context(), program, "-listen", "127.0.0.1:0", "-data", file)
		stdout, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		alive(t, greeted(t, stdout))
		if err := command.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if err := command.Wait(); err != nil {
			t.Errorf("%s: %v", signal, err)
		}
		if _, err := os.Stat(file); err != nil {
			t.Errorf("%s: nothing was written back: %v", signal, err)
		}
	}
}
