// Tests of the kinds' checks: configuration and state in, diagnostics and plan out, at a given time, without Terraform and
// without a server; and of names that follow from others.

package kinds

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// noon is when the tests plan.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// unknown stands for a text that only the apply will tell.
var unknown = tftypes.NewValue(tftypes.String, tftypes.UnknownValue)

// unknownFlag is unknown in a Boolean attribute.
var unknownFlag = tftypes.NewValue(tftypes.Bool, tftypes.UnknownValue)

type given = map[string]any

// checkCase is a plan and what a check makes of it.
type checkCase struct {
	config, state given // state is nil for a creation
	managed       []string
	validates     bool      // the configuration alone
	now           time.Time // noon when it is not given
	want          string    // the severities, paths and summaries of the diagnostics, joined
	detail        string    // in the detail of the first diagnostic
	planned       given     // texts and flags that the plan holds
}

func (c checkCase) check(t *testing.T, k *kind.Kind) {
	t.Helper()
	t.Parallel()
	var prior kind.Values
	if c.state != nil {
		prior = kindtest.ValuesFor(k, c.state)
	}
	if c.now.IsZero() {
		c.now = noon
	}
	config := kindtest.ValuesFor(k, c.config)
	before := fmt.Sprint(config)
	if c.validates {
		if got := kindtest.Said(plans.Validate(k, config)); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
		return
	}
	p := plans.New(k, config, prior, c.managed, c.now)
	if after := fmt.Sprint(config); after != before {
		t.Errorf("the plan changed the configuration\nfrom %s\nto   %s", before, after)
	}
	if got := kindtest.Said(p.Diagnostics); got != c.want {
		t.Errorf("got  %q\nwant %q", got, c.want)
	}
	if c.detail != "" && (len(p.Diagnostics) == 0 || !strings.Contains(p.Diagnostics[0].Detail(), c.detail)) {
		t.Errorf("%q is not in the detail: %s", c.detail, p.Diagnostics)
	}
	for name := range c.planned {
		want := kindtest.ValuesFor(k, c.planned)[name]
		if got := p.Planned[name]; !got.Equal(want) {
			t.Errorf("%s is planned as %s, want %s", name, got, want)
		}
	}
}

func TestCheckTask(t *testing.T) {
	t.Parallel()
	task := task()
	with := func(base, more given) given {
		out := given{"name": "t", "service": "s"}
		for _, values := range []given{base, more} {
			for name, v := range values {
				out[name] = v
			}
		}
		return out
	}
	had := with(given{"id": "7", "scheduling_mode": "standard", "start_date": "01/03/2026 06:00:00", "is_active": false, "frequency_unit": "seconds",
		"description": "", "crontab_expression": "", "end_date": "", "admin_only": false, "devices": []string{}, "pools": []string{}}, nil)
	active := given{"is_active": true}
	managedOn := []string{"is_active", "is_active=true", "name", "service", "start_date"}
	managedOff := []string{"is_active", "is_active=false", "name", "service", "start_date"}
	for name, c := range map[string]checkCase{
		"cron":                          {config: with(active, given{"scheduling_mode": "cron", "crontab_expression": "0 2 * * *"})},
		"mode unknown":                  {config: with(active, given{"scheduling_mode": unknown})},
		"at once, but inactive":         {config: with(nil, nil)},
		"start unknown":                 {config: with(active, given{"start_date": unknown})},
		"starts later":                  {config: with(active, given{"start_date": "01/03/2026 12:00:01"})},
		"started before":                {config: with(active, given{"start_date": "01/03/2026 11:59:59"}), want: "Warning: start_date: The start date is in the past"},
		"started before, on a sooner":   {config: with(active, given{"start_date": "01/03/2026 11:59:59"}), now: noon.Add(-time.Minute)},
		"started before, but inactive":  {config: with(nil, given{"start_date": "01/03/2026 11:59:59"})},
		"repeats":                       {config: with(active, given{"frequency": 60})},
		"repeats, ended":                {config: with(active, given{"frequency": 60, "end_date": "01/03/2026 11:59:59"}), want: "Warning: end_date: The end date is in the past"},
		"repeats, ends later":           {config: with(active, given{"frequency": 60, "end_date": "01/03/2026 12:00:01"})},
		"starts after its end":          {config: with(nil, given{"start_date": "02/03/2026 00:00:00"}), state: with(had, given{"end_date": "01/03/2026 00:00:00"}), managed: managedOff, want: "Error: end_date: The task ends before it starts"},
		"runs once, ended":              {config: with(active, given{"start_date": "01/03/2026 11:00:00", "end_date": "01/03/2026 11:59:59"}), want: "Warning: start_date: The start date is in the past"},
		"on unknown":                    {config: with(nil, given{"start_date": "01/03/2026 11:59:59", "is_active": unknownFlag})},
		"ends when it starts":           {config: with(nil, given{"start_date": "01/03/2026 00:00:00", "end_date": "1/3/2026 0:0:0"})},
		"switched off by eNMS":          {config: with(active, given{"start_date": had["start_date"]}), state: had, managed: managedOn, planned: given{"is_active": false}},
		"switched off, another date":    {config: with(active, given{"start_date": "01/03/2026 07:00:00"}), state: had, managed: managedOn, now: noon.Add(7 * time.Hour), want: "Warning: start_date: The start date is in the past", planned: given{"is_active": true}},
		"switched off by others":        {config: with(active, given{"start_date": "01/03/2027 06:00:00"}), state: with(had, given{"start_date": "01/03/2027 06:00:00"}), managed: managedOn, planned: given{"is_active": true}},
		"switched on, date passed here": {config: with(active, given{"start_date": had["start_date"]}), state: had, managed: managedOff, want: "Warning: start_date: The start date is in the past", planned: given{"is_active": true}},
		"imported, passed in no zone yet": {config: with(active, given{"start_date": had["start_date"]}), state: had, now: noon,
			want: "Warning: start_date: The start date is in the past", planned: given{"is_active": true}},
		"at once":                    {config: with(active, nil), want: "Error: is_active: The task would run immediately"},
		"no expression":              {config: with(nil, given{"scheduling_mode": "cron"}), want: "Error: crontab_expression: Missing crontab_expression"},
		"an expression unknown":      {config: with(active, given{"scheduling_mode": "cron", "crontab_expression": unknown})},
		"an expression without cron": {config: with(nil, given{"crontab_expression": "0 2 * * *"}), want: "Error: crontab_expression: crontab_expression is ignored"},
		"an expression in eNMS":      {config: with(nil, nil), state: with(had, given{"crontab_expression": "0 2 * * *"})},
		"started long ago":           {config: with(active, given{"start_date": "01/01/2020 00:00:00"}), want: "Warning: start_date: The start date is in the past"},
		"starts earlier now":         {config: with(active, given{"start_date": "28/02/2026 00:00:00"}), state: with(had, given{"is_active": true, "start_date": "02/03/2026 00:00:00"}), managed: managedOn, want: "Warning: start_date: The start date is in the past"},
		"described, after its start": {config: with(active, given{"description": "new", "start_date": had["start_date"]}), state: with(had, active), managed: managedOn},
		"described, after its end":   {config: with(active, given{"description": "new", "frequency": 60, "end_date": "01/03/2026 11:59:59"}), state: with(had, given{"is_active": true, "start_date": "", "frequency": 60, "end_date": "01/03/2026 11:59:59"}), managed: managedOn},
		"ends earlier now":           {config: with(active, given{"frequency": 60, "end_date": "01/03/2026 11:59:59"}), state: with(had, given{"is_active": true, "start_date": "", "frequency": 60}), managed: managedOn, want: "Warning: end_date: The end date is in the past"},
		"switched on, after its end": {config: with(active, given{"frequency": 60, "end_date": "01/03/2026 11:59:59"}), state: with(had, given{"start_date": "", "frequency": 60, "end_date": "01/03/2026 11:59:59"}), managed: managedOff, want: "Warning: end_date: The end date is in the past"},
		"repeats, ended, but off":    {config: with(nil, given{"frequency": 60, "end_date": "01/03/2026 11:59:59"})},
		"frequency unknown, ended":   {config: with(active, given{"frequency": tftypes.NewValue(tftypes.Number, tftypes.UnknownValue), "end_date": "01/03/2026 11:59:59"})},
		"cron, ended":                {config: with(active, given{"scheduling_mode": "cron", "crontab_expression": "0 2 * * *", "end_date": "01/03/2026 11:59:59"})},
		"wrong dates in eNMS":        {config: with(nil, given{"description": "new"}), state: with(had, given{"end_date": "01/03/2026 05:00:00"}), managed: []string{"name"}},
		"ends before its start":      {config: with(nil, given{"end_date": "01/03/2026 05:00:00"}), state: had, managed: []string{"name"}, want: "Error: end_date: The task ends before it starts"},
		"switched off, no longer cron": {config: with(active, given{"start_date": had["start_date"]}), state: with(had, given{"scheduling_mode": "cron"}), managed: append([]string{"scheduling_mode"}, managedOn...),
			want: "Warning: start_date: The start date is in the past", planned: given{"is_active": true}},
		"switched off, no longer repeated": {config: with(active, given{"start_date": had["start_date"]}), state: with(had, given{"frequency": 60}), managed: append([]string{"frequency"}, managedOn...),
			want: "Warning: start_date: The start date is in the past", planned: given{"is_active": true}},
		"written, may run at once":       {config: with(nil, given{"description": "new"}), state: with(had, active), managed: []string{"name"}, planned: given{"is_active": unknownFlag}},
		"written, mode unknown":          {config: with(nil, given{"scheduling_mode": unknown}), state: with(had, active), managed: []string{"name"}, planned: given{"is_active": unknownFlag}},
		"written, frequency unknown":     {config: with(nil, given{"frequency": tftypes.NewValue(tftypes.Number, tftypes.UnknownValue)}), state: with(had, active), managed: []string{"name"}, planned: given{"is_active": unknownFlag}},
		"written, inactive":              {config: with(nil, given{"description": "new"}), state: had, managed: []string{"name"}, planned: given{"is_active": false}},
		"written, repeated":              {config: with(nil, given{"description": "new"}), state: with(had, given{"is_active": true, "frequency": 60}), managed: []string{"name"}, planned: given{"is_active": true}},
		"written, cron":                  {config: with(nil, given{"description": "new"}), state: with(had, given{"is_active": true, "scheduling_mode": "cron", "crontab_expression": "0 2 * * *"}), managed: []string{"name"}, planned: given{"is_active": true}},
		"imported, passed in every zone": {config: with(active, given{"start_date": had["start_date"]}), state: had, now: noon.Add(7 * time.Hour), planned: given{"is_active": false}},
	} {
		t.Run(name, func(t *testing.T) { c.check(t, task) })
	}
}

// The store and the scoped_name of data follow from the name, and are unknown as long as it is.
func TestCheckDataName(t *testing.T) {
	t.Parallel()
	had := given{"id": "7", "name": ">a>s", "store": ">a", "scoped_name": "s"}
	managed := []string{"name"}
	for name, c := range map[string]checkCase{
		"created":                                       {config: given{"name": ">a>s"}, planned: given{"store": ">a", "scoped_name": "s"}},
		"renamed":                                       {config: given{"name": ">b>t"}, state: had, managed: managed, planned: given{"store": ">b", "scoped_name": "t"}},
		"taken out of its store":                        {config: given{"name": ">s"}, state: had, managed: managed, planned: given{"store": nil, "scoped_name": "s"}},
		"a name that is unknown":                        {config: given{"name": unknown}, state: had, managed: managed, planned: given{"store": unknown, "scoped_name": unknown}},
		"an unknown name with a store":                  {config: given{"name": unknown, "store": ">a"}, state: had, managed: managed, planned: given{"store": ">a", "scoped_name": unknown}},
		"a store that is unknown":                       {config: given{"name": ">a>s", "store": unknown}, planned: given{"scoped_name": "s"}},
		"another store":                                 {config: given{"name": ">a>s", "store": ">b"}, want: "Error: store: " + wrongDataName},
		"a scoped_name that is unknown":                 {config: given{"name": ">a>s", "scoped_name": unknown}, state: had, managed: managed, planned: given{"store": unknown, "scoped_name": unknown}},
		"a scoped_name that is unknown in a plan alone": {config: given{"name": ">a>s"}, validates: true},
		"a name without a path":                         {config: given{"name": "token"}, want: "Error: name: " + wrongDataName, detail: `">Store>token"`},
		"a path that begins with a name":                {config: given{"name": "ds>token"}, want: "Error: name: " + wrongDataName, detail: `">Store>token"`},
		"no name after the path":                        {config: given{"name": ">ds>"}, want: "Error: name: " + wrongDataName, detail: `">Store>Name"`},
		"another scoped_name":                           {config: given{"name": ">ds>token", "scoped_name": "x"}, want: "Error: scoped_name: scoped_name does not match name", detail: `must end with ">x"`},
		"an empty scoped_name":                          {config: given{"name": ">ds>token", "scoped_name": ""}, want: "Error: name: " + wrongDataName},
		"its store, said so":                            {config: given{"name": ">a>s", "store": ">a"}, planned: given{"store": ">a"}},
		"a store that it is not in":                     {config: given{"name": ">s", "store": ">a"}, want: "Error: store: " + wrongDataName, detail: `">a>s"`},
		"a separator in its own name":                   {config: given{"name": ">x>y"}, state: given{"id": "7", "name": ">x>y", "scoped_name": "x>y"}, managed: managed, planned: given{"store": nil, "scoped_name": "x>y"}},
		"a scoped_name with a separator":                {config: given{"name": ">a>s>t", "scoped_name": "s>t"}, state: had, managed: managed, planned: given{"store": ">a", "scoped_name": "s>t"}},
	} {
		t.Run(name, func(t *testing.T) { c.check(t, secret()) })
	}
}

// The name of data without a kind follows from properties.
func TestCheckData(t *testing.T) {
	t.Parallel()
	properties := func(scoped, store any) tftypes.Value {
		return value.FromJSON(given{"scoped_name": scoped, "store": store})
	}
	inStore := given{"id": "7", "type": "vlan", "name": ">a>v", "properties": properties("v", ">a")}
	for name, c := range map[string]checkCase{
		"without scoped_name":    {config: given{"type": "vlan", "name": ">a>v"}, want: "Error: properties: " + wrongDataName, detail: `scoped_name = "v"`},
		"not a path":             {config: given{"type": "vlan", "name": "v", "properties": properties("v", nil)}, want: "Error: name: " + wrongDataName, detail: `">v"`},
		"in another store":       {config: given{"type": "vlan", "name": ">v", "properties": properties("v", ">a")}, want: "Error: name: " + wrongDataName, detail: `">a>v"`},
		"in no store":            {config: given{"type": "vlan", "name": ">v", "properties": properties("v", nil)}},
		"in its store":           {config: given{"type": "vlan", "name": ">a>v", "properties": properties("v", ">a")}},
		"taken out of its store": {config: given{"type": "vlan", "name": ">v", "properties": properties("v", nil)}, state: inStore, managed: []string{"name"}, want: "Error: name: " + wrongDataName, detail: `would stay in ">a"`},
		"as it is in eNMS":       {config: given{"type": "vlan", "name": ">a>v"}, state: inStore, managed: []string{"name"}},
		"no data":                {config: given{"type": "rack", "name": "v"}},
		"a name that is unknown": {config: given{"type": "vlan", "name": unknown}},
		"unknown properties":     {config: given{"type": "vlan", "name": ">v", "properties": tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"scoped_name": unknown})}},
		"a configuration alone":  {config: given{"type": "vlan", "name": ">v"}, validates: true},
	} {
		t.Run(name, func(t *testing.T) { c.check(t, instance(nil)) })
	}
}

// A schedule that was written, but not switched on, is doubtful, and so is a user without a password.
func TestMissing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		doubt  func(string, func(string) any) string
		other  given
		doubts bool
	}{
		"a task without a schedule":   {missingActive, given{}, false},
		"a task with a date":          {missingActive, given{"start_date": "01/03/2026 12:00:01"}, true},
		"a task with an interval":     {missingActive, given{"frequency": json.Number("60"), "scheduling_mode": "standard"}, true},
		"a task with the interval 0":  {missingActive, given{"frequency": json.Number("0"), "start_date": ""}, false},
		"a task with an expression":   {missingActive, given{"scheduling_mode": "cron"}, true},
		"a user of eNMS":              {missingPassword, given{"authentication": "database"}, true},
		"a user of another directory": {missingPassword, given{"authentication": "ldap"}, false},
	} {
		if doubt := c.doubt("", func(name string) any { return c.other[name] }); (doubt != "") != c.doubts {
			t.Errorf("%s: %q", name, doubt)
		}
	}
}

// A timestamp is no date; what to write in place of it depends on the zone of the server.
func TestCheckDates(t *testing.T) {
	t.Parallel()
	const function = `end_date = provider::enms::start_date("2026-03-01T12:00:00+02:00", "Europe/Paris")`
	for date, want := range map[string]string{
		"": "", "01/03/2026 12:00:00": "",
		"2026-03-01T12:00:00+02:00": `If that is UTC+02:00, write end_date = "01/03/2026 12:00:00"; otherwise ` + function,
		"2026-03-01T12:00+02:00":    `; otherwise ` + function, "2026-03-01 12:00:00+02:00": `; otherwise ` + function, "2026-03-01 12:00+02:00": `; otherwise ` + function,
		"2026-03-01T12:00:00Z": `If that is UTC, write end_date = "01/03/2026 12:00:00"`,
		"2026-03-01":           "To convert a timestamp, use provider::enms::start_date().",
		"31/02/2026 12:00:00":  "February 2026 has only 28 days. eNMS would store anything else",
	} {
		if problem := checkDate(date, "end_date"); (problem == "") != (want == "") || !strings.Contains(problem, want) {
			t.Errorf("%q: %q, want %q", date, problem, want)
		}
	}
	for expression, wrong := range map[string]bool{"": false, "0 2 * * *": false, "0 2": true} {
		if problem := checkCrontab(expression, "crontab_expression"); strings.Contains(problem, "never run the task") != wrong || (problem != "") != wrong {
			t.Errorf("%q: %q", expression, problem)
		}
	}
}

func TestCheckScheduled(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer given
		want   string
	}{
		"scheduled":     {given{"is_active": true, "next_run_time": "2026-03-02 02:00:00"}, ""},
		"has run":       {given{"is_active": false, "next_run_time": notScheduled}, ""},
		"switched off":  {given{"is_active": false, "next_run_time": notScheduled, "frequency": 60, "end_date": "01/03/2026 11:00:00"}, "has passed"},
		"ended":         {given{"is_active": true, "next_run_time": notScheduled, "end_date": "01/03/2026 11:00:00"}, "has passed"},
		"not ended":     {given{"is_active": true, "next_run_time": notScheduled, "end_date": "01/03/2026 13:00:00"}, "dates are valid"},
		"no such date":  {given{"is_active": true, "next_run_time": notScheduled, "start_date": "31/02/2026 11:00:00"}, "31/02/2026"},
		"expression":    {given{"is_active": true, "next_run_time": notScheduled, "scheduling_mode": "cron", "crontab_expression": "0 2 * * 1-5"}, "1-5"},
		"no expression": {given{"is_active": true, "next_run_time": notScheduled, "scheduling_mode": "cron", "crontab_expression": "0 2"}, "fields"},
		"on eNMS 5":     {given{"is_active": true, "next_run_time": notScheduled, "scheduling_mode": "cron", "crontab_expression": "0 2 * * 1-5", "creation_time": "x"}, "the expression is valid"},
		"read by both":  {given{"is_active": true, "next_run_time": notScheduled, "scheduling_mode": "cron", "crontab_expression": "0 2 * * *"}, "the expression is valid"},
		"started":       {given{"is_active": true, "next_run_time": notScheduled, "start_date": "01/03/2026 11:00:00"}, "dates are valid"},
		"off, not once": {given{"is_active": false, "next_run_time": notScheduled, "scheduling_mode": "cron", "crontab_expression": "0 2 * * *"}, "Error: is_active: eNMS does not schedule"},
		"off, once":     {given{"is_active": false, "next_run_time": notScheduled, "frequency": 0}, ""},
		"fails":         {given{"is_active": true, "next_run_time": "Error (Expecting value)"}, "It is unknown"},
		"unknown field": {given{"is_active": true}, ""},
		"another time":  {given{"is_active": true, "next_run_time": "2026-03-02 02:00:00", "scheduling_mode": "cron", "crontab_expression": "0 3 * * *"}, `Error: is_active: eNMS does not schedule task "" as written: The task is stored, but the scheduler has kept an earlier schedule: its next run is at 2026-03-02 02:00:00`},
		"unreachable":   {given{"is_active": true, "next_run_time": "Scheduler Unreachable"}, `Warning: is_active: It is unknown whether task "" is scheduled: eNMS could not reach its scheduler`},
	} {
		planned := kind.Values{"name": value.FromJSON("t"), "is_active": value.FromJSON(true)}
		diags := checkScheduled(planned, test.answer, noon)
		said := ""
		for _, d := range diags {
			said += kindtest.Said(diag.Diagnostics{d}) + ": " + d.Detail()
		}
		if (test.want == "") != (len(diags) == 0) || !strings.Contains(said, test.want) {
			t.Errorf("%s: %q, want %q", name, said, test.want)
		}
		planned["is_active"] = value.FromJSON(false)
		if diags := checkScheduled(planned, given{"is_active": false, "next_run_time": notScheduled, "frequency": 60}, noon); len(diags) > 0 {
			t.Errorf("a task that is to be off: %v", diags)
		}
		if diags := checkScheduled(planned, given{"is_active": false, "next_run_time": "2026-03-02 02:00:00"}, noon); !strings.Contains(kindtest.Said(diags), "as written") {
			t.Errorf("a task that was not switched off: %v", diags)
		}
	}
}

// Only a next run that the schedule of a task never has is one of another schedule.
func TestHasAnotherSchedule(t *testing.T) {
	t.Parallel()
	cron := given{"scheduling_mode": "cron", "crontab_expression": "30 2 * * *"}
	once := given{"frequency": nil, "start_date": "04/03/2026 02:30:00"}
	repeated := given{"frequency": json.Number("2"), "frequency_unit": "days", "start_date": "01/03/2026 02:30:00"}
	for _, test := range []struct {
		task given
		next string
		want bool
	}{
		{cron, "2026-03-04 02:30:00", false}, // a Wednesday
		{cron, "2026-03-04 03:30:00", true},
		{cron, "2026-03-04 02:30:01", true},
		{cron, "2026-03-08 03:30:00", false}, // a Sunday, on which clocks may be changed
		{cron, "2026-03-08 04:30:00", true},
		{cron, notScheduled, false},
		{given{"scheduling_mode": "cron", "crontab_expression": "daily"}, "2026-03-04 02:30:00", false},
		{once, "2026-03-04 02:30:00", false},
		{once, "2026-03-04 03:30:00", true},
		{repeated, "2026-03-05 02:30:00", false},
		{repeated, "2026-03-04 02:30:00", true},
		{repeated, "2026-02-27 02:30:00", true},
		{repeated, "2026-07-01 03:30:00", false}, // in summer
		{given{"frequency": 60, "frequency_unit": "seconds", "start_date": ""}, "2026-03-04 02:30:01", false},
		{given{"frequency": 60, "frequency_unit": "weeks", "start_date": "01/03/2026 02:30:00"}, "2026-03-04 02:30:01", false},
	} {
		answer := maps.Clone(test.task)
		answer["next_run_time"] = test.next
		if got := hasAnotherSchedule(answer); got != test.want {
			t.Errorf("%v: %t", answer, got)
		}
	}
}

// Only a task of which it is certain that the scheduler does otherwise is not read as it is.
func TestReadAsScheduled(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer given
		other  bool
	}{
		"another schedule":   {given{"scheduling_mode": "cron", "crontab_expression": "0 3 * * *", "next_run_time": "2026-03-04 02:00:00"}, true},
		"its schedule":       {given{"scheduling_mode": "cron", "crontab_expression": "0 2 * * *", "next_run_time": "2026-03-04 02:00:00"}, false},
		"runs, inactive":     {given{"scheduling_mode": "cron", "is_active": false, "next_run_time": "2026-03-04 02:00:00"}, true},
		"over, inactive":     {given{"frequency": 0, "start_date": "01/03/2026 12:00:00", "is_active": false, "next_run_time": "2026-03-04 02:00:00"}, false},
		"unknown":            {given{"scheduling_mode": "cron", "is_active": nil}, false},
		"cron":               {given{"scheduling_mode": "cron"}, true},
		"cron, an old end":   {given{"scheduling_mode": "cron", "end_date": "01/03/2026 11:00:00"}, true},
		"at intervals":       {given{"frequency": 60}, true},
		"with an end":        {given{"frequency": 60, "end_date": "02/03/2026 01:59:00"}, false}, // which is over in UTC+14
		"with a later end":   {given{"frequency": 60, "end_date": "02/03/2026 02:01:00"}, true},
		"once":               {given{"frequency": 0, "start_date": "02/03/2026 01:59:00", "end_date": "01/03/2030 12:00:00"}, false},
		"once, later":        {given{"frequency": 0, "start_date": "02/03/2026 02:01:00", "end_date": "01/03/2020 12:00:00"}, true},
		"once, immediately":  {given{"frequency": nil}, false},
		"inactive":           {given{"scheduling_mode": "cron", "is_active": false}, false},
		"scheduled":          {given{"scheduling_mode": "cron", "next_run_time": "2026-03-02 02:00:00"}, false},
		"unreachable":        {given{"scheduling_mode": "cron", "next_run_time": "Scheduler Unreachable"}, false},
		"without a next run": {given{"scheduling_mode": "cron", "next_run_time": nil}, false},
	} {
		answer := given{"name": "t", "is_active": true, "next_run_time": notScheduled}
		maps.Copy(answer, test.answer)
		state := kind.Values{"is_active": value.FromJSON(true)}
		diags := readAsScheduled(answer, state, noon)
		if state["is_active"].IsNull() != test.other || (diags.WarningsCount() == 1) != test.other || diags.HasError() {
			t.Errorf("%s: %v, %v", name, state, diags)
		}
	}
}

func TestCheckService(t *testing.T) {
	t.Parallel()
	service := service()
	inTwo := given{"name": "[w] a", "id": "3", "scoped_name": "a", "shared": false, "workflows": []string{"w", "v"}}
	for name, c := range map[string]checkCase{
		"by itself":                 {config: given{"name": "a"}, planned: given{"scoped_name": "a"}},
		"shared":                    {config: given{"name": "[Shared] a", "shared": true}, planned: given{"scoped_name": "a"}},
		"prefix, not shared":        {config: given{"name": "[Shared] a"}, want: "Error: name: The service is not shared"},
		"in a workflow":             {config: given{"name": "[w] a", "workflows": []string{"w"}}, planned: given{"scoped_name": "a"}},
		"in one, no blank":          {config: given{"name": "[w]a", "workflows": []string{"w"}}, want: "Error: name: The name of a service must begin with the name of its workflow", detail: `the service "[w] a"`},
		"in no workflow":            {config: given{"name": "[w] a"}, want: "Error: name: The service is in no workflow", detail: `workflows = ["w"]`},
		"in no nested workflow":     {config: given{"name": "[[w] v] a"}, want: "Error: name: The service is in no workflow", detail: `workflows = ["[w] v"]`},
		"brackets of its own":       {config: given{"name": "[w] a", "scoped_name": "[w] a"}},
		"in two workflows":          {config: given{"name": "[w] a", "workflows": []string{"w", "v"}}, want: "Error: workflows: A service in several workflows must be shared", detail: `"[Shared] a"`},
		"nothing but a prefix":      {config: given{"name": "[Shared] ", "shared": true}, want: "Warning: name: Unusual value for name; Error: name: Missing name after the prefix"},
		"another scoped_name":       {config: given{"name": "a", "scoped_name": "b"}, want: "Error: scoped_name: scoped_name does not match name", detail: `scoped_name = "a"`},
		"placeholder":               {config: given{"name": "a", "type": "service", "placeholder": true}, want: "Error: placeholder: Only workflows contain a placeholder"},
		"placeholder, type unknown": {config: given{"name": "a", "type": unknown, "placeholder": true}},
		"an unknown scoped_name":    {config: given{"name": "a", "scoped_name": unknown}},
		"unknown, with brackets":    {config: given{"name": "[w] a", "scoped_name": unknown}},
		"placeholder, and a list":   {config: given{"name": "w", "type": "workflow", "placeholder": true, "properties": value.FromJSON(given{"services": []any{"[Shared] Start"}})}, want: "Error: placeholder: placeholder and properties.services exclude each other"},
		"built in, renamed":         {config: given{"name": "[Shared] Mine", "shared": true}, state: given{"name": "[Shared] Placeholder", "id": "3", "type": "service", "shared": true}, want: `Error: name: "[Shared] Placeholder" is built in`},
		"skip_value in eNMS":        {config: given{"name": "a"}, state: given{"name": "a", "id": "3", "skip_value": "True"}},
		"disabled":                  {config: given{"name": "a", "disabled": true}, state: given{"name": "a", "id": "3", "disabled": false, "disabled_info": ""}, planned: given{"disabled_info": unknown}},
		"disabled before":           {config: given{"name": "a", "disabled": true}, state: given{"name": "a", "id": "3", "disabled": true, "disabled_info": "by admin"}, planned: given{"disabled_info": "by admin"}},
		"no placeholder":            {config: given{"name": "a", "type": "service", "placeholder": false}},
		"placeholder in eNMS":       {config: given{"name": "w", "type": "workflow", "properties": value.FromJSON(given{"services": []any{"[Shared] Start"}})}, state: given{"name": "w", "id": "3", "type": "workflow", "placeholder": true}},
		"built in":                  {config: given{"name": "[Shared] End", "shared": true}, want: `Error: name: "[Shared] End" is built in`},
		"a name unknown":            {config: given{"name": unknown}, planned: given{"scoped_name": unknown}},
		"a name unknown, scoped":    {config: given{"name": unknown, "scoped_name": "x"}, planned: given{"scoped_name": "x"}},
		"shared unknown":            {config: given{"name": "[Shared] a", "shared": unknownFlag}, planned: given{"scoped_name": unknown}},
		"workflows unknown":         {config: given{"name": "[w] a", "workflows": tftypes.NewValue(value.StringSet, tftypes.UnknownValue)}, planned: given{"scoped_name": unknown}},
		"a configuration alone":     {config: given{"name": "[w] a", "shared": false, "workflows": []string{}}, validates: true},
		"shared, no prefix":         {config: given{"name": "a", "shared": true, "scoped_name": "b"}, want: "Error: name: The name of a shared service must begin with [Shared]"},
		"in two, scoped":            {config: given{"name": "[w] a", "workflows": []string{"w", "v"}, "scoped_name": "b"}, want: "Error: workflows: A service in several workflows must be shared"},
		"of no workflow, scoped":    {config: given{"name": "a", "workflows": []string{"w"}, "scoped_name": "b"}, want: "Error: name: The name of a service must begin with the name of its workflow"},
		"nothing but brackets":      {config: given{"name": "[w]", "workflows": []string{"w"}}, want: "Error: name: The name of a service must begin with the name of its workflow", detail: `the service "[w] [w]"`},
		"in two, in eNMS":           {config: given{"name": "[w] a", "workflows": []string{"w", "v"}, "description": "new"}, state: inTwo},
		"in two by now":             {config: given{"name": "[w] a", "workflows": []string{"w", "v"}}, state: given{"name": "[w] a", "id": "3", "workflows": []string{"w"}}, want: "Error: workflows: A service in several workflows must be shared"},
		"in two, renamed":           {config: given{"name": "[w] b", "workflows": []string{"w", "v"}}, state: inTwo, want: "Error: workflows: A service in several workflows must be shared"},
		"in two, not shared now":    {config: given{"name": "[w] a", "shared": false, "workflows": []string{"w", "v"}}, state: given{"name": "[w] a", "id": "3", "shared": true, "workflows": []string{"w", "v"}}, want: "Error: workflows: A service in several workflows must be shared"},
		"own brackets, in eNMS":     {config: given{"name": "[w] a", "description": "new"}, state: given{"name": "[w] a", "id": "3", "scoped_name": "[w] a"}},
		"own brackets by now":       {config: given{"name": "[w] a"}, state: given{"name": "a", "id": "3", "scoped_name": "[w] a"}, want: "Error: name: The service is in no workflow"},
		"outside its workflow":      {config: given{"name": "[w] a", "description": "new"}, state: given{"name": "[w] a", "id": "3", "scoped_name": "a"}, want: "Error: name: The service is in no workflow"},
		"broken skip_value":         {config: given{"name": "a", "skip_value": "True"}, want: "Warning: skip_value: Runs fail with this skip_value"},
	} {
		t.Run(name, func(t *testing.T) { c.check(t, service) })
	}
}

// criteriaOf makes criteria: the match and the value of each property.
func criteriaOf(all map[string][2]string) tftypes.Value {
	object := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"value": tftypes.String, "match": tftypes.String, "invert": tftypes.Bool}}
	members := map[string]tftypes.Value{}
	for property, c := range all {
		members[property] = tftypes.NewValue(object, map[string]tftypes.Value{"match": tftypes.NewValue(tftypes.String, c[0]),
			"value": tftypes.NewValue(tftypes.String, c[1]), "invert": tftypes.NewValue(tftypes.Bool, nil)})
	}
	return tftypes.NewValue(tftypes.Map{ElementType: object}, members)
}

func TestCheckPool(t *testing.T) {
	t.Parallel()
	pool := pool()
	devices, vendor := []string{"d"}, criteriaOf(map[string][2]string{"vendor": {"equality", "Cisco"}})
	byHand := given{"name": "p", "id": "7", "manually_defined": true, "devices": devices}
	for name, c := range map[string]checkCase{
		"nothing":                  {config: given{"name": "p"}, planned: given{"manually_defined": false}},
		"by criteria":              {config: given{"name": "p", "device_criteria": vendor}, planned: given{"manually_defined": false}},
		"by hand":                  {config: given{"name": "p", "devices": devices}, planned: given{"manually_defined": true}},
		"links, if any":            {config: given{"name": "p", "links": tftypes.NewValue(value.StringSet, tftypes.UnknownValue)}, planned: given{"manually_defined": unknownFlag}},
		"devices, if any":          {config: given{"name": "p", "devices": tftypes.NewValue(value.StringSet, tftypes.UnknownValue)}, planned: given{"manually_defined": unknownFlag}},
		"links, and criteria":      {config: given{"name": "p", "links": []string{}, "device_criteria": vendor}, want: `Error: device_criteria: Members conflict with criteria`},
		"links taken out":          {config: given{"name": "p"}, state: byHand, managed: []string{"links", "name"}, planned: given{"manually_defined": false}},
		"if any, and criteria":     {config: given{"name": "p", "devices": tftypes.NewValue(value.StringSet, tftypes.UnknownValue), "device_criteria": vendor}},
		"links by hand":            {config: given{"name": "p", "links": []string{}}, planned: given{"manually_defined": true}},
		"by hand, said so":         {config: given{"name": "p", "devices": devices, "manually_defined": true}},
		"by hand, denied":          {config: given{"name": "p", "devices": devices, "manually_defined": false}, want: `Error: devices: manually_defined = false conflicts with members`},
		"by hand, known later":     {config: given{"name": "p", "devices": devices, "manually_defined": unknownFlag}},
		"no longer said":           {config: given{"name": "p"}, state: given{"name": "p", "id": "7", "manually_defined": true}, managed: []string{"manually_defined"}, planned: given{"manually_defined": false}},
		"by hand and by the other": {config: given{"name": "p", "devices": devices, "link_criteria": vendor}, want: `Error: link_criteria: Members conflict with criteria`},
		"members taken out":        {config: given{"name": "p"}, state: byHand, managed: []string{"devices", "name"}, planned: given{"manually_defined": false}},
		"members never there":      {config: given{"name": "p"}, state: byHand, managed: []string{"name"}, planned: given{"manually_defined": true}},
	} {
		t.Run(name, func(t *testing.T) { c.check(t, pool) })
	}
}

// Expressions must be sound, and not compare an end of a link. PostgreSQL compares numbers with whole numbers alone: a
// criterion that compares one with a text is stored, and from then on eNMS computes the members of no pool.
func TestCheckCriteria(t *testing.T) {
	t.Parallel()
	const not, ends = "Invalid regular expression", "Invalid regular expression for an end of a link"
	const number, flag = "Invalid criterion for a number", "Invalid value of a criterion"
	for name, test := range map[string]struct{ attribute, property, match, value, want string }{
		"sound":               {"device_criteria", "name", "regex", `(?i)^r[0-9]+\.a$`, ""},
		"possessive":          {"device_criteria", "name", "regex", `a++b*+c?+d{2}+`, ""},
		"lookahead":           {"device_criteria", "name", "regex", `^(?=.*a)(?!b)`, ""},
		"lookbehind":          {"device_criteria", "name", "regex", `(?<=a)b`, ""},
		"named group":         {"device_criteria", "name", "regex", `(?P<site>a)`, ""},
		"open bracket":        {"device_criteria", "name", "regex", `(`, not},
		"two quantifiers":     {"device_criteria", "name", "regex", `a**`, not},
		"no expression":       {"device_criteria", "name", "equality", `(`, ""},
		"of a link":           {"link_criteria", "vendor", "regex", `^a`, ""},
		"broken, of a link":   {"link_criteria", "vendor", "regex", `[a`, not},
		"of a source":         {"link_criteria", "source_name", "regex", `^a`, ends},
		"of a destination":    {"link_criteria", "destination_name", "regex", `a`, ends},
		"a source, otherwise": {"link_criteria", "source_name", "inclusion", `a`, ""},
		"inclusion":           {"device_criteria", "port", "inclusion", "22", number},
		"empty":               {"device_criteria", "port", "empty", "", number},
		"no number":           {"device_criteria", "port", "equality", "ssh", number},
		"a fraction":          {"device_criteria", "port", "equality", "22.5", number},
		"too large":           {"device_criteria", "port", "equality", "2147483648", number},
		"other notations":     {"device_criteria", "port", "equality", "0x16", number},
		"equality":            {"device_criteria", "port", "equality", "22", ""},
		"signs and blanks":    {"device_criteria", "port", "equality", " -22", ""},
		"an expression":       {"device_criteria", "port", "regex", "^22", ""},
		"a broken expression": {"device_criteria", "port", "regex", "(", not},
		"no condition":        {"device_criteria", "port", "inclusion", "", ""},
		"an id":               {"link_criteria", "source_id", "inclusion", "2", number},
		"a text":              {"device_criteria", "latitude", "inclusion", "48", ""},
		"a custom property":   {"device_criteria", "rack", "inclusion", "22", ""},
		"quantified signs":    {"device_criteria", "name", "regex", `\++\*+`, ""},
		"a source of devices": {"device_criteria", "source_name", "regex", `^a`, ""},
		"empty, with a value": {"device_criteria", "port", "empty", "22", number},
		"digits of eleven":    {"device_criteria", "port", "equality", "1a", number},
		"a flag for an id":    {"device_criteria", "id", "equality", "bool-true", flag},
		"a flag for a text":   {"device_criteria", "vendor", "inclusion", "bool-true", flag},
		"a flag for a number": {"device_criteria", "port", "equality", "bool-false", flag},
		"a flag for a flag":   {"device_criteria", "reachable", "inclusion", "bool-true", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := checkCase{config: given{"name": "p", test.attribute: criteriaOf(map[string][2]string{test.property: {test.match, test.value}})}}
			if test.want != "" {
				c.want = fmt.Sprintf("Error: %s[%q]: %s", test.attribute, test.property, test.want)
			}
			c.check(t, pool())
		})
	}
}

// What eNMS holds may stay, whatever else of the pool changes: its database may be one that
// takes it, and nobody shall be kept from managing an imported pool.
func TestCheckHeldCriteria(t *testing.T) {
	t.Parallel()
	other := criteriaOf(map[string][2]string{"port": {"equality", "22"}, "name": {"inclusion", "("}})
	for want, held := range map[string]map[string][2]string{
		`device_criteria["port"]: Invalid criterion for a number`: {"port": {"inclusion", "22"}},
		`device_criteria["name"]: Invalid regular expression`:     {"name": {"regex", "("}},
	} {
		for severity, before := range map[string]tftypes.Value{"Warning: ": criteriaOf(held), "Error: ": other} {
			t.Run(severity+want, func(t *testing.T) {
				checkCase{config: given{"name": "p", "description": "new", "device_criteria": criteriaOf(held)},
					state: given{"name": "p", "description": "old", "device_criteria": before}, want: severity + want}.check(t, pool())
			})
		}
	}
}

// TestPlainExpression: which expressions need no trial on the server.
func TestPlainExpression(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]bool{
		`.*`: true, `^sr-[0-9]+\.ams$`: true, `(?i)^paris`: true, `a|b|^c$`: true, `(dal|fra)las?`: true, `\d\w\s`: true, `größe`: true,
		`^*a`: false, `[z-a]`: false, `(?=a)b`: false, `(?P<n>a)`: false, `\ya\y`: false, `\bx`: false, `a{256}`: false, `a**`: false, `a++`: false,
		`((a))`: false, `(?:a)`: false, `[[:digit:]]`: false, `\1`: false, "a\x00": false, strings.Repeat("a", 5000): false,
	} {
		if got := plainExpression(expression); got != want {
			t.Errorf("%.20s: %v", expression, got)
		}
	}
}

// A criterion is portable if all databases have its property, and read its expression.
func TestPortable(t *testing.T) {
	t.Parallel()
	for c, want := range map[[3]string]bool{
		{"vendor", "regex", "^a"}: true, {"vendor", "regex", "(?=a)"}: false, {"vendor", "inclusion", "(?=a)"}: true, {"rack", "inclusion", "a"}: false, {"rack", "regex", "^a"}: false,
	} {
		if got := portable([]string{"vendor"})(c[0], kind.Criterion{Match: c[1], Value: c[2]}); got != want {
			t.Errorf("%q: %v", c, got)
		}
	}
}

func TestCheckEdge(t *testing.T) {
	t.Parallel()
	edge := workflowEdge()
	with := func(more given) given {
		out := given{"workflow": "w", "source": "[w] a", "destination": "[w] b", "subtype": "success"}
		for name, v := range more {
			out[name] = v
		}
		return out
	}
	had := func(more given) given {
		out := with(given{"id": "7", "name": "e", "label": "success", "color": "green"})
		for name, v := range more {
			out[name] = v
		}
		return out
	}
	long := strings.Repeat("w", 250)
	for name, c := range map[string]checkCase{
		"success":                  {config: with(nil), planned: given{"name": "w: [w] a -> [w] b (success)", "label": "success", "color": "green"}},
		"failure":                  {config: with(given{"subtype": "failure"}), planned: given{"name": "w: [w] a -> [w] b (failure)", "label": "failure", "color": "red"}},
		"of its own":               {config: with(given{"name": "e", "label": "l", "color": "blue"}), planned: given{"name": "e", "label": "l", "color": "blue"}},
		"an end unknown":           {config: with(given{"source": unknown}), planned: given{"name": unknown, "label": "success"}},
		"a subtype unknown":        {config: with(given{"subtype": unknown}), planned: given{"name": unknown, "label": unknown, "color": unknown}},
		"unknown, of an edge":      {config: with(given{"subtype": unknown}), state: had(nil), planned: given{"name": "e", "label": unknown, "color": unknown}},
		"unknown, color by eNMS":   {config: with(given{"subtype": unknown}), state: had(given{"color": "blue"}), planned: given{"label": unknown, "color": "blue"}},
		"a long name":              {config: with(given{"workflow": long, "source": "[Shared] a", "destination": "[Shared] b"}), planned: given{"name": "edge 4aaa07f772eb7adbd2149ee6cece6e93f824c3c05a9226b000b77a7cb64e1fed"}},
		"another subtype":          {config: with(given{"subtype": "failure"}), state: had(nil), planned: given{"name": "e", "label": "failure", "color": "red"}},
		"another, with a label":    {config: with(given{"subtype": "failure", "label": "l"}), state: had(given{"label": "l"}), planned: given{"label": "l", "color": "red"}},
		"another, label by eNMS":   {config: with(given{"subtype": "failure"}), state: had(given{"label": "theirs"}), planned: given{"label": "theirs", "color": "red"}},
		"a label that is let go":   {config: with(nil), state: had(given{"label": "l"}), managed: []string{"label"}, planned: given{"label": "success"}},
		"shared ends":              {config: with(given{"source": "[Shared] Start", "destination": "[Shared] s"})},
		"of another workflow":      {config: with(given{"source": "[v] a"}), want: "Error: source: A service is not in the workflow", detail: `called "[w] a" then`},
		"Start for its full name":  {config: with(given{"source": "Start"}), want: "Error: source: A service is not in the workflow", detail: `"Start" is not a service of the workflow "w". Did you mean "[Shared] Start"?`},
		"a blank left out":         {config: with(given{"destination": "[w]b"}), want: "Error: destination: A service is not in the workflow", detail: `Did you mean "[w] b"?`},
		"of no workflow":           {config: with(given{"destination": "b"}), want: "Error: destination: A service is not in the workflow"},
		"of an inner workflow":     {config: with(given{"destination": "[[w] v] b"}), want: "Error: destination: A service is not in the workflow"},
		"in an inner workflow":     {config: with(given{"workflow": "[w] v", "source": "[[w] v] a", "destination": "[[w] v] b"})},
		"an end left out":          {config: with(given{"source": nil})},
		"an end of the name End":   {config: with(given{"source": "[Shared] Start", "destination": "[Shared] End"})},
		"the longest name":         {config: with(given{"name": nil, "workflow": long[:255-len(": [Shared] a -> [Shared] b (success)")], "source": "[Shared] a", "destination": "[Shared] b"}), planned: given{"name": long[:255-len(": [Shared] a -> [Shared] b (success)")] + ": [Shared] a -> [Shared] b (success)"}},
		"a label like the subtype": {config: with(nil), state: had(given{"subtype": "success", "label": "success", "color": "blue"}), planned: given{"label": "success", "color": "blue"}},
		"workflow unknown":         {config: with(given{"workflow": unknown, "source": "a"})},
		"outside, in eNMS":         {config: with(given{"source": "a", "label": "l"}), state: had(given{"source": "a"})},
		"outside, moved there":     {config: with(given{"source": "a"}), state: had(nil), want: "Error: source: A service is not in the workflow"},
		"another workflow":         {config: with(given{"workflow": "v"}), state: had(nil), want: "Error: source: A service is not in the workflow; Error: destination: A service is not in the workflow"},
		"a label that is left be":  {config: with(nil), state: had(given{"label": "l"}), planned: given{"label": "l"}},
	} {
		t.Run(name, func(t *testing.T) { c.check(t, edge) })
	}
}

func TestCheckInstance(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]checkCase{
		"a type":                   {config: given{"type": "credential", "name": "x"}},
		"imported all the same":    {config: given{"type": "run", "name": "x"}, state: given{"type": "run", "name": "x", "id": "7"}, want: "Error: type: Instances of type run cannot be managed"},
		"a type that is unknown":   {config: given{"type": unknown, "name": "x"}},
		"the name of another line": {config: given{"type": "generic_device", "name": "x"}, want: "Error: type: Invalid type"},
	} {
		t.Run(name, func(t *testing.T) { c.check(t, instance(nil)) })
	}
}

// A coordinate that maps cannot show is doubtful.
func TestCoordinate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "0": "", "-90": "", "32.78": "", "9e1": "",
		"90.1": "exchanged?", "-96.8": "exchanged?", "48,1": `Write "48.1"`, "96,8": "Write decimal degrees", "48°N": "Write decimal degrees", "1e999": "Write decimal degrees",
	} {
		if doubt := coordinate(90)(text, nil); (doubt == "") != (want == "") || !strings.Contains(doubt, want) {
			t.Errorf("%q: %q, want %q", text, doubt, want)
		}
	}
}

// The check of passwords, which looks at one attribute by itself.
func TestCheckTexts(t *testing.T) {
	t.Parallel()
	for password, legal := range map[string]bool{
		"secret": true, "": true, "x$argon2i": true, "$argon2i": false, "$argon2id$v=19$m=65536": false,
	} {
		if problem := checkPassword(password, "password_wo"); (problem == "") != legal {
			t.Errorf("%q: %s", password, problem)
		}
	}
}

// eNMS hands ip_address to Netmiko and the others as the host, where names work.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"", "10.0.0.1", "2001:db8::1", "fe80::1%eth0", "::ffff:10.0.0.1",
		"router1", "router1.example.com", "R1.Example.COM.", "1and1.example", "3com", "xn--bcher-kva.example", "a-b.c",
		strings.Repeat("a", 63) + ".example", strings.Repeat("a.", 126) + "a", "10.0.0.1.example.com",
		"clab-lab_1-leaf_1", "router_1", "_r1_.example", "bücher.example", "हिन्दी.example",
	} {
		if problem := checkAddress(address, "ip_address"); problem != "" {
			t.Errorf("%q: %s", address, problem)
		}
	}
	for address, hint := range map[string]string{
		"10.0.0.300":                     "from 0 to 255",
		"10.0.0":                         "from 0 to 255",
		"10.0.0.01":                      "leading zeros",
		"1234":                           "from 0 to 255",
		"10.0.0.1/24":                    `without the mask: "10.0.0.1"`,
		"2001:db8::1/64":                 `without the mask: "2001:db8::1"`,
		"https://router1.example.com/x":  `only the host: "router1.example.com"`,
		"ssh://10.0.0.1:22":              `only the host: "10.0.0.1"`,
		"10.0.0.1:22":                    `only the host: "10.0.0.1"`,
		"router1.example.com:22":         `only the host: "router1.example.com"`,
		" 10.0.0.1":                      `without spaces: "10.0.0.1"`,
		"router1 ":                       `without spaces: "router1"`,
		" ":                              "A host name holds",
		"10.0.0.1\t":                     `without spaces: "10.0.0.1"`,
		"-a.example":                     "begin or end",
		"a-.example":                     "begin or end",
		"a..example":                     "begin or end",
		".":                              "begin or end",
		"example.123":                    "begin or end",
		strings.Repeat("a", 64):          "63 characters",
		strings.Repeat("a.", 126) + "ab": "A host name holds",
	} {
		if problem := checkAddress(address, "ip_address"); !strings.Contains(problem, hint) {
			t.Errorf("%q: %q, expected %q", address, problem, hint)
		}
	}
}
