// The life of an instance of every kind, and each value of each attribute, made from the tables: what Terraform does to
// it, what others do to it meanwhile, and that nothing is left in between.

package kinds_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// life is one instance from its creation to its end.
type life struct {
	t      *testing.T
	s      *acctest.Server
	c      *acctest.Core
	kind   *kind.Kind
	typ    string
	config acctest.Attributes
	state  acctest.ResourceState
}

func TestEveryKind_createUpdateRenameImportDestroy(t *testing.T) {
	t.Parallel()
	acctest.OfEveryKind(t, func(t *testing.T, s *acctest.Server, c *acctest.Core, k *kind.Kind) {
		l := &life{t: t, s: s, c: c, kind: k, typ: "enms_" + k.Name}
		l.config, l.state = acctest.FullConfig(0, s, k), l.c.NoState(l.typ)
		l.apply("create")
		l.looksUp()
		l.changesEachAttribute()
		l.renames()
		l.driftsInEachAttribute()
		l.isDeletedByOthers()
		l.isImported()
		l.isAdopted()
		l.config = nil
		l.apply("destroy")
		if !l.gone() {
			t.Error("the instance is there after it was destroyed")
		}
	})
}

// apply applies the configuration, after which a refresh finds the same, and a plan
// nothing to do.
func (l *life) apply(what string) {
	l.t.Helper()
	var diags acctest.Problems
	if l.state, diags = l.c.Apply(l.typ, l.config, l.state); diags.Failed() {
		l.t.Fatalf("%s: %s", what, diags)
	}
	applied := l.state.Value
	l.state = l.c.Refreshed(l.typ, l.state)
	if !l.state.Value.Equal(applied) {
		l.t.Errorf("%s: a refresh changes the state from %s to %s", what, applied, l.state.Value)
	}
	if l.config != nil {
		l.checkIdentity(what, l.state)
	}
	l.planNothing(what)
}

// checkIdentity checks that the identity of a state has its name, and its type where there are several.
func (l *life) checkIdentity(what string, state acctest.ResourceState) {
	l.t.Helper()
	if got, want := acctest.IdentityTexts(l.c, l.typ, state.Identity), acctest.IdentityOfState(l.c, l.typ, state); !maps.Equal(got, want) {
		l.t.Errorf("%s: the identity is %v, want %v", what, got, want)
	}
}

func (l *life) planNothing(what string) {
	l.t.Helper()
	if p, diags := l.c.Plan(l.typ, l.config, l.state); diags.Failed() || l.config != nil && !p.Noop {
		l.t.Errorf("%s: the plan is not empty: %s\n%s\n%s", what, diags, l.state.Value, p.Value)
	}
}

// own returns the attributes that may be configured.
func (l *life) own(selected func(a kind.Attribute) bool) (rows []kind.Attribute) {
	for _, a := range l.kind.Rows() {
		if a.Role == kind.Field && !a.ReadOnly && !a.DataOnly && a.Type != kind.Properties && !acctest.UnknownField(l.kind.Name, a.Name) && selected(a) {
			rows = append(rows, a)
		}
	}
	return rows
}

// with returns the configuration with an attribute, and what that needs.
func (l *life) with(a kind.Attribute, v any) acctest.Attributes {
	config := maps.Clone(l.config)
	maps.Copy(config, acctest.BesideAttribute[l.kind.Name+"."+a.Name])
	config[a.Name] = v
	return config
}

// changesEachAttribute gives each attribute another value that is legal beside the
// others, and takes it back.
func (l *life) changesEachAttribute() {
	l.t.Helper()
	changed, before := 0, l.config
	for _, a := range l.own(func(a kind.Attribute) bool { return !a.InName && a.Name != "scoped_name" }) {
		for _, v := range acctest.Samples(l.s, l.kind, a)[:1] {
			if all := acctest.Samples(l.s, l.kind, a); before[a.Name] != nil && len(all) > 1 {
				v = all[1]
			}
			config := l.with(a, v)
			if p, diags := l.c.Plan(l.typ, config, l.state); diags.Failed() || p.Noop {
				continue // not legal beside the others, or nothing else than it was
			}
			changed++
			l.config = config
			l.apply("update of " + a.Name)
			l.config = before
			l.apply("update of " + a.Name + " back")
		}
	}
	l.config = acctest.AnotherConfig(l.kind, before)
	l.apply("another update")
	l.config = before
	l.apply("another update back")
	l.t.Logf("%d attributes changed by themselves", changed)
}

// renames gives it another name, which keeps its id. The plan shows the name, what follows from it, and nothing
// else as unknown.
func (l *life) renames() {
	l.t.Helper()
	id := l.state.Text(l.t, "id")
	l.config = maps.Clone(l.config)
	l.config["name"] = acctest.NameOf(l.kind, l.s.Expand("NAME-renamed"))
	p, diags := l.c.Plan(l.typ, l.config, l.state)
	if diags.Failed() {
		l.t.Fatal(diags)
	}
	was := acctest.Members(l.t, l.state.Value)
	for name, v := range acctest.Members(l.t, p.Value) {
		if !v.Equal(was[name]) && name != "name" && name != "scoped_name" {
			l.t.Errorf("the plan of a rename changes %s from %s to %s", name, was[name], v)
		}
	}
	l.apply("rename")
	if now := l.state.Text(l.t, "id"); now != id {
		l.t.Errorf("the rename made another instance: its id was %s and is %s", id, now)
	}
}

// driftsInEachAttribute has somebody else change each attribute that is configured,
// which a refresh finds and an apply repairs.
func (l *life) driftsInEachAttribute() {
	l.t.Helper()
	configured := func(a kind.Attribute) bool { return l.config[a.Name] != nil && !a.ChangesOnWrite }
	for _, a := range l.own(configured) {
		field, other := a.Name, any("drifted")
		switch now := l.config[a.Name].(type) {
		case int:
			other = now + 1
		case bool:
			other = !now
		case []string:
			other = []string{}
		case tftypes.Value:
			field = a.Prefix + acctest.CriterionProperty
		}
		if all := acctest.Samples(l.s, l.kind, a); a.Type == kind.One || len(a.OneOf) > 0 {
			if all = slices.DeleteFunc(all, func(x any) bool { return x == l.config[a.Name] }); len(all) == 0 {
				continue // no other value is legal beside the rest
			}
			other = all[0]
		}
		l.s.Put(acctest.PathOf(l.kind, l.config), enms.Object{"name": l.config["name"], field: other})()
		l.isRepaired(a.Name)
	}
	if l.config[kind.RowProperties] != nil {
		l.s.Put(acctest.PathOf(l.kind, l.config), enms.Object{"name": l.config["name"], acctest.UntabledField: "drifted"})()
		l.isRepaired(acctest.UntabledField)
	}
}

func (l *life) isRepaired(field string) {
	l.t.Helper()
	l.state = l.c.Refreshed(l.typ, l.state)
	if p, diags := l.c.Plan(l.typ, l.config, l.state); diags.Failed() || p.Noop {
		l.t.Errorf("the drift of %s is not found: %s", field, diags)
	}
	l.apply("repair of " + field)
}

// isDeletedByOthers is found by a refresh, and repaired by an apply.
func (l *life) isDeletedByOthers() {
	l.t.Helper()
	l.s.Drop(acctest.TypeOf(l.kind, l.config), l.config["name"].(string))()
	if l.state = l.c.Refreshed(l.typ, l.state); !l.state.Value.IsNull() {
		l.t.Fatalf("a refresh does not find the deletion: %s", l.state.Value)
	}
	l.apply("create again")
}

// isImported forgets it and imports it, after which a plan is empty.
func (l *life) isImported() {
	l.t.Helper()
	var diags acctest.Problems
	before := l.state
	if l.state, diags = l.c.ImportByName(l.typ, acctest.ImportIDOf(l.kind, l.config)); diags.Failed() {
		l.t.Fatal(diags)
	}
	l.checkIdentity("import", l.state)
	byIdentity, diags := l.c.ImportBy(&tfprotov6.ImportResourceStateRequest{TypeName: l.typ, Identity: before.Identity})
	if diags.Failed() || !byIdentity.Value.Equal(l.state.Value) {
		l.t.Errorf("by name %s, by identity %s %s", l.state.Value, byIdentity.Value, diags)
	}
	full := l.config
	l.config = l.imported()
	l.planNothing("import")
	l.config, l.state = full, before
}

// imported returns the configuration without secrets and properties that an import leaves out.
func (l *life) imported() acctest.Attributes {
	config := maps.Clone(l.config)
	delete(config, kind.RowProperties)
	for _, a := range l.kind.Rows() {
		if a.Role == kind.Secret {
			delete(config, a.Name)
			delete(config, a.Name+"_version")
		}
	}
	return config
}

// isAdopted forgets it, after which a creation is refused, and takes it over when that
// is asked for.
func (l *life) isAdopted() {
	l.t.Helper()
	id := l.state.Text(l.t, "id")
	if _, diags := l.c.Apply(l.typ, l.config, l.c.NoState(l.typ)); !diags.Failed() {
		l.t.Fatal("a creation took over what was there")
	}
	l.config = maps.Clone(l.config)
	l.config[kind.RowAdoptExisting] = true
	l.state = l.c.NoState(l.typ)
	l.apply("adoption")
	if now := l.state.Text(l.t, "id"); now != id {
		l.t.Errorf("the adoption made another instance: its id was %s and is %s", id, now)
	}
}

// looksUp reads the data source, which has what the resource has.
func (l *life) looksUp() {
	l.t.Helper()
	data, diags := l.c.ReadDataSourceBy(l.typ, acctest.SourceOf(l.kind, l.config))
	if diags.Failed() {
		l.t.Fatal(diags)
	}
	found := acctest.Members(l.t, data)
	for _, a := range l.kind.Rows() {
		if a.DataOnly && found[a.Name].IsNull() {
			l.t.Errorf("the data source has no %s", a.Name)
		}
	}
	for name, v := range acctest.Members(l.t, l.state.Value) {
		a := l.kind.Rows()[max(0, slices.IndexFunc(l.kind.Rows(), func(a kind.Attribute) bool { return a.Name == name }))]
		if a.Role == kind.Setting || a.Role == kind.Secret || a.Type == kind.Properties || a.Automatic != nil {
			continue
		}
		if got, want := fmt.Sprint(acctest.Sorted(acctest.GoValue(l.t, found[name]))), fmt.Sprint(acctest.Sorted(acctest.GoValue(l.t, v))); got != want {
			l.t.Errorf("the data source has the %s %s, the resource %s", name, got, want)
		}
	}
}

func (l *life) gone() bool {
	_, err := l.s.Client.Get(l.s.Context(), l.typOfLast(), acctest.NameOf(l.kind, l.s.Expand("NAME-renamed")))
	return errors.Is(err, enms.ErrNotFound)
}

// typOfLast returns the type of an instance whose configuration is gone.
func (l *life) typOfLast() string {
	return acctest.TypeOf(l.kind, acctest.LeastConfig(l.s, l.kind, kind.Attribute{}))
}

// What a new eNMS has is built in, and nothing else: lists and exports leave it out.
func TestEveryKind_builtIn(t *testing.T) {
	t.Parallel()
	for line, version := range map[int]simulator.Version{4: simulator.V47, 5: simulator.V53} {
		s := acctest.NewServerWith(t, "of one line", simulator.Options{Version: version})
		for _, k := range acctest.Kinds() {
			if k.AnyType != nil || !k.OnLine(line) {
				continue
			}
			all := s.All(k.Name)
			builtIn := slices.DeleteFunc(slices.Clone(k.BuiltIn), func(b kind.BuiltIn) bool { return !k.IsBuiltIn(b.Name, line) })
			if strange := slices.DeleteFunc(slices.Clone(all), func(row enms.Object) bool { return k.IsBuiltIn(fmt.Sprint(row["name"]), line) }); len(strange) > 0 || len(all) != len(builtIn) {
				t.Errorf("line %d: a new eNMS has the %ss %v, of which %v are not built in", line, k.Name, all, strange)
			}
		}
	}
}

// TestEveryKind_everyValueOfEveryAttribute sends each sample at creation, then in an update of an
// instance that had another value, then removes it from the configuration, and imports
// an instance that has it. Whatever eNMS itself stores, such as skip_value = "True",
// must be accepted by the plan.
func TestEveryKind_everyValueOfEveryAttribute(t *testing.T) {
	t.Parallel()
	turn := 0
	for _, k := range acctest.Kinds() {
		for _, a := range k.Rows() {
			if a.ReadOnly || a.DataOnly || a.Role == kind.Key || a.Role == kind.Setting || a.Role == kind.Secret || acctest.UnknownField(k.Name, a.Name) {
				continue
			}
			turn++
			t.Run(k.Name+"."+a.Name, func(t *testing.T) {
				own := turn
				t.Parallel()
				s := acctest.NewServer(t)
				acctest.PutRelated(s)
				all := acctest.SamplesInTurn(own, s, k, a)
				if len(all) == 0 {
					t.Errorf("%s.%s has no samples", k.Name, a.Name)
				}
				for _, value := range all {
					roundTrip(t, s, s.Core(nil), k, a, value, all[0])
				}
			})
		}
	}
}

func roundTrip(t *testing.T, s *acctest.Server, c *acctest.Core, k *kind.Kind, a kind.Attribute, value, other any) {
	t.Helper()
	typ := "enms_" + k.Name
	with := func(v any) acctest.Attributes {
		config := acctest.LeastConfig(s, k, a)
		config[a.Name] = v
		return config
	}
	state := c.NoState(typ)
	step := func(what string, config acctest.Attributes) {
		t.Helper()
		var diags acctest.Problems
		if state, diags = c.Apply(typ, config, state); diags.Failed() {
			t.Fatalf("%s %s.%s = %v: %s", what, k.Name, a.Name, config[a.Name], diags)
		}
		run := c.NewRun()
		if state, diags = run.Refresh(typ, state); diags.Failed() {
			t.Fatalf("%s %s.%s = %v: %s", what, k.Name, a.Name, config[a.Name], diags)
		}
		if p, diags := run.Plan(typ, config, state); diags.Failed() || config != nil && !p.Noop {
			t.Errorf("%s %s.%s = %v: the plan is not empty: %s\n%s\n%s", what, k.Name, a.Name, config[a.Name], diags, p.Value, state.Value)
		}
	}
	step("create", with(value))
	step("update to", with(other))
	step("update back to", with(value))
	if !a.Required && !a.Needed {
		without := with(nil)
		if k.Name+"."+a.Name == "task.crontab_expression" {
			delete(without, "scheduling_mode")
		}
		if k.Name+"."+a.Name == "task.scheduling_mode" {
			delete(without, "crontab_expression")
		}
		step("take out", without)
	}
	step("destroy", nil)
	if a.Automatic != nil && len(value.([]string)) == 0 || a.Type == kind.Criteria && len(acctest.Members(t, value.(tftypes.Value))) == 0 {
		return // an import leaves out what is empty, as nobody would write it
	}
	config := with(value)
	c.Applied(typ, config, c.NoState(typ))
	imported := c.Imported(typ, acctest.ImportIDOf(k, config)) // as if its state was lost
	c.PlansNothing(typ, config, imported)
	c.Applied(typ, nil, imported)
}
