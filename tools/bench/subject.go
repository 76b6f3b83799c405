// This file says what is measured: instances of a type, and what they need.

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// subject is a number of instances of a type.
type subject struct {
	name  string
	typ   string // the resource type
	count int
	// attributes are the configuration of an instance; var.text changes in
	// an update.
	attributes string
	// whole is the configuration, and wholeBare that of Terraform's own resource, of
	// instances that are in one resource.
	whole, wholeBare string
	// needs is what must be there before.
	needs func(ctx context.Context, sim *workshop.Simulator) error
}

const (
	deviceAttributes = `
    name        = "bench-${count.index}"
    ip_address  = "10.0.${floor(count.index / 256)}.${count.index % 256}"
    description = var.text`
	serviceAttributes = `
    name        = "bench-${count.index}"
    description = var.text`
	taskAttributes = `
    name        = "bench-${count.index}"
    service     = "bench"
    devices     = ["bench-${count.index}", "bench-${count.index + 1}"]
    description = var.text`
	linkAttributes = `
    name        = "bench-${count.index}"
    source      = "bench-${count.index}"
    destination = "bench-${count.index + 1}"
    description = var.text`
	poolAttributes = `
    name            = "bench-${count.index}"
    device_criteria = { name = { value = "bench-${count.index}", match = "equality" }, description = { value = var.text } }`
	edgeAttributes = `
    workflow    = "bench"
    source      = "[Shared] bench-${count.index}"
    destination = "[Shared] bench-${count.index + 1}"
    subtype     = "success"
    label       = var.text`
)

func devices(count int) subject {
	return subject{name: "devices", typ: "enms_device", count: count, attributes: deviceAttributes}
}

// entryAttributes are the entries of a resource; var.one changes the first. A range has
// 1,024 numbers at most.
const entryAttributes = `{ for i in flatten([for k in range(0, %[1]d, 1000) : range(k, min(k + 1000, %[1]d))]) : "bench-${i}" => {
    ip_address  = "10.${floor(i / 65536)}.${floor(i / 256) %% 256}.${i %% 256}"
    description = i == 0 ? var.one : var.text
  } }`

// entries are so many instances in one resource.
func entries(count int) subject {
	variables := "variable \"text\" { default = \"first\" }\nvariable \"one\" { default = \"first\" }\n"
	instances := fmt.Sprintf(entryAttributes, count)
	return subject{name: "entries of one `enms_instances`", typ: "enms_instances", count: count,
		whole:     fmt.Sprintf("%sresource \"enms_instances\" \"many\" {\n  type = \"device\"\n  instances = %s\n}\n", variables, instances),
		wholeBare: fmt.Sprintf("%sresource \"terraform_data\" \"many\" {\n  input = %s\n}\n", variables, instances)}
}

// subjects returns the rows of the table.
func subjects() []subject {
	return []subject{
		devices(10), devices(100), devices(1000), entries(1000),
		{name: "services", typ: "enms_service", count: 100, attributes: serviceAttributes},
		{name: "tasks on two devices", typ: "enms_task", count: 100, attributes: taskAttributes,
			needs: func(ctx context.Context, sim *workshop.Simulator) error {
				if err := putDevices(ctx, sim, 101); err != nil {
					return err
				}
				return put(ctx, sim, "service", []map[string]any{{"name": "bench", "scoped_name": "bench"}})
			}},
		{name: "links", typ: "enms_link", count: 100, attributes: linkAttributes,
			needs: func(ctx context.Context, sim *workshop.Simulator) error { return putDevices(ctx, sim, 101) }},
		{name: "pools by criteria", typ: "enms_pool", count: 100, attributes: poolAttributes,
			needs: func(ctx context.Context, sim *workshop.Simulator) error { return putDevices(ctx, sim, 101) }},
		{name: "edges of a workflow", typ: "enms_workflow_edge", count: 100, attributes: edgeAttributes, needs: putWorkflow},
	}
}

// putWorkflow makes the workflow that the edges are of, and the services between which
// they go.
func putWorkflow(ctx context.Context, sim *workshop.Simulator) error {
	if err := put(ctx, sim, "workflow", []map[string]any{{"name": "bench", "scoped_name": "bench"}}); err != nil {
		return err
	}
	var services []map[string]any
	for i := range 101 {
		scoped := fmt.Sprintf("bench-%d", i)
		services = append(services, map[string]any{"name": "[Shared] " + scoped, "scoped_name": scoped, "shared": true, "workflows": []string{"bench"}})
	}
	return put(ctx, sim, "service", services)
}

// configuration returns the subject as resources of the type.
func (s subject) configuration() string {
	if s.whole != "" {
		return s.whole
	}
	return fmt.Sprintf("variable \"text\" { default = \"first\" }\nresource %q \"many\" {\n  count = %d\n%s\n}\n", s.typ, s.count, s.attributes)
}

// bare returns the subject as Terraform's own resources, which hold what is configured and
// reach nobody.
func (s subject) bare() string {
	if s.wholeBare != "" {
		return s.wholeBare
	}
	return fmt.Sprintf("variable \"text\" { default = \"first\" }\nresource \"terraform_data\" \"many\" {\n  count = %d\n  input = {%s\n  }\n}\n", s.count, s.attributes)
}

// putDevices makes devices as somebody else would, those of deviceAttributes.
func putDevices(ctx context.Context, sim *workshop.Simulator, count int) error {
	const atATime = 1000
	var list []map[string]any
	for i := range count {
		list = append(list, map[string]any{"name": deviceName(i), "ip_address": deviceAddress(i), "description": "first"})
		if len(list) == atATime || i == count-1 {
			if err := put(ctx, sim, "device", list); err != nil {
				return err
			}
			list = nil
		}
	}
	return nil
}

func deviceName(i int) string    { return fmt.Sprintf("bench-%d", i) }
func deviceAddress(i int) string { return fmt.Sprintf("10.0.%d.%d", i/256, i%256) }

// put makes instances of a type.
func put(ctx context.Context, sim *workshop.Simulator, typ string, list []map[string]any) error {
	var answer struct {
		Failure []json.RawMessage `json:"failure"`
	}
	err := sim.Ask(ctx, http.MethodPost, "/rest/instance/"+typ, list, &answer)
	if err == nil && len(answer.Failure) > 0 {
		err = fmt.Errorf("cannot make %s: %s", typ, answer.Failure)
	}
	return err
}
