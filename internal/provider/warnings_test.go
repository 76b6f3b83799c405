package provider_test

import (
	"net"
	"net/url"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// Terraform plans twice in an apply, in processes of their own: each warning is shown once.
// The next run shows it again.
func TestWarnings_onceInARun(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("the address is another one of this machine")
	w := acctest.NewWorkspace(t)
	w.Environment = append(w.Environment, "XDG_CACHE_HOME="+t.TempDir())
	w.Configure(s.Block("") + s.Expand(`
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
		_, out := w.Run(run...)
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
func TestWarnings_ofTheBlockOnceInARun(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("it is asked through another address")
	w := acctest.NewWorkspace(t)
	w.Environment = append(w.Environment, "XDG_CACHE_HOME="+t.TempDir(), "NO_PROXY=", "no_proxy=")
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(u.Host)
	w.Configure(strings.Replace(s.Block(`proxy_url = "`+s.URL+`"`), u.Host, "enms.example.com:"+port, 1) + s.Expand(`
		resource "enms_device" "a" {
		  name = "NAME-a"
		}`))
	for _, run := range [][]string{
		{"apply", "-no-color", "-auto-approve"},
		{"plan", "-no-color"},
		{"apply", "-no-color", "-auto-approve", "-destroy"},
	} {
		_, out := w.Run(run...)
		if n := strings.Count(out, "Warning: The password is not encrypted"); n != 1 || strings.Contains(out, "more similar warning") {
			t.Errorf("%v shows it %d times: %s", run, n, out)
		}
	}
}
