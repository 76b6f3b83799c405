// The command, in this process and built.

package main

import (
	"bufio"
	"context"
	"flag"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
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

// refuses expects that the command ends with the exit code 2 before it serves, and says why.
func refuses(t *testing.T, why string, args ...string) {
	t.Helper()
	var stderr strings.Builder
	if code := run(t.Context(), append([]string{"-listen", "127.0.0.1:0"}, args...), io.Discard, &stderr); code != 2 || !strings.Contains(stderr.String(), why) {
		t.Errorf("%v: exit code %d, %s", args, code, stderr.String())
	}
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
	for want, args := range map[int][]string{0: {"-h"}, 1: {"-listen", "127.0.0.1:99999"}} {
		if got := run(t.Context(), args, io.Discard, io.Discard); got != want {
			t.Errorf("%v: exit code %d, want %d", args, got, want)
		}
	}
	refuses(t, "surplus", "surplus")
	refuses(t, "soon", "-latency", "soon")
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

// TestFaults: wrong rules are told, others take effect.
func TestFaults(t *testing.T) {
	t.Parallel()
	rules := filepath.Join(t.TempDir(), "rules.json")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(rules, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for text, why := range map[string]string{"": "not a JSON list", `[{"fault":"fire"}]`: "no fault"} {
		write(text)
		refuses(t, why, "-faults", rules)
	}
	refuses(t, "none", "-faults", rules+".none")
	write(`[{"fault":"503","path":"/rest/is_alive","count":1}]`)
	session(t, func(url string) {
		alive(t, url, http.StatusServiceUnavailable)
		alive(t, url)
	}, "-faults", rules)
}

// TestServerFlags: each option has a flag, and wrong words are refused.
func TestServerFlags(t *testing.T) {
	t.Parallel()
	parse := func(args string) (simulator.Options, error) {
		var opts simulator.Options
		flags := flag.NewFlagSet("", flag.ContinueOnError)
		flags.SetOutput(io.Discard)
		serverFlags(flags, &opts)
		return opts, flags.Parse(strings.Fields(args))
	}
	got, err := parse("-version 5.3 -latency 1ms -serial -run-polls 4 -database mariadb-utf8 -workers 3 -stale-reads -no-match-403 " +
		"-missing-fields service.disabled,task.pools -site-types -custom-properties " +
		"-delete-403 -request-limit 9 -request-window 2s -no-rest -broken-login")
	want := simulator.Options{Version: simulator.V53, Latency: time.Millisecond, Serial: true, RunPolls: 4, Database: simulator.MariaDBUTF8, Workers: 3, StaleReads: true,
		NoMatch403: true, MissingFields: []string{"service.disabled", "task.pools"},
		SiteTypes: true, CustomProperties: true, Delete403: true, RequestLimit: 9, RequestWindow: 2 * time.Second, NoREST: true, BrokenLogin: true}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	options := reflect.ValueOf(want)
	for i := range options.NumField() {
		switch name := options.Type().Field(i).Name; name {
		case "Log", "Now", "Location": // what a program cannot be told by a flag
		default:
			if options.Field(i).IsZero() {
				t.Errorf("no flag for %s", name)
			}
		}
	}
	for _, args := range []string{"-database oracle", "-version 6", "-missing-fields service.nosuch"} {
		if _, err := parse(args); err == nil {
			t.Errorf("%s passes", args)
		}
	}
}
