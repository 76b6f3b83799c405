// Tests of the versions of secrets: what is recorded is what was sent.

package instance_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// secretOf is a resource with a secret, for the tests of versions.
type secretOf struct {
	typ, secret string
	base        acctest.Attributes
	value       func(secret any) any // what is configured
}

// secretsOf are a secret with an attribute of its own, and one in properties_wo.
var secretsOf = []secretOf{
	{typ: "enms_user", secret: "password_wo", value: func(secret any) any { return secret }},
	{typ: "enms_credential", secret: "password_wo", base: acctest.Attributes{"username": "u"}, value: func(secret any) any { return secret }},
	{typ: "enms_instance", secret: "properties_wo", base: acctest.Attributes{"type": "credential"},
		value: func(secret any) any { return acctest.ObjectValue(map[string]any{"password": secret}) }},
	{typ: "enms_service", secret: "properties_wo", base: acctest.Attributes{"type": "netmiko_commands_service"},
		value: func(secret any) any { return acctest.ObjectValue(map[string]any{"custom_password": secret}) }},
}

// config returns the configuration of the resource; a secret or a version that is nil is left
// out.
func (s secretOf) config(secret, version any) acctest.Attributes {
	config := acctest.Attributes{"name": "x"}
	for name, v := range s.base {
		config[name] = v
	}
	if secret != nil {
		config[s.secret] = secret
	}
	if version != nil {
		config[s.secret+"_version"] = version
	}
	return config
}

// eNMSType returns the type of the resource in eNMS.
func (s secretOf) eNMSType() string {
	if typ, has := s.base["type"]; has {
		return typ.(string)
	}
	return strings.TrimPrefix(s.typ, "enms_")
}

// changed returns a configuration with another description.
func (s secretOf) changed(config acctest.Attributes) acctest.Attributes {
	if s.typ == "enms_instance" {
		config["properties"] = acctest.ObjectValue(map[string]any{"description": "changed"})
	} else {
		config["description"] = "changed"
	}
	return config
}

// sent returns the secrets that were sent about the resource.
func (s secretOf) sent(w *acctest.Watched) (secrets []any) {
	for _, x := range w.About("x") {
		for field, v := range x.Payload {
			if strings.Contains(field, "password") {
				secrets = append(secrets, v)
			}
		}
	}
	return secrets
}

// applyWith applies a plan with the configuration that Terraform has by then: what is
// ephemeral is evaluated again.
func applyWith(c *acctest.Core, typ string, p acctest.Planned, config acctest.Attributes, state acctest.ResourceState) (acctest.ResourceState, acctest.Problems) {
	c.T.Helper()
	resp, err := c.Provider.ApplyResourceChange(context.Background(), &tfprotov6.ApplyResourceChangeRequest{TypeName: typ,
		PriorState: c.Encode(state.Value), PlannedState: c.Encode(p.Value), Config: c.Encode(acctest.ObjectOf(c.T, c.Schemas[typ], config)),
		PlannedPrivate: p.Private, PlannedIdentity: p.Identity})
	if err != nil {
		c.T.Fatal(err)
	}
	return acctest.ResourceState{Value: c.Decode(typ, resp.NewState), Private: resp.Private, Identity: resp.NewIdentity}, resp.Diagnostics
}

// A secret is sent at creation and when its version changes, and is in no state.
func TestSecretVersion_sentWithANewVersion(t *testing.T) {
	t.Parallel()
	for _, x := range secretsOf {
		s, w := acctest.NewWatched(t)
		c := s.Core(nil)
		state := c.NoState(x.typ)
		for version, secret := range []string{"hidden-one", "hidden-two"} {
			w.Forget()
			state = c.Refreshed(x.typ, c.Applied(x.typ, x.config(x.value(secret), version), state))
			if sent := x.sent(w); !slices.Equal(sent, []any{secret}) {
				t.Errorf("%s: with version %d %v was sent", x.typ, version, sent)
			}
			if strings.Contains(state.Value.String()+string(state.Private), "hidden") {
				t.Errorf("%s: the secret is kept: %s %s", x.typ, state.Value, state.Private)
			}
			c.PlansNothing(x.typ, x.config(x.value("hidden-three"), version), state)
		}
	}
}

// A version without its secret was recorded, so that the secret, when it followed with the
// same version, was never sent. It is an error of the plan; so is a secret that eNMS would
// ignore, and one that stands in properties_wo and is null.
func TestSecretVersion_withoutSecret(t *testing.T) {
	t.Parallel()
	for _, x := range secretsOf {
		s, w := acctest.NewWatched(t)
		c := s.Core(nil)
		version := x.secret + "_version"
		missing := map[string]any{"left out": nil, "empty": x.value(""), "null": x.value(nil)}
		if x.secret == "properties_wo" {
			missing["without a member"] = acctest.ObjectValue(nil)
		}
		for name, secret := range missing {
			if _, diags := c.Apply(x.typ, x.config(secret, 1), c.NoState(x.typ)); !acctest.ErrorOn(diags, version) && !acctest.ErrorOn(diags, x.secret) {
				t.Errorf("%s: a creation whose %s is %s: %s", x.typ, x.secret, name, diags)
			}
		}
		if len(w.About("x")) != 0 {
			t.Errorf("%s: something was sent", x.typ)
		}
		state := c.Applied(x.typ, x.config(x.value("hidden-one"), 1), c.NoState(x.typ))
		for name, secret := range missing {
			w.Forget()
			after, diags := c.Apply(x.typ, x.config(secret, 2), state)
			if !acctest.ErrorOn(diags, version) && !acctest.ErrorOn(diags, x.secret) || !after.Value.Equal(state.Value) || len(w.About("x")) != 0 {
				t.Errorf("%s: another version whose %s is %s: %s", x.typ, x.secret, name, diags)
			}
			c.PlansNothing(x.typ, x.config(secret, 1), state)
		}
		w.Forget()
		c.Applied(x.typ, x.config(x.value("hidden-two"), 2), state)
		if sent := x.sent(w); !slices.Equal(sent, []any{"hidden-two"}) {
			t.Errorf("%s: the secret that followed was sent as %v", x.typ, sent)
		}
	}
}

// A secret that is known at apply only, and is not there then, fails the apply before
// anything is written: its version would be recorded.
func TestSecretVersion_secretMissingAtApply(t *testing.T) {
	t.Parallel()
	for _, x := range secretsOf {
		s, w := acctest.NewWatched(t)
		unknown := x.value(tftypes.NewValue(tftypes.String, tftypes.UnknownValue))
		for name, secret := range map[string]any{"unknown": unknown, "known": x.value("hidden")} {
			c := s.Core(nil)
			p, diags := c.Plan(x.typ, x.config(secret, 1), c.NoState(x.typ))
			if diags.Failed() {
				t.Fatalf("%s: %s", x.typ, diags)
			}
			state, diags := applyWith(c, x.typ, p, x.config(nil, 1), c.NoState(x.typ))
			if !acctest.ErrorOn(diags, x.secret+"_version") || !state.Value.IsNull() || len(w.About("x")) != 0 {
				t.Errorf("%s: a creation whose secret was %s: %s, %s", x.typ, name, diags, state.Value)
			}
		}
		c := s.Core(nil)
		state := c.Applied(x.typ, x.config(x.value("hidden-one"), 1), c.NoState(x.typ))
		p, diags := c.Plan(x.typ, x.config(unknown, 2), state)
		if diags.Failed() {
			t.Fatalf("%s: %s", x.typ, diags)
		}
		w.Forget()
		after, diags := applyWith(c, x.typ, p, x.config(nil, 2), state)
		if !acctest.ErrorOn(diags, x.secret+"_version") || !after.Value.Equal(state.Value) || len(w.About("x")) != 0 {
			t.Errorf("%s: an update: %s, %s", x.typ, diags, after.Value)
		}
	}
}

// An update that eNMS refused recorded the version of the secret that it would have sent, so
// that the next apply did not send it.
func TestSecretVersion_refusedSecretIsSentAgain(t *testing.T) {
	t.Parallel()
	for _, x := range secretsOf {
		s, l := acctest.NewServerBehindProxy(t)
		c := s.Core(nil)
		state := c.Applied(x.typ, x.config(x.value("hidden-one"), 1), c.NoState(x.typ))
		l.SetRewrite(acctest.Refusing("/rest/instance/" + x.eNMSType()))
		state, diags := c.Apply(x.typ, x.config(x.value("hidden-two"), 2), state)
		if !diags.Failed() {
			t.Fatalf("%s: the update was not refused", x.typ)
		}
		l.SetRewrite(nil)
		if p, diags := c.Plan(x.typ, x.config(x.value("hidden-two"), 2), c.Refreshed(x.typ, state)); diags.Failed() || p.Noop {
			t.Errorf("%s: the secret that was refused is not to be sent: %s", x.typ, diags)
		}
	}
}

// A secret without a version is an error, as it would never be sent again; but not where
// the state holds a version: "terraform destroy" plans what is configured first, and its
// variables may be null then.
func TestSecretVersion_secretWithoutVersion(t *testing.T) {
	t.Parallel()
	for _, x := range secretsOf {
		s, w := acctest.NewWatched(t)
		c := s.Core(nil)
		if _, diags := c.Plan(x.typ, x.config(x.value("hidden"), nil), c.NoState(x.typ)); !acctest.ErrorOn(diags, x.secret) || !strings.Contains(diags.String(), x.secret+"_version") {
			t.Errorf("%s: a creation: %s", x.typ, diags)
		}
		state := c.Applied(x.typ, x.config(nil, nil), c.NoState(x.typ))
		if _, diags := c.Plan(x.typ, x.config(x.value("hidden"), nil), state); !acctest.ErrorOn(diags, x.secret) {
			t.Errorf("%s: an update: %s", x.typ, diags)
		}
		state = c.Applied(x.typ, x.config(x.value("hidden"), 1), state)
		if p, diags := c.Plan(x.typ, x.config(x.value("hidden"), nil), state); diags.Failed() || !diags.Warned() || !p.Noop {
			t.Errorf("%s: a version that is removed: %s", x.typ, diags)
		}
		w.Forget()
		state = c.Applied(x.typ, x.changed(x.config(x.value("hidden"), nil)), state)
		if sent := x.sent(w); len(sent) != 0 || len(w.About("x")) == 0 {
			t.Errorf("%s: without a version %v was sent", x.typ, sent)
		}
		if p, diags := c.Plan(x.typ, x.config(x.value("hidden"), 1), state); diags.Failed() || !acctest.Members(t, p.Value)[x.secret+"_version"].Equal(acctest.Members(t, state.Value)[x.secret+"_version"]) {
			t.Errorf("%s: the version was not kept: %s", x.typ, diags)
		}
	}
}

// The secret of an instance that is taken over is sent: eNMS may hold another one.
func TestSecretVersion_adoptionSendsTheSecret(t *testing.T) {
	t.Parallel()
	for _, x := range secretsOf {
		s, w := acctest.NewWatched(t)
		c := s.Core(nil)
		left := c.Applied(x.typ, x.config(nil, nil), c.NoState(x.typ))
		w.Forget()
		config := x.config(x.value("hidden"), 1)
		config["adopt_existing"] = true
		state := c.Applied(x.typ, config, c.NoState(x.typ))
		if sent := x.sent(w); !slices.Equal(sent, []any{"hidden"}) || state.Text(t, "id") != left.Text(t, "id") {
			t.Errorf("%s: %v was sent", x.typ, sent)
		}
		c.PlansNothing(x.typ, config, c.Refreshed(x.typ, state))
	}
}

// What somebody else made in the place of a deleted instance has none of its secrets: where the user says that the
// name decides, their versions leave the state, be it seen by a plan or by an apply.
func TestSecretVersion_ofAnInstanceMadeByOthers(t *testing.T) {
	t.Parallel()
	for _, x := range secretsOf {
		s, w := acctest.NewWatched(t)
		config := x.config(x.value("hidden"), 1)
		first := s.Core(nil)
		state := first.Applied(x.typ, config, first.NoState(x.typ))
		kind := x.eNMSType()
		s.Put(kind, enms.Object{"name": "other", "scoped_name": "other"})() // so that its id is not given again
		config, planning := x.changed(config), s.Core(nil)
		p, diags := planning.Plan(x.typ, config, state)
		if diags.Failed() {
			t.Fatal(diags)
		}
		s.Drop(kind, "x")()
		made, diags := applyWith(planning, x.typ, p, config, state)
		if !strings.Contains(diags.String(), "Somebody deleted it") {
			t.Errorf("%s: %s", x.typ, diags)
		}
		w.Forget()
		c := s.Core(nil)
		after := c.Applied(x.typ, config, c.Refreshed(x.typ, made))
		if sent := x.sent(w); !slices.Equal(sent, []any{"hidden"}) {
			t.Errorf("%s: to what the apply made %v was sent", x.typ, sent)
		}
		s.Drop(kind, "x")()
		s.Put(kind, enms.Object{"name": "another", "scoped_name": "another"})()
		s.Put(kind, enms.Object{"name": "x", "scoped_name": "x"})()
		w.Forget()
		c = s.Core(acctest.Attributes{"identify_by": "name"})
		c.Applied(x.typ, config, c.Refreshed(x.typ, after))
		if sent := x.sent(w); !slices.Equal(sent, []any{"hidden"}) {
			t.Errorf("%s: to what somebody made %v was sent", x.typ, sent)
		}
	}
}

// Entries of enms_instances have no secrets, and so no versions of any.
func TestSecretVersion_inAnEntry(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	_, diags := c.Plan("enms_instances", acctest.Attributes{"type": "user", "instances": acctest.ObjectValue(map[string]any{s.Expand("NAME-u"): map[string]any{"password_wo_version": 1}})}, c.NoState("enms_instances"))
	acctest.CheckSays(diags, t, "password_wo_version without a secret")
}

// "terraform destroy" plans the configuration first, and a variable of a secret may be null then: of an instance that was
// imported, the state holds no version, and that plan does not fail. Its apply does.
func TestSecretVersion_destroyWithoutSecrets(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	name := s.Expand("NAME-imported")
	s.Put("user", enms.Object{"name": name})()
	c, config := s.Core(nil), acctest.Attributes{"name": name, "password_wo_version": 1}
	state := c.Imported("enms_user", name)
	if _, diags := c.Plan("enms_user", config, state); diags.Failed() {
		t.Errorf("the plan before the destruction: %s", diags)
	}
	state, diags := c.Apply("enms_user", config, state)
	acctest.CheckSays(diags, t, "password_wo_version without a secret")
	c.Applied("enms_user", nil, state)
}
