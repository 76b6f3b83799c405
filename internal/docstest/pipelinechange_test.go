// Tests of examples/pipeline/change.sh: the number, the window and the approval of a change.

package docstest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The times are in the zone of the windows, whatever the zone of the machine.
func TestPipeline_changeWindows(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	for _, c := range []struct {
		settings, now string
		says          string // "" if the change may be made
	}{
		{`CHANGE_WINDOWS=Sat,Sun 22:00-04:00; Wed 06:00-07:30`, "Sat 21:59", "no window is open"},
		{`CHANGE_WINDOWS=Sat,Sun 22:00-04:00; Wed 06:00-07:30`, "Sat 22:00", ""},
		{`CHANGE_WINDOWS=Sat,Sun 22:00-04:00; Wed 06:00-07:30`, "Sun 03:59", ""},
		{`CHANGE_WINDOWS=Sat,Sun 22:00-04:00; Wed 06:00-07:30`, "Sun 04:00", "no window is open"},
		{`CHANGE_WINDOWS=Sat,Sun 22:00-04:00; Wed 06:00-07:30`, "Mon 03:59", ""},
		{`CHANGE_WINDOWS=Sat,Sun 22:00-04:00; Wed 06:00-07:30`, "Sat 03:59", "no window is open"},
		{`CHANGE_WINDOWS=Sat,Sun 22:00-04:00; Wed 06:00-07:30`, "Wed 07:29", ""},
		{`CHANGE_WINDOWS=Sat,Sun 22:00-04:00; Wed 06:00-07:30`, "Wed 07:30", "no window is open"},
		{`CHANGE_WINDOWS=Tue 00:00-24:00`, "Tue 23:59", ""},
		{`CHANGE_WINDOWS=Tue 00:00-24:00`, "Wed 00:00", "no window is open"},
		{`CHANGE_WINDOWS=Sat 22:00-4:00`, "Sat 23:00", `"4:00" is not a time`},
		{`CHANGE_WINDOWS=Sam 22:00-04:00`, "Sat 23:00", `"Sam" is not a day`},
		{`CHANGE_WINDOWS=Sat 22:00-04:00; * 22:00-23:00`, "Mon 22:30", `"*" is not a day`},
		{`CHANGE_WINDOWS=always`, "Sat 23:00", `"always" is not days and times`},
	} {
		code, out := runShell(p.w, "pipeline/change.sh HEAD digest", c.settings, "CHANGE_NOW="+c.now)
		if (code == 0) != (c.says == "") || !strings.Contains(out, c.says) {
			t.Errorf("%s, %s: %d, %s", c.settings, c.now, code, out)
		}
	}
	p.run("pipeline/change.sh HEAD digest back", "CHANGE_WINDOWS=Sat 22:00-04:00", "CHANGE_NOW=Sat 21:00") // waits for no window
}

// A release applies nothing without a number, outside of the window, or without the approval of the webhook.
func TestPipeline_change(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	var asked []map[string]any
	answer := `{"approved": false, "reason": "not reviewed yet"}`
	webhook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var question map[string]any
		if err := json.NewDecoder(r.Body).Decode(&question); err != nil || r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("%v, %q", err, r.Header.Get("Authorization"))
		}
		asked = append(asked, question)
		fmt.Fprint(w, answer)
	}))
	t.Cleanup(webhook.Close)
	p.commit("resource \"terraform_data\" \"a\" {}\n")
	settings := []string{"CHANGE_PATTERN=CHG[0-9]{7}", "CHANGE_WINDOWS=Mon 10:00-11:00", "CHANGE_NOW=Mon 11:00", "CHANGE_URL=" + webhook.URL, "CHANGE_TOKEN=secret"}
	refused := func(says string) {
		t.Helper()
		if out := p.release(5, says, settings...); !strings.Contains(out, "release: nothing was applied") {
			t.Errorf("the release says\n%s", out)
		}
		if state := p.run(`"$TERRAFORM" -chdir=prod init >/dev/null && "$TERRAFORM" -chdir=prod state list || true`); strings.Contains(state, "terraform_data.a") {
			t.Errorf("it was applied nevertheless: %s", state)
		}
	}
	refused(`has no line "Change: NUMBER"`)
	p.run("git -c user.name=a -c user.email=a@example.com commit -q --amend -m 'Add a\n\nChange: CHG0012345' && git push -q --force origin HEAD:main")
	refused("no window is open")
	settings[2] = "CHANGE_NOW=Mon 10:59"
	if len(asked) > 0 {
		t.Errorf("the webhook was asked: %v", asked)
	}
	refused("CHG0012345 is not approved: \"no: not reviewed yet\"")
	answer = `<html>`
	refused("CHG0012345 is not approved")
	answer = `{"approved": true}`
	digest := p.approve()
	p.apply(0, "", digest, settings...)
	commit := strings.TrimSpace(p.run("git rev-parse HEAD"))
	if last := asked[len(asked)-1]; last["change"] != "CHG0012345" || last["commit"] != commit || last["digest"] != digest || last["back"] != false {
		t.Errorf("the webhook was asked %v", last)
	}
}
