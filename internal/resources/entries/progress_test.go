// This file tests what is said of long work.

package entries

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

// messages returns what a log says at INFO.
func messages(t *testing.T, log io.Reader) (lines []string) {
	t.Helper()
	entries, err := tflogtest.MultilineJSONDecode(log)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e["@level"] != "info" {
			t.Errorf("%v is not at INFO", e)
		}
		lines = append(lines, fmt.Sprint(e["@message"]))
	}
	return lines
}

// The log tells every five seconds how many are done, how many of them failed and how long the
// rest will take, and at the end what came of it.
func TestProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		ctx := tflogtest.RootLogger(t.Context(), &log)
		items := make([]int, 30)
		for i := range items {
			items[i] = i
		}
		deleted, created, none := &count{done: "deleted", total: 30}, &count{done: "created", total: 2}, &count{done: "updated"}
		p := newProgress(ctx, "device", deleted, none, created)
		time.Sleep(time.Second / 2) // so that nothing is told in the moment in which an item ends
		each(deleted, items, 2, func(i int) bool {
			time.Sleep(time.Second)
			return i%10 != 3
		})
		each(none, nil, mostTogether, func(int) bool { return true })
		each(created, []int{1, 2}, mostTogether, func(int) bool { return true })
		p.end(ctx)
		want := []string{
			"enms_instances: 7 of 30 instances of type device deleted after 5s, 1 failed, about 12s left",
			"enms_instances: 16 of 30 instances of type device deleted after 10s, 2 failed, about 6s left",
			"enms_instances: 25 of 30 instances of type device deleted after 15s, 3 failed, about 1s left",
			"enms_instances: 27 of 30 instances of type device deleted after 15s, 3 failed",
			"enms_instances: 2 of 2 instances of type device created after 0s",
		}
		if got := messages(t, &log); !reflect.DeepEqual(got, want) {
			t.Errorf("the log says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// Reading is told only when it takes long.
func TestProgress_ofReads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, of := range []struct {
			name string
			each time.Duration
			want []string
		}{
			{"short", time.Millisecond, nil},
			{"long", 6 * time.Second, []string{
				"enms_instances: 0 of 2 instances of type device read after 5s",
				"enms_instances: 2 of 2 instances of type device read after 6s",
			}},
		} {
			var log bytes.Buffer
			eachRead(tflogtest.RootLogger(t.Context(), &log), "read", "device", []int{1, 2}, func(int) bool {
				time.Sleep(of.each)
				return true
			})
			if got := messages(t, &log); !reflect.DeepEqual(got, of.want) {
				t.Errorf("%s: the log says %q", of.name, got)
			}
		}
	})
}

// What a plan will do is counted, with the least number of requests, and told in the log. Only
// work that takes long is a warning.
func TestWork(t *testing.T) {
	t.Parallel()
	stays := &priorEntry{name: "A"}
	items := []*item{
		{name: "A", prior: stays}, {name: "A", prior: stays, differs: true}, {name: "B", prior: stays, differs: true},
		{name: "C"}, {name: "D"}, {name: "A", prior: stays, removed: true},
	}
	if got := workOf(items, true); got != (work{created: 2, updated: 1, renamed: 1, deleted: 1}) {
		t.Errorf("%+v", got)
	}
	if got := workOf(items, false); got.deleted != 0 {
		t.Errorf("abandoned instances count as deleted: %+v", got)
	}
	for _, of := range []struct {
		work     work
		requests int
	}{
		{work{}, 0},
		{work{created: 1}, 1},
		{work{created: 20000}, 20},
		{work{updated: 1001}, 2},
		{work{renamed: 300}, 301},
		{work{renamed: 301, updated: 700}, 303},
		{work{deleted: 5000, created: 1000}, 5001},
	} {
		if got := of.work.requests(); got != of.requests {
			t.Errorf("%+v takes %d requests, want %d", of.work, got, of.requests)
		}
	}
	var log bytes.Buffer
	ctx := tflogtest.RootLogger(t.Context(), &log)
	work{}.tell(ctx, "device")
	work{created: 3, deleted: 2}.tell(ctx, "device")
	want := []string{"enms_instances: the plan creates 3, updates 0, renames 0 and deletes 2 instances of type device, in at least 3 requests"}
	if got := messages(t, &log); !reflect.DeepEqual(got, want) {
		t.Errorf("the log says %q", got)
	}
}

// A warning of deletions says how many requests they take, if they take long.
func TestWork_manyDeletions(t *testing.T) {
	t.Parallel()
	names := make([]string, 301)
	for i := range names {
		names[i] = fmt.Sprintf("R%03d", i)
	}
	noLimit := tftypes.NewValue(tftypes.Number, nil)
	for count, want := range map[int]bool{300: false, 301: true} {
		diags := (&collection{typ: "device"}).checkDeletions(names[:count], 1000, noLimit)
		if len(diags) != 1 || diags[0].Severity() != diag.SeverityWarning ||
			strings.Contains(diags[0].Detail(), fmt.Sprintf("at least %d requests. With TF_LOG_PROVIDER=INFO", count)) != want {
			t.Errorf("%d: %v", count, diags)
		}
	}
}
