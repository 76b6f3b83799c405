// This file checks the promises.

package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// What is promised.
const (
	minSpeedup    = 8.0 // of creating and planning 200 devices, against a generic provider
	maxSlowdown   = 1.5 // of a plan of 1,000 devices, against Terraform's own resources
	maxPlanMemory = 300 // of the provider for a plan of 10,000 devices, in MiB
)

// verdict is a promise, and what was measured.
type verdict struct {
	promise, measured string
	isKept            bool
}

// verdicts measures the promises. The lines about them are printed at the end, because peers
// prints a table first.
func (b *bench) verdicts(ctx context.Context) (broken error) {
	checks := []func(context.Context) (verdict, error){b.peers, b.speed, b.planning, b.memory, b.relations, b.inventory, b.creations}
	if b.onlyPeers {
		checks = checks[:1]
	}
	lines := "| Promise | Measured | Kept |\n|---|---|---|\n"
	for _, check := range checks {
		v, err := check(ctx)
		if err != nil {
			return err
		}
		word := "yes"
		if !v.isKept {
			word, broken = "no", errPromise
		}
		lines += fmt.Sprintf("| %s | %s | %s |\n", v.promise, v.measured, word)
	}
	fmt.Fprint(b.out, lines)
	return broken
}

// speed compares creating and planning devices with a generic provider that overwrites instances
// of the same name. Its requests alone count, without Terraform's time. This provider runs twice,
// and the better run counts: its time is short, so that a disturbance weighs more.
func (b *bench) speed(ctx context.Context) (v verdict, err error) {
	const count = 200
	ours, theirs := sample{}, sample{}
	for range 2 {
		samples, err := b.series(ctx, devices(count), withProvider, steps[:2], serial)
		if err != nil {
			return v, err
		}
		took := sample{requests: samples[0].requests + samples[1].requests, time: samples[0].time + samples[1].time}
		if ours.time == 0 || took.time < ours.time {
			ours = took
		}
	}
	sim, err := workshop.StartSimulator(ctx, b.simulator, serial...)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	for _, step := range []string{peerOverwrite, "plan"} {
		took, err := runPeer(ctx, sim, count, step)
		if err != nil {
			return v, err
		}
		theirs = sample{requests: theirs.requests + took.requests, time: theirs.time + took.time}
	}
	times := ratio(theirs.time, ours.time)
	return verdict{
		promise: fmt.Sprintf("creating and planning %d devices takes a generic provider at least %.0f times as long", count, minSpeedup),
		measured: fmt.Sprintf("%s against %s: %.1f times (%d requests against %d)", seconds(theirs.time), seconds(ours.time), times,
			theirs.requests, ours.requests),
		isKept: times >= minSpeedup,
	}, nil
}

// planning compares the plan of devices with that of Terraform's own resources with the same
// attributes, without latency. Each is planned three times, and the best time counts.
func (b *bench) planning(ctx context.Context) (v verdict, err error) {
	const count, tries = 1000, 3
	sim, err := workshop.StartSimulator(ctx, b.simulator)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	ours, err := b.createdDevices(ctx, sim, count)
	if err != nil {
		return v, err
	}
	own, err := b.createdData(ctx, sim, ours, count)
	if err != nil {
		return v, err
	}
	best := map[string]time.Duration{}
	for range tries {
		for _, dir := range []string{ours, own} {
			cost, err := b.measure(ctx, dir, sim.Environment(), sim, steps[1].args)
			if err != nil {
				return v, err
			}
			if best[dir] == 0 || cost.time < best[dir] {
				best[dir] = cost.time
			}
		}
	}
	times := ratio(best[ours], best[own])
	return verdict{
		promise:  fmt.Sprintf("without latency, a plan of %d devices takes at most %.1f times as long as one of as many terraform_data that hold the same attributes", count, maxSlowdown),
		measured: fmt.Sprintf("%s against %s: %.1f times", seconds(best[ours]), seconds(best[own]), times),
		isKept:   times <= maxSlowdown,
	}, nil
}

// memory measures the memory of the provider's process in a large plan.
func (b *bench) memory(ctx context.Context) (v verdict, err error) {
	const count = 10000
	sim, err := workshop.StartSimulator(ctx, b.simulator)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	dir, err := b.createdDevices(ctx, sim, count)
	if err != nil {
		return v, err
	}
	peak := watchMemory(b.shop.Provider())
	cost, err := b.measure(ctx, dir, sim.Environment(), sim, steps[1].args)
	mebibytes := peak() / 1024
	if err != nil {
		return v, err
	}
	v = verdict{
		promise:  fmt.Sprintf("a plan of %d devices takes less than %d MiB of memory in the provider's process", count, maxPlanMemory),
		measured: fmt.Sprintf("%d MiB, %d requests, %s", mebibytes, cost.requests, seconds(cost.time)),
		isKept:   mebibytes < maxPlanMemory,
	}
	if mebibytes == 0 {
		v.measured = "n/a on this system"
	}
	return v, nil
}
