// Tests of the data source enms_runs.

package operations_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/runs"
)

// The runs are the latest ones that are selected, and say whether they succeeded.
func TestRuns_selected(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	putServices(s)
	s.Put("task", enms.Object{"name": "NAME-t", "service": s.Expand("NAME-s"), "devices": []string{s.Expand("NAME-d1")}, "scheduling_mode": "standard", "frequency": 3600})()
	c := s.Core(nil)
	for _, run := range []acctest.Attributes{
		{"service": s.Expand("NAME-fails"), "devices": []string{s.Expand("NAME-d1"), s.Expand("NAME-d2")}},
		{"service": s.Expand("NAME-s"), "devices": []string{s.Expand("NAME-d2")}},
		{"service": s.Expand("NAME-s"), "devices": []string{s.Expand("NAME-d1")}, "name": s.Expand("NAME-last")},
	} {
		run["poll_interval"] = "1s"
		invokeAction(c, runAction, run, nil)
	}
	if started := invokeAction(c, "enms_run_task", acctest.Attributes{"task": s.Expand("NAME-t"), "poll_interval": "1s"}, nil); started.diags.Failed() {
		t.Fatal(started.diags)
	}
	var last string // the runtime of the run that was named
	for _, want := range []struct {
		config acctest.Attributes
		runs   string
	}{
		{acctest.Attributes{"service": s.Expand("NAME-s")}, "NAME-s by NAME-t true, NAME-s true, NAME-s true"},
		{acctest.Attributes{"service": s.Expand("NAME-s"), "max": 2}, "NAME-s by NAME-t true, NAME-s true"},
		{acctest.Attributes{"service": s.Expand("NAME-fails"), "status": "Completed"}, "NAME-fails false"},
		{acctest.Attributes{"service": s.Expand("NAME-fails"), "status": "Running"}, ""},
		{acctest.Attributes{"task": s.Expand("NAME-t")}, "NAME-s by NAME-t true"},
		{acctest.Attributes{"device": s.Expand("NAME-d2")}, "NAME-s true, NAME-fails false"},
		{acctest.Attributes{"service": s.Expand("NAME-s"), "since": "2000-01-01"}, "NAME-s by NAME-t true, NAME-s true, NAME-s true"},
		{acctest.Attributes{"service": s.Expand("NAME-s"), "since": "last"}, "NAME-s by NAME-t true, NAME-s true"},
		{acctest.Attributes{"service": s.Expand("NAME-s"), "since": "last", "max": 1}, "NAME-s by NAME-t true"},
		{acctest.Attributes{"service": s.Expand("NAME-none")}, ""},
	} {
		if want.config["since"] == "last" {
			want.config["since"] = last
		}
		data, diags := c.ReadDataSourceBy("enms_runs", want.config)
		if diags.Failed() {
			t.Fatal(diags)
		}
		var list []tftypes.Value
		if err := acctest.Members(t, data)["runs"].As(&list); err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, run := range list {
			got := acctest.Members(t, run)
			words := acctest.TextOf(t, got["service"])
			if !got["task"].IsNull() {
				words += " by " + acctest.TextOf(t, got["task"])
			}
			told = append(told, words+" "+acctest.TextOf(t, got["success"]))
			if acctest.TextOf(t, got["name"]) == s.Expand("NAME-last") {
				last = acctest.TextOf(t, got["runtime"])
			}
		}
		if is := strings.Join(told, ", "); is != s.Expand(want.runs) {
			t.Errorf("%v: %s, want %s", want.config, is, s.Expand(want.runs))
		}
	}
	_, diags := c.ReadDataSourceBy("enms_runs", acctest.Attributes{"since": "yesterday"})
	if !acctest.ErrorOn(diags, "since") {
		t.Error(diags)
	}
}

// A run that is in progress has neither succeeded nor failed, and two requests find any number of runs.
func TestRuns_inProgress(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 1000)
	for n := range 3 {
		if started := invokeAction(s.core(nil), runAction, acctest.Attributes{"service": "NAME-once", "name": fmt.Sprint("run ", n), "wait": false}, nil); started.diags.Failed() {
			t.Fatal(started.diags)
		}
	}
	client := runs.New(s.Client)
	s.Simulator.ResetRequests()
	found, err := client.Recent(t.Context(), runs.Selection{Status: "Running", Most: 2})
	if err != nil || len(found) != 2 || found[0].Name != "run 2" || found[0].Success != nil || found[0].Service != "NAME-once" {
		t.Errorf("%v: %v", err, found)
	}
	if n := len(s.Simulator.Requests()); n != 2 {
		t.Errorf("it took %d requests", n)
	}
}
