// This file compares the provider with generic ones, on servers that answer one, three or any
// number of requests at a time.

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// peerDevices is how many devices are compared.
const peerDevices = 50

// peerTries is how often a step that took longer than its peer is measured in all: the shortest
// time counts, because everything else that a machine does adds to it.
const peerTries = 3

// peerTolerance is how much longer a step may take than with the peer: two measurements of the
// same step differ by as much.
const peerTolerance = 1.05

// server is one on which the provider is compared.
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

// start returns the options with which the simulator is started.
func (s server) start() []string {
	return append(slices.Clone(s.options), "-latency", s.latency.String())
}

const peerHeader = `| Server | Step | Requests | Time | Generic provider: requests | their time | with Terraform | times as long |
|---|---|--:|--:|--:|--:|--:|--:|
`

// peers measures each step on each server, and prints a row for it. What a generic provider
// takes is the time of its requests and that of Terraform with a provider's process, which is
// measured with as many terraform_data.
func (b *bench) peers(ctx context.Context) (promise, measured string, kept bool, err error) {
	promise = fmt.Sprintf("with %d devices, no step takes longer than with a generic provider, on servers that answer one, three or any number of requests at a time; creating is compared with one that asks, too, whether a name is free", peerDevices)
	if _, err := fmt.Fprint(b.out, peerHeader); err != nil {
		return "", "", false, err
	}
	kept, least := true, 0.0
	for _, server := range servers {
		c, err := b.compare(ctx, server)
		if err != nil {
			return "", "", false, err
		}
		for i, step := range steps {
			if step.name == peerCreate {
				if _, err := fmt.Fprint(b.out, c.row(server, i, "create, overwriting what has the name", c.overwriting)); err != nil {
					return "", "", false, err
				}
			}
			times := ratio(c.whole(i), c.ours[i].time)
			kept = kept && !c.longer(i)
			if least == 0 || times < least {
				least = times
			}
			if _, err := fmt.Fprint(b.out, c.row(server, i, step.name, c.theirs[i])); err != nil {
				return "", "", false, err
			}
		}
	}
	fmt.Fprintln(b.out)
	return promise, fmt.Sprintf("a generic one takes at least %.2f times as long", least), kept, nil
}

// besidePeer holds what each step took: with the provider; with a generic one, without Terraform;
// and for Terraform itself, without requests.
type besidePeer struct {
	ours, theirs, own []sample
	overwriting       sample // with a generic provider that creates without asking whether the name is free
}

// whole returns what a step takes with the generic provider and Terraform.
func (c besidePeer) whole(i int) time.Duration { return c.theirs[i].time + c.own[i].time }

// longer reports whether a step took longer than with the generic provider.
func (c besidePeer) longer(i int) bool {
	return float64(c.ours[i].time) > peerTolerance*float64(c.whole(i))
}

// anyLonger reports whether any step took longer than with the generic provider.
func (c besidePeer) anyLonger() bool {
	for i := range c.ours {
		if c.longer(i) {
			return true
		}
	}
	return false
}

// row returns the row of a step beside what the generic provider took for it.
func (c besidePeer) row(on server, i int, name string, theirs sample) string {
	whole := theirs.time + c.own[i].time
	return fmt.Sprintf("| %s | %s | %d | %s | %d | %s | %s | %.2f |\n", on.name, name, c.ours[i].requests, seconds(c.ours[i].time),
		theirs.requests, seconds(theirs.time), seconds(whole), ratio(whole, c.ours[i].time))
}

// compare runs the steps with the provider and with a generic one, until none takes longer than
// with the other or tries are used up.
func (b *bench) compare(ctx context.Context, on server) (c besidePeer, err error) {
	options := on.start()
	if c.own, err = b.seriesOn(ctx, devices(peerDevices), process, steps, options); err != nil {
		return c, err
	}
	if c.theirs, c.overwriting, err = b.peerSeries(ctx, options); err != nil {
		return c, err
	}
	for range peerTries {
		again, err := b.seriesOn(ctx, devices(peerDevices), together, steps, options)
		if err != nil {
			return c, err
		}
		c.ours = shortest(c.ours, again)
		if !c.anyLonger() {
			break
		}
	}
	return c, nil
}

// peerSeries makes the requests of a generic provider on a new simulator: those of each step, and
// those of creations that overwrite what has a name.
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

// shortest returns, of each step, the sample that took the least time.
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
