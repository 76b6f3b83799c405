// This file measures many instances in one resource.

package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// What is promised about the entries of one resource, without latency.
const (
	entryCount     = 5000
	maxEntryMemory = 500 // of the provider, in MiB
)

// maxEntryTimes are how long it may take to create all entries, to plan them, and to change one.
var maxEntryTimes = [...]time.Duration{15 * time.Second, 5 * time.Second, 8 * time.Second}

// inventory measures many entries of one enms_instances, and as many of one terraform_data.
func (b *bench) inventory(ctx context.Context) (v verdict, err error) {
	sim, err := workshop.StartSimulator(ctx, b.simulator)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	own, err := b.entryTimes(ctx, sim, entries(entryCount).bare())
	if err != nil {
		return v, err
	}
	peak := watchMemory(b.shop.Provider())
	took, err := b.entryTimes(ctx, sim, entries(entryCount).configuration())
	mebibytes := peak() / 1024
	if err != nil {
		return v, err
	}
	v = verdict{
		promise: fmt.Sprintf("without latency, %d entries of one `enms_instances` are created in %.0f s, planned in %.0f s, and one of them planned and changed in %.0f s, with less than %d MiB of memory in the provider's process",
			entryCount, maxEntryTimes[0].Seconds(), maxEntryTimes[1].Seconds(), maxEntryTimes[2].Seconds(), maxEntryMemory),
		measured: fmt.Sprintf("%s, %s, %s (`terraform_data`: %s, %s, %s)", seconds(took[0]), seconds(took[1]), seconds(took[2]), seconds(own[0]), seconds(own[1]), seconds(own[2])),
		isKept:   mebibytes < maxEntryMemory,
	}
	for i, limit := range maxEntryTimes {
		v.isKept = v.isKept && took[i] < limit
	}
	if mebibytes > 0 {
		v.measured += fmt.Sprintf(", %d MiB", mebibytes)
	}
	return v, nil
}

// entryTimes returns how long it takes to create the entries of a configuration, to plan them,
// and to change one.
func (b *bench) entryTimes(ctx context.Context, sim *workshop.Simulator, configuration string) (took []time.Duration, err error) {
	dir, err := b.directory(configuration)
	if err != nil {
		return nil, err
	}
	for _, args := range [][]string{steps[0].args, steps[1].args, {"apply", "-auto-approve", "-var=one=second"}} {
		cost, err := b.measure(ctx, dir, sim.Environment(), sim, args)
		if err != nil {
			return nil, err
		}
		took = append(took, cost.time)
	}
	return took, nil
}
