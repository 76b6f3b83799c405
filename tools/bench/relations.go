// This file counts what it takes to read relations of many instances.

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// related are instances that share what they are related to, and the promise about a
// plan of them.
type related struct {
	subject
	most int64 // requests
}

// relatedSubjects returns what is promised about relations.
func relatedSubjects() []related {
	return []related{
		{most: 12, subject: subject{name: "devices behind two gateways", typ: "enms_device", count: 1000,
			attributes: `
    name     = "bench-${count.index}"
    gateways = ["a", "b"]`,
			needs: func(ctx context.Context, sim *workshop.Simulator) error {
				if err := put(ctx, sim, "gateway", []map[string]any{{"name": "a"}, {"name": "b"}}); err != nil {
					return err
				}
				return putMany(ctx, sim, "device", 1000, map[string]any{"gateways": []string{"a", "b"}})
			}}},
		{most: 8, subject: subject{name: "tasks on the same two devices", typ: "enms_task", count: 100,
			attributes: `
    name    = "bench-${count.index}"
    service = "bench"
    devices = ["bench-0", "bench-1"]`,
			needs: func(ctx context.Context, sim *workshop.Simulator) error {
				if err := putDevices(ctx, sim, 2); err != nil {
					return err
				}
				if err := put(ctx, sim, "service", []map[string]any{{"name": "bench", "scoped_name": "bench"}}); err != nil {
					return err
				}
				return putMany(ctx, sim, "task", 100, map[string]any{"service": "bench", "devices": []string{deviceName(0), deviceName(1)}})
			}}},
	}
}

// putMany makes so many instances of a type that are the same but for their names.
func putMany(ctx context.Context, sim *workshop.Simulator, typ string, count int, payload map[string]any) error {
	list := make([]map[string]any, count)
	for i := range list {
		list[i] = map[string]any{"name": deviceName(i)}
		for field, value := range payload {
			list[i][field] = value
		}
	}
	return put(ctx, sim, typ, list)
}

// relations counts the requests of plans of instances with relations, which are imported
// before.
func (b *bench) relations(ctx context.Context) (promise, measured string, kept bool, err error) {
	var promised, counted []string
	kept = true
	for _, s := range relatedSubjects() {
		requests, err := b.relatedPlan(ctx, s.subject)
		if err != nil {
			return "", "", false, err
		}
		promised = append(promised, fmt.Sprintf("at most %d requests for %d %s", s.most, s.count, s.name))
		counted = append(counted, fmt.Sprint(requests))
		kept = kept && requests <= s.most
	}
	return "a plan takes " + strings.Join(promised, "; "), strings.Join(counted, "; "), kept, nil
}

func (b *bench) relatedPlan(ctx context.Context, s subject) (requests int64, err error) {
	sim, err := workshop.StartSimulator(ctx, b.simulator)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	if err := s.needs(ctx, sim); err != nil {
		return 0, err
	}
	dir, err := b.directory(s.configuration() + fmt.Sprintf(`
import {
  for_each = range(%d)
  to       = %s.many[each.key]
  id       = "bench-${each.key}"
}
`, s.count, s.typ))
	if err != nil {
		return 0, err
	}
	imported, err := b.measure(ctx, dir, sim.Environment(), sim, steps[0].args)
	if err != nil {
		return 0, err
	}
	planned, err := b.measure(ctx, dir, sim.Environment(), sim, steps[1].args)
	fmt.Fprintf(b.progress, "%d %s: imported with %d requests, planned with %d\n", s.count, s.name, imported.requests, planned.requests)
	return planned.requests, err
}
