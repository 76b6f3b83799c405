// Tests of enms_instances over every attribute of every kind, made from the tables:
// whatever eNMS answers for a field of one entry, the others stay as they are, nothing
// is called gone, and the next plan with true responses is empty.

package faultstest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// TestHostileAnswers_everyFieldOfEntries returns wrong values for each attribute of an entry of
// enms_instances. The other entry is not affected, and once the value is right again,
// for example when a relation was empty for a while, the plan is empty.
func TestHostileAnswers_everyFieldOfEntries(t *testing.T) {
	t.Parallel()
	var cases atomic.Int64
	t.Cleanup(func() { t.Logf("%d hostile answers", cases.Load()) })
	turn := 0
	for _, k := range acctest.Kinds() {
		for _, a := range k.Rows() {
			if a.Role != kind.Field || a.DataOnly || a.Type == kind.Criteria || acctest.UnknownField(k.Name, a.Name) || a.Type == kind.Properties && !acctest.HasUntabledField(k) {
				continue
			}
			turn++
			t.Run(k.Name+"."+a.Name, func(t *testing.T) {
				t.Parallel()
				e := newHostileEntries(t, k, a)
				for i, value := range hostileValues {
					if acctest.Long() || (i+turn)%12 == 0 {
						cases.Add(1)
						e.reads(value)
					}
				}
			})
		}
	}
}

// hostileEntries are two entries of a type, one of which has hostile responses.
type hostileEntries struct {
	*victim
	many   acctest.Attributes
	entry  string // the name of what has hostile responses
	all    acctest.ResourceState
	honest tftypes.Value // what the state holds with true responses
}

func newHostileEntries(t *testing.T, k *kind.Kind, a kind.Attribute) *hostileEntries {
	t.Helper()
	e := &hostileEntries{victim: newVictim(t, k, a)}
	e.entry = e.name()
	entries := map[string]any{e.entry: entryOf(k, e.config), acctest.NameOf(k, "NAME-w"): entryOf(k, e.configNo(1, "NAME-w"))}
	e.many = acctest.Attributes{"type": acctest.PathOf(k, e.config), "adopt_existing": true, "instances": acctest.ObjectValue(entries)}
	e.all = e.core.Refreshed("enms_instances", e.core.Applied("enms_instances", e.many, e.core.NoState("enms_instances")))
	e.honest = e.all.Value
	return e
}

// entryOf returns the entry of the instance that a configuration of a single resource
// describes.
func entryOf(k *kind.Kind, config acctest.Attributes) map[string]any {
	entry := maps.Clone(map[string]any(config))
	if properties, ok := entry[kind.RowProperties].(map[string]any); ok {
		maps.Copy(entry, properties)
	}
	for _, name := range []string{kind.RowName, kind.RowProperties, k.SubtypeRow()} {
		delete(entry, name)
	}
	return entry
}

// reads refreshes while one field of one entry has hostile responses, and then without.
func (e *hostileEntries) reads(value string) {
	e.t.Helper()
	e.proxy.SetRewrite(acctest.RewriteField(e.entry, e.field, value))
	now, diags := e.core.Refresh("enms_instances", e.all)
	was, is := instancesIn(e.t, e.honest), instancesIn(e.t, now.Value)
	if len(is) != len(was) {
		e.t.Fatalf("%s = %.40s: %d of %d entries are left", e.field, value, len(is), len(was))
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if same := is[name].Equal(was[name]); !same && (diags.Failed() || name != e.entry) {
			e.t.Errorf("%s = %.40s: %s is %s, was %s\n%s", e.field, value, name, is[name], was[name], diags)
		}
	}
	if said := diags.String(); diags.Failed() && !strings.Contains(said, e.entry) && !unreadable(value) {
		e.t.Errorf("%s = %.40s: the error does not name the instance: %s", e.field, value, said)
	}
	e.proxy.SetRewrite(nil)
	now, diags = e.core.Refresh("enms_instances", now)
	if diags.Failed() || !now.Value.Equal(e.honest) {
		e.t.Errorf("%s = %.40s: with true responses the state is %s, was %s\n%s", e.field, value, now.Value, e.honest, diags)
	}
	if p, diags := e.core.Plan("enms_instances", e.many, now); diags.Failed() || !p.Noop {
		e.t.Errorf("%s = %.40s: the plan is not empty: %s", e.field, value, diags)
	}
}

// Whatever goes wrong with one of the requests of a read, that of relations included: the
// state stays as it is, with an error or without, and the next plan is empty.
func TestFaults_readOfEntries(t *testing.T) {
	t.Parallel()
	for _, fault := range faults.All() {
		if fault == faults.Flood {
			continue // the client's own tests have it
		}
		t.Run(fmt.Sprint(fault), func(t *testing.T) {
			t.Parallel()
			readInstances(t, fault)
		})
	}
}

func readInstances(t *testing.T, fault faults.Fault) {
	t.Helper()
	acctest.OwnSimulator(t)
	s, injector, url := newFaulty(t, acctest.ServerOptions())
	s.Former = []string{url}
	s.Fill("gateway", 2, func(i int) enms.Object { return enms.Object{"name": fmt.Sprint("GW", i)} })
	entries := map[string]any{}
	for i := range 40 {
		entries[fmt.Sprint("R", i)] = map[string]any{"vendor": "Cisco", "gateways": []string{"GW0", "GW1"}}
	}
	config := acctest.Attributes{"type": "device", "instances": acctest.ObjectValue(entries)}
	sound := s.Core(nil)
	state := sound.Refreshed("enms_instances", sound.Applied("enms_instances", config, sound.NoState("enms_instances")))
	for nth := 1; nth <= 8; nth++ {
		if err := injector.Set(faults.Rule{Fault: fault, Nth: nth, Count: 1}); err != nil {
			t.Fatal(err)
		}
		c := acctest.NewCore(t, acctest.Attributes{"base_url": url, "former_base_urls": []string{s.URL}, "username": "admin", "password": "admin", "max_retries": 0, "request_timeout": faultyTimeout.String()})
		now, diags := c.Refresh("enms_instances", state)
		if !now.Value.Equal(state.Value) {
			t.Errorf("request %d: the state is another one:\n%s", nth, diags)
		}
		if p, diags := sound.Plan("enms_instances", config, now); diags.Failed() || !p.Noop {
			t.Errorf("request %d: the plan is not empty: %s", nth, diags)
		}
		if injector.Injected() == 0 {
			if nth < 6 {
				t.Errorf("a read takes only %d requests: no relations are searched", nth-1)
			}
			break
		}
	}
}

// instancesIn returns the entries of a state.
func instancesIn(t *testing.T, state tftypes.Value) map[string]tftypes.Value {
	t.Helper()
	return acctest.Members(t, acctest.Members(t, state)["instances"])
}
