// Tests of the data source enms_changelog, and of criteria that eNMS ignores.

package operations_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// Entries are found by what they are about, and hold values only if asked to.
func TestChangelog_selected(t *testing.T) {
	t.Parallel()
	for kind, version := range map[string]simulator.Version{"sqlite": simulator.V47, "enms-5.3": simulator.V53} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServerWith(t, kind, simulator.Options{Version: version})
			s.Put("device", enms.Object{"name": s.Expand("NAME-d (1)"), "port": 22})()
			s.Put("device", enms.Object{"name": s.Expand("NAME-d (1)"), "port": 23, "description": "it's"})()
			s.Put("pool", enms.Object{"name": s.Expand("NAME-p"), "manually_defined": true, "devices": []string{}})()
			s.Put("device", enms.Object{"name": s.Expand("NAME-e")})()
			s.Put("pool", enms.Object{"name": s.Expand("NAME-p"), "devices": []string{s.Expand("NAME-e")}})()
			s.Put("credential", enms.Object{"name": s.Expand("NAME-c"), "description": "a"})()
			s.Put("credential", enms.Object{"name": s.Expand("NAME-c"), "description": "b", "password": "hush-1234"})()
			s.Drop("device", s.Expand("NAME-d (1)"))()
			c := s.Core(nil)
			var updated string // when the device was updated
			for _, want := range []struct {
				config acctest.Attributes
				on     [2]string // 4.7 and 5.3
			}{
				{acctest.Attributes{"name": s.Expand("NAME-d (1)"), "values": true}, [2]string{"delete device, update device, create device",
					"delete device, update device [description port] null->it's... 22->23..., create device"}},
				{acctest.Attributes{"name": s.Expand("NAME-d (1)"), "max": 1}, [2]string{"delete device", "delete device"}},
				{acctest.Attributes{"name": s.Expand("NAME-d (1)"), "since": "update"}, [2]string{"delete device, update device", "delete device, update device [description port]"}},
				{acctest.Attributes{"name": s.Expand("NAME-d (1)"), "since": "update", "max": 1}, [2]string{"delete device", "delete device"}},
				{acctest.Attributes{"name": s.Expand("NAME-d (1)"), "type": "link"}, [2]string{}},
				{acctest.Attributes{"name": s.Expand("NAME-d")}, [2]string{}},
				{acctest.Attributes{"name": s.Expand("NAME-p"), "author": "admin"}, [2]string{"update pool, create pool", "update pool [devices], create pool"}},
				{acctest.Attributes{"name": s.Expand("NAME-p"), "author": "nobody"}, [2]string{}},
				{acctest.Attributes{"name": s.Expand("NAME-p"), "since": "2999-01-01"}, [2]string{}},
				{acctest.Attributes{"name": s.Expand("NAME-c"), "type": "credential", "since": "2000-01-01", "values": true},
					[2]string{"update credential, create credential", "update credential [description] a->b..., create credential"}},
			} {
				if want.config["since"] == "update" {
					want.config["since"] = updated
				}
				data, diags := c.ReadDataSourceBy("enms_changelog", want.config)
				if diags.Failed() {
					t.Fatal(diags)
				}
				entries := acctest.GoValue(t, data).(map[string]any)["entries"].([]any)
				var told []string
				for _, entry := range entries {
					told = append(told, toldOf(t, entry.(map[string]any), want.config["values"] == true))
					if entry := entry.(map[string]any); entry["action"] == "update" && entry["type"] == "device" {
						updated = entry["time"].(string)
					}
				}
				if is := strings.Join(told, ", "); is != want.on[version] {
					t.Errorf("%v: %s, want %s", want.config, is, want.on[version])
				}
				if strings.Contains(fmt.Sprint(entries), "hush-1234") {
					t.Error("the password is shown")
				}
			}
		})
	}
}

// toldOf returns what an entry says.
func toldOf(t *testing.T, entry map[string]any, values bool) string {
	t.Helper()
	if entry["author"] != "admin" || (entry["content"] != nil) != values {
		t.Errorf("author %v, content %v", entry["author"], entry["content"])
	}
	words := []string{entry["action"].(string), entry["type"].(string)}
	if fields, has := entry["fields"].([]any); has {
		words = append(words, fmt.Sprint(fields))
		if changes, has := entry["changes"].(map[string]any); has {
			for _, field := range fields {
				change := changes[field.(string)].(map[string]any)
				old := change["old"]
				if old == "" {
					old = "null"
				}
				words = append(words, fmt.Sprintf("%v->%v...", old, change["new"]))
			}
		}
	}
	return strings.Join(words, " ")
}

// An eNMS that ignores a criterion returns everything. What it returns is refused, and proving the usual
// answer takes no request more.
func TestRecent_ignoredCriteria(t *testing.T) {
	t.Parallel()
	s, proxy := acctest.NewServerBehindProxy(t)
	putServices(s)
	s.Put("task", enms.Object{"name": "NAME-t", "service": "NAME-s", "scheduling_mode": "standard", "frequency": 3600})()
	for _, service := range []string{"NAME-s", "NAME-fails"} {
		invokeAction(s.Core(nil), runAction, acctest.Attributes{"service": service, "devices": []string{"NAME-d1"}, "poll_interval": "1s"}, nil)
	}
	for _, asked := range []struct {
		source, criterion string
		config            acctest.Attributes
		requests          int // when the criterion is respected, beside that for the user
	}{
		{"enms_runs", "service", acctest.Attributes{"service": "NAME-s"}, 2},
		{"enms_runs", "task", acctest.Attributes{"task": "NAME-t"}, 1},
		{"enms_runs", "target_devices", acctest.Attributes{"device": "NAME-d1"}, 3},
		{"enms_runs", "status", acctest.Attributes{"status": "Running"}, 1},
		{"enms_changelog", "user", acctest.Attributes{"author": "nobody"}, 1},
		{"enms_changelog", "content", acctest.Attributes{"name": "NAME-s"}, 1},
	} {
		s.Simulator.ResetRequests()
		if _, diags := s.Core(nil).ReadDataSourceBy(asked.source, asked.config); diags.Failed() {
			t.Errorf("%s: %s", asked.criterion, diags)
		}
		if n := len(s.Simulator.Requests()); n != asked.requests {
			t.Errorf("%s: %d requests", asked.criterion, n)
		}
		proxy.SetRewrite(without(asked.criterion))
		_, diags := s.Core(nil).ReadDataSourceBy(asked.source, asked.config)
		if !strings.Contains(diags.String(), fmt.Sprintf("by %q", asked.criterion)) {
			t.Errorf("%s: %s", asked.criterion, diags)
		}
		proxy.SetRewrite(nil)
	}
}

// without removes a criterion from all searches.
func without(criterion string) acctest.Rewrite {
	return func(r *http.Request, _ func() (int, []byte)) []byte {
		var search map[string]any
		sent, _ := io.ReadAll(r.Body)
		if json.Unmarshal(sent, &search) == nil && r.URL.Path == "/rest/search" {
			delete(search["search_criteria"].(map[string]any), criterion)
			sent, _ = json.Marshal(search)
		}
		r.Body = io.NopCloser(bytes.NewReader(sent))
		return nil
	}
}
