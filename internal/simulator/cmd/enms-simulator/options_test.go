// The flags of the options.

package main

import (
	"flag"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

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
