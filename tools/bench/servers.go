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

// nameSearches is how many searches, one after the other, tell whether the names of new devices
// are free: two in the plan, one in the apply. A generic provider does not ask, and overwrites
// what has a name already.
const nameSearches = 3

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

// allowance is by how much a step may take longer than with a generic provider.
func (s server) allowance(step string) time.Duration {
	if step == "create" {
		return nameSearches * s.latency
	}
	return 0
}

const peerHeader = `| Server | Step | Requests | Time | Generic provider: requests | their time | with Terraform | times as long |
|---|---|--:|--:|--:|--:|--:|--:|
`

// peers measures each step on each server, and prints a row for it. What a generic provider
// takes is the time of its requests and that of Terraform with a provider's process, which is
// measured with as many terraform_data.
func (b *bench) peers(ctx context.Context) (promise, measured string, kept bool, err error) {
	promise = fmt.Sprintf("with %d devices, no step takes longer than with a generic provider, on servers that answer one, three or any number of requests at a time; but creating may take %d searches longer, for free names", peerDevices, nameSearches)
	if _, err := fmt.Fprint(b.out, peerHeader); err != nil {
		return "", "", false, err
	}
	kept, least := true, 0.0
	for _, server := range servers {
		ours, theirs, own, err := b.compare(ctx, server)
		if err != nil {
			return "", "", false, err
		}
		for i, step := range steps {
			whole := theirs[i].time + own[i].time
			times := ratio(whole, ours[i].time)
			kept = kept && ours[i].time <= whole+server.allowance(step.name)
			if least == 0 || times < least {
				least = times
			}
			fmt.Fprintf(b.out, "| %s | %s | %d | %s | %d | %s | %s | %.2f |\n", server.name, step.name, ours[i].requests, seconds(ours[i].time),
				theirs[i].requests, seconds(theirs[i].time), seconds(whole), times)
		}
	}
	fmt.Fprintln(b.out)
	return promise, fmt.Sprintf("a generic one takes at least %.2f times as long", least), kept, nil
}

// compare runs the steps with the provider and with a generic one, until none takes longer than
// with the other or tries are used up. own is what Terraform takes without requests.
func (b *bench) compare(ctx context.Context, on server) (ours, theirs, own []sample, err error) {
	options := on.start()
	if own, err = b.seriesOn(ctx, devices(peerDevices), process, steps, options); err != nil {
		return nil, nil, nil, err
	}
	if theirs, err = b.peerSeries(ctx, options); err != nil {
		return nil, nil, nil, err
	}
	for range peerTries {
		again, err := b.seriesOn(ctx, devices(peerDevices), together, steps, options)
		if err != nil {
			return nil, nil, nil, err
		}
		ours = shortest(ours, again)
		longer := false
		for i, step := range steps {
			longer = longer || ours[i].time > theirs[i].time+own[i].time+on.allowance(step.name)
		}
		if !longer {
			break
		}
	}
	return ours, theirs, own, nil
}

// peerSeries makes the requests of a generic provider on a new simulator.
func (b *bench) peerSeries(ctx context.Context, options []string) (samples []sample, err error) {
	sim, err := workshop.StartSimulator(ctx, b.simulator, options...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	for _, step := range steps {
		p, begin := &peer{sim: sim, count: peerDevices}, time.Now()
		if err := p.run(ctx, step.name); err != nil {
			return nil, err
		}
		samples = append(samples, sample{requests: p.requests.Load(), time: time.Since(begin)})
	}
	return samples, nil
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
