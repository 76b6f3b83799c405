// The flag -faults.

package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	rules := filepath.Join(t.TempDir(), "rules.json")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(rules, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var stderr strings.Builder
	for text, want := range map[string]string{"": "not a JSON list", `[{"fault":"fire"}]`: "no fault"} {
		write(text)
		if code := run(t.Context(), []string{"-faults", rules}, io.Discard, &stderr); code != 2 || !strings.Contains(stderr.String(), want) {
			t.Errorf("%q: exit code %d, %s", text, code, stderr.String())
		}
	}
	if code := run(t.Context(), []string{"-faults", rules + ".none"}, io.Discard, io.Discard); code != 2 {
		t.Errorf("exit code %d", code)
	}
	write(`[{"fault":"503","path":"/rest/is_alive","count":1}]`)
	session(t, func(url string) {
		alive(t, url, http.StatusServiceUnavailable)
		alive(t, url)
	}, "-faults", rules)
}
