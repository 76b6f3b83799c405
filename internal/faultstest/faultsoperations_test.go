// The operations of the matrix of faults, and the instances that they are
// played on.

package faultstest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// faultyOperation is a column of the matrix.
type faultyOperation struct {
	name  string
	kinds []string
	// creates, adopts, deletes and reads tell what it is, for what is checked.
	creates, adopts, deletes, reads bool
	// taken: the names are those of somebody else's instances, so that it must
	// fail.
	taken bool
	// everyKind: the short form plays it with every kind, not only with those that
	// are in thorough.
	everyKind bool
	// begin makes what is there before, and says what is to be.
	begin func(p *faultyPlay)
	// do is what Terraform does to one resource while the fault is there.
	do func(c *acctest.Core, m *managed) (acctest.ResourceState, acctest.Problems)
}

// allKinds are the names of all kinds, otherKinds of those that are not in thorough.
var allKinds, otherKinds = func() (all, others []string) {
	for _, k := range acctest.Kinds() {
		if all = append(all, k.Name); !slices.Contains(acctest.ThoroughKinds, k.Name) {
			others = append(others, k.Name)
		}
	}
	return all, others
}()

// several are the operations' kinds where there are several of each: of which kinds
// the instances are.
var several = map[string][]string{"thorough kinds": acctest.ThoroughKinds, "other kinds": otherKinds}

var severalKinds = slices.Sorted(maps.Keys(several))

var faultyOperations = []faultyOperation{
	{name: "create", kinds: allKinds, everyKind: true, creates: true, do: applied,
		begin: func(p *faultyPlay) { p.wants(p.c.kind, 0, "one") }},
	{name: "create of a taken name", kinds: allKinds, creates: true, taken: true, do: applied, begin: func(p *faultyPlay) {
		p.wants(p.c.kind, 0, "one")
		p.applied()
		p.age()
		p.managed[0].state = p.core().NoState(p.managed[0].typ()) // it is somebody else's
	}},
	{name: "adopt", kinds: allKinds, adopts: true, do: applied, begin: func(p *faultyPlay) {
		p.wants(p.c.kind, 0, "one")
		p.exists(p.managed[0])
	}},
	{name: "update", kinds: allKinds, everyKind: true, do: applied, begin: func(p *faultyPlay) {
		p.wants(p.c.kind, 0, "one")
		p.applied()
		p.change(acctest.Attributes{"description": "changed", "label": "changed", "port": 830, "priority": 3,
			"properties": map[string]any{acctest.UntabledField: "another"}})
	}},
	{name: "rename", kinds: allKinds, everyKind: true, do: applied, begin: func(p *faultyPlay) {
		p.wants(p.c.kind, 0, "one")
		p.applied()
		p.change(acctest.Attributes{"name": "two"})
	}},
	{name: "rename and update", kinds: allKinds, do: applied, begin: func(p *faultyPlay) {
		p.wants(p.c.kind, 0, "one")
		p.applied()
		p.change(acctest.Attributes{"name": "two", "description": "changed", "label": "changed", "properties": map[string]any{acctest.UntabledField: "another"}})
	}},
	{name: "replace", kinds: []string{"device", "service"}, creates: true, do: applied, begin: func(p *faultyPlay) {
		p.wants(p.c.kind, 0, "one")
		p.applied()
		p.change(acctest.Attributes{"type": map[string]string{"device": "gateway", "service": "data_validation_service"}[p.c.kind]})
	}},
	{name: "delete", kinds: allKinds, everyKind: true, deletes: true, do: applied, begin: func(p *faultyPlay) {
		p.wants(p.c.kind, 0, "one")
		p.applied()
		p.managed[0].config = nil
	}},
	{name: "read", kinds: allKinds, reads: true,
		do: func(c *acctest.Core, m *managed) (acctest.ResourceState, acctest.Problems) {
			return c.Refresh(m.typ(), m.state)
		},
		begin: func(p *faultyPlay) {
			p.wants(p.c.kind, 0, "one")
			p.applied()
		}},
	{name: "import", kinds: allKinds,
		do: func(c *acctest.Core, m *managed) (acctest.ResourceState, acctest.Problems) {
			state, diags := c.ImportByName(m.typ(), acctest.ImportIDOf(m.kind, m.config))
			if diags.Failed() {
				return c.NoState(m.typ()), diags // Terraform keeps nothing of an import that failed
			}
			return state, diags
		},
		adopts: true, // so that the apply after an import that failed may take it over
		begin: func(p *faultyPlay) {
			p.wants(p.c.kind, 0, "one")
			p.exists(p.managed[0])
		}},
	{name: "create several", kinds: severalKinds, everyKind: true, creates: true, do: applied, begin: (*faultyPlay).wantsSeveral},
	{name: "update several", kinds: severalKinds, do: applied, begin: func(p *faultyPlay) {
		p.wantsSeveral()
		p.applied()
		p.change(acctest.Attributes{"description": "changed", "label": "changed", "properties": map[string]any{acctest.UntabledField: "another"}})
	}},
	{name: "rename several", kinds: severalKinds, do: applied, begin: func(p *faultyPlay) {
		p.wantsSeveral()
		p.applied()
		p.change(acctest.Attributes{"name": "two"})
	}},
	{name: "delete several", kinds: severalKinds, everyKind: true, deletes: true, do: applied, begin: func(p *faultyPlay) {
		p.wantsSeveral()
		p.applied()
		for _, m := range p.managed {
			m.config = nil
		}
	}},
}

// operationNamed returns the operation of that name.
func operationNamed(name string) faultyOperation {
	return faultyOperations[slices.IndexFunc(faultyOperations, func(o faultyOperation) bool { return o.name == name })]
}

func applied(c *acctest.Core, m *managed) (acctest.ResourceState, acctest.Problems) {
	return c.Apply(m.typ(), m.config, m.state)
}

// wants adds a resource of a kind, the n'th, and makes what its instance refers to.
func (p *faultyPlay) wants(name string, n int, instance string) {
	k := acctest.Kinds()[slices.Index(allKinds, name)]
	config := acctest.FullConfig(n, p.s, k)
	config["name"] = acctest.NameOf(k, instance)
	for _, i := range acctest.NamedBy(p.s, k, config) {
		if !slices.Contains(p.others, i.Name) && i.Put(p.s) {
			p.others = append(p.others, i.Name)
		}
	}
	p.managed = append(p.managed, &managed{kind: k, state: p.core().NoState("enms_" + name), config: config})
}

// wantsSeveral adds several resources of each kind.
func (p *faultyPlay) wantsSeveral() {
	for _, kind := range several[p.c.kind] {
		for n := range 2 {
			p.wants(kind, n, fmt.Sprintf("%s %d", kind, n))
		}
	}
}

// exists makes a resource's instance as somebody else would have made it.
func (p *faultyPlay) exists(m *managed) {
	p.s.Put(acctest.PathOf(m.kind, m.config), acctest.PayloadOfOthers(p.s, m.kind, m.config))()
}

// age makes what is there of long ago.
func (p *faultyPlay) age() {
	p.t.Helper()
	for _, m := range p.managed {
		found, err := p.s.Client.Endpoint().Query(p.s.Context(), m.found(), map[string]string{"name": m.name()})
		if err != nil {
			p.t.Fatal(err)
		}
		if len(found) > 0 && !m.kind.NoTimestamps {
			p.s.Put(cmp.Or(foundType(found[0]), m.found()), enms.Object{"name": m.name(), "last_modified": "2020-01-01 00:00:00.000000", "migration_import": true})()
		}
	}
}

// foundType returns the type that eNMS answers, "" where it answers none.
func foundType(row enms.Object) string {
	typ, _ := row["type"].(string)
	return typ
}

// applied applies everything without faults.
func (p *faultyPlay) applied() {
	p.t.Helper()
	c := p.core()
	for _, m := range p.managed {
		m.state = c.Applied(m.typ(), m.config, m.state)
	}
}

// change changes the configuration of all resources, where their kinds have the
// attributes; a new name is added to the old one where there are several.
func (p *faultyPlay) change(changes acctest.Attributes) {
	p.t.Helper()
	for _, m := range p.managed {
		has := m.state.Value.Type().(tftypes.Object).AttributeTypes
		for attribute, value := range changes {
			if attribute == "name" && len(p.managed) > 1 {
				value = m.name() + " " + value.(string)
			} else if attribute == "name" {
				value = acctest.NameOf(m.kind, value.(string))
			}
			if _, ok := has[attribute]; ok && (attribute != kind.RowProperties || acctest.HasUntabledField(m.kind)) {
				m.config[attribute] = value
			}
		}
	}
}
