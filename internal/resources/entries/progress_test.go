// This file tests what is said of long work.

package entries

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync/atomic"
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

// The log tells every five seconds how many are done and how long the rest will take, and at the end what
// came of it. Short work is not told.
func TestEach_tellsLongWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, of := range []struct {
			name           string
			items, atATime int
			each           time.Duration
			want           []string
		}{
			{"none", 0, 2, time.Hour, nil},
			{"short", 30, 2, time.Millisecond, nil},
			{"long", 24, 2, 1100 * time.Millisecond, []string{
				"enms_instances: 8 of 24 instances of type device deleted after 5s, about 10s left",
				"enms_instances: 18 of 24 instances of type device deleted after 10s, about 3s left",
				"enms_instances: 24 of 24 instances of type device deleted after 13s",
			}},
			{"long for each", 2, 2, 6 * time.Second, []string{
				"enms_instances: 0 of 2 instances of type device deleted after 5s",
				"enms_instances: 2 of 2 instances of type device deleted after 6s",
			}},
		} {
			var log bytes.Buffer
			var done atomic.Int64
			each(tflogtest.RootLogger(t.Context(), &log), "deleted", "device", make([]int, of.items), of.atATime, func(int) {
				time.Sleep(of.each)
				done.Add(1)
			})
			if got := messages(t, &log); !reflect.DeepEqual(got, of.want) || done.Load() != int64(of.items) {
				t.Errorf("%s: %d were done; the log says\n%s\nwant\n%s", of.name, done.Load(), strings.Join(got, "\n"), strings.Join(of.want, "\n"))
			}
		}
	})
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
