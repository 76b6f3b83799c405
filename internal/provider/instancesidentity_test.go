// Tests of the identity of many instances in one resource. But for the last one they speak
// the protocol, so that any Terraform will do.

package provider_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

const manyType = "enms_instances"

// manyIdentity is the identity of instances as Terraform sends it.
func (c *core) manyIdentity(typ any, names ...string) *tfprotov6.ResourceIdentityData {
	c.t.Helper()
	t := c.identities()[manyType].ValueType()
	elements := []tftypes.Value{}
	for _, name := range names {
		elements = append(elements, tftypes.NewValue(tftypes.String, name))
	}
	return &tfprotov6.ResourceIdentityData{IdentityData: c.encode(tftypes.NewValue(t, map[string]tftypes.Value{
		"type": tftypes.NewValue(tftypes.String, typ), "names": tftypes.NewValue(value.StringList, elements)}))}
}

// identifiedMany checks the names in an identity.
func (c *core) identifiedMany(data *tfprotov6.ResourceIdentityData, want ...string) {
	c.t.Helper()
	if data == nil {
		c.t.Errorf("no identity, want %v", want)
		return
	}
	v, err := data.IdentityData.Unmarshal(c.identities()[manyType].ValueType())
	if err != nil {
		c.t.Fatal(err)
	}
	all := members(c.t, v)
	if got := value.Names(all["names"]); !slices.Equal(got, want) || value.Text(all["type"]) != "device" {
		c.t.Errorf("the identity is %v, want %v", v, want)
	}
}

// The identity is the type and the names in their order, and follows them: through the
// configuration, renames, and what others do in eNMS.
func TestIdentityOfInstances(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	a, b, d, e := s.expand("NAME-a"), s.expand("NAME-b"), s.expand("NAME-d"), s.expand("NAME-e")
	config := attributes{"type": "device", "instances": object(map[string]any{b: map[string]any{"vendor": "Cisco"}, a: map[string]any{"name": a}})}
	p, diags := c.plan(manyType, config, c.none(manyType))
	if diags.failed() {
		t.Fatal(diags)
	}
	c.identifiedMany(p.identity, a, b)
	state := c.applied(manyType, config, c.none(manyType))
	c.identifiedMany(state.identity, a, b)
	state.identity = nil // as in a state that Terraform before 1.12 has written
	state = c.refreshed(manyType, state)
	c.identifiedMany(state.identity, a, b)

	config = attributes{"type": "device", "instances": object(map[string]any{d: map[string]any{}, b: map[string]any{"vendor": "Cisco"}}),
		"renames": tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{a: tftypes.NewValue(tftypes.String, d)})}
	state = c.applied(manyType, config, state)
	c.identifiedMany(state.identity, b, d)

	s.put("device", enms.Object{"name": "NAME-b", "new_name": e})()
	state = c.refreshed(manyType, state)
	c.identifiedMany(state.identity, d, e)
	s.drop("device", "NAME-d")()
	state = c.refreshed(manyType, state)
	c.identifiedMany(state.identity, e)
	state = c.applied(manyType, config, state)
	c.identifiedMany(state.identity, b, d)
	if gone := c.applied(manyType, nil, state); !gone.value.IsNull() || gone.identity != nil {
		t.Errorf("%v %v", gone.value, gone.identity)
	}
}

// As long as the names are not known there is no identity, and after a failure it holds
// what is in the state.
func TestIdentityOfInstancesInPart(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("a real server of others would answer 500")
	c := s.core(nil)
	a, b := s.expand("NAME-a"), s.expand("NAME-b")
	unknown := attributes{"type": "device", "instances": tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue)}
	here := attributes{"type": "device", "instances": object(map[string]any{a: map[string]any{}})}
	state := c.applied(manyType, here, c.none(manyType))
	for _, prior := range []resourceState{c.none(manyType), state} {
		if p, diags := c.plan(manyType, unknown, prior); diags.failed() || p.identity != nil {
			t.Errorf("%v %s", p.identity, diags)
		}
	}
	c.applied(manyType, nil, state)
	bad := map[string]any{"creator": []any{map[string]any{"not": "a text"}, map[string]any{}}}
	failed, diags := c.apply(manyType, attributes{"type": "device", "instances": object(map[string]any{a: map[string]any{}, b: bad})}, c.none(manyType))
	if !diags.failed() {
		t.Error("the bad entry was created")
	}
	c.identifiedMany(failed.identity, a)
	c.applied(manyType, nil, failed)
}

// An import by the identity brings what one by the id does; what cannot be one is told.
func TestImportInstancesByIdentity(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	a, b := s.expand("NAME-a"), s.expand("NAME-b, second")
	s.put("device", enms.Object{"name": a, "vendor": "Cisco"})()
	s.put("device", enms.Object{"name": b, "port": 830})()
	t.Cleanup(s.drop("device", a))
	t.Cleanup(s.drop("device", b))
	by := func(identity *tfprotov6.ResourceIdentityData) (resourceState, problems) {
		return c.importBy(&tfprotov6.ImportResourceStateRequest{TypeName: manyType, Identity: identity})
	}
	byIdentity, diags := by(c.manyIdentity("device", b, a))
	if diags.failed() {
		t.Fatal(diags)
	}
	c.identifiedMany(byIdentity.identity, a, b)
	byID, diags := c.importByName(manyType, `{"type":"device","names":["`+a+`","`+b+`"]}`)
	if diags.failed() || !byID.value.Equal(byIdentity.value) {
		t.Errorf("by id %s, by identity %s %s", byID.value, byIdentity.value, diags)
	}
	c.identifiedMany(byID.identity, a, b)
	for want, identity := range map[string]*tfprotov6.ResourceIdentityData{
		"It lacks the type or the names": c.manyIdentity("device"),
		"Cannot import by this identity": c.manyIdentity(nil, a),
		"Not a type":                     c.manyIdentity("no type", a),
		"The name is empty":              c.manyIdentity("device", a, ""),
		"NAME-none":                      c.manyIdentity("device", s.expand("NAME-none")),
	} {
		if _, diags := by(identity); !diags.failed() || !strings.Contains(diags.String(), s.expand(want)) {
			t.Errorf("%q is not in %s", want, diags)
		}
	}
	raw := []byte(`{"names":["` + a + `"],"type":"device"}`)
	upgraded, err := c.server.UpgradeResourceIdentity(t.Context(), &tfprotov6.UpgradeResourceIdentityRequest{TypeName: manyType, RawIdentity: &tfprotov6.RawState{JSON: raw}})
	if err != nil {
		t.Fatal(err)
	}
	c.identifiedMany(upgraded.UpgradedIdentity, a)
}

// Terraform imports by identity, and keeps it through a change of the names.
func TestImportInstancesByIdentityInTerraform(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	w := newWorkspace(t)
	w.needs(1, 12, "import by identity")
	s.put("device", enms.Object{"name": "NAME-a", "vendor": "Cisco"})()
	s.put("device", enms.Object{"name": "NAME-b", "vendor": "Nokia"})()
	t.Cleanup(s.drop("device", "NAME-a"))
	t.Cleanup(s.drop("device", "NAME-c"))
	first, policy := `"NAME-a" = { vendor = "Cisco" }`, `deletion_policy = "delete"`
	w.configure(s.entries("device", policy, first, `"NAME-b" = { vendor = "Nokia" }`) + s.expand(`
		import {
		  to       = enms_instances.all
		  identity = { type = "device", names = ["NAME-a", "NAME-b"] }
		}`))
	w.apply(10)
	w.planNothing()
	w.configure(s.entries("device", policy, first, `"NAME-c" = {}`))
	w.apply(10)
	w.planNothing()
	if _, out := w.run("state", "pull"); !strings.Contains(strings.Join(strings.Fields(out), ""), s.expand(`"identity":{"names":["NAME-a","NAME-c"],"type":"device"}`)) {
		t.Error(out)
	}
}
