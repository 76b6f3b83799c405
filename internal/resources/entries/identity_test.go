// Tests of the identity of many instances in one resource. But for the last one they speak
// the protocol, so that any Terraform will do.

package entries_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// manyIdentity returns the identity of instances as Terraform sends it.
func manyIdentity(c *acctest.Core, typ any, names ...string) *tfprotov6.ResourceIdentityData {
	c.T.Helper()
	t := c.Identities()[acctest.TypeInstances].ValueType()
	elements := []tftypes.Value{}
	for _, name := range names {
		elements = append(elements, tftypes.NewValue(tftypes.String, name))
	}
	return &tfprotov6.ResourceIdentityData{IdentityData: c.Encode(tftypes.NewValue(t, map[string]tftypes.Value{
		"type": tftypes.NewValue(tftypes.String, typ), "names": tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, elements)}))}
}

// checkManyIdentity checks the names in an identity.
func checkManyIdentity(c *acctest.Core, data *tfprotov6.ResourceIdentityData, want ...string) {
	c.T.Helper()
	if data == nil {
		c.T.Errorf("no identity, want %v", want)
		return
	}
	v, err := data.IdentityData.Unmarshal(c.Identities()[acctest.TypeInstances].ValueType())
	if err != nil {
		c.T.Fatal(err)
	}
	all := acctest.Members(c.T, v)
	if got := value.Names(all["names"]); !slices.Equal(got, want) || value.Text(all["type"]) != "device" {
		c.T.Errorf("the identity is %v, want %v", v, want)
	}
}

// The identity is the type and the names in their order, and follows them: through the
// configuration, renames, and what others do in eNMS. As long as the names are unknown, there is none.
func TestInstances_identity(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	a, b, d, e := s.Expand("NAME-a"), s.Expand("NAME-b"), s.Expand("NAME-d"), s.Expand("NAME-e")
	config := acctest.Attributes{"type": "device", "instances": acctest.ObjectValue(map[string]any{b: map[string]any{"vendor": s.Prefix}, a: map[string]any{"name": a}})}
	p, diags := c.Plan(acctest.TypeInstances, config, c.NoState(acctest.TypeInstances))
	if diags.Failed() {
		t.Fatal(diags)
	}
	checkManyIdentity(c, p.Identity, a, b)
	state := c.Applied(acctest.TypeInstances, config, c.NoState(acctest.TypeInstances))
	checkManyIdentity(c, state.Identity, a, b)
	unknown := acctest.Attributes{"type": "device", "instances": tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue)}
	for _, prior := range []acctest.ResourceState{c.NoState(acctest.TypeInstances), state} {
		if p, diags := c.Plan(acctest.TypeInstances, unknown, prior); diags.Failed() || p.Identity != nil {
			t.Errorf("%v %s", p.Identity, diags)
		}
	}
	state.Identity = nil // as in a state that Terraform before 1.12 has written
	state = c.Refreshed(acctest.TypeInstances, state)
	checkManyIdentity(c, state.Identity, a, b)

	config = acctest.Attributes{"type": "device", "instances": acctest.ObjectValue(map[string]any{d: map[string]any{}, b: map[string]any{"vendor": s.Prefix}}),
		"renames": tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{a: tftypes.NewValue(tftypes.String, d)})}
	state = c.Applied(acctest.TypeInstances, config, state)
	checkManyIdentity(c, state.Identity, b, d)

	s.Put("device", enms.Object{"name": "NAME-b", "new_name": e})()
	state = c.Refreshed(acctest.TypeInstances, state)
	checkManyIdentity(c, state.Identity, d, e)
	s.Drop("device", "NAME-d")()
	state = c.Refreshed(acctest.TypeInstances, state)
	checkManyIdentity(c, state.Identity, e)
	state = c.Applied(acctest.TypeInstances, config, state)
	checkManyIdentity(c, state.Identity, b, d)
	if gone := c.Applied(acctest.TypeInstances, nil, state); !gone.Value.IsNull() || gone.Identity != nil {
		t.Errorf("%v %v", gone.Value, gone.Identity)
	}
}

// An import by the identity brings what one by the id does; what cannot be one is told.
func TestInstances_importByIdentity(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	a, b := s.Expand("NAME-a"), s.Expand("NAME-b, second")
	s.Put("device", enms.Object{"name": a, "vendor": "Cisco"})()
	s.Put("device", enms.Object{"name": b, "port": 830})()
	by := func(identity *tfprotov6.ResourceIdentityData) (acctest.ResourceState, acctest.Problems) {
		return c.ImportBy(&tfprotov6.ImportResourceStateRequest{TypeName: acctest.TypeInstances, Identity: identity})
	}
	byIdentity, diags := by(manyIdentity(c, "device", b, a))
	if diags.Failed() {
		t.Fatal(diags)
	}
	checkManyIdentity(c, byIdentity.Identity, a, b)
	byID, diags := c.ImportByName(acctest.TypeInstances, `{"type":"device","names":["`+a+`","`+b+`"]}`)
	if diags.Failed() || !byID.Value.Equal(byIdentity.Value) {
		t.Errorf("by id %s, by identity %s %s", byID.Value, byIdentity.Value, diags)
	}
	checkManyIdentity(c, byID.Identity, a, b)
	for want, identity := range map[string]*tfprotov6.ResourceIdentityData{
		"The type or the names are missing": manyIdentity(c, "device"),
		"Cannot import by this identity":    manyIdentity(c, nil, a),
		"Invalid type":                      manyIdentity(c, "no type", a),
		"The name is empty":                 manyIdentity(c, "device", a, ""),
		"NAME-none":                         manyIdentity(c, "device", s.Expand("NAME-none")),
	} {
		if _, diags := by(identity); !diags.Failed() || !strings.Contains(diags.String(), s.Expand(want)) {
			t.Errorf("%q is not in %s", want, diags)
		}
	}
	raw := []byte(`{"names":["` + a + `"],"type":"device"}`)
	upgraded, err := c.Provider.UpgradeResourceIdentity(t.Context(), &tfprotov6.UpgradeResourceIdentityRequest{TypeName: acctest.TypeInstances, RawIdentity: &tfprotov6.RawState{JSON: raw}})
	if err != nil {
		t.Fatal(err)
	}
	checkManyIdentity(c, upgraded.UpgradedIdentity, a)
}
