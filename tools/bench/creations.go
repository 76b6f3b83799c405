// This file counts what plans ask eNMS that create: whether the names are free.

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// mostOfCreations is how many requests the plan of so many new devices may take.
var mostOfCreations = []struct {
	count    int
	requests int64
}{{10, 1}, {200, 6}}

// unknownUser has a setting of the provider that only the apply knows.
const unknownUser = `
resource "terraform_data" "user" { input = "admin" }
provider "enms" { username = terraform_data.user.output }
`

// creations counts the requests of plans that create.
func (b *bench) creations(ctx context.Context) (promise, measured string, kept bool, err error) {
	sim, err := workshop.StartSimulator(ctx, b.simulator)
	if err != nil {
		return "", "", false, err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	kept = true
	for _, most := range mostOfCreations {
		requests, err := b.planned(ctx, sim, devices(most.count).configuration())
		if err != nil {
			return "", "", false, err
		}
		promise += fmt.Sprintf("a plan of %d new devices takes at most %d requests, ", most.count, most.requests)
		measured += fmt.Sprintf("%d, ", requests)
		kept = kept && requests <= most.requests
	}
	requests, err := b.planned(ctx, sim, devices(10).configuration()+unknownUser)
	if err != nil {
		return "", "", false, err
	}
	return promise + "and none while a setting of the provider is unknown", fmt.Sprintf("%s%d requests", measured, requests), kept && requests == 0, nil
}

// planned is how many requests the plan of a configuration takes of which nothing exists.
func (b *bench) planned(ctx context.Context, sim *workshop.Simulator, configuration string) (int64, error) {
	dir, err := b.directory(configuration)
	if err != nil {
		return 0, err
	}
	cost, err := b.measure(ctx, dir, sim.Environment(), sim, []string{"plan"})
	return cost.requests, err
}
