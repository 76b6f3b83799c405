// Tests of what the picture takes from a run.

package main

import (
	"slices"
	"testing"
)

// What differs from run to run is not drawn.
func TestDrawnLines(t *testing.T) {
	t.Parallel()
	first := drawn(` 1. build
    in /var/folders/x/terraform-provider-enms-123456 (12.3 s)
 2. start
    http://127.0.0.1:41234, user admin (0.1 s)
 3. terraform plan
    nothing to do (1.0 s, 3 requests)
All of it held, in 20.1 s. The configuration is there.
`)
	second := drawn(" 1. build\r\n    in C:\\Temp\\terraform-provider-enms-7 (2.0 s)\r\n 2. start\r\n    http://127.0.0.1:5, user admin (3.1 s)\r\n" +
		" 3. tofu plan\r\n    nothing to do (0.2 s, 12 requests)\r\nAll of it held, in 3.0 s. The configuration is there.\r\n")
	want := []string{
		"$ make quickstart",
		" 1. build", "    in a temporary directory",
		" 2. start", "    http://127.0.0.1:5000, user admin",
		" 3. terraform plan", "    nothing to do",
		"All of it held. The configuration is there.",
	}
	if !slices.Equal(first, want) || !slices.Equal(second, want) {
		t.Errorf("%q\n%q", first, second)
	}
}

// What a plan changes is told, and nothing of what it leaves or does not know.
func TestChanges(t *testing.T) {
	t.Parallel()
	got := changed(`enms_device.a: Refreshing state... [id=1]

Note: Objects have changed outside of Terraform

  # enms_device.a has changed
  ~ resource "enms_device" "a" {
      ~ ip_address = "10.0.0.1" -> "192.0.2.99"
    }

Terraform will perform the following actions:

  # enms_device.a will be updated in-place
  ~ resource "enms_device" "a" {
        id          = "1"
      ~ ip_address  = "192.0.2.99" -> "10.0.0.1"
      ~ computed    = "1" -> (known after apply)
      ~ gateways    = [
          - "x",
        ]
        # (20 unchanged attributes hidden)
    }

  # enms_task.t must be replaced
-/+ resource "enms_task" "t" {
    }

Plan: 0 to add, 1 to change, 0 to destroy.
`)
	want := []string{"# enms_device.a will be updated in-place", `~ ip_address = "192.0.2.99" -> "10.0.0.1"`, "# enms_task.t must be replaced"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
