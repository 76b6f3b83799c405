// This file holds the provider to what it promises.

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// The promises.
const (
	leastTimes   = 8.0 // creating and planning 200 devices, against a generic provider
	mostOfBare   = 1.5 // a plan of 1,000 devices, against Terraform's own resources
	mostMegabyte = 300 // the provider's memory for a plan of 10,000 devices, in MiB
)

// check measures a promise.
type check func(context.Context) (promise, measured string, kept bool, err error)

// verdicts measures the promises and prints a line for each, at the end: some print tables of their own.
func (b *bench) verdicts(ctx context.Context) (broken error) {
	checks := map[string]check{
		"peers": b.peers, "exported": b.exported, "speed": b.speed, "planning": b.planning, "memory": b.memory,
		"relations": b.relations, "inventory": b.inventory, "creations": b.creations, "limited": b.limited,
	}
	names := slices.Sorted(maps.Keys(checks))
	if b.only != "" {
		if checks[b.only] == nil {
			return fmt.Errorf("-only %s is none of %s", b.only, strings.Join(names, ", "))
		}
		names = []string{b.only}
	}
	lines := "| Promise | Measured | Kept |\n|---|---|---|\n"
	for _, name := range names {
		promise, measured, kept, err := checks[name](ctx)
		if err != nil {
			return err
		}
		word := "yes"
		if !kept {
			word, broken = "no", errPromise
		}
		lines += fmt.Sprintf("| %s | %s | %s |\n", promise, measured, word)
	}
	fmt.Fprint(b.out, lines)
	return broken
}

// speed compares creating and planning with a generic provider that overwrites what has the name:
// with the requests of that alone, and the better of two runs of ours, as little time is more
// easily disturbed.
func (b *bench) speed(ctx context.Context) (promise, measured string, kept bool, err error) {
	const count = 200
	ours, theirs := sample{}, sample{}
	for range 2 {
		samples, err := b.series(ctx, devices(count), together, steps[:2])
		if err != nil {
			return "", "", false, err
		}
		took := sample{requests: samples[0].requests + samples[1].requests, time: samples[0].time + samples[1].time}
		if ours.time == 0 || took.time < ours.time {
			ours = took
		}
	}
	sim, err := workshop.StartSimulator(ctx, b.simulator, serial...)
	if err != nil {
		return "", "", false, err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	for _, step := range []string{peerOverwrite, "plan"} {
		took, err := runPeer(ctx, sim, count, step)
		if err != nil {
			return "", "", false, err
		}
		theirs = sample{requests: theirs.requests + took.requests, time: theirs.time + took.time}
	}
	times := ratio(theirs.time, ours.time)
	return fmt.Sprintf("creating and planning %d devices takes a generic provider at least %.0f times as long", count, leastTimes),
		fmt.Sprintf("%s against %s: %.1f times (%d requests against %d)", seconds(theirs.time), seconds(ours.time), times,
			theirs.requests, ours.requests), times >= leastTimes, nil
}

// planning compares the plan of devices with that of Terraform's own resources
// that hold the same: the better of three each, without latency.
func (b *bench) planning(ctx context.Context) (promise, measured string, kept bool, err error) {
	const count, tries = 1000, 3
	sim, err := workshop.StartSimulator(ctx, b.simulator)
	if err != nil {
		return "", "", false, err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	ours, err := b.existing(ctx, sim, count)
	if err != nil {
		return "", "", false, err
	}
	own, err := b.existingBare(ctx, sim, ours, count)
	if err != nil {
		return "", "", false, err
	}
	best := map[string]time.Duration{}
	for range tries {
		for _, dir := range []string{ours, own} {
			cost, err := b.measure(ctx, dir, sim.Environment(), sim, steps[1].args)
			if err != nil {
				return "", "", false, err
			}
			if best[dir] == 0 || cost.time < best[dir] {
				best[dir] = cost.time
			}
		}
	}
	times := ratio(best[ours], best[own])
	return fmt.Sprintf("without latency, a plan of %d devices takes at most %.1f times as long as one of as many terraform_data that hold the same attributes", count, mostOfBare),
		fmt.Sprintf("%s against %s: %.1f times", seconds(best[ours]), seconds(best[own]), times), times <= mostOfBare, nil
}

// memory measures the provider's process in a large plan.
func (b *bench) memory(ctx context.Context) (promise, measured string, kept bool, err error) {
	const count = 10000
	promise = fmt.Sprintf("a plan of %d devices takes less than %d MiB of memory in the provider's process", count, mostMegabyte)
	sim, err := workshop.StartSimulator(ctx, b.simulator)
	if err != nil {
		return "", "", false, err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	dir, err := b.existing(ctx, sim, count)
	if err != nil {
		return "", "", false, err
	}
	peak := watchMemory(b.shop.Provider())
	cost, err := b.measure(ctx, dir, sim.Environment(), sim, steps[1].args)
	kilobytes, known := peak()
	if err != nil {
		return "", "", false, err
	}
	if !known {
		return promise, "n/a on this system", true, nil
	}
	measured = fmt.Sprintf("%d MiB, %d requests, %s", kilobytes/1024, cost.requests, seconds(cost.time))
	return promise, measured, kilobytes < mostMegabyte*1024, nil
}
