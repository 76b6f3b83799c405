// The operations of the matrix of faults, and the instances that they are
// played on.

package provider_test

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
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
	// begin makes what is there before, and says what is to be.
	begin func(p *faultyPlay)
	// do is what Terraform does to one resource while the fault is there.
	do func(c *core, m *managed) (resourceState, problems)
}

// allKinds are the names of all kinds; wants has a configuration of each.
var allKinds = func() (names []string) {
	for _, k := range kinds.All() {
		names = append(names, k.Name)
	}
	return names
}()

var faultyOperations = []faultyOperation{
	{name: "create", kinds: allKinds, creates: true, do: applied,
		begin: func(p *faultyPlay) { p.wants(p.c.kind, "one") }},
	{name: "create of a taken name", kinds: allKinds, creates: true, taken: true, do: applied, begin: func(p *faultyPlay) {
		p.wants(p.c.kind, "one")
		p.applied()
		p.age()
		p.managed[0].state = p.core().none(p.managed[0].typ()) // it is somebody else's
	}},
	{name: "adopt", kinds: allKinds, adopts: true, do: applied, begin: func(p *faultyPlay) {
		p.wants(p.c.kind, "one")
		p.exists(p.managed[0])
	}},
	{name: "update", kinds: allKinds, do: applied, begin: func(p *faultyPlay) {
		p.wants(p.c.kind, "one")
		p.applied()
		p.change(attributes{"description": "changed", "admin_only": true, "port": 830, "priority": 3})
	}},
	{name: "rename", kinds: allKinds, do: applied, begin: func(p *faultyPlay) {
		p.wants(p.c.kind, "one")
		p.applied()
		p.change(attributes{"name": "two"})
	}},
	{name: "rename and update", kinds: allKinds, do: applied, begin: func(p *faultyPlay) {
		p.wants(p.c.kind, "one")
		p.applied()
		p.change(attributes{"name": "two", "description": "changed", "properties": map[string]any{"creator": "another"}})
	}},
	{name: "replace", kinds: []string{"device", "service"}, creates: true, do: applied, begin: func(p *faultyPlay) {
		p.wants(p.c.kind, "one")
		p.applied()
		p.change(attributes{"type": map[string]string{"device": "gateway", "service": "data_validation_service"}[p.c.kind]})
	}},
	{name: "delete", kinds: allKinds, deletes: true, do: applied, begin: func(p *faultyPlay) {
		p.wants(p.c.kind, "one")
		p.applied()
		p.managed[0].config = nil
	}},
	{name: "read", kinds: allKinds, reads: true,
		do: func(c *core, m *managed) (resourceState, problems) { return c.refresh(m.typ(), m.state) },
		begin: func(p *faultyPlay) {
			p.wants(p.c.kind, "one")
			p.applied()
		}},
	{name: "import", kinds: allKinds,
		do: func(c *core, m *managed) (resourceState, problems) {
			state, diags := c.importByName(m.typ(), m.name())
			if diags.failed() {
				return c.none(m.typ()), diags // Terraform keeps nothing of an import that failed
			}
			return state, diags
		},
		adopts: true, // so that the apply after an import that failed may take it over
		begin: func(p *faultyPlay) {
			p.wants(p.c.kind, "one")
			p.exists(p.managed[0])
		}},
	{name: "create several", kinds: []string{"all"}, creates: true, do: applied, begin: (*faultyPlay).wantsSeveral},
	{name: "update several", kinds: []string{"all"}, do: applied, begin: func(p *faultyPlay) {
		p.wantsSeveral()
		p.applied()
		p.change(attributes{"description": "changed"})
	}},
	{name: "rename several", kinds: []string{"all"}, do: applied, begin: func(p *faultyPlay) {
		p.wantsSeveral()
		p.applied()
		p.change(attributes{"name": "two"})
	}},
	{name: "delete several", kinds: []string{"all"}, deletes: true, do: applied, begin: func(p *faultyPlay) {
		p.wantsSeveral()
		p.applied()
		for _, m := range p.managed {
			m.config = nil
		}
	}},
}

// operationNamed is the operation of that name.
func operationNamed(name string) faultyOperation {
	return faultyOperations[slices.IndexFunc(faultyOperations, func(o faultyOperation) bool { return o.name == name })]
}

func applied(c *core, m *managed) (resourceState, problems) {
	return c.apply(m.typ(), m.config, m.state)
}

// wants adds a resource of a kind, and what its instance needs to be there.
func (p *faultyPlay) wants(kind, name string) {
	if kind == "task" && !slices.Contains(p.others, "target") {
		p.others = append(p.others, "target")
		p.s.put("device", enms.Object{"name": "target"})()
	}
	config := map[string]attributes{
		"device": {"name": name, "ip_address": "10.0.0.1", "description": "first", "vendor": "Cisco", "port": 22,
			"properties": map[string]any{"creator": "somebody"}},
		"service": {"name": name, "type": "python_snippet_service", "description": "first", "priority": 20,
			"properties": map[string]any{"creator": "somebody"}},
		"task": {"name": name, "service": "[Shared] Start", "description": "first", "scheduling_mode": "cron",
			"crontab_expression": "0 2 * * *", "is_active": true, "devices": []string{"target"},
			"properties": map[string]any{"creator": "somebody"}},
	}[kind]
	if config == nil {
		p.t.Fatalf("the kind %s has no configuration here", kind)
	}
	p.managed = append(p.managed, &managed{kind: kind, state: p.core().none("enms_" + kind), config: config})
}

// wantsSeveral adds several resources of each kind.
func (p *faultyPlay) wantsSeveral() {
	for _, kind := range allKinds {
		for i := range 2 {
			p.wants(kind, fmt.Sprintf("%s %d", kind, i))
		}
	}
}

// exists makes a resource's instance as somebody else would have made it.
func (p *faultyPlay) exists(m *managed) {
	payload := enms.Object{"name": m.name()}
	if m.kind == "service" {
		payload["scoped_name"], payload["skip_value"] = m.name(), "success"
	}
	if m.kind == "task" {
		payload["service"] = "[Shared] End"
	}
	p.s.put(m.path(), payload)()
}

// age makes what is there of long ago.
func (p *faultyPlay) age() {
	p.t.Helper()
	for _, m := range p.managed {
		found, err := p.s.client.Query(p.s.ctx(), m.kind, map[string]string{"name": m.name()})
		if err != nil {
			p.t.Fatal(err)
		}
		if len(found) > 0 && m.kind != "task" { // tasks are not stamped
			p.s.put(fmt.Sprint(found[0]["type"]), enms.Object{"name": m.name(), "last_modified": "2020-01-01 00:00:00.000000", "migration_import": true})()
		}
	}
}

// applied applies everything without faults.
func (p *faultyPlay) applied() {
	p.t.Helper()
	c := p.core()
	for _, m := range p.managed {
		m.state = c.applied(m.typ(), m.config, m.state)
	}
}

// change changes the configuration of all resources, where their kinds have the
// attributes; a new name is added to the old one where there are several.
func (p *faultyPlay) change(changes attributes) {
	p.t.Helper()
	for _, m := range p.managed {
		has := m.state.value.Type().(tftypes.Object).AttributeTypes
		for attribute, value := range changes {
			if attribute == "name" && len(p.managed) > 1 {
				value = m.name() + " " + value.(string)
			}
			if _, ok := has[attribute]; ok {
				m.config[attribute] = value
			}
		}
	}
}
