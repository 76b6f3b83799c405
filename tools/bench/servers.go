// This file compares the provider with generic ones, on servers that answer one, three or any
// number of requests at a time.

package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// peerDevices is how many devices each provider manages.
const peerDevices = 50

// peerTries is how often the provider is measured until no step takes longer than with the generic
// one. The shortest time counts: whatever else the machine does only adds to it.
const peerTries = 3

// peerTolerance is how many times as long a step may take as with the generic provider: two
// measurements of one step differ by as much.
const peerTolerance = 1.05

// server is a simulator with options.
type server struct {
	name    string
	latency time.Duration
	options []string
}

var servers = []server{
	{"one process, 150 ms a request", 150 * time.Millisecond, []string{"-serial"}},
	{"three processes, 150 ms a request", 150 * time.Millisecond, []string{"-serial", "-workers", "3"}},
	{"any number at once, 250 ms a request", 250 * time.Millisecond, nil},
}

// arguments returns the arguments of the simulator.
func (s server) arguments() []string {
	return append(slices.Clone(s.options), "-latency", s.latency.String())
}

const peerHeader = `| Server | Step | Requests | Time | Generic provider: requests | their time | with Terraform | times as long |
|---|---|--:|--:|--:|--:|--:|--:|
`

// peers measures each step on each server, and prints a row for it.
func (b *bench) peers(ctx context.Context) (v verdict, err error) {
	fmt.Fprint(b.out, peerHeader)
	least := math.Inf(1)
	for _, server := range servers {
		c, err := b.compare(ctx, server)
		if err != nil {
			return v, err
		}
		for i, step := range steps {
			if step.name == peerCreate {
				fmt.Fprint(b.out, c.row(server, i, "create, overwriting what has the name", c.overwriting))
			}
			fmt.Fprint(b.out, c.row(server, i, step.name, c.theirs[i]))
		}
		least = min(least, c.leastRatio())
	}
	fmt.Fprintln(b.out)
	return verdict{
		promise:  fmt.Sprintf("with %d devices, no step takes longer than with a generic provider, on servers that answer one, three or any number of requests at a time; creating is compared with one that asks, too, whether a name is free", peerDevices),
		measured: fmt.Sprintf("a generic one takes at least %.2f times as long", least),
		isKept:   least >= 1/peerTolerance,
	}, nil
}

// comparison is what the steps took on one server.
type comparison struct {
	ours        []sample
	theirs      []sample // with a generic provider, without Terraform
	overwriting sample   // the same, for a creation that does not ask whether the name is free
	terraform   []sample // for Terraform and an idle provider
}

// peerTime returns how long a generic provider takes in Terraform, if its requests take so long.
func (c comparison) peerTime(i int, requests time.Duration) time.Duration {
	return requests + c.terraform[i].time
}

// leastRatio returns how many times as long the generic provider takes, for the step in which
// this is least.
func (c comparison) leastRatio() float64 {
	least := math.Inf(1)
	for i, ours := range c.ours {
		least = min(least, ratio(c.peerTime(i, c.theirs[i].time), ours.time))
	}
	return least
}

// row returns the row of a step, which took the generic provider this sample.
func (c comparison) row(on server, i int, name string, theirs sample) string {
	peerTime := c.peerTime(i, theirs.time)
	return fmt.Sprintf("| %s | %s | %d | %s | %d | %s | %s | %.2f |\n", on.name, name, c.ours[i].requests, seconds(c.ours[i].time),
		theirs.requests, seconds(theirs.time), seconds(peerTime), ratio(peerTime, c.ours[i].time))
}

// compare runs the steps on a server with a generic provider and with this one, which has several
// tries to be the quicker one.
func (b *bench) compare(ctx context.Context, on server) (c comparison, err error) {
	options := on.arguments()
	c.terraform, err = b.series(ctx, devices(peerDevices), withIdleProvider, steps, options)
	if err != nil {
		return c, err
	}
	c.theirs, c.overwriting, err = b.peerSeries(ctx, options)
	if err != nil {
		return c, err
	}
	for range peerTries {
		again, err := b.series(ctx, devices(peerDevices), withProvider, steps, options)
		if err != nil {
			return c, err
		}
		c.ours = shortest(c.ours, again)
		if c.leastRatio() >= 1/peerTolerance {
			break
		}
	}
	return c, nil
}

// peerSeries runs the steps of a generic provider on a new simulator, and at last a creation that
// overwrites.
func (b *bench) peerSeries(ctx context.Context, options []string) (samples []sample, overwriting sample, err error) {
	sim, err := workshop.StartSimulator(ctx, b.simulator, options...)
	if err != nil {
		return nil, sample{}, err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	for _, step := range steps {
		took, err := runPeer(ctx, sim, peerDevices, step.name)
		if err != nil {
			return nil, sample{}, err
		}
		samples = append(samples, took)
	}
	overwriting, err = runPeer(ctx, sim, peerDevices, peerOverwrite)
	return samples, overwriting, err
}

// shortest returns the quicker sample of each step.
func shortest(samples, others []sample) []sample {
	if samples == nil {
		return others
	}
	for i, other := range others {
		if other.time < samples[i].time {
			samples[i] = other
		}
	}
	return samples
}
