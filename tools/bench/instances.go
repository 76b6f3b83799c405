// This file measures many instances in one resource.

package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// The promises about 5,000 entries, without latency.
const (
	manyEntries       = 5000
	mostEntryMegabyte = 500 // the provider's memory
)

// mostOfEntries is how long the entries may take to be created, to be planned, and to be
// planned and changed in one.
var mostOfEntries = [...]time.Duration{15 * time.Second, 5 * time.Second, 8 * time.Second}

// inventory measures what 5,000 entries cost, and beside it as many in one of Terraform's
// own resources.
func (b *bench) inventory(ctx context.Context) (promise, measured string, kept bool, err error) {
	promise = fmt.Sprintf("without latency, %d entries of one `enms_instances` are created in %.0f s, planned in %.0f s, and one of them planned and changed in %.0f s, with less than %d MiB of memory in the provider's process",
		manyEntries, mostOfEntries[0].Seconds(), mostOfEntries[1].Seconds(), mostOfEntries[2].Seconds(), mostEntryMegabyte)
	sim, err := workshop.StartSimulator(ctx, b.simulator)
	if err != nil {
		return "", "", false, err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	own, err := b.times(ctx, sim, entries(manyEntries).bare())
	if err != nil {
		return "", "", false, err
	}
	peak := watchMemory(b.shop.Provider())
	took, err := b.times(ctx, sim, entries(manyEntries).configuration())
	kilobytes, known := peak()
	if err != nil {
		return "", "", false, err
	}
	kept = kilobytes < mostEntryMegabyte*1024
	for i, most := range mostOfEntries {
		kept = kept && took[i] < most
	}
	measured = fmt.Sprintf("%s, %s, %s (`terraform_data`: %s, %s, %s)", seconds(took[0]), seconds(took[1]), seconds(took[2]), seconds(own[0]), seconds(own[1]), seconds(own[2]))
	if known {
		measured += fmt.Sprintf(", %d MiB", kilobytes/1024)
	}
	return promise, measured, kept, nil
}

// times are how long a configuration of entries takes to be created, to be planned, and
// to be planned and changed in one of them.
func (b *bench) times(ctx context.Context, sim *workshop.Simulator, configuration string) (took []time.Duration, err error) {
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
