package provider_test

import (
	"net"
	"net/url"
	"strings"
	"testing"
)

// Terraform plans twice in an apply, in processes of their own: each warning is shown once.
// The next run shows it again.
func TestWarningsOnceInARun(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("the address is another one of this machine")
	w := newWorkspace(t)
	w.environment = append(w.environment, "XDG_CACHE_HOME="+t.TempDir())
	w.configure(s.block("") + s.expand(`
		resource "enms_device" "a" {
		  name       = "NAME-a"
		  properties = { vendr = "Cisco" }
		}
		resource "enms_task" "t" {
		  name       = "NAME-t"
		  service    = "[Shared] Start"
		  is_active  = true
		  start_date = "01/01/2020 00:00:00"
		}`))
	for _, run := range [][]string{
		{"plan", "-no-color"},
		{"apply", "-no-color", "-auto-approve"},
	} {
		_, out := w.run(run...)
		for _, warning := range []string{"Unknown field vendr of device", "The start date is in the past"} {
			if n := strings.Count(out, "Warning: "+warning); n != 1 {
				t.Errorf("%v shows %q %d times", run, warning, n)
			}
		}
		if strings.Contains(out, "more similar warning") {
			t.Errorf("%v: %s", run, out)
		}
	}
}

// So it is with the warning about the provider block, also where Terraform plans twice before
// it destroys and drops what the first of those plans says.
func TestWarningOfTheBlockOnceInARun(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("it is asked through another address")
	w := newWorkspace(t)
	w.environment = append(w.environment, "XDG_CACHE_HOME="+t.TempDir(), "NO_PROXY=", "no_proxy=")
	u, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(u.Host)
	w.configure(strings.Replace(s.block(`proxy_url = "`+s.url+`"`), u.Host, "enms.example.com:"+port, 1) + s.expand(`
		resource "enms_device" "a" {
		  name = "NAME-a"
		}`))
	for _, run := range [][]string{
		{"apply", "-no-color", "-auto-approve"},
		{"plan", "-no-color"},
		{"apply", "-no-color", "-auto-approve", "-destroy"},
	} {
		_, out := w.run(run...)
		if n := strings.Count(out, "Warning: The password is not encrypted"); n != 1 || strings.Contains(out, "more similar warning") {
			t.Errorf("%v shows it %d times: %s", run, n, out)
		}
	}
}
