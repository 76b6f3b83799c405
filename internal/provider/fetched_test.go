// Tests of the data source enms_device_configuration.

package provider_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

func TestDeviceConfiguration(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for typ, name := range map[string]string{"device": "NAME-d", "router": "NAME-r"} {
		s.put(typ, enms.Object{"name": name, "configuration": "hostname x\n!\n", "last_configuration_status": "Success",
			"last_configuration_runtime": "2026-01-02 03:04:05.678", "last_configuration_update": "2026-01-02 03:04:05.678"})()
		t.Cleanup(s.drop(typ, name))
	}
	c, typ := s.core(nil), "enms_device_configuration"
	for _, name := range []string{"NAME-d", "NAME-r"} {
		data, diags := c.dataOf(typ, attributes{"device": s.expand(name)})
		if diags.failed() {
			t.Fatal(diags)
		}
		got := members(t, data)
		for attribute, want := range map[string]any{"text": "hostname x\n!\n", "status": "Success", "update": "2026-01-02 03:04:05.678", "failure": nil} {
			if is := plain(t, got[attribute]); is != want {
				t.Errorf("%s of %s is %v, want %v", attribute, name, is, want)
			}
		}
		if data, diags = c.dataOf(typ, attributes{"device": s.expand(name), "property": "operational_data"}); diags.failed() {
			t.Fatal(diags)
		}
		if got = members(t, data); plain(t, got["text"]) != "" || plain(t, got["status"]) != nil {
			t.Errorf("of %s there is %v, %v", name, got["text"], got["status"])
		}
	}
	if _, diags := c.dataOf(typ, attributes{"device": s.expand("NAME-none")}); !diags.on("device") || !strings.Contains(diags.String(), "no device with that name") {
		t.Errorf("a device that does not exist: %s", diags)
	}
}

// Devices that are read at the same time share a request, and none is fetched besides.
func TestDeviceConfigurationsTogether(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("requests are counted")
	s.fill("device", 200, devices)
	c := s.core(nil)
	s.simulator.ResetRequests()
	var reads sync.WaitGroup
	for _, name := range []string{"NAME-1", "NAME-2", "NAME-3", "NAME-4", "NAME-5"} {
		reads.Go(func() {
			if _, diags := c.dataOf("enms_device_configuration", attributes{"device": s.expand(name)}); diags.failed() {
				t.Error(diags)
			}
		})
	}
	reads.Wait()
	answered := 0
	for _, r := range s.simulator.Requests() {
		answered += r.Answered
	}
	if n := len(s.simulator.Requests()); n > 3 || answered != 5 {
		t.Errorf("%d requests, %d devices", n, answered)
	}
}
