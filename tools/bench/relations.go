// This file counts the requests of plans that read the relations of many instances.

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// related are instances with the same relations.
type related struct {
	subject
	maxRequests int64 // of a plan
}

// relatedSubjects returns the instances and what is promised about them.
func relatedSubjects() []related {
	return []related{
		{maxRequests: 12, subject: subject{name: "devices behind two gateways", typ: "enms_device", count: 1000,
			attributes: `
    name     = "bench-${count.index}"
    gateways = ["a", "b"]`,
			needs: func(ctx context.Context, sim *workshop.Simulator) error {
				if err := put(ctx, sim, "gateway", []map[string]any{{"name": "a"}, {"name": "b"}}); err != nil {
					return err
				}
				return putMany(ctx, sim, "device", 1000, map[string]any{"gateways": []string{"a", "b"}})
			}}},
		{maxRequests: 8, subject: subject{name: "tasks on the same two devices", typ: "enms_task", count: 100,
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

// putMany creates instances of a type that differ only in their names.
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

// relations counts the requests of plans of instances with relations.
func (b *bench) relations(ctx context.Context) (verdict, error) {
	var promised, counted []string
	isKept := true
	for _, s := range relatedSubjects() {
		requests, err := b.relatedPlan(ctx, s.subject)
		if err != nil {
			return verdict{}, err
		}
		promised = append(promised, fmt.Sprintf("at most %d requests for %d %s", s.maxRequests, s.count, s.name))
		counted = append(counted, fmt.Sprint(requests))
		isKept = isKept && requests <= s.maxRequests
	}
	return verdict{promise: "a plan takes " + strings.Join(promised, "; "), measured: strings.Join(counted, "; "), isKept: isKept}, nil
}

// relatedPlan returns how many requests a plan of instances takes that exist and were imported.
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
