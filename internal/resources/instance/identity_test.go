// Tests of the identity of resources: what it is of every kind, what it becomes, and
// imports by it. They speak the protocol, so that any Terraform will do.

package instance_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
)

// identityData returns an identity as Terraform sends it: what is not given is null.
func identityData(c *acctest.Core, typ string, given map[string]string) *tfprotov6.ResourceIdentityData {
	c.T.Helper()
	types, values := map[string]tftypes.Type{}, map[string]tftypes.Value{}
	for _, a := range c.Identities()[typ].IdentityAttributes {
		types[a.Name], values[a.Name] = a.Type, tftypes.NewValue(a.Type, nil)
		if text, has := given[a.Name]; has {
			values[a.Name] = tftypes.NewValue(a.Type, text)
		}
	}
	return &tfprotov6.ResourceIdentityData{IdentityData: c.Encode(tftypes.NewValue(tftypes.Object{AttributeTypes: types}, values))}
}

// checkIdentity checks the identity of a resource.
func checkIdentity(c *acctest.Core, typ string, state acctest.ResourceState, want map[string]string) {
	c.T.Helper()
	if got := acctest.IdentityTexts(c, typ, state.Identity); !maps.Equal(got, want) {
		c.T.Errorf("the identity of %s is %v, want %v", typ, got, want)
	}
}

// The identity is what eNMS holds: after a rename that failed, and after one by others. Terraform before 1.12 keeps none:
// its state is read, changed and destroyed all the same, and gets one; also when the instance is gone.
func TestIdentity_isWhatENMSHolds(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c, typ := s.Core(nil), "enms_device"
	is := func(state acctest.ResourceState, name string) {
		t.Helper()
		checkIdentity(c, typ, state, map[string]string{"name": s.Expand(name), "type": "device"})
	}
	without := func(state acctest.ResourceState) acctest.ResourceState {
		state.Identity = nil
		return state
	}
	s.Put("device", enms.Object{"name": "NAME-taken"})()
	config := acctest.Attributes{"name": s.Expand("NAME-d"), "vendor": "Cisco"}
	state := c.Refreshed(typ, without(c.Applied(typ, config, c.NoState(typ))))
	is(state, "NAME-d")
	config["vendor"] = "Nokia"
	state = c.Applied(typ, config, without(state))
	is(state, "NAME-d")
	config["name"] = s.Expand("NAME-taken")
	state, diags := c.Apply(typ, config, state)
	if is(state, "NAME-d"); !diags.Failed() {
		t.Error("it was renamed to a name that is taken")
	}
	s.Put("device", enms.Object{"name": "NAME-d", "new_name": "NAME-e"})()
	state = c.Refreshed(typ, state)
	is(state, "NAME-e")
	if state = c.Applied(typ, nil, without(c.Refreshed(typ, state))); !state.Value.IsNull() {
		t.Error(state.Value)
	}
	config["name"] = s.Expand("NAME-d")
	state = without(c.Applied(typ, config, c.NoState(typ)))
	s.Drop("device", "NAME-d")()
	if gone := c.Refreshed(typ, state); !gone.Value.IsNull() {
		t.Error(gone.Value)
	}
}

// While a setting of the provider is unknown nothing is read, the state keeps its identity or gets one, and a deletion is
// planned without a request.
func TestIdentity_whileSettingsAreUnknown(t *testing.T) {
	acctest.NoEnvironment(t)
	_, url := simtest.Start(t, simulator.Options{})
	c, diags := acctest.TryCore(t, provider.New("test"), acctest.NeededSettings(acctest.Attributes{"base_url": url, "username": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}))
	if diags.Failed() {
		t.Fatal(diags)
	}
	for typ, of := range map[string]string{"enms_device": "router", "enms_service": "workflow"} {
		state := acctest.ResourceState{Value: acctest.ObjectOf(t, c.Schemas[typ], acctest.Attributes{"name": "d", "type": of, "id": "7"})}
		checkIdentity(c, typ, c.Refreshed(typ, state), map[string]string{"name": "d", "type": of})
		if _, diags := c.Plan(typ, nil, state); len(diags) > 0 {
			t.Errorf("%s: %s", typ, diags)
		}
	}
}

// What an import by identity refuses, and what it leaves to eNMS.
func TestIdentity_import(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	s.Put("gateway", enms.Object{"name": "NAME-g"})()
	for _, test := range []struct {
		typ      string
		identity map[string]string
		problem  string // "" when the import succeeds
	}{
		{"enms_device", map[string]string{"name": "NAME-g"}, ""},
		{"enms_device", map[string]string{"name": "NAME-g", "type": "gateway"}, ""},
		{"enms_instance", map[string]string{"name": "NAME-g", "type": "gateway"}, ""},
		{"enms_device", map[string]string{"name": "NAME-g", "type": "router"}, "It is a gateway, not a router as the import says."},
		{"enms_device", map[string]string{"name": "NAME-none"}, s.Expand(`Cannot import device "NAME-none"`)},
		{"enms_device", map[string]string{"name": ""}, "must not have empty members"},
		{"enms_device", map[string]string{"name": "NAME-g", "type": ""}, "must not have empty members"},
		{"enms_instance", map[string]string{"name": "NAME-g", "type": ""}, "must not have empty members"},
		{"enms_device", map[string]string{"name": "a\x00"}, "Invalid name"},
	} {
		identity := map[string]string{}
		for name, text := range test.identity {
			identity[name] = s.Expand(text)
		}
		state, diags := c.ImportBy(&tfprotov6.ImportResourceStateRequest{TypeName: test.typ, Identity: identityData(c, test.typ, identity)})
		if test.problem != "" {
			if !diags.Failed() || !strings.Contains(diags.String(), test.problem) {
				t.Errorf("%s %v: %q is not in %s", test.typ, identity, test.problem, diags)
			}
			continue
		}
		if diags.Failed() {
			t.Errorf("%s %v: %s", test.typ, identity, diags)
			continue
		}
		checkIdentity(c, test.typ, state, map[string]string{"name": s.Expand("NAME-g"), "type": "gateway"})
	}
}

// Terraform imports by identity, and keeps it through a rename.
func TestIdentity_importWithTerraform(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	w := acctest.NewWorkspace(t)
	w.NeedsVersion(1, 12, "import by identity")
	s.Put("gateway", enms.Object{"name": "NAME-g"})()
	resource := func(name string) string {
		return s.HCL(fmt.Sprintf(`
			resource "enms_device" "g" {
			  name            = %q
			  type            = "gateway"
			  deletion_policy = "abandon"
			}`, name))
	}
	w.Configure(resource("NAME-g") + s.Expand(`
		import {
		  to       = enms_device.g
		  identity = { name = "NAME-g" }
		}`))
	w.Apply(10)
	w.PlanNothing()
	w.Configure(resource("NAME-renamed"))
	w.Apply(10)
	w.PlanNothing()
	if _, out := w.Run("state", "pull"); !strings.Contains(strings.Join(strings.Fields(out), ""), s.Expand(`"identity":{"name":"NAME-renamed","type":"gateway"}`)) {
		t.Error(out)
	}
}

// The schema asks an import for what an instance cannot be found without.
func TestIdentity_schemas(t *testing.T) {
	t.Parallel()
	c := acctest.NewCore(t, acctest.NeededSettings(acctest.Attributes{"base_url": "http://127.0.0.1:1"}))
	all := c.Identities()
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
			want["type"] = fmt.Sprint(k.AnyType != nil, k.AnyType == nil)
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", k.Name, got, want)
		}
	}
}

// eNMS 5 keeps the persistent id of a service, or of data, through renames and migrations: an import by
// it brings what one by the name does. It is refused if something else has the id for a name.
func TestImport_byPersistentID(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "enms-5.3", acctest.ServerKinds["enms-5.3"])
	c := s.Core(nil)
	t.Cleanup(s.Drop("vlan", ">NAME-v"))
	s.Put("workflow", enms.Object{"name": "NAME-w", "scoped_name": "NAME-w"})()
	s.Put("python_snippet_service", enms.Object{"name": "[NAME-w] s", "scoped_name": "s", "workflows": []string{s.Expand("NAME-w")}})()
	s.Put("vlan", enms.Object{"name": ">NAME-v", "scoped_name": "NAME-v"})()
	for _, test := range []struct{ typ, of, name, prefix string }{
		{"enms_service", "service", "[NAME-w] s", ""},
		{"enms_service", "service", "NAME-w", ""},
		{"enms_instance", "vlan", ">NAME-v", "vlan/"},
	} {
		id := fmt.Sprint(s.Get(test.of, test.name)["persistent_id"])
		_, err := s.Client.Get(s.Context(), test.of, id)
		if missing, is := errors.AsType[*enms.NotFoundError](err); !is || missing.ByPersistentID == nil {
			t.Skipf("this eNMS finds nothing by persistent id, as 5.2: %v", err)
		}
		byName := c.Imported(test.typ, test.prefix+s.Expand(test.name))
		byID, diags := c.ImportByName(test.typ, test.prefix+id)
		if diags.Failed() || !byID.Value.Equal(byName.Value) {
			t.Errorf("%s by %s: %s %s, want %s", test.name, id, byID.Value, diags, byName.Value)
		}
		checkIdentity(c, test.typ, byID, acctest.IdentityOfState(c, test.typ, byName))
		if _, diags := c.ReadDataSource(test.typ, test.prefix+id); !diags.Failed() {
			t.Errorf("%s: a data source has another name than its own", test.name)
		}
		if test.of != "service" {
			continue
		}
		identity := identityData(c, test.typ, map[string]string{"name": id})
		if byID, diags = c.ImportBy(&tfprotov6.ImportResourceStateRequest{TypeName: test.typ, Identity: identity}); diags.Failed() || !byID.Value.Equal(byName.Value) {
			t.Errorf("%s by the identity %s: %s %s", test.name, id, byID.Value, diags)
		}
		s.Put("python_snippet_service", enms.Object{"name": id, "scoped_name": id})()
		if _, diags := c.ImportByName(test.typ, id); !diags.Failed() {
			t.Errorf("%s: what has the name %s, or what has the persistent id?", test.name, id)
		}
		s.Drop("service", id)()
	}
}
