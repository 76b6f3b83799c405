// Tests of the identity of resources: what it is of every kind, what it becomes, and
// imports by it. They speak the protocol, so that any Terraform will do.

package provider_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
)

// identities are the identity schemas by resource.
func (c *core) identities() map[string]*tfprotov6.ResourceIdentitySchema {
	c.t.Helper()
	resp, err := c.server.GetResourceIdentitySchemas(c.t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		c.t.Fatal(err)
	}
	return resp.IdentitySchemas
}

// identity is an identity as Terraform sends it: what is not given is null.
func (c *core) identity(typ string, given map[string]string) *tfprotov6.ResourceIdentityData {
	c.t.Helper()
	types, values := map[string]tftypes.Type{}, map[string]tftypes.Value{}
	for _, a := range c.identities()[typ].IdentityAttributes {
		types[a.Name], values[a.Name] = a.Type, tftypes.NewValue(a.Type, nil)
		if text, has := given[a.Name]; has {
			values[a.Name] = tftypes.NewValue(a.Type, text)
		}
	}
	return &tfprotov6.ResourceIdentityData{IdentityData: c.encode(tftypes.NewValue(tftypes.Object{AttributeTypes: types}, values))}
}

// identityTexts are the members of an identity that are not null.
func (c *core) identityTexts(typ string, data *tfprotov6.ResourceIdentityData) map[string]string {
	c.t.Helper()
	types := map[string]tftypes.Type{}
	for _, a := range c.identities()[typ].IdentityAttributes {
		types[a.Name] = a.Type
	}
	if data == nil {
		return nil
	}
	v, err := data.IdentityData.Unmarshal(tftypes.Object{AttributeTypes: types})
	if err != nil {
		c.t.Fatal(err)
	}
	texts := map[string]string{}
	for name, member := range members(c.t, v) {
		if !member.IsNull() {
			texts[name] = textOf(c.t, member)
		}
	}
	return texts
}

// identified checks the identity of a resource.
func (c *core) identified(typ string, state resourceState, want map[string]string) {
	c.t.Helper()
	if got := c.identityTexts(typ, state.identity); !maps.Equal(got, want) {
		c.t.Errorf("the identity of %s is %v, want %v", typ, got, want)
	}
}

// wantIdentity is what the state says that the identity should be.
func (c *core) wantIdentity(typ string, state resourceState) map[string]string {
	c.t.Helper()
	want := map[string]string{}
	for _, a := range c.identities()[typ].IdentityAttributes {
		want[a.Name] = state.text(c.t, a.Name)
	}
	return want
}

// An instance of every kind has its name for an identity, and its type where there are
// several; a rename in place changes the identity and keeps the instance, and an import
// by the identity brings what one by the name does.
func TestIdentityOfEveryKind(t *testing.T) {
	t.Parallel()
	ofEveryKind(t, func(t *testing.T, s *server, c *core, k *kind.Kind) {
		typ := "enms_" + k.Name
		config := fullConfig(0, s, k)
		state := c.applied(typ, config, c.none(typ))
		c.identified(typ, state, c.wantIdentity(typ, state))
		byIdentity, diags := c.importBy(&tfprotov6.ImportResourceStateRequest{TypeName: typ, Identity: state.identity})
		if diags.failed() {
			t.Fatal(diags)
		}
		byName, diags := c.importByName(typ, importIDOf(k, config))
		if diags.failed() || !byName.value.Equal(byIdentity.value) {
			t.Errorf("by name %s, by identity %s %s", byName.value, byIdentity.value, diags)
		}
		c.identified(typ, byName, c.wantIdentity(typ, state))
		c.identified(typ, byIdentity, c.wantIdentity(typ, state))
		id := state.text(t, "id")
		config["name"] = s.expand("NAME-renamed")
		state = c.applied(typ, config, state)
		if state.text(t, "id") != id {
			t.Errorf("the id is %s, was %s", state.text(t, "id"), id)
		}
		renamed := c.wantIdentity(typ, state)
		if renamed["name"] != s.expand("NAME-renamed") {
			t.Error(renamed)
		}
		c.identified(typ, state, renamed)
		c.identified(typ, c.refreshed(typ, state), renamed)
		c.applied(typ, nil, state)
	})
}

// Terraform before 1.12 keeps no identity: its state is read, changed and destroyed all the
// same, and gets one; also when the instance is gone.
func TestStatesWithoutIdentity(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	without := func(state resourceState) resourceState {
		state.identity = nil
		return state
	}
	config := attributes{"name": s.expand("NAME-d"), "vendor": "Cisco"}
	want := map[string]string{"name": s.expand("NAME-d"), "type": "device"}
	state := without(c.applied("enms_device", config, c.none("enms_device")))
	c.identified("enms_device", c.refreshed("enms_device", state), want)
	config["vendor"] = "Juniper"
	state = c.applied("enms_device", config, state)
	c.identified("enms_device", state, want)
	state = c.applied("enms_device", nil, without(state))
	if !state.value.IsNull() {
		t.Error(state.value)
	}
	state = without(c.applied("enms_device", config, c.none("enms_device")))
	s.drop("device", "NAME-d")()
	if gone := c.refreshed("enms_device", state); !gone.value.IsNull() {
		t.Error(gone.value)
	}
}

// While a setting of the provider is unknown nothing is read, and the state keeps its
// identity or gets one.
func TestIdentityWithUnknownSettings(t *testing.T) {
	noEnvironment(t)
	_, url := simtest.Start(t, simulator.Options{})
	c, diags := tryCore(t, provider.New("test"), needed(attributes{"base_url": url, "username": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}))
	if diags.failed() {
		t.Fatal(diags)
	}
	state := resourceState{value: objectOf(t, c.schemas["enms_device"], attributes{"name": "d", "type": "router", "id": "7"})}
	c.identified("enms_device", c.refreshed("enms_device", state), map[string]string{"name": "d", "type": "router"})
}

// Who renames an instance elsewhere changes its identity.
func TestIdentityAfterRenameByOthers(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	state := c.applied("enms_device", attributes{"name": s.expand("NAME-d"), "vendor": "Cisco"}, c.none("enms_device"))
	t.Cleanup(s.drop("device", "NAME-e"))
	s.put("device", enms.Object{"name": "NAME-d", "new_name": "NAME-e"})()
	c.identified("enms_device", c.refreshed("enms_device", state), map[string]string{"name": s.expand("NAME-e"), "type": "device"})
}

// A failed rename leaves the identity of what eNMS holds.
func TestIdentityAfterFailedRename(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	t.Cleanup(s.drop("device", "NAME-taken"))
	s.put("device", enms.Object{"name": "NAME-taken"})()
	state := c.applied("enms_device", attributes{"name": s.expand("NAME-d")}, c.none("enms_device"))
	state, diags := c.apply("enms_device", attributes{"name": s.expand("NAME-taken")}, state)
	if !diags.failed() {
		t.Error("it was renamed to a name that is taken")
	}
	c.identified("enms_device", state, map[string]string{"name": s.expand("NAME-d"), "type": "device"})
	c.applied("enms_device", nil, state)
}

// What an import by identity refuses, and what it leaves to eNMS.
func TestImportByIdentity(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	t.Cleanup(s.drop("device", "NAME-g"))
	s.put("gateway", enms.Object{"name": "NAME-g"})()
	for _, test := range []struct {
		typ      string
		identity map[string]string
		problem  string // "" when the import succeeds
	}{
		{"enms_device", map[string]string{"name": "NAME-g"}, ""},
		{"enms_device", map[string]string{"name": "NAME-g", "type": "gateway"}, ""},
		{"enms_instance", map[string]string{"name": "NAME-g", "type": "gateway"}, ""},
		{"enms_device", map[string]string{"name": "NAME-g", "type": "router"}, "It is a gateway, not a router as the import says."},
		{"enms_device", map[string]string{"name": "NAME-none"}, s.expand(`Cannot import device "NAME-none"`)},
		{"enms_device", map[string]string{"name": ""}, "nothing is empty"},
		{"enms_device", map[string]string{"name": "NAME-g", "type": ""}, "nothing is empty"},
		{"enms_instance", map[string]string{"name": "NAME-g", "type": ""}, "nothing is empty"},
		{"enms_device", map[string]string{"name": "a\x00"}, "Not a name that eNMS takes"},
	} {
		identity := map[string]string{}
		for name, text := range test.identity {
			identity[name] = s.expand(text)
		}
		state, diags := c.importBy(&tfprotov6.ImportResourceStateRequest{TypeName: test.typ, Identity: c.identity(test.typ, identity)})
		if test.problem != "" {
			if !diags.failed() || !strings.Contains(diags.String(), test.problem) {
				t.Errorf("%s %v: %q is not in %s", test.typ, identity, test.problem, diags)
			}
			continue
		}
		if diags.failed() {
			t.Errorf("%s %v: %s", test.typ, identity, diags)
			continue
		}
		c.identified(test.typ, state, map[string]string{"name": s.expand("NAME-g"), "type": "gateway"})
	}
}

// Terraform imports by identity, and keeps it through a rename.
func TestImportByIdentityInTerraform(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	w := newWorkspace(t)
	w.needs(1, 12, "import by identity")
	s.put("gateway", enms.Object{"name": "NAME-g"})()
	t.Cleanup(s.drop("device", "NAME-renamed"))
	resource := func(name string) string {
		return s.hcl(fmt.Sprintf(`
			resource "enms_device" "g" {
			  name            = %q
			  type            = "gateway"
			  deletion_policy = "abandon"
			}`, name))
	}
	w.configure(resource("NAME-g") + s.expand(`
		import {
		  to       = enms_device.g
		  identity = { name = "NAME-g" }
		}`))
	w.apply(10)
	w.planNothing()
	w.configure(resource("NAME-renamed"))
	w.apply(10)
	w.planNothing()
	if _, out := w.run("state", "pull"); !strings.Contains(strings.Join(strings.Fields(out), ""), s.expand(`"identity":{"name":"NAME-renamed","type":"gateway"}`)) {
		t.Error(out)
	}
}

// The schema asks an import for what an instance cannot be found without.
func TestIdentitySchemas(t *testing.T) {
	t.Parallel()
	c := newCore(t, needed(attributes{"base_url": "http://127.0.0.1:1"}))
	all := c.identities()
	for _, k := range kinds.All() {
		schema := all["enms_"+k.Name]
		if schema == nil {
			t.Errorf("%s has no identity", k.Name)
			continue
		}
		got := map[string]string{}
		for _, a := range schema.IdentityAttributes {
			got[a.Name] = fmt.Sprint(a.RequiredForImport, a.OptionalForImport)
			if a.Description == "" {
				t.Errorf("%s, %s has no description", k.Name, a.Name)
			}
		}
		want := map[string]string{"name": "true false"}
		if k.HasSubtypes() {
			want["type"] = fmt.Sprint(k.AnyType, !k.AnyType)
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", k.Name, got, want)
		}
	}
}
