// This file counts the requests of plans that create: they ask eNMS whether the names are free.

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// maxOfCreations is how many requests a plan of count new devices may take.
var maxOfCreations = []struct {
	count    int
	requests int64
}{{10, 1}, {200, 6}}

// unknownUser is a configuration with a setting of the provider that only the apply knows.
const unknownUser = `
resource "terraform_data" "user" { input = "admin" }
provider "enms" { username = terraform_data.user.output }
`

// creations counts the requests of plans that create.
func (b *bench) creations(ctx context.Context) (v verdict, err error) {
	sim, err := workshop.StartSimulator(ctx, b.simulator)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	v.isKept = true
	for _, limit := range maxOfCreations {
		requests, err := b.planRequests(ctx, sim, devices(limit.count).configuration())
		if err != nil {
			return v, err
		}
		v.promise += fmt.Sprintf("a plan of %d new devices takes at most %d requests, ", limit.count, limit.requests)
		v.measured += fmt.Sprintf("%d, ", requests)
		v.isKept = v.isKept && requests <= limit.requests
	}
	requests, err := b.planRequests(ctx, sim, devices(10).configuration()+unknownUser)
	if err != nil {
		return v, err
	}
	v.promise += "and none while a setting of the provider is unknown"
	v.measured += fmt.Sprintf("%d requests", requests)
	v.isKept = v.isKept && requests == 0
	return v, nil
}

// planRequests returns how many requests the plan of a configuration takes.
func (b *bench) planRequests(ctx context.Context, sim *workshop.Simulator, configuration string) (int64, error) {
	dir, err := b.directory(configuration)
	if err != nil {
		return 0, err
	}
	cost, err := b.measure(ctx, dir, sim.Environment(), sim, []string{"plan"})
	return cost.requests, err
}
