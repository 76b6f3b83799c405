// Tests of what refers to an instance that is replaced: eNMS empties its relations when it
// deletes the instance, which no plan shows.

package provider_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// TestReplacementKeepsWhatRefersToIt replaces devices, a pool and a service to which others
// refer, in the configuration and beside it.
func TestReplacementKeepsWhatRefersToIt(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	config := func(typ string) string {
		return s.hcl(fmt.Sprintf(`
			resource "enms_device" "a" {
			  name = "NAME-a"
			  type = %[1]q
			}
			resource "enms_service" "s" {
			  name           = "NAME-s"
			  type           = "python_snippet_service"
			  target_devices = [enms_device.a.name]
			}
			resource "enms_task" "t" {
			  name    = "NAME-t"
			  service = enms_service.s.name
			  devices = ["NAME-a"]
			  depends_on = [enms_device.a]
			}
			resource "enms_pool" "p" {
			  name             = "NAME-p"
			  manually_defined = true
			  devices          = [enms_device.a.name]
			}
			resource "enms_network" "n" {
			  name  = "NAME-n"
			  nodes = [enms_device.a.name]
			}`, typ))
	}
	others := s.put("pool", enms.Object{"name": "NAME-theirs", "manually_defined": true})
	joins := s.put("pool", enms.Object{"name": "NAME-theirs", "devices": []string{s.expand("NAME-a")}})
	lies := s.put("device", enms.Object{"name": "NAME-a", "positions": map[string]any{s.expand("NAME-n"): []int{30, 40}}})
	kept := resource.ComposeTestCheckFunc(
		s.holds("pool", "NAME-theirs", "devices", "["+s.expand("NAME-a")+"]"),
		s.holds("pool", "NAME-theirs", "device_number", "1"),
		func(*terraform.State) error {
			if at := fmt.Sprint(s.find("device", "NAME-a", "positions")["positions"]); at != s.expand("map[NAME-n:[30 40]]") {
				return fmt.Errorf("lies at %s", at)
			}
			return nil
		})
	s.run(
		resource.TestStep{Config: config("device")},
		resource.TestStep{PreConfig: func() { others(); joins(); lies() }, Config: config("device"), Check: kept},
		resource.TestStep{Config: config("router"), Check: kept},
		resource.TestStep{Config: config("device"), Taint: []string{"enms_device.a"}, Check: kept},
	)
}

// TestReplacementOfGroupKeepsItsMembers replaces a group: it is emptied before it is deleted,
// so that its members lose its rights, and they are members of the new one.
func TestReplacementOfGroupKeepsItsMembers(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	name, user := s.expand("NAME-g"), s.expand("NAME-u")
	config := attributes{"name": name, "post_requests": []string{"/rest/search"}}
	state := s.core(nil).applied("enms_group", config, s.core(nil).none("enms_group"))
	s.put("user", enms.Object{"name": "NAME-u", "groups": []string{name}})()
	t.Cleanup(s.drop("user", user))
	c := s.core(nil).newRun()
	c.applied("enms_group", nil, state)
	c.applied("enms_group", config, c.none("enms_group"))
	if got := fmt.Sprint(s.get("user", user)["groups"]); got != "["+name+"]" {
		t.Errorf("the user is in the groups %s", got)
	}
	if got := fmt.Sprint(s.get("user", user)["post_requests"]); got != "[/rest/search]" {
		t.Errorf("the user may POST to %s", got)
	}
}

// TestReplacementWithoutWhatIsGone replaces a device to which others have referred that are
// deleted in the meantime, or that do not refer to it any more.
func TestReplacementWithoutWhatIsGone(t *testing.T) {
	t.Parallel()
	for typ, config := range map[string]func(name string) attributes{
		"enms_device":   func(name string) attributes { return attributes{"name": name, "type": "gateway"} },
		"enms_instance": func(name string) attributes { return attributes{"name": name, "type": "gateway"} },
		manyType: func(name string) attributes {
			return attributes{"type": "gateway", "instances": object(map[string]any{name: map[string]any{}})}
		},
	} {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			name := s.expand("NAME-a")
			state := s.core(nil).applied(typ, config(name), s.core(nil).none(typ))
			for _, pool := range []string{"NAME-p", "NAME-q"} {
				s.put("pool", enms.Object{"name": pool, "manually_defined": true, "devices": []string{name}})()
			}
			c := s.core(nil).newRun()
			c.applied(typ, nil, state)
			s.drop("pool", s.expand("NAME-p"))()
			c.applied(typ, config(name), c.none(typ))
			if err := s.holds("pool", "NAME-q", "devices", "[NAME-a]")(nil); err != nil {
				t.Error(err)
			}
			if err := s.absent("pool", s.expand("NAME-p"))(nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestReplacementLeavesWhatThisRunHasChanged replaces a device to which a pool refers that a
// resource of the same run takes it out of, also when eNMS refuses the first try to give back
// what else has referred to it.
func TestReplacementLeavesWhatThisRunHasChanged(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	name, own := s.expand("NAME-a"), s.expand("NAME-own")
	device := attributes{"name": name}
	pool := func(devices ...string) attributes {
		return attributes{"name": own, "manually_defined": true, "devices": append([]string{}, devices...)}
	}
	state := s.core(nil).applied("enms_device", device, s.core(nil).none("enms_device"))
	held := s.core(nil).applied("enms_pool", pool(name), s.core(nil).none("enms_pool"))
	for _, theirs := range []string{"NAME-gone", "NAME-kept"} {
		s.put("pool", enms.Object{"name": theirs, "manually_defined": true, "devices": []string{name}})()
	}
	c := s.core(nil).newRun()
	c.applied("enms_device", nil, state)
	s.drop("pool", s.expand("NAME-gone"))()
	held = c.applied("enms_pool", pool(), held)
	state = c.applied("enms_device", device, c.none("enms_device"))
	for of, want := range map[string]string{"NAME-own": "[]", "NAME-kept": "[NAME-a]"} {
		if err := s.holds("pool", of, "devices", want)(nil); err != nil {
			t.Error(err)
		}
	}
	s.core(nil).applied("enms_pool", nil, held)
	s.core(nil).applied("enms_device", nil, state)
}
